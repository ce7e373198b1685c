/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * say.h - errors in the kernel log, with the name of the module before them.
 *
 * pr_err() repeats the name in each text.
 */
#ifndef KMA_SAY_H
#define KMA_SAY_H

#include <linux/compiler.h>

/**
 * kma_err() - print an error to the kernel log
 * @fmt: as of printk(), without level and name
 *
 * Context: any.
 */
__printf(1, 2) void kma_err(const char *fmt, ...);

#endif /* KMA_SAY_H */
