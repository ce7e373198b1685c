// SPDX-License-Identifier: GPL-2.0-only
/*
 * name.c - the kind of a function, by its name.
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
 * Names of the functions of the allocators in 5.10 to 7.2 that can be on the stack at an
 * event. A name that a kernel does not have is harmless; a function that is missing in the
 * list appears as a call site. A star at the end matches any suffix. The names of a list are
 * stored one after the other, each with its zero byte, and an empty name ends the list: an
 * array of pointers would take 8 bytes more for each name.
 */
static const char kma_page_names[] =
	"get_page_from_freelist\0__alloc_pages_slowpath\0"
	"__alloc_pages_direct_compact\0__alloc_pages_nodemask\0"
	"__alloc_pages\0__alloc_frozen_pages\0alloc_frozen_pages\0"
	"alloc_frozen_pages_nolock\0alloc_pages_nolock\0try_alloc_pages\0"
	"alloc_pages\0alloc_pages_node\0alloc_pages_current\0"
	"alloc_pages_vma\0alloc_pages_mpol\0alloc_page_interleave\0"
	"alloc_pages_preferred_many\0__folio_alloc\0folio_alloc\0"
	"folio_alloc_mpol\0vma_alloc_folio\0vma_alloc_anon_folio_pmd\0"
	"__get_free_pages\0get_free_pages\0get_zeroed_page\0"
	"alloc_pages_exact\0alloc_pages_exact_nid\0make_alloc_exact\0"
	"__alloc_pages_bulk\0alloc_pages_bulk\0"
	"alloc_pages_bulk_array_mempolicy\0"
	"alloc_pages_bulk_array_weighted_interleave\0"
	"alloc_pages_bulk_mempolicy\0alloc_pages_bulk_weighted_interleave\0"
	"alloc_contig_pages\0alloc_contig_range\0"
	"alloc_contig_frozen_pages\0alloc_contig_frozen_range\0"
	"page_frag_alloc\0page_frag_alloc_align\0__page_frag_alloc_align\0"
	"__page_frag_cache_refill\0free_pages\0__free_pages\0"
	"___free_pages\0__free_pages_ok\0free_pages_nolock\0"
	"free_pages_exact\0free_frozen_pages\0__free_frozen_pages\0"
	"free_frozen_pages_nolock\0free_pages_prepare\0free_pcp_prepare\0"
	"free_unref_page\0free_unref_page_prepare\0free_unref_page_list\0"
	"free_unref_folios\0free_the_page\0"
	"page_frag_free\0__page_frag_cache_drain\0page_frag_cache_drain\0"
	"vm_area_alloc_pages\0__vmalloc_area_node\0__vmalloc_node_range\0"
	"__vmalloc_node\0__vmalloc\0vmalloc\0vzalloc\0vmalloc_node\0"
	"vzalloc_node\0vmalloc_user\0vmalloc_32\0vmalloc_32_user\0"
	"vmalloc_huge\0vmalloc_huge_node\0__kvmalloc_node\0"
	"kvmalloc_node\0__vunmap\0__vfree\0__vfree_deferred\0vfree\0"
	"vfree_atomic\0delayed_vfree_work\0kvfree\0free_pages_bulk\0"
	"free_compound_page\0__put_page\0put_page\0__put_single_page\0"
	"__put_compound_page\0__folio_put\0__folio_put_small\0"
	"__folio_put_large\0folio_put\0folios_put_refs\0release_pages\0";

static const char kma_slab_names[] =
	"alloc_slab_page\0allocate_slab\0new_slab\0___slab_alloc\0"
	"__slab_alloc\0__slab_alloc_node\0slab_alloc_node\0"
	"refill_objects\0kmem_cache_alloc\0"
	"kmem_cache_alloc_trace\0kmem_cache_alloc_lru\0"
	"kmem_cache_alloc_node\0kmem_cache_alloc_node_trace\0"
	"__kmem_cache_alloc_node\0kmem_cache_alloc_bulk\0"
	"__kmem_cache_alloc_bulk\0kmalloc_order\0kmalloc_order_trace\0"
	"kmalloc_large\0kmalloc_large_node\0__kmalloc_large\0"
	"__kmalloc_large_node\0___kmalloc_large_node\0"
	"__kmalloc\0__kmalloc_node\0"
	"__kmalloc_cache\0__kmalloc_cache_node\0__kmalloc_track_caller\0"
	"__kmalloc_node_track_caller\0__do_kmalloc_node\0kmalloc_trace\0"
	"kmalloc_node_trace\0__free_slab\0free_slab\0discard_slab\0"
	"rcu_free_slab\0free_large_kmalloc\0"
	"free_nonslab_page\0kfree\0kmem_cache_free\0";

static const char kma_percpu_names[] =
	"pcpu_alloc_pages\0pcpu_free_pages\0pcpu_populate_chunk\0"
	"pcpu_depopulate_chunk\0pcpu_create_chunk\0pcpu_destroy_chunk\0"
	"pcpu_balance_workfn\0pcpu_balance_populated\0pcpu_balance_free\0"
	"pcpu_alloc\0"
	"__alloc_percpu\0__alloc_percpu_gfp\0__alloc_reserved_percpu\0"
	"free_percpu\0";

