/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * code.h - numbers of many call sites as few bytes: what changed since the sample before.
 *
 * A sample is a matrix: a row for each site, a column for each number. Only rows with a change
 * are kept: the distances between their places, then column after column the differences, as
 * variable-length integers, packed by zstd with a checksum. Two columns that follow from
 * others (waste, objects) are kept as the difference from what follows. A key sample is one
 * whose sample before is all zeros.
 *
 * Never done here: files, times.
 */
#ifndef KMA_HISTORY_CODE_H
#define KMA_HISTORY_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"
#include "lib/strbuf.h"

#define KMA_CODE_MAX_COLUMNS 48

/* The last sample. Sites are only added. */
struct kma_code {
	unsigned int nr_columns;
	/* columns that follow from others: x is about plus - minus; -1 ends the list */
	struct kma_code_rule {
		int column, plus, minus;
	} rules[4];
	uint64_t skip; /* set of columns that are not decoded: their values stay 0 */
	size_t nr_sites, room;
	uint64_t *values;    /* site by site */
	void *pack, *unpack; /* contexts of zstd, made when they are needed */
};

/**
 * kma_code_deinit() - free all
 * @code: zeroed or in use
 */
void kma_code_deinit(struct kma_code *code);

/**
 * kma_code_clear() - make all values zero: the next sample is a key sample
 * @code: the state
 */
void kma_code_clear(struct kma_code *code);

/**
 * kma_code_put() - code a sample
 * @code: the sample before; becomes this one
 * @values: nr_columns numbers for each site
 * @nr_sites: how many; not fewer than before
 * @out: the bytes are appended
 *
 * Return: NULL or &kma_enomem.
 */
struct kma_err *kma_code_put(struct kma_code *code, const uint64_t *values, size_t nr_sites,
			     struct kma_strbuf *out);

/**
 * kma_code_get() - decode a sample
 * @code: the sample before; becomes this one, also if it ends with an error
 * @bytes: as kma_code_put() made them
 * @len: how many
 * @max_sites: more are an error
 *
 * Return: NULL, &kma_enomem, or an error without a place: the bytes are damaged.
 */
struct kma_err *kma_code_get(struct kma_code *code, const void *bytes, size_t len,
			     size_t max_sites);

#endif /* KMA_HISTORY_CODE_H */
