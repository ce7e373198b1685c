/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stacks.h - the call stacks of an account. An input that knows stacks has several rows for a
 * call site, one for each path that led there. The account has their sum as one site; the rows
 * are kept here, so that reports by stack, caller trees and exports can show them.
 *
 * For each call site with stacks, the numbers of its stacks add up to those of the site. What a
 * site holds without a stack is a stack without frames, with a name that says why.
 *
 * A function is a frame once, however many stacks pass it: stacks have numbers of frames.
 */
#ifndef KMA_MODEL_STACKS_H
#define KMA_MODEL_STACKS_H

#include "site.h"

/* Why numbers of a site have no frames. The first one is "-" in files of the module. */
#define KMA_STACK_NONE	    "[no stack]"
#define KMA_STACK_BEFORE    "[before]"	  /* allocated before stacks were switched on */
#define KMA_STACK_UNSAMPLED "[unsampled]" /* its stack was not taken; others' was, see sampled.h */

struct kma_stacks;

struct kma_callstack {
	size_t site;		  /* number of its call site in the account */
	const uint32_t *frames;	  /* numbers of frames, from the call site outwards */
	unsigned int nr_frames;	  /* 0: none, see @rest */
	const char *rest;	  /* why there are no frames; NULL if there are */
	struct kma_values values; /* its part of the numbers of the site */
};

/**
 * kma_stacks_create() - create a set without stacks
 * @ret: the set
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_stacks_create(struct kma_stacks **ret);

/**
 * kma_stacks_destroy() - free all stacks
 * @stacks: from kma_stacks_create(); NULL is fine
 */
void kma_stacks_destroy(struct kma_stacks *stacks);

/**
 * kma_stacks_add() - add a stack
 * @stacks: the set
 * @site: number of its call site
 * @text: frames from the call site outwards, each as %pS prints it, separated by ";"; or "-",
 *	or a name in brackets, for what has no frames
 * @values: its numbers
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_stacks_add(struct kma_stacks *stacks, size_t site, const char *text,
			       const struct kma_values *values);

/**
 * kma_stacks_copy() - add a stack of another set
 * @stacks: the set to add to
 * @site: number of its call site there
 * @from: set that has @stack
 * @stack: what to add
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_stacks_copy(struct kma_stacks *stacks, size_t site,
				const struct kma_stacks *from, const struct kma_callstack *stack);

/**
 * kma_stacks_renumber() - change the numbers of all call sites
 * @stacks: the set
 * @numbers: the new number of each, by the old one
 */
void kma_stacks_renumber(struct kma_stacks *stacks, const size_t *numbers);

/**
 * kma_stacks_all() - get the stacks
 * @stacks: the set
 * @nr: how many there are
 *
 * Return: an array, in the order in which they were added, that stays until the next is added.
 */
const struct kma_callstack *kma_stacks_all(const struct kma_stacks *stacks, size_t *nr);

/**
 * kma_stacks_change() - get the stacks, to change their numbers
 * @stacks: the set
 * @nr: how many there are
 *
 * Return: as kma_stacks_all().
 */
struct kma_callstack *kma_stacks_change(struct kma_stacks *stacks, size_t *nr);

/**
 * kma_stacks_have_frames() - check whether any stack has frames
 * @stacks: the set
 *
 * Return: false if an input has a column for stacks and nothing in it.
 */
bool kma_stacks_have_frames(const struct kma_stacks *stacks);

/**
 * kma_stacks_nr_frames() - count the different frames
 * @stacks: the set
 *
 * Return: their number; the numbers of frames are below it.
 */
uint32_t kma_stacks_nr_frames(const struct kma_stacks *stacks);

/**
 * kma_stacks_frame() - look up a frame
 * @stacks: the set
 * @frame: its number
 *
 * Return: text, symbol, module and offset of the return address; it has no numbers, and no
 * build ID. Stays with the set until the next stack is added.
 */
const struct kma_site *kma_stacks_frame(const struct kma_stacks *stacks, uint32_t frame);

#endif /* KMA_MODEL_STACKS_H */
