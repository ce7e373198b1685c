/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format.h - the formats of printed output.
 */
#ifndef KMA_LIB_FORMAT_H
#define KMA_LIB_FORMAT_H

/* Places in the tables of what writes the formats, also. */
enum kma_format {
	KMA_FORMAT_TABLE,
	KMA_FORMAT_CSV,
	KMA_FORMAT_JSON,
	KMA_NR_FORMATS,
	KMA_FORMAT_HTML = KMA_NR_FORMATS, /* a part of a page (view/page/figure.h); has no name */
};

/* Names as on the command line. */
extern const char *const kma_format_names[KMA_NR_FORMATS];

#endif /* KMA_LIB_FORMAT_H */
