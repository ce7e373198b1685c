/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base64.h - bytes as text (RFC 4648, section 4), without line breaks.
 */
#ifndef KMA_LIB_BASE64_H
#define KMA_LIB_BASE64_H

#include <stdbool.h>

#include "strbuf.h"

/**
 * kma_base64_encode() - write bytes as base64
 * @data: the bytes
 * @len: how many
 * @ret: the text is appended, padded with '='
 */
void kma_base64_encode(const void *data, size_t len, struct kma_strbuf *ret);

/**
 * kma_base64_decode() - read base64
 * @text: the text, padded; without white space
 * @len: its length
 * @ret: the bytes are appended
 *
 * Return: whether @text is what kma_base64_encode() writes, for any bytes.
 */
bool kma_base64_decode(const char *text, size_t len, struct kma_strbuf *ret);

#endif /* KMA_LIB_BASE64_H */
