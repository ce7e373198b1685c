/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * header.h - what comes before the streams of a log: the machine, the clock, and the
 * modules that were there when the log was switched on (uapi/kmem_account.h).
 *
 * The header is made before the log's gate opens (relay.h), because the clock of the log
 * begins with it. The modules are added after the gate has opened. A module that is
 * loaded when the gate opens is therefore in the header, and a module that is loaded
 * later is in a stream. A module that is loaded between the two is in both, which
 * says the same twice.
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
 * @clock: the clock of the log, which begins now
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM with nothing to destroy.
 */
int kma_header_create(struct debugfs_blob_wrapper *b, enum kma_log_clock clock);

/**
 * kma_header_destroy() - release its memory
 * @b: the header; one that was not made, or is destroyed, may be
 *
 * Context: process, may sleep.
 */
void kma_header_destroy(struct debugfs_blob_wrapper *b);

/**
 * kma_header_complete() - add the modules that are loaded
 * @b: the header; its size is set to what it has now
 *
 * Context: process, may sleep; the gate of the log is open.
 * Return: 0, or -ENOMEM: the header has no modules then.
 */
int kma_header_complete(struct debugfs_blob_wrapper *b);

/**
 * kma_header_module() - a module, as a record says it
 * @to: set to that, but for the header of the record, and the name
 * @text: where its text is
 *
 * Context: any.
 */
void kma_header_module(struct kma_log_module *to,
		       const struct kma_text *text);

#endif /* KMA_LOG_HEADER_H */
