// SPDX-License-Identifier: GPL-2.0-only
/*
 * key.c - the list of keys, and the trees that they make.
 *
 * Texts of keys are read from a struct kma_item, which is made of a call site, or of a leaf without
 * one and the nodes above it. So the text of a call site does not depend on the tree in which it is a
 * leaf.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/map.h"
#include "model/container.h"
#include "model/groups.h"
#include "types/choose.h"

/*
 * From this component of a group's name on, and from this frame of a stack on, the rest is one node.
 * Functions that walk the tree are recursive, so its depth is limited.
 */
#define DEEP	    60
#define MORE_FRAMES "[more frames]"

/* The path as the tree has it: without a slash at the start, and without double ones. */
static const char *tidy(const char *path, struct kma_arena *arena)
{
	char *copy, *to;

	if (*path != '/' && !strstr(path, "//"))
		return path;
	copy = to = kma_arena_text(arena, path, strlen(path));
	for (const char *from = path; *from; from++)
		if (*from != '/' || (to > copy && to[-1] != '/'))
			*to++ = *from;
	*to = '\0';
	return copy;
}

/* Callers of /proc/allocinfo have line and function themselves: "fs/inode.c:12 alloc_inode [ext4]". */
static void tagged(const struct kma_site *site, struct kma_arena *arena, struct kma_item *ret)
{
	size_t len = site->path ? strlen(site->path) : 0;
	const char *blank;

	if (!len || strncmp(site->caller, site->path, len) || site->caller[len] != ':')
		return;
	blank = site->caller + len + 1 + strspn(site->caller + len + 1, "0123456789");
	if (*blank != ' ')
		return;
	ret->line = kma_arena_text(arena, site->caller, blank - site->caller);
	ret->function = blank + 1;
	ret->function_len = strcspn(blank + 1, " ");
}

void kma_item_of_site(const struct kma_site *site, struct kma_maintainers *maintainers,
		      struct kma_arena *arena, struct kma_item *ret)
{
	const struct kma_place *place = site->place;

	*ret = (struct kma_item){
		.site = site,
		.name = kma_site_text(site),
		.module = site->module,
		.function = place && place->function ? place->function : site->symbol,
		.file = kma_site_file(site),
	};
	ret->function_len = ret->function ? strlen(ret->function) : 0;
	ret->line = place ? place->lines : NULL;
	ret->type = kma_site_type(site);
	tagged(site, arena, ret);
	if (ret->file)
		ret->file = tidy(ret->file, arena);
	else
		ret->row = site->named ? site->caller : place ? place->path : NULL;
	if (ret->file && maintainers)
		ret->subsystem = kma_maintainers_owner(maintainers, ret->file);
}

static void item_of(const struct kma_node *leaf, struct kma_arena *arena, struct kma_item *ret)
{
	const struct kma_node *holder = leaf->parent;

	if (leaf->site) {
		kma_item_of_site(leaf->site, NULL, arena, ret);
		ret->subsystem = holder ? holder->owner : NULL;
		return;
	}
	*ret = (struct kma_item){
		.name = leaf->name,
		.module = leaf->module,
		.subsystem = holder ? holder->owner : NULL,
		.section = leaf->kind == KMA_NODE_SECTION,
	};
	ret->function = kma_node_function(leaf, &ret->function_len);
	if (!holder || !holder->parent)
		return;
	if (holder->kind == KMA_NODE_FILE) {
		_cleanup_free_ char *path = kma_node_path(holder);

		ret->file = kma_arena_text(arena, path, strlen(path));
	} else if (holder->kind == KMA_NODE_NAMED) {
		ret->row = holder->name;
	}
}

/* Length of the first @depth components of a path; 0: of the whole path. */
static size_t cut(const char *path, unsigned int depth)
{
	size_t len = 0;

	if (!depth)
		return strlen(path);
	while (path[len] && depth--) {
		len += strspn(path + len, "/");
		len += strcspn(path + len, "/");
	}
	return len;
}

/* A text that was made for one row. */
static const char *keep(const struct kma_key_ask *ask, char *text)
{
	const char *kept = kma_arena_text(ask->arena, text, strlen(text));

	free(text);
	return kept;
}

static const char *text_caller(const struct kma_item *item, const struct kma_key_ask *ask)
{
	(void)ask;
	return item->name;
}

