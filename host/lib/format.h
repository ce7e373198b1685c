/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format.h - the formats of printed output.
 */
#ifndef KMA_LIB_FORMAT_H
#define KMA_LIB_FORMAT_H

/* The values are also indexes of the tables of functions that write the formats. */
enum kma_format {
	KMA_FORMAT_TABLE,
	KMA_FORMAT_CSV,
	KMA_FORMAT_JSON,
	KMA_NR_FORMATS,
	KMA_FORMAT_HTML = KMA_NR_FORMATS, /* part of a page (view/page/figure.h); not an option */
};

/* Names on the command line. */
extern const char *const kma_format_names[KMA_NR_FORMATS];

#endif /* KMA_LIB_FORMAT_H */
