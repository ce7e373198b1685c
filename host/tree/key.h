/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * key.h - what a row of a report, or a level of a picture, stands for. Any keys combine.
 *
 * A key is one row of kma_keys[]: its name, its title, what an input must have for it, and the text
 * of a leaf. A list of keys ("cgroup,cache,dir") makes rows with a part for each key, or a tree
 * with levels for each key. All numbers come from the leaves, so the rows and the tree of any list
 * of keys add up to the same total.
 *
 * Stacks, cgroups, NUMA nodes, tasks and roots are tables of the account, each with its own rows
 * (model/restack.h, model/regroup.h). No input holds two of them jointly, so kma_keys_parse()
 * refuses a list with two: numbers are never split in proportion.
 */
#ifndef KMA_TREE_KEY_H
#define KMA_TREE_KEY_H

#include "lib/arena.h"
#include "lib/strbuf.h"
#include "maintainers.h"
#include "node.h"

enum kma_key_id {
	KMA_KEY_CALLER,
	KMA_KEY_FILE,
	KMA_KEY_DIR,
	KMA_KEY_LINE,
	KMA_KEY_FUNCTION,
	KMA_KEY_MODULE,
	KMA_KEY_SUBSYSTEM,
	KMA_KEY_STACK,
	KMA_KEY_CALLERS, /* of a tree: stacks from the call site outwards */
	KMA_KEY_CACHE,
	KMA_KEY_KIND,
	KMA_KEY_SIZE,
	KMA_KEY_TYPE,
	KMA_KEY_CGROUP,
	KMA_KEY_NODE,
	KMA_KEY_TASK,
	KMA_KEY_ROOT,
	KMA_NR_KEYS,
};

/* What an input, or its kernel, must have for a key. */
enum kma_key_needs {
	KMA_KEY_NEEDS_NOTHING,
	KMA_KEY_NEEDS_FILES,
	KMA_KEY_NEEDS_CACHES,
	KMA_KEY_NEEDS_TYPES, /* debugging information */
	KMA_KEY_NEEDS_STACKS,
	KMA_KEY_NEEDS_GROUPS,
};

#define KMA_KEYS_MAX	 6    /* most keys of a list */
#define KMA_KEYS_NAME	 64   /* bytes for the name of a list */
#define KMA_ROW_SPLIT	 '\t' /* separates the parts of a row's text */
#define KMA_KEYS_IN_ROWS (((1U << KMA_NR_KEYS) - 1) & ~(1U << KMA_KEY_CALLERS))
#define KMA_KEYS_IN_TREE ((1U << KMA_NR_KEYS) - 1)

/* A list of keys, outermost first. */
struct kma_keys {
	unsigned int nr;
	enum kma_key_id list[KMA_KEYS_MAX];
};

/* A list of one key. */
#define KMA_BY(id) ((struct kma_keys){ .nr = 1, .list = { id } })

/* How texts of keys are made. */
struct kma_key_ask {
	const struct kma_keys *keys; /* all keys of the rows */
	unsigned int depth; /* components of a directory, or of a cgroup if no key is dir; 0: all */
	struct kma_arena *arena; /* owns new texts */
};

/* What the texts of keys are read from: a call site, or a static section of a file. */
struct kma_item {
	const struct kma_site *site; /* NULL: a section, or a leaf of two accounts */
	const char *name;	     /* as it is shown */
	const char *module;	     /* NULL: of the kernel proper */
	const char *file;	     /* path; NULL: unknown */
	const char *row;	     /* row in brackets in place of a file; NULL: none */
	const char *line;	     /* "fs/inode.c:12", or a chain; NULL: unknown */
	const char *subsystem;	     /* NULL: unknown */
	const char *type;	     /* of its objects; NULL: unknown */
	const char *function;	     /* not terminated at @function_len; NULL: unknown */
	size_t function_len;
	bool section;
};

struct kma_key {
	const char *name;  /* as typed, and in csv and json */
	const char *title; /* heading of a column */
	const char *what;  /* in sentences and titles: "slab cache" */
	const char *level; /* what a level of a tree is: "root that retains it"; NULL: @what */
	enum kma_key_needs needs;
	enum kma_grouped groups; /* with KMA_KEY_NEEDS_GROUPS */
	const char *(*text)(const struct kma_item *item, const struct kma_key_ask *ask);
};

extern const struct kma_key kma_keys[KMA_NR_KEYS];

