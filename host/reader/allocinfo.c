// SPDX-License-Identifier: GPL-2.0-only
/*
 * allocinfo.c - reader of /proc/allocinfo (CONFIG_MEM_ALLOC_PROFILING, Linux 6.10 and later): live
 * bytes and objects of each source line that allocates.
 *
 *	allocinfo - version: 1.0
 *	#     <size>  <calls> <tag info>
 *	       24576        6 fs/exec.c:1510 func:alloc_bprm
 *	        4096        1 fs/ext4/super.c:1 [ext4] func:ext4_fill_super
 *
 * A row contains its source file, so directories need no kernel. The caller is made from it:
 * "fs/exec.c:1510 alloc_bprm". Newer versions append fields after the function, which are skipped.
 * The number of rows with "accurate:no" (the bytes may be slightly wrong) is a note. A kernel with
 * the patches "alloc_tag: per-NUMA stats" (of 2025, not upstream) divides each row by nodes, in
 * lines "nid0 94912 2966" below the row: these are skipped, for the row has their sum.
 *
 * The kernel sums each row over its CPUs while they count on, so a row may be negative for a
 * moment: it is shown as 0, with a warning.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/cursor.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/map.h"
#include "lib/plural.h"
#include "lib/strbuf.h"
#include "reader.h"

#define KMA_ALLOCINFO_NAME "allocinfo - version: "
#define KMA_ALLOCINFO_OOM \
	"Memory allocations" /* ":", from 6.18 on " (profiling is currently turned on):" */

/* The line before the rows of a list. */
enum title {
	NO_TITLE,
	OF_FILE,
	OF_OOM, /* in the kernel's report when memory runs out */
};

struct kma_allocinfo {
	struct kma_cursor cur;
	uint64_t not_accurate, bytes_not_accurate; /* rows with accurate:no, and their bytes */
	uint64_t negative, nodes; /* rows that were negative; lines of single nodes */
	enum title title;	  /* of the list */
	enum title next;	  /* the last title that was read */
	bool again;		  /* it was read after the rows */
	bool begun;		  /* the first list has begun */
	bool rounded;		  /* sizes have units */
	bool letters, thousands;  /* units are letters alone; of powers of 1000, as "k" is */
	bool binary;		  /* there are 1000 or more of a unit: it is of 1024 */
	unsigned int line;	  /* of the last row */
	size_t gap;		  /* rows before the last line of other text */
	struct kma_map known;	  /* call sites of these rows */
	struct kma_allocinfo_site *sites;
	size_t nr, room;
};

/* A number with a unit: "4.1K" */
struct scaled {
	long double number;
	unsigned int power; /* of 1024 or 1000; 0: no unit */
};

struct kma_allocinfo_site {
	char *caller, *file;
	struct kma_values values; /* with units of powers of 1024 */
	struct scaled bytes, objects;
	bool not_accurate, negative;
};

/* One row, split into its parts. */
struct kma_allocinfo_row {
	struct kma_values values;
	struct scaled bytes, objects;
	char *file, *line, *module, *func;
};

/*
 * Shorten a path to that in the source tree: "./include/x.h" and "fs/../mm/x.c" have needless
 * parts. A module that was built elsewhere keeps its path on that machine.
 */
static void allocinfo_clean(char *path)
{
	char *from = path, *to = path;

	while (*from) {
		size_t len = strcspn(from, "/");

		if (len == 2 && !memcmp(from, "..", 2)) {
			while (to > path && *--to != '/')
				;
		} else if (len && !(len == 1 && *from == '.')) {
			if (to > path)
				*to++ = '/';
			memmove(to, from, len);
			to += len;
		}
		from += len;
		from += *from == '/';
	}
	*to = '\0';
}

static struct kma_err *allocinfo_split(const struct kma_allocinfo *in, char *text,
				       struct kma_allocinfo_row *row)
{
	static const char func[] = "func:";
	char *save = NULL, *word;

