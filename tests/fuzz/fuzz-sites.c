// SPDX-License-Identifier: GPL-2.0-only
/*
 * File sites in debugfs.
 */
#include "fuzz.h"

KMA_FUZZ_READER(kma_reader_sites)
