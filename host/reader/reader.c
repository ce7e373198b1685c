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
	&kma_reader_hist,
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
	{ "PAGES        TOTAL      PERCENTAGE",
	  "crash's kmem -i, which has no call sites; give kmem -s, or use 'kmem-account scan' on the dump" },
};

/* Beginnings of the module's tables that have no bytes, or only a part of the call sites. */
static const char *const kma_tables_refused[] = { "kmem_account ages ", "kmem_account live ",
						  "kmem_account pinned ", "kmem_account errors ",
						  "version: 1\nevents booked: " };

/* The reason why a file of a known type is refused, or NULL. */
static const char *kma_reader_refusal(const char *head, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_refused); i++)
		if (len >= kma_refused[i].len &&
		    !memcmp(head, kma_refused[i].magic, kma_refused[i].len))
			return kma_refused[i].sentence;
	return NULL;
}

/*
 * Texts that a format's lines have. If no line of an input is complete, the formats whose texts are in it come
 * nearest.
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

/* Say what a text is that is no account; NULL: it is not known. */
static struct kma_err *refuse_other(const char *name, const char *head, size_t len)
{
	const char *end = head + len, *nl;
	unsigned int removed = 0, line = 1;
	char text[128];
	size_t most;

	for (; head < end; head = nl + 1, line++) {
		nl = memchr(head, '\n', end - head) ?: end;
		most = nl - head;
		most = most < sizeof(text) ? most : sizeof(text) - 1;
		memcpy(text, head, most);
		text[most] = '\0';
		kma_paste_undress(text, &removed);
		for (size_t i = 0; i < ARRAY_SIZE(not_accounts); i++)
			if (!strncmp(text, not_accounts[i].begins, strlen(not_accounts[i].begins)))
				return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, name, line, "%s",
							   not_accounts[i].sentence);
	}
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
static struct kma_err *kma_reader_refuse(const char *name, const char *head, size_t len)
{
	const char *refusal = kma_reader_refusal(head, len);
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

static bool kma_reader_begins(const struct kma_reader_ops *ops, const char *head, size_t len)
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

/* Find the reader of the first line of a text that only one format has; the last line may be a part. */
static const struct kma_reader_ops *reader_of_lines(const struct kma_reader_ops *const *readers,
						    size_t nr, const char *head, size_t len)
{
	const char *end = head + len, *nl;
	char text[KMA_READER_LINE];
	unsigned int removed = 0;

	for (; head < end; head = nl + 1) {
		nl = memchr(head, '\n', end - head) ?: end;
		if (nl - head >= (ptrdiff_t)sizeof(text))
			continue;
		memcpy(text, head, nl - head);
		text[nl - head] = '\0';
		kma_paste_undress(text, &removed);
		for (size_t i = 0; i < nr && *text; i++)
			if (readers[i]->line && readers[i]->line(text) == KMA_LINE_ROW)
				return readers[i];
	}
	return NULL;
}

bool kma_reader_takes(const struct kma_reader_ops *ops, const char *head, size_t len)
{
	if (ops->begins && kma_reader_begins(ops, head, len))
		return true;
	if (ops->line)
		return reader_of_lines(&ops, 1, head, len);
	return !ops->begins && has_sign(ops, head, len) && (!ops->probe || ops->probe(head, len));
}

/* The start of the next part of a text: a line that ends behind this part, or NULL. */
static const char *kma_reader_next_part(const char *text, size_t len)
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
static const struct kma_reader_ops *kma_reader_behind_text(const char *head, size_t len)
{
	const char *end = head + len;

	for (const char *part = head; (part = kma_reader_next_part(part, end - part));)
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
 * Choose a reader. A fixed beginning is certain, so these readers are tried first, and then those who
 * know one of the first lines; the others guess by the content.
 */
static const struct kma_reader_ops *kma_reader_of(const char *head, size_t len)
{
	const size_t lines = len < KMA_READER_LINES_IN ? len : KMA_READER_LINES_IN;
	const struct kma_reader_ops *ops;

	for (size_t i = 0; i < ARRAY_SIZE(kma_readers); i++)
		if (kma_readers[i]->begins && kma_reader_begins(kma_readers[i], head, len))
			return kma_readers[i];
	if (is_of_module(head, len) || kma_reader_refusal(head, len))
		return NULL;
	ops = memchr(head, '\0', len) ?
		      NULL :
		      reader_of_lines(kma_readers, ARRAY_SIZE(kma_readers), head, lines);
	for (size_t i = 0; i < ARRAY_SIZE(kma_readers) && !ops; i++)
		if (!kma_readers[i]->begins && !kma_readers[i]->line &&
		    kma_reader_takes(kma_readers[i], head, len))
			ops = kma_readers[i];
	return ops;
}

/* Choose a reader for a text whose beginning tells nothing. */
static struct kma_err *reader_of_more(struct kma_input *input, const char **head, size_t *len,
				      const struct kma_reader_ops **ret)
{
	struct kma_err *err;

	if (is_of_module(*head, *len) || kma_reader_refusal(*head, *len) ||
	    memchr(*head, '\0', *len))
		return NULL;
	err = kma_input_peek(input, KMA_INPUT_LINE_MAX, head, len);
	if (err || memchr(*head, '\0', *len))
		return err;
	*ret = reader_of_lines(kma_readers, ARRAY_SIZE(kma_readers), *head, *len) ?:
		       kma_reader_behind_text(*head, *len);
	return NULL;
}

struct kma_err *kma_reader_read(struct kma_input *input, struct kma_account **ret)
{
	const struct kma_reader_ops *ops;
	struct kma_err *err;
	const char *head;
	size_t len;

	err = kma_input_head(input, &head, &len);
	if (err)
		return err;
	if (!len)
		return kma_err_create_kind(KMA_ERR_DAMAGED, kma_input_name(input), 1,
					   "the file is empty");
	ops = kma_reader_of(head, len);
	if (!ops)
		err = reader_of_more(input, &head, &len, &ops);
	if (err)
		return err;
	/* What a truncated file has may be too short to be recognised. */
	err = ops ? NULL : kma_input_truncation(input);
	if (err)
		return err;
	return ops ? kma_reader_read_as(ops, input, ret) :
		     kma_reader_refuse(kma_input_name(input), head, len);
}
