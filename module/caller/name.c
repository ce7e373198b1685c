// SPDX-License-Identifier: GPL-2.0-only
/*
 * name.c - the kind of a function, by its name.
 *
 * The design is in name.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "caller/name.h"

#define KMA_WRAPPERS_MAX	128
#define KMA_WRAPPERS_DEFAULT	"default"

/*
 * Names of the functions of the allocators in 5.10 to 7.2 that can be on the stack at an
 * event. A name that a kernel does not have is harmless; a function that is missing in the
 * list appears as a call site. A star at the end matches any suffix. "a|b|c" is the three names
 * a, ab and ac. The names of a list are stored one after the other, each with its zero byte, and
 * an empty name ends the list: an array of pointers would take 8 bytes more for each name.
 */
static const char kma_page_names[] =
	"___free_pages\0__alloc_frozen_pages\0"
	"__alloc_pages|_bulk|_direct_compact|_nodemask|_slowpath\0"
	"__folio_|alloc|put|put_large|put_small\0__free_|frozen_pages|pages|pages_ok\0"
	"__get_free_pages\0__kvmalloc_node\0"
	"__page_frag_|alloc_align|cache_drain|cache_refill\0"
	"__put_|compound_page|page|single_page\0__vfree|_deferred\0"
	"__vmalloc|_area_node|_node|_node_range\0__vunmap\0"
	"alloc_contig_|frozen_pages|frozen_range|pages|range\0alloc_frozen_pages|_nolock\0"
	"alloc_|page_interleave|pages\0"
	"alloc_pages_bulk|_array_mempolicy|_array_weighted_interleave|_mempolicy|_weighted_interleave\0"
	"alloc_pages_|current|exact|exact_nid|mpol|node|nolock|preferred_many|vma\0"
	"delayed_vfree_work\0folio_|alloc|alloc_mpol|put\0folios_put_refs\0"
	"free_compound_page\0free_frozen_pages|_nolock\0"
	"free_pages|_bulk|_exact|_nolock|_prepare\0"
	"free_|pcp_prepare|the_page|unref_folios\0free_unref_page|_list|_prepare\0"
	"get_|free_pages|page_from_freelist|zeroed_page\0kvfree\0kvmalloc_node\0"
	"make_alloc_exact\0page_frag_|alloc|alloc_align|cache_drain|free\0put_page\0"
	"release_pages\0try_alloc_pages\0vfree|_atomic\0vm_area_alloc_pages\0"
	"vma_alloc_|anon_folio_pmd|folio\0"
	"vmalloc|_32|_32_user|_huge|_huge_node|_node|_user\0vzalloc|_node\0";

static const char kma_slab_names[] =
	"___|kmalloc_large_node|slab_alloc\0__do_kmalloc_node\0__free_slab\0"
	"__kmalloc|_cache|_cache_node|_large|_large_node|_node|_node_track_caller|_track_caller\0"
	"__kmem_cache_alloc_|bulk|node\0__slab_alloc|_node\0alloc_slab_page\0"
	"allocate_slab\0discard_slab\0free_|large_kmalloc|nonslab_page|slab\0kfree\0"
	"kmalloc_|large|large_node|node_trace|order|order_trace|trace\0"
	"kmem_cache_alloc|_bulk|_lru|_node|_node_trace|_trace\0kmem_cache_free\0new_slab\0"
	"rcu_free_slab\0refill_objects\0slab_alloc_node\0";

static const char kma_percpu_names[] =
	"__alloc_|percpu|percpu_gfp|reserved_percpu\0free_percpu\0pcpu_alloc|_pages\0"
	"pcpu_balance_|free|populated|workfn\0"
	"pcpu_|create_chunk|depopulate_chunk|destroy_chunk|free_pages|populate_chunk\0";

