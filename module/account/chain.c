// SPDX-License-Identifier: GPL-2.0-only
/*
 * chain.c - an event whose home bucket is full and followed by one overflow bucket.
 *
 * With a million live objects, the inline half of one event in ten (account.h) calls a function
 * of this file. These functions call another one only as their last instruction, so they need no
 * stack. They pass all other cases on to account.c:
 *
 *  - the home bucket is followed by no overflow bucket, or by more than one;
 *  - the overflow bucket has no free slot for an allocation, or no object for a free;
 *  - the map already has the object that is allocated, or does not have the one that is freed;
 *  - another event has locked the home bucket.
 *
 * Only the last bucket of a chain may have free slots (live.h). The home bucket is therefore full.
 * An allocated object goes into the overflow bucket. When an object is freed, the last object of
 * the overflow bucket takes its slot.
 *
 * Never done here: taking a lock or a spare bucket. An NMI may therefore run these functions, like
 * the inline half.
 *
 * Locking: the caller has locked the home bucket, and with it the chain; irqs are off.
 */
#include <linux/irqflags.h>

#include "account/account.h"
#include "account/spare.h"

/* Check that the caller has locked a full bucket that another bucket follows. */
static __always_inline bool kma_chain_follows(u32 head)
{
	return head > KMA_BUCKET_SLOTS && head != KMA_BUCKET_LOCKED;
}

void kma_account_alloc_chain(unsigned long flags, unsigned int class,
			     const void *ptr, struct kma_bucket *home, u32 head)
{
	u32 tag = kma_live_tag(ptr);
	unsigned long count, i;
	struct kma_bucket *b;

	if (unlikely(!kma_chain_follows(head)) ||
	    unlikely(kma_bucket_search(home, tag) != KMA_BUCKET_SLOTS))
		goto rest;
	b = kma_overflow_after(head);
	count = b->head;
	if (unlikely(count >= KMA_BUCKET_SLOTS))
		goto rest;
	/* the new entry, not yet counted in the head, ends the search */
	kma_bucket_set(b, count, tag, class);
	for (i = 0; b->tag[i] != tag; i++)
		;
	if (unlikely(i != count))
		goto rest;
	b->head = i + 1;
	kma_bucket_unlock(home, head);
	local_irq_restore(flags);
	return;
rest:
	kma_account_alloc_rest(flags, class, ptr, home, head);
}

/* Free an object of such a chain that is not the last one of the overflow bucket. */
static noinline void kma_account_free_older(unsigned long flags, unsigned long call_site,
					    const void *ptr, struct kma_bucket *home, u32 head)
{
	struct kma_bucket *b = kma_overflow_after(head), *at = b;
	u32 tag = kma_live_tag(ptr), last = b->head - 1;
	unsigned long i = last, class;

	while (i-- && at->tag[i] != tag)
		;
	if ((long)i < 0) {
		at = home;
		for (i = 0; i < KMA_BUCKET_SLOTS && at->tag[i] != tag; i++)
			;
	}
	class = i < KMA_BUCKET_SLOTS ? at->class[i] : KMA_CLASS_END;
	/* not in this chain, not an object, or one whose sizes are in the map */
	if (unlikely(!kma_class_is_plain(class))) {
		kma_account_free_rest(flags, call_site, ptr, home, head);
		return;
	}
	kma_bucket_move(at, i, b, last);
	b->head = last;
	kma_bucket_unlock(home, head);
	kma_class_out(class, 1);
	local_irq_restore(flags);
}

void kma_account_free_chain(unsigned long flags, unsigned long call_site,
			    const void *ptr, struct kma_bucket *home, u32 head)
{
	unsigned long last, class;
	struct kma_bucket *b;

	if (unlikely(!kma_chain_follows(head)))
		goto rest;
	b = kma_overflow_after(head);
	last = b->head - 1;
	/* empty, or followed by others */
	if (unlikely(last >= KMA_BUCKET_SLOTS))
		goto rest;
	/* most objects are freed soon, and then are the last one */
	if (b->tag[last] != kma_live_tag(ptr)) {
		kma_account_free_older(flags, call_site, ptr, home, head);
		return;
	}
	class = b->class[last];
	/* no object, or one whose sizes are in the map */
	if (unlikely(!kma_class_is_plain(class)))
		goto rest;
	b->head = last;
	kma_bucket_unlock(home, head);
	kma_class_out(class, 1);
	local_irq_restore(flags);
	return;
rest:
	kma_account_free_rest(flags, call_site, ptr, home, head);
}
