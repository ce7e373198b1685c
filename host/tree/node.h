/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * node.h - the tree of owners: root, directories, files, callers and sections.
 *
 * Only callers and sections get numbers of their own; after kma_node_roll_up() each
 * node holds the sum over those below it, so that every level of the tree adds up to
 * the same total. What has no place in the source has a row with a name in
 * brackets right below the root ("[unknown symbol]"), so it is never lost.
 */
#ifndef KMA_TREE_NODE_H
#define KMA_TREE_NODE_H

#include "model/metric.h"

enum kma_node_kind {
	KMA_NODE_ROOT,
	KMA_NODE_DIR,
	KMA_NODE_FILE,
	KMA_NODE_CALLER,  /* what a call site allocated */
	KMA_NODE_SECTION, /* what a file's objects hold from the start: its text, its data */
	KMA_NODE_NAMED,	  /* a bracketed row: callers without a source file */
};

/* Begins the name of a bracketed row that is of a module whose files are not known. */
#define KMA_NODE_MODULE "[module "

/* Sides of a node of two trees (union.h). */
enum { KMA_BEFORE, KMA_AFTER, KMA_NR_SIDES };

struct kma_frame;

/* More of a caller, where it is known; a member is NULL where it is not. */
struct kma_node_site {
	const char *line;     /* "fs/ext4/inode.c:123", or a chain of them */
	const char *function; /* without offset and size, or a chain of them; or NULL: */
	size_t function_len;  /* so many bytes at the beginning of the caller are its name */
	const char *module;   /* as the kernel prints it; NULL: of the kernel proper */
	const char *cache;    /* slab cache of its objects, "[several caches]" */
	const char *aliases;  /* other names of @cache */
	const char *stack;    /* of a row for one stack: see model/restack.h */
	const char *group;    /* of a row for one cgroup or node: see model/groups.h */
	const struct kma_frame *frames; /* that it was compiled from, innermost first */
	unsigned int nr_frames;		/* their texts stay with the source */
};

/* Nodes and their texts lie in an arena of the root. */
struct kma_node {
	const char *name;	   /* last component of the path; a caller's whole text */
	enum kma_node_kind kind;   /* what it is */
	unsigned int function_len; /* of a caller: see kma_node_function() */
	unsigned int nr_frames;	   /* of a caller, as struct kma_node_site has them */
	const struct kma_frame *frames;
	struct kma_node *parent;    /* NULL at the root */
	struct kma_node **children; /* in the order they came, or as sorted */
	size_t nr_children;	    /* how many */
	size_t alloc_children;	    /* room in @children */
	void *names;		    /* the children that are no leaves, for tsearch(3), if many */
	struct kma_values values;   /* own numbers, after the roll-up of all below */
	struct kma_values *sides;   /* of two trees: before and after; else NULL */
	const char *line;	    /* these three as struct kma_node_site has them, */
	const char *function;	    /* of a caller, */
	const char *module;	    /* also of a section */
	const char *cache;	    /* the same */
	const char *aliases;	    /* the same */
	const char *stack;	    /* the same */
	const char *group;	    /* the same */
	const char *owner; /* of a file: its subsystem, see maintainers.h, which has the text */
};

/**
 * kma_node_create() - a root
 * @ret: the root
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_node_create(struct kma_node **ret);

/**
 * kma_node_destroy() - free a tree
 * @root: from kma_node_create(); NULL is fine
 */
void kma_node_destroy(struct kma_node *root);

/**
 * kma_node_add_child() - add a child, whether or not there is one of that name
 * @parent: any node
 * @kind: what it is
 * @name: its name, copied
 * @ret: the child
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_node_add_child(struct kma_node *parent, enum kma_node_kind kind,
				   const char *name, struct kma_node **ret);

/**
 * kma_node_add_path() - find or make the directories and the file of a path
 * @root: the root
 * @path: "fs/ext4/inode.c": the last component becomes a file
 * @ret: node of the file
 *
 * Of a path of more than 64 components the last ones stay together, as the file's name.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_node_add_path(struct kma_node *root, const char *path, struct kma_node **ret);

/**
 * kma_node_add_dir() - find or make a node that has nodes below it
 * @parent: any node but a leaf
 * @name: its name, which is one component of the path, whatever is in it
 * @ret: the node
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_node_add_dir(struct kma_node *parent, const char *name, struct kma_node **ret);

/**
 * kma_node_add_named() - find or make a bracketed row below the root
 * @root: the root
 * @name: with its brackets
 * @ret: the node
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_node_add_named(struct kma_node *root, const char *name, struct kma_node **ret);

/**
 * kma_node_add_caller() - add a call site
 * @parent: file or bracketed row, or the root when nothing is known of files
 * @caller: text as the input has it
 * @values: its numbers
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_node_add_caller(struct kma_node *parent, const char *caller,
				    const struct kma_values *values);

/**
 * kma_node_add_site() - add a call site of which more is known
 * @parent: as for kma_node_add_caller()
 * @caller: text to show
 * @values: its numbers
 * @site: what is known; texts are copied
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_node_add_site(struct kma_node *parent, const char *caller,
				  const struct kma_values *values,
				  const struct kma_node_site *site);

/**
 * kma_node_add_section() - add to a section of a file
 * @parent: the file
 * @name: of the section; there is one of that name in a file
 * @values: its numbers, which are added to those that are there
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_node_add_section(struct kma_node *parent, const char *name,
				     const struct kma_values *values);

/**
 * kma_node_add_module_section() - the same for a section of a module
 * @parent: the file, which may be in several modules
 * @name: of the section
 * @module: as the kernel prints it; NULL for the kernel proper
 * @values: its numbers
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_node_add_module_section(struct kma_node *parent, const char *name,
					    const char *module, const struct kma_values *values);

/**
 * kma_node_add_sides() - make room for two values
 * @node: gets its sides, which are zero
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_node_add_sides(struct kma_node *node);

/**
 * kma_node_function() - the function of a caller
 * @node: any node
 * @len: bytes of its name
 *
 * Return: its name, which need not be terminated, or a chain of names; NULL when it is not
 * known.
 */
const char *kma_node_function(const struct kma_node *node, size_t *len);

/**
 * kma_node_is_leaf() - has it numbers of its own?
 * @node: a node
 *
 * Return: true for callers and sections.
 */
static inline bool kma_node_is_leaf(const struct kma_node *node)
{
	return node->kind == KMA_NODE_CALLER || node->kind == KMA_NODE_SECTION;
}

/**
 * kma_node_roll_up() - give each node the sum over the leaves below it
 * @node: root of what is summed
 */
void kma_node_roll_up(struct kma_node *node);

/**
 * kma_node_sort() - order all children: largest first, bracketed rows last, but for modules
 * @node: root of what is sorted
 * @metric: by which number; equal ones stand by name
 */
void kma_node_sort(struct kma_node *node, enum kma_metric_id metric);

/**
 * kma_node_find() - find a branch
 * @root: the root
 * @path: "fs/ext4", "fs/ext4/inode.c", "[unknown symbol]"; a final slash is fine
 * @ret: the node
 *
 * Return: NULL, or an error that suggests the nearest name there is.
 */
struct kma_err *kma_node_find(struct kma_node *root, const char *path, struct kma_node **ret);

/**
 * kma_node_path() - path of a node from the root
 * @node: a node
 *
 * Return: "fs/ext4" to be freed by the caller, "" for the root; NULL without memory.
 */
char *kma_node_path(const struct kma_node *node);

#endif /* KMA_TREE_NODE_H */
