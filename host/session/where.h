/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * where.h - account for all memory of a machine: MemTotal as a sum of rows.
 *
 * Most rows are lines of meminfo. Slab and per-CPU memory are split into bytes of the account and
 * other bytes. The rows always add up to MemTotal: one more row, "[unexplained]", has the bytes
 * that no line has. If lines overlap, "[counted twice]" replaces it, the only negative row.
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
	uint64_t bytes;	   /* absolute value */
	bool negative;	   /* @bytes is subtracted from the sum */
};

struct kma_where {
	struct kma_arena arena; /* texts of call sites */
	struct kma_where_row *rows;
	size_t nr;
	uint64_t total;		     /* MemTotal in bytes, the sum of @rows */
	struct kma_where_row *pages; /* pages by call site, largest first */
	size_t nr_pages;	     /* their bytes are in rows such as page cache, too */
};

/**
 * kma_where_load() - account for all memory
 * @opts: options: account, meminfo, slabinfo
 * @ret: filled in; has to be deinitialised also after an error
 *
 * Without an account, or with one of this machine (below /proc or /sys), files that @opts does not
 * name are read from this machine. Warnings of the account are printed.
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
