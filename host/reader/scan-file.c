// SPDX-License-Identifier: GPL-2.0-only
/*
 * scan-file.c - read the lines of a file of kmem-account scan.
 */
#include <string.h>

#include "lib/cleanup.h"
#include "model/moment.h"
#include "scan-file.h"
#include "sites.h"

#define KMA_SCAN_BUNDLE "kmem_account snapshot" /* a bundle begins with it */

/* By kind: the first cell, and how many cells a line has. */
static const struct {
	const char *name;
	unsigned int min, max;
} kma_scan_kinds[KMA_SCAN_NR_KINDS] = {
	[KMA_SCAN_KERNEL] = { "kernel", 3, 3 },
	[KMA_SCAN_PLACE] = { "place", 5, 5 },
	[KMA_SCAN_NOTE] = { "note", 2, 2 },
	[KMA_SCAN_SITE] = { "site", 3, 3 },
	[KMA_SCAN_ROOT] = { "root", 3, 3 },
	[KMA_SCAN_OBJECT] = { "object", 6, 7 },
	[KMA_SCAN_EDGE] = { "edge", 5, 5 },
	[KMA_SCAN_LIVE] = { "live", 4, 4 },
	[KMA_SCAN_RETAINED_ROOT] = { "retained_root", 6, 6 },
	[KMA_SCAN_RETAINED_MODULE] = { "retained_module", 6, 6 },
	[KMA_SCAN_RETAINED_CALLER] = { "retained_caller", 6, 6 },
	[KMA_SCAN_RETAINED_PART] = { "retained_part", 5, 5 },
	[KMA_SCAN_PASS] = { "pass", KMA_SCAN_PASS_NR + 1, KMA_SCAN_PASS_NR + 1 },
	[KMA_SCAN_LOST] = { "lost", 7, 7 },
	[KMA_SCAN_UNSEEN] = { "unseen", 10, 10 },
	[KMA_SCAN_LOST_OBJECT] = { "lost_object", 6, 6 },
};

struct kma_err *kma_scan_file_number(struct kma_scan_file *file, unsigned int cell, uint64_t max,
				     uint64_t none, uint64_t *ret)
{
	const char *p = file->cells[cell];
	struct kma_err *err;

	if (none && !strcmp(p, "-")) {
		*ret = none;
		return NULL;
	}
	err = kma_cursor_number(&file->cur, &p, file->cells[0], ret);
	if (err)
		return err;
	if (*p || *ret > max)
		return kma_cursor_error(&file->cur, "invalid number '%.20s'", file->cells[cell]);
	return NULL;
}

struct kma_err *kma_scan_file_kernel(struct kma_scan_file *file, struct kma_account *account)
{
	const char *key = kma_moment_is_note(file->cells[1]) ? file->cells[1] : NULL;

	for (size_t i = 0; i < ARRAY_SIZE(kma_scan_kernel); i++)
		if (!strcmp(file->cells[1], kma_scan_kernel[i].name))
			key = kma_scan_kernel[i].note;
	if (!key)
		return kma_cursor_error(&file->cur, "unknown name '%.20s'", file->cells[1]);
	kma_account_put_note(account, key, file->cells[2]);
	return NULL;
}

struct kma_err *kma_scan_file_place(struct kma_scan_file *file, struct kma_scan_place *ret)
{
	uint64_t init;
	struct kma_err *err;

	*ret = (struct kma_scan_place){ .caller = file->cells[4] };
	err = kma_scan_file_number(file, 2, UINT64_MAX - 1, UINT64_MAX, &ret->text);
	if (!err)
		err = kma_scan_file_number(file, 3, 1, UINT64_MAX, &init);
	if (err || ret->text == UINT64_MAX)
		return err;
	ret->build_id = file->cells[1];
	ret->in_init = init == 1;
	return NULL;
}

struct kma_err *kma_scan_file_retained(struct kma_scan_file *file, struct kma_scan_retained *ret)
{
	struct kma_err *err;

