// SPDX-License-Identifier: GPL-2.0-only
/*
 * account.c - the content of an input. account.h has the design.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "groups.h"
#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/plural.h"
#include "lib/texts.h"
#include "stacks.h"

const struct kma_loss kma_losses[KMA_NR_LOSSES] = {
	[KMA_LOSS_UNKNOWN_FREES] = { "frees_of_unknown_objects", "frees of unknown objects" },
	[KMA_LOSS_IMPLIED_FREES] = { "implied_frees", "implied frees" },
	[KMA_LOSS_NOT_RECORDED] = { "events_not_recorded", "events not recorded" },
};

struct kma_note {
	char *key;
	char *value;
};

struct kma_account {
	char *name;
	struct kma_arena own; /* ages, and names of groups */
	struct kma_site *sites;
	size_t nr_sites;
	size_t alloc_sites;
	unsigned int have; /* metrics of the input, 1 << enum kma_metric_id */
	bool has_totals;
	bool has_paths;
	bool partial;		  /* parts of the input could not be read */
	struct kma_values totals; /* of the input's header, if @has_totals */
	uint64_t callers;	  /* number of call sites in the input's header */
	struct kma_values sum;	  /* over the sites */
	uint64_t losses[KMA_NR_LOSSES];
	unsigned int has_loss; /* losses that the input states, 1 << enum kma_loss_id */
	struct kma_note *notes;
	size_t nr_notes;
	char *tables; /* of the module, as text */
	char **warnings;
	size_t nr_warnings;
	struct kma_stacks *stacks;		   /* NULL: the input has none */
	struct kma_groups *groups[KMA_NR_GROUPED]; /* by kind; NULL: the input has none */
};

struct kma_account *kma_account_create(const char *name)
{
	struct kma_account *account = kma_xcalloc(1, sizeof(*account));

	account->name = kma_xstrdup(name);
	return account;
}

void kma_account_drop_sites(struct kma_account *account)
{
	if (account->stacks)
		kma_stacks_destroy(account->stacks);
	account->stacks = NULL;
	for (size_t i = 0; i < KMA_NR_GROUPED; i++) {
		if (account->groups[i])
			kma_groups_destroy(account->groups[i]);
		account->groups[i] = NULL;
	}
	kma_account_set_tables(account, NULL);
	free(account->sites);
	account->sites = NULL;
	account->nr_sites = account->alloc_sites = 0;
	kma_arena_deinit(&account->own);
}

void kma_account_destroy(struct kma_account *account)
{
	if (!account)
		return;
	kma_account_drop_sites(account);
	for (size_t i = 0; i < account->nr_notes; i++) {
		free(account->notes[i].key);
		free(account->notes[i].value);
	}
	for (size_t i = 0; i < account->nr_warnings; i++)
		free(account->warnings[i]);
	free(account->notes);
	free(account->warnings);
	free(account->name);
	free(account);
}

/*
 * Two numbers below this add up within 64 bits, and so do two metrics that are sums of up to seven.
 */
#define KMA_SMALL_SUM (1ULL << 60)

/* Add to the sum over the sites; false if a metric would exceed 64 bits. */
static bool account_sum(struct kma_account *account, const struct kma_values *values)
{
	const struct kma_values *sum = &account->sum;
	bool small = (kma_values_bits(sum) | kma_values_bits(values)) < KMA_SMALL_SUM;
	uint64_t unused;

	for (unsigned int id = 0; id < KMA_NR_METRICS && !small; id++)
		if (__builtin_add_overflow(kma_metrics[id].get(sum), kma_metrics[id].get(values),
					   &unused))
			return false;
	kma_values_add(&account->sum, values);
	return true;
}

static void account_grow(struct kma_account *account, size_t alloc)
{
	struct kma_site *sites = kma_xrealloc(account->sites, alloc, sizeof(*sites));

	account->sites = sites;
	account->alloc_sites = alloc;
}

/* No space is reserved for more sites than this, because a header may be wrong. */
#define KMA_ACCOUNT_EXPECT 1000000

void kma_account_expect(struct kma_account *account, uint64_t sites)
{
	if (account->sites || sites > KMA_ACCOUNT_EXPECT)
		return;
	/* One more, for KMA_SITE_MISSING. */
	account->sites = kma_huge_try((sites + 1) * sizeof(*account->sites));
	if (account->sites)
		account->alloc_sites = sites + 1;
}

