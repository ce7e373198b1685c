// SPDX-License-Identifier: GPL-2.0-only
/*
 * columns.c - the numbers of a site that a history stores.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "lib/cleanup.h"

/* Columns below KMA_NR_METRICS are metrics; the others are of ages. */
enum {
	KMA_COLUMN_LIVE = KMA_NR_METRICS,
	KMA_COLUMN_UNKNOWN,
	KMA_COLUMN_BIRTH, /* birth of the oldest object: ns since boot */
	KMA_COLUMN_EPOCHS,
	KMA_COLUMN_PLACE = KMA_COLUMN_EPOCHS + KMA_SITE_EPOCHS,
	KMA_NR_COLUMNS,
};

static void column_name(unsigned int id, char name[32])
{
	static const char *const ages[] = { "age_live", "age_unknown", "age_birth" };

	if (id < KMA_NR_METRICS)
		snprintf(name, 32, "%s", kma_metrics[id].name);
	else if (id < KMA_COLUMN_EPOCHS)
		snprintf(name, 32, "%s", ages[id - KMA_COLUMN_LIVE]);
	else if (id == KMA_COLUMN_PLACE)
		snprintf(name, 32, "place");
	else
		snprintf(name, 32, "age_epoch_%u", id - KMA_COLUMN_EPOCHS);
}

/* A metric that is a sum of others is not stored: kma_columns_set() could not set it. */
static bool column_is_stored(unsigned int id)
{
	return id >= KMA_NR_METRICS || kma_metrics[id].set;
}

static void columns_add(struct kma_columns *columns, unsigned int id, unsigned int at)
{
	columns->at[columns->nr] = at;
	columns->ids[columns->nr++] = id;
	if (id < KMA_NR_METRICS)
		columns->metrics |= 1U << id;
	else if (id == KMA_COLUMN_PLACE)
		columns->place = at + 1;
	else
		columns->ages = true;
}

void kma_columns_of(const struct kma_account *account, bool place, struct kma_columns *ret)
{
	size_t nr, i = 0;
	const struct kma_site *sites = kma_account_sites(account, &nr);

	*ret = (struct kma_columns){ 0 };
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (kma_account_metrics(account) & 1U << id && column_is_stored(id))
			columns_add(ret, id, ret->nr);
	while (i < nr && !sites[i].age)
		i++;
	for (unsigned int id = KMA_COLUMN_LIVE;
	     i < nr && id < KMA_COLUMN_PLACE && ret->nr < KMA_CODE_MAX_COLUMNS - 1; id++)
		columns_add(ret, id, ret->nr);
	if (place)
		columns_add(ret, KMA_COLUMN_PLACE, ret->nr);
}

void kma_columns_of_parts(struct kma_columns *ret)
{
	static const enum kma_metric_id ids[] = { KMA_CURRENT, KMA_REQUESTED, KMA_WASTE,
						  KMA_ALLOCS,  KMA_FREES,     KMA_OBJECTS };

	*ret = (struct kma_columns){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		columns_add(ret, ids[i], ret->nr);
}

void kma_columns_names(const struct kma_columns *columns, struct kma_strbuf *ret)
{
	char name[32];

	for (unsigned int i = 0; i < columns->nr; i++) {
		column_name(columns->ids[i], name);
		kma_strbuf_printf(ret, "%s ", name);
	}
}

bool kma_columns_parse(const char *names, struct kma_columns *ret)
{
	*ret = (struct kma_columns){ 0 };
	while (*names) {
		size_t len = strcspn(names, " ");
		unsigned int id = 0;
		char name[32] = "";

		for (; id < KMA_NR_COLUMNS; id++) {
			column_name(id, name);
			if (strlen(name) == len && !memcmp(name, names, len))
				break;
		}
		if (ret->nr + ret->nr_unknown == KMA_CODE_MAX_COLUMNS)
			return false;
		if (id < KMA_NR_COLUMNS && column_is_stored(id))
			columns_add(ret, id, ret->nr + ret->nr_unknown);
		else
			ret->nr_unknown++;
		names += len + strspn(names + len, " ");
	}
	return ret->nr;
}

/* The index in a row of the file. */
static int columns_find(const struct kma_columns *columns, unsigned int id)
{
	for (unsigned int i = 0; i < columns->nr; i++)
		if (columns->ids[i] == id)
			return columns->at[i];
	return -1;
}

void kma_columns_rules(const struct kma_columns *columns, struct kma_code *code)
{
	static const unsigned int rules[][3] = {
		{ KMA_WASTE, KMA_CURRENT, KMA_REQUESTED },
		{ KMA_OBJECTS, KMA_ALLOCS, KMA_FREES },
	};

	code->nr_columns = columns->nr + columns->nr_unknown;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		struct kma_code_rule rule = { columns_find(columns, rules[i][0]),
					      columns_find(columns, rules[i][1]),
					      columns_find(columns, rules[i][2]) };

		if (rule.column >= 0 && rule.plus >= 0 && rule.minus >= 0)
			code->rules[i] = rule;
	}
}

