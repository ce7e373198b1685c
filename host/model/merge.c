// SPDX-License-Identifier: GPL-2.0-only
/*
 * merge.c - make one site of all rows of a call site.
 *
 * Text and kind of a row are looked up in a table of texts (intern.h), whose numbers are the indexes
 * of the sites. With positions, the text in the table is "CALLER\tBUILD_ID\tOFFSET". Numbers that are
 * not used, such as KMA_INTERN_REST, get no row, so the indexes in the account are other numbers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "intern.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "merge.h"
#include "sampled.h"

struct kma_merge_site {
	bool used;	/* a row was added */
	bool caches;	/* rows have different caches */
	uint32_t cache; /* number in kma_merge.caches; 0: none */
	uint32_t path;	/* the same of the source file */
	struct kma_values values;
};

struct kma_merge {
	struct kma_intern *intern;    /* texts of the sites */
	struct kma_merge_site *sites; /* by number in @intern */
	size_t alloc;
	bool placed;		   /* rows were added with kma_merge_add_at() */
	uint32_t last;		   /* number of the site of the row that was added last */
	struct kma_intern *caches; /* names of caches and files; NULL: none was set */
	struct kma_stacks *stacks; /* with numbers of @intern as sites; NULL: none was added */
	size_t *numbers;	   /* after kma_merge_close(): index in the account, by number */
};

struct kma_merge *kma_merge_create(void)
{
	struct kma_merge *merge = kma_xcalloc(1, sizeof(*merge));

	merge->intern = kma_intern_new();
	return merge;
}

void kma_merge_destroy(struct kma_merge *merge)
{
	if (!merge)
		return;
	kma_intern_destroy(merge->intern);
	kma_intern_destroy(merge->caches);
	kma_stacks_destroy(merge->stacks);
	free(merge->numbers);
	free(merge->sites);
	free(merge);
}

uint32_t kma_merge_last(const struct kma_merge *merge)
{
	return merge->last;
}

size_t kma_merge_site(const struct kma_merge *merge, uint32_t nr)
{
	return merge->numbers[nr];
}

struct kma_err *kma_merge_add(struct kma_merge *merge, const char *caller, enum kma_kind kind,
			      const struct kma_values *values)
{
	uint32_t nr = kma_intern(merge->intern, kind, caller, strlen(caller));
	struct kma_merge_site *site;

	kma_array_reach(merge->sites, merge->alloc, nr);
	site = &merge->sites[nr];
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		uint64_t sum;

		if (__builtin_add_overflow(kma_metrics[id].get(&site->values),
					   kma_metrics[id].get(values), &sum))
			return kma_err_create(NULL, 0, "the sum of a call site exceeds 64 bits");
	}
	kma_values_add(&site->values, values);
	site->used = true;
	merge->last = nr;
	return NULL;
}

/* No text of a table contains a tab, so tabs separate caller, build ID and place. */
struct kma_err *kma_merge_add_at(struct kma_merge *merge, const char *caller, const char *build_id,
				 const char *text, enum kma_kind kind,
				 const struct kma_values *values)
{
	_cleanup_free_ char *key = NULL;

	merge->placed = true;
	key = kma_xasprintf("%s\t%s\t%s", caller, build_id, text);
	return kma_merge_add(merge, key, kind, values);
}

void kma_merge_add_stack(struct kma_merge *merge, const char *stack,
			 const struct kma_values *values)
{
	if (!merge->stacks)
		merge->stacks = kma_stacks_create();
	kma_stacks_add(merge->stacks, merge->last, stack, values);
}

void kma_merge_set_cache(struct kma_merge *merge, const char *cache, bool others)
{
	struct kma_merge_site *site = &merge->sites[merge->last];
	uint32_t nr;

	merge->caches = merge->caches ?: kma_intern_new();
	nr = kma_intern(merge->caches, KMA_KIND_UNKNOWN, cache, strlen(cache));
	site->caches |= others || (site->cache && site->cache != nr);
	site->cache = site->cache ?: nr;
}

void kma_merge_set_path(struct kma_merge *merge, const char *path, size_t len)
{
	merge->caches = merge->caches ?: kma_intern_new();
	merge->sites[merge->last].path = kma_intern(merge->caches, KMA_KIND_UNKNOWN, path, len);
}

/*
 * Set the position of the site that was added last. @behind: the text of the site after the caller,
 * "\tBUILD_ID\tOFFSET"; empty for KMA_INTERN_REST_NAME.
 */
static void merge_place(struct kma_account *account, const char *behind)
{
	static const char init[] = "init:";
	_cleanup_free_ char *build_id = NULL;
	const char *text;
	bool in_init;
	uint64_t number;
	char *end;

	if (!*behind)
		return;
	behind++;
	build_id = kma_xstrndup(behind, strcspn(behind, "\t"));
	text = strchr(behind, '\t') + 1;
	in_init = !strncmp(text, init, strlen(init));
	text += in_init ? strlen(init) : 0;
	errno = 0;
	number = strtoull(text, &end, 16);
	if (errno || strncmp(text, "0x", 2) || *end)
		return;
	kma_account_set_image(account, build_id, number, in_init);
}

/* Set kind, cache and position of the site that was added last. */
static void merge_more(const struct kma_merge *merge, const struct kma_merge_site *site,
		       enum kma_kind kind, const char *behind, struct kma_account *account)
{
	enum kma_kind unused;
	size_t len;

	kma_account_set_place(
		account, kind,
		site->path ? kma_intern_site(merge->caches, site->path, &unused, &len) : NULL);
	if (site->cache)
		kma_account_set_cache(account,
				      kma_intern_site(merge->caches, site->cache, &unused, &len),
				      site->caches);
	if (merge->placed)
		merge_place(account, behind);
}

static struct kma_err *merge_sites(const struct kma_merge *merge, struct kma_account *account)
{
	uint32_t nr = kma_intern_count(merge->intern);
	struct kma_err *err = NULL;
	size_t added = 0;

	for (uint32_t i = 0; i < nr && i < merge->alloc && !err; i++) {
		const struct kma_merge_site *site = &merge->sites[i];
		enum kma_kind kind;
		const char *caller;
		size_t len;

		if (!site->used)
			continue;
		merge->numbers[i] = added++;
		caller = kma_intern_site(merge->intern, i, &kind, &len);
		if (merge->placed)
			len = strcspn(caller, "\t");
		err = kma_account_add_site(account, caller, len, &site->values);
		if (!err)
			merge_more(merge, site, kind, caller + len, account);
	}
	return err;
}

struct kma_err *kma_merge_close(struct kma_merge *merge, struct kma_account *account)
{
	struct kma_err *err;

	merge->numbers = kma_xcalloc(kma_intern_count(merge->intern), sizeof(*merge->numbers));
	err = merge_sites(merge, account);
	if (err || !merge->stacks || !kma_stacks_have_frames(merge->stacks))
		return err;
	kma_stacks_renumber(merge->stacks, merge->numbers);
	kma_sampled_estimate(merge->stacks);
	kma_account_set_stacks(account, merge->stacks);
	merge->stacks = NULL;
	return err;
}
