// SPDX-License-Identifier: GPL-2.0-only
/*
 * File of a scan of the heap as an account.
 */
#include "fuzz.h"

KMA_FUZZ_READER(kma_reader_scan)