	err = kma_scan_file_number(file, 1, UINT64_MAX, 0, &ret->bytes);
	if (err)
		return err;
	err = kma_scan_file_number(file, 2, UINT64_MAX, 0, &ret->objects);
	if (err)
		return err;
	err = kma_scan_file_number(file, 3, UINT64_MAX - 1, UINT64_MAX, &ret->direct);
	if (err)
		return err;
	err = kma_scan_file_number(file, 4, UINT64_MAX, 0, &ret->own);
	if (err)
		return err;
	ret->rest = ret->direct == UINT64_MAX;
	ret->name = file->cells[5];
	return NULL;
}

static struct kma_err *scan_file_end(struct kma_scan_file *file)
{
	uint64_t lines;
	struct kma_err *err = kma_scan_file_number(file, 1, UINT64_MAX, 0, &lines);

	if (!err && lines != file->lines - 1)
		return kma_cursor_error(&file->cur, "lines are missing, or were added");
	file->ended = true;
	return err;
}

static struct kma_err *scan_file_line(void *arg)
{
	struct kma_scan_file *file = arg;
	char *line = file->cur.text;

	file->lines++;
	if (file->lines == 1)
		return strcmp(line, KMA_SCAN_TITLE) ?
			       kma_cursor_error(&file->cur, "expected '" KMA_SCAN_TITLE "'") :
			       NULL;
	if (file->ended)
		return kma_cursor_error(&file->cur, "a line after the end");
	for (file->nr = 0; line && file->nr < KMA_SCAN_CELLS; file->nr++)
		file->cells[file->nr] = strsep(&line, "\t");
	if (!strcmp(file->cells[0], "end") && file->nr == 2)
		return scan_file_end(file);
	for (file->kind = 0; file->kind < KMA_SCAN_NR_KINDS; file->kind++)
		if (!strcmp(file->cells[0], kma_scan_kinds[file->kind].name) &&
		    file->nr >= kma_scan_kinds[file->kind].min &&
		    file->nr <= kma_scan_kinds[file->kind].max)
			return file->read[file->kind] ? file->read[file->kind](file->arg) : NULL;
	return kma_cursor_error(&file->cur, "unknown line '%.20s'", file->cells[0]);
}

/* A line of a file, which is a scan or a bundle. */
static struct kma_err *scan_file_any(void *arg)
{
	struct kma_scan_file *file = arg;
	const char *line = file->cur.text;
	bool section = !strncmp(line, KMA_SECTION, strlen(KMA_SECTION));

	if (file->cur.line == 1) {
		file->bundle = !strncmp(line, KMA_SCAN_BUNDLE, strlen(KMA_SCAN_BUNDLE));
		file->inside = !file->bundle;
	}
	if (!file->bundle || (file->inside && !section))
		return scan_file_line(file);
	if (!section)
		return NULL;
	if (file->closed)
		return kma_cursor_error(&file->cur, "data after the end of the bundle");
	file->closed = !strcmp(line, KMA_SECTION "end");
	file->inside = !strcmp(line, KMA_SECTION KMA_SCAN_SECTION);
	if (file->inside && file->lines)
		return kma_cursor_error(&file->cur, "section '" KMA_SCAN_SECTION "' occurs twice");
	return NULL;
}

/* Is all of the file there? */
static struct kma_err *scan_file_whole(struct kma_scan_file *file, const char *name)
{
	if (file->bundle && !file->closed)
		return kma_cursor_error(&file->cur, "truncated: no line '" KMA_SECTION "end'");
	if (file->bundle && !file->lines)
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, name, 0,
			"no scan in this snapshot or bundle; kmem-account bundle --scan FILE adds one");
	if (!file->ended)
		return kma_cursor_error(&file->cur, "truncated: the line 'end' is missing");
	if (file->text && file->bundle)
		return kma_err_create(name, 0, "a bundle, not a file of kmem-account scan");
	return NULL;
}

struct kma_err *kma_scan_file_read(struct kma_scan_file *file, struct kma_input *input)
{
	struct kma_err *err;

	kma_cursor_init(&file->cur, input);
	file->cur.keep = file->text;
	err = kma_cursor_each(&file->cur, scan_file_any, file);
	if (!err)
		err = scan_file_whole(file, kma_input_name(input));
	kma_cursor_deinit(&file->cur);
	return err;
}
