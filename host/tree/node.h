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
 * caller of an account takes 96 bytes (64-bit), and its text and numbers are those of its site: an
 * input may name a million callers.
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

struct kma_node *kma_node_create(void);

/* NULL is fine. */
void kma_node_destroy(struct kma_node *root);

/* Adds a child, even if the parent has one of that name, which is copied. */
struct kma_node *kma_node_add_child(struct kma_node *parent, enum kma_node_kind kind,
				    const char *name);

/*
 * Finds or creates the directories and the file of "fs/ext4/inode.c". If a path has more than 64
 * components, the file's name is the 64th with all that follow it.
 */
struct kma_node *kma_node_add_path(struct kma_node *root, const char *path);

/* Finds or creates a directory. @name is one component of the path, but may contain slashes. */
struct kma_node *kma_node_add_dir(struct kma_node *parent, const char *name);

/* Finds or creates a row in brackets, which are part of @name. */
struct kma_node *kma_node_add_named(struct kma_node *root, const char *name);

/*
 * Adds a leaf for a call site to a file or a row in brackets, or to the root when files are
 * unknown. @caller is the text of the input, copied.
 */
struct kma_node *kma_node_add_caller(struct kma_node *parent, const char *caller,
				     const struct kma_values *values);

/* Adds a leaf for a call site of an account, which must outlive the tree: no text is copied. */
void kma_node_add_site(struct kma_node *parent, const struct kma_site *site);

/* Adds static bytes to the section @name of a file, which has one leaf for each name. */
void kma_node_add_section(struct kma_node *parent, const char *name,
			  const struct kma_values *values);

/*
 * The same for a file that may be compiled into several modules, with one leaf for each name and
 * module. @module is NULL for the kernel proper.
 */
void kma_node_add_module_section(struct kma_node *parent, const char *name, const char *module,
				 const struct kma_values *values);

/* Allocates the numbers of both sides, which are zero. */
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

/*
 * The function of a caller, not terminated at @len, or a chain of names; NULL when it is unknown.
 */
const char *kma_node_function(const struct kma_node *node, size_t *len);

/* True for callers and sections. */
bool kma_node_is_leaf(const struct kma_node *node);

/*
 * Give each node the sum over the leaves below it. The numbers of a leaf with a site are those of
 * the site, which may have changed since (kma_account_use_values()).
 */
void kma_node_roll_up(struct kma_node *node);

/*
 * Sorts the branch: largest first by @metric, equal ones by name. Rows in brackets come last,
 * except those of modules ("[module ext4]").
 */
void kma_node_sort(struct kma_node *node, enum kma_metric_id metric);

/*
 * Finds "fs/ext4", "fs/ext4/inode.c", "[unknown symbol]"; a final slash is fine. The error suggests
 * the existing path whose name is most similar.
 */
struct kma_err *kma_node_find(struct kma_node *root, const char *path, struct kma_node **ret);

/*
 * "fs/ext4", to be freed by the caller; "" for the root; "/fs/ext4" in the root cgroup, whose node
 * is "/".
 */
char *kma_node_path(const struct kma_node *node);

#endif /* KMA_TREE_NODE_H */