	row->file = strtok_r(text, " ", &save);
	row->line = row->file ? strrchr(row->file, ':') : NULL;
	if (!row->line || !row->line[1] || row->line[1 + strspn(row->line + 1, "0123456789")])
		return kma_cursor_error(&in->cur, "the row has no 'file:line'");
	*row->line++ = '\0';
	word = strtok_r(NULL, " ", &save);
	if (word && *word == '[' && word[strlen(word) - 1] == ']') {
		row->module = word;
		word = strtok_r(NULL, " ", &save);
	}
	if (!word || strncmp(word, func, strlen(func)) || !word[strlen(func)])
		return kma_cursor_error(&in->cur, "the row has no 'func:'");
	row->func = word + strlen(func);
	allocinfo_clean(row->file);
	if (!*row->file)
		return kma_cursor_error(&in->cur, "the row has no 'file:line'");
	return NULL;
}

/*
 * Read a unit after a number and maybe a fraction: "4.0M" of numfmt, "94.5 MiB" of the kernel's
 * report of an OOM. @p is moved after it. The K of numfmt is 1024 with --to=iec and 1000 with
 * --to=si, which newer versions write as "k".
 */
static bool scale(struct kma_allocinfo *in, const char **p, uint64_t *number, struct scaled *ret)
{
	static const char units[] = "KMGTPE";
	uint64_t fraction = 0, part = 1;
	const char *at = *p, *unit;
	bool small, letter;
	unsigned int shift;

	if (*at == '.')
		for (at++; *at >= '0' && *at <= '9' && part < 1000; at++) {
			part *= 10;
			fraction = fraction * 10 + (*at - '0');
		}
	if (*at == ' ' && (at[1] == 'B' || (at[1] && strchr(units, at[1]) && at[2] == 'i')))
		at++;
	unit = *at == 'k' ? units : *at ? strchr(units, *at) : NULL;
	if ((!unit && *at != 'B') || (*at == 'k' && in->title == OF_FILE))
		return false;
	shift = unit ? 10 * (unit - units + 1) : 0;
	small = *at == 'k';
	at += unit ? 1 : 0;
	letter = unit && *at != 'i' && *at != 'B';
	at += unit && *at == 'i';
	at += *at == 'B';
	if (*at != ' ' || *number > (UINT64_MAX >> 1) >> shift)
		return false;
	in->letters |= letter;
	in->thousands |= small && letter;
	in->binary |= letter && *number >= 1000;
	*ret = (struct scaled){ *number + (long double)fraction / part, shift / 10 };
	*number = (*number << shift) + (uint64_t)((long double)(1ULL << shift) * fraction / part);
	*p = at;
	return true;
}

/*
 * Read a sum of the kernel: 64 bits with a sign, which "size" prints without it. A negative sum
 * becomes 0. A size may have a unit.
 */
static struct kma_err *allocinfo_number(struct kma_allocinfo *in, const char **p, const char *what,
					bool *negative, uint64_t *ret, struct scaled *scaled)
{
	struct kma_err *err;

	*p += strspn(*p, " ");
	*negative = **p == '-';
	*p += *negative;
	err = kma_cursor_number(&in->cur, p, what, ret);
	if (err)
		return err;
	if (scale(in, p, ret, scaled))
		in->rounded = true;
	if (**p != ' ')
		return kma_cursor_error(&in->cur, "%s is not a number", what);
	*negative |= *ret > INT64_MAX;
	if (*negative)
		*ret = 0;
	return NULL;
}

/* Is this the line of a node: "nid0 94912 2966"? */
static bool allocinfo_is_node(const char *text)
{
	text += strspn(text, " ");
	return !strncmp(text, "nid", 3) && text[3] >= '0' && text[3] <= '9';
}

static void forget(struct kma_allocinfo *in)
{
	for (size_t i = 0; i < in->nr; i++) {
		free(in->sites[i].caller);
		free(in->sites[i].file);
	}
	in->nr = in->gap = 0;
	kma_map_free(&in->known);
	in->known = (struct kma_map){ 0 };
}

