// SPDX-License-Identifier: GPL-2.0
/*
 * name.c - what kind a function of a name is.
 *
 * The design is in name.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "caller/name.h"

#define KMA_WRAPPERS_MAX	128
#define KMA_WRAPPERS_DEFAULT	"default"

/*
 * What the allocators call their own functions in 5.10 to 7.2, as far as they
 * can be on the stack at an event. A name that a kernel lacks does no harm; one
 * that is missing shows up as a call site. A star stands for any rest.
 */
static const char *const kma_page_names[] = {
	"get_page_from_freelist", "__alloc_pages_slowpath",
	"__alloc_pages_direct_compact", "__alloc_pages_nodemask",
	"__alloc_pages", "__alloc_frozen_pages", "alloc_frozen_pages",
	"alloc_frozen_pages_nolock", "alloc_pages_nolock", "try_alloc_pages",
	"alloc_pages", "alloc_pages_node", "alloc_pages_current",
	"alloc_pages_vma", "alloc_pages_mpol", "alloc_page_interleave",
	"alloc_pages_preferred_many", "__folio_alloc", "folio_alloc",
	"folio_alloc_mpol", "vma_alloc_folio", "vma_alloc_anon_folio_pmd",
	"__get_free_pages", "get_free_pages", "get_zeroed_page",
	"alloc_pages_exact", "alloc_pages_exact_nid", "make_alloc_exact",
	"__alloc_pages_bulk", "alloc_pages_bulk",
	"alloc_pages_bulk_array_mempolicy",
	"alloc_pages_bulk_array_weighted_interleave",
	"alloc_pages_bulk_mempolicy", "alloc_pages_bulk_weighted_interleave",
	"alloc_contig_pages", "alloc_contig_range",
	"alloc_contig_frozen_pages", "alloc_contig_frozen_range",
	"page_frag_alloc", "page_frag_alloc_align", "__page_frag_alloc_align",
	"__page_frag_cache_refill", "free_pages", "__free_pages",
	"___free_pages", "__free_pages_ok", "free_pages_nolock",
	"free_pages_exact", "free_frozen_pages", "__free_frozen_pages",
	"free_frozen_pages_nolock", "free_pages_prepare", "free_pcp_prepare",
	"free_unref_page", "free_unref_page_prepare", "free_unref_page_list",
	"free_unref_folios", "free_the_page",
	"page_frag_free", "__page_frag_cache_drain", "page_frag_cache_drain",
	"vm_area_alloc_pages", "__vmalloc_area_node", "__vmalloc_node_range",
	"__vmalloc_node", "__vmalloc", "vmalloc", "vzalloc", "vmalloc_node",
	"vzalloc_node", "vmalloc_user", "vmalloc_32", "vmalloc_32_user",
	"vmalloc_huge", "vmalloc_huge_node", "__kvmalloc_node",
	"kvmalloc_node", "__vunmap", "__vfree", "__vfree_deferred", "vfree",
	"vfree_atomic", "delayed_vfree_work", "kvfree", "free_pages_bulk",
	"free_compound_page", "__put_page", "put_page", "__put_single_page",
	"__put_compound_page", "__folio_put", "__folio_put_small",
	"__folio_put_large", "folio_put", "folios_put_refs", "release_pages",
	NULL
};

static const char *const kma_slab_names[] = {
	"alloc_slab_page", "allocate_slab", "new_slab", "___slab_alloc",
	"__slab_alloc", "__slab_alloc_node", "slab_alloc_node",
	"refill_objects", "kmem_cache_alloc",
	"kmem_cache_alloc_trace", "kmem_cache_alloc_lru",
	"kmem_cache_alloc_node", "kmem_cache_alloc_node_trace",
	"__kmem_cache_alloc_node", "kmem_cache_alloc_bulk",
	"__kmem_cache_alloc_bulk", "kmalloc_order", "kmalloc_order_trace",
	"kmalloc_large", "kmalloc_large_node", "__kmalloc_large",
	"__kmalloc_large_node", "___kmalloc_large_node",
	"__kmalloc", "__kmalloc_node",
	"__kmalloc_cache", "__kmalloc_cache_node", "__kmalloc_track_caller",
	"__kmalloc_node_track_caller", "__do_kmalloc_node", "kmalloc_trace",
	"kmalloc_node_trace", "__free_slab", "free_slab", "discard_slab",
	"rcu_free_slab", "free_large_kmalloc",
	"free_nonslab_page", "kfree", "kmem_cache_free",
	NULL
};

