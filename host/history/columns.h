/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * columns.h - the numbers of a site that a history keeps, by name: the metrics that are no sums
 * of others, and what is known of the ages of live objects.
 */
#ifndef KMA_HISTORY_COLUMNS_H
#define KMA_HISTORY_COLUMNS_H

#include "code.h"
#include "lib/strbuf.h"
#include "model/account.h"

/* Which columns a series has, in their order. */
struct kma_columns {
	unsigned int nr;
	unsigned int ids[KMA_CODE_MAX_COLUMNS]; /* places in the table of columns.c */
	unsigned int at[KMA_CODE_MAX_COLUMNS];	/* places in a row of the file */
	unsigned int metrics;			/* set of the metrics among them */
	bool ages;
};

/* What a reader needs of a call site; of what it does not need nothing is decoded. */
struct kma_columns_need {
	unsigned int metrics; /* set of 1 << enum kma_metric_id; 0: all, and ages */
	bool ages;
};

/**
 * kma_columns_of() - the columns that an account has
 * @account: finished
 * @ret: filled in
 */
void kma_columns_of(const struct kma_account *account, struct kma_columns *ret);

/**
 * kma_columns_of_parts() - the columns of what a call site holds for a group
 * @ret: filled in
 *
 * They are the same in all files of this version.
 */
void kma_columns_of_parts(struct kma_columns *ret);

/**
 * kma_columns_names() - write the names
 * @columns: columns
 * @ret: names are appended, each followed by a blank
 */
void kma_columns_names(const struct kma_columns *columns, struct kma_strbuf *ret);

/**
 * kma_columns_parse() - find columns by their names
 * @names: as kma_columns_names() wrote them
 * @ret: filled in
 *
 * Return: false if a name is not known.
 */
bool kma_columns_parse(const char *names, struct kma_columns *ret);

/**
 * kma_columns_rules() - say which columns follow from others
 * @columns: columns
 * @code: its columns and rules are set
 */
void kma_columns_rules(const struct kma_columns *columns, struct kma_code *code);

/**
 * kma_columns_choose() - leave out what a reader does not need
 * @columns: as kma_columns_parse() found them; those that are not needed are removed
 * @need: what is needed
 * @code: of kma_columns_rules(); it skips columns that neither @need nor the rule of a needed one has
 *
 * A reader tells a call site that is not there by zeros in all columns, so it needs those that are
 * not all zero of any call site: live bytes, allocations and frees.
 */
void kma_columns_choose(struct kma_columns *columns, const struct kma_columns_need *need,
			struct kma_code *code);

/**
 * kma_columns_get() - the numbers of a site
 * @columns: columns
 * @site: the site
 * @up: ns since boot; the oldest object is kept by its birth, which does not change
 * @ret: a number for each column
 */
void kma_columns_get(const struct kma_columns *columns, const struct kma_site *site, uint64_t up,
		     uint64_t *ret);

/**
 * kma_columns_set() - a site by its numbers
 * @columns: columns
 * @values: a number for each column of the file
 * @up: as for kma_columns_get()
 * @ret: the metrics
 * @age: what is known of ages
 *
 * Return: false if all numbers are 0: there was no such site.
 */
bool kma_columns_set(const struct kma_columns *columns, const uint64_t *values, uint64_t up,
		     struct kma_values *ret, struct kma_site_age *age);

#endif /* KMA_HISTORY_COLUMNS_H */