static const char kma_reclaim_names[] =
	"__alloc_pages_direct_reclaim\0__mem_cgroup_charge\0__memcg_kmem_charge|_page\0"
	"__memcg_slab_post_alloc_hook\0__obj_cgroup_charge\0__perform_reclaim\0"
	"charge_memcg\0compact_zone|_order\0do_try_to_free_pages\0"
	"mem_cgroup_charge|_hugetlb|_skmem\0mem_cgroup_|hugetlb_try_charge|sk_charge\0"
	"mem_cgroup_swapin_charge_|folio|page\0memcg_slab_|post_alloc_hook|pre_alloc_hook\0"
	"obj_cgroup_charge|_pages\0reclaim_high\0slab_|post_alloc_hook|pre_alloc_hook\0"
	"try_charge|_memcg\0try_to_|compact_pages|free_mem_cgroup_pages|free_pages\0";

/*
 * A kprobe runs in the exception of a breakpoint. So its handlers are TRACE, although asm_* and
 * el1* are ENTRY.
 */
static const char kma_trace_names[] =
	"__traceiter_*\0"
	/* x86 */
	"asm_exc_int3\0"
	/* arm64; the second name since v6.17; the vector is outside of them */
	"el1_dbg\0el1_brk64\0"
#ifndef MODULE
	"kma_*\0"	/* our own, which kma_symbol_kind() knows by address in a module */
#endif
	"";

static const char kma_entry_names[] =
	"__do_softirq\0handle_softirqs\0ret_from_fork*\0"
	/* x86 */
	"asm_*\0entry_SYSCALL*\0entry_SYSENTER*\0"
	/* arm64 */
	"el0*\0el1*\0";

/*
 * The list "default" of wrappers: library functions of the kernel that return allocated
 * memory to their caller, and have many callers.
 */
static const char kma_wrappers_default[] =
	"__alloc_skb\0__build_skb\0__devres_alloc_node\0__kvmalloc_node\0__napi_alloc_skb\0"
	"__netdev_alloc_skb\0__seq_open_private\0alloc_skb_with_frags\0build_skb\0"
	"dev_set_name\0devm_|kasprintf|kmalloc|kmemdup|kstrdup|kvasprintf\0kasprintf\0"
	"kcalloc\0kmalloc_|array|array_node|reserve\0kmemdup|_nul\0kobject_set_name_vargs\0"
	"krealloc|_node_align\0kstrdup|_const\0kstrndup\0kvasprintf|_const\0kvmalloc_node\0"
	"kvrealloc|_node_align\0kzalloc|_node\0memdup_user|_nul\0"
	"mempool_|alloc|alloc_slab|create_node|init_node|kmalloc\0napi_alloc_skb\0"
	"seq_open|_net|_private\0single_open|_net|_size\0sk_|alloc|prot_alloc\0"
	"sock_|alloc_send_pskb|kmalloc|wmalloc\0strndup_user\0vmemdup_user\0";

/* Entries of the table are found by the first characters of a name. */
#define KMA_NAME_PREFIX		3
#define KMA_NAME_CHAINS		256

struct kma_name_entry {
	const char *text;	/* the name, maybe with a star or endings */
	u16 next;		/* index + 1 of the next entry of the chain, or 0 */
	u8 kind;		/* KMA_FRAME_* */
};

/**
 * struct kma_names - all names, and the wrappers that a user wrote
 * @nr: number of entries
 * @short_names: chain of the entries that may have fewer than KMA_NAME_PREFIX characters
 * @chain: index + 1 of the first entry of each other chain, or 0
 * @wrappers: the list of wrappers, cut into names; or NULL
 * @entry: the entries
 */
struct kma_names {
	u16 nr;
	u16 short_names;
	u16 chain[KMA_NAME_CHAINS];
	char *wrappers;
	struct kma_name_entry entry[];
};

static const struct {
	unsigned int kind;
	const char *names;
} kma_name_lists[] = {
	{ KMA_FRAME_PAGE, kma_page_names },
	{ KMA_FRAME_SLAB, kma_slab_names },
	{ KMA_FRAME_PERCPU, kma_percpu_names },
	{ KMA_FRAME_RECLAIM, kma_reclaim_names },
	{ KMA_FRAME_TRACE, kma_trace_names },
	{ KMA_FRAME_ENTRY, kma_entry_names },
};

void kma_name_cut(char *symbol)
{
	static const char tail[] = "_noprof";
	const size_t cut = sizeof(tail) - 1;
	size_t len = strcspn(symbol, "\n. ");

	if (len > cut && !memcmp(symbol + len - cut, tail, cut))
		len -= cut;
	symbol[len] = '\0';
}