static const char *const kma_percpu_names[] = {
	"pcpu_alloc_pages", "pcpu_free_pages", "pcpu_populate_chunk",
	"pcpu_depopulate_chunk", "pcpu_create_chunk", "pcpu_destroy_chunk",
	"pcpu_balance_workfn", "pcpu_balance_populated", "pcpu_balance_free",
	"pcpu_alloc",
	"__alloc_percpu", "__alloc_percpu_gfp", "__alloc_reserved_percpu",
	"free_percpu",
	NULL
};

static const char *const kma_reclaim_names[] = {
	"__alloc_pages_direct_reclaim", "__perform_reclaim",
	"try_to_free_pages", "do_try_to_free_pages", "try_to_compact_pages",
	"compact_zone_order", "compact_zone",
	"try_to_free_mem_cgroup_pages", "reclaim_high", "try_charge",
	"try_charge_memcg", "charge_memcg", "mem_cgroup_charge",
	"__mem_cgroup_charge",
	"mem_cgroup_charge_hugetlb", "mem_cgroup_hugetlb_try_charge",
	"mem_cgroup_swapin_charge_page", "mem_cgroup_swapin_charge_folio",
	"mem_cgroup_charge_skmem", "mem_cgroup_sk_charge",
	"obj_cgroup_charge", "__obj_cgroup_charge", "obj_cgroup_charge_pages",
	"__memcg_kmem_charge",
	"__memcg_kmem_charge_page", "memcg_slab_pre_alloc_hook",
	"memcg_slab_post_alloc_hook", "__memcg_slab_post_alloc_hook",
	"slab_pre_alloc_hook", "slab_post_alloc_hook",
	NULL
};

/* A breakpoint is how a kprobe gets there, whatever asm_* and el1* say. */
static const char *const kma_trace_names[] = {
	"__traceiter_*",
	/* x86 */
	"asm_exc_int3",
	/* arm64, and since v6.17; the vector is beyond */
	"el1_dbg", "el1_brk64",
#ifndef MODULE
	"kma_*",	/* our own, which kma_frame_look() knows of a module */
#endif
	NULL
};

static const char *const kma_entry_names[] = {
	"__do_softirq", "handle_softirqs", "ret_from_fork*",
	/* x86 */
	"asm_*", "entry_SYSCALL*", "entry_SYSENTER*",
	/* arm64 */
	"el0*", "el1*",
	NULL
};

/*
 * For wrappers default: functions of the kernel's libraries that hand what they
 * allocate to their caller, and have many callers.
 */
static const char *const kma_wrappers_default[] = {
	"kstrdup", "kstrdup_const", "kstrndup", "kmemdup", "kmemdup_nul",
	"memdup_user", "memdup_user_nul", "vmemdup_user", "strndup_user",
	"kvasprintf", "kvasprintf_const", "kasprintf",
	"kobject_set_name_vargs", "dev_set_name",
	"krealloc", "krealloc_node_align", "kvmalloc_node", "__kvmalloc_node",
	"kvrealloc", "kvrealloc_node_align",
	"kmalloc_array", "kmalloc_array_node", "kcalloc", "kzalloc",
	"kzalloc_node",
	"seq_open", "__seq_open_private", "seq_open_private",
	"seq_open_net", "single_open", "single_open_net", "single_open_size",
	"devm_kmalloc", "devm_kmemdup", "devm_kstrdup", "devm_kasprintf",
	"devm_kvasprintf", "__devres_alloc_node",
	"mempool_alloc", "mempool_alloc_slab", "mempool_kmalloc",
	"mempool_init_node", "mempool_create_node",
	"__alloc_skb", "__build_skb", "build_skb", "__netdev_alloc_skb",
	"__napi_alloc_skb", "napi_alloc_skb", "kmalloc_reserve",
	"alloc_skb_with_frags", "sock_alloc_send_pskb", "sock_wmalloc",
	"sock_kmalloc", "sk_prot_alloc", "sk_alloc",
	NULL
};

