/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * figure.h - a picture with its numbers as a page: one HTML file with the picture as SVG and tables
 * below it. Unlike page.h, it holds what the picture shows and no script: it is read, not searched.
 *
 * The page has the colours of the picture's theme. It loads nothing, and its policy forbids scripts
 * and the network.
 */
#ifndef KMA_VIEW_PAGE_FIGURE_H
#define KMA_VIEW_PAGE_FIGURE_H

#include "lib/strbuf.h"
#include "view/chart/scene.h"

/**
 * kma_figure_write() - append the whole page
 * @scene: the picture
 * @width: of the picture in pixels, where there is room for it
 * @tables: what follows the picture: a document in KMA_FORMAT_HTML; NULL: nothing
 * @out: the page is appended
 */
void kma_figure_write(const struct kma_scene *scene, double width, const char *tables,
		      struct kma_strbuf *out);

#endif /* KMA_VIEW_PAGE_FIGURE_H */
