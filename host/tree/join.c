// SPDX-License-Identifier: GPL-2.0-only
/*
 * join.c - put the call sites of an account into the tree of a kernel's source.
 *
 * Each site of the account becomes one caller of the tree with the site's numbers, so the root has
 * the totals of the account. The parent of a caller is the first of these that is known:
 *
 *	the file that the input itself names
 *	for a row in brackets of the input: a row of that name below the root
 *	the place by the source (source.h): a file, "DIR/[ambiguous]", "[no directory]/FILE",
 *	"[module NAME]", or another row in brackets
 *	the root, without a source
 *
 * A site is never split among candidates and never dropped. If the site was compiled from inlined
 * functions, source->inlines decides which of them owns it; the text and the line of the caller
 * then name that function, or the chain.
 *
 * The sites of the kernel proper also show whether the source is the right build: see
 * kma_join_plausible(). Time is linear in the sites, apart from what the source takes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "join.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "model/container.h"

/* Rows for sites without a file. */
static const char *const kma_row_names[] = {
	[KMA_FOUND_UNKNOWN] = "[unknown symbol]",
	[KMA_FOUND_AMBIGUOUS] = "[ambiguous]",
	[KMA_FOUND_NO_FILE] = "[no source file]",
	[KMA_FOUND_NO_SYMBOL] = "[unknown address]",
};

char *kma_join_row(const struct kma_site *site, const struct kma_place *place)
{
	const char *ambiguous = kma_row_names[KMA_FOUND_AMBIGUOUS];
	int len;

	switch (place->found) {
	case KMA_FOUND_FILE:
		return kma_xstrdup(place->path);
	case KMA_FOUND_DIR:
		/* Several files of one directory fit: they share a row of the directory. */
		len = strrchr(place->path, '/') - place->path;
		return kma_xasprintf("%.*s/%s", len, place->path, ambiguous);
	case KMA_FOUND_NAME:
		/* Only the name of the file is known. */
		return kma_xasprintf("[no directory]/%s", place->path);
	case KMA_FOUND_NO_MODULE:
		return kma_xasprintf(KMA_NODE_MODULE "%.70s]", site->module);
	case KMA_FOUND_OTHER_BUILD:
		return kma_xasprintf(KMA_NODE_MODULE "%.60s, other build]", site->module);
	default:
		return kma_xstrdup(kma_row_names[place->found]);
	}
}

static struct kma_node *kma_join_parent(struct kma_node *root, const struct kma_site *site,
					const struct kma_place *place)
{
	_cleanup_free_ char *row = NULL;

	if (place->found == KMA_FOUND_FILE)
		return kma_node_add_path(root, place->path);
	row = kma_join_row(site, place);
	if (place->found == KMA_FOUND_DIR || place->found == KMA_FOUND_NAME)
		return kma_node_add_path(root, row);
	return kma_node_add_named(root, row);
}

/* The text that %pS prints for an address; NULL if the source has no symbol there. */
static char *kma_join_name(const struct kma_site *site, const struct kma_source *source)
{
	const struct kma_symbol *sym = source->ops->symbol_at(source, site->offset);

	return sym ? kma_xasprintf("%s+0x%" PRIx64 "/0x%" PRIx64, sym->name,
				   site->offset - sym->addr, sym->span) :
		     NULL;
}

/* Writes the functions or the lines of frames, outermost first: "a > b > c". */
static void kma_join_chain(struct kma_strbuf *out, const struct kma_call *call, bool lines)
{
	for (unsigned int i = call->nr_frames; i-- > 0;) {
		const struct kma_frame *frame = &call->frames[i];

		if (lines)
			kma_strbuf_printf(out, "%s:%u", *frame->file ? frame->file : "?",
					  frame->line);
		else
			kma_strbuf_puts(out, *frame->function ? frame->function : "?");
		if (i)
			kma_strbuf_puts(out, " > ");
	}
}

/* The texts of a caller, as struct kma_node_site has them. */
struct kma_join_names {
	struct kma_strbuf caller;   /* text to show */
	struct kma_strbuf line;	    /* "fs/inode.c:123", or a chain */
	struct kma_strbuf function; /* its name, or a chain */
};

static void kma_join_names_deinit(struct kma_join_names *names)
{
	kma_strbuf_deinit(&names->caller);
	kma_strbuf_deinit(&names->line);
	kma_strbuf_deinit(&names->function);
}