/**
 * struct kma_wrapper_list - the functions of the switch wrappers
 * @names: their names, within @text or kma_wrappers_default; NULL after the last one
 * @text: what was written
 */
struct kma_wrapper_list {
	const char *names[KMA_WRAPPERS_MAX + 1];
	char text[];
};

/* The list of now, or NULL; and that of before kma_name_wrap(). */
static struct kma_wrapper_list *kma_wrappers, *kma_wrappers_old;

static const struct {
	unsigned int kind;
	const char *const *names;
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

/* Is @name @known, or begins like it, if that ends with a star? */
static bool kma_name_is(const char *name, const char *known)
{
	size_t len = strlen(known);

	if (len && known[len - 1] == '*')
		return !strncmp(name, known, len - 1);
	return !strcmp(name, known);
}

/* Is @name in a list, which ends with NULL? */
static bool kma_name_in(const char *name, const char *const *known)
{
	while (*known && !kma_name_is(name, *known))
		known++;
	return *known;
}

unsigned int kma_name_kind(const char *name)
{
	const struct kma_wrapper_list *wrappers;
	unsigned int kind = 0, i;

	for (i = 0; i < ARRAY_SIZE(kma_name_lists); i++)
		if (kma_name_in(name, kma_name_lists[i].names))
			kind |= kma_name_lists[i].kind;
	/* Pairs with the smp_store_release() in kma_name_wrap(). */
	wrappers = smp_load_acquire(&kma_wrappers);
	if (wrappers && kma_name_in(name, wrappers->names))
		kind |= KMA_FRAME_WRAPPER;
	return kind;
}

/* Add a name; without room for it, say so. */
static int kma_wrapper_add(struct kma_wrapper_list *list, const char *name)
{
	unsigned int i = 0;

	if (!*name)
		return 0;
	while (i < KMA_WRAPPERS_MAX && list->names[i])
		i++;
	if (i == KMA_WRAPPERS_MAX) {
		pr_err("wrappers: more than %d names\n", KMA_WRAPPERS_MAX);
		return -EINVAL;
	}
	list->names[i] = name;
	return 0;
}

static int kma_wrappers_parse(struct kma_wrapper_list *list)
{
	const char *const *common;
	char *text = list->text, *name;
	int err = 0;

	while (!err && (name = strsep(&text, ","))) {
		kma_name_cut(name);
		if (strcmp(name, KMA_WRAPPERS_DEFAULT)) {
			err = kma_wrapper_add(list, name);
			continue;
		}
		for (common = kma_wrappers_default; !err && *common; common++)
			err = kma_wrapper_add(list, *common);
	}
	return err;
}

int kma_name_wrap(const char *text)
{
	struct kma_wrapper_list *list = NULL;
	size_t len;
	int err;

	if (text) {
		len = strlen(text) + 1;
		list = kzalloc(sizeof(*list) + len, GFP_KERNEL);
		if (!list)
			return -ENOMEM;
		memcpy(list->text, text, len);
		err = kma_wrappers_parse(list);
		if (err) {
			kfree(list);
			return err;
		}
	}
	kma_wrappers_old = kma_wrappers;
	/* After the names; pairs with the smp_load_acquire() in kma_name_kind(). */
	smp_store_release(&kma_wrappers, list);
	return 0;
}

void kma_name_settle(void)
{
	kfree(kma_wrappers_old);
	kma_wrappers_old = NULL;
}

void kma_name_release(void)
{
	kma_name_settle();
	kfree(kma_wrappers);
	kma_wrappers = NULL;
}