/*
 * Reads "cgroup,dir": names, or titles of columns. NULL; a static sentence, without the option's
 * name, that says why the list is refused; "" if a name is unknown.
 */
const char *kma_keys_parse(const char *text, struct kma_keys *ret);

/* Are the first @len bytes of @text a key's name, or the title of its column? */
bool kma_key_is(enum kma_key_id id, const char *text, size_t len);

/* The name of a list: "cgroup,dir". */
const char *kma_keys_name(const struct kma_keys *keys, char name[KMA_KEYS_NAME]);

bool kma_keys_equal(const struct kma_keys *a, const struct kma_keys *b);

/* Is the list this one key? */
static inline bool kma_keys_are(const struct kma_keys *keys, enum kma_key_id id)
{
	return keys->nr == 1 && keys->list[0] == id;
}

/* Set of 1 << enum kma_key_id. */
static inline unsigned int kma_keys_set(const struct kma_keys *keys)
{
	unsigned int set = 0;

	for (unsigned int i = 0; i < keys->nr; i++)
		set |= 1U << keys->list[i];
	return set;
}

static inline bool kma_keys_have(const struct kma_keys *keys, enum kma_key_id id)
{
	return kma_keys_set(keys) >> id & 1;
}

bool kma_keys_need(const struct kma_keys *keys, enum kma_key_needs needs);

/* The first key of a set whose rows are of groups; KMA_NR_KEYS: none. */
enum kma_key_id kma_keys_grouped(unsigned int set);

/* The kind of groups that the rows of a list belong to; KMA_GROUPED_NOT: none. */
enum kma_grouped kma_keys_groups(const struct kma_keys *keys);

/* The list to use if no files are known: callers in place of what needs files. */
struct kma_keys kma_keys_without_files(const struct kma_keys *keys);

/* @maintainers: for the subsystem; NULL: none are known. */
void kma_item_of_site(const struct kma_site *site, struct kma_maintainers *maintainers,
		      struct kma_arena *arena, struct kma_item *ret);

/*
 * The text of a leaf of a tree of directories for one key. It belongs to @ask->arena or to the
 * tree.
 */
const char *kma_key_text(const struct kma_node *leaf, enum kma_key_id id,
			 const struct kma_key_ask *ask);

/* The texts of all keys of a call site, with KMA_ROW_SPLIT between them. */
const char *kma_keys_of_item(const struct kma_item *item, const struct kma_key_ask *ask);

/* The same of a leaf. */
const char *kma_keys_text(const struct kma_node *leaf, const struct kma_key_ask *ask);

/* Part @i of a text of kma_keys_text(); @scratch owns it. */
const char *kma_keys_part(const char *text, unsigned int i, struct kma_strbuf *scratch);

/* The part of a key that the list has. */
static inline const char *kma_keys_part_of(const struct kma_keys *keys, enum kma_key_id id,
					   const char *text, struct kma_strbuf *scratch)
{
	unsigned int i = 0;

	while (keys->list[i] != id)
		i++;
	return kma_keys_part(text, i, scratch);
}

/* Writes a row's text for people: the parts with " | " between them. */
void kma_keys_label(const struct kma_keys *keys, const char *text, struct kma_strbuf *out);

/* Writes the text of a key for people: containers by name, stacks as a sentence. */
void kma_key_label(enum kma_key_id id, const char *text, struct kma_strbuf *out);

/*
 * A list of words as a sentence has it, "module, directory, file and call site": what the levels of
 * a tree are.
 */
void kma_keys_levels(const struct kma_keys *keys, struct kma_strbuf *out);

/* The title of a list: "cgroup and directory". */
void kma_keys_title(const struct kma_keys *keys, struct kma_strbuf *out);

/* How many nodes a tree has for the name of a group: its components. */
size_t kma_keys_group_nodes(const char *group);

/*
 * Makes the tree of a list of keys, rolled up, from a tree of directories (join.h) of an account
 * whose rows suit the keys; static sections may be in it. @root may be destroyed afterwards.
 *
 * A path and a cgroup have a node for each component, a stack for each function. A single module,
 * subsystem or cache has directories below it; call sites are always the leaves, and files are
 * above them if the last key is a directory. Call sites of stacks with the same functions are one
 * leaf.
 */
struct kma_node *kma_keys_tree(const struct kma_node *root, const struct kma_keys *keys);

#endif /* KMA_TREE_KEY_H */
