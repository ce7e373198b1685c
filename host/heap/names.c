// SPDX-License-Identifier: GPL-2.0-only
/*
 * names.c - sample the objects of a type, read them twice, and group them.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "census.h"
#include "kallsyms.h"
#include "lib/array.h"
#include "names.h"

#define CONFIDENCE 1.96 /* standard deviations that hold 95 % */

/* An object of the sample. */
struct object {
	uint64_t key;  /* its address, XORed with KMA_HEAP_KEY */
	uint64_t hash; /* of what the first reading has found; 0: nothing */
};

struct cache {
	struct kma_name_slot slot; /* the last one of it; without a name: not seen yet */
	bool wanted;
};

struct name_reader {
	const struct kma_names_wish *wish;
	struct kma_name_sample *names;
	struct kma_running running;
	struct kma_census census;
	struct kma_listing_sites sites;
	struct kma_namer namer;
	uint64_t symbol;      /* address of the cache that a variable has; 0: none */
	struct cache *caches; /* by number of the site */
	uint32_t room_caches;
	struct object *objects;
	size_t room;
	uint64_t random;
};

/* SplitMix64. */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* The cache of an object; NULL if it has none of the type. */
static struct cache *cache_of(struct name_reader *in, uint32_t site)
{
	const struct kma_name_type *type = in->wish->type;
	const char *caller, *name;
	struct cache *cache;
	size_t len;

	kma_array_reach(in->caches, in->room_caches, site);
	cache = &in->caches[site];
	if (!cache->slot.name) {
		caller = kma_listing_caller(&in->sites, site);
		name = kma_site_before(caller, &len);
		cache->slot.name = kma_arena_text(&in->names->texts, name, len);
		cache->slot.cache = kma_census_cache(&in->census, site);
		cache->slot.merged = name[len] == *KMA_SITE_MERGED;
		cache->wanted = (!type->caches[0] && !type->symbol) ||
				(in->symbol && cache->slot.cache == in->symbol);
		for (size_t i = 0; i < ARRAY_SIZE(type->caches) && type->caches[i]; i++)
			cache->wanted |= kma_census_is(caller, type->caches[i]);
	}
	return cache->wanted ? cache : NULL;
}

/* Take an object into the sample, or leave it out by chance. */
static void sample(void *arg, uint64_t at)
{
	struct name_reader *in = arg;
	struct kma_name_sample *names = in->names;
	uint64_t n = names->found++;

	if (in->wish->sample && n >= in->wish->sample) {
		n = random_next(&in->random) % names->found;
		if (n >= in->wish->sample)
			return;
	} else {
		kma_array_room(in->objects, n, in->room);
		names->sampled++;
	}
	in->objects[n].key = at ^ KMA_HEAP_KEY;
}

static void slot_used(void *arg, const struct kma_listing_object *object)
{
	struct name_reader *in = arg;
	const struct kma_name_type *type = in->wish->type;
	struct cache *cache = cache_of(in, object->site);
	uint64_t at = object->addr;

	if (!cache)
		return;
	cache->slot.addr = at;
	cache->slot.bytes = object->total;
	if (!type->is || type->is(&in->namer, &cache->slot, &at))
		sample(in, at);
}

/* Find the objects. */
static struct kma_err *find(struct name_reader *in)
{
	_cleanup_graph_ struct kma_graph free = { 0 };
	struct kma_running *running = &in->running;
	struct kma_slub_counts counts;
	struct kma_err *err;
	uint64_t addr;

	kma_running_free(running, &free, &counts);
	kma_graph_finish(&free);
	if (!free.nr)
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, NULL, 0,
			"no lists of free slab objects were found in the kernel");
	addr = kma_graph_addr(free.objects);
	err = running->target.ops->find(running->target.arg, addr);
	return err ?: kma_census_walk(&in->census, running, &free, &in->sites, slot_used, in);
}

static uint64_t hash(const struct kma_name_text *name)
{
	return XXH3_64bits_withSeed(name->keys.str, name->keys.len, name->flag) | 1;
}

static void read_first(struct name_reader *in)
{
	struct kma_name_text name = { 0 };

	for (uint64_t i = 0; i < in->names->sampled; i++) {
		struct object *object = &in->objects[i];
		bool is = kma_namer_read(&in->namer, in->wish->type, object->key ^ KMA_HEAP_KEY,
					 &name);

		object->hash = is ? hash(&name) : 0;
	}
	kma_strbuf_deinit(&name.keys);
	kma_namer_forget(&in->namer);
	kma_target_forget(&in->running.target);
}

