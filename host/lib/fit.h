/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fit.h - measure texts in columns of a terminal, and shorten those that are too wide. All texts
 * are the output of kma_escape_plain(): valid UTF-8 without control characters.
 */
#ifndef KMA_LIB_FIT_H
#define KMA_LIB_FIT_H

#include <stddef.h>

#include "strbuf.h"

/**
 * kma_fit_columns() - measure a text
 * @text: UTF-8 without control characters
 *
 * Return: number of columns: two for a wide East Asian character, none for a combining one.
 */
size_t kma_fit_columns(const char *text);

/**
 * kma_fit_middle() - append a text, without its middle if it is too long
 * @sb: appended to
 * @text: UTF-8 without control characters
 * @columns: number of available columns
 *
 * The start and the end stay, with "..." between them, because names of functions and paths differ
 * at both ends. With fewer than 8 columns only the end is removed.
 */
void kma_fit_middle(struct kma_strbuf *sb, const char *text, size_t columns);

#endif /* KMA_LIB_FIT_H */
