// SPDX-License-Identifier: GPL-2.0-only
/*
 * vmallocinfo.c - reader of /proc/vmallocinfo: the areas of vmalloc(), with the functions that made
 * them.
 *
 *	0xffffc90000000000-0xffffc90000005000   20480 demo_init+0xcf/0x100 pages=4 vmalloc N0=4
 *	0xffffc90000005000-0xffffc90000007000    8192 demo_map+0x1ac/0x1c0 phys=0x3ffe1000 ioremap
 *
 * The bytes of an area are addresses, and most areas have a page more of them than of memory. Only
 * areas with "pages=" hold memory; those of ioremap() and of per-CPU memory have other owners. The
 * file does not tell the size of a page, but an area of vmalloc() does.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input/cursor.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "lib/units.h"
#include "log-seen.h"
#include "model/merge.h"
#include "reader.h"
#include "trace/ftrace-stack.h"

#define PAGES_MAX (1ULL << 42) /* more than any machine has */
#define PAGE_MAX  65536ULL
#define PAGES	  " pages="
#define START	  (8ULL << 20) /* bytes; the areas of all architectures begin at a multiple of it */

struct area {
	char *caller; /* NULL: the area has none */
	uint64_t pages;
};

struct vmallocinfo {
	struct kma_cursor cur;
	struct kma_seen_map *seen; /* the addresses of areas */
	struct area *areas;
	size_t nr, room;
	uint64_t first;		 /* address of the first area */
	uint64_t page;		 /* bytes; 0: not known yet */
	uint64_t sum;		 /* pages of all areas */
	uint64_t empty, again;	 /* areas without memory; areas that an earlier line has */
	unsigned int last_empty; /* line of the last area without memory */
};

/*
 * Pass "0xffffc90000000000", or what hides an address, "(____ptrval____)" or "0x(ptrval)"; 0 bytes
 * if it is neither.
 */
static size_t address(const char *text)
{
	size_t at = strncmp(text, "0x", 2) ? 0 : 2;

	if (text[at] == '(')
		return strchr(text + at, ')') ? at + strcspn(text + at, ")") + 1 : 0;
	return at ? at + strspn(text + at, "0123456789abcdef") : 0;
}

/* The size of an area, after its addresses; NULL if the line is not of an area. */
static const char *size_of(const char *text)
{
	size_t from = address(text), to = from && text[from] == '-' ? address(text + from + 1) : 0;
	const char *size = text + from + 1 + to;

	if (!to || *size != ' ')
		return NULL;
	size += strspn(size, " ");
	return isdigit((unsigned char)*size) ? size : NULL;
}

/*
 * Bytes of "demo_init+0xcf/0x100 [demo]", or of a name without an offset, as drgn prints it; 0 if
 * the area has no caller, so that its fields or flags follow.
 */
static size_t caller_len(const char *text)
{
	static const char *const flags[] = { "vmalloc",	     "ioremap", "vmap",	    "user",
					     "dma-coherent", "vpages",	"unpurged", "vm_map_ram" };
	size_t len = strcspn(text, " ");

	if (!memchr(text, '+', len) && strncmp(text, "0x", 2)) {
		for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
			if (strlen(flags[i]) == len && !memcmp(text, flags[i], len))
				return 0;
		if (memchr(text, '=', len))
			return 0;
	}
	if (text[len] == ' ' && text[len + 1] == '[')
		len += 1 + strcspn(text + len + 1, "]") + 1;
	return len <= strlen(text) ? len : strlen(text);
}

/*
 * The caller as the kernel prints it, of "<start_kernel+372>" of gdb's lx-vmallocinfo; NULL:
 * another text.
 */
static char *gdb_caller(const char *text)
{
	size_t name = *text == '<' ? strcspn(text + 1, "+> ") : 0;

	if (!name || text[1 + name] != '+')
		return NULL;
	return kma_xasprintf("%.*s+0x%llx", (int)name, text + 1,
			     strtoull(text + 1 + name, NULL, 10));
}

/* What the page of the kernel is, if this area tells it: pages and at most one more for the end. */
static uint64_t page_of(uint64_t size, uint64_t pages)
{
	for (uint64_t page = 4096; page <= PAGE_MAX; page *= 2)
		if (size == (pages + 1) * page || size == pages * page)
			return page;
	return 0;
}

static void forget(struct vmallocinfo *in)
{
	for (size_t i = 0; i < in->nr; i++)
		free(in->areas[i].caller);
	kma_seen_destroy(in->seen);
	in->seen = NULL;
	in->nr = 0;
}

static struct kma_err *add_areas(struct vmallocinfo *in, struct kma_account *account)
{
	_cleanup_merge_ struct kma_merge *merge = kma_merge_create();
	struct kma_err *err;

	for (size_t i = 0; i < in->nr; i++) {
		struct kma_values values = { .current = in->areas[i].pages * in->page,
					     .objects = 1 };

		err = kma_merge_add(merge, in->areas[i].caller ?: kma_no_site[KMA_KIND_UNKNOWN],
				    KMA_KIND_UNKNOWN, &values);
		if (err)
			return err;
	}
	return kma_merge_close(merge, account);
}

