/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * seed.h - the two text files of trace_analyze, the script that this program follows:
 * the account file, which others' scripts read, and the callers file.
 *
 * The account file has its form to the byte:
 *
 *	current bytes allocated:     669696
 *	current bytes requested:     618823
 *	current wasted bytes:         50873
 *	number of allocs:              7649
 *	number of frees:               2563
 *	number of callers:              115
 *
 *	   total    waste      net alloc/free  caller
 *	---------------------------------------------
 *	  299200        0   298928  1100/1     alloc_inode+0x4f
 *
 * total is all that was ever allocated, net what is live of it. The callers file has a
 * line a caller: itself (60 columns), live bytes, wasted bytes, source file.
 *
 * In both a number that the input does not have is "-", never 0. Callers are written
 * without the size of the function; where two would then be the same, with it; where
 * they still are and lie in different files, with the file behind them. Every caller of the
 * branch that allocated has a line, and the header is their sum. As in the script, a free of
 * an object that the input never saw allocated is in no number, and a caller that only made
 * such frees has no line; a caller that allocates by kmalloc and from a cache has one line.
 */
#ifndef KMA_VIEW_TEXT_SEED_H
#define KMA_VIEW_TEXT_SEED_H

#include "lib/strbuf.h"
#include "tree/node.h"

struct kma_seed {
	const struct kma_node *branch; /* callers below it are shown */
	unsigned int metrics;	       /* those that the input has, 1 << enum kma_metric_id */
	enum kma_metric_id order;      /* largest first; equal ones stand by name */
	bool drops_unknown; /* leave out frees of unknown objects; needs allocs and objects */
};

/**
 * kma_seed_account() - append the account file
 * @seed: what to write
 * @out: where to
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_seed_account(const struct kma_seed *seed, struct kma_strbuf *out);

/**
 * kma_seed_callers() - append the callers file
 * @seed: what to write
 * @out: where to
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_seed_callers(const struct kma_seed *seed, struct kma_strbuf *out);

#endif /* KMA_VIEW_TEXT_SEED_H */
