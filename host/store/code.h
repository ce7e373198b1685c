/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * code.h - code the numbers of many call sites as few bytes: what changed since the last sample.
 *
 * A sample is a matrix with a row for each site and a column for each number. Only rows with a
 * change are coded: the number of rows, the number of changed rows, the distances between their
 * indexes, and then, column by column, their differences from the last sample. All are integers of
 * variable length, 7 bits in a byte; a difference is folded first, so that small negative ones are
 * short, too. The bytes are compressed with zstd, with a checksum. Two columns can be computed from
 * others (waste and objects); for these, the deviation from the computed difference is coded, which
 * is mostly 0.
 *
 * A key sample is coded against a matrix of zeros, so it can be decoded without earlier samples.
 *
 * A reader may skip columns that it does not need; their numbers are then passed over, which costs
 * a fraction of decoding them. Limits: 48 columns, and 256 MiB of a sample before compression.
 *
 * Never done here: files, times.
 */
#ifndef KMA_STORE_CODE_H
#define KMA_STORE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"
#include "lib/strbuf.h"

#define KMA_CODE_MAX_COLUMNS 48 /* kma_code.skip has a bit for each */

/* The state of a coder or decoder: the last sample. Sites are never removed. */
struct kma_code {
	unsigned int nr_columns;
	/* column is about plus - minus, numbers of earlier columns; unused rules are zero */
	struct kma_code_rule {
		int column, plus, minus;
	} rules[4];
	uint64_t skip;	       /* set of columns that are not decoded: their values stay 0 */
	size_t nr_sites, room; /* rows of @values; rows that it has space for */
	uint64_t *values;      /* row by row */
	void *pack, *unpack;   /* contexts of zstd, created when they are needed */
};

/* @code may be zeroed. */
void kma_code_deinit(struct kma_code *code);

/* Sets all values to zero: the next sample is a key sample. */
void kma_code_clear(struct kma_code *code);

/*
 * Appends a sample, nr_columns numbers for each site, to @out. @code, the last sample, becomes this
 * one. There are not fewer sites than in the last sample.
 */
void kma_code_put(struct kma_code *code, const uint64_t *values, size_t nr_sites,
		  struct kma_strbuf *out);

/*
 * Decodes a sample. @code, the last sample, becomes this one, and is undefined after an error,
 * which has no file name: the bytes are corrupt, or have more than @max_sites sites.
 */
struct kma_err *kma_code_get(struct kma_code *code, const void *bytes, size_t len,
			     size_t max_sites);

#endif /* KMA_STORE_CODE_H */
