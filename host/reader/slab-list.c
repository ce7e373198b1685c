// SPDX-License-Identifier: GPL-2.0-only
/*
 * slab-list.c - reader of lists of slab caches, without call sites: /proc/slabinfo, slabtop -o, the
 * kernel's report when memory runs out, kmem -s of crash, contrib/slabinfo.py of drgn, vmstat -m,
 * and tools/mm/slabinfo.
 *
 *	kmalloc-1k   661  670  1024  32  8 : tunables 0 0 0 : slabdata 21 21 0
 *	 670    661  98%    1.00K     21       32       672K kmalloc-1k
 *	kmalloc-1k               661KB        670KB
 *	ffff888100042dc0     1024       661        670     21    32k  kmalloc-1k
 *	0xffff888100042dc0   | kmalloc-1k   |  661 |  670 |  1024 |  32 |  8
 *	kmalloc-1k               661    670   1024     32
 *
 * Each cache is a row, whose live bytes are those of its objects in use. SLUB counts free objects
 * on the slabs of a CPU as used. An input may have several lists: the last one is used.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/cursor.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "lib/units.h"
#include "memory.h"
#include "model/intern.h"
#include "model/merge.h"
#include "reader.h"

#define WORDS_MAX  64
#define CUT_NAME   19		/* bytes to which drgn cuts names */
#define CACHE_NAME 128		/* bytes of a cache's name, including the NUL */
#define BYTES_MAX  (1ULL << 58) /* more than any machine has */
#define PAGE	   4096ULL
#define PAGE_MAX   65536ULL /* the largest page of any architecture */
#define VERSION	   "slabinfo - version: "
#define OOM	   "Unreclaimable slab info:"
#define VMSTAT	   "Cache                       Num  Total   Size  Pages"

/*
 * The words of a row, "|" left out. a, t: objects in use, and all; s, f: bytes of an object,
 * "0.10K"; l, p, P: slabs, objects and pages of a slab; u, v: used and all memory, "661KB"; k:
 * bytes of a slab, "32k"; K: all slabs, "672K"; %: "98%"; x: an address; *: the name; b, d, w:
 * "1.3M", a number and a word that are not used; q: slabs, partial ones, and those of CPUs,
 * "310/5/12"; o: order of a slab.
 */
static const struct {
	const char *words;
	bool rounded; /* the sizes are */
	bool some;    /* the list never has all caches */
	bool titled;  /* other tables have such rows: only after the title of vmstat -m */
} forms[] = {
	{ .words = "ta%flpK*", .rounded = true },
	{ .words = "*uv", .rounded = true, .some = true },
	{ .words = "xsatlk*" },
	{ .words = "x*satlk" },
	{ .words = "x*atspP" },
	{ .words = "*asbqpoddw" },
	{ .words = "*asbqpodd" },
	{ .words = "*atsp", .titled = true },
};

/* Lines before the rows of a list */
static const char *const titles[] = {
	VERSION,
	"Active / Total Objects",
	"OBJS ACTIVE ",
	OOM,
	"CACHE  ",
	"struct kmem_cache * ",
	"Name                   Objects Objsize",
	VMSTAT,
};

/* Further lines of such lists, which are passed over without a word. */
static const char *const others[] = {
	"# name ",
	"Active / Total ",
	"Minimum / Average / Maximum Object",
	"Name                      Used          Total",
	"-------",
};

struct row {
	char name[CACHE_NAME];
	const char *words;		    /* the form; NULL: of /proc/slabinfo */
	bool rounded, some, titled, counts; /* it has numbers of objects */
	bool unknown;			    /* crash could not read some of them */
	uint64_t active, objects, size, slabs, per_slab, pages;
	uint64_t used, all; /* bytes of the objects in use, and of the slabs */
};

struct slab_list {
	struct kma_cursor cur;
	struct kma_merge *merge;
	uint64_t rows;
	uint64_t bytes, pages,
		page;	   /* of all slabs; the smallest page that holds a slab's objects */
	bool title;	   /* the input has a title */
	unsigned int line; /* of the last row */
	bool again;	   /* a title was read, and no row after it */
	bool titled;	   /* the list has one */
	bool rounded, some, counts;
	bool oom;		  /* after the title of a report of an OOM */
	bool vmstat;		  /* after that of vmstat -m */
	uint64_t unknown;	  /* caches of the list that have no numbers */
	struct kma_intern *names; /* of the rows of the list */
	uint64_t repeated;	  /* rows with the name of an earlier one */
	uint64_t untitled;	  /* lines as in vmstat -m, but not after its title */
	unsigned int first_untitled;
};

