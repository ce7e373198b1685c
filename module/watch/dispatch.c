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
#include "watch/lifetime.h"

DEFINE_STATIC_KEY_FALSE(kma_detail_key);

static unsigned int kma_detail_users;	/* KMA_DETAIL_*, of the features that are on */
static bool kma_detail_walks;		/* kma_detail_origins() has reserved all */

/* Is the origin of each event more than its call site? */
static bool kma_wish_origin(const struct kma_wish *wish)
{
	return (wish->wrappers && *wish->wrappers) || wish->stack_depth > 1;
}

bool kma_detail_use(unsigned int feature, bool on)
{
	unsigned int before = kma_detail_users;

	kma_detail_users = on ? before | feature : before & ~feature;
	if (!kma_detail_users == !before)
		return true;
	if (on)
		static_branch_enable(&kma_detail_key);
	else
		static_branch_disable(&kma_detail_key);
	return false;
}

int kma_detail_origins(void)
{
	int err;

	if (kma_detail_walks)
		return 0;
	err = kma_frame_init();
	if (err)
		return err;
	err = kma_stack_init();
	if (err)
		kma_frame_deinit();
	kma_detail_walks = !err;
	return err;
}

int kma_detail_init(const struct kma_wish *wish)
{
	int err = 0;

	KMA_STUB(kma_detail_init, wish);
	if (wish->stack_depth > KMA_PATH_DEPTH_MAX) {
		pr_err("stack_depth=%u is above %d\n", wish->stack_depth,
		       KMA_PATH_DEPTH_MAX);
		return -EINVAL;
	}
	if (kma_wish_origin(wish) || wish->origins)
		err = kma_detail_origins();
	if (!err && wish->wrappers && *wish->wrappers)
		err = kma_frame_wrap(wish->wrappers);
	if (!err)
		err = kma_path_init(wish->stack_depth);
	if (err) {
		kma_detail_deinit();
		return err;
	}
	kma_caller_use(kma_wish_origin(wish));
	kma_detail_use(KMA_DETAIL_CALLER, kma_wish_origin(wish));
	kma_detail_use(KMA_DETAIL_OBJECTS, wish->objects);
	return 0;
}

void kma_detail_deinit(void)
{
	kma_detail_use(kma_detail_users, false);
	kma_caller_use(false);
	kma_path_deinit();
	kma_stack_deinit();
	kma_frame_deinit();
	kma_detail_walks = false;
}

void kma_detail_reset(void)
{
	kma_path_reset();
	kma_caller_reset();
	kma_age_reset();
	kma_errors_reset();
}

size_t kma_detail_memory(void)
{
	if (!kma_detail_walks)
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

struct kma_live_entry kma_detail_free_as(const struct kma_event *e)
{
	struct kma_live_entry obj;
	struct kma_birth birth;

	obj = kma_account_free_as(e, &birth);
	if (kma_age_on && obj.found == KMA_LIVE_OLD)
		kma_age_end(kma_class_owner(obj.class), &birth);
	return obj;
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
	kma_detail_free_as(e);
	local_irq_restore(flags);
}
