/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * node.h - the tree of owners: root, directories, files, callers and sections.
 *
 * Every report, chart and page is made from this tree. Its leaves are callers (bytes that a call
 * site allocated) and sections (static bytes of a file's objects). Only leaves are given numbers.
 * kma_node_roll_up() gives every other node the sum over its children, so each level of the tree
 * adds up to the total of the account. Bytes without a source file are below a row with a name in
 * brackets, a child of the root ("[unknown symbol]"), so they are never lost.
 *
 * A tree only grows: a node is never removed or moved, so pointers to nodes stay valid until
 * kma_node_destroy(). Directories, files and rows in brackets are unique by name below their
 * parent, sections by name and module. A parent may have several callers of one text.
 *
 * Paths are at most 64 components deep, because functions that walk the tree are recursive. A
 * caller of an account takes 96 bytes (64-bit), its text and numbers are those of its site; an input may name a million callers.
 */
#ifndef KMA_TREE_NODE_H
#define KMA_TREE_NODE_H

#include "model/metric.h"
#include "model/site.h"

enum kma_node_kind {
	KMA_NODE_ROOT,
	KMA_NODE_DIR,
	KMA_NODE_FILE,
	KMA_NODE_CALLER,  /* leaf: bytes that one call site allocated */
	KMA_NODE_SECTION, /* leaf: static bytes of one kind (text, data, ...) of a file's objects */
	KMA_NODE_NAMED,	  /* a row in brackets: callers without a source file */
};

/* Start of the name of a row in brackets for a module whose files are unknown. */
#define KMA_NODE_MODULE "[module "

/* Index of struct kma_node.sides in a tree that compares two trees (union.h). */
enum { KMA_BEFORE, KMA_AFTER, KMA_NR_SIDES };

/* One node. Nodes and their texts are in an arena of the root. */
struct kma_node {
	const char *name; /* last component of the path; the whole text of a caller */
	enum kma_node_kind kind;
	unsigned int function_len;   /* of a caller without @site: see kma_node_function() */
	unsigned int nr_children;    /* number of @children in use */
	unsigned int alloc_children; /* number of allocated @children */
	struct kma_node *parent;     /* NULL at the root */
	struct kma_node **children;  /* in the order of their creation, or of kma_node_sort() */
	void *names; /* if many children: tsearch(3) root of those that are not leaves */
	const struct kma_values *values; /* of a leaf its own numbers; else the sum by the roll-up */
	struct kma_values *sides;    /* in a tree of two: [KMA_BEFORE], [KMA_AFTER]; else NULL */
	const struct kma_site *site; /* of a caller in the tree of an account, which owns it */
	const char *module;	     /* of a caller or a section; NULL: of the kernel proper */
	const char *owner; /* of a file: its subsystem; the text belongs to maintainers.h */
};

/* Creates an empty tree. Returns its root, for kma_node_destroy(). */
struct kma_node *kma_node_create(void);

/**
 * kma_node_destroy() - free a tree
 * @root: from kma_node_create(); NULL is fine
 */
void kma_node_destroy(struct kma_node *root);

/**
 * kma_node_add_child() - add a child, even if the parent has one of that name
 * @parent: any node
 * @kind: what it is
 * @name: its name, copied
 *
 * Return: the child.
 */
struct kma_node *kma_node_add_child(struct kma_node *parent, enum kma_node_kind kind,
				    const char *name);

/**
 * kma_node_add_path() - find or create the directories and the file of a path
 * @root: where the path starts
 * @path: "fs/ext4/inode.c": the last component becomes a file
 *
 * If a path has more than 64 components, the file's name is the 64th with all that follow it.
 *
 * Return: the node of the file.
 */
struct kma_node *kma_node_add_path(struct kma_node *root, const char *path);

/**
 * kma_node_add_dir() - find or create a directory
 * @parent: any node except a leaf
 * @name: one component of the path; it may contain slashes
 */
struct kma_node *kma_node_add_dir(struct kma_node *parent, const char *name);

/**
 * kma_node_add_named() - find or create a row in brackets below the root
 * @root: the root
 * @name: with its brackets
 */
struct kma_node *kma_node_add_named(struct kma_node *root, const char *name);

/**
 * kma_node_add_caller() - add a leaf for a call site
 * @parent: a file or a row in brackets; the root when files are unknown
 * @caller: text as the input has it, copied
 * @values: its numbers
 *
 * Return: the leaf.
 */
struct kma_node *kma_node_add_caller(struct kma_node *parent, const char *caller,
				     const struct kma_values *values);

/* Add a leaf for a call site of an account, which must outlive the tree: no text is copied. */
void kma_node_add_site(struct kma_node *parent, const struct kma_site *site);

/**
 * kma_node_add_section() - add static bytes to a section of a file
 * @parent: the file
 * @name: name of the section; a file has one leaf for each name
 * @values: numbers to add to the leaf, which is created if it is missing
 */
void kma_node_add_section(struct kma_node *parent, const char *name,
			  const struct kma_values *values);

/**
 * kma_node_add_module_section() - add static bytes to a section of a file in a module
 * @parent: the file, which may be compiled into several modules
 * @name: name of the section; a file has one leaf for each name and module
 * @module: as the kernel prints it; NULL for the kernel proper
 * @values: numbers to add to the leaf, which is created if it is missing
 */
void kma_node_add_module_section(struct kma_node *parent, const char *name, const char *module,
				 const struct kma_values *values);

/**
 * kma_node_add_sides() - allocate the numbers of both sides of a node
 * @node: gets @sides, which are zero
 */
void kma_node_add_sides(struct kma_node *node);

/* The numbers of a node without a site, to set them. */
struct kma_values *kma_node_own(struct kma_node *node);

/* The place of a caller in the source; NULL if it is not resolved. */
static inline const struct kma_place *kma_node_place(const struct kma_node *node)
{
	return node->site ? node->site->place : NULL;
}

/* The slab cache of a caller's objects; NULL if unknown. */
static inline const char *kma_node_cache(const struct kma_node *node)
{
	return node->site ? kma_site_cache(node->site) : NULL;
}

/**
 * kma_node_function() - get the function of a caller
 * @node: any node
 * @len: set to the length of the name in bytes
 *
 * Return: the name, which is not terminated at @len, or a chain of names; NULL when it is unknown.
 */
const char *kma_node_function(const struct kma_node *node, size_t *len);

/**
 * kma_node_is_leaf() - test whether a node has numbers of its own
 * @node: a node
 *
 * Return: true for callers and sections.
 */
bool kma_node_is_leaf(const struct kma_node *node);

/*
 * Give each node the sum over the leaves below it. The numbers of a leaf with a site are those of the
 * site, which may have changed since (kma_account_use_values()).
 */
void kma_node_roll_up(struct kma_node *node);

/**
 * kma_node_sort() - sort the children of a node and of all nodes below it
 * @node: root of the branch to sort
 * @metric: largest first by this number, equal ones by name
 *
 * Rows in brackets come last, except those of modules ("[module ext4]").
 */
void kma_node_sort(struct kma_node *node, enum kma_metric_id metric);

/**
 * kma_node_find() - find a node by its path
 * @root: the root
 * @path: "fs/ext4", "fs/ext4/inode.c", "[unknown symbol]"; a final slash is fine
 * @ret: the node
 *
 * Return: NULL, or an error that suggests the existing path whose name is most similar.
 */
struct kma_err *kma_node_find(struct kma_node *root, const char *path, struct kma_node **ret);

/**
 * kma_node_path() - get the path of a node from the root
 * @node: a node
 *
 * Return: "fs/ext4", to be freed by the caller; "" for the root; "/fs/ext4" in the root cgroup, whose
 * node is "/".
 */
char *kma_node_path(const struct kma_node *node);

#endif /* KMA_TREE_NODE_H */
