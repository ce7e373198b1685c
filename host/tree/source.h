/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source.h - find the place of a call site: its file, its line and its functions.
 *
 * A source is an interface with two implementations: a kernel image (debug.c), by its debugging
 * information or by its symbols alone; and a built tree (kbuild.c), by the symbols of its objects.
 * A source offers candidates for a site with a measure of how well each fits (enum kma_fit).
 * kma_place_offer() keeps the best. Equal candidates in different files are never resolved by
 * chance: the place is then their common directory, or ambiguous.
 *
 * A source is used by one thread. Texts of a place belong to the source and live as long as it.
 */
#ifndef KMA_TREE_SOURCE_H
#define KMA_TREE_SOURCE_H

#include "lib/notes.h"
#include "model/account.h"
#include "symbol/dwarf.h"
#include "symbol/symtab.h"

enum kma_found {
	KMA_FOUND_FILE,	       /* the file is known */
	KMA_FOUND_DIR,	       /* several files fit, all in one directory; path is one of them */
	KMA_FOUND_UNKNOWN,     /* the source has no such symbol */
	KMA_FOUND_AMBIGUOUS,   /* several symbols of that name fit, in different files */
	KMA_FOUND_NO_MODULE,   /* the source does not have the site's module */
	KMA_FOUND_NAME,	       /* the file's name is known, but not its directory */
	KMA_FOUND_NO_FILE,     /* the symbol is known, but not its file */
	KMA_FOUND_NO_SYMBOL,   /* the site is an address that no symbol covers */
	KMA_FOUND_OTHER_BUILD, /* the source has the module in another build */
};

/* If a call site is in a function that was inlined into others: which of them owns the bytes? */
enum kma_inlines_mode {
	KMA_INLINES_OUTER, /* the function that the kernel's symbols name */
	KMA_INLINES_INNER, /* the innermost function that is written in a source file */
	KMA_INLINES_BOTH,  /* the outer function, but the chain of all is shown */
	KMA_NR_INLINES_MODES,
};

/* Names as on the command line. */
extern const char *const kma_inlines_modes[KMA_NR_INLINES_MODES];

/* How well a candidate's symbol fits the site's name, offset and size. */
enum kma_fit {
	KMA_FIT_NONE, /* no symbol, or the offset is beyond its end */
	KMA_FIT_POOR, /* the name agrees, the size does not */
	KMA_FIT_GOOD, /* name and size agree, except for padding; or the site has no size */
	KMA_FIT_BEST, /* name and size agree, or the address is known */
};

/* The place of a site. */
struct kma_place {
	enum kma_found found;
	enum kma_fit fit; /* of the best candidate */
	const char *path; /* with a file or directory: relative to the top; belongs to the source */
	uint64_t addr;	  /* linked return address; 0: unknown, or several fit */
	struct kma_call call; /* with a file: its functions and lines; nr_frames 0 if unknown */
};

struct kma_objects;
struct kma_source;

struct kma_source_ops {
	/*
	 * Finds the place of a site. A site without a symbol is a linked return address in offset.
	 * A site that cannot be placed is not an error: ret->found has the reason.
	 */
	struct kma_err *(*locate)(struct kma_source *source, const struct kma_site *site,
				  struct kma_place *ret);
	/* Returns the symbol at a linked address (without KASLR), or NULL. */
	const struct kma_symbol *(*symbol_at)(const struct kma_source *source, uint64_t addr);
	/* Sets start and end of the kernel's main text; false if unknown. May be NULL. */
	bool (*text)(const struct kma_source *source, uint64_t *start, uint64_t *end);
	/* Can a call return to that address: 1 yes, 0 no, -1 unknown. May be NULL. */
	int (*calls)(const struct kma_source *source, uint64_t addr);
	/* Returns the objects from which the kernel was linked. May be NULL. */
	const struct kma_objects *(*objects)(const struct kma_source *source);
	void (*destroy)(struct kma_source *source);
};

/* Implementations embed it as their first member. */
struct kma_source {
	const struct kma_source_ops *ops;
	const char *name;     /* path that the user gave, for messages */
	const char *release;  /* release of the kernel, "" when unknown */
	const char *build_id; /* of the kernel in hex, NULL or "" when unknown */
	const char *lack;     /* message: information that is missing, and what to do; or NULL */
	uint64_t slide;	      /* bytes by which addresses of the account exceed linked ones */
	enum kma_inlines_mode inlines; /* set by the user of the source */
	bool frames;		       /* set by the user: callers keep their inlined functions */
	struct kma_gaps gaps;	       /* files that could not be read so far */
	bool force;		       /* set by the user: accept modules of another build */
};

/*
 * Functions are padded, so %pS prints more than st_size. The difference is usually less than
 * KMA_SIZE_ALIGN, the common alignment of functions. From KMA_SIZE_PAD on, sizes do not agree.
 */
#define KMA_SIZE_PAD   64
#define KMA_SIZE_ALIGN 16

/**
 * kma_place_offer() - offer a candidate for the place of a site
 * @place: best place so far; at first KMA_FOUND_UNKNOWN and KMA_FIT_NONE
 * @fit: how well the candidate fits
 * @path: its file, NULL when it is unknown
 *
 * The best fit wins. Two candidates with the best fit and different files become KMA_FOUND_DIR if
 * the files are in one directory, else KMA_FOUND_AMBIGUOUS. A better fit replaces both.
 */
void kma_place_offer(struct kma_place *place, enum kma_fit fit, const char *path);

/**
 * kma_call_owner() - find the frame that owns the bytes of a call
 * @call: a call with frames, innermost first
 * @mode: which inlined function owns bytes
 *
 * Frames in headers (.h) are skipped: the bytes of kmalloc() belong to the function that uses it.
 * KMA_INLINES_OUTER and KMA_INLINES_BOTH search from the outermost frame inwards,
 * KMA_INLINES_INNER from the innermost outwards.
 *
 * Return: index of the frame; @call->nr_frames when all are in headers: the owner is then the main
 * file of the compilation unit.
 */
unsigned int kma_call_owner(const struct kma_call *call, enum kma_inlines_mode mode);

/**
 * kma_call_file() - find the file that owns the bytes of a call
 * @call: a call with frames
 * @mode: which inlined function owns bytes
 *
 * Return: path of the frame that kma_call_owner() finds, or of the compilation unit.
 */
const char *kma_call_file(const struct kma_call *call, enum kma_inlines_mode mode);

/**
 * kma_source_destroy() - free a source
 * @source: from one of the above; NULL is fine
 */
void kma_source_destroy(struct kma_source *source);

#endif /* KMA_TREE_SOURCE_H */
