/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stacks.h - the call stacks of an account. An input with stacks has several rows for a call site,
 * one for each path that led there. The account has their sum as one site; the rows are kept here,
 * so that reports by stack, caller trees and exports can show them.
 *
 * For each call site with stacks, the numbers of its stacks add up to those of the site. Numbers of
 * a site without a stack are a stack without frames, whose name says why it has none.
 *
 * A frame is stored and parsed once, however many stacks contain it: a stack is an array of numbers
 * of frames. A stack takes 208 bytes, and 4 for each frame. Beyond the limits of intern.h, further
 * frames become KMA_INTERN_REST_NAME.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_STACKS_H
#define KMA_MODEL_STACKS_H

#include "site.h"

/* Reasons why numbers of a site have no frames. */
#define KMA_STACK_NONE	    "[no stack]"  /* "-" in files of the module */
#define KMA_STACK_BEFORE    "[before]"	  /* allocated before stacks were switched on */
#define KMA_STACK_UNSAMPLED "[unsampled]" /* allocations that were not sampled, see sampled.h */

struct kma_stacks;

struct kma_callstack {
	size_t site;		  /* index of its call site in the account */
	const uint32_t *frames;	  /* numbers of frames, from the call site outwards */
	unsigned int nr_frames;	  /* 0: none, see @rest */
	const char *rest;	  /* reason why there are no frames; NULL if there are some */
	struct kma_values values; /* its part of the numbers of the site */
};

struct kma_stacks *kma_stacks_create(void);
void kma_stacks_destroy(struct kma_stacks *stacks);

/*
 * Adds a stack of the call site with index @site: frames from the call site outwards, each as %pS
 * prints it, separated by ";"; without frames "-", or a name in brackets.
 */
void kma_stacks_add(struct kma_stacks *stacks, size_t site, const char *text,
		    const struct kma_values *values);

/* Adds a copy of a stack of @from. */
void kma_stacks_copy(struct kma_stacks *stacks, size_t site, const struct kma_stacks *from,
		     const struct kma_callstack *stack);

/* Changes the indexes of all call sites. @numbers has the new ones by the old ones. */
void kma_stacks_renumber(struct kma_stacks *stacks, const size_t *numbers);

/* In the order of addition, owned by the set, valid until the next stack is added. */
const struct kma_callstack *kma_stacks_all(const struct kma_stacks *stacks, size_t *nr);

/* The same, to change their values. */
struct kma_callstack *kma_stacks_change(struct kma_stacks *stacks, size_t *nr);

/* False if there are no stacks, or the input has a column of stacks that is empty. */
bool kma_stacks_have_frames(const struct kma_stacks *stacks);

/* The number of different frames; the numbers of frames are below it. */
uint32_t kma_stacks_nr_frames(const struct kma_stacks *stacks);

/*
 * A frame as a site with text, symbol, module and offset of the return address, but without values
 * and build ID. Owned by the set, valid until the next stack is added.
 */
const struct kma_site *kma_stacks_frame(const struct kma_stacks *stacks, uint32_t frame);

#endif /* KMA_MODEL_STACKS_H */