static bool starts(const char *text, const char *const *with, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strncmp(text, with[i], strlen(with[i])))
			return true;
	return false;
}

/* A number that is followed by @unit; false if the word is anything else. */
static bool number(const char *word, const char *unit, uint64_t *ret)
{
	size_t digits = strspn(word, "0123456789");

	if (!digits || digits > 18 || strcmp(word + digits, unit))
		return false;
	*ret = strtoull(word, NULL, 10);
	return true;
}

/* "0.10K", with the locale's point: the bytes of an object */
static bool fraction(const char *word, uint64_t *ret)
{
	size_t whole = strspn(word, "0123456789"), part = 0;

	if (whole && (word[whole] == '.' || word[whole] == ','))
		part = strspn(word + whole + 1, "0123456789");
	if (!whole || whole > 9 || part != 2 || strcmp(word + whole + 3, "K"))
		return false;
	*ret = (strtoull(word, NULL, 10) * 100 + strtoull(word + whole + 1, NULL, 10)) * 1024 / 100;
	return true;
}

static bool address(const char *word)
{
	size_t digits;

	word += strncmp(word, "0x", 2) ? 0 : 2;
	digits = strspn(word, "0123456789abcdef");
	return digits >= 8 && !word[digits];
}

/* "310/5/12": slabs of no CPU, of which some are partial, and slabs of CPUs */
static bool slabs_of(const char *word, uint64_t *ret)
{
	unsigned int all, partial, cpus;
	char rest;

	if (sscanf(word, "%9u/%9u/%9u%c", &all, &partial, &cpus, &rest) != 3)
		return false;
	*ret = (uint64_t)all + cpus;
	return true;
}

static bool take(char what, const char *word, struct row *row)
{
	uint64_t ignored;

	switch (what) {
	case 'a':
	case 't':
	case 'l':
		if (!strcmp(word, "?")) {
			row->unknown = true;
			return true;
		}
		return number(word, "",
			      what == 'a' ? &row->active :
			      what == 't' ? &row->objects :
					    &row->slabs);
	case 's':
		return number(word, "", &row->size);
	case 'f':
		return fraction(word, &row->size);
	case 'p':
		return number(word, "", &row->per_slab);
	case 'P':
		return number(word, "", &row->pages);
	case 'u':
		return number(word, "KB", &row->used);
	case 'v':
	case 'K':
		/* the slabtop of uutils leaves the unit out */
		return number(word, what == 'K' ? "K" : "KB", &row->all) ||
		       (what == 'K' && number(word, "", &row->all));
	case 'k':
		return number(word, "k", &row->pages);
	case 'q':
		return slabs_of(word, &row->slabs);
	case 'o':
		if (!number(word, "", &ignored) || ignored > 20)
			return false;
		row->pages = 1ULL << ignored;
		return true;
	case 'b':
		return isdigit((unsigned char)*word);
	case 'w':
		return true;
	case 'd':
		return number(word, "", &ignored);
	case '%':
		return number(word, "%", &ignored);
	default:
		return address(word);
	}
}

/* Read a row of the form @words; @word has its @nr words. */
static bool read_form(const char *words, char *const *word, size_t nr, struct row *row)
{
	size_t len = strlen(words), name = nr + 1 - len, at = 0;

	if (nr < len)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (words[i] != '*') {
			if (!take(words[i], word[at++], row))
				return false;
			continue;
		}
		for (size_t n = 0, end = 0; n < name && end < CACHE_NAME; n++)
			end += snprintf(row->name + end, CACHE_NAME - end, "%s%s", n ? " " : "",
					word[at + n]);
		at += name;
	}
	return true;
}

/*
 * Is this a row of the kernel's report when memory runs out, in the columns of its format "%-17s
 * %10luKB %10luKB" (dump_unreclaimable_slab())? Other tables have two sizes as well, so without its
 * title the list is known by its columns.
 */
