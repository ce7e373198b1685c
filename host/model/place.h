/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - the place of a call site in the source: file, line, function, inlined functions.
 *
 * A source (tree/source.h) finds the place of each site once, in kma_resolve(). All that shows a
 * site reads it from there, so that a site has the same file and line in each command. A place
 * belongs to the source that found it, and lives as long as it. Sites of one text and one build
 * share a place, also if they are in several accounts.
 */
#ifndef KMA_MODEL_PLACE_H
#define KMA_MODEL_PLACE_H

#include <stdbool.h>
#include <stdint.h>

struct kma_frame;

/* How the type of objects is known; the first one that knows a type counts. */
enum kma_type_by {
	KMA_TYPE_STATED,   /* a person has stated it */
	KMA_TYPE_BY_DEBUG, /* the debugging information, or a table of it */
	KMA_TYPE_BY_BTF,   /* BTF: what the function returns that allocates them */
	KMA_TYPE_BY_CACHE, /* the name of their slab cache */
	KMA_TYPE_UNKNOWN,
	KMA_NR_TYPES_BY,
};

enum kma_found {
	KMA_FOUND_FILE,	       /* the file is known */
	KMA_FOUND_DIR,	       /* several files fit, all in one directory */
	KMA_FOUND_UNKNOWN,     /* the source has no such symbol */
	KMA_FOUND_AMBIGUOUS,   /* several symbols of that name fit, in different files */
	KMA_FOUND_NO_MODULE,   /* the source does not have the site's module */
	KMA_FOUND_NAME,	       /* the file's name is known, but not its directory */
	KMA_FOUND_NO_FILE,     /* the symbol is known, but not its file */
	KMA_FOUND_NO_SYMBOL,   /* the site is an address that no symbol covers */
	KMA_FOUND_OTHER_BUILD, /* the source has the module in another build */
	KMA_FOUND_NOT_SOUGHT,  /* the source has no kernel; there is no path */
};

struct kma_place {
	enum kma_found found;
	bool fits; /* name and size of the site's symbol agree with those in the source */
	/* in the tree of owners: "fs/inode.c", or a row: "fs/[ambiguous]", "[module ext4]"; or NULL */
	const char *path;
	unsigned int line;	/* in the file @path; 0: unknown */
	const char *lines;	/* "fs/inode.c:12", or a chain: "a.c:1 > b.c:2"; NULL: unknown */
	const char *caller;	/* text to show; NULL: that of the site */
	const char *plain;	/* of an address: the text as %pS prints it; or NULL */
	const char *function;	/* a name, or a chain: "a > b"; NULL: the symbol of the site */
	unsigned int nr_frames; /* 0 if unknown */
	const struct kma_frame *frames; /* innermost first; the last is the function of the site */
	uint64_t addr;			/* linked return address; 0: unknown, or several fit */
	bool typed;			/* @type was looked for */
	const char *type;		/* of the objects (types/choose.h); NULL: unknown */
	enum kma_type_by type_by;	/* if it was looked for */
	uint32_t type_number; /* with a @type: in the source's table; UINT32_MAX: there are two */
	bool type_array;      /* the objects are arrays of it */
	uint32_t type_size;   /* its sizeof(); 0: unknown, there are two, or it is an array */
};

/*
 * Is the path of a place one of a file, or of a directory or a name with a row below? Else it is a
 * row.
 */
static inline bool kma_place_has_path(const struct kma_place *place)
{
	return place && (place->found == KMA_FOUND_FILE || place->found == KMA_FOUND_DIR ||
			 place->found == KMA_FOUND_NAME);
}

#endif /* KMA_MODEL_PLACE_H */
