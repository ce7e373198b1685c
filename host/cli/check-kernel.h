/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check-kernel.h - check --kernel: does the module fit the kernel? See symbol/probes.h.
 */
#ifndef KMA_CLI_CHECK_KERNEL_H
#define KMA_CLI_CHECK_KERNEL_H

#include "rows.h"

/*
 * Compares a module (NULL: the installed one of the running kernel) with the types of a kernel
 * (NULL: of the running one), and writes what was found. Returns the exit status: KMA_EXIT_DATA if
 * an event differs or is missing.
 */
int kma_check_kernel(const char *module, const char *btf, const struct kma_text_options *opts);

#endif /* KMA_CLI_CHECK_KERNEL_H */