void kma_columns_choose(struct kma_columns *columns, const struct kma_columns_need *need,
			struct kma_code *code)
{
	const struct kma_columns all = *columns;

	if (!need->metrics && !all.nr_unknown)
		return;
	*columns = (struct kma_columns){ .nr_unknown = all.nr_unknown };
	code->skip = ~0ULL;
	for (unsigned int i = 0; i < all.nr; i++)
		if (!need->metrics || all.ids[i] == KMA_COLUMN_PLACE ||
		    (all.ids[i] < KMA_NR_METRICS ? need->metrics >> all.ids[i] & 1 : need->ages)) {
			columns_add(columns, all.ids[i], all.at[i]);
			code->skip &= ~(1ULL << all.at[i]);
		}
	for (size_t i = 0; i < ARRAY_SIZE(code->rules); i++) {
		const struct kma_code_rule *rule = &code->rules[i];

		if (rule->plus != rule->minus && !(code->skip >> rule->column & 1))
			code->skip &= ~(1ULL << rule->plus | 1ULL << rule->minus);
	}
}

void kma_columns_get(const struct kma_columns *columns, const struct kma_site *site, uint64_t up,
		     uint64_t *ret)
{
	static const struct kma_site_age none;
	const struct kma_site_age *age = site->age ?: &none;

	for (unsigned int i = 0; i < columns->nr; i++) {
		unsigned int id = columns->ids[i];

		if (id < KMA_NR_METRICS)
			ret[i] = kma_metrics[id].get(&site->values);
		else if (id == KMA_COLUMN_PLACE)
			ret[i] = 0;
		else if (id >= KMA_COLUMN_EPOCHS)
			ret[i] = age->epochs[id - KMA_COLUMN_EPOCHS];
		else if (id == KMA_COLUMN_BIRTH)
			ret[i] = age->oldest ? up - age->oldest : 0;
		else
			ret[i] = id == KMA_COLUMN_LIVE ? age->live : age->unknown;
	}
}

void kma_columns_set(const struct kma_columns *columns, const uint64_t *values, uint64_t up,
		     struct kma_values *ret, struct kma_site_age *age)
{
	*ret = (struct kma_values){ 0 };
	*age = (struct kma_site_age){ 0 };
	for (unsigned int i = 0; i < columns->nr; i++) {
		unsigned int id = columns->ids[i];
		uint64_t value = values[columns->at[i]];

		if (id < KMA_NR_METRICS)
			kma_metrics[id].set(ret, value);
		else if (id == KMA_COLUMN_LIVE)
			age->live = value;
		else if (id == KMA_COLUMN_UNKNOWN)
			age->unknown = value;
		else if (id == KMA_COLUMN_BIRTH)
			age->oldest = value ? up - value : 0;
		else if (id != KMA_COLUMN_PLACE)
			age->epochs[id - KMA_COLUMN_EPOCHS] = value;
	}
}

bool kma_columns_any(const struct kma_columns *columns, const uint64_t *values)
{
	uint64_t bits = 0;

	for (unsigned int i = 0; i < columns->nr; i++)
		bits |= values[columns->at[i]];
	return bits;
}
