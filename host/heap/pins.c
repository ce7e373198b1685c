// SPDX-License-Identifier: GPL-2.0-only
/*
 * pins.c - find what holds dead cgroups.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "kallsyms.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "name-pattern.h"
#include "name-walk.h"
#include "pins.h"

#define MOST  64  /* different texts of a cgroup */
#define SHOWN 8	  /* in the text of a row */
#define MEMO  256 /* cgroups that were looked up; a power of two */
#define SETS  32  /* most cgroup_subsys_state of a task */

#define PAGE_IS_TAIL	1 /* of page.compound_head */
#define PAGE_IS_ANON	1 /* of page.mapping */
#define PAGE_IS_MOVABLE 2

enum holder { PAGE, ANON, OTHER, SWAPPED, SOCKET, INODE, TASK, NAMESPACE, BELOW, NR_KINDS };

/* The texts of a kind, and the type whose keys name its objects, or its files. */
static const struct {
	const char *one, *many, *type;
} kinds[NR_KINDS] = {
	[PAGE] = { "page of", "pages of", "inode" },
	[ANON] = { "anonymous page", "anonymous pages" },
	[OTHER] = { "page without a file", "pages without a file" },
	[SWAPPED] = { "page in swap", "pages in swap" },
	[SOCKET] = { "socket", "sockets", "sock" },
	[INODE] = { "inode of", "inodes of", "inode" },
	[TASK] = { "task", "tasks", "task_struct" },
	[NAMESPACE] = { "cgroup namespace", "cgroup namespaces" },
	[BELOW] = { "dead cgroup below it", "dead cgroups below it" },
};

/* Members that are read: struct, and the member's names in different releases. */
#define MEMBERS(X)                                          \
	X(CSS_CGROUP, "cgroup_subsys_state", "cgroup")      \
	X(CSS_SUBSYS, "cgroup_subsys_state", "ss")          \
	X(CSS_FLAGS, "cgroup_subsys_state", "flags")        \
	X(MEMCG_ID_REFS, "mem_cgroup", "id.ref")            \
	X(CG_PARENT, "cgroup", "self.parent")               \
	X(PAGE_MEMCG, "page", "memcg_data mem_cgroup")      \
	X(PAGE_MAPPING, "page", "mapping")                  \
	X(PAGE_HEAD, "page", "compound_head compound_info") \
	X(MAPPING_HOST, "address_space", "host")            \
	X(SK_MEMCG, "sock", "sk_memcg")                     \
	X(SK_CGROUP, "sock", "sk_cgrp_data")                \
	X(I_WB, "inode", "i_wb")                            \
	X(WB_MEMCG, "bdi_writeback", "memcg_css")           \
	X(WB_BLKCG, "bdi_writeback", "blkcg_css")           \
	X(TASK_SET, "task_struct", "cgroups")               \
	X(SET_CGROUP, "css_set", "dfl_cgrp")                \
	X(SET_STATES, "css_set", "subsys")                  \
	X(NS_OPS, "cgroup_namespace", "ns.ops")             \
	X(NS_SET, "cgroup_namespace", "root_cset")

enum member {
#define X(id, of, names) id,
	MEMBERS(X)
#undef X
		NR_MEMBERS
};

static const struct {
	const char *of, *names;
} members[] = {
#define X(id, of, names) { of, names },
	MEMBERS(X)
#undef X
};

struct kma_pins_cgroup {
	uint64_t key; /* its address, XORed with KMA_HEAP_KEY */
	uint32_t row, texts;
};

struct kma_pin {
	uint32_t cgroup, text;
	uint64_t seen[2]; /* by the two readings */
};

struct memo {
	uint64_t key; /* address of a cgroup_subsys_state, XORed with KMA_HEAP_KEY */
	uint32_t cgroup;
};

struct file {
	uint64_t key; /* address of its inode, XORed with KMA_HEAP_KEY */
	uint32_t text;
};

/* A reading of the kernel. */
struct reader {
	struct kma_pins *pins;
	struct kma_running *running;
	struct kma_namer *namer;
	struct kma_btf_member members[NR_MEMBERS]; /* a size of 0: the kernel has none */
	/* Addresses of cgroupns_operations and memory_cgrp_subsys; 0: unknown. */
	uint64_t namespaces, memory;
	unsigned int turn;
	struct memo memo[MEMO];
	struct kma_map by_file;
	struct file *files; /* whose pages hold something */
	uint32_t room_files;
	uint32_t folio, text; /* of the last first page of a folio: its cgroup, or KMA_MAP_NONE */
	uint64_t next;	      /* address behind the last page */
};

