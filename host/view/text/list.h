/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.h - write a branch of a tree as a report: its rows, sorted and limited in number.
 */
#ifndef KMA_VIEW_TEXT_LIST_H
#define KMA_VIEW_TEXT_LIST_H

#include "lib/format.h"
#include "lib/strbuf.h"
#include "view.h"

struct kma_list {
	const struct kma_node *branch; /* top node of the rows */
	enum kma_metric_id sort;       /* order of the rows */
	unsigned long depth;	       /* by directory: levels; 0: all */
	unsigned long top; /* number of rows, the others are combined into one; 0: all */
	enum kma_format format;
	bool fit;     /* a table on a terminal has only the rows that fit */
	bool columns; /* the user named the columns: all of them stay */
};

/* Append the report of a branch. @report is complete except for its rows. */
void kma_list_write(const struct kma_list *list, const struct kma_report *report,
		    struct kma_strbuf *out);

#endif /* KMA_VIEW_TEXT_LIST_H */
