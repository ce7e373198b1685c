/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz-bytes.h - numbers and texts out of the bytes of a run, for targets that make
 * something of them.
 */
#ifndef KMA_FUZZ_BYTES_H
#define KMA_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes of a run, taken from the front; past their end come zeros. */
struct kma_fuzz_bytes {
	const uint8_t *p;
	size_t left;
};

static inline void kma_fuzz_take(struct kma_fuzz_bytes *bytes, void *to, size_t len)
{
	size_t have = len < bytes->left ? len : bytes->left;

	memset(to, 0, len);
	memcpy(to, bytes->p, have);
	bytes->p += have;
	bytes->left -= have;
}

static inline uint8_t kma_fuzz_byte(struct kma_fuzz_bytes *bytes)
{
	uint8_t byte;

	kma_fuzz_take(bytes, &byte, 1);
	return byte;
}

static inline uint16_t kma_fuzz_u16(struct kma_fuzz_bytes *bytes)
{
	uint16_t number;

	kma_fuzz_take(bytes, &number, 2);
	return number;
}

#endif /* KMA_FUZZ_BYTES_H */
