/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * history-write.h - add samples to a history.
 */
#ifndef KMA_STORE_HISTORY_WRITE_H
#define KMA_STORE_HISTORY_WRITE_H

#include "history.h"

/*
 * Opens a directory for writing samples. It is created if it does not exist, and an empty one
 * becomes a history. It is an error if it has other files, or a history of another version.
 */
struct kma_err *kma_history_create(const char *path, const struct kma_history_bounds *bounds,
				   struct kma_history **ret);

/*
 * Writes a sample. @account is finished, with its times as notes. @bytes is set to the bytes of the
 * sample's data. @notes: why a series begins, which days were removed. After an error the sample is
 * lost, and the history has no part of it.
 */
struct kma_err *kma_history_append(struct kma_history *history, const struct kma_account *account,
				   const char *host, size_t *bytes, struct kma_notes *notes);

#endif /* KMA_STORE_HISTORY_WRITE_H */
