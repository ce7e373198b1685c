// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq.c - sections with irqs off, for files that are built for size.
 *
 * compat/irq.h has the reason.
 */
#include <linux/irqflags.h>

#include "compat/irq.h"

unsigned long kma_irq_save(void)
{
	unsigned long flags;

	local_irq_save(flags);
	return flags;
}

void kma_irq_restore(unsigned long flags)
{
	local_irq_restore(flags);
}
