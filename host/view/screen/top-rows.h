/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-rows.h - the rows of top: call sites, or groups of them, filtered and sorted.
 *
 * Rows add up: the total is that of all sites, with any filter, and @shown that of the rows. Sites without a group are in a row
 * with a name in brackets.
 */
#ifndef KMA_VIEW_SCREEN_TOP_ROWS_H
#define KMA_VIEW_SCREEN_TOP_ROWS_H

#include "lib/arena.h"
#include "lib/units.h"
#include "model/rates.h"
#include "tree/key.h"
#include "tree/only.h"

/* The keys by which top has rows. */
#define KMA_TOP_KEYS                                                                               \
	(1U << KMA_KEY_CALLER | 1U << KMA_KEY_LINE | 1U << KMA_KEY_FUNCTION | 1U << KMA_KEY_FILE | \
	 1U << KMA_KEY_DIR | 1U << KMA_KEY_MODULE | 1U << KMA_KEY_SUBSYSTEM |                      \
	 1U << KMA_KEY_CACHE | 1U << KMA_KEY_KIND | 1U << KMA_KEY_SIZE | 1U << KMA_KEY_TYPE |      \
	 1U << KMA_KEY_CGROUP)

/* Those of which a row is a place in the code, so that it has a directory. */
#define KMA_TOP_PLACES \
	(1U << KMA_KEY_CALLER | 1U << KMA_KEY_LINE | 1U << KMA_KEY_FUNCTION | 1U << KMA_KEY_FILE)

#define KMA_TOP_TITLE 16 /* bytes of the heading of a key */

/* Columns, which are also the keys to sort by. */
enum kma_top_column_id {
	KMA_TOP_LIVE,
	KMA_TOP_CHANGE,
	KMA_TOP_RATE,
	KMA_TOP_ALLOCS,
	KMA_TOP_FREES,
	KMA_TOP_OBJECTS,
	KMA_TOP_WASTE,
	KMA_TOP_CHARGED,
	KMA_TOP_PEAK,
	KMA_TOP_OLDEST,
	KMA_TOP_NR_NUMBERS,
	/* texts, to the right of the numbers */
	KMA_TOP_DIRECTORY = KMA_TOP_NR_NUMBERS,
	KMA_TOP_NAME,
	KMA_TOP_NR_COLUMNS,
};

/* Needs of columns that are not metrics: numbers of bits after those of the metrics. */
#define KMA_TOP_AGES   KMA_NR_METRICS	    /* ages of objects */
#define KMA_TOP_FILES  (KMA_NR_METRICS + 1) /* rows are places in code with known files */
#define KMA_TOP_ALWAYS (KMA_NR_METRICS + 2) /* nothing; this bit is always set */

/* The directory of a row whose call sites are in several. */
#define KMA_TOP_SEVERAL "[several]"

struct kma_top_row;

struct kma_top_column {
	const char *name;  /* as typed after --sort */
	const char *full;  /* in CSV and JSON */
	const char *title; /* heading, at most as wide as @width */
	size_t width;
	unsigned int needs; /* number of a bit: a metric or one of the above */
	enum kma_unit unit;
	bool is_signed; /* shown with a sign, and coloured by it */
	double (*get)(const struct kma_rates_numbers *numbers); /* NULL: a text */
	const char *(*text)(const struct kma_top_row *row);
};

extern const struct kma_top_column kma_top_columns[KMA_TOP_NR_COLUMNS];

struct kma_top_row {
	const char *key;    /* text of kma_keys_text(); path of a directory in a tree */
	const char *label;  /* shown: the last part of that path; short ids of containers; */
			    /* a caller and its kind, if the row is a twin; several texts */
	bool twin;	    /* another row has the same key, and another kind */
	enum kma_kind kind; /* of a row by caller; else KMA_KIND_UNKNOWN */
	unsigned int depth; /* in a tree */
	bool has_children, is_open;	   /* in a tree */
	bool is_site;			   /* a call site in a tree; @key is below its directory */
	size_t sites;			   /* call sites in it */
	const struct kma_rates_site *site; /* the only site, or the one with the most bytes */
	const char *directory;		   /* of all sites; KMA_TOP_SEVERAL; "": unknown */
	struct kma_rates_numbers numbers;
};

/* The selection and order of rows. */
struct kma_top_query {
	struct kma_keys by;
	enum kma_top_column_id sort;
	bool reversed;	    /* smallest number first, or last text first */
	bool tree;	    /* directories below directories, and call sites in them */
	const char *filter; /* only sites with this text in key or caller, ignoring case; "": all */
	const struct kma_only *only; /* or only those that pass these rules; NULL or none: all */
	const char *open; /* tree: paths of open directories, each between two newlines */
	const struct kma_top_query *within; /* NULL; or only sites of one row of this query, */
	const char *key;		    /* the row with this key, */
	enum kma_kind kind;		    /* and this kind */
};

struct kma_top_rows {
	struct kma_top_row *rows;
	size_t nr, room;
	struct kma_rates_numbers total; /* of all sites */
	struct kma_rates_numbers shown; /* of those that are in a row */
	size_t all;			/* sites, or those within the row of the outer query */
	size_t sites;			/* that are in a row */
	size_t filtered;		/* sites that the filter leaves out */
	struct kma_arena arena;
};

/*
 * @from has to live as long as @rows. A site that has held no bytes since the baseline has no row.
 */
void kma_top_rows_init(struct kma_top_rows *rows, const struct kma_rates *from,
		       const struct kma_top_query *query);

/*
 * The key of the row of a site; in a tree of its innermost directory. It belongs to the site or to
 * @arena.
 */
const char *kma_top_site_key(const struct kma_top_query *query, const struct kma_rates_site *site,
			     struct kma_arena *arena);

/* The heading of a key: "CALL SITE", "MODULE". */
const char *kma_top_title(enum kma_key_id id, char title[KMA_TOP_TITLE]);

/*
 * The kind of the row of a site: that of the site if the rows are by caller, else KMA_KIND_UNKNOWN.
 */
enum kma_kind kma_top_site_kind(const struct kma_top_query *query,
				const struct kma_rates_site *site);

/* Does the filter of @query show a site, whose row has this key? @arena gets texts. */
bool kma_top_passes(const struct kma_top_query *query, const char *key,
		    const struct kma_rates_site *site, struct kma_arena *arena);

void kma_top_rows_deinit(struct kma_top_rows *rows);

/* Writes the number of a column to @buf, which has KMA_NUMBER_LEN bytes, and returns it. */
char *kma_top_column_text(char *buf, const struct kma_top_column *column,
			  const struct kma_rates_numbers *numbers);

#endif /* KMA_VIEW_SCREEN_TOP_ROWS_H */
