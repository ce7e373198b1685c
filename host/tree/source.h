/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source.h - find the place of each call site: its file, its line and its functions.
 *
 * A source is an interface with two implementations: a kernel image (debug.c), by its debugging
 * information or by its symbols alone; and a built tree (kbuild.c), by the symbols of its objects.
 * A source offers candidates for a site with a measure of how well each fits (enum kma_fit).
 * kma_spot_offer() keeps the best. Equal candidates in different files are never resolved by
 * chance: the spot is then their common directory, or ambiguous.
 *
 * kma_resolve() turns the spot of each site into its place (model/place.h), once for each text and
 * build. A source is used by one thread. Texts of a spot belong to the source and live as long as
 * it.
 */
#ifndef KMA_TREE_SOURCE_H
#define KMA_TREE_SOURCE_H

#include "lib/arena.h"
#include "lib/map.h"
#include "lib/notes.h"
#include "lib/strbuf.h"
#include "model/account.h"
#include "symbol/image.h"
#include "symbol/dwarf.h"
#include "symbol/symtab.h"
#include "types/by-btf.h"
#include "types/table.h"

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

/* Where a source finds a site. */
struct kma_spot {
	enum kma_found found;
	enum kma_fit fit; /* of the best candidate */
	const char *path; /* with a file or directory: relative to the top; belongs to the source */
	uint64_t addr;	  /* linked return address; 0: unknown, or several fit */
	struct kma_call call; /* with a file: its functions and lines; nr_frames 0 if unknown */
};

struct kma_objects;
struct kma_stated;
struct kma_resolved;
struct kma_source;

struct kma_source_ops {
	/*
	 * Finds the place of a site. A site without a symbol is a linked return address in offset.
	 * A site that cannot be placed is not an error: ret->found has the reason.
	 */
	struct kma_err *(*locate)(struct kma_source *source, const struct kma_site *site,
				  struct kma_spot *ret);
	/* Returns the symbol at a linked address (without KASLR), or NULL. */
	const struct kma_symbol *(*symbol_at)(const struct kma_source *source, uint64_t addr);
	/* Sets start and end of the kernel's main text; false if unknown. May be NULL. */
	bool (*text)(const struct kma_source *source, uint64_t *start, uint64_t *end);
	/* Can a call return to that address: 1 yes, 0 no, -1 unknown. May be NULL. */
	int (*calls)(const struct kma_source *source, uint64_t addr);
	/*
	 * Returns the file with the code of a site that was placed at an address, and its symbols;
	 * NULL if it has no debugging information. Needed with has_types.
	 */
	const struct kma_image *(*image)(const struct kma_source *source,
					 const struct kma_site *site,
					 const struct kma_symtab **symtab);
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
	const struct kma_image *kernel; /* vmlinux; NULL: it is not there */
	uint64_t slide; /* bytes by which addresses of the account exceed linked ones */
	enum kma_inlines_mode inlines; /* set by the user of the source */
	bool types;		       /* the same: find the types of objects */
	bool bare;		       /* it has no kernel, only a table of types */
	bool has_types; /* a table, BTF or statements were read, or @ops->image and debugging information */
	struct kma_by_btf btf;	   /* its types are in @table */
	struct kma_stated *stated; /* types that a person has stated */
	uint32_t nr_stated;
	struct kma_types table; /* of the types found so far; at first that of a file, or empty */
	const struct kma_image **images; /* by their numbers in @table */
	uint32_t nr_images, room_images;
	uint32_t nr_variables;	      /* images whose variables are in @table: the first ones */
	struct kma_gaps gaps;	      /* files that could not be read so far */
	bool force;		      /* set by the user: accept modules of another build */
	struct kma_arena arena;	      /* owns @places and their texts */
	struct kma_map map;	      /* of @places, by the text of the site */
	struct kma_resolved **places; /* found so far */
	size_t room;		      /* allocated length of @places */
};

/* What a source knows of the sites of an account: is it the kernel of the account? */
struct kma_resolve_stats {
	size_t sites;	     /* call sites of the account, without its rows in brackets */
	size_t compared;     /* sites of the kernel proper that have a name and a size */
	size_t fitting;	     /* compared sites whose name and size the source has as well */
	size_t addresses;    /* sites that are an address without a symbol */
	size_t strange;	     /* such addresses that are in no symbol of the source */
	size_t other_build;  /* sites of modules that the source has in another build */
	uint64_t unresolved; /* live bytes whose directory is unknown */
};

