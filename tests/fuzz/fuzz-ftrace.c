// SPDX-License-Identifier: GPL-2.0-only
/*
 * Logs of ftrace.
 */
#include "fuzz.h"

KMA_FUZZ_READER(kma_reader_ftrace)
