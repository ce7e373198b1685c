// SPDX-License-Identifier: GPL-2.0-only
/*
 * scan-read.c - read a file of a scan.
 *
 * Nothing in the file is trusted: numbers of sites, roots and holders are checked, and the holder
 * of an object has to be before it, so no path is endless.
 */
#include <stdlib.h>
#include <string.h>

#include "input/cursor.h"
#include "lib/array.h"
#include "model/moment.h"
#include "scan-format.h"
#include "scan-read.h"

/* Cells of a line, and numbers of call sites; writers make fewer. */
#define KMA_SCAN_CELLS 16
#define KMA_SCAN_SITES ((1U << 20) - 1) /* largest number; the module has 16,383 at most */

struct kma_scan_in {
	struct kma_scan *scan;
	const char *name;
	struct kma_cursor cur;
	char *cells[KMA_SCAN_CELLS];
	unsigned int nr; /* cells of the current line, the kind of the line is the first */
	uint32_t room_groups, room_keys, room_passes;
	size_t room_roots, room_callers, room_lost, nr_lost;
	uint64_t lines;
	bool ended;
};

/* Read a number from @min to @max. "-" is @none, unless @none is 0. */
static struct kma_err *kma_scan_number(struct kma_scan_in *in, unsigned int cell, uint64_t max,
				       uint64_t none, uint64_t *ret)
{
	const char *p = in->cells[cell];
	struct kma_err *err;

	if (none && !strcmp(p, "-")) {
		*ret = none;
		return NULL;
	}
	err = kma_cursor_number(&in->cur, &p, in->cells[0], ret);
	if (!err && (*p || *ret > max))
		return kma_cursor_error(&in->cur, "invalid number '%.20s'", in->cells[cell]);
	return err;
}

static const char *kma_scan_text(struct kma_scan_in *in, unsigned int cell)
{
	return kma_arena_text(&in->scan->texts, in->cells[cell], strlen(in->cells[cell]));
}

/* The account of the kernel's places, which is made when the first one is read. */
static struct kma_err *kma_scan_in_account(struct kma_scan_in *in)
{
	return in->scan->account ? NULL : kma_account_create(in->name, &in->scan->account);
}

static struct kma_err *kma_scan_in_kernel(struct kma_scan_in *in)
{
	struct kma_err *err = kma_scan_in_account(in);

	for (size_t i = 0; i < ARRAY_SIZE(kma_scan_kernel) && !err; i++)
		if (!strcmp(in->cells[1], kma_scan_kernel[i].name))
			return kma_account_add_note(in->scan->account, kma_scan_kernel[i].note,
						    in->cells[2]);
	if (!err && kma_moment_is_note(in->cells[1]))
		return kma_account_add_note(in->scan->account, in->cells[1], in->cells[2]);
	return err ?: kma_cursor_error(&in->cur, "unknown name '%.20s'", in->cells[1]);
}

static struct kma_err *kma_scan_in_place(struct kma_scan_in *in)
{
	const struct kma_values none = { 0 };
	struct kma_err *err = kma_scan_in_account(in);
	uint64_t text, init;

	if (!err)
		err = kma_scan_number(in, 2, UINT64_MAX - 1, UINT64_MAX, &text);
	if (!err)
		err = kma_scan_number(in, 3, 1, UINT64_MAX, &init);
	if (!err)
		err = kma_account_add_site(in->scan->account, in->cells[4], strlen(in->cells[4]),
					   &none);
	if (err || text == UINT64_MAX)
		return err;
	return kma_account_set_image(in->scan->account, in->cells[1], text, init == 1);
}

static struct kma_err *kma_scan_in_note(struct kma_scan_in *in)
{
	kma_notes_add(&in->scan->lost.notes, "%s", in->cells[1]);
	kma_notes_add(&in->scan->notes, "%s", in->cells[1]);
	kma_notes_add(&in->scan->retained.notes, "%s", in->cells[1]);
	return NULL;
}

static struct kma_err *kma_scan_in_site(struct kma_scan_in *in)
{
	struct kma_listing_sites *sites = &in->scan->sites;
	uint64_t id;
	struct kma_err *err = kma_scan_number(in, 1, KMA_SCAN_SITES, 0, &id);

	if (err)
		return err;
	if (!kma_array_reach(sites->callers, sites->nr, id))
		return &kma_enomem;
	sites->callers[id] = kma_scan_text(in, 2);
	return sites->callers[id] ? NULL : &kma_enomem;
}

static struct kma_err *kma_scan_in_root(struct kma_scan_in *in)
{
	struct kma_root_groups *groups = &in->scan->groups;
	uint64_t class;
	struct kma_err *err = kma_scan_number(in, 1, KMA_ROOT_WAS_FREE, 0, &class);
	const char *name = kma_scan_text(in, 2);

	if (err)
		return err;
	if (!name || !kma_array_room(groups->list, groups->nr, in->room_groups))
		return &kma_enomem;
	groups->list[groups->nr++] = (struct kma_root_group){ name, class };
	return NULL;
}

