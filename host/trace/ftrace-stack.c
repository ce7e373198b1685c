// SPDX-License-Identifier: GPL-2.0-only
/*
 * ftrace-stack.c - the names of the allocators' functions.
 */
#include <stdlib.h>
#include <string.h>

#include "ftrace-stack.h"
#include "lib/cleanup.h"

const struct kma_taker_row kma_takers[KMA_NR_TAKERS] = {
	[KMA_TAKER_SLAB] = { KMA_FRAME_SLAB, "[pages of slab]", "[pages of slab]\n" KMA_TAKER_TASK,
			     1 << KMA_KIND_KMALLOC | 1 << KMA_KIND_CACHE },
	[KMA_TAKER_PERCPU] = { KMA_FRAME_PERCPU, "[pages of per-CPU memory]",
			       "[pages of per-CPU memory]\n" KMA_TAKER_TASK, 1 << KMA_KIND_PERCPU },
};

const char *const kma_no_site[KMA_NR_KINDS] = {
	[KMA_KIND_UNKNOWN] = "[without call site]",
	[KMA_KIND_KMALLOC] = "[without call site]",
	[KMA_KIND_CACHE] = "[without call site]",
	[KMA_KIND_PAGE] = "[page without stack]",
	[KMA_KIND_PERCPU] = "[per-CPU memory without stack]",
};

struct kma_function {
	const char *name;
	enum kma_frame_kind frame;
};

/*
 * Names of the allocators' own functions from Linux 3.x to 7.2, as far as they can be on the stack
 * at an event. The module has the same list (caller/name.c). A name that a kernel lacks does no
 * harm. A function that is missing here shows up as a call site in the result. Sorted by strcmp().
 */
