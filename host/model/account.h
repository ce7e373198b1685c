/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * account.h - the content of an input: call sites with their numbers, the totals in the input's
 * header, and the events that the input did not count.
 *
 * A reader creates an account, adds sites, and closes it with kma_account_finish(). After that no
 * site is added. kma_account_total() is the sum over the values with which sites were added. If the
 * header of the input has larger totals, kma_account_finish() adds a site KMA_SITE_MISSING with the
 * difference; if it has smaller ones, they are a warning. Findings that do not end the command are
 * stored as warnings, which the command prints. A sum that exceeds 64 bits is an error, never a
 * wrong number.
 *
 * A site takes 312 bytes. Its texts, but for names of groups, are kept for the life of the process,
 * each once (lib/texts.h), so accounts share them; all else that the functions return is owned by
 * the account. Ages, stacks,
 * groups and the module's own tables are kept in addition to the sites, and are not there for most
 * inputs.
 *
 * Never done here: files are not read, and numbers are not guessed. A metric or a loss that the
 * input does not state is absent, which is not the same as 0.
 *
 * Locking: none. Sites are added by one thread, because all accounts share the texts.
 */
#ifndef KMA_MODEL_ACCOUNT_H
#define KMA_MODEL_ACCOUNT_H

#include "lib/cleanup.h"
#include "site.h"

#define KMA_SITE_MISSING "[not in any row]"

/* Keys of notes that other files use, about the source of the account. */
#define KMA_NOTE_RELEASE  "kernel release"
#define KMA_NOTE_BUILD_ID "kernel build ID"

/* Lists for kma_list_has(). The host program reads them from files that are not the module's. */
#define KMA_NOTE_MODULES     "loaded modules"
#define KMA_NOTE_RECLAIMABLE "reclaimable caches"
#define KMA_NOTE_WORKLOAD    "workload" /* command that was run; times are numbers of its runs */
#define KMA_NOTE_DROPPED     "caches dropped" /* the kernel was told to free its caches before */
#define KMA_NOTE_MACHINE     "machine"
#define KMA_NOTE_STEXT	     "kernel _stext" /* address of _stext, in an input without symbols */

/* Rows of an input that says of some of its rows that their numbers may be slightly wrong. */
#define KMA_NOTE_NOT_ACCURATE	    "rows that are not accurate"
#define KMA_NOTE_BYTES_NOT_ACCURATE "live bytes of rows that are not accurate"

/* The input has rows for some call sites only. A site without a row may hold memory. */
#define KMA_NOTE_CHOSEN "chosen call sites"

/* Events that an input could not count. */
enum kma_loss_id {
	KMA_LOSS_UNKNOWN_FREES, /* frees of objects whose allocation was not seen */
	KMA_LOSS_IMPLIED_FREES, /* objects whose address was allocated again without a free */
	KMA_LOSS_NOT_RECORDED,	/* events that the recorder lost */
	KMA_NR_LOSSES,
};

struct kma_loss {
	const char *name;  /* key in CSV and JSON */
	const char *title; /* key in the header of /proc/kmem_account, and words for messages */
};

extern const struct kma_loss kma_losses[KMA_NR_LOSSES];

struct kma_account;
struct kma_groups;
struct kma_stacks;

/* @name is that of the input for messages, and is copied. */
struct kma_account *kma_account_create(const char *name);

/* NULL is fine. */
void kma_account_destroy(struct kma_account *account);

static inline void kma_cleanup_account(struct kma_account **account)
{
	kma_account_destroy(*account);
}

#define _cleanup_account_ _cleanup_(kma_cleanup_account)

/*
 * Frees the call sites of a finished account, with their stacks and groups. Its sums, losses, notes
 * and warnings stay.
 */
void kma_account_drop_sites(struct kma_account *account);

/*
 * Reserves space for call sites before the first one. There may be more; above a million nothing is
 * reserved.
 */
void kma_account_expect(struct kma_account *account, uint64_t sites);

/*
 * @caller, @len bytes, is a text as printed by %pS; it is copied. It is an error if the sum of the
 * rows exceeds 64 bits.
 */
struct kma_err *kma_account_add_site(struct kma_account *account, const char *caller, size_t len,
				     const struct kma_values *values);

/*
 * The same for a caller of a scan: "[before: dentry]" is KMA_SITE_BEFORE with this cache. The account
 * may be finished.
 */
struct kma_err *kma_account_add_scanned(struct kma_account *account, const char *caller,
					const struct kma_values *values);

/* Adds a copy of site @i of @from with other numbers, and without its stacks and groups. */
struct kma_err *kma_account_add_known(struct kma_account *account, const struct kma_account *from,
				      size_t i, const struct kma_values *values);

/*
 * The same for the part of a site that belongs to one group. Ages, stack and aliases are not
 * copied.
 */
struct kma_err *kma_account_add_part(struct kma_account *account, const struct kma_account *from,
				     size_t i, const struct kma_values *values, enum kma_grouped by,
				     const char *group);

/*
 * Sets kind and path of the site that was added last, as the following functions change that site.
 * @path is its source file relative to the top of the kernel's source; NULL if unknown. A site with
 * a path is not a named row, whatever the form of its text.
 */
