/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-text.h - the parts of the page that are the same for every chart. They are made
 * by view/page/assemble.sh from the files beside it, and compiled into the program.
 */
#ifndef KMA_VIEW_PAGE_PAGE_TEXT_H
#define KMA_VIEW_PAGE_PAGE_TEXT_H

extern const char kma_page_head[];   /* up to the title */
extern const char kma_page_middle[]; /* from there to the data */
extern const char kma_page_tail[];   /* what follows the data */

#endif /* KMA_VIEW_PAGE_PAGE_TEXT_H */