static void kma_join_lines(struct kma_join_names *names, const struct kma_call *call,
			   enum kma_inlines_mode mode)
{
	unsigned int owner = kma_call_owner(call, mode);

	if (!call->nr_frames)
		return;
	if (mode == KMA_INLINES_BOTH) {
		kma_join_chain(&names->line, call, true);
		return;
	}
	/* All frames are in headers: a function of a header that was not inlined, or assembly. */
	if (owner == call->nr_frames)
		owner = mode == KMA_INLINES_INNER ? 0 : call->nr_frames - 1;
	if (call->frames[owner].line)
		kma_strbuf_printf(&names->line, "%s:%u", call->frames[owner].file,
				  call->frames[owner].line);
}

/*
 * Sets the text of the caller and the name of the function. @caller is what %pS prints; a chain or
 * an inner function is written in addition to it. A function's name from the source lacks the
 * suffixes that the compiler adds to symbols (.cold, .constprop.0).
 */
static void kma_join_functions(struct kma_join_names *names, const char *caller,
			       const struct kma_call *call, enum kma_inlines_mode mode)
{
	size_t len = strcspn(caller, "+ ");
	unsigned int owner = kma_call_owner(call, mode);
	struct kma_call inner;

	if (owner == call->nr_frames)
		owner = mode == KMA_INLINES_INNER || !owner ? 0 : owner - 1;
	if (mode == KMA_INLINES_INNER && owner + 1 < call->nr_frames)
		kma_strbuf_printf(&names->caller, "%s (in %s)", call->frames[owner].function,
				  caller);
	else
		kma_strbuf_puts(&names->caller, caller);
	if (mode == KMA_INLINES_BOTH && call->nr_frames > 1) {
		inner = *call;
		inner.nr_frames--;
		kma_strbuf_puts(&names->caller, " > ");
		kma_join_chain(&names->caller, &inner, false);
		kma_join_chain(&names->function, call, false);
	} else if (call->nr_frames && *call->frames[owner].function) {
		kma_strbuf_puts(&names->function, call->frames[owner].function);
	} else if (caller[len] == '+') {
		kma_strbuf_add(&names->function, caller, len);
	}
}

/* The details of a site that the account has. */
static struct kma_node_site kma_join_more(const struct kma_site *site)
{
	return (struct kma_node_site){ .module = site->module,
				       .cache = site->caches ? KMA_SITE_CACHES : site->cache,
				       .aliases = site->caches ? NULL : site->aliases,
				       .stack = site->stack,
				       .group = site->group,
				       .site = site };
}

/* Adds a site without frames: its text is that of the input. Most sites are of this kind. */
static void kma_join_plain(struct kma_node *parent, const struct kma_site *site, const char *caller)
{
	struct kma_node_site more = kma_join_more(site);
	size_t len = strcspn(caller, "+ ");

	if (caller[len] == '+' && !site->named)
		more.function_len = len;
	kma_node_add_site(parent, caller, &site->values, &more);
}

static void kma_join_add(struct kma_node *parent, const struct kma_site *site, const char *caller,
			 const struct kma_place *place, const struct kma_source *source)
{
	_cleanup_(kma_join_names_deinit) struct kma_join_names names = { 0 };
	enum kma_inlines_mode mode = source ? source->inlines : KMA_INLINES_OUTER;
	struct kma_node_site more = kma_join_more(site);

	if (!place->call.nr_frames) {
		kma_join_plain(parent, site, caller);
		return;
	}
	kma_join_lines(&names, &place->call, mode);
	kma_join_functions(&names, caller, &place->call, mode);
	more.line = names.line.len ? names.line.str : NULL;
	more.function = names.function.len ? names.function.str : NULL;
	if (source && source->frames) {
		more.frames = place->call.frames;
		more.nr_frames = place->call.nr_frames;
	}
	kma_node_add_site(parent, names.caller.str, &site->values, &more);
}

/*
 * Initialises the place of a site. The frames of a place take 1.5 KB; zeroing them for each site
 * would cost time, so only their number is set.
 */
static void kma_join_nowhere(struct kma_place *place, enum kma_found found)
{
	place->found = found;
	place->fit = KMA_FIT_NONE;
	place->path = NULL;
	place->call.unit = NULL;
	place->call.nr_frames = 0;
}