/* Read a member that is a word; 0 if it cannot be read, or the kernel has none. */
static uint64_t word(const struct reader *in, uint64_t at, enum member member)
{
	const struct kma_words *words = &in->running->words;
	uint64_t ret;

	if (!at || !in->members[member].size)
		return 0;
	return words->word(words->arg, at + in->members[member].offset, &ret) ? ret : 0;
}

static uint32_t cgroup_find(const struct kma_pins *pins, uint64_t at)
{
	uint64_t key = at ^ KMA_HEAP_KEY;

	return kma_map_find(&pins->by_cgroup, kma_map_number(key), i, pins->cgroups[i].key == key);
}

void kma_pins_add(struct kma_pins *pins, uint64_t cgroup)
{
	uint64_t key = cgroup ^ KMA_HEAP_KEY;

	if (cgroup_find(pins, cgroup) != KMA_MAP_NONE)
		return;
	kma_array_room(pins->cgroups, pins->by_cgroup.nr, pins->room_cgroups);
	pins->cgroups[kma_map_add(&pins->by_cgroup, kma_map_number(key))] =
		(struct kma_pins_cgroup){ .key = key, .row = KMA_MAP_NONE };
}

void kma_pins_row(struct kma_pins *pins, uint64_t cgroup, uint32_t row)
{
	uint32_t n = cgroup_find(pins, cgroup);

	if (n != KMA_MAP_NONE)
		pins->cgroups[n].row = row;
}

/* The number of the dead cgroup at an address, or that of a cgroup_subsys_state of it. */
static uint32_t cgroup_of(struct reader *in, uint64_t at)
{
	uint64_t key = at ^ KMA_HEAP_KEY;
	struct memo *memo = &in->memo[kma_map_number(key) % MEMO];

	if (!at || at % 8)
		return KMA_MAP_NONE;
	if (memo->key != key) {
		memo->key = key;
		memo->cgroup = cgroup_find(in->pins, at);
		if (memo->cgroup == KMA_MAP_NONE)
			memo->cgroup = cgroup_find(in->pins, word(in, at, CSS_CGROUP));
	}
	return memo->cgroup;
}

static uint32_t text_number(struct kma_pins *pins, enum holder kind, const char *name)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	char first = kind + 1;
	uint32_t hash, n;

	kma_strbuf_add(&text, &first, 1);
	kma_strbuf_puts(&text, name);
	hash = kma_map_text(text.str, text.len);
	n = kma_map_find(&pins->by_text, hash, i, !strcmp(pins->texts[i], text.str));
	if (n == KMA_MAP_NONE) {
		n = kma_map_add(&pins->by_text, hash);
		kma_array_room(pins->texts, n, pins->room_texts);
		pins->texts[n] = kma_arena_text(&pins->arena, text.str, text.len);
	}
	return n;
}

/* What an object is: the keys of its type that are not empty. */
static uint32_t text_of(struct reader *in, enum holder kind, uint64_t at)
{
	_cleanup_strbuf_ struct kma_strbuf keys = { 0 }, name = { 0 };
	struct kma_name_text read = { 0 };
	const struct kma_name_type *type;
	const char *key;

	if (!kinds[kind].type)
		return text_number(in->pins, kind, "");
	type = kma_name_type(kinds[kind].type);
	if (!kma_namer_read(in->namer, type, at, &read)) {
		kma_strbuf_deinit(&read.keys);
		return text_number(in->pins, kind, "[not read]");
	}
	kma_name_keys(type, read.keys.str, &keys);
	key = keys.str;
	for (size_t i = 0; type->keys[i]; i++, key += strlen(key) + 1) {
		if (*key && name.len)
			kma_strbuf_puts(&name, " ");
		kma_strbuf_puts(&name, key);
	}
	kma_strbuf_deinit(&read.keys);
	return text_number(in->pins, kind, name.str ?: "");
}

static uint32_t pair_hash(uint32_t cgroup, uint32_t text)
{
	return kma_map_number((uint64_t)cgroup << 32 | text);
}

static uint32_t pair_find(const struct kma_pins *pins, uint32_t cgroup, uint32_t text)
{
	return kma_map_find(&pins->by_pair, pair_hash(cgroup, text), i,
			    pins->pins[i].cgroup == cgroup && pins->pins[i].text == text);
}