static const char *text_file(const struct kma_item *item, const struct kma_key_ask *ask)
{
	(void)ask;
	return item->file ?: item->row ?: item->name;
}

static const char *text_dir(const struct kma_item *item, const struct kma_key_ask *ask)
{
	const char *slash = item->file ? strrchr(item->file, '/') : NULL;
	const char *dir;

	if (!item->file)
		return item->row ?: item->name;
	if (!slash)
		return ".";
	dir = kma_arena_text(ask->arena, item->file, slash - item->file);
	return kma_arena_text(ask->arena, dir, cut(dir, ask->depth));
}

static const char *text_line(const struct kma_item *item, const struct kma_key_ask *ask)
{
	(void)ask;
	return item->row ?: item->line ?: "[no line]";
}

/* Static functions share names, so the text has the file. */
static const char *text_function(const struct kma_item *item, const struct kma_key_ask *ask)
{
	const char *none = item->section ? "[no function]" : item->name;

	if (!item->function)
		return item->row && !item->module ? item->row : none;
	if (!item->file)
		return kma_arena_text(ask->arena, item->function, item->function_len);
	return keep(ask, kma_xasprintf("%.*s (%s)", (int)item->function_len, item->function,
				       item->file));
}

static const char *text_module(const struct kma_item *item, const struct kma_key_ask *ask)
{
	(void)ask;
	if (item->module || item->function)
		return item->module ?: "vmlinux";
	if (item->row)
		return item->row;
	/* An address without a name may belong to any module. */
	return !item->section && !item->file ? "[unknown address]" : "vmlinux";
}

static const char *text_subsystem(const struct kma_item *item, const struct kma_key_ask *ask)
{
	(void)ask;
	return item->row ?: item->subsystem ?: "[no maintainer]";
}

static const char *text_stack(const struct kma_item *item, const struct kma_key_ask *ask)
{
	(void)ask;
	return item->site && item->site->stack ? item->site->stack : item->name;
}

static const char *text_cache(const struct kma_item *item, const struct kma_key_ask *ask)
{
	const char *cache = (item->site ? kma_site_cache(item->site) : NULL) ?: "[no cache]";

	/* Beside a caller, the caller has the words. */
	if (strcmp(item->name, KMA_SITE_BEFORE) || kma_keys_have(ask->keys, KMA_KEY_CALLER))
		return cache;
	return keep(ask, kma_xasprintf("%s " KMA_SITE_BEFORE, cache));
}

static const char *text_kind(const struct kma_item *item, const struct kma_key_ask *ask)
{
	(void)ask;
	if (!item->site || item->site->kind == KMA_KIND_UNKNOWN)
		return "[no kind]";
	return kma_kind_names[item->site->kind];
}

/* "64", "4k": as the kernel's caches are called. */
static const char *text_size(const struct kma_item *item, const struct kma_key_ask *ask)
{
	unsigned int shift = item->site ? item->site->bytes : 0;

	if (!shift--)
		return "[no size]";
	return keep(ask,
		    kma_xasprintf("%u%.*s", 1U << shift % 10, shift >= 10, &" kMGTPE"[shift / 10]));
}

/* Pages and per-CPU memory are handled by pointers to struct page, or by offsets. */
static const char *text_type(const struct kma_item *item, const struct kma_key_ask *ask)
{
	(void)ask;
	return item->type ?: KMA_TYPE_NONE;
}

static const char *text_group(const struct kma_item *item, const struct kma_key_ask *ask)
{
	const char *group = item->site ? item->site->group : NULL;
	bool deep = !kma_keys_have(ask->keys, KMA_KEY_DIR);

	if (!group)
		return KMA_GROUP_NONE;
	return kma_arena_text(ask->arena, group, cut(group, deep ? ask->depth : 0));
}

