/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-dat-load.h - load a number from a record that has the host's byte order.
 */
#ifndef KMA_TRACE_TRACE_DAT_LOAD_H
#define KMA_TRACE_TRACE_DAT_LOAD_H

#include <stdint.h>
#include <string.h>

/**
 * kma_dat_load() - load a number from a record
 * @p: its first byte, of any alignment
 * @size: its bytes: 1, 2, 4 or 8
 *
 * Return: the number; 0 for another size.
 */
static inline uint64_t kma_dat_load(const char *p, int size)
{
	uint64_t number = 0;

	switch (size) {
	case 8:
		memcpy(&number, p, 8);
		break;
	case 4:
		memcpy(&number, p, 4);
		break;
	case 2:
		memcpy(&number, p, 2);
		break;
	case 1:
		memcpy(&number, p, 1);
		break;
	}
	return number;
}

#endif /* KMA_TRACE_TRACE_DAT_LOAD_H */
