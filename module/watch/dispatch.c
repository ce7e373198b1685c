// SPDX-License-Identifier: GPL-2.0-only
/*
 * dispatch.c - the long path of events, for features that are off by default.
 *
 * The design is in dispatch.h.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/slab.h>

#include "account/account.h"
#include "account/large.h"
#include "caller/caller.h"
#include "caller/frame.h"
#include "caller/path.h"
#include "caller/sample.h"
#include "caller/stack.h"
#include "caller/symbol.h"
#include "compat/stub.h"
#include "watch/dispatch.h"
#include "watch/errors.h"
#include "watch/lifetime.h"

DEFINE_STATIC_KEY_FALSE(kma_dispatch_key);
DEFINE_STATIC_KEY_FALSE(kma_dispatch_long_key);
DEFINE_STATIC_KEY_FALSE(kma_dispatch_groups_key);
DEFINE_STATIC_KEY_FALSE(kma_dispatch_only_groups_key);

static unsigned int kma_dispatch_users;	/* KMA_DISPATCH_*, of the features that are on */
static bool kma_dispatch_walks;		/* kma_dispatch_origins() has reserved all */

/* Check whether a site is more than a call site. */
static __cold bool kma_features_origin(const struct kma_features *features)
{
	return (features->wrappers && *features->wrappers) || features->stack_depth > 1;
}

static __cold void kma_dispatch_set(struct static_key_false *key, bool on)
{
	if (on)
		static_branch_enable(key);
	else
		static_branch_disable(key);
}

__cold bool kma_dispatch_use(unsigned int feature, bool on)
{
	unsigned int before = kma_dispatch_users, now;

	now = on ? before | feature : before & ~feature;
	kma_dispatch_users = now;
	/* the other keys say where an event goes before the first one sends it there */
	if (!now)
		static_branch_disable(&kma_dispatch_key);
	kma_dispatch_set(&kma_dispatch_groups_key, now & KMA_DISPATCH_GROUPS);
	kma_dispatch_set(&kma_dispatch_long_key,
			 now & ~(KMA_DISPATCH_GROUPS | KMA_DISPATCH_SAMPLES));
	kma_dispatch_set(&kma_dispatch_only_groups_key, now == KMA_DISPATCH_GROUPS);
	if (now)
		static_branch_enable(&kma_dispatch_key);
	return !now == !before;
}

__cold int kma_dispatch_wrap(const char *wrappers)
{
	int err;

	if (kma_dispatch_walks)
		return kma_symbol_wrap(wrappers);
	err = kma_stack_init();
	if (err)
		return err;
	err = kma_frame_init(wrappers);
	if (err)
		kma_stack_deinit();
	kma_dispatch_walks = !err;
	return err;
}

__cold int kma_dispatch_origins(void)
{
	return kma_dispatch_walks ? 0 : kma_dispatch_wrap(NULL);
}

__cold int kma_dispatch_init(const struct kma_features *features)
{
	const char *wrappers = features->wrappers && *features->wrappers ? features->wrappers :
			       NULL;
	int err = 0;

	KMA_STUB(kma_dispatch_init, features);
	if (kma_features_origin(features) || features->origins)
		err = kma_dispatch_wrap(wrappers);
	if (!err)
		err = kma_path_init(features->stack_depth);
	kma_sample_use(KMA_SAMPLE_ALL);
	if (err) {
		kma_dispatch_deinit();
		return err;
	}
	kma_caller_use(kma_features_origin(features));
	kma_dispatch_use(KMA_DISPATCH_CALLER, kma_features_origin(features));
	kma_dispatch_use(KMA_DISPATCH_OBJECTS, features->objects);
	return 0;
}

__cold void kma_dispatch_deinit(void)
{
	kma_dispatch_use(kma_dispatch_users, false);
	kma_caller_use(false);
	kma_account_sites_by(NULL);
	kma_path_deinit();
	kma_stack_deinit();
	kma_frame_deinit();
	kma_dispatch_walks = false;
}

__cold void kma_dispatch_reset(void)
{
	kma_path_reset();
	kma_caller_reset();
	kma_age_reset();
	kma_errors_reset();
}

__cold size_t kma_dispatch_memory(void)
{
	if (!kma_dispatch_walks)
		return 0;
	return kma_frame_memory() + kma_stack_memory() + kma_path_memory();
}

__cold void kma_dispatch_forget(bool (*inside)(unsigned long addr, void *arg), void *arg)
{
	kma_frame_forget(inside, arg);
	kma_path_retire(inside, arg);
}

__cold void kma_dispatch_learn(struct module *mod, void *unused)
{
	kma_frame_learn(mod);
}

static unsigned int kma_dispatch_site(const struct kma_event *e)
{
	if (kma_caller_wanted())
		return kma_caller_site(e, __builtin_frame_address(0));
	return kma_site_id(e->call_site, e->kind);
}

void kma_dispatch_alloc(const struct kma_event *e)
{
	unsigned long flags;

	if (unlikely(!kma_account_may_lock()))
		return;
	local_irq_save(flags);
	if (kma_errors_wanted())
		kma_errors_alloc(e);
	if (kma_live_is_open() && !kma_large_skip(e->call_site, e->bytes))
		kma_account_alloc_at(kma_dispatch_site(e), e);
	local_irq_restore(flags);
}

bool kma_dispatch_free_as(const struct kma_event *e)
{
	struct kma_live_object obj;

	if (!kma_account_free_as(e, &obj))
		return false;
	if (READ_ONCE(kma_births_on))
		kma_age_end(obj.site, &obj.birth);
	return true;
}

void kma_dispatch_free(const struct kma_event *e)
{
	unsigned long flags;

	if (unlikely(ZERO_OR_NULL_PTR(e->ptr)))
		return;
	if (unlikely(!kma_account_may_lock()))
		return;
	local_irq_save(flags);
	if (kma_errors_wanted())
		kma_errors_free(e);
	kma_dispatch_free_as(e);
	local_irq_restore(flags);
}
