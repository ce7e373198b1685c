/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rekey.h - make an account whose rows are texts of keys, for what is judged over several accounts.
 */
#ifndef KMA_TREE_REKEY_H
#define KMA_TREE_REKEY_H

#include "key.h"
#include "maintainers.h"
#include "model/account.h"

/**
 * kma_rekey() - add up the call sites that have the same texts of keys
 * @account: finished and resolved; its rows suit the keys
 * @keys: the keys. With caller among them, a caller has a row for each of its kinds
 * @maintainers: for subsystems; NULL: none are known
 * @ret: a finished account with head and ages of @account. The caller of a site is a text of
 *	kma_keys_text(); it has no group, and the cache of its rows
 *
 * Peaks do not add up, so the new account has none.
 */
struct kma_err *kma_rekey(const struct kma_account *account, const struct kma_keys *keys,
			  struct kma_maintainers *maintainers, struct kma_account **ret);

#endif /* KMA_TREE_REKEY_H */
