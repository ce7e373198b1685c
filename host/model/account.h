/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * account.h - the content of an input: call sites with their numbers, the totals in the input's
 * header, and the events that the input did not count.
 *
 * A reader fills an account and closes it with kma_account_finish(); after that it does not change.
 * The sites of a finished account add up to its totals: the difference between the input's header
 * and its rows is in a separate site, KMA_SITE_MISSING. Findings that do not end the command are
 * stored as warnings, which the command prints.
 */
#ifndef KMA_MODEL_ACCOUNT_H
#define KMA_MODEL_ACCOUNT_H

#include "site.h"

#define KMA_SITE_MISSING "[not in any row]"

/* Keys of notes that other files use, about the source of the account. */
#define KMA_NOTE_RELEASE  "kernel release"
#define KMA_NOTE_BUILD_ID "kernel build ID"
/* Lists of names, each followed by a blank: read by the host from other files than the module's. */
#define KMA_NOTE_MODULES     "loaded modules"
#define KMA_NOTE_RECLAIMABLE "reclaimable caches"
#define KMA_NOTE_WORKLOAD    "workload" /* the times of a series are numbers of runs, not ages */
#define KMA_NOTE_DROPPED     "caches dropped" /* the kernel was asked to free all that it can */
#define KMA_NOTE_MACHINE     "machine"
#define KMA_NOTE_STEXT	     "kernel _stext" /* its address, of addresses that have no symbol */
/* Not all call sites have rows: of one that has none nothing is known. */
#define KMA_NOTE_CHOSEN "chosen call sites"

/* What an input could not count. */
enum kma_loss_id {
	KMA_LOSS_UNKNOWN_FREES,
	KMA_LOSS_IMPLIED_FREES,
	KMA_LOSS_NOT_RECORDED,
	KMA_NR_LOSSES,
};

struct kma_loss {
	const char *name;  /* in csv and json */
	const char *title; /* in a header of /proc/kmem_account and for people */
};

extern const struct kma_loss kma_losses[KMA_NR_LOSSES];

struct kma_account;
struct kma_groups;
struct kma_stacks;

/**
 * kma_account_create() - an empty account
 * @name: of the input, for messages
 * @ret: the account
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_create(const char *name, struct kma_account **ret);

/**
 * kma_account_destroy() - free an account and all its sites
 * @account: from kma_account_create(); NULL is fine. One whose texts other accounts use is freed
 *	with the last of them, by the thread that frees that one
 */
void kma_account_destroy(struct kma_account *account);

/**
 * kma_account_drop_sites() - free the call sites of an account, with their stacks and groups
 * @account: finished; its sums, losses and notes stay
 */
void kma_account_drop_sites(struct kma_account *account);

/**
 * kma_account_expect() - reserve space for call sites
 * @account: not finished, still without sites
 * @sites: expected number of sites; there may be more
 */
void kma_account_expect(struct kma_account *account, uint64_t sites);

/**
 * kma_account_add_site() - add a call site
 * @account: not finished
 * @caller: text as printed by %pS, need not be terminated
 * @len: bytes of @caller
 * @values: its numbers
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_add_site(struct kma_account *account, const char *caller, size_t len,
				     const struct kma_values *values);

/**
 * kma_account_add_known() - add a call site that another account has
 * @account: not finished
 * @from: its texts are used, not copied: it stays until the last account that uses them is gone.
 *	The same one for all sites that are added so
 * @i: number of the site in kma_account_sites() of @from
 * @values: its numbers in @account; its ages, stacks and group are not known
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_add_known(struct kma_account *account, const struct kma_account *from,
				      size_t i, const struct kma_values *values);

/**
 * kma_account_add_part() - add a call site that another account has, for one group
 * @account: not finished
 * @from: as for kma_account_add_known(); its stacks, ages and aliases are not used
 * @i: number of the site in kma_account_sites() of @from
 * @values: what it holds for the group
 * @by: what the group is
 * @group: its name, a text that stays with @from
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_add_part(struct kma_account *account, const struct kma_account *from,
				     size_t i, const struct kma_values *values, enum kma_grouped by,
				     const char *group);

/**
 * kma_account_keep() - copy a text into an account
 * @account: the account
 * @text: the text
 *
 * Return: a copy that stays with the account; NULL without memory.
 */
