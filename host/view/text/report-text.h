/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report-text.h - write a report as a document, with all of its rows.
 */
#ifndef KMA_VIEW_TEXT_REPORT_TEXT_H
#define KMA_VIEW_TEXT_REPORT_TEXT_H

#include "lib/format.h"
#include "view.h"

/**
 * kma_report_text() - write a report
 * @report: the report
 * @format: of the document
 * @out: the document is appended
 */
void kma_report_text(const struct kma_report *report, enum kma_format format,
		     struct kma_strbuf *out);

/**
 * kma_report_stacks() - describe rows that were made from stacks: estimates, --through, helpers
 * @report: the report
 * @out: sentences are appended; none if rows are by call site
 */
void kma_report_stacks(const struct kma_report *report, struct kma_strbuf *out);

/**
 * kma_report_accuracy() - say which lines of events were not counted, and how many rows the input
 *	itself marks as not accurate
 * @report: the report
 * @out: sentences are appended; none if there are no such lines and rows
 */
void kma_report_accuracy(const struct kma_report *report, struct kma_strbuf *out);

#endif /* KMA_VIEW_TEXT_REPORT_TEXT_H */
