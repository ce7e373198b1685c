/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source.h - the source of the file of a call site: a kernel image (debug.c), by its debugging
 * information or otherwise by its symbols alone; or a built tree (kbuild.c).
 */
#ifndef KMA_TREE_SOURCE_H
#define KMA_TREE_SOURCE_H

#include "lib/notes.h"
#include "model/account.h"
#include "symbol/dwarf.h"
#include "symbol/symtab.h"

enum kma_found {
	KMA_FOUND_FILE,	       /* the path is known */
	KMA_FOUND_DIR,	       /* the path is one of several in its directory */
	KMA_FOUND_UNKNOWN,     /* no such symbol */
	KMA_FOUND_AMBIGUOUS,   /* several symbols of that name fit, in different files */
	KMA_FOUND_NO_MODULE,   /* nothing is known of its module */
	KMA_FOUND_NAME,	       /* the path is the name of a file, its directory is not known */
	KMA_FOUND_NO_FILE,     /* the symbol is known, its file is not */
	KMA_FOUND_NO_SYMBOL,   /* an address that no symbol covers */
	KMA_FOUND_OTHER_BUILD, /* the module that is here is of another build */
};

/* Of functions that were inlined into others: whose bytes are they? */
enum kma_inlines_mode {
	KMA_INLINES_OUTER, /* of the function that the kernel's symbols name */
	KMA_INLINES_INNER, /* of the innermost one that is written in a source file */
	KMA_INLINES_BOTH,  /* of the outer one, but all of them are named */
	KMA_NR_INLINES_MODES,
};

/* Names as on the command line. */
extern const char *const kma_inlines_modes[KMA_NR_INLINES_MODES];

/* How well does the symbol that was found fit the site's name, offset and size? */
enum kma_fit {
	KMA_FIT_NONE, /* nothing to compare, or nothing found */
	KMA_FIT_POOR, /* the name is there, the size is another */
	KMA_FIT_GOOD, /* name and size agree, give or take some padding */
	KMA_FIT_BEST, /* they agree as well as they can */
};

struct kma_place {
	enum kma_found found;
	enum kma_fit fit;
	const char *path; /* with a file or directory: relative to the top, stays with the source */
	uint64_t addr;	  /* return address as the source has it; 0: not known, or several fit */
	struct kma_call call; /* with a file: its functions and lines, if they are known */
};

struct kma_objects;
struct kma_source;

struct kma_source_ops {
	/* Where is this site? One without a symbol is an address. */
	struct kma_err *(*locate)(struct kma_source *source, const struct kma_site *site,
				  struct kma_place *ret);
	/* Symbol at an address as the kernel was linked (no KASLR), NULL when there is none. */
	const struct kma_symbol *(*symbol_at)(const struct kma_source *source, uint64_t addr);
	/* Where its main text begins and ends; false when it has none; may be NULL. */
	bool (*text)(const struct kma_source *source, uint64_t *start, uint64_t *end);
	/* Can a call return to that address: 1 yes, 0 no, -1 unknown; may be NULL. */
	int (*calls)(const struct kma_source *source, uint64_t addr);
	/* The objects that the kernel was made of; may be NULL. */
	const struct kma_objects *(*objects)(const struct kma_source *source);
	void (*destroy)(struct kma_source *source);
};

struct kma_source {
	const struct kma_source_ops *ops;
	const char *name;     /* what the user gave, for messages */
	const char *release;  /* release of the kernel, "" when not known */
	const char *build_id; /* of the kernel in hex, NULL or "" when not known */
	const char *lack;     /* what it cannot tell and what to do, for a message; or NULL */
	uint64_t slide;	      /* what addresses of the account are above those of the source */
	enum kma_inlines_mode inlines; /* for the user of the source to choose */
	bool frames;		       /* the same: leaves of a tree keep their frames */
	struct kma_gaps gaps;	       /* what could not be read, so far */
	bool force; /* the same: modules of another build are taken for the right ones */
};

/*
 * Functions are padded: %pS prints up to this much more than st_size. Usually it is
 * less than the common alignment of functions.
 */
#define KMA_SIZE_PAD   64
#define KMA_SIZE_ALIGN 16

/**
 * kma_place_offer() - offer a candidate for the place of a site
 * @place: best place so far; to begin with KMA_FOUND_UNKNOWN and KMA_FIT_NONE
 * @fit: how well the candidate fits
 * @path: its file, NULL when that is not known
 *
 * The best fit wins; among equals that differ in the file what they share is kept.
 */
void kma_place_offer(struct kma_place *place, enum kma_fit fit, const char *path);

/**
 * kma_call_owner() - the frame that a call's bytes are counted to
 * @call: a call with frames
 * @mode: whose they are
 *
 * A header does not allocate: what is written there belongs to the function that uses it.
 * So frames of headers (.h) are passed over, inwards with KMA_INLINES_OUTER, which seldom
 * begins in one, outwards with KMA_INLINES_INNER, which nearly always does (kmalloc()).
 *
 * Return: number of the frame, @call->nr_frames when all are of headers: then it is the
 * main file of the unit.
 */
unsigned int kma_call_owner(const struct kma_call *call, enum kma_inlines_mode mode);

/**
 * kma_call_file() - the file that a call's bytes are counted to
 * @call: a call with frames
 * @mode: whose they are
 *
 * Return: path of the frame that kma_call_owner() names, or of the unit.
 */
const char *kma_call_file(const struct kma_call *call, enum kma_inlines_mode mode);

/**
 * kma_source_destroy() - free a source
 * @source: from one of the above; NULL is fine
 */
void kma_source_destroy(struct kma_source *source);

#endif /* KMA_TREE_SOURCE_H */