static bool is_oom_row(const char *text)
{
	size_t name = strcspn(text, " "), at = name, width;

	if (!name)
		return false;
	for (int column = 0; column < 2; column++) {
		size_t from = at, digits;

		at += strspn(text + at, " ");
		digits = strspn(text + at, "0123456789");
		width = at + digits - from;
		if (!digits || at == from || strncmp(text + at + digits, "KB", 2))
			return false;
		/* a name or a number that is longer than its column moves the rest */
		if (!column && name < 17)
			width -= 17 - name;
		if (width != (digits > 10 ? digits : 10) + 1)
			return false;
		at += digits + 2;
	}
	return !text[at];
}

/* Reads a row of any form, except its name; false for any other line. */
static bool read_any(const char *text, struct row *row)
{
	char copy[1024], *word[WORDS_MAX], *save = NULL;
	struct kma_slab slab;
	size_t nr = 0;

	*row = (struct row){ .counts = true };
	if (kma_slabinfo_row(text, &slab)) {
		snprintf(row->name, sizeof(row->name), "%.*s", (int)slab.name_len, slab.name);
		row->active = slab.active;
		row->objects = slab.objects;
		row->size = slab.size;
		row->slabs = slab.slabs;
		row->pages = slab.pages;
		row->per_slab = slab.per_slab;
		return *row->name;
	}
	if (strlen(text) >= sizeof(copy))
		return false;
	strcpy(copy, text);
	for (char *w = strtok_r(copy, " \t|", &save); w && nr < WORDS_MAX;
	     w = strtok_r(NULL, " \t|", &save))
		word[nr++] = w;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		*row = (struct row){
			.words = forms[i].words,
			.rounded = forms[i].rounded,
			.some = forms[i].some,
			.titled = forms[i].titled,
			.counts = !strchr(forms[i].words, 'u'),
		};
		if (!read_form(forms[i].words, word, nr, row) || !*row->name)
			continue;
		/* crash has the bytes of a slab, others the pages */
		if (strchr(forms[i].words, 'k')) {
			row->all = row->slabs > BYTES_MAX / 1024 ? UINT64_MAX :
								   row->slabs * row->pages;
			row->pages = 0;
		} else if (row->per_slab && !row->slabs) {
			row->slabs = (row->objects + row->per_slab - 1) / row->per_slab;
		}
		/* more than BYTES_MAX: take_row() refuses it */
		row->all = row->all > BYTES_MAX / 1024 ? UINT64_MAX : row->all * 1024;
		row->used = row->used > BYTES_MAX / 1024 ? UINT64_MAX : row->used * 1024;
		return true;
	}
	return false;
}

/* Reads a row; false for any other line. @text is a line of at most KMA_INPUT_LINE_MAX. */
static bool read_row(const char *text, struct row *row)
{
	size_t digits;

	if (!read_any(text, row))
		return false;
	/*
	 * a cache's name is no number: it is that of the line, of a list that cat -n printed and
	 * that is indented
	 */
	digits = strspn(row->name, "0123456789");
	if (digits && row->name[digits] == ' ')
		memmove(row->name, row->name + digits + 1, strlen(row->name + digits));
	return true;
}

static struct kma_err *close_list(struct slab_list *in, struct kma_account *account)
{
	char size[KMA_NUMBER_LEN], page[KMA_NUMBER_LEN];
	struct kma_err *err;

