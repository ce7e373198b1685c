// SPDX-License-Identifier: GPL-2.0-only
/*
 * slub.c - follow SLUB's lists of free objects.
 *
 * All loops are bounded, because a list that changes while it is followed can lead anywhere.
 */
#include "slub.h"

#define KMA_SLUB_CACHES	 20000	    /* most caches */
#define KMA_SLUB_OBJECTS 32767	    /* most objects of a slab: struct slab has 15 bits for them */
#define KMA_SLUB_SLABS	 4096	    /* most slabs that a CPU keeps */
#define KMA_SLUB_NODE	 (1U << 20) /* most slabs of a node's list */
#define KMA_SLUB_SPARE	 64	    /* slabs that a list may get while it is followed */
#define KMA_SLUB_OO	 16	    /* bits of kmem_cache.oo below the order of a slab */
#define KMA_SLUB_PAGE	 4096

struct kma_slub_walk {
	const struct kma_slub_heap *slub;
	const struct kma_words *words;
	kma_area_fn fn;
	void *arg;
	struct kma_slub_counts *counts;
	/* of the current cache */
	uint64_t cache;	 /* its address */
	uint64_t size;	 /* bytes of an object's slot */
	uint64_t offset; /* of the pointer in a free object */
	uint64_t random; /* the secret of a hardened kernel */
	uint64_t bytes;	 /* of a slab */
};

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
		.node = kma_btf_offset(btf, "kmem_cache", "node"),
		.cpu_freelist = kma_btf_offset(btf, "kmem_cache_cpu", "freelist"),
		.cpu_slab_now = kma_btf_offset(btf, "kmem_cache_cpu", slab),
		.cpu_partial = kma_btf_offset(btf, "kmem_cache_cpu", "partial"),
		.node_partial = kma_btf_offset(btf, "kmem_cache_node", "partial"),
		.node_nr = kma_btf_offset(btf, "kmem_cache_node", "nr_partial"),
		.slab_freelist = kma_btf_offset(btf, slab, "freelist"),
		.slab_list = kma_btf_offset(btf, slab, "slab_list"),
		.slab_next = kma_btf_offset(btf, slab, "next"),
	};
	return layout->list >= 0 && layout->size >= 0 && layout->offset >= 0 && layout->oo >= 0 &&
	       layout->node >= 0 && layout->node_partial >= 0 && layout->node_nr >= 0 &&
	       layout->slab_freelist >= 0 && layout->slab_list >= 0;
}

static bool kma_slub_word(const struct kma_slub_walk *walk, uint64_t addr, uint64_t *ret)
{
	return walk->words->word(walk->words->arg, addr, ret);
}

/* Read 4 bytes, which need not be at an aligned word. */
static bool kma_slub_half(const struct kma_slub_walk *walk, uint64_t addr, uint64_t *ret)
{
	if (!kma_slub_word(walk, addr & ~7ULL, ret))
		return false;
	*ret = *ret >> 8 * (addr & 4) & UINT32_MAX;
	return true;
}

/* Read a pointer of a member that the kernel may lack; 0 then, and if nothing can be read. */
static uint64_t kma_slub_member(const struct kma_slub_walk *walk, uint64_t at, int64_t member)
{
	uint64_t word;

	return at && member >= 0 && kma_slub_word(walk, at + member, &word) ? word : 0;
}

/* Follow a list of free objects from @first on. */
static struct kma_err *kma_slub_list(struct kma_slub_walk *walk, uint64_t first)
{
	struct kma_err *err = NULL;
	uint64_t object = first;

	walk->counts->slabs += first != 0;
	for (unsigned int i = 0; i < KMA_SLUB_OBJECTS && object && !err; i++) {
		uint64_t from = object > first ? object - first : first - object;
		uint64_t at = object + walk->offset, word;

		if (from >= walk->bytes || from % walk->size || at % 8 ||
		    !kma_slub_word(walk, at, &word))
			break;
		walk->counts->objects++;
		err = walk->fn(walk->arg, object, walk->size);
		object = word;
		if (walk->slub->layout.random >= 0)
			object ^= walk->random ^ __builtin_bswap64(at);
	}
	return err;
}