static void warn(const struct vmallocinfo *in, bool known, struct kma_account *account)
{
	char page[KMA_NUMBER_LEN];

	kma_units_format(page, sizeof(page), in->page, KMA_UNIT_BYTES);
	kma_account_warn(account, "%" PRIu64 " %s of %s%s", in->sum,
			 kma_plural(in->sum, "page", "pages"), page,
			 known ? "" : ", which no area says for certain");
	if (in->empty)
		kma_account_warn(
			account,
			"%" PRIu64
			" %s without pages, such as those of ioremap() and of per-CPU memory, %s no memory and %s left out",
			in->empty, kma_plural(in->empty, "area", "areas"),
			kma_plural(in->empty, "has", "have"), kma_plural(in->empty, "is", "are"));
	/*
	 * From 6.9 on the areas are in no order, but that at the start is still the first one.
	 * Hashed addresses and those of 32 bits tell nothing.
	 */
	if (in->first >> 32 && in->first & (START - 1))
		kma_account_warn(
			account,
			"the first area is not at the start of all areas, so the list may be a part; sums are of what is here");
	kma_paste_say_again(in->again, "area is", "areas are", account);
}

static struct kma_err *close_list(struct vmallocinfo *in, struct kma_account *account)
{
	uint64_t asked = kma_input_page_size(in->cur.input);
	bool known = asked || in->page;
	struct kma_err *err;

	in->page = asked ?: in->page ?: 4096;
	err = add_areas(in, account);
	if (err)
		return err;
	warn(in, known, account);
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_OBJECTS);
	return NULL;
}

/* A list begins; what was read before it is another one. */
static struct kma_err *begin_list(struct vmallocinfo *in, uint64_t start)
{
	struct kma_account *account = in->seen ? kma_reports_end(in->cur.input) : NULL;
	struct kma_err *err = account ? close_list(in, account) : NULL;

	forget(in);
	in->seen = kma_seen_create();
	in->sum = in->page = in->empty = in->again = 0;
	in->first = start;
	return err;
}

/* Is the area in the list already? */
static bool is_again(struct vmallocinfo *in, uint64_t start)
{
	struct kma_seen *seen;

	if (!start)
		return false;
	seen = kma_seen_get(in->seen, start);
	in->again += seen->live;
	if (seen->live)
		return true;
	seen->live = true;
	return false;
}

/*
 * "pages=512 vmalloc N0=512", the rest of an area that was wrapped, perhaps with the end of its
 * caller
 */
static bool is_rest(const char *text)
{
	return !size_of(text) && (!strncmp(text, PAGES + 1, strlen(PAGES) - 1) ||
				  ((*text == '[' || *text == '/') && strstr(text, PAGES)));
}

static struct kma_err *take_line(void *arg)
{
	const char *text, *size, *pages;
	struct vmallocinfo *in = arg;
	uint64_t bytes, nr, start;
	struct kma_err *err;
	size_t len;

	if (!size_of(in->cur.text))
		return NULL;
	if (!strstr(in->cur.text, PAGES))
		kma_paste_join(&in->cur, is_rest);
	text = in->cur.text;
	size = size_of(text);
	pages = strstr(text, PAGES);
	err = kma_cursor_number(&in->cur, &size, "the size", &bytes);
	if (err)
		return err;
	start = strtoull(text, NULL, 16);
	if (!in->seen || (start && start == in->first)) {
		err = begin_list(in, start);
		if (err)
			return err;
	}
	if (is_again(in, start))
		return NULL;
	if (!pages) {
		in->empty++;
		in->last_empty = in->cur.line;
		return NULL;
	}
	pages += strlen(PAGES);
	err = kma_cursor_number(&in->cur, &pages, "the number of pages", &nr);
	if (err)
		return err;
	if (nr > PAGES_MAX || in->sum + nr > PAGES_MAX)
		return kma_cursor_error(&in->cur, "the number of pages is too large");
	if (!in->page && strstr(text, " vmalloc"))
		in->page = page_of(bytes, nr);
	in->sum += nr;
	size += strspn(size, " ");
	len = *size == '<' ? 0 : caller_len(size);
	kma_array_room(in->areas, in->nr, in->room);
	in->areas[in->nr++] = (struct area){
		.caller = len ? kma_xasprintf("%.*s", (int)len, size) : gdb_caller(size),
		.pages = nr,
	};
	return NULL;
}

/* An area with more after the number of its pages. */
static bool is_whole(void *arg, bool *name)
{
	const struct vmallocinfo *in = arg;
	const char *pages = strstr(in->cur.text, PAGES);

	*name = false;
	return pages && strchr(pages + 1, ' ');
}

static void vmallocinfo_deinit(struct vmallocinfo *in)
{
	forget(in);
	free(in->areas);
	kma_cursor_deinit(&in->cur);
}

static struct kma_err *read_areas(struct kma_input *input, struct kma_account *account)
{
	_cleanup_(vmallocinfo_deinit) struct vmallocinfo in = { 0 };
	unsigned int unended;
	struct kma_err *err;
	bool name;

	kma_cursor_init(&in.cur, input);
	in.cur.whole = is_whole;
	err = kma_cursor_each(&in.cur, take_line, &in);
	if (err)
		return err;
	unended = kma_input_unended(input, &name);
	if (unended && unended == in.last_empty + 1)
		return kma_cursor_error(&in.cur, "truncated in an area that was wrapped");
	return close_list(&in, account);
}

static enum kma_line_kind line_of(const char *text)
{
	return size_of(text) ? KMA_LINE_ROW : KMA_LINE_OTHER;
}

const struct kma_reader_ops kma_reader_vmallocinfo = {
	.name = "/proc/vmallocinfo",
	.key = "vmallocinfo",
	.line = line_of,
	.several = true,
	.read = read_areas,
};