/* Count an object in its row. */
static void add(struct name_reader *in, const struct kma_name_text *name)
{
	_cleanup_strbuf_ struct kma_strbuf keys = { 0 };
	const struct kma_name_type *type = in->wish->type;
	struct kma_name_sample *names = in->names;
	const char *key = name->keys.str;
	struct kma_names_row *row;
	uint32_t at, n;

	for (size_t i = 0; type->keys[i]; i++, key += strlen(key) + 1) {
		if (type->exact & 1U << i)
			kma_strbuf_puts(&keys, key);
		else
			kma_names_pattern(key, &keys);
		kma_strbuf_add(&keys, "", 1);
	}
	at = kma_map_text(keys.str, keys.len);
	n = kma_map_find(&names->by_keys, at, i,
			 names->rows[i].len == keys.len &&
				 !memcmp(names->rows[i].keys[0], keys.str, keys.len));
	if (n == KMA_MAP_NONE) {
		n = kma_map_add(&names->by_keys, at);
		kma_array_room(names->rows, n, names->room);
		names->nr++;
		row = &names->rows[n];
		*row = (struct kma_names_row){ .len = keys.len };
		key = kma_arena_text(&names->texts, keys.str, keys.len);
		for (size_t i = 0; type->keys[i]; i++, key += strlen(key) + 1)
			row->keys[i] = key;
	}
	names->rows[n].objects++;
	names->rows[n].flagged += name->flag;
	names->named++;
}

static void read_second(struct name_reader *in)
{
	_cleanup_graph_ struct kma_graph free = { 0 };
	struct kma_name_sample *names = in->names;
	struct kma_slub_counts counts;
	struct kma_name_text name = { 0 };

	kma_running_free(&in->running, &free, &counts);
	kma_graph_finish(&free);
	for (uint64_t i = 0; i < names->sampled; i++) {
		const struct object *object = &in->objects[i];
		uint64_t at = object->key ^ KMA_HEAP_KEY;
		bool is = kma_namer_read(&in->namer, in->wish->type, at, &name);

		if (kma_graph_has(&free, at))
			names->freed++;
		else if (!is && !object->hash)
			names->unknown++;
		else if (!is || hash(&name) != object->hash)
			names->changed++;
		else
			add(in, &name);
	}
	kma_strbuf_deinit(&name.keys);
	kma_target_forget(&in->running.target);
}

static int compare(const void *a, const void *b)
{
	const struct kma_names_row *x = a, *y = b;

	if (x->objects != y->objects)
		return x->objects < y->objects ? 1 : -1;
	return memcmp(x->keys[0], y->keys[0], x->len < y->len ? x->len : y->len);
}

/* Variables that are looked for. */
enum { SYMBOL, HOTDATA, NSPROXY, NR_SYMBOLS };

/* Reads a word of a variable: the member of its struct; 0 without one. */
static uint64_t member_of(struct name_reader *in, const struct kma_btf *btf,
			  const struct kma_kallsyms_symbol *symbol, const char *of,
			  const char *name)
{
	struct kma_btf_member member;
	uint64_t word = 0;

	if (symbol->found &&
	    kma_btf_member(btf, kma_btf_find(btf, KMA_BTF_STRUCT, of), name, &member))
		kma_target_word(&in->running.target, symbol->addr + member.offset, &word);
	return word;
}

static void use_symbols(struct name_reader *in, const struct kma_btf *btf,
			const struct kma_kallsyms_symbol *symbols)
{
	const struct kma_name_type *type = in->wish->type;
	uint64_t home = member_of(in, btf, &symbols[NSPROXY], "nsproxy", "mnt_ns");

	in->namer.home = home ? home ^ KMA_HEAP_KEY : 0;
	if (type->idr && symbols[SYMBOL].found)
		kma_namer_idr(&in->namer, symbols[SYMBOL].addr, sample, in);
	else if (symbols[SYMBOL].found)
		kma_target_word(&in->running.target, symbols[SYMBOL].addr, &in->symbol);
	else if (type->hot)
		in->symbol = member_of(in, btf, &symbols[HOTDATA], "net_hotdata", type->hot);
}