const struct kma_key kma_keys[KMA_NR_KEYS] = {
	[KMA_KEY_CALLER] = { "caller", "caller", "call site", .text = text_caller },
	[KMA_KEY_FILE] = { "file", "file", "file", NULL, KMA_KEY_NEEDS_FILES, .text = text_file },
	[KMA_KEY_DIR] = { "dir", "directory", "directory", NULL, KMA_KEY_NEEDS_FILES,
			  .text = text_dir },
	[KMA_KEY_LINE] = { "line", "line", "line", NULL, KMA_KEY_NEEDS_FILES, .text = text_line },
	[KMA_KEY_FUNCTION] = { "function", "function", "function", .text = text_function },
	[KMA_KEY_MODULE] = { "module", "module", "module", .text = text_module },
	[KMA_KEY_SUBSYSTEM] = { "subsystem", "subsystem", "subsystem", NULL, KMA_KEY_NEEDS_FILES,
				.text = text_subsystem },
	[KMA_KEY_STACK] = { "stack", "stack", "stack", NULL, KMA_KEY_NEEDS_STACKS,
			    .text = text_stack },
	[KMA_KEY_CALLERS] = { "callers", "stack", "call site and its callers", NULL,
			      KMA_KEY_NEEDS_STACKS, .text = text_stack },
	[KMA_KEY_CACHE] = { "cache", "cache", "slab cache", NULL, KMA_KEY_NEEDS_CACHES,
			    .text = text_cache },
	[KMA_KEY_KIND] = { "kind", "kind", "kind", .text = text_kind },
	[KMA_KEY_SIZE] = { "size", "size", "object size", .text = text_size },
	[KMA_KEY_TYPE] = { "type", "type", "type", NULL, KMA_KEY_NEEDS_TYPES, .text = text_type },
	[KMA_KEY_CGROUP] = { "cgroup", "cgroup", "cgroup", NULL, KMA_KEY_NEEDS_GROUPS,
			     KMA_GROUPED_CGROUP, text_group },
	[KMA_KEY_NODE] = { "node", "node", "NUMA node", NULL, KMA_KEY_NEEDS_GROUPS,
			   KMA_GROUPED_NODE, text_group },
	[KMA_KEY_TASK] = { "task", "task", "task", NULL, KMA_KEY_NEEDS_GROUPS, KMA_GROUPED_TASK,
			   text_group },
	[KMA_KEY_ROOT] = { "root", "root", "root", "root that retains it", KMA_KEY_NEEDS_GROUPS,
			   KMA_GROUPED_ROOT, text_group },
};

bool kma_key_is(enum kma_key_id id, const char *text, size_t len)
{
	const char *const names[] = { kma_keys[id].name, kma_keys[id].title };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(names[i], text, len) && !names[i][len])
			return true;
	return false;
}

const char *kma_keys_parse(const char *text, struct kma_keys *ret)
{
	const char *table = NULL;

	*ret = (struct kma_keys){ 0 };
	for (const char *at = text;; at++) {
		size_t len = strcspn(at, ",");
		enum kma_key_id id = 0;

		while (id < KMA_NR_KEYS && !kma_key_is(id, at, len))
			id++;
		if (id == KMA_NR_KEYS)
			return "";
		if (kma_keys_have(ret, id))
			return "a key is given twice";
		if (ret->nr == KMA_KEYS_MAX)
			return "there are more than 6 keys";
		if (kma_keys[id].needs >= KMA_KEY_NEEDS_STACKS) {
			if (table)
				return "no input knows two of stack, cgroup, node, task and root of the same object";
			table = kma_keys[id].name;
		}
		ret->list[ret->nr++] = id;
		at += len;
		if (!*at)
			return NULL;
	}
}

const char *kma_keys_name(const struct kma_keys *keys, char name[KMA_KEYS_NAME])
{
	size_t len = 0;

	*name = '\0';
	for (unsigned int i = 0; i < keys->nr && len < KMA_KEYS_NAME; i++)
		len += snprintf(name + len, KMA_KEYS_NAME - len, "%s%s", i ? "," : "",
				kma_keys[keys->list[i]].name);
	return name;
}

bool kma_keys_equal(const struct kma_keys *a, const struct kma_keys *b)
{
	return a->nr == b->nr && !memcmp(a->list, b->list, a->nr * sizeof(*a->list));
}

bool kma_keys_need(const struct kma_keys *keys, enum kma_key_needs needs)
{
	for (unsigned int i = 0; i < keys->nr; i++)
		if (kma_keys[keys->list[i]].needs == needs)
			return true;
	return false;
}

enum kma_key_id kma_keys_grouped(unsigned int set)
{
	enum kma_key_id id = 0;

	while (id < KMA_NR_KEYS && !(set >> id & 1 && kma_keys[id].groups))
		id++;
	return id;
}

enum kma_grouped kma_keys_groups(const struct kma_keys *keys)
{
	enum kma_key_id id = kma_keys_grouped(kma_keys_set(keys));