	if (!in->rows)
		return kma_cursor_error(&in->cur, "no row of a slab cache");
	err = kma_merge_close(in->merge, account);
	if (err)
		return err;
	kma_account_set_metrics(account, 1U << KMA_CURRENT | (in->counts ? 1U << KMA_OBJECTS : 0));
	in->page = kma_input_page_size(in->cur.input) ?: in->page;
	kma_units_format(size, sizeof(size), in->bytes + in->pages * in->page, KMA_UNIT_BYTES);
	kma_units_format(page, sizeof(page), in->page, KMA_UNIT_BYTES);
	if (in->pages)
		kma_account_warn(account, "the slabs of these caches take %s in pages of %s", size,
				 page);
	else if (in->bytes)
		kma_account_warn(account, "the slabs of these caches take %s", size);
	if (in->unknown) {
		kma_account_set_partial(account);
		kma_account_warn(account,
				 "%" PRIu64
				 " %s no numbers, which crash could not read, and %s left out",
				 in->unknown, kma_plural(in->unknown, "cache has", "caches have"),
				 kma_plural(in->unknown, "is", "are"));
	}
	if (in->repeated) {
		kma_account_set_partial(account);
		kma_account_warn(
			account,
			"%" PRIu64
			" %s the name of an earlier one, and %s added to it: two lists may be mixed",
			in->repeated, kma_plural(in->repeated, "row has", "rows have"),
			kma_plural(in->repeated, "is", "are"));
	}
	if (in->rounded)
		kma_account_warn(account, "the sizes are rounded, and so are their sums");
	if (in->some || !in->titled) {
		kma_account_set_partial(account);
		kma_account_put_note(account, KMA_NOTE_CHOSEN, "those in the input");
		if (in->some)
			kma_account_warn(account,
					 "the kernel prints only caches that it cannot reclaim");
		if (!in->titled)
			kma_account_warn(
				account,
				"the header is missing, so the list may be a part; sums are of what is here");
	}
	kma_account_warn(
		account,
		"a list of caches has no call sites; 'modprobe kmem_account; kmem-account report' has them");
	return NULL;
}

static struct kma_err *begin_list(struct slab_list *in)
{
	struct kma_account *account = in->rows ? kma_reports_end(in->cur.input) : NULL;
	struct kma_err *err = account ? close_list(in, account) : NULL;

	kma_merge_destroy(in->merge);
	kma_intern_destroy(in->names);
	in->merge = kma_merge_create();
	in->names = kma_intern_new();
	in->rows = in->bytes = in->pages = in->unknown = in->repeated = 0;
	in->page = PAGE;
	in->titled = in->again;
	in->rounded = in->some = in->again = in->counts = false;
	return err;
}

static struct kma_err *take_row(struct slab_list *in, const struct row *row)
{
	struct kma_values values = { .objects = row->active, .current = row->used };
	uint64_t slab, pages = 0;
	struct kma_err *err;

	/* a slab of more bytes than its pages have is of a kernel with larger pages */
	if (row->pages && !__builtin_mul_overflow(row->per_slab, row->size, &slab))
		while (in->page < PAGE_MAX && slab > row->pages * in->page)
			in->page *= 2;
	if ((row->counts && __builtin_mul_overflow(row->active, row->size, &values.current)) ||
	    (!row->all && __builtin_mul_overflow(row->slabs, row->pages, &pages)) ||
	    values.current > BYTES_MAX || row->all > BYTES_MAX || pages > BYTES_MAX / PAGE_MAX)
		return kma_cursor_error(&in->cur, "the numbers of the cache exceed 2^58 bytes");
	in->bytes += row->all;
	in->pages += pages;
	if (in->bytes > BYTES_MAX || in->pages > BYTES_MAX / PAGE_MAX)
		return kma_cursor_error(&in->cur, "the numbers of the caches exceed 2^58 bytes");
	in->rounded |= row->rounded;
	in->some |= row->some;
	in->counts |= row->counts;
	err = kma_merge_add(in->merge, row->name, KMA_KIND_UNKNOWN, &values);
	if (!err)
		kma_merge_set_cache(in->merge, row->name, false);
	return kma_cursor_place(&in->cur, err);
}

/* Does the list have a row of this name already? It has one from now on. */
static bool is_named(struct slab_list *in, const char *name)
{
	uint32_t known = kma_intern_count(in->names);

	return kma_intern(in->names, KMA_KIND_UNKNOWN, name, strlen(name)) < known;
}

/* "0 0 : slabdata  9529  9529  0", the rest of a row that was wrapped */
static bool is_slabdata(const char *text)
{
	return strstr(text, "slabdata ") && !strstr(text, KMA_SLABINFO_NUMBERS);
}

static struct kma_err *take_line(void *arg)
{
	struct slab_list *in = arg;
	const char *text = in->cur.text;
	struct kma_err *err = NULL;
	bool gap, named;
	struct row row;

