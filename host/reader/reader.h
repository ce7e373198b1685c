/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reader.h - inputs. A reader turns one kind of file into an account. The file's
 * content decides which reader takes it, never its name.
 */
#ifndef KMA_READER_READER_H
#define KMA_READER_READER_H

#include "input/input.h"
#include "model/account.h"

struct kma_reader_ops {
	const char *name;   /* of the kind of file, for messages */
	bool times;	    /* it knows of intervals, see kma_input_set_interval() */
	const char *begins; /* every file of the kind begins so; NULL: @probe decides */
	/* Is this the kind? Looks at the beginning only, which need not be text. */
	bool (*probe)(const char *head, size_t len);
	/* Reads it all into an empty account, not to be finished; the error names file and line. */
	struct kma_err *(*read)(struct kma_input *input, struct kma_account *account);
};

/* The readers, one for each file in this directory. */
extern const struct kma_reader_ops kma_reader_account;
extern const struct kma_reader_ops kma_reader_allocinfo;
extern const struct kma_reader_ops kma_reader_caches;
extern const struct kma_reader_ops kma_reader_cgroups;
extern const struct kma_reader_ops kma_reader_nodes;
extern const struct kma_reader_ops kma_reader_kmemleak;
extern const struct kma_reader_ops kma_reader_log;
extern const struct kma_reader_ops kma_reader_memleak;
extern const struct kma_reader_ops kma_reader_page_owner;
extern const struct kma_reader_ops kma_reader_perf_kmem;
extern const struct kma_reader_ops kma_reader_sites;
extern const struct kma_reader_ops kma_reader_slub;
extern const struct kma_reader_ops kma_reader_snapshot;
extern const struct kma_reader_ops kma_reader_trace_dat;
extern const struct kma_reader_ops kma_reader_funcgraph;
extern const struct kma_reader_ops kma_reader_ftrace;
extern const struct kma_reader_ops kma_reader_waits;

/**
 * kma_reader_takes() - is a file of the kind that a reader reads?
 * @ops: the reader
 * @head: the beginning of the file, which need not be text
 * @len: bytes of @head
 *
 * Return: true if the file begins with the reader's text, or if the reader recognises it.
 */
bool kma_reader_takes(const struct kma_reader_ops *ops, const char *head, size_t len);

/**
 * kma_reader_read() - read an input of whatever kind
 * @input: nothing was taken of it yet
 * @ret: a finished account
 *
 * Return: NULL, or an error that names the file and, where there is one, the line.
 */
struct kma_err *kma_reader_read(struct kma_input *input, struct kma_account **ret);

/**
 * kma_reader_read_as() - read an input whose kind is known
 * @ops: the reader for it
 * @input: nothing was taken of it yet
 * @ret: a finished account
 *
 * Return: as kma_reader_read().
 */
struct kma_err *kma_reader_read_as(const struct kma_reader_ops *ops, struct kma_input *input,
				   struct kma_account **ret);

#endif /* KMA_READER_READER_H */
