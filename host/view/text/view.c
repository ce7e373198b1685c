// SPDX-License-Identifier: GPL-2.0
/*
 * view.c - the table of formats.
 */
#include "view.h"

const struct kma_view_ops *const kma_views[KMA_NR_FORMATS] = {
	[KMA_FORMAT_TABLE] = &kma_view_table,
	[KMA_FORMAT_CSV] = &kma_view_csv,
	[KMA_FORMAT_JSON] = &kma_view_json,
};
