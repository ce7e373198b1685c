/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * figure.h - write a picture with its numbers as a page: one HTML file with the picture as SVG and
 * tables below it. Unlike the page of page.h, it has only the data of the picture, and no script.
 *
 * The page has the colours of the picture's theme. It loads nothing, and its policy forbids scripts
 * and the network.
 */
#ifndef KMA_VIEW_PAGE_FIGURE_H
#define KMA_VIEW_PAGE_FIGURE_H

#include "lib/strbuf.h"
#include "view/chart/scene.h"

/*
 * @width is in pixels, if the window is wide enough. @tables is a document in KMA_FORMAT_HTML,
 * which follows the picture; NULL: none.
 */
void kma_figure_write(const struct kma_scene *scene, double width, const char *tables,
		      struct kma_strbuf *out);

#endif /* KMA_VIEW_PAGE_FIGURE_H */
