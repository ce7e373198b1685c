// SPDX-License-Identifier: GPL-2.0-only
/*
 * relay_event.c - events that a probe does not write as a short record: those of hooks and
 * kprobes, pages, modules, and events whose sizes or call sites do not fit in 32 bits.
 *
 * The design and the locking are in relay_event.h.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/slab.h>

#include "caller/rcu_free.h"
#include "caller/text.h"
#include "log/clock.h"
#include "log/header.h"
#include "log/relay_event.h"

DEFINE_STATIC_KEY_FALSE(kma_relay_key);
DEFINE_PER_CPU_ALIGNED(struct kma_stream, kma_streams);
unsigned long kma_relay_text __read_mostly = KMA_RELAY_CLOSED;

/*
 * The base address of call sites, or KMA_RELAY_CLOSED. Interrupts stay off until the record is
 * written: kma_relay_shut() waits for that.
 */
static unsigned long kma_relay_base(void)
{
	/* Pairs with the smp_store_release() in kma_relay_open(): the START is filled in. */
	return smp_load_acquire(&kma_relay_text);
}

static void kma_relay_put_module(const struct module *mod, const struct kma_text *text,
				 unsigned int flags)
{
	struct kma_log_module module;
	unsigned long irqs;

	if (!text->size)
		return;
	kma_header_module(&module, text);
	local_irq_save(irqs);
	if (kma_relay_base() != KMA_RELAY_CLOSED)
		kma_record_module(this_cpu_ptr(&kma_streams), &module,
				  mod->name, flags, kma_clock_now());
	local_irq_restore(irqs);
}

/*
 * The build ID of a module is in sysfs only when the module is live. So a second record
 * follows then. A log that is switched on in between has the module in its header.
 */
void kma_relay_module(struct module *mod, unsigned long state)
{
	unsigned int gone = state == MODULE_STATE_COMING ? 0 : KMA_LOG_GONE;
	struct kma_text text;

	if (!kma_relay_wanted())
		return;
	if (state != MODULE_STATE_GOING) {
		kma_text_module_init(mod, &text);
		kma_relay_put_module(mod, &text, KMA_LOG_INIT | gone);
		gone = 0;
	}
	kma_text_module(mod, &text);
	kma_relay_put_module(mod, &text, gone);
}

/* Called in any context; an event in an NMI is refused. */
static void kma_relay_book(struct kma_record_event *e, bool alloc, bool ask)
{
	struct kma_stream *s;
	unsigned long irqs;

	if (in_nmi()) {
		if (kma_relay_base() != KMA_RELAY_CLOSED)
			this_cpu_inc(kma_streams.nmi);
		return;
	}
	local_irq_save(irqs);
	e->base = kma_relay_base();
	if (e->base == KMA_RELAY_CLOSED)
		goto out;
	s = this_cpu_ptr(&kma_streams);
	e->tid = current->pid;
	if (ask && kma_rcu_free_used())
		e->quiet = kma_rcu_free_ended(e->site);
	if (alloc)
		kma_record_alloc(s, e, kma_clock_now());
	else
		kma_record_free(s, e, kma_clock_now());
out:
	local_irq_restore(irqs);
}

void kma_relay_alloc_slow(unsigned long call_site, const void *ptr, size_t req,
			  size_t bytes, u32 gfp, unsigned int flags)
{
	struct kma_record_event e = {
		.site = call_site, .ptr = (unsigned long)ptr, .req = req,
		.bytes = bytes, .gfp = gfp, .kind = flags & KMA_LOG_KIND,
		.node = (int)(flags >> KMA_LOG_NODE_SHIFT) - 1,
	};

	kma_relay_book(&e, true, false);
}

void kma_relay_free_slow(unsigned long call_site, const void *ptr, enum kma_log_kind kind)
{
	struct kma_record_event e = {
		.site = call_site, .ptr = (unsigned long)ptr,
		.node = NUMA_NO_NODE, .kind = kind,
	};

	kma_relay_book(&e, false, true);
}

static enum kma_log_kind kma_relay_kind(const struct kma_event *e)
{
	/* the two enumerations have the same numbers */
	BUILD_BUG_ON((int)KMA_LOG_DEFERRED != (int)KMA_KIND_FREE);
	BUILD_BUG_ON((int)KMA_LOG_KMALLOC != (int)KMA_KIND_KMALLOC);
	BUILD_BUG_ON((int)KMA_LOG_CACHE != (int)KMA_KIND_CACHE);
	BUILD_BUG_ON((int)KMA_LOG_PAGE != (int)KMA_KIND_PAGE);
	BUILD_BUG_ON((int)KMA_LOG_PERCPU != (int)KMA_KIND_PERCPU);
	return (enum kma_log_kind)e->kind;
}

void kma_relay_alloc_event(const struct kma_event *e)
{
	kma_relay_alloc_slow(e->call_site, e->ptr, e->req, e->bytes, 0,
			     kma_relay_alloc_kind(kma_relay_kind(e), e->bytes));
}

void kma_relay_free_event(const struct kma_event *e)
{
	struct kma_record_event r = {
		.site = e->call_site, .ptr = (unsigned long)e->ptr,
		.node = NUMA_NO_NODE, .kind = kma_relay_kind(e),
		.quiet = e->quiet,
	};

	if (!ZERO_OR_NULL_PTR(e->ptr))
		kma_relay_book(&r, false, false);
}

void kma_relay_pages(unsigned long pfn, unsigned int order,
		     unsigned long call_site, enum kma_log_kind kind, bool quiet)
{
	const size_t bytes = PAGE_SIZE << order;
	struct kma_record_event e = {
		.site = call_site, .req = call_site ? bytes : 0, .bytes = bytes,
		.node = NUMA_NO_NODE, .kind = kind, .quiet = quiet,
	};

	if (pfn != ~0ul)
		e.ptr = pfn << PAGE_SHIFT;
	kma_relay_book(&e, call_site, false);
}