	return id == KMA_NR_KEYS ? KMA_GROUPED_NOT : kma_keys[id].groups;
}

struct kma_keys kma_keys_without_files(const struct kma_keys *keys)
{
	struct kma_keys ret = { 0 };

	for (unsigned int i = 0; i < keys->nr; i++) {
		enum kma_key_id id = keys->list[i];

		if (kma_keys[id].needs == KMA_KEY_NEEDS_FILES)
			id = KMA_KEY_CALLER;
		if (!kma_keys_have(&ret, id))
			ret.list[ret.nr++] = id;
	}
	return ret;
}

const char *kma_key_text(const struct kma_node *leaf, enum kma_key_id id,
			 const struct kma_key_ask *ask)
{
	struct kma_item item;

	item_of(leaf, ask->arena, &item);
	return kma_keys[id].text(&item, ask);
}

const char *kma_keys_of_item(const struct kma_item *item, const struct kma_key_ask *ask)
{
	_cleanup_strbuf_ struct kma_strbuf all = { 0 };

	if (ask->keys->nr == 1)
		return kma_keys[ask->keys->list[0]].text(item, ask);
	for (unsigned int i = 0; i < ask->keys->nr; i++) {
		const char *text = kma_keys[ask->keys->list[i]].text(item, ask);

		if (i)
			kma_strbuf_add(&all, (char[]){ KMA_ROW_SPLIT }, 1);
		/* The name of a cgroup may have any byte. */
		for (; strchr(text, KMA_ROW_SPLIT); text = strchr(text, KMA_ROW_SPLIT) + 1) {
			kma_strbuf_add(&all, text, strchr(text, KMA_ROW_SPLIT) - text);
			kma_strbuf_puts(&all, "\\t");
		}
		kma_strbuf_puts(&all, text);
	}
	return kma_arena_text(ask->arena, all.str, all.len);
}

const char *kma_keys_text(const struct kma_node *leaf, const struct kma_key_ask *ask)
{
	struct kma_item item;

	item_of(leaf, ask->arena, &item);
	return kma_keys_of_item(&item, ask);
}

const char *kma_keys_part(const char *text, unsigned int i, struct kma_strbuf *scratch)
{
	size_t len;

	for (; i; i--) {
		text = strchr(text, KMA_ROW_SPLIT);
		if (!text++)
			return "";
	}
	len = strcspn(text, (char[]){ KMA_ROW_SPLIT, '\0' });
	scratch->len = 0;
	kma_strbuf_add(scratch, text, len);
	return len ? scratch->str : "";
}

/* "alloc_inode+0x4f < new_inode". Only the call site has its offset. */
static void label_stack(const char *stack, struct kma_strbuf *out)
{
	size_t start = out->len;
	const char *end;

	for (const char *frame = stack; *frame; frame = *end ? end + 1 : end) {
		size_t len = strcspn(frame, out->len > start ? "+;" : "/;");

		end = frame + strcspn(frame, ";");
		if (out->len > start)
			kma_strbuf_puts(out, *frame == '[' ? " " : " < ");
		kma_strbuf_add(out, frame, len);
	}
}

void kma_key_label(enum kma_key_id id, const char *text, struct kma_strbuf *out)
{
	if (id == KMA_KEY_STACK)
		label_stack(text, out);
	else if (id != KMA_KEY_CGROUP || !kma_container_label(text, out))
		kma_strbuf_puts(out, text);
}

void kma_keys_label(const struct kma_keys *keys, const char *text, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf part = { 0 };

	for (unsigned int i = 0; i < keys->nr; i++) {
		kma_strbuf_puts(out, i ? " | " : "");
		kma_key_label(keys->list[i], kma_keys_part(text, i, &part), out);
	}
}

/* Adds what a picture shows and its user did not type: directories below a single key. */
static struct kma_keys levels_of(const struct kma_keys *keys)
{
	struct kma_keys levels = *keys;

	if (keys->nr == 1 && (keys->list[0] == KMA_KEY_MODULE ||
			      keys->list[0] == KMA_KEY_SUBSYSTEM || keys->list[0] == KMA_KEY_CACHE))
		levels.list[levels.nr++] = KMA_KEY_DIR;
	/* Call sites are the leaves anyway. */
	for (unsigned int i = levels.nr; i-- > 0 && levels.nr > 1;)
		if (levels.list[i] == KMA_KEY_CALLER) {
			levels.nr--;
			memmove(&levels.list[i], &levels.list[i + 1],
				(levels.nr - i) * sizeof(*levels.list));
		}
	return levels;
}

