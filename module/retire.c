// SPDX-License-Identifier: GPL-2.0-only
/*
 * retire.c - keeps the names of call sites whose code is unloaded.
 */
#include <linux/module.h>
#include <linux/notifier.h>

#include "caller/site_name.h"
#include "log/relay_event.h"
#include "retire.h"
#include "watch/dispatch.h"
#include "watch/latency.h"

static bool kma_in_init_text(unsigned long addr, void *mod)
{
	return within_module_init(addr, mod);
}

static bool kma_in_module(unsigned long addr, void *mod)
{
	return within_module(addr, mod);
}

static int kma_module_notify(struct notifier_block *nb, unsigned long state, void *mod)
{
	kma_relay_module(mod, state);
	if (state == MODULE_STATE_LIVE) {
		kma_site_name_keep(kma_in_init_text, mod);
		kma_latency_retire(kma_in_init_text, mod);
	} else if (state == MODULE_STATE_GOING) {
		kma_site_name_keep(kma_in_module, mod);
		kma_latency_retire(kma_in_module, mod);
	}
	/* Also when a module is loaded: other code may have been at these addresses. */
	if (state == MODULE_STATE_LIVE)
		kma_dispatch_forget(kma_in_init_text, mod);
	else
		kma_dispatch_forget(kma_in_module, mod);
	if (state != MODULE_STATE_GOING)
		kma_dispatch_learn(mod, NULL);
	return NOTIFY_OK;
}

static struct notifier_block kma_module_nb = {
	.notifier_call = kma_module_notify,
};

int kma_retire_init(void)
{
	return register_module_notifier(&kma_module_nb);
}

void kma_retire_deinit(void)
{
	unregister_module_notifier(&kma_module_nb);
}
