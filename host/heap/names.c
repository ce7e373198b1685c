// SPDX-License-Identifier: GPL-2.0-only
/*
 * names.c - sample the objects of a type, read them twice, and group them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "kallsyms.h"
#include "lib/array.h"
#include "name-pattern.h"
#include "name-walk.h"
#include "names.h"
#include "pins.h"

#define CONFIDENCE 1.96 /* standard deviations that hold 95 % */

/* An object of the sample. */
struct object {
	uint64_t key;  /* its address, XORed with KMA_HEAP_KEY */
	uint64_t hash; /* of what the first reading has found; 0: nothing */
};

struct name_reader {
	const struct kma_names_wish *wish;
	struct kma_name_sample *names;
	struct kma_running running;
	struct kma_namer namer;
	struct kma_name_walk walk;
	struct kma_pins pins;
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

/* Take an object into the sample, or leave it out by chance. */
static void sample(void *arg, unsigned int type, uint64_t at)
{
	struct name_reader *in = arg;
	struct kma_name_sample *names = in->names;
	uint64_t n = names->found++;

	(void)type;
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
		if (is && name.flag && in->wish->type->pinned)
			kma_pins_add(&in->pins, object->key ^ KMA_HEAP_KEY);
	}
	kma_strbuf_deinit(&name.keys);
	kma_namer_forget(&in->namer);
	kma_target_forget(&in->running.target);
}

/* Count an object in its row. Returns the row's number. */
static uint32_t add(struct name_reader *in, const struct kma_name_text *name)
{
	_cleanup_strbuf_ struct kma_strbuf keys = { 0 };
	const struct kma_name_type *type = in->wish->type;
	struct kma_name_sample *names = in->names;
	struct kma_names_row *row;
	const char *key;
	uint32_t at, n;

	kma_name_keys(type, name->keys.str, &keys);
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
	return n;
}

static void read_second(struct name_reader *in)
{
	_cleanup_graph_ struct kma_graph free = { 0 };
	struct kma_name_sample *names = in->names;
	struct kma_slub_counts counts;
	struct kma_name_text name = { 0 };
	uint32_t row;

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
		else {
			row = add(in, &name);
			if (name.flag)
				kma_pins_row(&in->pins, at, row);
		}
	}
	kma_strbuf_deinit(&name.keys);
	kma_target_forget(&in->running.target);
}

/* Give each row what holds its cgroups. */
static void give_pins(struct name_reader *in)
{
	struct kma_name_sample *names = in->names;
	const char **texts = kma_xcalloc(names->nr + 1, sizeof(*texts));

	kma_pins_texts(&in->pins, &names->texts, texts);
	for (uint32_t i = 0; i < names->nr; i++)
		names->rows[i].pinned = texts[i];
	free(texts);
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
		kma_target_word(&in->running.target, symbols[SYMBOL].addr, &in->walk.symbol);
	else if (type->hot)
		in->walk.symbol = member_of(in, btf, &symbols[HOTDATA], "net_hotdata", type->hot);
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
	in->walk.running = running;
	in->walk.namer = &in->namer;
	in->walk.types = (const struct kma_name_type *[]){ type, NULL };
	in->walk.fn = sample;
	in->walk.arg = in;
	if (!err)
		use_symbols(in, btf, symbols);
	if (!err && !type->idr)
		err = kma_name_walk_run(&in->walk);
	if (err)
		return err;
	if (!names->found)
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, NULL, 0,
					   "the kernel has no object %s that could be found",
					   wish->type->name);
	read_first(in);
	kma_pins_read(&in->pins, running, &in->namer, &names->notes);
	read_second(in);
	give_pins(in);
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
	kma_name_walk_deinit(&in.walk);
	kma_pins_deinit(&in.pins);
	kma_namer_deinit(&in.namer);
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
