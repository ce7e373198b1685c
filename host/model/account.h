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
 * A site takes 312 bytes, and its text twice: as in the input, and split into symbol and module.
 * The texts are in an arena that is freed with the account. An account that is made from another
 * one (kma_account_add_known()) borrows the texts of that account, the lender. A lender that is
 * destroyed too early stays until its last borrower is destroyed. Ages, stacks, groups and the
 * module's own tables are kept in addition to the sites, and are not there for most inputs.
 *
 * Never done here: files are not read, and numbers are not guessed. A metric or a loss that the
 * input does not state is absent, which is not the same as 0.
 *
 * Locking: none. Accounts that share texts must be used by one thread.
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

/**
 * kma_account_create() - create an empty account
 * @name: name of the input for messages, copied
 */
struct kma_account *kma_account_create(const char *name);

/**
 * kma_account_destroy() - free an account and all its sites
 * @account: from kma_account_create(); NULL is fine. If other accounts borrow its texts, it is
 *	freed when the last of these is destroyed
 */
void kma_account_destroy(struct kma_account *account);

static inline void kma_cleanup_account(struct kma_account **account)
{
	kma_account_destroy(*account);
}

#define _cleanup_account_ _cleanup_(kma_cleanup_account)

/**
 * kma_account_drop_sites() - free the call sites of an account, with their stacks and groups
 * @account: finished; its sums, losses, notes and warnings stay
 */
void kma_account_drop_sites(struct kma_account *account);

/**
 * kma_account_expect() - reserve space for call sites
 * @account: not finished, still without sites
 * @sites: expected number of sites; there may be more. Above a million nothing is reserved
 */
void kma_account_expect(struct kma_account *account, uint64_t sites);

/**
 * kma_account_add_site() - add a call site
 * @account: not finished
 * @caller: text as printed by %pS, copied, need not be terminated
 * @len: bytes of @caller
 * @values: its numbers
 *
 * Return: NULL, or an error that the sum of the rows exceeds 64 bits.
 */
struct kma_err *kma_account_add_site(struct kma_account *account, const char *caller, size_t len,
				     const struct kma_values *values);

/**
 * kma_account_add_known() - add a copy of a site of another account, with other numbers
 * @account: not finished
 * @from: the other account, which lends its texts; the same for all sites that are added in this
 *	way
 * @i: index of the site in kma_account_sites() of @from
 * @values: numbers of the site in @account
 *
 * The members of the site are copied, except for its values. Stacks and groups of @from are not.
 *
 * Return: as kma_account_add_site().
 */
struct kma_err *kma_account_add_known(struct kma_account *account, const struct kma_account *from,
				      size_t i, const struct kma_values *values);

/**
 * kma_account_add_part() - add the part of another account's site that belongs to one group
 * @account: not finished
 * @from: as for kma_account_add_known(); ages, stack and aliases of the site are not copied
 * @i: index of the site in kma_account_sites() of @from
 * @values: numbers of the site for the group
 * @by: kind of the group
 * @group: name of the group, a text that stays with @from
 *
 * Return: as kma_account_add_site().
 */
struct kma_err *kma_account_add_part(struct kma_account *account, const struct kma_account *from,
				     size_t i, const struct kma_values *values, enum kma_grouped by,
				     const char *group);

/**
 * kma_account_keep() - copy a text into the arena of an account
 * @account: the account
 * @text: the text
 *
 * Return: a copy that is freed with the sites of the account.
 */
const char *kma_account_keep(struct kma_account *account, const char *text);

/**
 * kma_account_set_place() - set kind and path of the site that was added last
 * @account: not finished, with a site
 * @kind: family of the function by which the site allocates
 * @path: its source file relative to the top of the kernel's source, NULL if unknown
 *
 * A site with a path is not a named row, whatever the form of its caller text.
 */
void kma_account_set_place(struct kma_account *account, enum kma_kind kind, const char *path);

/**
 * kma_account_set_image() - set the position of the last added site in its file
 * @account: not finished, with a site
 * @build_id: build ID of the file, lower-case hex digits; any other text is ignored, with @text
 * @text: offset in bytes as in debugfs' sites: from _stext in vmlinux, from the address in
 *	/proc/modules in a module
 * @in_init: @text is the offset from the start of the part that is freed after a module's init
 */
