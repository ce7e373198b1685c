// SPDX-License-Identifier: GPL-2.0-only
/*
 * slub.c - follow SLUB's lists of free objects and of sheaves.
 *
 * All loops are bounded, because a list that changes while it is followed can lead anywhere.
 */
#include "slub.h"

#include "lib/cleanup.h"

#define KMA_SLUB_CACHES	 20000	    /* most caches */
#define KMA_SLUB_OBJECTS 32767	    /* most objects of a slab: struct slab has 15 bits for them */
#define KMA_SLUB_SLABS	 4096	    /* most slabs that a CPU keeps */
#define KMA_SLUB_NODE	 (1U << 20) /* most slabs of a node's list */
#define KMA_SLUB_SPARE	 64	    /* slabs that a list may get while it is followed */
#define KMA_SLUB_BARN	 4096	    /* most sheaves of a list of a barn */
#define KMA_SLUB_SHEAF	 65536	    /* most entries of a sheaf */
#define KMA_SLUB_OO	 16	    /* bits of kmem_cache.oo below the order of a slab */

struct kma_slub_walk {
	const struct kma_slub_heap *slub;
	const struct kma_words *words;
	kma_area_fn fn;
	void *arg;
	struct kma_slub_counts *counts;
	/* of the current cache */
	uint64_t cache;	   /* its address */
	uint64_t size;	   /* bytes of an object's slot */
	uint64_t offset;   /* of the pointer in a free object */
	uint64_t random;   /* the secret of a hardened kernel */
	uint64_t bytes;	   /* of a slab */
	uint64_t capacity; /* entries of a sheaf */
};

/* A node's barn is in the node's part of the cache (6.18), or behind a pointer beside it (7.2). */
static void slub_layout_nodes(const struct kma_btf *btf, struct kma_slub_layout *layout)
{
	int64_t both = kma_btf_offset(btf, "kmem_cache", "per_node");
	int64_t node = kma_btf_offset(btf, "kmem_cache_per_node_ptrs", "node");
	int64_t barn = kma_btf_offset(btf, "kmem_cache_per_node_ptrs", "barn");

	layout->node = kma_btf_offset(btf, "kmem_cache", "node");
	layout->step = sizeof(uint64_t);
	layout->barn = -1;
	if (both < 0)
		return;
	layout->node = node < 0 ? -1 : both + node;
	layout->barn = barn < 0 ? -1 : both + barn;
	layout->step = kma_btf_struct_size(btf, "kmem_cache_per_node_ptrs");
}

/* Return true if the kernel has no sheaves, or those that are known. */
static bool slub_layout_sheaves(const struct kma_btf *btf, struct kma_slub_layout *layout)
{
	static const char *const of_cpu[] = { "main", "spare", "rcu_free" };
	bool known = true;

	layout->cpu_sheaves = kma_btf_offset(btf, "kmem_cache", "cpu_sheaves");
	layout->capacity = kma_btf_offset(btf, "kmem_cache", "sheaf_capacity");
	for (size_t i = 0; i < ARRAY_SIZE(of_cpu); i++) {
		layout->cpu_sheaf[i] = kma_btf_offset(btf, "slub_percpu_sheaves", of_cpu[i]);
		known = known && layout->cpu_sheaf[i] >= 0;
	}
	layout->node_barn = kma_btf_offset(btf, "kmem_cache_node", "barn");
	layout->barn_list[0] = kma_btf_offset(btf, "node_barn", "sheaves_full");
	layout->barn_list[1] = kma_btf_offset(btf, "node_barn", "sheaves_empty");
	layout->barn_nr[0] = kma_btf_offset(btf, "node_barn", "nr_full");
	layout->barn_nr[1] = kma_btf_offset(btf, "node_barn", "nr_empty");
	layout->sheaf_list = kma_btf_offset(btf, "slab_sheaf", "barn_list");
	layout->sheaf_cache = kma_btf_offset(btf, "slab_sheaf", "cache");
	layout->sheaf_nr = kma_btf_offset(btf, "slab_sheaf", "size");
	layout->sheaf_objects = kma_btf_offset(btf, "slab_sheaf", "objects");
	return !kma_btf_find(btf, KMA_BTF_STRUCT, "slab_sheaf") ||
	       (known && layout->cpu_sheaves >= 0 && layout->capacity >= 0 &&
		(layout->barn >= 0 || layout->node_barn >= 0) && layout->barn_list[0] >= 0 &&
		layout->barn_list[1] >= 0 && layout->barn_nr[0] >= 0 && layout->barn_nr[1] >= 0 &&
		layout->sheaf_list >= 0 && layout->sheaf_cache >= 0 && layout->sheaf_nr >= 0 &&
		layout->sheaf_objects >= 0);
}