static struct kma_err *kma_slub_cpu(struct kma_slub_walk *walk, uint64_t percpu)
{
	const struct kma_slub_layout *layout = &walk->slub->layout;
	struct kma_err *err = NULL;

	for (unsigned int cpu = 0; cpu < walk->slub->cpus && !err; cpu++) {
		uint64_t at = percpu + walk->slub->cpu_areas[cpu], slab;

		err = kma_slub_list(walk, kma_slub_member(walk, at, layout->cpu_freelist));
		/* What other CPUs have freed into the slab that this CPU allocates from. */
		slab = kma_slub_member(walk, at, layout->cpu_slab_now);
		if (!err)
			err = kma_slub_list(walk,
					    kma_slub_member(walk, slab, layout->slab_freelist));
		slab = kma_slub_member(walk, at, layout->cpu_partial);
		for (unsigned int i = 0; i < KMA_SLUB_SLABS && slab && !err; i++) {
			err = kma_slub_list(walk,
					    kma_slub_member(walk, slab, layout->slab_freelist));
			slab = kma_slub_member(walk, slab, layout->slab_next);
		}
	}
	return err;
}

static struct kma_err *kma_slub_node(struct kma_slub_walk *walk, uint64_t node)
{
	const struct kma_slub_layout *layout = &walk->slub->layout;
	uint64_t head = node + layout->node_partial;
	uint64_t entry = kma_slub_member(walk, head, 0);
	uint64_t nr = kma_slub_member(walk, node, layout->node_nr) + KMA_SLUB_SPARE;
	struct kma_err *err = NULL;

	if (nr > KMA_SLUB_NODE)
		nr = KMA_SLUB_NODE;
	for (uint64_t i = 0; i < nr && entry && entry != head && !err; i++) {
		uint64_t slab = entry - layout->slab_list;

		err = kma_slub_list(walk, kma_slub_member(walk, slab, layout->slab_freelist));
		entry = kma_slub_member(walk, entry, 0);
	}
	return err;
}

static struct kma_err *kma_slub_cache(struct kma_slub_walk *walk)
{
	const struct kma_slub_layout *layout = &walk->slub->layout;
	struct kma_err *err = NULL;
	uint64_t oo;

	if (!kma_slub_half(walk, walk->cache + layout->size, &walk->size) ||
	    !kma_slub_half(walk, walk->cache + layout->offset, &walk->offset) ||
	    !kma_slub_half(walk, walk->cache + layout->oo, &oo) || !walk->size ||
	    walk->offset >= walk->size || oo >> KMA_SLUB_OO > 10)
		return NULL;
	walk->random = kma_slub_member(walk, walk->cache, layout->random);
	walk->bytes = KMA_SLUB_PAGE << (oo >> KMA_SLUB_OO);
	walk->counts->caches++;
	if (layout->cpu_slab >= 0)
		err = kma_slub_cpu(walk, kma_slub_member(walk, walk->cache, layout->cpu_slab));
	for (unsigned int i = 0; i < walk->slub->nodes && !err; i++) {
		uint64_t node = kma_slub_member(walk, walk->cache, layout->node + 8 * (int64_t)i);

		if (node)
			err = kma_slub_node(walk, node);
	}
	return err;
}

struct kma_err *kma_slub_free(const struct kma_slub_heap *slub, const struct kma_words *words,
			      kma_area_fn fn, void *arg, struct kma_slub_counts *counts)
{
	struct kma_slub_walk walk = {
		.slub = slub, .words = words, .fn = fn, .arg = arg, .counts = counts
	};
	struct kma_err *err = NULL;
	uint64_t entry;

	*counts = (struct kma_slub_counts){ 0 };
	entry = kma_slub_member(&walk, slub->caches, 0);
	for (unsigned int i = 0; i < KMA_SLUB_CACHES && entry && entry != slub->caches && !err;
	     i++) {
		walk.cache = entry - slub->layout.list;
		err = kma_slub_cache(&walk);
		entry = kma_slub_member(&walk, entry, 0);
	}
	return err;
}