/* Count what holds a cgroup. */
static void count(struct reader *in, uint32_t cgroup, uint32_t text, uint64_t nr)
{
	struct kma_pins *pins = in->pins;
	struct kma_pins_cgroup *of = &pins->cgroups[cgroup];
	uint32_t n = pair_find(pins, cgroup, text);

	if (n == KMA_MAP_NONE && of->texts == MOST) {
		text = text_number(pins, pins->texts[text][0] - 1, "[others]");
		n = pair_find(pins, cgroup, text);
	}
	if (n == KMA_MAP_NONE) {
		kma_array_room(pins->pins, pins->by_pair.nr, pins->room_pins);
		n = kma_map_add(&pins->by_pair, pair_hash(cgroup, text));
		pins->pins[n] = (struct kma_pin){ .cgroup = cgroup, .text = text };
		of->texts += of->texts < MOST;
	}
	pins->pins[n].seen[in->turn] += nr;
}

/* Count an object for each of the dead cgroups that it leads to, but once for each. */
static void hold(struct reader *in, enum holder kind, uint64_t at, const uint64_t *to, size_t nr)
{
	uint32_t found[SETS + 1], text = KMA_MAP_NONE;
	size_t nr_found = 0, i;

	for (; nr--; to++) {
		uint32_t cgroup = cgroup_of(in, *to);

		for (i = 0; i < nr_found && found[i] != cgroup; i++)
			;
		if (cgroup == KMA_MAP_NONE || i < nr_found)
			continue;
		if (text == KMA_MAP_NONE)
			text = text_of(in, kind, at);
		found[nr_found++] = cgroup;
		count(in, cgroup, text, 1);
	}
}

/* The cgroups of a task: one for each hierarchy. */
static void hold_set(struct reader *in, enum holder kind, uint64_t at, uint64_t set)
{
	const struct kma_btf_member *states = &in->members[SET_STATES];
	const struct kma_words *words = &in->running->words;
	uint64_t to[SETS + 1] = { word(in, set, SET_CGROUP) };
	size_t nr = 1;

	for (; set && nr <= SETS && 8 * nr <= states->size; nr++)
		if (!words->word(words->arg, set + states->offset + 8 * (nr - 1), &to[nr]))
			to[nr] = 0;
	hold(in, kind, at, to, nr);
	/* A later scan must not find these addresses in the memory of this program. */
	explicit_bzero(to, sizeof(to));
}

/*
 * Each page in swap has the ID of the cgroup that has paid for it, and a reference to the ID. An online
 * cgroup has one more.
 */
static void hold_swap(struct reader *in, uint64_t memcg)
{
	const struct kma_words *words = &in->running->words;
	uint32_t flags = kma_words_u32(words, memcg + in->members[CSS_FLAGS].offset);
	uint32_t refs = kma_words_u32(words, memcg + in->members[MEMCG_ID_REFS].offset);
	uint32_t cgroup = cgroup_of(in, memcg);

	if (cgroup != KMA_MAP_NONE && refs && !(flags & in->namer->online))
		count(in, cgroup, text_of(in, SWAPPED, 0), refs);
}

/* What is found in slabs. Any slot is looked at for what has no cache of its own. */
enum { IS_SOCKET, IS_INODE, IS_TASK, IS_ANY, NR_TYPES };

static const struct kma_name_type any_type = { .name = "any" };

static void object(void *arg, unsigned int type, uint64_t at)
{
	struct reader *in = arg;
	uint64_t wb, to[2];

	switch (type) {
	case IS_SOCKET:
		to[0] = word(in, at, SK_MEMCG);
		to[1] = word(in, at, SK_CGROUP);
		hold(in, SOCKET, at, to, ARRAY_SIZE(to));
		break;
	case IS_INODE:
		wb = word(in, at, I_WB);
		to[0] = word(in, wb, WB_MEMCG);
		to[1] = word(in, wb, WB_BLKCG);
		hold(in, INODE, at, to, ARRAY_SIZE(to));
		break;
	case IS_TASK:
		hold_set(in, TASK, at, word(in, at, TASK_SET));
		break;
	case IS_ANY:
		if (in->namespaces && word(in, at, NS_OPS) == in->namespaces)
			hold_set(in, NAMESPACE, at, word(in, at, NS_SET));
		else if (in->memory && word(in, at, CSS_SUBSYS) == in->memory)
			hold_swap(in, at);
	}
}