bool kma_slub_layout(const struct kma_btf *btf, struct kma_slub_layout *layout)
{
	/* Since 5.17 the members of a slab are in a struct of their own. */
	const char *slab = kma_btf_offset(btf, "slab", "freelist") >= 0 ? "slab" : "page";

	*layout = (struct kma_slub_layout){
		.list = kma_btf_offset(btf, "kmem_cache", "list"),
		.size = kma_btf_offset(btf, "kmem_cache", "size"),
		.offset = kma_btf_offset(btf, "kmem_cache", "offset"),
		.oo = kma_btf_offset(btf, "kmem_cache", "oo.x"),
		.random = kma_btf_offset(btf, "kmem_cache", "random"),
		.cpu_slab = kma_btf_offset(btf, "kmem_cache", "cpu_slab"),
		.cpu_freelist = kma_btf_offset(btf, "kmem_cache_cpu", "freelist"),
		.cpu_slab_now = kma_btf_offset(btf, "kmem_cache_cpu", slab),
		.cpu_partial = kma_btf_offset(btf, "kmem_cache_cpu", "partial"),
		.node_partial = kma_btf_offset(btf, "kmem_cache_node", "partial"),
		.node_nr = kma_btf_offset(btf, "kmem_cache_node", "nr_partial"),
		.slab_freelist = kma_btf_offset(btf, slab, "freelist"),
		.slab_list = kma_btf_offset(btf, slab, "slab_list"),
		.slab_next = kma_btf_offset(btf, slab, "next"),
		.slab_cache = kma_btf_offset(btf, slab, "slab_cache"),
		.refcount = kma_btf_offset(btf, "kmem_cache", "refcount"),
		.name = kma_btf_offset(btf, "kmem_cache", "name"),
		.pad = kma_btf_offset(btf, "kmem_cache", "red_left_pad"),
	};
	kma_btf_member(btf, kma_btf_find(btf, KMA_BTF_STRUCT, slab), "objects",
		       &layout->slab_objects);
	slub_layout_nodes(btf, layout);
	return slub_layout_sheaves(btf, layout) && layout->list >= 0 && layout->size >= 0 &&
	       layout->offset >= 0 && layout->oo >= 0 && layout->node >= 0 &&
	       layout->node_partial >= 0 && layout->node_nr >= 0 && layout->slab_freelist >= 0 &&
	       layout->slab_list >= 0;
}

static bool slub_word(const struct kma_slub_walk *walk, uint64_t addr, uint64_t *ret)
{
	return walk->words->word(walk->words->arg, addr, ret);
}

/* Read a pointer of a member that the kernel may lack; 0 then, and if nothing can be read. */
static uint64_t slub_member(const struct kma_slub_walk *walk, uint64_t at, int64_t member)
{
	uint64_t word;

	return at && member >= 0 && slub_word(walk, at + member, &word) ? word : 0;
}

/* Follow a list of free objects from @first on. */
static void slub_list(struct kma_slub_walk *walk, uint64_t first)
{
	uint64_t object = first;

	walk->counts->slabs += first != 0;
	for (unsigned int i = 0; i < KMA_SLUB_OBJECTS && object; i++) {
		uint64_t from = object > first ? object - first : first - object;
		uint64_t at = object + walk->offset, word;

		if (from >= walk->bytes || from % walk->size || at % 8 ||
		    !slub_word(walk, at, &word))
			break;
		walk->counts->objects++;
		walk->fn(walk->arg, object, walk->size);
		object = word;
		if (walk->slub->layout.random >= 0)
			object ^= walk->random ^ __builtin_bswap64(at);
	}
}

/* The free objects of the sheaf at @sheaf, and its array; nothing if it is not one of this cache. */
static void slub_sheaf(struct kma_slub_walk *walk, uint64_t sheaf)
{
	const struct kma_slub_layout *layout = &walk->slub->layout;
	uint64_t array = sheaf + layout->sheaf_objects, nr, object;

	if (slub_member(walk, sheaf, layout->sheaf_cache) != walk->cache || !walk->capacity ||
	    !kma_words_half(walk->words, sheaf + layout->sheaf_nr, &nr) || nr > walk->capacity)
		return;
	walk->counts->sheaves++;
	walk->fn(walk->arg, array, 8 * walk->capacity);
	for (uint64_t i = 0; i < nr; i++) {
		if (!slub_word(walk, array + 8 * i, &object) || !object || object % 8)
			continue;
		walk->counts->objects++;
		walk->fn(walk->arg, object, walk->size);
	}
}

/* The list of sheaves of a barn whose number is @nr, from its @head on. */
static void slub_barn(struct kma_slub_walk *walk, uint64_t head, uint64_t nr)
{
	uint64_t entry = slub_member(walk, head, 0);

	for (uint64_t i = 0; i < nr && entry && entry != head; i++) {
		slub_sheaf(walk, entry - walk->slub->layout.sheaf_list);
		entry = slub_member(walk, entry, 0);
	}
}

static void slub_barns(struct kma_slub_walk *walk, uint64_t barn)
{
	const struct kma_slub_layout *layout = &walk->slub->layout;
	uint64_t nr;

	for (unsigned int i = 0; i < ARRAY_SIZE(layout->barn_list) && barn; i++)
		if (kma_words_half(walk->words, barn + layout->barn_nr[i], &nr))
			slub_barn(walk, barn + layout->barn_list[i],
				  (nr < KMA_SLUB_BARN ? nr : KMA_SLUB_BARN) + KMA_SLUB_SPARE);
}

