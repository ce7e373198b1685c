/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-lines.h - write the line of each call site of a page, and the functions inlined there.
 */
#ifndef KMA_VIEW_PAGE_PAGE_LINES_H
#define KMA_VIEW_PAGE_PAGE_LINES_H

#include "page-rows.h"

/**
 * kma_page_lines() - write lines and inlined functions
 * @rows: rows of the tree
 * @out: a member of a JSON object is appended; nothing if no line is known
 *
 * The functions that were inlined at a call site are a chain, from the outer to the inner one.
 * Chains with a common end share it, because most end with kmalloc().
 */
struct kma_err *kma_page_lines(const struct kma_page_rows *rows, struct kma_strbuf *out);

#endif /* KMA_VIEW_PAGE_PAGE_LINES_H */
