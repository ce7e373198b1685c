/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * site.h - a call site: its text as in the input, the parts of this text, and its numbers.
 */
#ifndef KMA_MODEL_SITE_H
#define KMA_MODEL_SITE_H

#include "metric.h"
#include "place.h"

/* Row of the objects of a slab cache that were allocated before the account started. */
#define KMA_SITE_BEFORE "[before]"

/* The same in a scan, whose sites are texts: "[before: dentry]". */
#define KMA_SITE_BEFORE_OF "[before: "

/* The mark of a cache there into which the kernel has merged others: "[before: dentry, merged]". */
#define KMA_SITE_MERGED ", merged"

/* Kinds of groups into which the numbers of a call site are divided, see groups.h. */
enum kma_grouped {
	KMA_GROUPED_NOT,
	KMA_GROUPED_CGROUP,
	KMA_GROUPED_NODE,
	KMA_GROUPED_TASK,
	KMA_GROUPED_ROOT, /* what retains objects, by a scan */
	KMA_NR_GROUPED,
};

/* Names on the command line and of labels: "cgroup", "node"; KMA_GROUPED_NOT: "caller". */
extern const char *const kma_grouped_names[KMA_NR_GROUPED];

/* Row of the call sites whose objects are in more than one slab cache. */
#define KMA_SITE_CACHES "[several caches]"

/* Family of the function that a call site calls to allocate or free. */
enum kma_kind {
	KMA_KIND_UNKNOWN, /* the input does not say */
	KMA_KIND_KMALLOC,
	KMA_KIND_CACHE, /* kmem_cache_alloc family */
	KMA_KIND_PAGE,
	KMA_KIND_PERCPU,
	KMA_NR_KINDS,
};

/* Names of the kinds, as in the module's file sites: "kmalloc", "cache"; "-" is unknown. */
extern const char *const kma_kind_names[KMA_NR_KINDS];

/*
 * What follows a caller in a table for people if another row has the same caller: " (page)". An
 * unknown kind is empty.
 */
extern const char *const kma_kind_remarks[KMA_NR_KINDS];

/*
 * Epochs of birth: less than 1 s ago, less than 2 s, less than 4 s ... less than 65,536 s, earlier.
 */
#define KMA_SITE_EPOCHS 18

/* Ages of the live objects of a site. */
struct kma_site_age {
	uint64_t live;	  /* live objects, including @unknown */
	uint64_t unknown; /* live objects with an unknown time of allocation */
	uint64_t oldest;  /* age in ns of the oldest of the others; 0: there are none */
	uint64_t epochs[KMA_SITE_EPOCHS]; /* number of the others in each epoch, youngest first */
};

/*
 * A call site. The caller is a text as %pS prints it, and is parsed once:
 *   sym+0x33/0x90 [ext4]	symbol, offset, size, module
 *   sym+0x33			no size
 *   0xffffffff81234567		an address without a symbol
 *   c104dd2f			the same, as kernels before 5.4 write it
 *   [site table full]		a named row, which is not a place in the code
 */
struct kma_site {
	const char *caller; /* as in the input */
	const char *symbol; /* NULL for an address and for a named row */
	const char *module; /* NULL for the kernel itself */
	uint64_t offset;    /* of the return address in the symbol; without a symbol: the address */
	uint64_t size;	    /* bytes of the symbol as kallsyms has it, 0 if not printed */
	bool named;	    /* a named row */
	bool in_init;	    /* @text is in the part that is freed after a module's init */
	bool caches;	    /* some of its objects are in other caches than @cache */
	unsigned char bytes; /* objects of up to 1 << (@bytes - 1) bytes on average; 0: unknown */
	enum kma_kind kind;
	enum kma_grouped grouped; /* kind of @group */
	const char *path;	  /* source file, if the input itself has it, otherwise NULL */
	const struct kma_place *
		place; /* in the source; NULL: not resolved. A named row has one only for the type of its cache. */
	const char *build_id; /* of its module or the kernel, in hex; NULL if unknown */
	uint64_t text;	      /* offset in its file, see kma_account_set_image(); needs @build_id */
	const char *cache;    /* slab cache of its objects, NULL if unknown */
	const char *aliases;  /* other names of @cache, separated by ", "; NULL: none known */
	const char *stack;    /* row for one stack: text of the stack, see restack.h; or NULL */
	const char *group;    /* row for one cgroup, node, task or root: its name; or NULL */
	const struct kma_site_age *age; /* NULL if unknown */
	struct kma_values values;	/* its numbers */
};

/*
 * The source file of a site: that of the input, or of its place; NULL if unknown. If only the
 * directory is known, or only the name, the other part is a row: "fs/[ambiguous]",
 * "[no directory]/inode.c".
 */
static inline const char *kma_site_file(const struct kma_site *site)
{
	return site->path ?: kma_place_has_path(site->place) ? site->place->path : NULL;
}

/* The text of a site for people: with the functions that were inlined, or with a name. */
static inline const char *kma_site_text(const struct kma_site *site)
{
	return site->place && site->place->caller ? site->place->caller : site->caller;
}

/* The same without the functions that were inlined: as %pS prints it. */
static inline const char *kma_site_plain(const struct kma_site *site)
{
	return site->place && site->place->plain ? site->place->plain : site->caller;
}

/* The slab cache of a site, or KMA_SITE_CACHES; NULL if unknown. */
static inline const char *kma_site_cache(const struct kma_site *site)
{
	return site->caches ? KMA_SITE_CACHES : site->cache;
}

/* The type of the objects of a site; NULL: unknown, or they are no objects of the slab allocator. */
static inline const char *kma_site_type(const struct kma_site *site)
{
	bool slab = site->kind != KMA_KIND_PAGE && site->kind != KMA_KIND_PERCPU;

	return slab && site->place ? site->place->type : NULL;
}

/* The length of the name of a cache without KMA_SITE_MERGED. */
size_t kma_site_cache_len(const char *cache);

/*
 * The cache of "[before: dentry, merged]", within @caller, and the length of its name without the
 * mark. NULL: not such a caller.
 */
const char *kma_site_before(const char *caller, size_t *len);

/*
 * Cuts " [module]" off "sym+0x1/0x2 [module]". Returns the name of the module within @caller,
 * without a build ID; NULL if there is none.
 */
char *kma_site_cut_module(char *caller);

/*
 * Sets symbol, module, offset, size and named of @ret. @caller is modified, and must live as long
 * as @ret.
 */
void kma_site_parse(char *caller, struct kma_site *ret);

#endif /* KMA_MODEL_SITE_H */