static uint32_t hash_of(const char *caller)
{
	return kma_map_text(caller, strlen(caller));
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_title(const char *text)
{
	const char *rest = text + strlen(KMA_ALLOCINFO_OOM);

	return begins(text, KMA_ALLOCINFO_NAME) ||
	       (begins(text, KMA_ALLOCINFO_OOM) &&
		(!strcmp(rest, ":") || begins(rest, " (profiling is currently turned")));
}

/* A line without a row of its own is not a gap between rows. */
static void follow(struct kma_allocinfo *in)
{
	if (in->cur.line == in->line + 1)
		in->line++;
}

/* Is it a line before the rows? An input may have several lists; the last one is used. */
static bool is_head(struct kma_allocinfo *in)
{
	const char *text = in->cur.text;

	if (is_title(text)) {
		in->next = begins(text, KMA_ALLOCINFO_NAME) ? OF_FILE : OF_OOM;
		in->again = true;
		return true;
	}
	if (*text && *text != '#')
		return false;
	follow(in);
	return true;
}

/* Are the rows twice in the input, one list after the other? */
static bool is_doubled(const struct kma_allocinfo *in, size_t nr)
{
	size_t half = nr / 2;

	for (size_t i = 0; i < half; i++)
		if (strcmp(in->sites[i].caller, in->sites[half + i].caller) ||
		    in->sites[i].values.current != in->sites[half + i].values.current ||
		    in->sites[i].values.objects != in->sites[half + i].values.objects)
			return false;
	return half > 1 && !(nr % 2);
}

static uint64_t of_thousands(const struct scaled *scaled, uint64_t value)
{
	long double all = scaled->number;

	for (unsigned int i = 0; i < scaled->power; i++)
		all *= 1000;
	return scaled->power ? (uint64_t)all : value;
}

static struct kma_err *add_sites(struct kma_allocinfo *in, size_t nr, struct kma_account *account)
{
	in->negative = in->not_accurate = in->bytes_not_accurate = 0;
	for (size_t i = 0; i < nr; i++) {
		struct kma_allocinfo_site *site = &in->sites[i];
		struct kma_err *err;

		if (in->thousands) {
			site->values.current = of_thousands(&site->bytes, site->values.current);
			site->values.objects = of_thousands(&site->objects, site->values.objects);
		}
		err = kma_account_add_site(account, site->caller, strlen(site->caller),
					   &site->values);

		if (err)
			return err;
		kma_account_set_place(account, KMA_KIND_UNKNOWN, site->file);
		in->negative += site->negative;
		in->not_accurate += site->not_accurate;
		in->bytes_not_accurate += site->not_accurate ? site->values.current : 0;
	}
	return NULL;
}

/* Make an account of the first rows, which are a list. */
static struct kma_err *close_list(struct kma_allocinfo *in, size_t nr, struct kma_account *account)
{
	bool doubled = is_doubled(in, nr);
	struct kma_err *err = add_sites(in, doubled ? nr / 2 : nr, account);
	char number[24];

	if (err)
		return err;
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_OBJECTS);
	snprintf(number, sizeof(number), "%" PRIu64, in->not_accurate);
	if (in->not_accurate)
		kma_account_put_note(account, KMA_NOTE_NOT_ACCURATE, number);
	snprintf(number, sizeof(number), "%" PRIu64, in->bytes_not_accurate);
	if (in->not_accurate)
		kma_account_put_note(account, KMA_NOTE_BYTES_NOT_ACCURATE, number);
	if (doubled)
		kma_account_warn(account, "the list is in the input twice; it counts once");
	if (in->negative)
		kma_account_warn(
			account,
			"%" PRIu64
			" %s negative when the kernel summed up the CPUs, and %s shown as 0",
			in->negative, kma_plural(in->negative, "row was", "rows were"),
			kma_plural(in->negative, "is", "are"));
	if (in->nodes)
		kma_account_warn(account, "%" PRIu64 " %s skipped: the row above has the sum",
				 in->nodes,
				 kma_plural(in->nodes, "line of a single NUMA node is",
					    "lines of single NUMA nodes are"));
	if (in->rounded)
		kma_account_warn(account, "the sizes are rounded, and so are their sums");
	if (in->letters && in->thousands)
		kma_account_warn(account,
				 "'k' is of 'numfmt --to=si', so M and G are powers of 1000, too");
	else if (in->letters && !in->binary)
		kma_account_warn(
			account,
			"K, M and G are taken for powers of 1024, as 'numfmt --to=iec' writes them; if they are of --to=si, which are powers of 1000, the bytes are 2 to 7 %% less");
	if (in->title == OF_FILE)
		return NULL;
	kma_account_set_partial(account);
	kma_account_put_note(account, KMA_NOTE_CHOSEN, "those in the input");
	kma_account_warn(
		account, "%s",
		in->title == OF_OOM ?
			"the kernel prints only the largest call sites when memory runs out; sums are of these" :
			"the header is missing, so the list may be a part; sums are of what is here");
	return NULL;
}

