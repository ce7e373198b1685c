/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table.h - types and their members, the calls that may allocate them, and variables: what the
 * debugging information of a kernel and of its modules says of objects, without the objects.
 *
 * A table is made from debugging information (types.h). What a call of it allocates, given the sizes
 * of the objects, says choose.h; which member is at an offset, path.h.
 *
 * A type refers only to types before it, so walks over members end. Two types that have the same
 * name, size and members are one. Numbers of names are those of kma_types_text().
 *
 * Locking: kma_types_add() and what it calls may be used by several threads at once; all else by one,
 * when no other thread adds.
 */
#ifndef KMA_TYPES_TABLE_H
#define KMA_TYPES_TABLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/map.h"
#include "lib/texts.h"
#include "symbol/symtab.h"

#define KMA_TYPES_NONE	   UINT32_MAX /* no type, or none that is known */
#define KMA_TYPES_FLEXIBLE UINT32_MAX /* elements of an array that has no size */
#define KMA_TYPES_DEEP	   64	      /* most levels of members in members */
#define KMA_TYPES_VISITS   100000     /* most members that one question looks at */

/* What a type is. */
enum {
	KMA_TYPES_AGGREGATE = 1 << 0, /* a struct or a union */
	KMA_TYPES_UNION = 1 << 1,
	KMA_TYPES_OPEN = 1 << 2, /* ends with an array that may be longer than stated */
};

struct kma_types_type {
	uint32_t name;	/* "" if it has none */
	uint32_t flags; /* KMA_TYPES_... */
	uint32_t size;	/* sizeof, in bytes; 0: only a declaration is known */
	uint32_t end;	/* where the union or array at its end begins; @size without one */
	uint32_t first; /* its members: from this number on */
	uint32_t nr;
};

/* A member of a type, but no bit field; or a variable, with the number of its file as @offset. */
struct kma_types_member {
	uint32_t name;	 /* "" if it has none */
	uint32_t offset; /* bytes */
	uint32_t type;	 /* the struct or union that it is, or of which it is an array; or NONE */
	uint32_t nr;	 /* elements of an array, or FLEXIBLE; 0: it is no array */
	uint32_t size;	 /* bytes; of an array: of an element */
	uint32_t word;	 /* enum kma_types_word */
};

/* What a member without a type is, as a place for addresses; the likeliest is the largest. */
enum kma_types_word { KMA_TYPES_BYTES, KMA_TYPES_LONG, KMA_TYPES_POINTER };

/* What is known of a call. */
enum {
	KMA_TYPES_PLAIN = 1 << 0, /* its callee returns a pointer to void or to bytes */
	KMA_TYPES_ANY = 1 << 1,	  /* too many types may be those of the objects */
	KMA_TYPES_ARRAY = 1 << 2, /* it is in kcalloc() or another function for arrays */
};

/* A call, and the types of what takes its result. */
struct kma_types_call {
	uint64_t addr;	/* return address, as in symbol/image.h */
	uint32_t image; /* number of the file */
	uint32_t flags; /* KMA_TYPES_PLAIN, KMA_TYPES_ANY */
	uint32_t first; /* of kma_types.candidates */
	uint32_t nr;
};

/* vmlinux, or a module, by its number. */
struct kma_types_image {
	uint32_t name;	   /* "vmlinux", or the name of a module with "_" */
	uint32_t build_id; /* hexadecimal digits; "" if it has none */
};

/* A function with calls. */
struct kma_types_function {
	uint64_t addr; /* as that of calls */
	uint32_t image;
	uint32_t name;
	uint32_t span; /* bytes, as in %pS */
	uint32_t size; /* bytes, of its symbol; 0: unknown */
};

/* A type that may be that of the objects: its number, and whether only inlined functions know it. */
struct kma_types_candidate {
	uint32_t type;
	uint32_t weak;
};

struct kma_types {
	pthread_mutex_t lock;
	struct kma_texts texts;
	struct kma_map map; /* of the types */
	struct kma_types_type *types;
	struct kma_types_member *members, *variables; /* variables as the calls: by file and name */
	struct kma_types_call *calls; /* sorted by image and address after kma_types_sort() */
	struct kma_types_candidate *candidates;
	/* Only of a table for a file (file.h). Functions are sorted by image and name. */
	struct kma_types_image *images;
	struct kma_types_function *functions;
	uint32_t nr_images, room_images, nr_functions, room_functions;
	uint32_t nr_types, room_types, nr_members, room_members, nr_variables, room_variables;
	uint32_t nr_calls, room_calls, nr_candidates, room_candidates;
};

/* All zero is an empty table. */
void kma_types_deinit(struct kma_types *types);

/* A name, valid until the next one is added. */
static inline const char *kma_types_text(const struct kma_types *types, uint32_t name)
{
	return kma_texts_get(&types->texts, name);
}

/* The number of a name, which is copied if it is new. */
static inline uint32_t kma_types_name(struct kma_types *types, const char *name)
{
	return kma_texts_add(&types->texts, name);
}

/**
 * kma_types_add() - find or add a type
 * @types: the table
 * @type: the type; its first member is set here
 * @name: its name
 * @members: its members, @type->nr
 *
 * Return: its number.
 */
uint32_t kma_types_add(struct kma_types *types, const struct kma_types_type *type, const char *name,
		       const struct kma_types_member *members);

/* Add a call with its candidates; a call that the table has is added once more. */
void kma_types_add_call(struct kma_types *types, const struct kma_types_call *call,
			const struct kma_types_candidate *list);

void kma_types_add_variable(struct kma_types *types, const struct kma_types_member *variable);

/*
 * Sort calls and variables. Calls that are there twice are left out. Of variables of one name and of
 * several types one remains, of unknown size.
 */
void kma_types_sort(struct kma_types *types);

/* Add a file and the functions of its calls, for a table that is sorted. @image is its number. */
void kma_types_add_image(struct kma_types *types, const char *name, const char *build_id);
void kma_types_add_functions(struct kma_types *types, uint32_t image,
			     const struct kma_symtab *symtab);

/* Find the types of a table that was filled in by kma_types_unpack(). */
void kma_types_index(struct kma_types *types);

/*
 * The file of a build ID, or without one of a name; NONE: the table has none, or another build.
 * @build_id may be NULL.
 */
uint32_t kma_types_image(const struct kma_types *types, const char *name, const char *build_id);

/* Is it of the kernel with this build ID? False if one of both has none. */
bool kma_types_is_of(const struct kma_types *types, const char *build_id);

/*
 * The call that returns to an offset in a function; NULL: there is none, or it is not the only function
 * of this name and this size or span.
 */
const struct kma_types_call *kma_types_call_in(struct kma_types *types, uint32_t image,
					       const char *function, uint64_t offset,
					       uint64_t span);

/* The call that returns to an address of a file; NULL: the table has none. */
const struct kma_types_call *kma_types_call_at(const struct kma_types *types, uint32_t image,
					       uint64_t addr);

/* The variable of a name in a file; NULL: the table has none, or several. */
const struct kma_types_member *kma_types_variable(struct kma_types *types, uint32_t image,
						  const char *name);

#endif /* KMA_TYPES_TABLE_H */