static const char kma_reclaim_names[] =
	"__alloc_pages_direct_reclaim\0__perform_reclaim\0"
	"try_to_free_pages\0do_try_to_free_pages\0try_to_compact_pages\0"
	"compact_zone_order\0compact_zone\0"
	"try_to_free_mem_cgroup_pages\0reclaim_high\0try_charge\0"
	"try_charge_memcg\0charge_memcg\0mem_cgroup_charge\0"
	"__mem_cgroup_charge\0"
	"mem_cgroup_charge_hugetlb\0mem_cgroup_hugetlb_try_charge\0"
	"mem_cgroup_swapin_charge_page\0mem_cgroup_swapin_charge_folio\0"
	"mem_cgroup_charge_skmem\0mem_cgroup_sk_charge\0"
	"obj_cgroup_charge\0__obj_cgroup_charge\0obj_cgroup_charge_pages\0"
	"__memcg_kmem_charge\0"
	"__memcg_kmem_charge_page\0memcg_slab_pre_alloc_hook\0"
	"memcg_slab_post_alloc_hook\0__memcg_slab_post_alloc_hook\0"
	"slab_pre_alloc_hook\0slab_post_alloc_hook\0";

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
	"kstrdup\0kstrdup_const\0kstrndup\0kmemdup\0kmemdup_nul\0"
	"memdup_user\0memdup_user_nul\0vmemdup_user\0strndup_user\0"
	"kvasprintf\0kvasprintf_const\0kasprintf\0"
	"kobject_set_name_vargs\0dev_set_name\0"
	"krealloc\0krealloc_node_align\0kvmalloc_node\0__kvmalloc_node\0"
	"kvrealloc\0kvrealloc_node_align\0"
	"kmalloc_array\0kmalloc_array_node\0kcalloc\0kzalloc\0"
	"kzalloc_node\0"
	"seq_open\0__seq_open_private\0seq_open_private\0"
	"seq_open_net\0single_open\0single_open_net\0single_open_size\0"
	"devm_kmalloc\0devm_kmemdup\0devm_kstrdup\0devm_kasprintf\0"
	"devm_kvasprintf\0__devres_alloc_node\0"
	"mempool_alloc\0mempool_alloc_slab\0mempool_kmalloc\0"
	"mempool_init_node\0mempool_create_node\0"
	"__alloc_skb\0__build_skb\0build_skb\0__netdev_alloc_skb\0"
	"__napi_alloc_skb\0napi_alloc_skb\0kmalloc_reserve\0"
	"alloc_skb_with_frags\0sock_alloc_send_pskb\0sock_wmalloc\0"
	"sock_kmalloc\0sk_prot_alloc\0sk_alloc\0";

/**
 * struct kma_wrapper_list - the functions of the switch wrappers
 * @names: names of the functions, in @text or kma_wrappers_default; NULL after the last name
 * @text: the list as the user wrote it
 */
struct kma_wrapper_list {
	const char *names[KMA_WRAPPERS_MAX + 1];
	char text[];
};

/* The current list, or NULL; and the previous list, until kma_name_settle(). */
static struct kma_wrapper_list *kma_wrappers, *kma_wrappers_old;

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

/* True if @name is @known, or if @known ends with a star and @name starts with the rest of it. */
static bool kma_name_is(const char *name, const char *known)
{
	size_t len = strlen(known);

	if (len && known[len - 1] == '*')
		return !strncmp(name, known, len - 1);
	return !strcmp(name, known);
}

/* True if @name is in the list @known, which ends with an empty name. */
static bool kma_name_in(const char *name, const char *known)
{
	while (*known && !kma_name_is(name, known))
		known += strlen(known) + 1;
	return *known;
}

static bool kma_name_wrapped(const char *name, const struct kma_wrapper_list *list)
{
	const char *const *known = list->names;

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
	if (wrappers && kma_name_wrapped(name, wrappers))
		kind |= KMA_FRAME_WRAPPER;
	return kind;
}

/* Add a name to the list. If the list is full, print a message. */
static int kma_wrapper_add(struct kma_wrapper_list *list, const char *name)
{
	unsigned int i = 0;

	if (!*name)
		return 0;
	while (i < KMA_WRAPPERS_MAX && list->names[i])
		i++;
	if (i == KMA_WRAPPERS_MAX) {
		pr_err("wrappers: too many names (at most %d)\n", KMA_WRAPPERS_MAX);
		return -EINVAL;
	}
	list->names[i] = name;
	return 0;
}

static int kma_wrappers_parse(struct kma_wrapper_list *list)
{
	const char *common;
	char *text = list->text, *name;
	int err = 0;

	while (!err && (name = strsep(&text, ","))) {
		kma_name_cut(name);
		if (strcmp(name, KMA_WRAPPERS_DEFAULT)) {
			err = kma_wrapper_add(list, name);
			continue;
		}
		for (common = kma_wrappers_default; !err && *common;
		     common += strlen(common) + 1)
			err = kma_wrapper_add(list, common);
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