/* The first rows were a list, and another one follows. */
static struct kma_err *end_list(struct kma_allocinfo *in, size_t nr)
{
	struct kma_account *account = kma_reports_end(in->cur.input);

	return account ? close_list(in, nr, account) : NULL;
}

static struct kma_err *begin_list(struct kma_allocinfo *in)
{
	struct kma_err *err = in->nr ? end_list(in, in->nr) : NULL;

	forget(in);
	in->nodes = 0;
	in->again = in->rounded = in->letters = in->thousands = in->binary = false;
	in->title = in->next;
	in->begun = true;
	return err;
}

/*
 * Two lists without headers, with text between them: the second one begins after that text if it
 * has a call site of the first one. Within a list a call site may have several rows.
 */
static struct kma_err *begin_after_gap(struct kma_allocinfo *in, const char *caller)
{
	size_t before = in->gap, left;
	struct kma_err *err;

	if (in->nr && in->cur.line != in->line + 1)
		before = in->nr;
	/*
	 * a list with a title is complete: only its first row after other text can begin another
	 * one
	 */
	if (!in->title)
		in->gap = before;
	in->line = in->cur.line;
	for (size_t known = in->known.nr; known < before; known++)
		kma_map_add(&in->known, hash_of(in->sites[known].caller));
	if (!before || kma_map_find(&in->known, hash_of(caller), i,
				    !strcmp(in->sites[i].caller, caller)) == KMA_MAP_NONE)
		return NULL;
	err = end_list(in, before);
	in->title = NO_TITLE;
	left = in->nr - before;
	in->nr = before;
	forget(in);
	memmove(in->sites, in->sites + before, left * sizeof(*in->sites));
	in->nr = left;
	return err;
}

/*
 * What follows the two numbers at the start of a row, "24576 6 " or "94.5 MiB 1200 "; NULL: it is
 * no row.
 */
static const char *behind_numbers(const char *text)
{
	static const char digits[] = "-0123456789";

	for (unsigned int i = 0; i < 2; i++) {
		size_t number = strspn(text, digits);

		if (!number)
			return NULL;
		text += number;
		if (*text == '.')
			text += 1 + strspn(text + 1, digits);
		if (*text == ' ' && text[1] && strchr("BKMGTPE", text[1]))
			text++;
		text += strspn(text, "kKMGTPEiB");
		if (*text && *text != ' ')
			return NULL;
		text += strspn(text, " ");
	}
	return text;
}

/* "24576 6", the beginning of a row that was wrapped before the file */
static bool is_numbers(const char *text)
{
	text = behind_numbers(text);
	return text && !*text;
}

/* "fs/exec.c:1510 func:alloc_bprm", the rest of such a row */
static bool is_place(const char *text)
{
	return !isdigit((unsigned char)*text) && strstr(text, " func:") &&
	       strchr(text, ':') < strchr(text, ' ');
}

/*
 * "[ext4] func:ext4_fill_super" or "func:alloc_bprm", the rest of a row that was wrapped after the
 * file
 */
static bool is_function(const char *text)
{
	return begins(text, "func:") || (*text == '[' && strstr(text, "] func:"));
}

