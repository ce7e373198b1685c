/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * seed.h - the two text files of the script trace_analyze: the account file, which other scripts
 * read, and the callers file.
 *
 * The account file has the same form as that of the script, to the byte:
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
 * total is the number of bytes ever allocated, net the live bytes. The callers file has a line for
 * each caller: its name (60 columns), live bytes, wasted bytes, source file.
 *
 * In both files, a number that the input does not have is "-", never 0. The name of a caller has
 * no size of the function, unless two callers would then have the same name. If the names are
 * still the same, and the callers are in different files, the name of the file follows. Each
 * caller of the branch that allocated has a line, and the header has their sums. As in the
 * script, the free of an object whose allocation the input does not have is not counted, and a
 * caller with only such frees has no line. A caller that allocates by kmalloc and from a cache has
 * one line.
 */
#ifndef KMA_VIEW_TEXT_SEED_H
#define KMA_VIEW_TEXT_SEED_H

#include "lib/strbuf.h"
#include "tree/node.h"

struct kma_seed {
	const struct kma_node *branch; /* branch of the callers */
	unsigned int metrics;	       /* metrics that the input has, 1 << enum kma_metric_id */
	enum kma_metric_id
		order;	    /* order, largest first; callers with equal values are sorted by name */
	bool drops_unknown; /* leave out frees of unknown objects; needs allocs and objects */
};

/* The account file, and the callers file. */
void kma_seed_account(const struct kma_seed *seed, struct kma_strbuf *out);
void kma_seed_callers(const struct kma_seed *seed, struct kma_strbuf *out);

#endif /* KMA_VIEW_TEXT_SEED_H */