void kma_account_set_image(struct kma_account *account, const char *build_id, uint64_t text,
			   bool in_init);

/**
 * kma_account_set_cache() - set the slab cache of the site that was added last
 * @account: not finished, with a site
 * @cache: name of the cache, or a name in brackets for memory that is not slab memory
 * @others: some of the site's objects are in other caches
 */
void kma_account_set_cache(struct kma_account *account, const char *cache, bool others);

/**
 * kma_account_set_aliases() - set other names of the cache of the site that was added last
 * @account: not finished, with a site
 * @aliases: names, separated by ", "
 */
void kma_account_set_aliases(struct kma_account *account, const char *aliases);

/**
 * kma_account_set_stack() - make the site that was added last a row for one stack
 * @account: not finished, with a site
 * @stack: frames from the row's function outwards, separated by ";", or a name in brackets
 */
void kma_account_set_stack(struct kma_account *account, const char *stack);

/**
 * kma_account_set_group() - make the site that was added last a row for one group
 * @account: not finished, with a site
 * @by: kind of the group
 * @group: name of the group, copied
 */
void kma_account_set_group(struct kma_account *account, enum kma_grouped by, const char *group);

/**
 * kma_account_set_named() - make the site that was added last a named row
 * @account: not finished, with a site; the row is not a place in the code, whatever its text
 */
void kma_account_set_named(struct kma_account *account);

/* Replace the numbers of a site of a finished account, for one whose numbers are of several times. */
void kma_account_use_values(struct kma_account *account, size_t i, const struct kma_values *values);

/* Set the place of a site of a finished account; see tree/source.h. NULL: unknown. */
void kma_account_resolve(struct kma_account *account, size_t i, const struct kma_place *place);

/**
 * kma_account_add_age() - add the ages of a site's objects
 * @account: not finished
 * @i: index of the site
 * @age: the ages, copied; those of a second call for a site are added to the first
 */
void kma_account_add_age(struct kma_account *account, size_t i, const struct kma_site_age *age);

/**
 * kma_account_set_stacks() - set the stacks of the call sites
 * @account: not finished
 * @stacks: see stacks.h; the account takes ownership
 */
void kma_account_set_stacks(struct kma_account *account, struct kma_stacks *stacks);

/**
 * kma_account_set_groups() - set the numbers of the call sites for each group
 * @account: not finished
 * @by: kind of the groups
 * @groups: see groups.h; the account takes ownership
 */
void kma_account_set_groups(struct kma_account *account, enum kma_grouped by,
			    struct kma_groups *groups);

/**
 * kma_account_groups() - get the numbers of the call sites for each group
 * @account: an account
 * @by: kind of the groups
 *
 * Return: a set owned by the account; NULL if the input has no groups of this kind.
 */
const struct kma_groups *kma_account_groups(const struct kma_account *account, enum kma_grouped by);

/**
 * kma_account_set_metrics() - set which metrics the input has
 * @account: not finished
 * @have: set of metrics, 1 << enum kma_metric_id
 */
void kma_account_set_metrics(struct kma_account *account, unsigned int have);

/**
 * kma_account_set_totals() - set the totals of the input's header
 * @account: not finished
 * @totals: sums over the whole input
 * @callers: number of call sites in the header
 */
void kma_account_set_totals(struct kma_account *account, const struct kma_values *totals,
			    uint64_t callers);

/**
 * kma_account_set_loss() - set the number of events of one loss
 * @account: not finished
 * @id: kind of the loss
 * @events: number of events
 */
void kma_account_set_loss(struct kma_account *account, enum kma_loss_id id, uint64_t events);

/**
 * kma_account_put_note() - add a line of the header that is not a total or a loss
 * @account: not finished
 * @key: text before the colon, copied
 * @value: text after the colon, copied
 */
void kma_account_put_note(struct kma_account *account, const char *key, const char *value);

/**
 * kma_account_set_tables() - set the text of the module's tables that have columns of their own
 * @account: an account
 * @text: a snapshot of the module with these tables, from malloc(); the account takes ownership.
 *	NULL: the input has none
 */
void kma_account_set_tables(struct kma_account *account, char *text);

