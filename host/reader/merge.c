// SPDX-License-Identifier: GPL-2.0-only
/*
 * merge.c - rows of one call site become one site.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "merge.h"
#include "model/intern.h"

struct kma_merge_site {
	enum kma_kind kind;
	bool used;
	struct kma_values values;
};

struct kma_merge {
	struct kma_intern *intern;
	struct kma_merge_site *sites; /* by number */
	size_t alloc;
	bool placed; /* see kma_merge_add_at() */
};

struct kma_err *kma_merge_create(struct kma_merge **ret)
{
	struct kma_merge *merge = calloc(1, sizeof(*merge));
	struct kma_err *err;

	if (!merge)
		return &kma_enomem;
	err = kma_intern_create(&merge->intern);
	if (err) {
		free(merge);
		return err;
	}
	*ret = merge;
	return NULL;
}

void kma_merge_destroy(struct kma_merge *merge)
{
	if (!merge)
		return;
	kma_intern_destroy(merge->intern);
	free(merge->sites);
	free(merge);
}

static struct kma_err *kma_merge_grow(struct kma_merge *merge, size_t want)
{
	size_t alloc = merge->alloc ? merge->alloc : 256;
	struct kma_merge_site *sites;

	if (want < merge->alloc)
		return NULL;
	while (alloc <= want)
		alloc *= 2;
	sites = realloc(merge->sites, alloc * sizeof(*sites));
	if (!sites)
		return &kma_enomem;
	memset(sites + merge->alloc, 0, (alloc - merge->alloc) * sizeof(*sites));
	merge->sites = sites;
	merge->alloc = alloc;
	return NULL;
}

struct kma_err *kma_merge_add(struct kma_merge *merge, const char *caller, enum kma_kind kind,
			      const struct kma_values *values)
{
	/* The kind is no part of which site it is: a stack has one, the others another. */
	uint32_t nr = kma_intern(merge->intern, KMA_KIND_UNKNOWN, caller, strlen(caller));
	struct kma_merge_site *site;
	struct kma_err *err;

	err = kma_merge_grow(merge, nr);
	if (err)
		return err;
	site = &merge->sites[nr];
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		uint64_t sum;

		if (__builtin_add_overflow(kma_metrics[id].get(&site->values),
					   kma_metrics[id].get(values), &sum))
			return kma_err_create(NULL, 0, "a site adds up to more than 64 bits hold");
	}
	kma_values_add(&site->values, values);
	site->used = true;
	if (site->kind == KMA_KIND_UNKNOWN)
		site->kind = kind;
	return NULL;
}

/* No text of a table has a tab in it: it stands between caller, build ID and place. */
struct kma_err *kma_merge_add_at(struct kma_merge *merge, const char *caller, const char *build_id,
				 const char *text, enum kma_kind kind,
				 const struct kma_values *values)
{
	_cleanup_free_ char *key = NULL;

	merge->placed = true;
	if (asprintf(&key, "%s\t%s\t%s", caller, build_id, text) < 0) {
		key = NULL;
		return &kma_enomem;
	}
	return kma_merge_add(merge, key, kind, values);
}

/* What stands behind a caller; the row that has gathered several has nothing there. */
static struct kma_err *kma_merge_place(struct kma_account *account, const char *behind)
{
	static const char init[] = "init:";
	_cleanup_free_ char *build_id = NULL;
	const char *text;
	bool in_init;
	uint64_t number;
	char *end;

	if (!*behind)
		return NULL;
	behind++;
	build_id = strndup(behind, strcspn(behind, "\t"));
	if (!build_id)
		return &kma_enomem;
	text = strchr(behind, '\t') + 1;
	in_init = !strncmp(text, init, strlen(init));
	text += in_init ? strlen(init) : 0;
	errno = 0;
	number = strtoull(text, &end, 16);
	if (errno || strncmp(text, "0x", 2) || *end)
		return NULL;
	return kma_account_set_image(account, build_id, number, in_init);
}

struct kma_err *kma_merge_close(const struct kma_merge *merge, struct kma_account *account)
{
	uint32_t nr = kma_intern_count(merge->intern);
	struct kma_err *err = NULL;

	for (uint32_t i = 0; i < nr && i < merge->alloc && !err; i++) {
		const struct kma_merge_site *site = &merge->sites[i];
		enum kma_kind unused;
		const char *caller;
		size_t len;

		if (!site->used)
			continue;
		caller = kma_intern_site(merge->intern, i, &unused, &len);
		if (merge->placed)
			len = strcspn(caller, "\t");
		err = kma_account_add_site(account, caller, len, &site->values);
		if (!err)
			err = kma_account_set_place(account, site->kind, NULL);
		if (!err && merge->placed)
			err = kma_merge_place(account, caller + len);
	}
	return err;
}
