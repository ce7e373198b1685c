/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * where-text.h - write MemTotal as a sum of rows (session/where.h).
 */
#ifndef KMA_CLI_WHERE_TEXT_H
#define KMA_CLI_WHERE_TEXT_H

#include "lib/strbuf.h"
#include "session/options.h"
#include "session/where.h"

/**
 * kma_where_text() - write the rows
 * @where: from kma_where_load()
 * @opts: options: format, bytes, csv_safe, top
 * @out: the document is appended
 *
 * CSV has only the rows that add up to MemTotal. A table and JSON also have the pages by call
 * site, whose bytes are in other rows as well.
 */
void kma_where_text(const struct kma_where *where, const struct kma_options *opts,
		    struct kma_strbuf *out);

#endif /* KMA_CLI_WHERE_TEXT_H */
