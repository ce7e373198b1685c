// SPDX-License-Identifier: GPL-2.0-only
/*
 * sized.c - objects whose sizes are in the live map.
 *
 * The design is in sized.h.
 */
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/percpu.h>

#include "account/sized.h"
#include "account/word.h"
#include "compat/irq.h"

#define KMA_SIZED_PARTS		3
#define KMA_SIZED_BITS		14	/* bits of a part */

static DEFINE_PER_CPU(u64, kma_sized_losses) __aligned(8);

static const void *kma_sized_address(const void *ptr, unsigned int part)
{
	return ptr + ((part + 1ul) << KMA_PTR_SHIFT);
}

bool kma_sized_put(const void *ptr, struct kma_size size, kma_sized_fn replaced)
{
	u64 bits = (u32)size.bytes << 16 | size.req;
	unsigned int i;

	for (i = 0; i < KMA_SIZED_PARTS; i++, bits >>= KMA_SIZED_BITS) {
		const void *at = kma_sized_address(ptr, i);
		u16 part = KMA_LIVE_PART | (bits & ((1u << KMA_SIZED_BITS) - 1));
		struct kma_live_entry old;
		struct kma_bucket *home;
		u32 head;

		home = kma_live_relock(at, &head);
		old = kma_live_put(home, head, at, part, NULL);
		if (old.found == KMA_LIVE_FULL)
			break;
		if (old.found == KMA_LIVE_OLD)
			replaced(old.class, at);
	}
	if (i == KMA_SIZED_PARTS)
		return true;
	while (i--)
		kma_live_part(kma_sized_address(ptr, i), true);
	return false;
}

bool kma_sized_get(const void *ptr, struct kma_size *size, bool take)
{
	u64 bits = 0;
	bool all = true;
	int i;

	for (i = 0; i < KMA_SIZED_PARTS; i++) {
		u64 part = kma_live_part(kma_sized_address(ptr, i), take);

		all &= !!part;
		bits |= (part & ((1u << KMA_SIZED_BITS) - 1)) << (i * KMA_SIZED_BITS);
	}
	if (!all)
		bits = 0;
	*size = (struct kma_size){ .bytes = bits >> 16, .req = bits };
	return all;
}

struct kma_size kma_sized_take(unsigned int class, const void *ptr)
{
	struct kma_size size;

	if (likely(!kma_class_is_sized(class)))
		return kma_class_size(class);
	if (!kma_sized_get(ptr, &size, true))
		kma_cpu_add(kma_sized_losses, 1);
	return size;
}

u64 kma_sized_lost(void)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += kma_word_get(&per_cpu(kma_sized_losses, cpu));
	return sum;
}

void kma_sized_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kma_word_set(&per_cpu(kma_sized_losses, cpu), 0);
}

/* Return false if @o is not an object, or if it was freed since its bucket was read. */
static bool kma_object_fill(struct kma_live_object *o)
{
	unsigned long flags;
	bool found;

	if (o->class >= KMA_LIVE_PART)
		return false;
	o->site = kma_class_owner(o->class);
	if (!kma_class_is_sized(o->class)) {
		o->size = kma_class_size(o->class);
		return true;
	}
	flags = kma_irq_save();
	found = kma_sized_get((void *)o->ptr, &o->size, false);
	kma_irq_restore(flags);
	return found;
}

u32 kma_object_read(u32 home, u32 homes, struct kma_live_object *buf, u32 max)
{
	u32 n = kma_live_read(home, homes, buf, max), i, objects = 0;

	if (n > max)
		return n;
	for (i = 0; i < n; i++) {
		if (!kma_object_fill(&buf[i]))
			continue;
		buf[objects++] = buf[i];
	}
	return objects;
}
