/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scope.h - what the numbers of an account count, in words: the title of reports, charts and pages.
 */
#ifndef KMA_MODEL_SCOPE_H
#define KMA_MODEL_SCOPE_H

#include "account.h"
#include "lib/units.h"

/* Note of an account that has a row for the slab memory that was allocated before it. */
#define KMA_NOTE_ALL_SLAB "all slab memory"

/* That row. The kernel does not say how much of it is free objects in slabs. */
#define KMA_SITE_ALL_SLAB "[allocated before, or free in slabs]"

/*
 * Writes "Slab memory in fs allocated since 2026-11-30 10:58 UTC". The words follow from the kinds
 * of the call sites and from the time at which the account began, if they are known. @branch: a
 * path; "" is all.
 */
void kma_scope_text(const struct kma_account *account, const char *branch, struct kma_strbuf *out);

/*
 * Writes how much that is, in bytes or KiB: ": 20.6 MiB, 53.5% of all slab". @slab: all slab memory of the machine;
 * 0: unknown, the share is left out, as it is for other memory than slab memory.
 */
void kma_scope_amount(const struct kma_account *account, uint64_t live, enum kma_unit unit,
		      uint64_t slab, struct kma_strbuf *out);

#endif /* KMA_MODEL_SCOPE_H */
