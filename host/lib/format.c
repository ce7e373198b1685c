// SPDX-License-Identifier: GPL-2.0-only
/*
 * format.c - names of the formats of printed output.
 */
#include "format.h"

const char *const kma_format_names[KMA_NR_FORMATS] = {
	[KMA_FORMAT_TABLE] = "table",
	[KMA_FORMAT_CSV] = "csv",
	[KMA_FORMAT_JSON] = "json",
};
