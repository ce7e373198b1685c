/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report-text.h - write a report as a document, with all of its rows.
 */
#ifndef KMA_VIEW_TEXT_REPORT_TEXT_H
#define KMA_VIEW_TEXT_REPORT_TEXT_H

#include "lib/format.h"
#include "view.h"

void kma_report_text(const struct kma_report *report, enum kma_format format,
		     struct kma_strbuf *out);

/*
 * Appends sentences about rows that were made from stacks: estimates, --through, helpers. None if
 * rows are by call site.
 */
void kma_report_stacks(const struct kma_report *report, struct kma_strbuf *out);

/*
 * Appends a sentence about rows by type: how the types are known, and which call site without one has
 * the most live bytes. None if no key is the type.
 */
void kma_report_types(const struct kma_report *report, struct kma_strbuf *out);

/*
 * Appends sentences about the lines of events that were not counted, and about rows that the input
 * itself marks as not accurate; none if there are no such lines and rows.
 */
void kma_report_accuracy(const struct kma_report *report, struct kma_strbuf *out);

#endif /* KMA_VIEW_TEXT_REPORT_TEXT_H */
