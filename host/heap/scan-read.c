// SPDX-License-Identifier: GPL-2.0-only
/*
 * scan-read.c - read a file of a scan.
 *
 * Nothing in the file is trusted: numbers of sites, roots and holders are checked, and the holder
 * of an object has to be before it, so no path is endless.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "scan-format.h"
#include "scan-read.h"

#define KMA_SCAN_SITES ((1U << 20) - 1) /* largest number; the module has 16,383 at most */

struct kma_scan_in {
	struct kma_scan_file file;
	struct kma_scan *scan;
	const char *name;
	uint32_t room_groups, room_keys, room_passes;
	size_t room_roots, room_modules, room_callers, room_lost, nr_lost;
	uint64_t lost_live; /* live objects of all rows of lost and unseen ones */
};

static const char *scan_text(struct kma_scan_in *in, unsigned int cell)
{
	return kma_arena_text(&in->scan->texts, in->file.cells[cell], strlen(in->file.cells[cell]));
}

/* The account of the kernel's places, which is made when the first one is read. */
static struct kma_account *scan_in_account(struct kma_scan_in *in)
{
	if (!in->scan->account)
		in->scan->account = kma_account_create(in->name);
	return in->scan->account;
}

static struct kma_err *scan_in_kernel(void *arg)
{
	struct kma_scan_in *in = arg;

	return kma_scan_file_kernel(&in->file, scan_in_account(in));
}

static struct kma_err *scan_in_place(void *arg)
{
	struct kma_scan_in *in = arg;
	struct kma_account *account = scan_in_account(in);
	const struct kma_values none = { 0 };
	struct kma_scan_place place;
	struct kma_err *err;

	err = kma_scan_file_place(&in->file, &place) ?:
		      kma_account_add_site(account, place.caller, strlen(place.caller), &none);
	if (err)
		return err;
	if (place.build_id)
		kma_account_set_image(account, place.build_id, place.text, place.in_init);
	return NULL;
}

static struct kma_err *scan_in_note(void *arg)
{
	struct kma_scan_in *in = arg;

	kma_notes_add(&in->scan->lost.notes, "%s", in->file.cells[1]);
	kma_notes_add(&in->scan->notes, "%s", in->file.cells[1]);
	kma_notes_add(&in->scan->retained.notes, "%s", in->file.cells[1]);
	return NULL;
}

static struct kma_err *scan_in_site(void *arg)
{
	struct kma_scan_in *in = arg;
	struct kma_listing_sites *sites = &in->scan->sites;
	uint64_t id;
	struct kma_err *err = kma_scan_file_number(&in->file, 1, KMA_SCAN_SITES, 0, &id);

	if (err)
		return err;
	kma_array_reach(sites->callers, sites->nr, id);
	sites->callers[id] = scan_text(in, 2);
	return NULL;
}

static struct kma_err *scan_in_root(void *arg)
{
	struct kma_scan_in *in = arg;
	struct kma_root_groups *groups = &in->scan->groups;
	uint64_t class;
	struct kma_err *err = kma_scan_file_number(&in->file, 1, KMA_ROOT_WAS_FREE, 0, &class);
	const char *name = scan_text(in, 2);

	if (err)
		return err;
	kma_array_room(groups->list, groups->nr, in->room_groups);
	groups->list[groups->nr++] = (struct kma_root_group){ name, class };
	return NULL;
}

static struct kma_err *scan_in_object(void *arg)
{
	struct kma_scan_in *in = arg;
	struct kma_scan *scan = in->scan;
	uint64_t site, bytes, holder, group, offset, last, last_group, key = 0;
	struct kma_err *err;

