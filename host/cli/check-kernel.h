/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check-kernel.h - check --kernel: does the module fit the kernel? See symbol/probes.h.
 */
#ifndef KMA_CLI_CHECK_KERNEL_H
#define KMA_CLI_CHECK_KERNEL_H

#include "session/options.h"

/**
 * kma_check_kernel() - compare a module with a kernel, and write what was found
 * @opts: options; the argument is the module, by default that of the running kernel
 *
 * Return: the exit status: KMA_EXIT_DATA if an event differs or is missing.
 */
int kma_check_kernel(const struct kma_options *opts);

#endif /* KMA_CLI_CHECK_KERNEL_H */
