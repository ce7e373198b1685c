// SPDX-License-Identifier: GPL-2.0-only
/*
 * scan.c - reader of a file of kmem-account scan: the live objects of each call site, what would go
 * with them, and the same by root (heap/retained.h computed it; scan-file.h has the lines).
 *
 * By root, the bytes of each object are counted once, at the root that alone retains it, or in a row
 * in brackets for objects that no single root retains. So these rows add up to all live objects, and
 * each row has as many retained as live bytes. The retained bytes of call sites overlap.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/map.h"
#include "model/groups.h"
#include "reader.h"
#include "scan-file.h"

/* The objects of the scan itself, which are of no call site. */
#define KMA_SCAN_ITSELF "[memory of the scan]"

/* What a root retains, and what its parts have added up to so far. */
struct kma_scan_rows_root {
	const char *name;
	uint64_t bytes, objects;
	struct kma_values parts;
};

struct kma_scan_rows {
	struct kma_scan_file file;
	struct kma_account *account;
	struct kma_arena texts;
	struct kma_map by_caller;      /* numbers of @places */
	struct kma_scan_place *places; /* of each caller the first one */
	size_t room_places;
	struct kma_groups *groups;
	struct kma_scan_rows_root *roots;
	size_t nr_roots, room_roots;
	size_t nr_sites;   /* in @account */
	size_t itself;	   /* 1 + index of KMA_SCAN_ITSELF in @account; 0: there is none */
	bool parts;	   /* the file has parts, so no root or caller may follow */
	uint64_t live[2];  /* bytes and objects of the header */
	uint64_t retained; /* sum over the call sites */
};

static const char *scan_rows_text(struct kma_scan_rows *in, const char *text)
{
	return kma_arena_text(&in->texts, text, strlen(text));
}

static struct kma_err *scan_rows_kernel(void *arg)
{
	struct kma_scan_rows *in = arg;

	return kma_scan_file_kernel(&in->file, in->account);
}

static struct kma_err *scan_rows_note(void *arg)
{
	struct kma_scan_rows *in = arg;

	kma_account_warn(in->account, "%s", in->file.cells[1]);
	return NULL;
}

/* The place of a caller; NULL if none is known. */
static const struct kma_scan_place *scan_rows_find(const struct kma_scan_rows *in,
						   const char *caller, uint32_t hash)
{
	uint32_t n = kma_map_find(&in->by_caller, hash, i, !strcmp(in->places[i].caller, caller));

	return n == KMA_MAP_NONE ? NULL : &in->places[n];
}

static struct kma_err *scan_rows_place(void *arg)
{
	struct kma_scan_rows *in = arg;
	struct kma_scan_place place;
	struct kma_err *err = kma_scan_file_place(&in->file, &place);
	uint32_t hash;

	if (err || !place.build_id)
		return err;
	hash = kma_map_text(place.caller, strlen(place.caller));
	if (scan_rows_find(in, place.caller, hash))
		return NULL;
	place.caller = scan_rows_text(in, place.caller);
	place.build_id = scan_rows_text(in, place.build_id);
	kma_array_room(in->places, in->by_caller.nr, in->room_places);
	in->places[kma_map_add(&in->by_caller, hash)] = place;
	return NULL;
}

static struct kma_err *scan_rows_live(void *arg)
{
	struct kma_scan_rows *in = arg;
	struct kma_err *err = kma_scan_file_number(&in->file, 2, UINT64_MAX, 0, &in->live[1]);

	return err ?: kma_scan_file_number(&in->file, 3, UINT64_MAX, 0, &in->live[0]);
}

/* Add a root. What is not a root has a name in brackets, like other rows without an owner. */
static void scan_rows_name(struct kma_scan_rows *in, const struct kma_scan_retained *row,
			   uint32_t *number)
{
	_cleanup_free_ char *name = kma_xasprintf(row->rest ? "[%s]" : "%s", row->name);

	kma_groups_name_add(in->groups, name, number);
}

static struct kma_err *scan_rows_root(void *arg)
{
	struct kma_scan_rows *in = arg;
	struct kma_scan_retained row;
	struct kma_err *err = kma_scan_file_retained(&in->file, &row);
	uint32_t number;

	if (err)
		return err;
	if (in->parts)
		return kma_cursor_error(&in->file.cur, "a root after parts");
	if (!in->groups)
		kma_groups_create(&in->groups);
	scan_rows_name(in, &row, &number);
	kma_array_room(in->roots, in->nr_roots, in->room_roots);
	in->roots[in->nr_roots++] = (struct kma_scan_rows_root){
		.name = kma_groups_name(in->groups, number),
		.bytes = row.bytes,
		.objects = row.objects,
	};
	return NULL;
}

static struct kma_err *scan_rows_caller(void *arg)
{
	struct kma_scan_rows *in = arg;
	const struct kma_scan_place *place;
	struct kma_scan_retained row;
	struct kma_values values = { 0 };
	struct kma_err *err = kma_scan_file_retained(&in->file, &row);
	size_t len;

