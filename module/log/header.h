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
 */
#ifndef KMA_LOG_HEADER_H
#define KMA_LOG_HEADER_H

#include "uapi/kmem_account.h"

struct debugfs_blob_wrapper;
struct kma_text;

/**
 * kma_header_create() - make a header, without its modules
 * @b: set to its memory
 * @clock: the clock of the log, which is used from now on
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM with nothing to destroy.
 */
int kma_header_create(struct debugfs_blob_wrapper *b, enum kma_log_clock clock);

/**
 * kma_header_destroy() - release the memory of a header
 * @b: the header; one that was not made, or was destroyed, is ignored
 *
 * Context: process, may sleep.
 */
void kma_header_destroy(struct debugfs_blob_wrapper *b);

/**
 * kma_header_complete() - add the modules that are loaded
 * @b: the header, whose size is set
 *
 * Context: process, may sleep; the gate of the log is open.
 * Return: 0; or -ENOMEM, with no modules in the header.
 */
int kma_header_complete(struct debugfs_blob_wrapper *b);

/**
 * kma_header_module() - convert a module to a record
 * @to: the record, which is set except for its header and name
 * @text: the code of the module
 *
 * Context: any.
 */
void kma_header_module(struct kma_log_module *to,
		       const struct kma_text *text);

#endif /* KMA_LOG_HEADER_H */
