/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * textwidth.h - width of a text without a font library. SVG and PNG are laid out with the same
 * widths, so they look the same.
 */
#ifndef KMA_VIEW_CHART_TEXTWIDTH_H
#define KMA_VIEW_CHART_TEXTWIDTH_H

#include <stdbool.h>

/* The height that a line of text needs, as a multiple of its font size. */
#define KMA_LINE_HEIGHT 1.2

/**
 * kma_text_width() - width of a line of DejaVu Sans
 * @text: UTF-8
 * @size: font size
 * @bold: bold weight
 *
 * Return: width in units of @size, 2 % more than the font has, as a margin.
 */
double kma_text_width(const char *text, double size, bool bold);

/**
 * kma_text_elide() - shorten a text to a width, with an ellipsis at its end
 * @text: UTF-8
 * @size: font size
 * @bold: bold weight
 * @width: the available width
 *
 * Return: the text, whole or shortened, to be freed by the caller; NULL if fewer than three
 * characters would be left, or if memory is out.
 */
char *kma_text_elide(const char *text, double size, bool bold, double width);

#endif /* KMA_VIEW_CHART_TEXTWIDTH_H */
