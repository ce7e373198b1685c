// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs' latency of the module.
 */
#include "fuzz.h"

KMA_FUZZ_READER(kma_reader_waits)
