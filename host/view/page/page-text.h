/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-text.h - the parts of the page that are the same for every chart. view/page/assemble.sh
 * makes them from the files in its directory, and they are compiled into the program.
 */
#ifndef KMA_VIEW_PAGE_PAGE_TEXT_H
#define KMA_VIEW_PAGE_PAGE_TEXT_H

extern const char kma_page_head[];   /* up to the title */
extern const char kma_page_middle[]; /* from the title to the data */
extern const char kma_page_tail[];   /* after the data */

#endif /* KMA_VIEW_PAGE_PAGE_TEXT_H */
