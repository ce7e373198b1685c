/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * irq.h - local_irq_save() and local_irq_restore() as calls.
 *
 * A kernel with paravirt keeps a table entry, and code to patch, for each place that turns irqs
 * off or on: up to 90 bytes for a section. Files that Kbuild builds for size call one place
 * instead.
 */
#ifndef KMA_COMPAT_IRQ_H
#define KMA_COMPAT_IRQ_H

/**
 * kma_irq_save() - turn irqs off
 *
 * Context: any.
 * Return: the previous flags, for kma_irq_restore().
 */
unsigned long kma_irq_save(void);

/**
 * kma_irq_restore() - turn irqs on again, if they were on
 * @flags: from kma_irq_save(), or local_irq_save()
 *
 * Context: any.
 */
void kma_irq_restore(unsigned long flags);

#endif /* KMA_COMPAT_IRQ_H */
