// SPDX-License-Identifier: GPL-2.0-only
/*
 * memstrack.c - reader of memstrack's reports, which dracut prints with rd.memdebug=4: the pages that
 * each module has allocated since memstrack was started, and not freed.
 *
 *	======== Report format module_summary: ========
 *	Module squashfs using 10.4MB (2658 pages), peak allocation 10.4MB (2671 pages)
 *	======== Report format module_summary END ========
 *
 * Each module is a row. The other reports (module_top, task_summary, task_top) divide the same pages, and
 * leave out what is small: they are passed over. The two numbers of a row tell how large a page is.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/cursor.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/units.h"
#include "reader.h"

#define TITLE	  "======== Report format module_summary: ========"
#define ANY_TITLE "======== Report format "
#define PAGES_MAX (1ULL << 42) /* more than any machine has */
#define PAGE_MAX  65536ULL
#define TENTHS	  (1024 * 1024 / 10.0)

struct module_row {
	char module[64];
	double mib, peak_mib;
	uint64_t pages, peak;
};

struct memstrack {
	struct kma_cursor cur;
	struct module_row *rows;
	size_t nr, room;
	bool again; /* a title was read after the rows */
};

static bool read_row(const char *text, struct module_row *ret)
{
	int end = 0;

	return sscanf(text,
		      "Module %63s using %lfMB (%" SCNu64 " pages), peak allocation %lfMB (%" SCNu64
		      " pages)%n",
		      ret->module, &ret->mib, &ret->pages, &ret->peak_mib, &ret->peak, &end) == 5 &&
	       end;
}

/* May a page have this size, if the bytes of so many pages are printed as @mib, with one digit? */
static bool suits(double mib, uint64_t pages, uint64_t page)
{
	double tenths = pages * (double)page / TENTHS, printed = mib * 10;

	return tenths >= printed - 0.51 && tenths <= printed + 0.51;
}

/* The smallest size of a page that all rows allow; *sure: no other one does. */
static uint64_t page_of(const struct memstrack *in, bool *sure)
{
	uint64_t found = 0;

	*sure = false;
	for (uint64_t page = 4096; page <= PAGE_MAX; page *= 2) {
		bool all = true;

		for (size_t i = 0; i < in->nr && all; i++)
			all = suits(in->rows[i].mib, in->rows[i].pages, page) &&
			      suits(in->rows[i].peak_mib, in->rows[i].peak, page);
		*sure = all ? !found : *sure;
		found = found ?: all ? page : 0;
	}
	return found ?: 4096;
}

static struct kma_err *close_report(struct memstrack *in, struct kma_account *account)
{
	bool sure;
	uint64_t asked = kma_input_page_size(in->cur.input), page = asked ?: page_of(in, &sure);
	char size[KMA_NUMBER_LEN];
	uint64_t sum = 0;

	for (size_t i = 0; i < in->nr; i++) {
		const struct module_row *row = &in->rows[i];
		struct kma_values values = { .current = row->pages * page,
					     .peak = row->peak * page };
		_cleanup_free_ char *caller = kma_xasprintf("[module %s]", row->module);
		struct kma_err *err =
			kma_account_add_site(account, caller, strlen(caller), &values);

		if (err)
			return kma_cursor_place(&in->cur, err);
		sum += row->pages;
	}
	in->nr = 0;
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_PEAK);
	kma_units_format(size, sizeof(size), page, KMA_UNIT_BYTES);
	kma_account_warn(account, "%" PRIu64 " pages of %s%s", sum, size,
			 asked ? " (--page-size)" :
			 sure  ? "" :
				 ", which the numbers of the input do not say for certain");
	kma_account_warn(
		account,
		"memstrack counts pages by module, from its start on; it does not say which functions allocated them");
	return NULL;
}

static struct kma_err *take_line(void *arg)
{
	struct memstrack *in = arg;
	struct kma_account *account;
	struct kma_err *err;
	struct module_row row;

	if (!strncmp(in->cur.text, TITLE, strlen(TITLE)))
		in->again = in->nr;
	if (!read_row(in->cur.text, &row))
		return NULL;
	if (row.pages > PAGES_MAX || row.peak > PAGES_MAX)
		return kma_cursor_error(&in->cur, "the number of pages is too large");
	account = in->again ? kma_reports_end(in->cur.input) : NULL;
	err = account ? close_report(in, account) : NULL;
	if (in->again)
		in->nr = 0;
	in->again = false;
	kma_array_room(in->rows, in->nr, in->room);
	in->rows[in->nr++] = row;
	return err;
}

/* A row ends with "pages)". */
static bool is_whole(void *arg, bool *name)
{
	const struct memstrack *in = arg;
	struct module_row row;

	*name = false;
	return read_row(in->cur.text, &row);
}

static void memstrack_deinit(struct memstrack *in)
{
	free(in->rows);
	kma_cursor_deinit(&in->cur);
}

static struct kma_err *read_report(struct kma_input *input, struct kma_account *account)
{
	_cleanup_(memstrack_deinit) struct memstrack in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	in.cur.whole = is_whole;
	err = kma_cursor_each(&in.cur, take_line, &in);
	if (err)
		return err;
	if (!in.nr)
		return kma_cursor_error(
			&in.cur, "no row of a module; use memstrack --report module_summary");
	return close_report(&in, account);
}

static enum kma_line_kind line_of(const char *text)
{
	struct module_row row;

	if (read_row(text, &row))
		return KMA_LINE_ROW;
	return !strncmp(text, ANY_TITLE, strlen(ANY_TITLE)) ||
			       !strncmp(text, "Top stack usage of ", 19) ||
			       strstr(text, " Pages: ") ?
		       KMA_LINE_MORE :
		       KMA_LINE_OTHER;
}

const struct kma_reader_ops kma_reader_memstrack = {
	.name = "memstrack's report",
	.key = "memstrack",
	.line = line_of,
	.several = true,
	.read = read_report,
};