void kma_keys_levels(const struct kma_keys *keys, struct kma_strbuf *out)
{
	const struct kma_keys levels = levels_of(keys);
	enum kma_key_id last = levels.list[levels.nr - 1];

	for (unsigned int i = 0; i < levels.nr; i++) {
		const struct kma_key *key = &kma_keys[levels.list[i]];

		kma_strbuf_printf(out, "%s%s", !i ? "" : ", ", key->level ?: key->what);
		if (levels.list[i] == KMA_KEY_STACK)
			kma_strbuf_puts(out, ", from the outermost function to the call site");
	}
	if (last == KMA_KEY_DIR)
		kma_strbuf_puts(out, ", file");
	if (last != KMA_KEY_CALLER && last != KMA_KEY_CALLERS && last != KMA_KEY_STACK)
		kma_strbuf_puts(out, " and call site");
}

void kma_keys_title(const struct kma_keys *keys, struct kma_strbuf *out)
{
	for (unsigned int i = 0; i < keys->nr; i++)
		kma_strbuf_printf(out, "%s%s",
				  !i		   ? "" :
				  i + 1 < keys->nr ? ", " :
						     " and ",
				  kma_keys[keys->list[i]].what);
}

/* The tree that is made, and the leaves of stacks, which are unique below their parents. */
struct made {
	struct kma_node *root;
	struct kma_keys levels;
	struct kma_key_ask ask;
	bool stacks;
	struct kma_map map;
	struct kma_node **leaves;
	size_t nr, room;
};

/*
 * Each component of a group's name is a node. If a component is a container's long ID, the node has the
 * runtime and the short ID instead. "[irq]" and the root cgroup "/" are one node each.
 */
static struct kma_node *add_group(struct kma_node *node, const char *group)
{
	_cleanup_strbuf_ struct kma_strbuf label = { 0 };
	unsigned int depth = 0;

	if (*group != '/' || !group[1])
		return kma_node_add_dir(node, group);
	while (*group) {
		size_t len;

		group += strspn(group, "/");
		len = ++depth < DEEP ? strcspn(group, "/") : strlen(group);
		if (len) {
			_cleanup_free_ char *name = kma_xstrndup(group, len);

			label.len = 0;
			if (!kma_container_component(name, &label))
				kma_strbuf_puts(&label, name);
			node = kma_node_add_dir(node, label.str);
		}
		group += len;
	}
	return node;
}

size_t kma_keys_group_nodes(const char *group)
{
	size_t nodes = 0;

	if (*group != '/' || !group[1])
		return 1;
	while (*group && nodes < DEEP) {
		group += strspn(group, "/");
		nodes += *group != '\0';
		group += strcspn(group, "/");
	}
	return nodes;
}

/* The directories of a file, without the file. */
static struct kma_node *add_dirs(struct kma_node *node, const char *path)
{
	unsigned int depth = 0;

	for (const char *slash; (slash = strchr(path, '/')); path = slash + 1) {
		_cleanup_free_ char *name = NULL;

		if (++depth == DEEP)
			slash = strrchr(path, '/');
		name = kma_xstrndup(path, slash - path);
		node = kma_node_add_dir(node, name);
	}
	return node;
}

/* Cuts a stack into frames, the call site first. Returns their number. */
static unsigned int frames_of(const char *stack, const char **frames, size_t *lens)
{
	unsigned int nr = 0;

	while (*stack && nr < DEEP) {
		frames[nr] = stack;
		lens[nr] = strcspn(stack, ";");
		stack += lens[nr];
		stack += *stack == ';';
		nr++;
	}
	if (*stack) {
		frames[nr - 1] = MORE_FRAMES;
		lens[nr - 1] = strlen(MORE_FRAMES);
	}
	return nr;
}

/* Length of a frame's name: "new_inode+0x13/0x50 [ext4]" is new_inode, but a call site is whole. */
static size_t frame_len(const char *frame, size_t len, bool site)
{
	size_t name = strcspn(frame, "+");

	return site || name > len || *frame == '[' ? len : name;
}

/*
 * The functions of a stack from the outermost to the call site, or the other way. The last one becomes
 * the name of the leaf if the stack is the last key, and in any case if it is the call site.
 */