static void slub_cpu_sheaves(struct kma_slub_walk *walk, uint64_t percpu)
{
	const struct kma_slub_layout *layout = &walk->slub->layout;

	for (unsigned int cpu = 0; cpu < walk->slub->cpus; cpu++) {
		uint64_t at = percpu + walk->slub->cpu_areas[cpu], sheaf;

		for (unsigned int i = 0; i < ARRAY_SIZE(layout->cpu_sheaf); i++) {
			sheaf = slub_member(walk, at, layout->cpu_sheaf[i]);
			if (sheaf)
				slub_sheaf(walk, sheaf);
		}
	}
}

static void slub_cpu(struct kma_slub_walk *walk, uint64_t percpu)
{
	const struct kma_slub_layout *layout = &walk->slub->layout;

	for (unsigned int cpu = 0; cpu < walk->slub->cpus; cpu++) {
		uint64_t at = percpu + walk->slub->cpu_areas[cpu], slab;

		slub_list(walk, slub_member(walk, at, layout->cpu_freelist));
		/* What other CPUs have freed into the slab that this CPU allocates from. */
		slab = slub_member(walk, at, layout->cpu_slab_now);
		slub_list(walk, slub_member(walk, slab, layout->slab_freelist));
		slab = slub_member(walk, at, layout->cpu_partial);
		for (unsigned int i = 0; i < KMA_SLUB_SLABS && slab; i++) {
			slub_list(walk, slub_member(walk, slab, layout->slab_freelist));
			slab = slub_member(walk, slab, layout->slab_next);
		}
	}
}

static void slub_partial(struct kma_slub_walk *walk, uint64_t node)
{
	const struct kma_slub_layout *layout = &walk->slub->layout;
	uint64_t head = node + layout->node_partial;
	uint64_t entry = slub_member(walk, head, 0);
	uint64_t nr = slub_member(walk, node, layout->node_nr) + KMA_SLUB_SPARE;

	if (nr > KMA_SLUB_NODE)
		nr = KMA_SLUB_NODE;
	for (uint64_t i = 0; i < nr && entry && entry != head; i++) {
		uint64_t slab = entry - layout->slab_list;

		slub_list(walk, slub_member(walk, slab, layout->slab_freelist));
		entry = slub_member(walk, entry, 0);
	}
}

static void slub_node(struct kma_slub_walk *walk, unsigned int number)
{
	const struct kma_slub_layout *layout = &walk->slub->layout;
	uint64_t at = walk->cache + number * layout->step;
	uint64_t node = slub_member(walk, at, layout->node);
	uint64_t barn = layout->barn >= 0 ? slub_member(walk, at, layout->barn) :
					    slub_member(walk, node, layout->node_barn);

	if (node)
		slub_partial(walk, node);
	slub_barns(walk, barn);
}

static void slub_cache(struct kma_slub_walk *walk)
{
	const struct kma_slub_layout *layout = &walk->slub->layout;
	uint64_t oo;

	if (!kma_words_half(walk->words, walk->cache + layout->size, &walk->size) ||
	    !kma_words_half(walk->words, walk->cache + layout->offset, &walk->offset) ||
	    !kma_words_half(walk->words, walk->cache + layout->oo, &oo) || !walk->size ||
	    walk->offset >= walk->size || oo >> KMA_SLUB_OO > 10)
		return;
	walk->random = slub_member(walk, walk->cache, layout->random);
	walk->bytes = walk->slub->page << (oo >> KMA_SLUB_OO);
	walk->capacity = 0;
	if (layout->capacity >= 0 &&
	    (!kma_words_half(walk->words, walk->cache + layout->capacity, &walk->capacity) ||
	     walk->capacity > KMA_SLUB_SHEAF))
		walk->capacity = 0;
	walk->counts->caches++;
	if (layout->cpu_slab >= 0)
		slub_cpu(walk, slub_member(walk, walk->cache, layout->cpu_slab));
	if (layout->cpu_sheaves >= 0)
		slub_cpu_sheaves(walk, slub_member(walk, walk->cache, layout->cpu_sheaves));
	for (unsigned int i = 0; i < walk->slub->nodes; i++)
		slub_node(walk, i);
}

void kma_slub_free(const struct kma_slub_heap *slub, const struct kma_words *words, kma_area_fn fn,
		   void *arg, struct kma_slub_counts *counts)
{
	struct kma_slub_walk walk = {
		.slub = slub, .words = words, .fn = fn, .arg = arg, .counts = counts
	};
	uint64_t entry;

	*counts = (struct kma_slub_counts){ 0 };
	entry = slub_member(&walk, slub->caches, 0);
	for (unsigned int i = 0; i < KMA_SLUB_CACHES && entry && entry != slub->caches; i++) {
		walk.cache = entry - slub->layout.list;
		slub_cache(&walk);
		entry = slub_member(&walk, entry, 0);
	}
}