const char *kma_account_keep(struct kma_account *account, const char *text);

/**
 * kma_account_set_place() - set kind and path of the site that was added last
 * @account: not finished, with a site
 * @kind: how the site allocates
 * @path: its source file relative to the top of the kernel's source, NULL if unknown
 *
 * A site with a path is a place in the code, whatever its caller text looks like.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_set_place(struct kma_account *account, enum kma_kind kind,
				      const char *path);

/**
 * kma_account_set_image() - set the position of the last added site in its file
 * @account: not finished, with a site
 * @build_id: of the file, in hex; not lower-case hex digits: nothing is kept
 * @text: bytes from the beginning of the text, as debugfs' sites has them: from _stext in
 *	vmlinux, from the address in /proc/modules in a module
 * @in_init: from the beginning of what is dropped after a module's init
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_set_image(struct kma_account *account, const char *build_id,
				      uint64_t text, bool in_init);

/**
 * kma_account_set_cache() - say which slab cache the site that was added last allocates from
 * @account: not finished, with a site
 * @cache: its name; a name in brackets for memory that is of no cache
 * @others: some of the site's objects are of other caches
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_set_cache(struct kma_account *account, const char *cache, bool others);

/**
 * kma_account_set_aliases() - set other names of the cache of the site that was added last
 * @account: not finished, with a site
 * @aliases: names, separated by ", "
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_set_aliases(struct kma_account *account, const char *aliases);

/**
 * kma_account_set_stack() - make the site that was added last a row for one stack
 * @account: not finished, with a site
 * @stack: frames from the row's function outwards, separated by ";", or a name in brackets
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_set_stack(struct kma_account *account, const char *stack);

/**
 * kma_account_set_group() - make the site that was added last a row for one group
 * @account: not finished, with a site
 * @by: what the group is
 * @group: its name
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_set_group(struct kma_account *account, enum kma_grouped by,
				      const char *group);

/**
 * kma_account_set_named() - the site that was added last is not a place in the code
 * @account: not finished, with a site; whatever its text looks like, it is a named row
 */
void kma_account_set_named(struct kma_account *account);

/**
 * kma_account_add_age() - add what is known of the ages of a site's objects
 * @account: not finished
 * @i: number of the site
 * @age: is copied; a second one of the same site is added to the first
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_add_age(struct kma_account *account, size_t i,
				    const struct kma_site_age *age);

/**
 * kma_account_set_stacks() - keep the stacks of the call sites
 * @account: not finished
 * @stacks: see stacks.h; the account owns them from here on
 */
void kma_account_set_stacks(struct kma_account *account, struct kma_stacks *stacks);

/**
 * kma_account_set_groups() - keep what the call sites hold for each group
 * @account: not finished
 * @by: what the groups are
 * @groups: see groups.h; the account owns them from here on
 */
void kma_account_set_groups(struct kma_account *account, enum kma_grouped by,
			    struct kma_groups *groups);

/**
 * kma_account_groups() - get what the call sites hold for each group
 * @account: an account
 * @by: what the groups are
 *
 * Return: a set that stays with the account; NULL if the input does not know such groups.
 */
const struct kma_groups *kma_account_groups(const struct kma_account *account, enum kma_grouped by);

/**
 * kma_account_set_metrics() - say which metrics the input has
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
 * kma_account_set_loss() - say how much was not counted
 * @account: not finished
 * @id: which kind of loss
 * @events: how many
 */
void kma_account_set_loss(struct kma_account *account, enum kma_loss_id id, uint64_t events);

