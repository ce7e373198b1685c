// SPDX-License-Identifier: GPL-2.0-only
/*
 * reader.c - choose a reader by the content of the input.
 */
#include <string.h>

#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "reader.h"

#define KMA_READER_LINE	    4096 /* bytes of the longest line by which an input is recognised */
#define KMA_READER_LINES_IN 1024 /* bytes at the start of a file whose lines are tried first */

static const struct kma_reader_ops *const kma_readers[] = {
	&kma_reader_account,   &kma_reader_sites,	&kma_reader_snapshot,
	&kma_reader_caches,    &kma_reader_cgroups,	&kma_reader_nodes,
	&kma_reader_allocinfo, &kma_reader_slub,	&kma_reader_page_owner,
	&kma_reader_kmemleak,  &kma_reader_memleak,	&kma_reader_perf_kmem,
	&kma_reader_trace_dat, &kma_reader_log,		&kma_reader_waits,
	&kma_reader_funcgraph, &kma_reader_ftrace,	&kma_reader_scan,
	&kma_reader_slab_list, &kma_reader_vmallocinfo, &kma_reader_bpftrace,
	&kma_reader_hist,      &kma_reader_memstrack,
};

/* Files that users try although they are not accounts; the message names their type. */
static const struct {
	unsigned char magic[4];
	size_t len;
	const char *sentence;
} kma_refused[] = {
	{ { 0x7f, 'E', 'L', 'F' },
	  4,
	  "an ELF file, not an account; use --vmlinux for a vmlinux, or kmem-account static for its sizes" },
	{ { 'P', 'E', 'R', 'F' },
	  4,
	  "a file of perf record, not its text; give the output of perf script -i FILE" },
	{ { 0x89, 'P', 'N', 'G' }, 4, "a picture, not an account" },
};

/* Lines of texts that have no rows by call site or cache; the message names what reads them. */
static const struct {
	const char *begins, *sentence;
} not_accounts[] = {
	{ "MemTotal: ",
	  "/proc/meminfo, which has no call sites; 'kmem-account where ACCOUNT --meminfo FILE' shows it beside an account" },
	{ "Node 0, zone ",
	  "/proc/zoneinfo, buddyinfo or pagetypeinfo, which have no call sites; 'kmem-account where' shows all memory" },
	{ "Mem-Info:",
	  "the kernel's Mem-Info alone, which has no call sites; give the whole report, with its list of slab caches" },
	{ "VMAP_AREA ",
	  "crash's kmem -v, which does not say who made the areas; give /proc/vmallocinfo of the running kernel" },
	{ "PAGES        TOTAL      PERCENTAGE",
	  "crash's kmem -i, which has no call sites; give kmem -s, or use 'kmem-account scan' on the dump" },
};

/* Beginnings of the module's tables that have no bytes, or only a part of the call sites. */
static const char *const kma_tables_refused[] = { "kmem_account ages ", "kmem_account live ",
						  "kmem_account pinned ", "kmem_account errors ",
						  "version: 1\nevents booked: " };

/* The reason why a file of a known type is refused, or NULL. */
static const char *reader_refusal(const char *head, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_refused); i++)
		if (len >= kma_refused[i].len &&
		    !memcmp(head, kma_refused[i].magic, kma_refused[i].len))
			return kma_refused[i].sentence;
	return NULL;
}

/*
 * Texts that a format's lines have. If no line of an input is complete, the formats whose texts are
 * in it come nearest.
 */
static const struct {
	const char *sign, *format, *lacks;
} nearest[] = {
	{ "alloc/free", "/proc/kmem_account",
	  "the lines 'total bytes allocated: N' before the table" },
	{ " func:", "a row of /proc/allocinfo",
	  "the size and the number of calls before the file" },
	{ "unreferenced object", "an object of kmemleak", "'(size N):' at its end" },
	{ "[<", "a frame of a stack", "the line before the stack, which has the bytes" },
	{ " allocations from stack", "a stack of memleak",
	  "the bytes, 'N bytes in M allocations'" },
	{ "PFN ", "a line of page_owner", "the line 'Page allocated via order N' before it" },
	{ "Page allocated via", "a record of page_owner", "'order N'" },
	{ " : slabdata", "a row of /proc/slabinfo", "the numbers of the cache after its name" },
	{ "bytes_alloc", "an event of ftrace", "the task, the CPU or the time before its name" },
	{ "call_site=", "an event of ftrace", "the event's name, as in 'kmalloc: call_site='" },
	{ "@[", "a map of bpftrace by stack", "its end, ']: NUMBER'" },
	{ "+0x", "a frame of a stack", "the line before the stack, which has the bytes" },
};

