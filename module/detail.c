// SPDX-License-Identifier: GPL-2.0
/*
 * detail.c - events for which more is done than by default.
 */
#include <linux/irqflags.h>
#include <linux/preempt.h>

#include "detail.h"

bool kma_detail_on __read_mostly;

void kma_detail_alloc(const struct kma_event *e)
{
	unsigned long flags;

	if (unlikely(in_nmi())) {
		kma_account_nmi();
		return;
	}
	local_irq_save(flags);
	if (kma_live_is_open())
		kma_account_alloc_at(kma_site_id(e->call_site, e->kind), e);
	local_irq_restore(flags);
}

void kma_detail_free(const struct kma_event *e)
{
	unsigned long flags;

	if (unlikely(in_nmi())) {
		kma_account_nmi();
		return;
	}
	local_irq_save(flags);
	kma_account_free_as(e);
	local_irq_restore(flags);
}