/* The text of a page's file, which is made once. */
static uint32_t file_text(struct reader *in, uint64_t inode)
{
	uint64_t key = inode ^ KMA_HEAP_KEY;
	uint32_t hash = kma_map_number(key);
	uint32_t n = kma_map_find(&in->by_file, hash, i, in->files[i].key == key);

	if (n == KMA_MAP_NONE) {
		kma_array_room(in->files, in->by_file.nr, in->room_files);
		n = kma_map_add(&in->by_file, hash);
		in->files[n].key = key;
		in->files[n].text = text_of(in, PAGE, inode);
	}
	return in->files[n].text;
}

/* @page: the struct page of a page. Only the first one of a folio says who has paid for it. */
static void page(void *arg, uint64_t addr, uint64_t page)
{
	struct reader *in = arg;
	uint64_t mapping;
	bool follows = addr == in->next;

	in->next = addr + kma_target_page(&in->running->target);
	if (word(in, page, PAGE_HEAD) & PAGE_IS_TAIL) {
		if (in->folio != KMA_MAP_NONE && follows)
			count(in, in->folio, in->text, 1);
		return;
	}
	/* With flags in its lowest bits, it is the address of what leads to the cgroups of objects. */
	in->folio = cgroup_of(in, word(in, page, PAGE_MEMCG));
	if (in->folio == KMA_MAP_NONE)
		return;
	mapping = word(in, page, PAGE_MAPPING);
	if (mapping & PAGE_IS_ANON)
		in->text = text_of(in, ANON, 0);
	else if (!mapping || mapping & PAGE_IS_MOVABLE)
		in->text = text_of(in, OTHER, 0);
	else
		in->text = file_text(in, word(in, mapping, MAPPING_HOST));
	count(in, in->folio, in->text, 1);
}

static void below(struct reader *in)
{
	for (uint32_t i = 0; i < in->pins->by_cgroup.nr; i++) {
		uint64_t at = in->pins->cgroups[i].key ^ KMA_HEAP_KEY;
		uint64_t parent = word(in, at, CG_PARENT);

		hold(in, BELOW, at, &parent, 1);
	}
}

/* One reading. */
static struct kma_err *read_once(struct reader *in, struct kma_name_walk *walk)
{
	const struct kma_heap_target *target = &in->running->target;
	struct kma_err *err;

	memset(in->memo, 0, sizeof(in->memo));
	kma_map_free(&in->by_file);
	in->folio = KMA_MAP_NONE;
	below(in);
	err = kma_name_walk_run(walk);
	if (!err && in->members[PAGE_MEMCG].size)
		err = target->ops->pages(target->arg, page, in);
	kma_namer_forget(in->namer);
	kma_target_forget(target);
	return err;
}

void kma_pins_read(struct kma_pins *pins, struct kma_running *running, struct kma_namer *namer,
		   struct kma_notes *notes)
{
	const struct kma_name_type *types[NR_TYPES + 1] = {
		[IS_SOCKET] = kma_name_type("sock"),
		[IS_INODE] = kma_name_type("inode"),
		[IS_TASK] = kma_name_type("task_struct"),
		[IS_ANY] = &any_type,
	};
	struct kma_kallsyms_symbol symbols[] = { { .name = "cgroupns_operations" },
						 { .name = "memory_cgrp_subsys" } };
	struct reader in = { .pins = pins, .running = running, .namer = namer };
	struct kma_name_walk walk = {
		.running = running, .namer = namer, .types = types, .fn = object, .arg = &in
	};
	struct kma_err *err = NULL;

	if (!pins->by_cgroup.nr)
		return;
	for (size_t i = 0; i < NR_MEMBERS; i++)
		kma_namer_member(namer->btf, members[i].of, members[i].names, &in.members[i]);
	err = kma_kallsyms_find(running->kallsyms, symbols, ARRAY_SIZE(symbols));
	in.namespaces = symbols[0].found ? symbols[0].addr : 0;
	if (symbols[1].found && in.members[MEMCG_ID_REFS].size == 4)
		in.memory = symbols[1].addr;
	for (; in.turn < 2 && !err; in.turn++)
		err = read_once(&in, &walk);
	if (err)
		kma_notes_add(notes, "what holds dead cgroups was not found out: %s", err->message);
	kma_err_destroy(err);
	kma_name_walk_deinit(&walk);
	kma_map_free(&in.by_file);
	free(in.files);
	explicit_bzero(&in, sizeof(in));
}

