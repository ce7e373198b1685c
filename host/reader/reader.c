// SPDX-License-Identifier: GPL-2.0-only
/*
 * reader.c - choose a reader by the content of the input.
 */
#include <string.h>

#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "reader.h"

static const struct kma_reader_ops *const kma_readers[] = {
	&kma_reader_account,	&kma_reader_sites,    &kma_reader_snapshot,  &kma_reader_caches,
	&kma_reader_cgroups,	&kma_reader_nodes,    &kma_reader_allocinfo, &kma_reader_slub,
	&kma_reader_page_owner, &kma_reader_kmemleak, &kma_reader_memleak,   &kma_reader_perf_kmem,
	&kma_reader_trace_dat,	&kma_reader_log,      &kma_reader_waits,     &kma_reader_funcgraph,
	&kma_reader_ftrace,	&kma_reader_scan,
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

/* Beginnings of the module's tables that have no bytes, or only a part of the call sites. */
static const char *const kma_tables_refused[] = { "kmem_account ages ", "kmem_account live ",
						  "kmem_account pinned ", "kmem_account errors ",
						  "version: 1\nevents booked: " };

static struct kma_err *kma_reader_list(const char *name)
{
	_cleanup_strbuf_ struct kma_strbuf list = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(kma_readers); i++)
		kma_strbuf_printf(&list, "%s%s", i ? ", " : "", kma_readers[i]->name);
	return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, name, 1,
				   "unknown type of input (expected one of: %s)", list.str);
}

/* The reason why a file of a known type is refused, or NULL. */
static const char *kma_reader_refusal(const char *head, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_refused); i++)
		if (len >= kma_refused[i].len &&
		    !memcmp(head, kma_refused[i].magic, kma_refused[i].len))
			return kma_refused[i].sentence;
	return NULL;
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
		return kma_reader_list(name);
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

static bool kma_reader_has_sign(const struct kma_reader_ops *ops, const char *head, size_t len)
{
	if (len > KMA_READER_SIGNS_IN)
		len = KMA_READER_SIGNS_IN;
	for (size_t i = 0; ops->signs[i]; i++)
		if (memmem(head, len, ops->signs[i], strlen(ops->signs[i])))
			return true;
	return !ops->signs[0];
}

bool kma_reader_takes(const struct kma_reader_ops *ops, const char *head, size_t len)
{
	if (ops->begins)
		return kma_reader_begins(ops, head, len);
	return kma_reader_has_sign(ops, head, len) && (!ops->probe || ops->probe(head, len));
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
 * Choose a reader for a text that follows other text: perf -v prints many lines before a table, and
 * trace-cmd report one line for each CPU without events. The head is searched in parts.
 */
static const struct kma_reader_ops *kma_reader_behind_text(const char *head, size_t len)
{
	const char *end = head + len;

	if (memchr(head, '\0', len))
		return NULL;
	while ((head = kma_reader_next_part(head, end - head)))
		for (size_t i = 0; i < ARRAY_SIZE(kma_readers); i++)
			if (kma_readers[i]->behind_text &&
			    kma_reader_takes(kma_readers[i], head, end - head))
				return kma_readers[i];
	return NULL;
}

/*
 * Choose a reader. A fixed beginning is certain, so these readers are tried first; the others
 * guess by the content.
 */
static const struct kma_reader_ops *kma_reader_of(const char *head, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_readers); i++)
		if (kma_readers[i]->begins && kma_reader_takes(kma_readers[i], head, len))
			return kma_readers[i];
	if (kma_reader_refusal(head, len))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(kma_readers); i++)
		if (!kma_readers[i]->begins && kma_reader_takes(kma_readers[i], head, len))
			return kma_readers[i];
	return kma_reader_behind_text(head, len);
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
	/* What a truncated file has may be too short to be recognised. */
	err = ops ? NULL : kma_input_truncation(input);
	if (err)
		return err;
	return ops ? kma_reader_read_as(ops, input, ret) :
		     kma_reader_refuse(kma_input_name(input), head, len);
}