	if (err)
		return err;
	if (in->parts || row.rest)
		return kma_cursor_error(&in->file.cur, in->parts ? "a call site after parts" :
								   "invalid number '-'");
	len = strlen(row.name);
	values.current = row.own;
	values.objects = row.direct;
	values.retained = row.bytes;
	err = kma_account_add_scanned(in->account, row.name, &values);
	if (err)
		return err;
	in->nr_sites++;
	in->retained += row.bytes;
	place = scan_rows_find(in, row.name, kma_map_text(row.name, len));
	if (place)
		kma_account_set_image(in->account, place->build_id, place->text, place->in_init);
	return NULL;
}

/* Add the objects of the scan itself, which are retained in no way but by themselves. */
static struct kma_err *scan_rows_itself(struct kma_scan_rows *in, const struct kma_values *values)
{
	struct kma_err *err;

	if (in->itself)
		return kma_cursor_error(&in->file.cur, "a second part without a call site");
	err = kma_account_add_site(in->account, KMA_SCAN_ITSELF, strlen(KMA_SCAN_ITSELF), values);
	if (err)
		return err;
	in->retained += values->retained;
	in->itself = ++in->nr_sites;
	return NULL;
}

/* The objects of a call site that a root retains. */
static struct kma_err *scan_rows_part(void *arg)
{
	struct kma_scan_rows *in = arg;
	uint64_t root, site, bytes, objects;
	struct kma_values values = { 0 };
	struct kma_err *err;

	in->parts = true;
	err = kma_scan_file_number(&in->file, 1, UINT64_MAX, 0, &root)			    ?:
		      kma_scan_file_number(&in->file, 2, UINT64_MAX - 1, UINT64_MAX, &site) ?:
		      kma_scan_file_number(&in->file, 3, UINT64_MAX, 0, &objects)	    ?:
		      kma_scan_file_number(&in->file, 4, UINT64_MAX, 0, &bytes);
	if (err)
		return err;
	if (root >= in->nr_roots || (site != UINT64_MAX && site >= in->nr_sites - !!in->itself))
		return kma_cursor_error(&in->file.cur, "no such root or call site");
	values.current = values.retained = bytes;
	values.objects = objects;
	if (site == UINT64_MAX) {
		err = scan_rows_itself(in, &values);
		site = in->itself - 1;
	}
	if (err)
		return err;
	if (__builtin_add_overflow(in->roots[root].parts.current, bytes,
				   &in->roots[root].parts.current) ||
	    __builtin_add_overflow(in->roots[root].parts.objects, objects,
				   &in->roots[root].parts.objects))
		return kma_cursor_error(&in->file.cur, "impossible sums");
	kma_groups_add(in->groups, site, root, &values);
	return NULL;
}

/* Compare the parts with their sums, and the rows with the line "live". */
static struct kma_err *scan_rows_finish(struct kma_scan_rows *in)
{
	const struct kma_values totals = {
		.current = in->live[0],
		.objects = in->live[1],
		.retained = in->retained,
	};

	for (size_t i = 0; i < in->nr_roots && in->parts; i++) {
		const struct kma_scan_rows_root *root = &in->roots[i];

		if (root->parts.current != root->bytes || root->parts.objects != root->objects)
			return kma_err_create_kind(KMA_ERR_DAMAGED, kma_account_name(in->account),
						   0,
						   "the parts of '%.200s' do not add up to its row",
						   root->name);
	}
	kma_account_set_metrics(in->account,
				1U << KMA_CURRENT | 1U << KMA_OBJECTS | 1U << KMA_RETAINED);
	kma_account_set_totals(in->account, &totals, in->nr_sites);
	if (!in->parts)
		return NULL;
	kma_groups_set_more(in->groups, 1U << KMA_RETAINED);
	kma_account_set_groups(in->account, KMA_GROUPED_ROOT, in->groups);
	in->groups = NULL;
	return NULL;
}

static struct kma_err *scan_account_read(struct kma_input *input, struct kma_account *account)
{
	static struct kma_err *(*const read[KMA_SCAN_NR_KINDS])(void *arg) = {
		[KMA_SCAN_KERNEL] = scan_rows_kernel,
		[KMA_SCAN_PLACE] = scan_rows_place,
		[KMA_SCAN_NOTE] = scan_rows_note,
		[KMA_SCAN_LIVE] = scan_rows_live,
		[KMA_SCAN_RETAINED_ROOT] = scan_rows_root,
		[KMA_SCAN_RETAINED_CALLER] = scan_rows_caller,
		[KMA_SCAN_RETAINED_PART] = scan_rows_part,
	};
	struct kma_scan_rows in = { .file.read = read, .account = account };
	struct kma_err *err;

	in.file.arg = &in;
	kma_arena_init(&in.texts);
	err = kma_scan_file_read(&in.file, input);
	if (!err)
		err = scan_rows_finish(&in);
	kma_arena_deinit(&in.texts);
	kma_map_free(&in.by_caller);
	kma_groups_destroy(in.groups);
	free(in.places);
	free(in.roots);
	return err;
}

const struct kma_reader_ops kma_reader_scan = {
	.name = "kmem-account scan",
	.begins = "kmem_account scan",
	.read = scan_account_read,
};