/* For kma_site.bytes: requested bytes of live objects, as far as the input states them. */
static unsigned char size_of(const struct kma_values *values)
{
	uint64_t live = values->allocs > values->frees ? values->allocs - values->frees : 0;
	uint64_t objects = values->objects ?: live, bytes = values->req ?: values->current;

	if (!objects) {
		objects = values->allocs;
		bytes = values->total;
	}
	if (!objects || !bytes)
		return 0;
	bytes = bytes / objects + !!(bytes % objects);
	return bytes < 2 ? 1 : 65 - __builtin_clzll(bytes - 1);
}

static const char *kept(const char *text)
{
	return text ? kma_text(text, strlen(text)) : NULL;
}

/* Cgroups and tasks come and go while a program watches: their names end with the account. */
static const char *own_text(struct kma_account *account, const char *text)
{
	return text ? kma_arena_text(&account->own, text, strlen(text)) : NULL;
}

struct kma_err *kma_account_add_site(struct kma_account *account, const char *caller, size_t len,
				     const struct kma_values *values)
{
	_cleanup_free_ char *pieces = NULL;
	struct kma_site site = { 0 };

	if (!account_sum(account, values))
		return kma_err_create(account->name, 0, "the sum of the rows exceeds 64 bits");
	if (account->nr_sites == account->alloc_sites)
		account_grow(account, account->alloc_sites * 2 ?: 256);
	site.caller = kma_text(caller, len);
	pieces = kma_xstrndup(caller, len);
	kma_site_parse(pieces, &site);
	if (!site.symbol)
		site.module = NULL;
	site.symbol = kept(site.symbol);
	site.module = kept(site.module);
	site.values = *values;
	site.bytes = size_of(values);
	account->sites[account->nr_sites++] = site;
	return NULL;
}

struct kma_err *kma_account_add_scanned(struct kma_account *account, const char *caller,
					const struct kma_values *values)
{
	_cleanup_free_ char *cache = NULL;
	struct kma_err *err;
	size_t len;
	const char *of = kma_site_before(caller, &len);

	if (!of)
		return kma_account_add_site(account, caller, strlen(caller), values);
	err = kma_account_add_site(account, KMA_SITE_BEFORE, strlen(KMA_SITE_BEFORE), values);
	if (err)
		return err;
	cache = kma_xstrndup(of, strcspn(of, "]"));
	kma_account_set_cache(account, cache, false);
	return NULL;
}

struct kma_err *kma_account_add_known(struct kma_account *account, const struct kma_account *from,
				      size_t i, const struct kma_values *values)
{
	struct kma_site *site;

	if (!account_sum(account, values))
		return kma_err_create(account->name, 0, "the sum of the rows exceeds 64 bits");
	if (account->nr_sites == account->alloc_sites)
		account_grow(account, account->alloc_sites * 2 ?: from->nr_sites + 1);
	site = &account->sites[account->nr_sites++];
	*site = from->sites[i];
	site->values = *values;
	site->bytes = site->bytes ?: size_of(values);
	site->group = own_text(account, site->group);
	if (site->age) {
		site->age = NULL;
		kma_account_add_age(account, account->nr_sites - 1, from->sites[i].age);
	}
	account->has_paths |= site->path != NULL;
	return NULL;
}

struct kma_err *kma_account_add_part(struct kma_account *account, const struct kma_account *from,
				     size_t i, const struct kma_values *values, enum kma_grouped by,
				     const char *group)
{
	struct kma_err *err = kma_account_add_known(account, from, i, values);
	struct kma_site *site;

	if (err)
		return err;
	site = &account->sites[account->nr_sites - 1];
	site->age = NULL;
	site->stack = NULL;
	site->aliases = NULL;
	site->grouped = by;
	site->group = own_text(account, group);
	return NULL;
}

void kma_account_resolve(struct kma_account *account, size_t i, const struct kma_place *place)
{
	account->sites[i].place = place;
}

void kma_account_use_values(struct kma_account *account, size_t i, const struct kma_values *values)
{
	account->sites[i].values = *values;
}

void kma_account_set_place(struct kma_account *account, enum kma_kind kind, const char *path)
{
	struct kma_site *site = &account->sites[account->nr_sites - 1];
	_cleanup_free_ char *pieces = NULL;

	site->kind = kind;
	if (!path)
		return;
	site->named = false;
	account->has_paths = true;
	site->path = kept(path);
	pieces = kma_xstrdup(site->caller);
	/* "fs/ext4/super.c:12 ext4_fill_super [ext4]" */
	site->module = kept(kma_site_cut_module(pieces));
}