/* What holds the cgroups of a row, of one text. */
struct sum {
	uint32_t row, text; /* KMA_MAP_NONE: nothing was found */
	uint64_t cgroups, objects;
};

static int compare_texts(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->text < y->text ? -1 : x->text > y->text;
}

static int compare_sums(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->cgroups != y->cgroups)
		return x->cgroups < y->cgroups ? 1 : -1;
	if (x->objects != y->objects)
		return x->objects < y->objects ? 1 : -1;
	return x->text < y->text ? -1 : x->text > y->text;
}

/* Sum up what holds the cgroups of each row, what holds most of them first. */
static struct sum *sum_up(const struct kma_pins *pins, size_t *nr)
{
	_cleanup_free_ bool *held = kma_xcalloc(pins->by_cgroup.nr, sizeof(*held));
	size_t all = (size_t)pins->by_pair.nr + pins->by_cgroup.nr, last = 0;
	struct sum *sums = kma_xcalloc(all, sizeof(*sums));

	*nr = 0;
	for (uint32_t i = 0; i < pins->by_pair.nr; i++) {
		const struct kma_pin *pin = &pins->pins[i];
		uint64_t least = pin->seen[0] < pin->seen[1] ? pin->seen[0] : pin->seen[1];

		held[pin->cgroup] |= least > 0;
		if (least)
			sums[(*nr)++] =
				(struct sum){ pins->cgroups[pin->cgroup].row, pin->text, 1, least };
	}
	for (uint32_t i = 0; i < pins->by_cgroup.nr; i++)
		if (!held[i])
			sums[(*nr)++] = (struct sum){ pins->cgroups[i].row, KMA_MAP_NONE, 1, 0 };
	qsort(sums, *nr, sizeof(*sums), compare_texts);
	for (size_t i = 1; i < *nr; i++) {
		if (compare_texts(&sums[i], &sums[last])) {
			sums[++last] = sums[i];
			continue;
		}
		sums[last].cgroups += sums[i].cgroups;
		sums[last].objects += sums[i].objects;
	}
	*nr = *nr ? last + 1 : 0;
	qsort(sums, *nr, sizeof(*sums), compare_sums);
	return sums;
}

/* Append the text of a sum; @dead: cgroups of the row. */
static void write_sum(const struct kma_pins *pins, const struct sum *sum, uint64_t dead,
		      struct kma_strbuf *out)
{
	if (sum->text == KMA_MAP_NONE) {
		kma_strbuf_puts(out, "nothing that was found");
	} else {
		const char *text = pins->texts[sum->text];
		enum holder kind = text[0] - 1;

		kma_strbuf_u64(out, sum->objects);
		kma_strbuf_puts(out, " ");
		kma_strbuf_puts(out, kma_plural(sum->objects, kinds[kind].one, kinds[kind].many));
		kma_strbuf_puts(out, text[1] ? " " : "");
		kma_strbuf_puts(out, text + 1);
	}
	if (dead > 1)
		kma_strbuf_printf(out, " (%llu of %llu)", (unsigned long long)sum->cgroups,
				  (unsigned long long)dead);
}

void kma_pins_texts(const struct kma_pins *pins, struct kma_arena *arena, const char **texts)
{
	_cleanup_free_ struct sum *sums = NULL;
	size_t nr, end;

	if (!pins->by_cgroup.nr)
		return;
	sums = sum_up(pins, &nr);
	for (size_t i = 0; i < nr && sums[i].row != KMA_MAP_NONE; i = end) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };
		uint64_t dead = 0;

		for (uint32_t n = 0; n < pins->by_cgroup.nr; n++)
			dead += pins->cgroups[n].row == sums[i].row;
		for (end = i; end < nr && sums[end].row == sums[i].row; end++) {
			if (end - i >= SHOWN)
				continue;
			kma_strbuf_puts(&text, end > i ? "; " : "");
			write_sum(pins, &sums[end], dead, &text);
		}
		if (end - i > SHOWN)
			kma_strbuf_printf(&text, "; and %zu more", end - i - SHOWN);
		texts[sums[i].row] = kma_arena_text(arena, text.str, text.len);
	}
}

void kma_pins_deinit(struct kma_pins *pins)
{
	kma_map_free(&pins->by_cgroup);
	kma_map_free(&pins->by_pair);
	kma_map_free(&pins->by_text);
	free(pins->cgroups);
	free(pins->pins);
	free(pins->texts);
	kma_arena_deinit(&pins->arena);
	*pins = (struct kma_pins){ 0 };
}
