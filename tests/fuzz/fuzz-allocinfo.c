// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/allocinfo.
 */
#include "fuzz.h"

KMA_FUZZ_READER(kma_reader_allocinfo)