static struct kma_err *kma_scan_in_object(struct kma_scan_in *in)
{
	struct kma_scan *scan = in->scan;
	uint64_t site, bytes, holder, group, offset, key = 0;
	struct kma_err *err;

	err = kma_scan_number(in, 1, KMA_SCAN_SITES, KMA_HEAP_FREE, &site);
	if (!err)
		err = kma_scan_number(in, 2, UINT32_MAX, 0, &bytes);
	if (!err)
		err = kma_scan_number(in, 3, (uint64_t)scan->paths.nr - !!scan->paths.nr,
				      KMA_HEAP_NONE, &holder);
	if (!err)
		err = kma_scan_number(in, 4, (uint64_t)scan->groups.nr - !!scan->groups.nr,
				      KMA_HEAP_NONE, &group);
	if (!err)
		err = kma_scan_number(in, 5, INT32_MAX, UINT64_MAX, &offset);
	if (err)
		return err;
	if ((holder != KMA_HEAP_NONE && holder >= scan->paths.nr) ||
	    (group != KMA_HEAP_NONE && group >= scan->groups.nr))
		return kma_cursor_error(&in->cur, "no such holder");
	if (scan->paths.nr && !scan->keys != (in->nr == 6))
		return kma_cursor_error(&in->cur, "only some objects have an address");
	if (in->nr > 6) {
		size_t len = strspn(in->cells[6], "0123456789abcdef");

		if (!len || len > 16 || in->cells[6][len])
			return kma_cursor_error(&in->cur, "invalid address '%.20s'", in->cells[6]);
		key = strtoull(in->cells[6], NULL, 16) ^ KMA_HEAP_KEY;
		if (!kma_array_reach(scan->keys, in->room_keys, scan->paths.nr))
			return &kma_enomem;
		scan->keys[scan->paths.nr] = key;
	}
	return kma_paths_add(&scan->paths, &(struct kma_path){ .site = site,
							       .bytes = bytes,
							       .holder = holder,
							       .group = group,
							       .offset = (int64_t)offset });
}

/* A row of retained bytes, with its name in the last cell. */
static struct kma_err *kma_scan_in_retained(struct kma_scan_in *in)
{
	struct kma_retained *retained = &in->scan->retained;
	struct kma_retained_row row = { 0 };
	struct kma_err *err;
	bool fits;

	err = kma_scan_number(in, 1, UINT64_MAX, 0, &row.bytes);
	if (!err)
		err = kma_scan_number(in, 2, UINT64_MAX, 0, &row.objects);
	if (!err)
		err = kma_scan_number(in, 3, UINT64_MAX - 1, UINT64_MAX, &row.direct);
	if (!err)
		err = kma_scan_number(in, 4, UINT64_MAX, 0, &row.own);
	if (err)
		return err;
	row.rest = row.direct == UINT64_MAX;
	row.name = kma_scan_text(in, 5);
	if (!strcmp(in->cells[0], "retained_root")) {
		fits = kma_array_room(retained->roots, retained->nr_roots, in->room_roots);
		if (fits && row.name)
			retained->roots[retained->nr_roots++] = row;
	} else {
		fits = kma_array_room(retained->callers, retained->nr_callers, in->room_callers);
		if (fits && row.name)
			retained->callers[retained->nr_callers++] = row;
	}
	return fits && row.name ? NULL : &kma_enomem;
}

static struct kma_err *kma_scan_in_live(struct kma_scan_in *in)
{
	struct kma_scan *scan = in->scan;
	struct kma_err *err = kma_scan_number(in, 1, UINT64_MAX, 0, &scan->lost.live);

	if (!err)
		err = kma_scan_number(in, 2, UINT64_MAX, 0, &scan->retained.objects);
	return err ?: kma_scan_number(in, 3, UINT64_MAX, 0, &scan->retained.bytes);
}

static struct kma_err *kma_scan_in_pass(struct kma_scan_in *in)
{
	struct kma_lost *lost = &in->scan->lost;
	struct kma_lost_pass *pass;
	struct kma_err *err = NULL;

	if (!kma_array_room(lost->passes, lost->nr_passes, in->room_passes))
		return &kma_enomem;
	pass = &lost->passes[lost->nr_passes++];
	*pass = (struct kma_lost_pass){ 0 };
	for (unsigned int n = 0; n < KMA_SCAN_PASS_NR && !err; n++)
		err = kma_scan_number(in, n + 1, UINT64_MAX, 0, kma_scan_pass_member(pass, n));
	return err;
}

/* A row of lost; @unseen: its objects are held in this way. */
static struct kma_err *kma_scan_in_row(struct kma_scan_in *in, const struct kma_unseen *unseen)
{
	struct kma_lost *lost = &in->scan->lost;
	struct kma_lost_row row = { 0 };
	struct kma_err *err;

