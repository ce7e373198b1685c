/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parts-write.h - write the memory of call sites by group to a file of a history, in the
 * transaction of the sample.
 */
#ifndef KMA_STORE_PARTS_WRITE_H
#define KMA_STORE_PARTS_WRITE_H

#include "parts.h"

/**
 * kma_parts_put() - write the groups of a sample
 * @parts: loaded; has the numbers of the last sample
 * @conn: the file
 * @id: row of the sample
 * @account: its groups are written; it may have none
 * @sites: for each call site of the account its number in the file
 * @key: the sample is a key sample
 * @bytes: the bytes of the data are added
 *
 * Return: NULL, or an error; then the caller must roll back the transaction and load @parts again.
 */
struct kma_err *kma_parts_put(struct kma_parts *parts, struct kma_conn *conn, int64_t id,
			      const struct kma_account *account, const uint32_t *sites, bool key,
			      size_t *bytes);

/**
 * kma_parts_changed() - test whether another program has added parts to the file
 * @parts: loaded
 * @conn: the file
 * @ret: true if it has
 */
struct kma_err *kma_parts_changed(const struct kma_parts *parts, struct kma_conn *conn, bool *ret);

#endif /* KMA_STORE_PARTS_WRITE_H */
