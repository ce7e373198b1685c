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

/*
 * The columns for a finished account. @place: with one for the place of a site in it, which the
 * caller fills.
 */
void kma_columns_of(const struct kma_account *account, bool place, struct kma_columns *ret);

/* The columns for the memory of a call site in a group: the same in all files of this version. */
void kma_columns_of_parts(struct kma_columns *ret);

/* Appends the names, each followed by a blank. */
void kma_columns_names(const struct kma_columns *columns, struct kma_strbuf *ret);

/*
 * Finds columns by their names, as kma_columns_names() writes them; unknown names are counted and
 * skipped. False if no name is known, or if there are too many.
 */
bool kma_columns_parse(const char *names, struct kma_columns *ret);

/* Sets the number of columns of a coder, and which of them can be computed from others. */
void kma_columns_rules(const struct kma_columns *columns, struct kma_code *code);

/*
 * Removes the columns that a reader does not need. @code, from kma_columns_rules(), skips those
 * that no rule of a needed column has either. A site that is not in a sample has zeros in all
 * columns. A reader that must recognise such sites needs the columns that are never all zero for a
 * site: live bytes, allocations and frees.
 */
void kma_columns_choose(struct kma_columns *columns, const struct kma_columns_need *need,
			struct kma_code *code);

/*
 * Sets @ret to the numbers of a site, one for each column. @up is the time of the sample, ns since
 * boot: the oldest object is stored by its time of birth, which does not change.
 */
void kma_columns_get(const struct kma_columns *columns, const struct kma_site *site, uint64_t up,
		     uint64_t *ret);

/* The reverse, from a row of the file. */
void kma_columns_set(const struct kma_columns *columns, const uint64_t *values, uint64_t up,
		     struct kma_values *ret, struct kma_site_age *age);

/* Is a number of a row not 0? If all are 0, the sample does not have the site. */
bool kma_columns_any(const struct kma_columns *columns, const uint64_t *values);

#endif /* KMA_STORE_COLUMNS_H */