static const struct kma_function functions[] = {
	{ "___free_pages", KMA_FRAME_PAGE },
	{ "___kmalloc_large_node", KMA_FRAME_SLAB },
	{ "___slab_alloc", KMA_FRAME_SLAB },
	{ "__alloc_frozen_pages", KMA_FRAME_PAGE },
	{ "__alloc_pages", KMA_FRAME_PAGE },
	{ "__alloc_pages_bulk", KMA_FRAME_PAGE },
	{ "__alloc_pages_direct_compact", KMA_FRAME_PAGE },
	{ "__alloc_pages_nodemask", KMA_FRAME_PAGE },
	{ "__alloc_pages_slowpath", KMA_FRAME_PAGE },
	{ "__alloc_percpu", KMA_FRAME_PERCPU },
	{ "__alloc_percpu_gfp", KMA_FRAME_PERCPU },
	{ "__alloc_reserved_percpu", KMA_FRAME_PERCPU },
	{ "__do_kmalloc_node", KMA_FRAME_SLAB },
	{ "__folio_alloc", KMA_FRAME_PAGE },
	{ "__folio_put", KMA_FRAME_PAGE },
	{ "__folio_put_large", KMA_FRAME_PAGE },
	{ "__folio_put_small", KMA_FRAME_PAGE },
	{ "__free_frozen_pages", KMA_FRAME_PAGE },
	{ "__free_one_page", KMA_FRAME_PAGE },
	{ "__free_pages", KMA_FRAME_PAGE },
	{ "__free_pages_core", KMA_FRAME_PAGE },
	{ "__free_pages_ok", KMA_FRAME_PAGE },
	{ "__free_slab", KMA_FRAME_SLAB },
	{ "__get_free_pages", KMA_FRAME_PAGE },
	{ "__kmalloc", KMA_FRAME_SLAB },
	{ "__kmalloc_cache", KMA_FRAME_SLAB },
	{ "__kmalloc_cache_node", KMA_FRAME_SLAB },
	{ "__kmalloc_large", KMA_FRAME_SLAB },
	{ "__kmalloc_large_node", KMA_FRAME_SLAB },
	{ "__kmalloc_node", KMA_FRAME_SLAB },
	{ "__kmalloc_node_track_caller", KMA_FRAME_SLAB },
	{ "__kmalloc_track_caller", KMA_FRAME_SLAB },
	{ "__kmem_cache_alloc_bulk", KMA_FRAME_SLAB },
	{ "__kmem_cache_alloc_node", KMA_FRAME_SLAB },
	{ "__kvmalloc_node", KMA_FRAME_PAGE },
	{ "__page_frag_alloc_align", KMA_FRAME_PAGE },
	{ "__page_frag_cache_drain", KMA_FRAME_PAGE },
	{ "__page_frag_cache_refill", KMA_FRAME_PAGE },
	{ "__put_compound_page", KMA_FRAME_PAGE },
	{ "__put_page", KMA_FRAME_PAGE },
	{ "__put_single_page", KMA_FRAME_PAGE },
	{ "__slab_alloc", KMA_FRAME_SLAB },
	{ "__slab_alloc_node", KMA_FRAME_SLAB },
	{ "__vfree", KMA_FRAME_PAGE },
	{ "__vfree_deferred", KMA_FRAME_PAGE },
	{ "__vmalloc", KMA_FRAME_PAGE },
	{ "__vmalloc_area_node", KMA_FRAME_PAGE },
	{ "__vmalloc_node", KMA_FRAME_PAGE },
	{ "__vmalloc_node_range", KMA_FRAME_PAGE },
	{ "__vunmap", KMA_FRAME_PAGE },
	{ "alloc_contig_frozen_pages", KMA_FRAME_PAGE },
	{ "alloc_contig_frozen_range", KMA_FRAME_PAGE },
	{ "alloc_contig_pages", KMA_FRAME_PAGE },
	{ "alloc_contig_range", KMA_FRAME_PAGE },
	{ "alloc_frozen_pages", KMA_FRAME_PAGE },
	{ "alloc_frozen_pages_nolock", KMA_FRAME_PAGE },
	{ "alloc_page_interleave", KMA_FRAME_PAGE },
	{ "alloc_page_vma", KMA_FRAME_PAGE },
	{ "alloc_pages", KMA_FRAME_PAGE },
	{ "alloc_pages_bulk", KMA_FRAME_PAGE },
	{ "alloc_pages_bulk_array_mempolicy", KMA_FRAME_PAGE },
	{ "alloc_pages_bulk_array_weighted_interleave", KMA_FRAME_PAGE },
	{ "alloc_pages_bulk_mempolicy", KMA_FRAME_PAGE },
	{ "alloc_pages_bulk_weighted_interleave", KMA_FRAME_PAGE },
	{ "alloc_pages_current", KMA_FRAME_PAGE },
	{ "alloc_pages_exact", KMA_FRAME_PAGE },
	{ "alloc_pages_exact_nid", KMA_FRAME_PAGE },
	{ "alloc_pages_exact_node", KMA_FRAME_PAGE },
	{ "alloc_pages_mpol", KMA_FRAME_PAGE },
	{ "alloc_pages_node", KMA_FRAME_PAGE },
	{ "alloc_pages_nolock", KMA_FRAME_PAGE },
	{ "alloc_pages_preferred_many", KMA_FRAME_PAGE },
	{ "alloc_pages_vma", KMA_FRAME_PAGE },
	{ "alloc_slab_page", KMA_FRAME_SLAB },
	{ "allocate_slab", KMA_FRAME_SLAB },
	{ "cache_alloc_refill", KMA_FRAME_SLAB },
	{ "cache_grow", KMA_FRAME_SLAB },
	{ "delayed_vfree_work", KMA_FRAME_PAGE },
	{ "discard_slab", KMA_FRAME_SLAB },
	{ "folio_alloc", KMA_FRAME_PAGE },
	{ "folio_alloc_mpol", KMA_FRAME_PAGE },
	{ "folio_put", KMA_FRAME_PAGE },
	{ "folios_put_refs", KMA_FRAME_PAGE },
	{ "free_compound_page", KMA_FRAME_PAGE },
	{ "free_frozen_pages", KMA_FRAME_PAGE },
	{ "free_frozen_pages_nolock", KMA_FRAME_PAGE },
	{ "free_hot_cold_page", KMA_FRAME_PAGE },
	{ "free_hot_cold_page_list", KMA_FRAME_PAGE },
	{ "free_large_kmalloc", KMA_FRAME_SLAB },
	{ "free_nonslab_page", KMA_FRAME_SLAB },
	{ "free_page_list", KMA_FRAME_PAGE },
	{ "free_pages", KMA_FRAME_PAGE },
	{ "free_pages_bulk", KMA_FRAME_PAGE },
	{ "free_pages_exact", KMA_FRAME_PAGE },
	{ "free_pages_nolock", KMA_FRAME_PAGE },
	{ "free_pages_prepare", KMA_FRAME_PAGE },
	{ "free_pcp_prepare", KMA_FRAME_PAGE },
	{ "free_percpu", KMA_FRAME_PERCPU },
	{ "free_slab", KMA_FRAME_SLAB },
	{ "free_the_page", KMA_FRAME_PAGE },
	{ "free_unref_folios", KMA_FRAME_PAGE },
	{ "free_unref_page", KMA_FRAME_PAGE },
	{ "free_unref_page_list", KMA_FRAME_PAGE },
	{ "free_unref_page_prepare", KMA_FRAME_PAGE },
	{ "get_free_pages", KMA_FRAME_PAGE },
	{ "get_page_from_freelist", KMA_FRAME_PAGE },
	{ "get_zeroed_page", KMA_FRAME_PAGE },
	{ "kfree", KMA_FRAME_SLAB },
	{ "kmalloc_large", KMA_FRAME_SLAB },
	{ "kmalloc_large_node", KMA_FRAME_SLAB },
	{ "kmalloc_node_trace", KMA_FRAME_SLAB },
	{ "kmalloc_order", KMA_FRAME_SLAB },
	{ "kmalloc_order_trace", KMA_FRAME_SLAB },
	{ "kmalloc_trace", KMA_FRAME_SLAB },
	{ "kmem_cache_alloc", KMA_FRAME_SLAB },
	{ "kmem_cache_alloc_bulk", KMA_FRAME_SLAB },
	{ "kmem_cache_alloc_lru", KMA_FRAME_SLAB },
	{ "kmem_cache_alloc_node", KMA_FRAME_SLAB },
	{ "kmem_cache_alloc_node_trace", KMA_FRAME_SLAB },
	{ "kmem_cache_alloc_trace", KMA_FRAME_SLAB },
	{ "kmem_cache_free", KMA_FRAME_SLAB },
	{ "kmem_freepages", KMA_FRAME_SLAB },
	{ "kmem_getpages", KMA_FRAME_SLAB },
	{ "kvfree", KMA_FRAME_PAGE },
	{ "kvmalloc_node", KMA_FRAME_PAGE },
	{ "make_alloc_exact", KMA_FRAME_PAGE },
	{ "new_slab", KMA_FRAME_SLAB },
	{ "page_frag_alloc", KMA_FRAME_PAGE },
	{ "page_frag_alloc_align", KMA_FRAME_PAGE },
	{ "page_frag_cache_drain", KMA_FRAME_PAGE },
	{ "page_frag_free", KMA_FRAME_PAGE },
	{ "pcpu_alloc", KMA_FRAME_PERCPU },
	{ "pcpu_alloc_pages", KMA_FRAME_PERCPU },
	{ "pcpu_balance_free", KMA_FRAME_PERCPU },
	{ "pcpu_balance_populated", KMA_FRAME_PERCPU },
	{ "pcpu_balance_workfn", KMA_FRAME_PERCPU },
	{ "pcpu_create_chunk", KMA_FRAME_PERCPU },
	{ "pcpu_depopulate_chunk", KMA_FRAME_PERCPU },
	{ "pcpu_destroy_chunk", KMA_FRAME_PERCPU },
	{ "pcpu_free_pages", KMA_FRAME_PERCPU },
	{ "pcpu_populate_chunk", KMA_FRAME_PERCPU },
	{ "put_page", KMA_FRAME_PAGE },
	{ "rcu_free_slab", KMA_FRAME_SLAB },
	{ "refill_objects", KMA_FRAME_SLAB },
	{ "release_pages", KMA_FRAME_PAGE },
	{ "slab_alloc_node", KMA_FRAME_SLAB },
	{ "slab_destroy", KMA_FRAME_SLAB },
	{ "try_alloc_pages", KMA_FRAME_PAGE },
	{ "vfree", KMA_FRAME_PAGE },
	{ "vfree_atomic", KMA_FRAME_PAGE },
	{ "vm_area_alloc_pages", KMA_FRAME_PAGE },
	{ "vma_alloc_anon_folio_pmd", KMA_FRAME_PAGE },
	{ "vma_alloc_folio", KMA_FRAME_PAGE },
	{ "vmalloc", KMA_FRAME_PAGE },
	{ "vmalloc_32", KMA_FRAME_PAGE },
	{ "vmalloc_32_user", KMA_FRAME_PAGE },
	{ "vmalloc_huge", KMA_FRAME_PAGE },
	{ "vmalloc_huge_node", KMA_FRAME_PAGE },
	{ "vmalloc_node", KMA_FRAME_PAGE },
	{ "vmalloc_user", KMA_FRAME_PAGE },
	{ "vzalloc", KMA_FRAME_PAGE },
	{ "vzalloc_node", KMA_FRAME_PAGE },
};

