// SPDX-License-Identifier: GPL-2.0-only
/*
 * SLUB's alloc_traces and alloc_calls.
 */
#include "fuzz.h"

KMA_FUZZ_READER(kma_reader_slub)