/* Adds a site by its place in the source: below its file if @files, else directly below @root. */
static struct kma_err *kma_join_place(struct kma_node *root, bool files,
				      const struct kma_site *from, struct kma_source *source,
				      struct kma_join_stats *stats)
{
	_cleanup_free_ char *name = NULL;
	const struct kma_site *site = from;
	struct kma_node *parent = root;
	struct kma_site linked = *from;
	struct kma_place place;
	struct kma_err *err;

	kma_join_nowhere(&place, KMA_FOUND_UNKNOWN);
	if (source) {
		if (!site->symbol)
			linked.offset -= source->slide;
		site = &linked;
		err = source->ops->locate(source, site, &place);
		if (err)
			return err;
		if (files)
			parent = kma_join_parent(root, site, &place);
		if (!site->symbol)
			name = kma_join_name(site, source);
	}
	stats->addresses += !site->symbol;
	stats->strange += place.found == KMA_FOUND_NO_SYMBOL;
	stats->other_build += place.found == KMA_FOUND_OTHER_BUILD;
	if (place.found != KMA_FOUND_FILE && place.found != KMA_FOUND_DIR)
		stats->unresolved += site->values.current;
	/*
	 * Modules may be of another build than the kernel, so only sites of the kernel proper
	 * show whether the source is the right build.
	 */
	if (site->symbol && site->size && !site->module) {
		stats->compared++;
		stats->fitting += place.fit >= KMA_FIT_GOOD;
	}
	/* @linked ends here, but the leaf refers to the site of the account */
	kma_join_add(parent, from, name ?: from->caller, &place, source);
	return NULL;
}

/*
 * From this component on, the rest of a group's name is one node. Functions that walk the tree are
 * recursive, so its depth is limited.
 */
#define KMA_JOIN_GROUP_DEEP 60

/*
 * Finds or creates the node of a group, the parent of the group's sites or files. Each component of
 * the group's name is a node. If a component is a container's long ID, the node has the runtime
 * and the short ID instead. "[irq]" and the root cgroup "/" are one node each.
 */
static struct kma_node *kma_join_group(struct kma_node *root, const char *group)
{
	_cleanup_strbuf_ struct kma_strbuf label = { 0 };
	struct kma_node *node = root;
	unsigned int depth = 0;

	if (*group != '/' || !group[1])
		return kma_node_add_dir(root, group);
	while (*group) {
		size_t len;

		group += strspn(group, "/");
		len = ++depth < KMA_JOIN_GROUP_DEEP ? strcspn(group, "/") : strlen(group);
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

static struct kma_err *kma_join_site(struct kma_node *root, const struct kma_site *site,
				     struct kma_source *source, enum kma_join_levels levels,
				     struct kma_join_stats *stats)
{
	bool files = levels != KMA_JOIN_GROUPS;
	struct kma_node *parent;
	struct kma_place place;

	if (levels != KMA_JOIN_FILES && site->group)
		root = kma_join_group(root, site->group);
	parent = root;
	/* A file that the input names takes precedence over the source. */
	if (site->path) {
		kma_join_nowhere(&place, KMA_FOUND_FILE);
		stats->sites++;
		if (files)
			parent = kma_node_add_path(root, site->path);
		kma_join_add(parent, site, site->caller, &place, NULL);
		return NULL;
	}
	if (site->named) {
		stats->unresolved += site->values.current;
		if (files)
			parent = kma_node_add_named(root, site->caller);
		kma_join_plain(parent, site, site->caller);
		return NULL;
	}
	stats->sites++;
	return kma_join_place(root, files, site, source, stats);
}

struct kma_err *kma_join(const struct kma_account *account, struct kma_source *source,
			 enum kma_join_levels levels, struct kma_node **ret,
			 struct kma_join_stats *stats)
{
	struct kma_node *root = kma_node_create();
	const struct kma_site *sites;
	struct kma_err *err = NULL;
	size_t nr;

	memset(stats, 0, sizeof(*stats));
	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr && !err; i++)
		err = kma_join_site(root, &sites[i], source, levels, stats);
	if (err) {
		kma_node_destroy(root);
		return err;
	}
	kma_node_roll_up(root);
	*ret = root;
	return NULL;
}

bool kma_join_plausible(const struct kma_join_stats *stats)
{
	/*
	 * A kernel compared with its own image agrees in all but a few symbols: 431 of 431 on a
	 * stock 6.1. The limit allows for symbols that only one side has. The values of other
	 * builds of the same source were not measured.
	 */
	return stats->fitting * 10 >= stats->compared * 8;
}
