// SPDX-License-Identifier: GPL-2.0-only
/*
 * File cgroups in debugfs.
 */
#include "fuzz.h"

KMA_FUZZ_READER(kma_reader_cgroups)
