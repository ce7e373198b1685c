// SPDX-License-Identifier: GPL-2.0
/*
 * dispatch.c - events for which more is done than by default.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/printk.h>

#include "caller/caller.h"
#include "caller/frame.h"
#include "caller/path.h"
#include "caller/stack.h"
#include "compat/stub.h"
#include "watch/dispatch.h"
#include "watch/errors.h"

bool kma_detail_on __read_mostly;

/* Is the origin of each event more than its call site? */
static bool kma_wish_origin(const struct kma_wish *wish)
{
	return (wish->wrappers && *wish->wrappers) || wish->stack_depth > 1;
}

int kma_detail_init(const struct kma_wish *wish)
{
	int err;

	KMA_STUB(kma_detail_init, wish);
	if (wish->stack_depth > KMA_PATH_DEPTH_MAX) {
		pr_err("stack_depth=%u is above %d\n", wish->stack_depth,
		       KMA_PATH_DEPTH_MAX);
		return -EINVAL;
	}
	kma_detail_on = kma_wish_origin(wish) || wish->objects;
	if (!kma_wish_origin(wish) && !wish->origins)
		return 0;
	err = kma_frame_init(wish->wrappers);
	if (err)
		goto err_off;
	err = kma_stack_init();
	if (err)
		goto err_frame;
	err = kma_path_init(wish->stack_depth);
	if (err)
		goto err_stack;
	kma_caller_init(kma_wish_origin(wish));
	return 0;

err_stack:
	kma_stack_deinit();
err_frame:
	kma_frame_deinit();
err_off:
	kma_detail_on = false;
	return err;
}

void kma_detail_deinit(void)
{
	kma_detail_on = false;
	kma_caller_init(false);
	kma_path_deinit();
	kma_stack_deinit();
	kma_frame_deinit();
}

void kma_detail_reset(void)
{
	kma_path_reset();
	kma_caller_reset();
}

size_t kma_detail_memory(void)
{
	if (!kma_frame_memory())
		return 0;
	return kma_frame_memory() + kma_stack_memory() + kma_path_memory();
}

void kma_detail_forget(bool (*inside)(unsigned long addr, void *arg),
		       void *arg)
{
	kma_frame_forget(inside, arg);
	kma_path_retire(inside, arg);
}

static unsigned int kma_detail_site(const struct kma_event *e)
{
	if (kma_caller_wanted())
		return kma_caller_site(e);
	return kma_site_id(e->call_site, e->kind);
}

void kma_detail_alloc(const struct kma_event *e)
{
	unsigned long flags;

	if (unlikely(in_nmi())) {
		kma_account_nmi();
		return;
	}
	local_irq_save(flags);
	if (kma_errors_on)
		kma_errors_alloc(e);
	if (kma_live_is_open())
		kma_account_alloc_at(kma_detail_site(e), e);
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
	if (kma_errors_on)
		kma_errors_free(e);
	kma_account_free_as(e);
	local_irq_restore(flags);
}