#define NEAREST 2 /* formats that a message names */

/*
 * Copy the next line of a text without what pasted text has before its lines; a line that is too
 * long becomes an empty one, and the last one may be a part. False: there is none.
 */
static bool next_line(const char **at, const char *end, char text[KMA_READER_LINE])
{
	unsigned int removed = 0;
	const char *nl;
	size_t len;

	if (*at >= end)
		return false;
	nl = memchr(*at, '\n', end - *at) ?: end;
	len = nl - *at;
	len = len < KMA_READER_LINE ? len : 0;
	memcpy(text, *at, len);
	text[len] = '\0';
	kma_paste_undress(text, &removed);
	*at = nl + 1;
	return true;
}

/* Says what a text is that is not an account; NULL: it is not known. */
static struct kma_err *refuse_other(const char *name, const char *head, size_t len)
{
	const char *end = head + len;
	char text[KMA_READER_LINE];

	for (unsigned int line = 1; next_line(&head, end, text); line++)
		for (size_t i = 0; i < ARRAY_SIZE(not_accounts); i++)
			if (!strncmp(text, not_accounts[i].begins, strlen(not_accounts[i].begins)))
				return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, name, line, "%s",
							   not_accounts[i].sentence);
	return NULL;
}

/* Say which formats come nearest to a text that no reader recognises. */
static struct kma_err *refuse_text(const char *name, const char *head, size_t len)
{
	_cleanup_strbuf_ struct kma_strbuf near = { 0 };
	const char *named[NEAREST] = { NULL };
	unsigned int nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(nearest) && nr < NEAREST; i++) {
		const char *at = memmem(head, len, nearest[i].sign, strlen(nearest[i].sign));
		unsigned int line = 1;

		if (!at || (nr && !strcmp(named[0], nearest[i].format)))
			continue;
		for (const char *p = head; p < at; p++)
			line += *p == '\n';
		named[nr] = nearest[i].format;
		kma_strbuf_printf(&near, "%s line %u looks like %s, but lacks %s", nr++ ? ";" : "",
				  line, nearest[i].format, nearest[i].lacks);
	}
	return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, name, 1, "unknown type of input%s%s",
				   nr ? ":" : "",
				   nr ? near.str : "; 'man kmem-account' lists what it reads");
}

/* No reader recognises the input: build the error that says why. */
static struct kma_err *reader_refuse(const char *name, const char *head, size_t len)
{
	const char *refusal = reader_refusal(head, len);
	const char *nul = memchr(head, '\0', len);
	unsigned int line = 1;

	if (refusal)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, name, 1, "%s", refusal);
	for (size_t i = 0; i < ARRAY_SIZE(kma_tables_refused); i++)
		if (len >= strlen(kma_tables_refused[i]) &&
		    !memcmp(head, kma_tables_refused[i], strlen(kma_tables_refused[i])))
			return kma_err_create_kind(
				KMA_ERR_OTHER_FORMAT, name, 1,
				"a table of the module, not an account; 'kmem-account table TABLE FILE' shows it");
	if (!nul)
		return refuse_other(name, head, len) ?: refuse_text(name, head, len);
	for (const char *p = head; p < nul; p++)
		line += *p == '\n';
	return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, name, line,
				   "a binary file, not an account");
}

static bool reader_begins(const struct kma_reader_ops *ops, const char *head, size_t len)
{
	size_t all = strlen(ops->begins);

	if (len < all && !ops->may_be_cut)
		return false;
	return !memcmp(head, ops->begins, len < all ? len : all);
}

static bool has_sign(const struct kma_reader_ops *ops, const char *head, size_t len)
{
	if (len > KMA_READER_SIGNS_IN)
		len = KMA_READER_SIGNS_IN;
	for (size_t i = 0; ops->signs[i]; i++)
		if (memmem(head, len, ops->signs[i], strlen(ops->signs[i])))
			return true;
	return !ops->signs[0];
}

/* How many lines of a text are of each reader. */
struct lines {
	unsigned int of[ARRAY_SIZE(kma_readers)];
	unsigned int others; /* of no reader, but not empty */
	int owner;	     /* the reader of the last row, as an index; -1: there is none yet */
};

static enum kma_line_kind line_of(const struct kma_reader_ops *ops, const char *text)
{
	return ops->line ? ops->line(text) : ops->like ? ops->like(text) : KMA_LINE_OTHER;
}

