/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name-types.h - what a single kernel object is: the path of a dentry, the ports of a socket.
 *
 * One table has the types. A row says in which slab caches the objects are, which members of the
 * kernel's structures are needed, and what is read of an object. Members are found by the kernel's
 * BTF, so one reader serves all releases that have them.
 *
 * The kernel goes on, and an address may be wrong: every walk is bounded, and what cannot be read
 * or makes no sense is refused. The caller reads an object twice to see whether it has changed.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_NAME_TYPES_H
#define KMA_HEAP_NAME_TYPES_H

#include "lib/map.h"
#include "lib/strbuf.h"
#include "memory.h"
#include "symbol/btf.h"

#define KMA_NAME_KEYS	4
#define KMA_NAME_FIELDS 72 /* room for the members of name-types.c */

struct kma_name_mount;

/* Reads the objects of one type; zeroed before kma_namer_init(). */
struct kma_namer {
	const struct kma_words *words;
	const struct kma_btf *btf;		       /* has to last as long */
	struct kma_btf_member fields[KMA_NAME_FIELDS]; /* a size of 0: the kernel has none */
	uint64_t has;				       /* set of members that the kernel has */
	uint64_t inode_size;
	uint64_t home;	/* address of init's mount namespace, XORed with KMA_HEAP_KEY; 0: unknown */
	int64_t online; /* CSS_ONLINE of the kernel */
	bool unread;	/* something could not be read */
	struct kma_map by_super; /* of struct super_block: where it is mounted */
	struct kma_name_mount *mounts;
	uint32_t room;
};

/* A slot of a slab that is in use, and what is known of its cache. */
struct kma_name_slot {
	uint64_t addr, bytes;
	const char *name; /* of the cache */
	uint64_t cache;	  /* address of its struct kmem_cache */
	bool merged;	  /* objects of other types may be in it */
	/* Kept for the next slot of the cache, zeroed at first. */
	uint64_t offset; /* of the object in a slot, if @found */
	unsigned int tried;
	bool found;
};

/* What an object is. Each key is a text with its terminator. */
struct kma_name_text {
	struct kma_strbuf keys;
	bool flag;
};

struct kma_name_type {
	const char *name;      /* for people: "dentry" */
	const char *caches[4]; /* slab caches that have only such objects; all NULL: any may */
	/*
	 * A variable with the address of such a cache, whose name may be that of another one with which it
	 * was merged; or since 6.9 the member of net_hotdata that has it. NULL: none.
	 */
	const char *symbol, *hot;
	const char *idr; /* the variable of an IDR that has all of them; NULL: they are in slabs */
	uint64_t needs;	 /* set of members */
	const char *keys[KMA_NAME_KEYS + 1]; /* columns; the last is NULL */
	unsigned int exact;		     /* set of keys whose digits are kept */
	const char *flag;		     /* what is counted apart: "negative"; NULL: nothing */
	bool pinned;			     /* what holds the flagged ones is found (pins.h) */
	/* Is there an object in a slot? Sets its address. NULL: in each slot of the caches. */
	bool (*is)(struct kma_namer *namer, struct kma_name_slot *slot, uint64_t *ret);
	/* Reads an object; false if it is none, or cannot be read. */
	bool (*read)(struct kma_namer *namer, uint64_t at, struct kma_name_text *ret);
};

extern const struct kma_name_type kma_name_types[];
extern const size_t kma_name_nr_types;

/* NULL if there is none of the name. */
const struct kma_name_type *kma_name_type(const char *name);

/*
 * Finds a member of a struct of the kernel by the first of its names, separated by blanks, that the
 * kernel has. Without one, the size is 0.
 */
bool kma_namer_member(const struct kma_btf *btf, const char *of, const char *names,
		      struct kma_btf_member *ret);

/* Finds the members of a type. It is an error if the kernel has not all of them. */
struct kma_err *kma_namer_init(struct kma_namer *namer, const struct kma_name_type *type,
			       const struct kma_btf *btf, const struct kma_words *words);

/* Does the kernel have the members of a type, also if another one was asked for? */
static inline bool kma_namer_has(const struct kma_namer *namer, const struct kma_name_type *type)
{
	return !(type->needs & ~namer->has);
}

/* Reads an object; false if it is none of @type, or cannot be read. @ret is replaced. */
bool kma_namer_read(struct kma_namer *namer, const struct kma_name_type *type, uint64_t at,
		    struct kma_name_text *ret);

/* Gets an object; @type: number of its type in the list of types that are looked for. */
typedef void (*kma_namer_fn)(void *arg, unsigned int type, uint64_t at);

/* Calls @fn for each object of an IDR, with 0 as the type. */
void kma_namer_idr(struct kma_namer *namer, uint64_t idr, kma_namer_fn fn, void *arg);

/* Forgets where file systems are mounted, so that it is read again. */
void kma_namer_forget(struct kma_namer *namer);

void kma_namer_deinit(struct kma_namer *namer);

#endif /* KMA_HEAP_NAME_TYPES_H */
