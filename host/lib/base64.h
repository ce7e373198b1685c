/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base64.h - bytes as text (RFC 4648, section 4), padded with '=' and without line breaks. Results
 * are appended to @ret.
 */
#ifndef KMA_LIB_BASE64_H
#define KMA_LIB_BASE64_H

#include <stdbool.h>

#include "strbuf.h"

void kma_base64_encode(const void *data, size_t len, struct kma_strbuf *ret);

/*
 * False if @text is not exactly what kma_base64_encode() writes; white space is not allowed either.
 */
bool kma_base64_decode(const char *text, size_t len, struct kma_strbuf *ret);

#endif /* KMA_LIB_BASE64_H */