/* Count a line for the reader that alone has such rows, or for that of the row before it. */
static void count_line(struct lines *lines, const char *text)
{
	enum kma_line_kind kind = KMA_LINE_OTHER, known = KMA_LINE_OTHER;

	if (lines->owner >= 0)
		kind = line_of(kma_readers[lines->owner], text);
	for (size_t i = 0; i < ARRAY_SIZE(kma_readers) && kind != KMA_LINE_ROW; i++) {
		enum kma_line_kind now = line_of(kma_readers[i], text);

		known = now > known ? now : known;
		if (now != KMA_LINE_ROW)
			continue;
		lines->owner = i;
		kind = now;
	}
	if (kind != KMA_LINE_OTHER)
		lines->of[lines->owner]++;
	else if (known == KMA_LINE_OTHER)
		lines->others++;
}

/*
 * Count the lines of a text. Return the reader that has the most, the first of those that have as
 * many.
 */
static const struct kma_reader_ops *count_lines(struct lines *lines, const char *head, size_t len)
{
	const char *end = head + len;
	char text[KMA_READER_LINE];
	size_t most = 0;

	*lines = (struct lines){ .owner = -1 };
	while (next_line(&head, end, text))
		if (*text)
			count_line(lines, text);
	for (size_t i = 1; i < ARRAY_SIZE(kma_readers); i++)
		if (lines->of[i] > lines->of[most])
			most = i;
	return lines->of[most] ? kma_readers[most] : NULL;
}

static bool has_row(const struct kma_reader_ops *ops, const char *head, size_t len)
{
	const char *end = head + len;
	char text[KMA_READER_LINE];

	while (next_line(&head, end, text))
		if (*text && ops->line(text) == KMA_LINE_ROW)
			return true;
	return false;
}

/* The key of the format that has the line as a row of its own, for kma_reports. */
static const char *format_of(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_readers); i++)
		if (line_of(kma_readers[i], text) == KMA_LINE_ROW)
			return kma_readers[i]->key;
	return NULL;
}

const char *kma_reader_format(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_readers); i++) {
		const char *key = kma_readers[i]->key;

		if (key && strlen(key) == len && !memcmp(key, name, len))
			return key;
	}
	return NULL;
}

bool kma_reader_takes(const struct kma_reader_ops *ops, const char *head, size_t len)
{
	if (ops->begins && reader_begins(ops, head, len))
		return true;
	if (ops->line)
		return has_row(ops, head, len);
	return !ops->begins && has_sign(ops, head, len) && (!ops->probe || ops->probe(head, len));
}

/* The start of the next part of a text: a line that ends after this part, or NULL. */
static const char *reader_next_part(const char *text, size_t len)
{
	const char *nl = NULL;

	if (len > KMA_READER_SIGNS_IN) {
		nl = memrchr(text, '\n', KMA_READER_SIGNS_IN);
		if (!nl)
			nl = memchr(text + KMA_READER_SIGNS_IN, '\n', len - KMA_READER_SIGNS_IN);
	}
	return nl ? nl + 1 : NULL;
}

/*
 * Choose a reader for a log that follows other text: trace-cmd and perf print messages, systrace a
 * page. Those that have signs are asked for each part of the text.
 */
static const struct kma_reader_ops *reader_behind_text(const char *head, size_t len)
{
	const char *end = head + len;

	for (const char *part = head; (part = reader_next_part(part, end - part));)
		for (size_t i = 0; i < ARRAY_SIZE(kma_readers); i++)
			if (kma_readers[i]->behind_text && kma_readers[i]->signs[0] &&
			    kma_reader_takes(kma_readers[i], part, end - part))
				return kma_readers[i];
	for (size_t i = 0; i < ARRAY_SIZE(kma_readers); i++)
		if (kma_readers[i]->behind_text && !kma_readers[i]->signs[0] &&
		    kma_reader_takes(kma_readers[i], head, len))
			return kma_readers[i];
	return NULL;
}

/* A file of the module that no reader begins with: its rows are of none of the forms of others. */
static bool is_of_module(const char *head, size_t len)
{
	static const char begins[] = "kmem_account ";

	return len >= strlen(begins) && !memcmp(head, begins, strlen(begins));
}

/*
 * Choose a reader by the first lines. If their readers are few or in doubt, NULL: @log is then a
 * reader of logs that the text may be for.
 */