/*
 * Functions are padded, so %pS prints more than st_size. The difference is usually less than
 * KMA_SIZE_ALIGN, the common alignment of functions. From KMA_SIZE_PAD on, sizes do not agree.
 */
#define KMA_SIZE_PAD   64
#define KMA_SIZE_ALIGN 16

/*
 * Offers a candidate for the spot of a site, which is at first KMA_FOUND_UNKNOWN and KMA_FIT_NONE.
 * @path is NULL if its file is unknown. The best fit wins. Two candidates with the best fit and
 * different files become KMA_FOUND_DIR if the files are in one directory, else KMA_FOUND_AMBIGUOUS.
 * A better fit replaces both.
 */
void kma_spot_offer(struct kma_spot *spot, enum kma_fit fit, const char *path);

/*
 * The index of the frame that owns the bytes of a call. Frames in headers (.h) are skipped: the
 * bytes of kmalloc() belong to the function that uses it. KMA_INLINES_OUTER and KMA_INLINES_BOTH
 * search from the outermost frame inwards, KMA_INLINES_INNER from the innermost outwards.
 * @call->nr_frames when all are in headers: the owner is then the main file of the compilation
 * unit.
 */
unsigned int kma_call_owner(const struct kma_call *call, enum kma_inlines_mode mode);

/* The file of that frame, or of the compilation unit. */
const char *kma_call_file(const struct kma_call *call, enum kma_inlines_mode mode);

/*
 * Sets the places of all call sites of a finished account; a site whose file is in the input, and a
 * row in brackets, get none. @source owns the places; NULL: no site gets one.
 *
 * With @source->types and has_types, places get the types of the objects, too; all at once, because
 * it takes a walk over the debugging information. Sizes of the objects are those of the first
 * account that has the place. A site that is an address (logs before 5.4 have no others) gets a
 * text as %pS would have printed it, if the source has a symbol there.
 */
struct kma_err *kma_resolve(struct kma_account *account, struct kma_source *source,
			    struct kma_resolve_stats *stats);

/* The same for one site, which may be a frame of a stack. */
struct kma_err *kma_resolve_site(struct kma_source *source, const struct kma_site *site,
				 const struct kma_place **ret);

/* The place of a site that was resolved before, by its text; NULL: there was none. */
const struct kma_place *kma_resolved_place(const struct kma_source *source, const char *caller);

/* A source that has no kernel, and thus no places: for kma_source_take_types(). */
struct kma_source *kma_source_bare(void);

/* Uses a table of kmem-account types, which moves to the source. No site was resolved before. */
void kma_source_take_types(struct kma_source *source, struct kma_types *types);

/* Uses BTF as well, which becomes the source's. */
void kma_source_take_btf(struct kma_source *source, struct kma_btf *btf);

/*
 * Uses types that a person has stated: the text of a file, with a call site or a function and its type
 * in each line. @path is its name in messages.
 */
struct kma_err *kma_source_take_stated(struct kma_source *source, const char *path,
				       const char *text);

/* Adds a note for each statement that contradicts the debugging information or fits no call site. */
void kma_source_note_stated(const struct kma_source *source, struct kma_notes *notes);

/* Does a source have files of call sites? NULL has none. */
static inline bool kma_source_has_files(const struct kma_source *source)
{
	return source && !source->bare;
}

/*
 * Appends the name of the member at an offset of the objects of a resolved call site, as
 * "inode.i_security"; nothing if it is not known. @source has types. @slots: write [] in place of
 * the number of an element.
 */
void kma_source_field(const struct kma_source *source, const char *caller, uint64_t offset,
		      bool slots, struct kma_strbuf *ret);

/*
 * The same for a variable, as "init_task.tasks.next". @module is NULL for the kernel's; a module
 * that has no site is not known. The debugging information is read at the first call; an error is
 * as that of kma_resolve().
 */
struct kma_err *kma_source_variable(struct kma_source *source, const char *module, const char *name,
				    uint64_t offset, bool slots, struct kma_strbuf *ret);

/*
 * False if fewer than 80 % of the compared sites agree in name and size: then the source is another
 * build of the kernel.
 */
bool kma_resolve_plausible(const struct kma_resolve_stats *stats);

/* Frees all places that it has found, too. NULL is fine. */
void kma_source_destroy(struct kma_source *source);

#endif /* KMA_TREE_SOURCE_H */
