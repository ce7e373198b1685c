// SPDX-License-Identifier: GPL-2.0-only
/*
 * rekey.c - make an account whose rows are texts of keys.
 */
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "model/filter.h"
#include "model/merge.h"
#include "rekey.h"

/* Adds all rows. Sets the number of each in @merge. */
static struct kma_err *add_rows(struct kma_merge *merge, const struct kma_account *account,
				const struct kma_keys *keys, struct kma_maintainers *maintainers,
				uint32_t *numbers)
{
	bool kinds = kma_keys_have(keys, KMA_KEY_CALLER) || kma_keys_have(keys, KMA_KEY_KIND);
	struct kma_arena arena = { 0 };
	const struct kma_key_ask ask = { .keys = keys, .arena = &arena };
	const struct kma_site *sites;
	struct kma_err *err = NULL;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr && !err; i++) {
		const struct kma_site *site = &sites[i];
		struct kma_item item;

		kma_item_of_site(site, maintainers, &arena, &item);
		/* Without the functions that were inlined, which not each account has. */
		item.name = site->caller;
		err = kma_merge_add(merge, kma_keys_of_item(&item, &ask),
				    kinds ? site->kind : KMA_KIND_UNKNOWN, &site->values);
		if (err)
			break;
		if (site->cache)
			kma_merge_set_cache(merge, site->cache, site->caches);
		numbers[i] = kma_merge_last(merge);
	}
	kma_arena_deinit(&arena);
	return err;
}

struct kma_err *kma_rekey(const struct kma_account *account, const struct kma_keys *keys,
			  struct kma_maintainers *maintainers, struct kma_account **ret)
{
	_cleanup_free_ uint32_t *numbers = NULL;
	struct kma_account *to = kma_account_create(kma_account_name(account));
	struct kma_merge *merge = kma_merge_create();
	const struct kma_site *sites;
	struct kma_err *err;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	numbers = kma_xcalloc(nr + 1, sizeof(*numbers));
	kma_account_copy_head(account, to);
	kma_account_set_metrics(to, kma_account_metrics(account) & ~(1U << KMA_PEAK));
	err = add_rows(merge, account, keys, maintainers, numbers) ?: kma_merge_close(merge, to);
	for (size_t i = 0; i < nr && !err; i++)
		if (sites[i].age)
			kma_account_add_age(to, kma_merge_site(merge, numbers[i]), sites[i].age);
	if (!err)
		err = kma_account_finish(to);
	kma_merge_destroy(merge);
	if (err)
		kma_account_destroy(to);
	else
		*ret = to;
	return err;
}
