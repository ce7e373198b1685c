// SPDX-License-Identifier: GPL-2.0
/*
 * detail.c - events for which more is done than by default.
 */
#include <linux/irqflags.h>
#include <linux/preempt.h>

#include "detail.h"
#include "frame.h"
#include "stack.h"

bool kma_detail_on __read_mostly;

static bool kma_wish_stacks(const struct kma_wish *wish)
{
	return wish->wrappers && *wish->wrappers;
}

int kma_detail_init(const struct kma_wish *wish)
{
	int err;

	if (!kma_wish_stacks(wish))
		return 0;
	err = kma_frame_init(wish->wrappers);
	if (err)
		return err;
	err = kma_stack_init();
	if (err)
		goto err_frame;
	kma_detail_on = true;
	return 0;

err_frame:
	kma_frame_deinit();
	return err;
}

void kma_detail_deinit(void)
{
	kma_stack_deinit();
	kma_frame_deinit();
}

void kma_detail_forget(bool (*inside)(unsigned long addr, void *arg),
		       void *arg)
{
	kma_frame_forget(inside, arg);
}

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
