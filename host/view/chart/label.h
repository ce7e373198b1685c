/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * label.h - labels of slices: where the text of a slice fits within it.
 */
#ifndef KMA_VIEW_CHART_LABEL_H
#define KMA_VIEW_CHART_LABEL_H

#include "slice.h"

/**
 * kma_label_slice() - give a slice its label, if one fits
 * @layout: has all slices
 * @index: of the slice
 *
 * Return: NULL or an error. A slice without space for a label gets none; this is not an error.
 */
struct kma_err *kma_label_slice(struct kma_layout *layout, size_t index);

/**
 * kma_label_fits() - check whether a turned rectangle lies within a slice
 * @layout: for the radii
 * @slice: the slice
 * @label: its place, turn, width and height
 * @pad: distance to keep from the edges
 *
 * Return: true if it does. For a slice of more than half a turn, the result may be false although
 * the rectangle just fits.
 */
bool kma_label_fits(const struct kma_layout *layout, const struct kma_slice *slice,
		    const struct kma_label *label, double pad);

#endif /* KMA_VIEW_CHART_LABEL_H */
