/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * columns.h - the numbers of a site that a history stores, by name: all metrics except those that
 * are sums of others, and the ages of live objects.
 *
 * A series has the names of its columns in its row, in their order. A file may therefore have other
 * columns than this program would write, as long as it knows their names.
 */
#ifndef KMA_STORE_COLUMNS_H
#define KMA_STORE_COLUMNS_H

#include "code.h"
#include "lib/strbuf.h"
#include "model/account.h"

/* Columns, in their order. */
struct kma_columns {
	unsigned int nr;
	unsigned int ids[KMA_CODE_MAX_COLUMNS]; /* what each column is, see columns.c */
	unsigned int at[KMA_CODE_MAX_COLUMNS];	/* index of each column in a row of the file */
	unsigned int metrics;			/* the metrics, bits 1 << enum kma_metric_id */
	bool ages;				/* at least one column is of ages */
	unsigned int place;	 /* column of the place of a site in its account, + 1; 0: none */
	unsigned int nr_unknown; /* columns that only a newer program knows */
};

/* What a reader needs of each call site. Other columns are not decoded. */
struct kma_columns_need {
	unsigned int metrics; /* bits 1 << enum kma_metric_id; 0: all metrics, and ages */
	bool ages;
};

/**
 * kma_columns_of() - get the columns for an account
 * @account: finished
 * @place: with a column for the place of a site, which the caller fills
 * @ret: filled in
 */
void kma_columns_of(const struct kma_account *account, bool place, struct kma_columns *ret);

/* Get the columns for the memory of a call site in a group: the same in all files of this version. */
void kma_columns_of_parts(struct kma_columns *ret);

/* Append the names of columns, each followed by a blank. */
void kma_columns_names(const struct kma_columns *columns, struct kma_strbuf *ret);

/**
 * kma_columns_parse() - find columns by their names
 * @names: from kma_columns_names()
 * @ret: filled in
 *
 * Unknown names are counted and skipped.
 *
 * Return: false if there are no names that are known, or too many.
 */
bool kma_columns_parse(const char *names, struct kma_columns *ret);

/* Set the number of columns of a coder, and which of them can be computed from others. */
void kma_columns_rules(const struct kma_columns *columns, struct kma_code *code);

/**
 * kma_columns_choose() - leave out the columns that a reader does not need
 * @columns: from kma_columns_parse(); those that are not needed are removed
 * @need: what is needed
 * @code: from kma_columns_rules(); it skips columns that neither @need nor the rule of a needed
 *	column has
 *
 * A site that is not in a sample has zeros in all columns. A reader that must tell such sites needs
 * the columns that are never all zero for a site: live bytes, allocations and frees.
 */
void kma_columns_choose(struct kma_columns *columns, const struct kma_columns_need *need,
			struct kma_code *code);

/**
 * kma_columns_get() - get the numbers of a site
 * @columns: the columns
 * @site: the site
 * @up: time of the sample, ns since boot; the oldest object is stored by its time of birth, which
 *	does not change
 * @ret: a number for each column
 */
void kma_columns_get(const struct kma_columns *columns, const struct kma_site *site, uint64_t up,
		     uint64_t *ret);

/**
 * kma_columns_set() - get a site from its numbers
 * @columns: the columns
 * @values: a row of the file
 * @up: as for kma_columns_get()
 * @ret: the metrics
 * @age: the ages
 */
void kma_columns_set(const struct kma_columns *columns, const uint64_t *values, uint64_t up,
		     struct kma_values *ret, struct kma_site_age *age);

/* Is a number of a row not 0? If all are 0, the sample does not have the site. */
bool kma_columns_any(const struct kma_columns *columns, const uint64_t *values);

#endif /* KMA_STORE_COLUMNS_H */
