// SPDX-License-Identifier: GPL-2.0-only
/*
 * page_bulk.c - pages that are allocated in bulk.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/ptrace.h>

#include "account/live.h"
#include "caller/origin.h"
#include "compat/kprobes.h"
#include "compat/pages.h"
#include "compat/regs.h"
#include "log/relay_event.h"
#include "source/page_bulk.h"
#include "source/pages.h"
#include "source/selftest_note.h"

/* Calls that may run at once; they may sleep. */
#define KMA_PAGE_BULK_ACTIVE	256

struct kma_page_bulk_call {
	struct kma_origin origin;
	struct page **array;
	struct list_head *list;		/* or NULL; before v6.14 */
};

static int __kprobes
kma_enter_page_bulk(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kma_page_bulk_call *call = (struct kma_page_bulk_call *)ri->data;
	unsigned long flags;

	call->list = KMA_PAGE_BULK_LIST(regs);
	call->array = KMA_PAGE_BULK_ARRAY(regs);
	kma_selftest_see(KMA_TEST_PAGE_BULK, kma_regs_caller(regs), (unsigned long)call->list,
			 (unsigned long)call->array);
	if (!kma_live_is_open() && !kma_relay_wanted())
		return 1;
	/* Walk the stack here: at the return a trampoline is on it. */
	local_irq_save(flags);
	call->origin = kma_origin_above(regs, kma_regs_caller(regs));
	local_irq_restore(flags);
	return 0;
}

/* The function returns the number of pages from the start of the array. */
static int __kprobes
kma_leave_page_bulk(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kma_page_bulk_call *call =
		(const struct kma_page_bulk_call *)ri->data;
	unsigned long n = regs_return_value(regs), i;
	struct page *page;

	for (i = 0; call->array && i < n; i++)
		kma_pages_alloc_one(page_to_pfn(call->array[i]), call->origin);
	if (!call->list)
		return 0;
	/* New pages are at the front of the list. */
	list_for_each_entry(page, call->list, lru) {
		if (!n--)
			break;
		kma_pages_alloc_one(page_to_pfn(page), call->origin);
	}
	return 0;
}

struct kretprobe kma_page_bulk = {
	.kp.symbol_name = KMA_PAGE_BULK,
	.entry_handler = kma_enter_page_bulk,
	.handler = kma_leave_page_bulk,
	.data_size = sizeof(struct kma_page_bulk_call),
	.maxactive = KMA_PAGE_BULK_ACTIVE,
};