	if (starts(text, titles, ARRAY_SIZE(titles))) {
		if (!strncmp(text, VERSION, strlen(VERSION)) && text[strlen(VERSION)] != '2')
			return kma_cursor_error(&in->cur,
						"unsupported version '%.20s' (supported: 2)",
						text + strlen(VERSION));
		in->again = in->title = true;
		in->oom = !strncmp(text, OOM, strlen(OOM));
		in->vmstat = !strncmp(text, VMSTAT, strlen(VMSTAT));
		return NULL;
	}
	/* the names of the columns, also if they were wrapped */
	if (!*text || starts(text, others, ARRAY_SIZE(others)) || strchr(text, '<'))
		return NULL;
	if (strstr(text, KMA_SLABINFO_NUMBERS) && !strstr(text, "slabdata "))
		kma_paste_join(&in->cur, is_slabdata);
	text = in->cur.text;
	if (!read_row(text, &row))
		return kma_cursor_error(&in->cur, "expected the numbers of a slab cache");
	if (row.titled && !in->vmstat) {
		if (!in->untitled++)
			in->first_untitled = in->cur.line;
		return NULL;
	}
	if (row.some && !in->oom && !is_oom_row(text))
		return kma_cursor_error(&in->cur, "a row of another list than that of an OOM");
	/*
	 * Several caches may have one name, and drgn cuts names. So only without a title, or after
	 * other text, a name that the list has already begins another list.
	 */
	gap = in->cur.line != in->line + 1;
	in->line = in->cur.line;
	named = in->names && is_named(in, row.name) && strlen(row.name) != CUT_NAME;
	if (in->again || !in->rows || ((gap || !in->title) && named)) {
		err = begin_list(in);
		if (err)
			return err;
		is_named(in, row.name);
	} else {
		in->repeated += named;
	}
	in->rows++;
	in->unknown += row.unknown;
	if (row.unknown)
		return NULL;
	err = take_row(in, &row);
	return err;
}

/*
 * A row whose last word is whole whatever follows it, such as "12KB", or is not in the account; or
 * the name of the cache. The pages of a slab, with which rows of drgn end, may be cut.
 */
static bool is_whole(void *arg, bool *name)
{
	const struct slab_list *in = arg;
	unsigned int numbers[3];
	const char *data;
	struct row row;
	char last;

	*name = false;
	if (starts(in->cur.text, others, ARRAY_SIZE(others)))
		return true;
	if (!read_row(in->cur.text, &row))
		return false;
	data = strstr(in->cur.text, KMA_SLABINFO_DATA);
	if (!row.words)
		return sscanf(data, KMA_SLABINFO_DATA "%u %u %u", &numbers[0], &numbers[1],
			      &numbers[2]) == 3;
	last = row.words[strlen(row.words) - 1];
	*name = last == '*';
	return strchr("*KuvkdwbF%", last);
}

static void list_deinit(struct slab_list *in)
{
	kma_merge_destroy(in->merge);
	kma_intern_destroy(in->names);
	kma_cursor_deinit(&in->cur);
}

static struct kma_err *read_list(struct kma_input *input, struct kma_account *account)
{
	_cleanup_(list_deinit) struct slab_list in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	in.cur.whole = is_whole;
	err = kma_cursor_each(&in.cur, take_line, &in) ?: close_list(&in, account);
	if (err)
		return err;
	if (in.untitled)
		kma_account_warn(
			account,
			"%" PRIu64
			" %s as in 'vmstat -m', but not behind its title, and %s left out (first: line %u)",
			in.untitled, kma_plural(in.untitled, "line is", "lines are"),
			kma_plural(in.untitled, "is", "are"), in.first_untitled);
	return NULL;
}

static enum kma_line_kind line_of(const char *text)
{
	struct row row;

	if (!strncmp(text, VERSION, strlen(VERSION)) || !strncmp(text, VMSTAT, strlen(VMSTAT)) ||
	    strstr(text, KMA_SLABINFO_NUMBERS) || !strncmp(text, OOM, strlen(OOM)))
		return KMA_LINE_ROW;
	if (read_row(text, &row))
		return row.titled || (row.some && !is_oom_row(text)) ? KMA_LINE_MORE : KMA_LINE_ROW;
	return starts(text, titles, ARRAY_SIZE(titles)) ||
			       starts(text, others, ARRAY_SIZE(others)) ?
		       KMA_LINE_MORE :
		       KMA_LINE_OTHER;
}

const struct kma_reader_ops kma_reader_slab_list = {
	.name = "a list of slab caches (/proc/slabinfo, slabtop, crash's kmem -s)",
	.key = "slabinfo",
	.line = line_of,
	.several = true,
	.read = read_list,
};