/**
 * kma_account_add_note() - keep a header line that is not a number we know
 * @account: not finished
 * @key: text before the colon
 * @value: text after it
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_add_note(struct kma_account *account, const char *key,
				     const char *value);

/**
 * kma_account_set_tables() - keep the tables of the module with their own columns
 * @account: an account
 * @text: a snapshot of the module with these tables, of malloc(), which the account takes; NULL: none
 */
void kma_account_set_tables(struct kma_account *account, char *text);

/**
 * kma_account_tables() - the tables of the module with their own columns
 * @account: an account
 *
 * Return: the text of kma_account_set_tables(), which stays with the account; NULL if it has none.
 */
const char *kma_account_tables(const struct kma_account *account);

/**
 * kma_account_warn() - keep a finding for the command to print
 * @account: not finished
 * @fmt: printf format of a sentence
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_warn(struct kma_account *account, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kma_account_finish() - compare rows with totals and close the account
 * @account: all sites and totals are in
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_finish(struct kma_account *account);

/**
 * kma_account_name() - name of the input
 * @account: an account
 *
 * Return: text that stays with the account.
 */
const char *kma_account_name(const struct kma_account *account);

/**
 * kma_account_rename() - give an account another name
 * @account: an account; texts of kma_account_name() become invalid
 * @name: name of the input, copied
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_rename(struct kma_account *account, const char *name);

/**
 * kma_account_note() - get the value of a header line
 * @account: an account
 * @key: text before the colon
 *
 * Return: text owned by the account, NULL if there is no such line.
 */
const char *kma_account_note(const struct kma_account *account, const char *key);

/**
 * kma_list_has() - is a name in a list of names?
 * @list: names, each followed by a blank; blanks in a name are underscores
 * @name: the name
 *
 * Return: true if it is.
 */
bool kma_list_has(const char *list, const char *name);

/**
 * kma_account_note_at() - walk the header lines that are kept
 * @account: an account
 * @i: 0 and up
 * @value: text after the colon
 *
 * Return: text before the colon; NULL past the last line. Both stay with the account.
 */
const char *kma_account_note_at(const struct kma_account *account, size_t i, const char **value);

/**
 * kma_account_sites() - all call sites, in the order of the input
 * @account: finished
 * @nr: how many
 *
 * Return: an array that stays with the account.
 */
const struct kma_site *kma_account_sites(const struct kma_account *account, size_t *nr);

/**
 * kma_account_stacks() - get the stacks of the call sites
 * @account: an account
 *
 * Return: the stacks, which stay with the account; NULL if the input knows none.
 */
const struct kma_stacks *kma_account_stacks(const struct kma_account *account);

/**
 * kma_account_set_values() - other numbers for a site
 * @account: an account
 * @i: place of the site
 * @values: its numbers; the account's sums stay as they are
 */
void kma_account_set_values(struct kma_account *account, size_t i, const struct kma_values *values);

/**
 * kma_account_metrics() - the metrics that the input has
 * @account: finished
 *
 * Return: set of 1 << enum kma_metric_id.
 */
unsigned int kma_account_metrics(const struct kma_account *account);

/**
 * kma_account_has_paths() - does the input itself know source files?
 * @account: an account
 *
 * Return: true when a site has a path.
 */
bool kma_account_has_paths(const struct kma_account *account);

/**
 * kma_account_total() - sum over all sites
 * @account: finished
 *
 * Return: numbers that stay with the account.
 */
const struct kma_values *kma_account_total(const struct kma_account *account);

/**
 * kma_account_loss() - how much was not counted
 * @account: an account
 * @id: which kind
 * @ret: number of events
 *
 * Return: false when the input does not say.
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
 * kma_account_warning() - walk the warnings
 * @account: finished
 * @i: 0 and up
 *
 * Return: a sentence that stays with the account, NULL past the last one.
 */
const char *kma_account_warning(const struct kma_account *account, size_t i);

#endif /* KMA_MODEL_ACCOUNT_H */
