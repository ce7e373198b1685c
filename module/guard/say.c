// SPDX-License-Identifier: GPL-2.0-only
/*
 * say.c - errors in the kernel log, with the name of the module before them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/printk.h>

#include "guard/say.h"

void kma_err(const char *fmt, ...)
{
	struct va_format vaf = { .fmt = fmt };
	va_list args;

	va_start(args, fmt);
	vaf.va = &args;
	pr_err("%pV", &vaf);
	va_end(args);
}