/**
 * kma_account_tables() - get the text of the module's tables
 * @account: an account
 *
 * Return: the text of kma_account_set_tables(), owned by the account; NULL if it has none.
 */
const char *kma_account_tables(const struct kma_account *account);

/**
 * kma_account_warn() - add a warning for the command to print
 * @account: not finished
 * @fmt: printf format of a sentence
 */
void kma_account_warn(struct kma_account *account, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kma_account_finish() - compare rows with totals and close the account
 * @account: all sites, totals and metrics are set
 *
 * Each metric that differs between the header and the rows makes the account partial and is a
 * warning. Without totals nothing is compared.
 *
 * Return: as kma_account_add_site().
 */
struct kma_err *kma_account_finish(struct kma_account *account);

/**
 * kma_account_name() - get the name of the input
 * @account: an account
 *
 * Return: text owned by the account.
 */
const char *kma_account_name(const struct kma_account *account);

/**
 * kma_account_rename() - give an account another name
 * @account: an account; texts of kma_account_name() become invalid
 * @name: name of the input, copied
 */
void kma_account_rename(struct kma_account *account, const char *name);

/**
 * kma_account_note() - get the value of a header line
 * @account: an account
 * @key: text before the colon
 *
 * Return: text owned by the account, NULL if there is no such line.
 */
const char *kma_account_note(const struct kma_account *account, const char *key);

/**
 * kma_list_has() - check whether a list of names has a name
 * @list: names, separated by blanks; a blank within a name is an underscore
 * @name: the name, with its blanks
 *
 * Return: true if @list has it.
 */
bool kma_list_has(const char *list, const char *name);

/**
 * kma_account_note_at() - get a note by its index
 * @account: an account
 * @i: from 0 up, in the order in which notes were added
 * @value: set to the text after the colon
 *
 * Return: text before the colon; NULL after the last note. The account owns both texts.
 */
const char *kma_account_note_at(const struct kma_account *account, size_t i, const char **value);

/**
 * kma_account_sites() - get all call sites, in the order of the input
 * @account: an account
 * @nr: set to the number of sites
 *
 * Return: an array owned by the account, valid until a site is added or the sites are dropped.
 */
const struct kma_site *kma_account_sites(const struct kma_account *account, size_t *nr);

/**
 * kma_account_stacks() - get the stacks of the call sites
 * @account: an account
 *
 * Return: the stacks, owned by the account; NULL if the input has none.
 */
const struct kma_stacks *kma_account_stacks(const struct kma_account *account);

/**
 * kma_account_metrics() - get the metrics that the input has
 * @account: finished
 *
 * Return: set of 1 << enum kma_metric_id.
 */
unsigned int kma_account_metrics(const struct kma_account *account);

/**
 * kma_account_has_paths() - check whether the input itself has source files
 * @account: an account
 *
 * Return: true if a site has a path.
 */
bool kma_account_has_paths(const struct kma_account *account);

/**
 * kma_account_total() - get the sum over all sites
 * @account: finished
 *
 * Return: numbers owned by the account. The sum of peaks is not a peak of the whole.
 */
const struct kma_values *kma_account_total(const struct kma_account *account);

/**
 * kma_account_loss() - get the number of events of one loss
 * @account: an account
 * @id: kind of the loss
 * @ret: set to the number of events
 *
 * Return: false if the input does not state it; @ret is then 0.
 */
bool kma_account_loss(const struct kma_account *account, enum kma_loss_id id, uint64_t *ret);

/**
 * kma_account_set_partial() - note that parts of the input could not be read
 * @account: the account; a warning should say which parts
 */
void kma_account_set_partial(struct kma_account *account);

/**
 * kma_account_is_partial() - test whether parts of the input could not be read
 * @account: finished
 *
 * A comparison with such an account would show the unread parts as a change. Events that the
 * recorder reported as lost do not count here: see kma_account_loss().
 *
 * Return: true if rows or records are missing or corrupt.
 */
bool kma_account_is_partial(const struct kma_account *account);

/**
 * kma_account_warning() - get a warning by its index
 * @account: finished
 * @i: from 0 up
 *
 * Return: a sentence owned by the account; NULL after the last one.
 */
const char *kma_account_warning(const struct kma_account *account, size_t i);

#endif /* KMA_MODEL_ACCOUNT_H */
