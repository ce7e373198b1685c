// SPDX-License-Identifier: GPL-2.0-only
/*
 * divide.c - divide a chain of the live map into two, or join two chains.
 */
#include <linux/kernel.h>
#include <linux/mm.h>

#include "account/address.h"
#include "account/birth.h"
#include "account/divide.h"
#include "account/spare.h"

/* The position at which the next entry is added to a chain that is being built. */
struct kma_chain_end {
	struct kma_bucket *b;
	struct kma_birth_place at;	/* place of b */
	u32 count;
	u32 link;		/* index + 1 of the bucket after b, or 0 */
};

/* Write the head of @end->b, which is full, and continue in the bucket after it. */
static void kma_chain_step(struct kma_chain_end *end, u32 *home_head)
{
	u32 head = kma_bucket_head(end->count, end->link);

	if (end->at.next)
		end->b->head = head;
	else
		*home_head = head;
	end->b = kma_overflow(end->link);
	end->at.next = end->link;
	end->count = 0;
}

/* Append the entry in slot @i of @b to a chain. */
static void kma_chain_append(struct kma_chain_end *end, const struct kma_bucket *b,
			     struct kma_birth_place at, u32 i)
{
	kma_bucket_move(end->b, end->count, b, i);
	if (kma_births_kept())
		kma_birth_move(end->at, end->count, at, i);
	end->count++;
}

u32 kma_chain_divide(u32 nr, struct kma_bucket *from, u32 first,
		     struct kma_bucket *to, u32 bit, u32 *spare)
{
	struct kma_chain_end keep = { .b = from, .at.home = nr };
	struct kma_chain_end move = { .b = to, .at.home = nr + bit };
	struct kma_birth_place at = { .home = nr };
	struct kma_bucket *b = from;
	u32 keep_first = first, move_first = 0, head = first, freed, i;

	for (;;) {
		u32 count = kma_bucket_count(head);
		u32 next = kma_bucket_next(head);

		for (i = 0; i < count; i++) {
			bool moves = kma_live_hash((void *)
				kma_live_ptr(b->tag[i], nr)) & bit;
			struct kma_chain_end *end = moves ? &move : &keep;

			if (end->count == KMA_BUCKET_SLOTS && moves) {
				end->link = *spare;
				*spare = kma_overflow(end->link)->head;
				kma_chain_step(end, &move_first);
				end->link = 0;
			} else if (end->count == KMA_BUCKET_SLOTS) {
				/* end->b is b or before b: the loop no longer needs its head */
				end->link = kma_bucket_next(end->b == from ?
							    first : end->b->head);
				kma_chain_step(end, &keep_first);
			}
			kma_chain_append(end, b, at, i);
		}
		if (!next)
			break;
		at.next = next;
		b = kma_overflow(next);
		head = b->head;
	}

	/* release the buckets after the last entry of the old chain */
	freed = kma_bucket_next(keep.b == from ? first : keep.b->head);
	while (freed) {
		u32 next = kma_bucket_next(kma_overflow(freed)->head);

		kma_spare_push(freed);
		freed = next;
	}
	keep.link = 0;
	if (keep.b == from)
		keep_first = kma_bucket_head(keep.count, 0);
	else
		keep.b->head = kma_bucket_head(keep.count, 0);
	if (move.b == to)
		move_first = kma_bucket_head(move.count, 0);
	else
		move.b->head = kma_bucket_head(move.count, 0);
	to->head = move_first;
	return keep_first;
}

u32 kma_chain_join(u32 nr, struct kma_bucket *to, u32 first, struct kma_bucket *from, u32 head,
		   u32 bit, u32 *spare)
{
	struct kma_chain_end end = { .b = to, .at.home = nr };
	struct kma_birth_place at = { .home = nr + bit };
	u32 to_first = first, tail = first, i;

	while (kma_bucket_next(tail)) {
		end.at.next = kma_bucket_next(tail);
		end.b = kma_overflow(end.at.next);
		tail = end.b->head;
	}
	end.count = kma_bucket_count(tail);
	for (;;) {
		for (i = 0; i < kma_bucket_count(head); i++) {
			if (end.count == KMA_BUCKET_SLOTS) {
				end.link = *spare;
				*spare = kma_overflow(end.link)->head;
				kma_chain_step(&end, &to_first);
			}
			kma_chain_append(&end, from, at, i);
		}
		head = kma_bucket_next(head);
		if (at.next)
			kma_spare_push(at.next);
		if (!head)
			break;
		at.next = head;
		from = kma_overflow(head);
		head = from->head;
	}
	if (end.b == to)
		return kma_bucket_head(end.count, 0);
	end.b->head = kma_bucket_head(end.count, 0);
	return to_first;
}