static const struct kma_reader_ops *reader_of_first(const char *head, size_t len,
						    const struct kma_reader_ops **log)
{
	const char *nl = len > KMA_READER_LINES_IN ? memrchr(head, '\n', KMA_READER_LINES_IN) :
						     NULL;
	const size_t lines_in = nl			  ? (size_t)(nl - head) :
				len < KMA_READER_LINES_IN ? len :
							    KMA_READER_LINES_IN;
	const struct kma_reader_ops *most = NULL;
	struct lines lines = { 0 };

	*log = NULL;
	if (!memchr(head, '\0', len)) {
		most = count_lines(&lines, head, lines_in);
		if (most && !most->like && !lines.others)
			return most;
	}
	for (size_t i = 0; i < ARRAY_SIZE(kma_readers) && !*log; i++)
		if (!kma_readers[i]->begins && !kma_readers[i]->line &&
		    kma_reader_takes(kma_readers[i], head, len))
			*log = kma_readers[i];
	if (!*log || memchr(head, '\0', len))
		return *log;
	/* other text may be a mail that has an event */
	if ((most && !most->like) ||
	    ((*log)->like && lines.others > (most ? lines.of[lines.owner] : 0)))
		return NULL;
	return *log;
}

/* Choose a reader by the first MiB, if the first lines leave a doubt. */
static struct kma_err *reader_of_more(struct kma_input *input, const struct kma_reader_ops *log,
				      const char **head, size_t *len,
				      const struct kma_reader_ops **ret)
{
	struct lines lines;
	struct kma_err *err;

	err = kma_input_peek(input, KMA_INPUT_LINE_MAX, head, len);
	*ret = log;
	if (err || memchr(*head, '\0', *len))
		return err;
	*ret = count_lines(&lines, *head, *len);
	if (!*ret || (*ret)->like)
		*ret = log ?: *ret ?: reader_behind_text(*head, *len);
	return NULL;
}

/*
 * Choose a reader; NULL: there is none. A fixed beginning is certain. Else it is the one that has
 * the most lines of the text; readers of logs that know no single line guess by the content.
 */
static struct kma_err *choose(struct kma_input *input, const char **head, size_t *len,
			      const struct kma_reader_ops **ret)
{
	const struct kma_reader_ops *log;

	for (size_t i = 0; i < ARRAY_SIZE(kma_readers); i++) {
		*ret = kma_readers[i];
		if ((*ret)->begins && reader_begins(*ret, *head, *len))
			return NULL;
	}
	*ret = NULL;
	if (is_of_module(*head, *len) || reader_refusal(*head, *len))
		return NULL;
	*ret = reader_of_first(*head, *len, &log);
	if (*ret || memchr(*head, '\0', *len))
		return NULL;
	return reader_of_more(input, log, head, len, ret);
}

static const struct kma_reader_ops *of_format(const char *key)
{
	size_t i = 0;

	while (!kma_readers[i]->key || strcmp(kma_readers[i]->key, key))
		i++;
	return kma_readers[i];
}

struct kma_err *kma_reader_read(struct kma_input *input, struct kma_account **ret)
{
	struct kma_reports own = { 0 }, *reports = kma_input_reports(input) ?: &own;
	const struct kma_reader_ops *ops = NULL;
	struct kma_err *err;
	const char *head;
	size_t len;

	err = kma_input_head(input, &head, &len);
	if (err)
		return err;
	if (!len)
		return kma_err_create_kind(KMA_ERR_DAMAGED, kma_input_name(input), 1,
					   "the file is empty");
	if (reports->format) {
		ops = of_format(reports->format);
	} else {
		reports->format_of = format_of;
		err = choose(input, &head, &len, &ops);
	}
	if (err)
		return err;
	/* What a truncated file has may be too short to be recognised. */
	err = ops ? NULL : kma_input_truncation(input);
	if (err)
		return err;
	if (!ops)
		return reader_refuse(kma_input_name(input), head, len);
	kma_input_set_reports(input, reports);
	err = kma_reader_read_as(ops, input, ret);
	if (err || !reports->format)
		return err;
	kma_account_sites(*ret, &len);
	if (len)
		return NULL;
	kma_account_destroy(*ret);
	return kma_err_create(kma_input_name(input), 0, "no rows of %s in this text", ops->name);
}

struct kma_err *kma_reader_read_file(const char *path, struct kma_account **ret)
{
	struct kma_input *input;
	struct kma_err *err = kma_input_open(path, &input);

	if (err)
		return err;
	err = kma_reader_read(input, ret);
	kma_input_close(input);
	return err;
}
