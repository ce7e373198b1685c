// SPDX-License-Identifier: GPL-2.0-only
/*
 * numbers.c - numbers for the call sites of several accounts.
 *
 * Number N is number KMA_INTERN_REST + 1 + N of a table of texts (intern.h), whose number
 * KMA_INTERN_REST stands for call sites beyond its limits.
 *
 * The keys and the numbers of the previous account are kept. A site of the next account is compared
 * with the key after that of the site before it, and with the one after that, by the addresses of
 * the texts. If the addresses are equal, the number is known without reading a text. Otherwise the
 * table of texts is searched, which costs a hash over the text. A removed site therefore costs
 * nothing, and two removed sites in a row cost a search for each site after them.
 */
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "intern.h"
#include "lib/alloc.h"
#include "numbers.h"

#define KMA_NUMBERS_FIRST (KMA_INTERN_REST + 1)

/* Identity of a call site: the addresses of its texts, and its kind. */
struct kma_numbers_key {
	const char *caller, *group;
	enum kma_kind kind;
};

struct kma_numbers {
	const char *advice;
	struct kma_intern *intern;
	/* The sites of the previous account: identities and numbers. */
	struct kma_numbers_key *keys;
	uint32_t *list;
	size_t nr;
	/* Arrays for the next account, exchanged with those above. */
	struct kma_numbers_key *spare_keys;
	uint32_t *spare_list;
};

struct kma_numbers *kma_numbers_create(const char *advice)
{
	struct kma_numbers *numbers = kma_xcalloc(1, sizeof(*numbers));

	numbers->advice = advice;
	numbers->intern = kma_intern_new();
	return numbers;
}

void kma_numbers_destroy(struct kma_numbers *numbers)
{
	if (!numbers)
		return;
	kma_intern_destroy(numbers->intern);
	free(numbers->keys);
	free(numbers->list);
	free(numbers->spare_keys);
	free(numbers->spare_list);
	free(numbers);
}

uint32_t kma_numbers_get(struct kma_numbers *numbers, const struct kma_site *site)
{
	size_t len = strlen(site->caller);
	uint32_t number = site->group ? kma_intern_grouped(numbers->intern, site->kind,
							   site->caller, len, site->group) :
					kma_intern(numbers->intern, site->kind, site->caller, len);

	return number == KMA_INTERN_REST ? KMA_NUMBERS_NONE : number - KMA_NUMBERS_FIRST;
}

/*
 * Find a call site in the previous account. @expected: its index if no site was added or removed;
 * the next index is tried as well. Return: its index; the number of sites if it is not found.
 */
static size_t numbers_before(const struct kma_numbers *numbers, size_t expected,
			     const struct kma_site *site)
{
	for (size_t i = expected; i < numbers->nr && i < expected + 2; i++) {
		const struct kma_numbers_key *key = &numbers->keys[i];

		if (key->caller == site->caller && key->group == site->group &&
		    key->kind == site->kind)
			return i;
	}
	return numbers->nr;
}

/* Make the error that a site got no number: its texts are too long, or there are too many sites. */
static struct kma_err *numbers_full(const struct kma_numbers *numbers,
				    const struct kma_account *account, const struct kma_site *site)
{
	if (strlen(site->caller) > KMA_INTERN_MAX_TEXT ||
	    strlen(site->group ?: "") > KMA_INTERN_MAX_TEXT)
		return kma_err_create(
			kma_account_name(account), 0,
			"the name of a call site or of its group has more than %d bytes: %.60s %.60s",
			KMA_INTERN_MAX_TEXT, site->caller, site->group ?: "");
	return kma_err_create(kma_account_name(account), 0, "too many call sites for one table; %s",
			      numbers->advice);
}

struct kma_err *kma_numbers_of(struct kma_numbers *numbers, const struct kma_account *account,
			       const uint32_t **ret)
{
	size_t nr, expected = 0;
	const struct kma_site *sites = kma_account_sites(account, &nr);
	uint32_t *list = kma_xrealloc(numbers->spare_list, nr, sizeof(*list));
	struct kma_numbers_key *keys = kma_xrealloc(numbers->spare_keys, nr, sizeof(*keys));

	numbers->spare_list = list;
	numbers->spare_keys = keys;
	for (size_t i = 0; i < nr; i++) {
		size_t before = numbers_before(numbers, expected, &sites[i]);

		if (before < numbers->nr)
			expected = before + 1;
		list[i] = before < numbers->nr ? numbers->list[before] :
						 kma_numbers_get(numbers, &sites[i]);
		if (list[i] == KMA_NUMBERS_NONE)
			return numbers_full(numbers, account, &sites[i]);
		keys[i] =
			(struct kma_numbers_key){ sites[i].caller, sites[i].group, sites[i].kind };
	}
	numbers->spare_list = numbers->list;
	numbers->spare_keys = numbers->keys;
	numbers->list = list;
	numbers->keys = keys;
	numbers->nr = nr;
	*ret = list;
	return NULL;
}

bool kma_numbers_is_full(const struct kma_numbers *numbers)
{
	return kma_intern_is_full(numbers->intern);
}

void kma_numbers_keep(struct kma_numbers *numbers, const bool *keep)
{
	struct kma_intern *intern = kma_intern_new_of(numbers->intern, keep);

	kma_intern_destroy(numbers->intern);
	numbers->intern = intern;
	numbers->nr = 0; /* The list of the previous account has the old numbers. */
}

uint32_t kma_numbers_count(const struct kma_numbers *numbers)
{
	return kma_intern_count(numbers->intern) - KMA_NUMBERS_FIRST;
}

struct kma_err *kma_numbers_gather(struct kma_numbers *numbers, const struct kma_account *account,
				   struct kma_account *all, const uint32_t **ret)
{
	uint32_t known = kma_numbers_count(numbers);
	struct kma_err *err = kma_numbers_of(numbers, account, ret);
	const struct kma_site *sites;
	size_t nr;

	if (err)
		return err;
	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++) {
		if ((*ret)[i] != known)
			continue;
		err = kma_account_copy_site(&sites[i], all);
		if (err)
			return err;
		known++;
	}
	return NULL;
}

struct kma_err *kma_numbers_finish(struct kma_numbers *numbers, struct kma_account *all,
				   uint32_t **rows)
{
	const uint32_t *list;
	struct kma_err *err;
	size_t nr;

	err = kma_account_finish(all) ?: kma_numbers_of(numbers, all, &list);
	if (err)
		return err;
	kma_account_sites(all, &nr);
	*rows = kma_xcalloc(nr + 1, sizeof(**rows));
	if (nr)
		memcpy(*rows, list, nr * sizeof(*list));
	return NULL;
}