	last = (uint64_t)scan->paths.nr - !!scan->paths.nr;
	last_group = (uint64_t)scan->groups.nr - !!scan->groups.nr;
	err = kma_scan_file_number(&in->file, 1, KMA_SCAN_SITES, KMA_HEAP_FREE, &site)	    ?:
		      kma_scan_file_number(&in->file, 2, UINT32_MAX, 0, &bytes)		    ?:
		      kma_scan_file_number(&in->file, 3, last, KMA_HEAP_NONE, &holder)	    ?:
		      kma_scan_file_number(&in->file, 4, last_group, KMA_HEAP_NONE, &group) ?:
		      kma_scan_file_number(&in->file, 5, INT32_MAX, UINT64_MAX, &offset);
	if (err)
		return err;
	if (scan->paths.nr == KMA_HEAP_MOST)
		return kma_cursor_error(&in->file.cur, "more than 2,000,000,000 objects");
	if ((holder != KMA_HEAP_NONE && holder >= scan->paths.nr) ||
	    (group != KMA_HEAP_NONE && group >= scan->groups.nr))
		return kma_cursor_error(&in->file.cur, "no such holder");
	if (scan->paths.nr && !scan->keys != (in->file.nr == 6))
		return kma_cursor_error(&in->file.cur, "only some objects have an address");
	if (in->file.nr > 6) {
		size_t len = strspn(in->file.cells[6], "0123456789abcdef");

		if (!len || len > 16 || in->file.cells[6][len])
			return kma_cursor_error(&in->file.cur, "invalid address '%.20s'",
						in->file.cells[6]);
		key = strtoull(in->file.cells[6], NULL, 16) ^ KMA_HEAP_KEY;
		kma_array_reach(scan->keys, in->room_keys, scan->paths.nr);
		scan->keys[scan->paths.nr] = key;
		scan->secret = true;
	}
	kma_paths_add(&scan->paths, &(struct kma_path){ .site = site,
							.bytes = bytes,
							.holder = holder,
							.group = group,
							.offset = (int64_t)offset });
	return NULL;
}

static struct kma_err *scan_in_retained(void *arg)
{
	struct kma_scan_in *in = arg;
	struct kma_retained *retained = &in->scan->retained;
	struct kma_scan_retained line;
	struct kma_err *err = kma_scan_file_retained(&in->file, &line);
	struct kma_retained_row row;

	if (err)
		return err;
	row = (struct kma_retained_row){
		.name = scan_text(in, 5),
		.bytes = line.bytes,
		.objects = line.objects,
		.direct = line.direct,
		.own = line.own,
		.rest = line.rest,
	};
	if (in->file.kind == KMA_SCAN_RETAINED_ROOT) {
		kma_array_room(retained->roots, retained->nr_roots, in->room_roots);
		retained->roots[retained->nr_roots++] = row;
	} else if (in->file.kind == KMA_SCAN_RETAINED_MODULE) {
		kma_array_room(retained->modules, retained->nr_modules, in->room_modules);
		retained->modules[retained->nr_modules++] = row;
	} else {
		kma_array_room(retained->callers, retained->nr_callers, in->room_callers);
		retained->callers[retained->nr_callers++] = row;
	}
	return NULL;
}

static struct kma_err *scan_in_live(void *arg)
{
	struct kma_scan_in *in = arg;
	struct kma_scan *scan = in->scan;

	return kma_scan_file_number(&in->file, 1, UINT64_MAX, 0, &scan->lost.live)		  ?:
		       kma_scan_file_number(&in->file, 2, UINT64_MAX, 0, &scan->retained.objects) ?:
		       kma_scan_file_number(&in->file, 3, UINT64_MAX, 0, &scan->retained.bytes);
}

static struct kma_err *scan_in_pass(void *arg)
{
	struct kma_scan_in *in = arg;
	struct kma_lost *lost = &in->scan->lost;
	struct kma_lost_pass *pass;
	struct kma_err *err = NULL;

	kma_array_room(lost->passes, lost->nr_passes, in->room_passes);
	pass = &lost->passes[lost->nr_passes++];
	*pass = (struct kma_lost_pass){ 0 };
	for (unsigned int n = 0; n < KMA_SCAN_PASS_NR && !err; n++)
		err = kma_scan_file_number(&in->file, n + 1, UINT64_MAX, 0,
					   kma_scan_pass_member(pass, n));
	return err;
}

/* A row of lost; @unseen: its objects are held in this way. */
static struct kma_err *scan_in_row(struct kma_scan_in *in, const struct kma_unseen *unseen)
{
	struct kma_lost *lost = &in->scan->lost;
	struct kma_lost_row row = { 0 };
	struct kma_err *err;

