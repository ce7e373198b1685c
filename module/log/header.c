// SPDX-License-Identifier: GPL-2.0-only
/*
 * header.c - the header of an event log.
 *
 * The design and the locking are in header.h.
 */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/nodemask.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include "account/events.h"
#include "account/site.h"
#include "caller/text.h"
#include "log/clock.h"
#include "log/header.h"
#include "log/record.h"

void kma_header_module(struct kma_log_module *to, const struct kma_text *text)
{
	*to = (struct kma_log_module){
		.base = text->at, .size = text->size,
		.build_id_len = text->id_len,
	};
	memcpy(to->build_id, text->id, sizeof(to->build_id));
}

/* Add a module, unless the memory for modules is full. */
static void kma_header_add(struct module *mod, void *blob)
{
	const struct debugfs_blob_wrapper *b = blob;
	struct kma_log_header *h = b->data;
	struct kma_log_module module;
	struct kma_text text;

	if (h->header_len + KMA_RECORD_MAX > b->size)
		return;
	kma_text_module(mod, &text);
	kma_header_module(&module, &text);
	h->header_len += kma_record_module_fill(b->data + h->header_len, &module, mod->name, 0);
}

static void kma_header_fill(struct kma_log_header *h, enum kma_log_clock clock)
{
	struct kma_text text;

	kma_text_vmlinux(&text);
	*h = (struct kma_log_header){
		.order = KMA_LOG_ORDER,
		.fixed_len = sizeof(*h), .header_len = sizeof(*h),
		.word_bits = BITS_PER_LONG, .page_shift = PAGE_SHIFT,
		.kinds = kma_events,
		.nr_cpus = nr_cpu_ids, .nr_nodes = nr_node_ids,
		.stext = text.at, .etext = text.at + text.size,
		.build_id_len = text.id_len, .bounds = 1, .contexts = 1,
	};
	memcpy(h->magic, KMA_LOG_MAGIC, sizeof(h->magic));
	memcpy(h->build_id, text.id, sizeof(h->build_id));
	strscpy(h->release, init_utsname()->release, sizeof(h->release));
	strscpy(h->machine, init_utsname()->machine, sizeof(h->machine));
	kma_clock_begin(clock, h);
}

int kma_header_create(struct debugfs_blob_wrapper *b, enum kma_log_clock clock)
{
	b->size = sizeof(struct kma_log_header);
	b->data = vzalloc(b->size);
	if (!b->data)
		return -ENOMEM;
	kma_header_fill(b->data, clock);
	return 0;
}

void kma_header_destroy(struct debugfs_blob_wrapper *b)
{
	vfree(b->data);
	b->data = NULL;
}

int kma_header_complete(struct debugfs_blob_wrapper *b)
{
	struct debugfs_blob_wrapper full = { 0 };
	int err;

	/* a module that is loaded after this count is in a stream */
	full.size = b->size + kma_text_each_module(NULL, NULL) * KMA_RECORD_MAX;
	full.data = vzalloc(full.size);
	if (!full.data)
		return -ENOMEM;
	memcpy(full.data, b->data, b->size);
	mutex_lock(&kma_sites.names);
	err = kma_text_each_module(kma_header_add, &full);
	mutex_unlock(&kma_sites.names);
	if (err < 0) {
		kma_header_destroy(&full);
		return err;
	}
	full.size = ((const struct kma_log_header *)full.data)->header_len;
	kma_header_destroy(b);
	*b = full;
	return 0;
}
