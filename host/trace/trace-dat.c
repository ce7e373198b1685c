// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace-dat.c - how a trace.dat begins.
 */
#include <string.h>

#include "trace-dat.h"

bool kma_dat_probe(const char *head, size_t len)
{
	return len >= KMA_DAT_MAGIC_LEN && !memcmp(head, KMA_DAT_MAGIC, KMA_DAT_MAGIC_LEN);
}
