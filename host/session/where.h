/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * where.h - where all memory of a machine is: MemTotal as a sum of rows. Most rows are lines of
 * meminfo; slab and per-CPU memory are split into what the account has and what it has not.
 *
 * The rows always add up to MemTotal: what no line explains is a row, and so is what two lines
 * count twice, which is the only negative one.
 */
#ifndef KMA_SESSION_WHERE_H
#define KMA_SESSION_WHERE_H

#include "lib/arena.h"
#include "loaded.h"
#include "options.h"

#define KMA_WHERE_REST	"[unexplained]"
#define KMA_WHERE_TWICE "[counted twice]"

struct kma_where_row {
	const char *group; /* "slab" */
	const char *owner; /* "[before]", or a call site */
	uint64_t bytes;
	bool negative;
};

struct kma_where {
	struct kma_arena arena;
	struct kma_where_row *rows;
	size_t nr;
	uint64_t total;		     /* MemTotal */
	struct kma_where_row *pages; /* pages by call site, largest first; they are in @rows, too */
	size_t nr_pages;
};

/**
 * kma_where_load() - reconcile MemTotal
 * @opts: options: account, meminfo, slabinfo
 * @ret: filled in; to be deinitialised, also after an error
 *
 * Without an account, and for one of this machine (below /proc or /sys), the files of this
 * machine are read that @opts does not name. Warnings of the account are printed.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_where_load(const struct kma_options *opts, struct kma_where *ret);

/**
 * kma_where_deinit() - free the rows
 * @where: from kma_where_load()
 */
void kma_where_deinit(struct kma_where *where);

#endif /* KMA_SESSION_WHERE_H */