/* True if @name is one of the names of @known, which may have a star or endings. */
static bool kma_name_is(const char *name, const char *known)
{
	size_t stem = strcspn(known, "*|"), len;

	if (strncmp(name, known, stem))
		return false;
	name += stem;
	known += stem;
	if (!*name || *known == '*')
		return true;
	for (; *known; known += len) {
		known++;
		len = strcspn(known, "|");
		if (!strncmp(name, known, len) && !name[len])
			return true;
	}
	return false;
}

static unsigned int kma_name_hash(const char *name)
{
	return ((u8)name[0] * 31u + (u8)name[1] * 7u + (u8)name[2]) % KMA_NAME_CHAINS;
}

static unsigned int kma_name_kinds(const struct kma_names *names, u16 first, const char *name)
{
	unsigned int kind = 0;

	for (; first; first = names->entry[first - 1].next)
		if (kma_name_is(name, names->entry[first - 1].text))
			kind |= names->entry[first - 1].kind;
	return kind;
}

unsigned int kma_name_kind(const struct kma_names *names, const char *name)
{
	unsigned int kind = kma_name_kinds(names, names->short_names, name);

	if (strnlen(name, KMA_NAME_PREFIX) == KMA_NAME_PREFIX)
		kind |= kma_name_kinds(names, names->chain[kma_name_hash(name)], name);
	return kind;
}

static unsigned int kma_name_count(const char *list)
{
	unsigned int nr = 0;

	for (; *list; list += strlen(list) + 1)
		nr++;
	return nr;
}

static void kma_name_add(struct kma_names *names, const char *text, unsigned int kind)
{
	u16 *chain = strcspn(text, "*|") < KMA_NAME_PREFIX ? &names->short_names :
		     &names->chain[kma_name_hash(text)];

	names->entry[names->nr] = (struct kma_name_entry){
		.text = text, .kind = kind, .next = *chain,
	};
	*chain = ++names->nr;
}

static void kma_name_add_list(struct kma_names *names, const char *list, unsigned int kind)
{
	for (; *list; list += strlen(list) + 1)
		kma_name_add(names, list, kind);
}

/* Add the wrappers of a user. If there are more than @left, print a message. */
static int kma_name_add_wrappers(struct kma_names *names, unsigned int left)
{
	char *text = names->wrappers, *name;
	unsigned int nr;

	while ((name = strsep(&text, ","))) {
		kma_name_cut(name);
		if (!*name)
			continue;
		nr = strcmp(name, KMA_WRAPPERS_DEFAULT) ? 1 : kma_name_count(kma_wrappers_default);
		if (nr > left) {
			pr_err("wrappers: too many names (at most %d)\n", KMA_WRAPPERS_MAX);
			return -EINVAL;
		}
		left -= nr;
		if (nr > 1)
			kma_name_add_list(names, kma_wrappers_default, KMA_FRAME_WRAPPER);
		else
			kma_name_add(names, name, KMA_FRAME_WRAPPER);
	}
	return 0;
}

struct kma_names *kma_names_create(const char *wrappers)
{
	unsigned int nr = wrappers ? KMA_WRAPPERS_MAX : 0, i;
	struct kma_names *names;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(kma_name_lists); i++)
		nr += kma_name_count(kma_name_lists[i].names);
	names = kzalloc(struct_size(names, entry, nr), GFP_KERNEL);
	if (!names)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i < ARRAY_SIZE(kma_name_lists); i++)
		kma_name_add_list(names, kma_name_lists[i].names, kma_name_lists[i].kind);
	if (wrappers) {
		names->wrappers = kstrdup(wrappers, GFP_KERNEL);
		err = names->wrappers ? kma_name_add_wrappers(names, KMA_WRAPPERS_MAX) : -ENOMEM;
	}
	if (!err)
		return names;
	kma_names_free(names);
	return ERR_PTR(err);
}

void kma_names_free(struct kma_names *names)
{
	if (names)
		kfree(names->wrappers);
	kfree(names);
}
