/* SPDX-License-Identifier: GPL-2.0 */
/*
 * detail.h - events for which more is done than by default.
 *
 * What costs more than a probe of account.h may, and is asked for by parameters,
 * is done here. If there is no such wish, the tracepoints have the probes of
 * account.h; else those of this file. So what nobody asked for costs nothing.
 * The rarer kprobes of untraced.c always come here.
 *
 * An event is one call: kma_detail_alloc() or kma_detail_free() turns
 * interrupts off, lets the rooms that have a wish look at the event, and books
 * it by kma_account_alloc_at() or _free_as(). NMIs are refused as everywhere.
 *
 * Never done here: a table of its own; each wish has a room for that.
 */
#ifndef KMA_DETAIL_H
#define KMA_DETAIL_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "account.h"

extern bool kma_detail_on;

/**
 * kma_detail_wanted() - does a parameter ask for more than the default?
 *
 * Context: any. It does not change while the module is loaded.
 * Return: true if events go to kma_detail_alloc() and _free().
 */
static __always_inline bool kma_detail_wanted(void)
{
	return kma_detail_on;
}

/**
 * kma_detail_alloc() - book an allocation, with all that is asked for
 * @e: the event
 *
 * Context: any. NMI is counted as dropped.
 */
void kma_detail_alloc(const struct kma_event *e);

/**
 * kma_detail_free() - book a free, with all that is asked for
 * @e: the event
 *
 * Context: any. NMI is counted as dropped.
 */
void kma_detail_free(const struct kma_event *e);

#endif /* KMA_DETAIL_H */