static struct kma_err *read_all(struct name_reader *in)
{
	_cleanup_btf_ struct kma_btf *btf = NULL;
	const struct kma_names_wish *wish = in->wish;
	const struct kma_name_type *type = wish->type;
	struct kma_kallsyms_symbol symbols[NR_SYMBOLS] = {
		[SYMBOL] = { .name = type->idr		  ?:
					     type->symbol ?:
							    "" },
		[HOTDATA] = { .name = "net_hotdata" },
		[NSPROXY] = { .name = "init_nsproxy" },
	};
	struct kma_name_sample *names = in->names;
	struct kma_running *running = &in->running;
	struct kma_err *err = kma_running_open(running, &wish->source, &names->notes);

	if (err)
		return err;
	btf = running->target.ops->types(running->target.arg);
	if (!btf)
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, NULL, 0,
			"the kernel has no BTF (CONFIG_DEBUG_INFO_BTF), which has the members of its structures");
	err = kma_namer_init(&in->namer, type, btf, &running->words) ?:
		      kma_kallsyms_find(running->kallsyms, symbols, NR_SYMBOLS);
	if (!err)
		use_symbols(in, btf, symbols);
	if (!err && !type->idr)
		err = find(in);
	if (err)
		return err;
	if (!names->found)
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, NULL, 0,
					   "the kernel has no object %s that could be found",
					   wish->type->name);
	read_first(in);
	read_second(in);
	if (names->nr)
		qsort(names->rows, names->nr, sizeof(*names->rows), compare);
	return NULL;
}

struct kma_err *kma_names_read(const struct kma_names_wish *wish, struct kma_name_sample *ret)
{
	struct name_reader in = { .wish = wish, .names = ret };
	int dumpable = prctl(PR_GET_DUMPABLE);
	struct kma_err *err;

	/* A core would have pages of the kernel's memory. */
	prctl(PR_SET_DUMPABLE, 0);
	err = read_all(&in);
	kma_running_close(&in.running);
	kma_census_deinit(&in.census);
	kma_listing_sites_deinit(&in.sites);
	kma_namer_deinit(&in.namer);
	/* It has addresses, which a later scan must not find. */
	if (in.caches)
		explicit_bzero(in.caches, in.room_caches * sizeof(*in.caches));
	free(in.caches);
	free(in.objects);
	prctl(PR_SET_DUMPABLE, dumpable);
	return err;
}

void kma_names_deinit(struct kma_name_sample *names)
{
	free(names->rows);
	kma_map_free(&names->by_keys);
	kma_arena_deinit(&names->texts);
	kma_notes_deinit(&names->notes);
	*names = (struct kma_name_sample){ 0 };
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * A word is a hash if it has at least eight hexadecimal digits, with dashes between them, and a
 * decimal one; or if letters and digits take turns in it at least three times.
 */
static bool is_hash(const char *text, size_t len)
{
	size_t hex = 0, digits = 0, turns = 0, letters = 0;

	for (size_t i = 0; i < len; i++) {
		hex += isxdigit((unsigned char)text[i]) || text[i] == '-';
		digits += is_digit(text[i]);
		letters += text[i] != '-';
		turns += i && is_digit(text[i]) != is_digit(text[i - 1]);
	}
	return digits && letters >= 8 ? hex == len || turns >= 3 : len >= 6 && turns >= 3;
}

/* The length of a word: letters and digits; @dashes: also dashes between them. */
static size_t word_len(const char *text, bool dashes)
{
	size_t len = 0;

	while (isalnum((unsigned char)text[len]) ||
	       (dashes && len && text[len] == '-' && isalnum((unsigned char)text[len + 1])))
		len++;
	return len;
}

void kma_names_pattern(const char *text, struct kma_strbuf *out)
{
	while (*text) {
		size_t len = word_len(text, true);

		/* A word with dashes is one only as a whole, as in the text of a UUID. */
		if (strspn(text, "0123456789abcdefABCDEF-") < len)
			len = word_len(text, false);
		if (len && is_hash(text, len)) {
			kma_strbuf_puts(out, "*");
			text += len;
			continue;
		}
		for (len = len ?: 1; len; len--, text++) {
			if (!is_digit(*text))
				kma_strbuf_add(out, text, 1);
			else if (!is_digit(text[1]) || len == 1)
				kma_strbuf_puts(out, "*");
		}
	}
}

double kma_names_error(uint64_t hits, uint64_t sample, uint64_t all)
{
	double n = sample, p = hits / n, z = CONFIDENCE, rest = all > sample ? all - sample : 0;
	double half, middle;

	if (!sample || !rest)
		return 0;
	half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
	middle = (p + z * z / (2 * n)) / (1 + z * z / n);
	return (half + fabs(middle - p)) * sqrt(rest / (all - 1));
}
