/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * site.h - a call site: the text that names it, taken apart, and its numbers.
 */
#ifndef KMA_MODEL_SITE_H
#define KMA_MODEL_SITE_H

#include "metric.h"

/* The row of a slab cache for what was allocated before the account started. */
#define KMA_SITE_BEFORE "[before]"

/* By what rows are grouped, see groups.h. */
enum kma_grouped {
	KMA_GROUPED_NOT,
	KMA_GROUPED_CGROUP,
	KMA_GROUPED_NODE,
	KMA_GROUPED_TASK,
	KMA_NR_GROUPED,
};

/* Names as on the command line, and of labels: "cgroup", "node", "task"; "caller" of KMA_GROUPED_NOT. */
extern const char *const kma_grouped_names[KMA_NR_GROUPED];

/* The row of call sites whose objects are of more than one slab cache. */
#define KMA_SITE_CACHES "[several caches]"

/* By what a call site allocates, or frees what is unknown. */
enum kma_kind {
	KMA_KIND_UNKNOWN, /* the input does not say */
	KMA_KIND_KMALLOC,
	KMA_KIND_CACHE, /* kmem_cache_alloc family */
	KMA_KIND_PAGE,
	KMA_KIND_PERCPU,
	KMA_NR_KINDS,
};

/* Their names, as in file sites of the module: "kmalloc", "cache"; "-" is unknown. */
extern const char *const kma_kind_names[KMA_NR_KINDS];

#define KMA_SITE_EPOCHS 18 /* of birth: below 1 s ago, 2 s, 4 s ... 65,536 s, and earlier */

/* What is known of the lifetimes of a site's live objects. */
struct kma_site_age {
	uint64_t live;			  /* objects */
	uint64_t unknown;		  /* live objects with an unknown time of allocation */
	uint64_t oldest;		  /* ns, of the others; 0 if there are none */
	uint64_t epochs[KMA_SITE_EPOCHS]; /* of the others, by birth */
};

/*
 * A call site. The caller is text as %pS printed it, and is parsed once:
 *   sym+0x33/0x90 [ext4]	symbol, offset, size, module
 *   sym+0x33			no size
 *   0xffffffff81234567		an address without a symbol
 *   c104dd2f			the same, as kernels before 5.4 write it
 *   [site table full]		not a place in the code: a named row
 */
struct kma_site {
	const char *caller; /* as in the input */
	const char *symbol; /* NULL for an address and for a named row */
	const char *module; /* NULL for the kernel proper */
	uint64_t offset;    /* of the return address in the symbol, or the address itself */
	uint64_t size;	    /* of the symbol as kallsyms knows it, 0 when not printed */
	bool named;	    /* a named row */
	enum kma_kind kind;
	const char *path;	  /* source file, where the input itself knows it, else NULL */
	const char *build_id;	  /* of its module or the kernel, in hex; NULL when not known */
	uint64_t text;		  /* with a build ID: where it lies, see kma_account_set_image() */
	bool in_init;		  /* @text is in the part that is freed after a module's init */
	const char *cache;	  /* slab cache of its objects, NULL when not known */
	const char *aliases;	  /* other names of @cache, separated by ", "; NULL: none known */
	const char *stack;	  /* of a row for one stack: its text, see restack.h; else NULL */
	const char *group;	  /* of a row for one cgroup or NUMA node: its name; else NULL */
	enum kma_grouped grouped; /* what @group is */
	bool caches;		  /* some of its objects are of other caches than @cache */
	const struct kma_site_age *age; /* NULL when not known */
	struct kma_values values;	/* its numbers */
};

/**
 * kma_site_cut_module() - cut "[module]" off the text of a call site
 * @caller: "sym+0x1/0x2 [module]"; ends before the bracket then
 *
 * Return: name of the module within @caller; NULL if there is none.
 */
char *kma_site_cut_module(char *caller);

/**
 * kma_site_parse() - split a caller text
 * @caller: terminated text, which is modified and must live as long as @ret
 * @ret: symbol, module, offset, size and named are set; caller and values are not
 */
void kma_site_parse(char *caller, struct kma_site *ret);

#endif /* KMA_MODEL_SITE_H */
