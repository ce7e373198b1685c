// SPDX-License-Identifier: GPL-2.0-only
/*
 * leak-rows.c - the sums of an account that leak-series.h needs, by the number of the call site.
 */
#include <stdlib.h>

#include "leak-rows.h"

struct kma_err *kma_leak_rows_fill(struct kma_leak_rows *rows, const struct kma_account *account,
				   const uint32_t *numbers, size_t nr)
{
	bool has_ages = false;
	size_t nr_sites;
	const struct kma_site *sites = kma_account_sites(account, &nr_sites);

	for (size_t i = 0; i < nr_sites; i++)
		has_ages |= sites[i].age != NULL;
	rows->sums = calloc(nr + 1, sizeof(*rows->sums));
	if (has_ages)
		rows->births = calloc(nr + 1, sizeof(*rows->births));
	if (!rows->sums || (has_ages && !rows->births))
		return &kma_enomem;
	rows->nr = nr;
	rows->nr_known = SIZE_MAX;
	for (size_t i = 0; i < nr_sites; i++) {
		struct kma_leak_sums *sums = &rows->sums[numbers[i]];

		sums->there = true;
		sums->live += sites[i].values.current;
		sums->allocs += sites[i].values.allocs;
		sums->frees += sites[i].values.frees;
		for (size_t n = 0; sites[i].age && n < KMA_SITE_EPOCHS; n++)
			rows->births[numbers[i]].epochs[n] += sites[i].age->epochs[n];
	}
	return NULL;
}

void kma_leak_rows_deinit(struct kma_leak_rows *rows)
{
	free(rows->sums);
	free(rows->births);
	*rows = (struct kma_leak_rows){ 0 };
}

/*
 * Numbers that @rows does not know are not counted in @known, whether their sites are kept or not.
 */
void kma_leak_rows_keep(struct kma_leak_rows *rows, const bool *keep, size_t nr)
{
	size_t known = 0, kept = 0;
	void *less;

	for (size_t i = 0; i < nr && i < rows->nr_known; i++) {
		if (!keep[i])
			continue;
		if (i < rows->nr) {
			rows->sums[kept] = rows->sums[i];
			if (rows->births)
				rows->births[kept] = rows->births[i];
			kept++;
		}
		known++;
	}
	rows->nr_known = known;
	rows->nr = kept;
	less = realloc(rows->sums, (kept + 1) * sizeof(*rows->sums));
	rows->sums = less ?: rows->sums;
	if (!rows->births)
		return;
	less = realloc(rows->births, (kept + 1) * sizeof(*rows->births));
	rows->births = less ?: rows->births;
}

bool kma_leak_rows_know(const struct kma_leak_rows *rows, size_t number)
{
	return number < rows->nr_known;
}

const struct kma_leak_sums *kma_leak_rows_get(const struct kma_leak_rows *rows, size_t number)
{
	static const struct kma_leak_sums none;

	return number < rows->nr ? &rows->sums[number] : &none;
}

uint64_t kma_leak_rows_older(const struct kma_leak_rows *rows, size_t number, unsigned int epoch)
{
	uint64_t objects = 0;

	for (; rows->births && number < rows->nr && epoch < KMA_SITE_EPOCHS; epoch++)
		objects += rows->births[number].epochs[epoch];
	return objects;
}