static struct kma_node *add_stack(struct kma_node *node, const struct kma_item *item,
				  enum kma_key_id id, bool last, char **leaf)
{
	const char *frames[DEEP];
	size_t lens[DEEP];
	unsigned int nr = frames_of(text_stack(item, NULL), frames, lens);

	for (unsigned int i = 0; i < nr; i++) {
		unsigned int frame = id == KMA_KEY_STACK ? nr - 1 - i : i;
		char *name =
			kma_xstrndup(frames[frame], frame_len(frames[frame], lens[frame], !frame));

		if (i + 1 == nr && (last || id == KMA_KEY_STACK)) {
			*leaf = name;
			break;
		}
		node = kma_node_add_dir(node, name);
		free(name);
	}
	return node;
}

/* The node below @node for one key of a leaf. */
static struct kma_node *add_level(struct made *made, struct kma_node *node,
				  const struct kma_item *item, unsigned int i, char **leaf)
{
	enum kma_key_id id = made->levels.list[i];
	bool last = i + 1 == made->levels.nr;

	switch (id) {
	case KMA_KEY_CALLER:
		return node;
	case KMA_KEY_DIR:
		if (!item->file)
			return item->row ? kma_node_add_named(node, item->row) : node;
		return last ? kma_node_add_path(node, item->file) : add_dirs(node, item->file);
	case KMA_KEY_STACK:
	case KMA_KEY_CALLERS:
		return add_stack(node, item, id, last, leaf);
	case KMA_KEY_CGROUP:
	case KMA_KEY_NODE:
	case KMA_KEY_TASK:
	case KMA_KEY_ROOT:
		return item->site && item->site->group ? add_group(node, item->site->group) : node;
	default:
		return kma_node_add_dir(node, kma_keys[id].text(item, &made->ask));
	}
}

/* Adds the numbers of a stack to the leaf of that name. */
static void add_way(struct made *made, struct kma_node *parent, const char *name,
		    const struct kma_values *values)
{
	uint32_t hash = kma_map_text(name, strlen(name)) ^ kma_map_number((uintptr_t)parent);
	uint32_t n = kma_map_find(&made->map, hash, i,
				  made->leaves[i]->parent == parent &&
					  !strcmp(made->leaves[i]->name, name));

	if (n != KMA_MAP_NONE) {
		kma_values_add(kma_node_own(made->leaves[n]), values);
		return;
	}
	n = kma_map_add(&made->map, hash);
	kma_array_room(made->leaves, made->nr, made->room);
	made->leaves[made->nr++] = kma_node_add_caller(parent, name, values);
	if (*name != '[')
		made->leaves[n]->function_len = strcspn(name, "+");
}

static void add_leaf(struct made *made, const struct kma_node *leaf)
{
	struct kma_node *node = made->root, *copy;
	_cleanup_free_ char *name = NULL;
	struct kma_item item;

	item_of(leaf, made->ask.arena, &item);
	for (unsigned int i = 0; i < made->levels.nr; i++)
		node = add_level(made, node, &item, i, &name);
	if (made->stacks) {
		add_way(made, node, name ?: leaf->name, leaf->values);
	} else if (leaf->site) {
		kma_node_add_site(node, leaf->site);
	} else if (leaf->kind == KMA_NODE_SECTION) {
		kma_node_add_module_section(node, leaf->name, leaf->module, leaf->values);
	} else {
		copy = kma_node_add_caller(node, leaf->name, leaf->values);
		copy->module = leaf->module;
		copy->function_len = leaf->function_len;
	}
}

static void add_leaves(struct made *made, const struct kma_node *node)
{
	if (kma_node_is_leaf(node))
		add_leaf(made, node);
	for (size_t i = 0; i < node->nr_children; i++)
		add_leaves(made, node->children[i]);
}

struct kma_node *kma_keys_tree(const struct kma_node *root, const struct kma_keys *keys)
{
	struct kma_arena arena = { 0 };
	struct made made = {
		.root = kma_node_create(),
		.levels = levels_of(keys),
		.ask = { .keys = keys, .arena = &arena },
		.stacks = kma_keys_need(keys, KMA_KEY_NEEDS_STACKS),
	};

	add_leaves(&made, root);
	kma_node_roll_up(made.root);
	kma_map_free(&made.map);
	free(made.leaves);
	kma_arena_deinit(&arena);
	return made.root;
}