void kma_account_set_image(struct kma_account *account, const char *build_id, uint64_t text,
			   bool in_init)
{
	struct kma_site *site = &account->sites[account->nr_sites - 1];

	if (!*build_id || build_id[strspn(build_id, "0123456789abcdef")])
		return;
	site->text = text;
	site->in_init = in_init;
	site->build_id = kept(build_id);
}

void kma_account_set_cache(struct kma_account *account, const char *cache, bool others)
{
	struct kma_site *site = &account->sites[account->nr_sites - 1];

	site->caches = others;
	site->cache = kept(cache);
}

void kma_account_set_aliases(struct kma_account *account, const char *aliases)
{
	struct kma_site *site = &account->sites[account->nr_sites - 1];

	site->aliases = kept(aliases);
}

void kma_account_set_stack(struct kma_account *account, const char *stack)
{
	struct kma_site *site = &account->sites[account->nr_sites - 1];

	site->stack = kept(stack);
}

void kma_account_set_group(struct kma_account *account, enum kma_grouped by, const char *group)
{
	struct kma_site *site = &account->sites[account->nr_sites - 1];

	site->grouped = by;
	site->group = own_text(account, group);
}

void kma_account_set_named(struct kma_account *account)
{
	struct kma_site *site = &account->sites[account->nr_sites - 1];

	site->named = true;
	site->symbol = NULL;
	site->module = NULL;
	site->offset = 0;
	site->size = 0;
}

void kma_account_set_groups(struct kma_account *account, enum kma_grouped by,
			    struct kma_groups *groups)
{
	kma_groups_destroy(account->groups[by]);
	account->groups[by] = groups;
}

const struct kma_groups *kma_account_groups(const struct kma_account *account, enum kma_grouped by)
{
	return account->groups[by];
}

void kma_account_set_stacks(struct kma_account *account, struct kma_stacks *stacks)
{
	kma_stacks_destroy(account->stacks);
	account->stacks = stacks;
}

const struct kma_stacks *kma_account_stacks(const struct kma_account *account)
{
	return account->stacks;
}

void kma_account_add_age(struct kma_account *account, size_t i, const struct kma_site_age *age)
{
	struct kma_site *site = &account->sites[i];
	struct kma_site_age *sum = kma_arena_zalloc(&account->own, sizeof(*sum));

	*sum = *age;
	if (site->age) {
		sum->live += site->age->live;
		sum->unknown += site->age->unknown;
		if (site->age->oldest > sum->oldest)
			sum->oldest = site->age->oldest;
		for (size_t n = 0; n < KMA_SITE_EPOCHS; n++)
			sum->epochs[n] += site->age->epochs[n];
	}
	site->age = sum;
}

void kma_account_set_metrics(struct kma_account *account, unsigned int have)
{
	account->have = have;
}

void kma_account_set_totals(struct kma_account *account, const struct kma_values *totals,
			    uint64_t callers)
{
	account->totals = *totals;
	account->callers = callers;
	account->has_totals = true;
}

void kma_account_set_loss(struct kma_account *account, enum kma_loss_id id, uint64_t events)
{
	account->losses[id] = events;
	account->has_loss |= 1U << id;
}

void kma_account_put_note(struct kma_account *account, const char *key, const char *value)
{
	struct kma_note *notes;
	struct kma_note note;

	notes = kma_xrealloc(account->notes, account->nr_notes + 1, sizeof(*notes));
	account->notes = notes;
	note.key = kma_xstrdup(key);
	note.value = kma_xstrdup(value);
	notes[account->nr_notes++] = note;
}

void kma_account_set_tables(struct kma_account *account, char *text)
{
	free(account->tables);
	account->tables = text;
}

const char *kma_account_tables(const struct kma_account *account)
{
	return account->tables;
}

void kma_account_warn(struct kma_account *account, const char *fmt, ...)
{
	char **warnings;
	va_list ap;

	warnings = kma_xrealloc(account->warnings, account->nr_warnings + 1, sizeof(*warnings));
	account->warnings = warnings;
	va_start(ap, fmt);
	warnings[account->nr_warnings] = kma_xvasprintf(fmt, ap);
	va_end(ap);
	account->nr_warnings++;
}