	err = kma_scan_number(in, 1, UINT64_MAX, 0, &row.lost);
	if (!err)
		err = kma_scan_number(in, 2, UINT64_MAX, 0, &row.live);
	if (!err)
		err = kma_scan_number(in, 3, UINT64_MAX, 0, &row.bytes);
	if (!err)
		err = kma_scan_number(in, 4, UINT64_MAX - 1, UINT64_MAX, &row.oldest);
	if (!err)
		err = kma_scan_number(in, 5, UINT64_MAX, 0, &row.heads);
	if (err)
		return err;
	row.oldest = row.oldest == UINT64_MAX ? 0 : row.oldest;
	row.caller = kma_scan_text(in, 6);
	row.unseen = unseen;
	if (!row.caller || !kma_array_room(lost->rows, in->nr_lost, in->room_lost))
		return &kma_enomem;
	lost->rows[in->nr_lost++] = row;
	if (unseen) {
		lost->nr_unseen++;
		return NULL;
	}
	if (lost->nr_unseen)
		return kma_cursor_error(&in->cur, "lost after unseen");
	lost->nr++;
	if (__builtin_add_overflow(lost->lost, row.lost, &lost->lost) ||
	    __builtin_add_overflow(lost->bytes, row.bytes, &lost->bytes))
		return kma_cursor_error(&in->cur, "impossible sums");
	return NULL;
}

static struct kma_err *kma_scan_in_lost(struct kma_scan_in *in)
{
	return kma_scan_in_row(in, NULL);
}

static struct kma_err *kma_scan_in_unseen(struct kma_scan_in *in)
{
	struct kma_unseen *unseen = kma_arena_zalloc(&in->scan->texts, sizeof(*unseen));

	if (!unseen)
		return &kma_enomem;
	unseen->function = unseen->module = "";
	unseen->how = kma_scan_text(in, 7);
	unseen->source = kma_scan_text(in, 8);
	unseen->mark = kma_scan_text(in, 9);
	if (!unseen->how || !unseen->source || !unseen->mark)
		return &kma_enomem;
	return kma_scan_in_row(in, unseen);
}

/* Lines that only other programs need. */
static struct kma_err *kma_scan_in_other(struct kma_scan_in *in)
{
	(void)in;
	return NULL;
}

static struct kma_err *kma_scan_in_end(struct kma_scan_in *in)
{
	uint64_t lines;
	struct kma_err *err = kma_scan_number(in, 1, UINT64_MAX, 0, &lines);

	if (!err && lines != in->lines - 1)
		return kma_cursor_error(&in->cur, "lines are missing, or were added");
	in->ended = true;
	return err;
}

static struct kma_err *kma_scan_in_line(void *arg)
{
	static const struct {
		const char *kind;
		unsigned int min, max; /* cells */
		struct kma_err *(*read)(struct kma_scan_in *in);
	} kinds[] = {
		{ "kernel", 3, 3, kma_scan_in_kernel },
		{ "place", 5, 5, kma_scan_in_place },
		{ "note", 2, 2, kma_scan_in_note },
		{ "site", 3, 3, kma_scan_in_site },
		{ "root", 3, 3, kma_scan_in_root },
		{ "object", 6, 7, kma_scan_in_object },
		{ "edge", 5, 5, kma_scan_in_other },
		{ "live", 4, 4, kma_scan_in_live },
		{ "retained_root", 6, 6, kma_scan_in_retained },
		{ "retained_caller", 6, 6, kma_scan_in_retained },
		{ "pass", KMA_SCAN_PASS_NR + 1, KMA_SCAN_PASS_NR + 1, kma_scan_in_pass },
		{ "lost", 7, 7, kma_scan_in_lost },
		{ "unseen", 10, 10, kma_scan_in_unseen },
		{ "lost_object", 6, 6, kma_scan_in_other },
		{ "end", 2, 2, kma_scan_in_end },
	};
	struct kma_scan_in *in = arg;
	char *line = in->cur.text;

	in->lines++;
	if (in->lines == 1)
		return strcmp(line, KMA_SCAN_TITLE) ?
			       kma_cursor_error(&in->cur, "expected '" KMA_SCAN_TITLE "'") :
			       NULL;
	if (in->ended)
		return kma_cursor_error(&in->cur, "a line after the end");
	for (in->nr = 0; line && in->nr < KMA_SCAN_CELLS; in->nr++)
		in->cells[in->nr] = strsep(&line, "\t");
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(in->cells[0], kinds[i].kind) && in->nr >= kinds[i].min &&
		    in->nr <= kinds[i].max)
			return kinds[i].read(in);
	return kma_cursor_error(&in->cur, "unknown line '%.20s'", in->cells[0]);
}

struct kma_err *kma_scan_load(const char *path, struct kma_scan *scan)
{
	struct kma_scan_in in = { .scan = scan, .name = path };
	struct kma_input *input;
	struct kma_err *err = kma_input_open(path, &input);

	if (err)
		return err;
	kma_cursor_init(&in.cur, input);
	err = kma_cursor_each(&in.cur, kma_scan_in_line, &in);
	if (!err && !in.ended)
		err = kma_cursor_error(&in.cur, "truncated: the line 'end' is missing");
	if (!err && scan->account)
		err = kma_account_finish(scan->account);
	kma_cursor_deinit(&in.cur);
	kma_input_close(input);
	return err;
}