/*
 * Beginnings of the names of the functions that trace an event; they are on top of its stack. They
 * are as long as possible, because other functions of tracing allocate memory themselves:
 * ftrace_allocate_pages(), perf_trace_event_reg().
 */
static const char *const probes[] = {
	"__traceiter_",		 "trace_event_raw_event_", "do_trace_event_raw_event_",
	"trace_event_buffer_",	 "ftrace_raw_event_",	   "ftrace_event_buffer_",
	"perf_trace_kmem_",	 "perf_trace_kmalloc",	   "perf_trace_kfree",
	"perf_trace_mm_page_",	 "perf_trace_percpu_",	   "do_perf_trace_kmem_",
	"do_perf_trace_kmalloc", "do_perf_trace_kfree",	   "do_perf_trace_mm_page_",
	"do_perf_trace_percpu_",
};

/* Length of the function's name without its offset and suffixes. */
static size_t stem_len(const char *function, size_t len)
{
	static const char noprof[] = "_noprof";
	size_t stem = 0;

	while (stem < len && !strchr("+. ", function[stem]))
		stem++;
	if (stem > strlen(noprof) &&
	    !memcmp(function + stem - strlen(noprof), noprof, strlen(noprof)))
		stem -= strlen(noprof);
	return stem;
}

struct kma_stem {
	const char *text;
	size_t len;
};

static int function_compare(const void *key, const void *element)
{
	const struct kma_stem *stem = key;
	const struct kma_function *function = element;
	int order = strncmp(stem->text, function->name, stem->len);

	return order ? order : -(function->name[stem->len] != '\0');
}

enum kma_frame_kind kma_frame_class(const char *function, size_t len)
{
	struct kma_stem stem = { function, stem_len(function, len) };
	const struct kma_function *found;

	for (size_t i = 0; i < ARRAY_SIZE(probes); i++)
		if (len > strlen(probes[i]) && !memcmp(function, probes[i], strlen(probes[i])))
			return KMA_FRAME_PROBE;
	found = bsearch(&stem, functions, ARRAY_SIZE(functions), sizeof(*functions),
			function_compare);
	return found ? found->frame : KMA_FRAME_CALLER;
}
