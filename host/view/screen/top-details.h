/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-details.h - draw the details of a row of top: history, numbers, place in the source, inlined
 * functions, ages, cgroups and call sites, if the account has them.
 */
#ifndef KMA_VIEW_SCREEN_TOP_DETAILS_H
#define KMA_VIEW_SCREEN_TOP_DETAILS_H

#include "top-pen.h"
#include "top.h"

/**
 * kma_top_details_draw() - draw the details of a row
 * @pen: below the head of the screen; the last line of the screen stays free
 * @facts: the data
 * @state: the view state; scrolled is limited, so that the last line stays visible
 * @row: the row
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_top_details_draw(struct kma_top_pen *pen, const struct kma_top_facts *facts,
				     struct kma_top_state *state, const struct kma_top_row *row);

#endif /* KMA_VIEW_SCREEN_TOP_DETAILS_H */