void kma_account_set_partial(struct kma_account *account)
{
	account->partial = true;
}

bool kma_account_is_partial(const struct kma_account *account)
{
	return account->partial;
}

/* By how much the header's total exceeds the sum of the rows; false if it does not. */
static bool is_missing(uint64_t total, uint64_t sum, uint64_t *ret)
{
	*ret = total > sum ? total - sum : 0;
	return total > sum;
}

/* Warn of each metric, and of a number of callers, that differs between the header and the rows. */
static void account_check_rows(struct kma_account *account)
{
	const struct kma_values *total = &account->totals, *sum = &account->sum;

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		uint64_t stated = kma_metrics[id].get(total), rows = kma_metrics[id].get(sum);

		if (!(account->have & 1U << id) || stated == rows)
			continue;
		account->partial = true;
		kma_account_warn(account,
				 "the header has %" PRIu64 " %s, but the rows add up to %" PRIu64
				 "; %" PRIu64 " %s",
				 stated, kma_metrics[id].what, rows,
				 stated > rows ? stated - rows : rows - stated,
				 stated > rows ? "are shown as " KMA_SITE_MISSING :
						 "more than stated");
	}
	if (account->callers != account->nr_sites)
		kma_account_warn(account, "the header has %" PRIu64 " %s, but there %s %zu %s",
				 account->callers,
				 kma_plural(account->callers, "caller", "callers"),
				 kma_plural(account->nr_sites, "is", "are"), account->nr_sites,
				 kma_plural(account->nr_sites, "row", "rows"));
}

struct kma_err *kma_account_finish(struct kma_account *account)
{
	const struct kma_values *total = &account->totals, *sum = &account->sum;
	struct kma_values missing = { 0 };
	bool some;

	if (!account->has_totals)
		return NULL;
	account_check_rows(account);
	some = is_missing(total->current, sum->current, &missing.current);
	some |= is_missing(total->req, sum->req, &missing.req);
	some |= is_missing(total->waste, sum->waste, &missing.waste);
	some |= is_missing(total->allocs, sum->allocs, &missing.allocs);
	some |= is_missing(total->frees, sum->frees, &missing.frees);
	some |= is_missing(total->total, sum->total, &missing.total);
	some |= is_missing(total->objects, sum->objects, &missing.objects);
	if (!some)
		return NULL;
	return kma_account_add_site(account, KMA_SITE_MISSING, strlen(KMA_SITE_MISSING), &missing);
}

const char *kma_account_name(const struct kma_account *account)
{
	return account->name;
}

void kma_account_rename(struct kma_account *account, const char *name)
{
	char *copy = kma_xstrdup(name);

	free(account->name);
	account->name = copy;
}

const char *kma_account_note(const struct kma_account *account, const char *key)
{
	for (size_t i = 0; i < account->nr_notes; i++)
		if (!strcmp(account->notes[i].key, key))
			return account->notes[i].value;
	return NULL;
}

bool kma_list_has(const char *list, const char *name)
{
	size_t len = strlen(name);

	while (*list) {
		size_t word = strcspn(list, " "), n = 0;

		while (n < len && n < word &&
		       (list[n] == name[n] || (list[n] == '_' && name[n] == ' ')))
			n++;
		if (n == len && n == word)
			return true;
		list += word + strspn(list + word, " ");
	}
	return false;
}

const char *kma_account_note_at(const struct kma_account *account, size_t i, const char **value)
{
	if (i >= account->nr_notes)
		return NULL;
	*value = account->notes[i].value;
	return account->notes[i].key;
}

const struct kma_site *kma_account_sites(const struct kma_account *account, size_t *nr)
{
	*nr = account->nr_sites;
	return account->sites;
}

unsigned int kma_account_metrics(const struct kma_account *account)
{
	return account->have;
}

bool kma_account_has_paths(const struct kma_account *account)
{
	return account->has_paths;
}

const struct kma_values *kma_account_total(const struct kma_account *account)
{
	return &account->sum;
}

bool kma_account_loss(const struct kma_account *account, enum kma_loss_id id, uint64_t *ret)
{
	*ret = account->losses[id];
	return account->has_loss & 1U << id;
}

const char *kma_account_warning(const struct kma_account *account, size_t i)
{
	return i < account->nr_warnings ? account->warnings[i] : NULL;
}