void kma_account_set_place(struct kma_account *account, enum kma_kind kind, const char *path);

/*
 * The position of the site in its file. @build_id has lower-case hex digits; any other text is
 * ignored, with @text. @text is an offset in bytes as in debugfs' sites: from _stext in vmlinux,
 * from the address in /proc/modules in a module; with @in_init from the start of the part that is
 * freed after a module's init.
 */
void kma_account_set_image(struct kma_account *account, const char *build_id, uint64_t text,
			   bool in_init);

/*
 * @cache is a name in brackets for memory that is not slab memory. @others: some of the site's
 * objects are in other caches.
 */
void kma_account_set_cache(struct kma_account *account, const char *cache, bool others);

/* Other names of the cache, separated by ", ". */
void kma_account_set_aliases(struct kma_account *account, const char *aliases);

/*
 * Makes the site a row for one stack: frames from the row's function outwards, separated by ";", or
 * a name in brackets.
 */
void kma_account_set_stack(struct kma_account *account, const char *stack);

/* Makes the site a row for one group. */
void kma_account_set_group(struct kma_account *account, enum kma_grouped by, const char *group);

/* Makes the site a named row, which is not a place in the code, whatever its text. */
void kma_account_set_named(struct kma_account *account);

/*
 * Replaces the numbers of a site of a finished account, for one whose numbers are of several times.
 */
void kma_account_use_values(struct kma_account *account, size_t i, const struct kma_values *values);

/* Sets the place of a site of a finished account; see tree/source.h. NULL: unknown. */
void kma_account_resolve(struct kma_account *account, size_t i, const struct kma_place *place);

/* The ages of a second call for site @i are added to those of the first. */
void kma_account_add_age(struct kma_account *account, size_t i, const struct kma_site_age *age);

/* The account takes ownership. */
void kma_account_set_stacks(struct kma_account *account, struct kma_stacks *stacks);
void kma_account_set_groups(struct kma_account *account, enum kma_grouped by,
			    struct kma_groups *groups);

/* NULL if the input has none. */
const struct kma_groups *kma_account_groups(const struct kma_account *account, enum kma_grouped by);

/* Which metrics the input has, as 1 << enum kma_metric_id. */
void kma_account_set_metrics(struct kma_account *account, unsigned int have);

/* The totals and the number of call sites in the input's header. */
void kma_account_set_totals(struct kma_account *account, const struct kma_values *totals,
			    uint64_t callers);

void kma_account_set_loss(struct kma_account *account, enum kma_loss_id id, uint64_t events);

/* Adds a line "KEY: VALUE" of the header that is not a total or a loss. */
void kma_account_put_note(struct kma_account *account, const char *key, const char *value);

/*
 * @text, from malloc(), is a snapshot of the module with the tables that have columns of their own;
 * the account takes ownership. NULL: the input has none.
 */
void kma_account_set_tables(struct kma_account *account, char *text);

/* NULL if there are none. */
const char *kma_account_tables(const struct kma_account *account);

/* Adds a sentence for the command to print. */
void kma_account_warn(struct kma_account *account, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Compares the rows with the totals, if there are some, and closes the account. Each metric that
 * differs makes the account partial, and is a warning. It is an error if a sum exceeds 64 bits.
 */
struct kma_err *kma_account_finish(struct kma_account *account);

const char *kma_account_name(const struct kma_account *account);

/* Texts of kma_account_name() become invalid. */
void kma_account_rename(struct kma_account *account, const char *name);

/* NULL if there is no such line. */
const char *kma_account_note(const struct kma_account *account, const char *key);

/*
 * Does a list of names, separated by blanks, have the name? A blank within a name is an underscore
 * in the list.
 */
bool kma_list_has(const char *list, const char *name);

/* The key of note @i, in the order in which they were added; NULL after the last one. */
const char *kma_account_note_at(const struct kma_account *account, size_t i, const char **value);

/* In the order of the input; valid until a site is added or the sites are dropped. */
const struct kma_site *kma_account_sites(const struct kma_account *account, size_t *nr);

/* NULL if the input has none. */
const struct kma_stacks *kma_account_stacks(const struct kma_account *account);

/* Set of 1 << enum kma_metric_id, of a finished account. */
unsigned int kma_account_metrics(const struct kma_account *account);

/* True if the input itself has source files. */
bool kma_account_has_paths(const struct kma_account *account);

/* The sum over all sites of a finished account. The sum of peaks is not a peak of the whole. */
const struct kma_values *kma_account_total(const struct kma_account *account);

/* False if the input does not state it; @ret is then 0. */
bool kma_account_loss(const struct kma_account *account, enum kma_loss_id id, uint64_t *ret);

/* Parts of the input could not be read. A warning should say which. */
void kma_account_set_partial(struct kma_account *account);

/*
 * Are rows or records missing or corrupt? A comparison with such an account would show them as a
 * change. Events that the recorder reported as lost do not count here: see kma_account_loss().
 */
bool kma_account_is_partial(const struct kma_account *account);

/* NULL after the last one. */
const char *kma_account_warning(const struct kma_account *account, size_t i);

#endif /* KMA_MODEL_ACCOUNT_H */