	err = kma_scan_file_number(&in->file, 1, UINT64_MAX, 0, &row.lost)			  ?:
		      kma_scan_file_number(&in->file, 2, UINT64_MAX, 0, &row.live)		  ?:
		      kma_scan_file_number(&in->file, 3, UINT64_MAX, 0, &row.bytes)		  ?:
		      kma_scan_file_number(&in->file, 4, UINT64_MAX - 1, UINT64_MAX, &row.oldest) ?:
		      kma_scan_file_number(&in->file, 5, UINT64_MAX, 0, &row.heads);
	if (err)
		return err;
	row.oldest = row.oldest == UINT64_MAX ? 0 : row.oldest;
	row.caller = scan_text(in, 6);
	row.unseen = unseen;
	kma_array_room(lost->rows, in->nr_lost, in->room_lost);
	if (row.lost > row.live || row.heads > row.lost)
		return kma_cursor_error(&in->file.cur, "more lost objects than live ones");
	if (__builtin_add_overflow(in->lost_live, row.live, &in->lost_live))
		return kma_cursor_error(&in->file.cur, "impossible sums");
	lost->rows[in->nr_lost++] = row;
	if (unseen) {
		lost->nr_unseen++;
		return NULL;
	}
	if (lost->nr_unseen)
		return kma_cursor_error(&in->file.cur, "lost after unseen");
	lost->nr++;
	if (__builtin_add_overflow(lost->lost, row.lost, &lost->lost) ||
	    __builtin_add_overflow(lost->bytes, row.bytes, &lost->bytes))
		return kma_cursor_error(&in->file.cur, "impossible sums");
	return NULL;
}

static struct kma_err *scan_in_lost(void *arg)
{
	return scan_in_row(arg, NULL);
}

static struct kma_err *scan_in_unseen(void *arg)
{
	struct kma_scan_in *in = arg;
	struct kma_unseen *unseen = kma_arena_zalloc(&in->scan->texts, sizeof(*unseen));

	unseen->function = unseen->module = "";
	unseen->how = scan_text(in, 7);
	unseen->source = scan_text(in, 8);
	unseen->mark = scan_text(in, 9);
	return scan_in_row(in, unseen);
}

/* Lost objects are for other programs. */
static struct kma_err *scan_in_lost_object(void *arg)
{
	struct kma_scan_in *in = arg;

	in->scan->secret |= strcmp(in->file.cells[4], "-") || strcmp(in->file.cells[5], "-");
	return NULL;
}

struct kma_err *kma_scan_load(const char *path, struct kma_scan *scan, struct kma_strbuf *text)
{
	static struct kma_err *(*const read[KMA_SCAN_NR_KINDS])(void *arg) = {
		[KMA_SCAN_KERNEL] = scan_in_kernel,
		[KMA_SCAN_PLACE] = scan_in_place,
		[KMA_SCAN_NOTE] = scan_in_note,
		[KMA_SCAN_SITE] = scan_in_site,
		[KMA_SCAN_ROOT] = scan_in_root,
		[KMA_SCAN_OBJECT] = scan_in_object,
		[KMA_SCAN_LIVE] = scan_in_live,
		[KMA_SCAN_RETAINED_ROOT] = scan_in_retained,
		[KMA_SCAN_RETAINED_MODULE] = scan_in_retained,
		[KMA_SCAN_RETAINED_CALLER] = scan_in_retained,
		[KMA_SCAN_PASS] = scan_in_pass,
		[KMA_SCAN_LOST] = scan_in_lost,
		[KMA_SCAN_UNSEEN] = scan_in_unseen,
		[KMA_SCAN_LOST_OBJECT] = scan_in_lost_object,
	};
	struct kma_scan_in in = { .file.read = read, .file.text = text, .scan = scan, .name = path };
	struct kma_input *input;
	struct kma_err *err = kma_input_open(path, &input);

	if (err)
		return err;
	in.file.arg = &in;
	err = kma_scan_file_read(&in.file, input);
	if (!err && scan->account)
		err = kma_account_finish(scan->account);
	kma_input_close(input);
	return err;
}
