/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * header.h - the header of an event log: the machine, the clock, and the modules that were
 * loaded when the log was switched on (uapi/kmem_account.h).
 *
 * The header is made before the gate of the log opens (relay.h), because it has the start of
 * the clock. The modules are added after the gate has opened. A module that is loaded when
 * the gate opens is therefore in the header, and a module that is loaded later is in a
 * stream. A module that is loaded between the two is in both, with the same data.
 *
 * Locking: the caller's; kma_sites.names is taken while the modules are walked.
 *
 * Contexts: process, may sleep.
 */
#ifndef KMA_LOG_HEADER_H
#define KMA_LOG_HEADER_H

#include "uapi/kmem_account.h"

struct debugfs_blob_wrapper;
struct kma_text;

/*
 * Make a header without modules; @clock is used from now on. Returns 0, or -ENOMEM with nothing to
 * destroy. kma_header_destroy() ignores one that was not made, or was destroyed.
 */
int kma_header_create(struct debugfs_blob_wrapper *b, enum kma_log_clock clock);
void kma_header_destroy(struct debugfs_blob_wrapper *b);

/*
 * Add the modules that are loaded, when the gate of the log is open. Returns 0; or -ENOMEM, with no
 * modules in the header.
 */
int kma_header_complete(struct debugfs_blob_wrapper *b);

/* Set the record of a module, except for its header and name. */
void kma_header_module(struct kma_log_module *to, const struct kma_text *text);

#endif /* KMA_LOG_HEADER_H */