static struct kma_err *allocinfo_row(void *arg)
{
	_cleanup_strbuf_ struct kma_strbuf caller = { 0 };
	struct kma_allocinfo *in = arg;
	struct kma_allocinfo_row row = { 0 };
	const char *p = in->cur.text;
	bool negative[2] = { false };
	bool accurate, next; /* is there nothing between the last row and this one? */
	struct kma_err *err;

	if (is_head(in))
		return NULL;
	if (allocinfo_is_node(in->cur.text)) {
		in->nodes++;
		follow(in);
		return NULL;
	}
	next = in->cur.line == in->line + 1;
	while (kma_paste_join_soft(&in->cur))
		;
	if (!strstr(in->cur.text, "func:")) {
		bool numbers = is_numbers(in->cur.text);

		if (!kma_paste_join(&in->cur, numbers ? is_place : is_function) && numbers)
			return NULL;
	}
	if (next)
		in->line = in->cur.line - 1;
	p = in->cur.text;
	if (in->again || !in->begun) {
		err = begin_list(in);
		if (err)
			return err;
	}
	accurate = !strstr(in->cur.text, " accurate:no");
	err = allocinfo_number(in, &p, "the size", &negative[0], &row.values.current, &row.bytes);
	if (!err)
		err = allocinfo_number(in, &p, "the number of calls", &negative[1],
				       &row.values.objects, &row.objects);
	if (err)
		return err;
	err = allocinfo_split(in, in->cur.text + (p - in->cur.text), &row);
	if (err)
		return err;
	kma_strbuf_printf(&caller, "%s:%s %s", row.file, row.line, row.func);
	if (row.module)
		kma_strbuf_printf(&caller, " %s", row.module);
	err = begin_after_gap(in, caller.str);
	if (err)
		return err;
	kma_array_room(in->sites, in->nr, in->room);
	in->sites[in->nr++] = (struct kma_allocinfo_site){
		.caller = kma_xstrdup(caller.str),
		.file = kma_xstrdup(row.file),
		.values = row.values,
		.bytes = row.bytes,
		.objects = row.objects,
		.not_accurate = !accurate,
		.negative = negative[0] || negative[1],
	};
	return NULL;
}

/* A row begins with two numbers; "nid0 94912 2966" is of a node. */
static enum kma_line_kind line_of(const char *text)
{
	const char *rest;

	if (begins(text, KMA_ALLOCINFO_NAME))
		return KMA_LINE_ROW;
	if (strstr(text, " func:") && strchr("-0123456789", *text))
		return KMA_LINE_ROW;
	if (is_title(text) || allocinfo_is_node(text) || is_numbers(text) ||
	    (*text == '#' && strstr(text, "<size>")))
		return KMA_LINE_MORE;
	rest = behind_numbers(text);
	return rest && strchr(rest, '/') && strchr(rest, ':') ? KMA_LINE_MORE : KMA_LINE_OTHER;
}

/*
 * A row that ends in the name of its function, "func:alloc_bprm", or in what newer kernels append.
 */
static bool is_whole(void *arg, bool *name)
{
	const struct kma_allocinfo *in = arg;
	const char *func = strstr(in->cur.text, " func:");

	*name = true;
	return is_title(in->cur.text) || *in->cur.text == '#' ||
	       (func && func[strlen(" func:")] && line_of(in->cur.text) == KMA_LINE_ROW);
}

static struct kma_err *allocinfo_read(struct kma_input *input, struct kma_account *account)
{
	struct kma_allocinfo in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	in.cur.whole = is_whole;
	err = kma_cursor_each(&in.cur, allocinfo_row, &in);
	in.title = in.begun ? in.title : in.next;
	if (!err)
		err = close_list(&in, in.nr, account);
	forget(&in);
	free(in.sites);
	kma_cursor_deinit(&in.cur);
	return err;
}

const struct kma_reader_ops kma_reader_allocinfo = {
	.name = "/proc/allocinfo",
	.key = "allocinfo",
	.begins = KMA_ALLOCINFO_NAME,
	.line = line_of,
	.several = true,
	.read = allocinfo_read,
};
