/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * say.h - errors in the kernel log, with the name of the module before them.
 *
 * pr_err() repeats the name in each text.
 */
#ifndef KMA_SAY_H
#define KMA_SAY_H

#include <linux/compiler.h>
#include <linux/init.h>

/**
 * kma_err() - print an error to the kernel log
 * @fmt: as of printk(), without level and name
 *
 * Context: any.
 */
__printf(1, 2) void kma_err(const char *fmt, ...);

#ifdef KMA_KUNIT
#define kma_init_err kma_err	/* tests call functions that are __init, after loading */
#else
/**
 * kma_init_err() - print an error by kma_err(), with a text that the kernel frees after loading
 * @text: as @fmt of kma_err(), a literal
 *
 * Context: functions that are __init.
 */
#define kma_init_err(text, ...)						\
do {									\
	static const char fmt_[] __initconst = text;			\
									\
	kma_err(fmt_, ##__VA_ARGS__);					\
} while (0)
#endif

#endif /* KMA_SAY_H */
