// SPDX-License-Identifier: GPL-2.0-only
/*
 * source.c - what all sources share: the choice of one spot among candidates, and the place that is
 * made of it.
 *
 * A place has all texts that a command may show. They are made once, for the first site with this
 * text and build; other sites, also of other accounts, get the same place. If the site was compiled
 * from inlined functions, source->inlines decides which of them owns it; the text and the line of the
 * place then name that function, or the chain.
 *
 * The sites of the kernel proper also show whether the source is the right build: see
 * kma_resolve_plausible(). Time is linear in the sites, apart from what the source takes.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "lib/strbuf.h"
#include "node.h"
#include "source.h"
#include "types/choose.h"
#include "types/guess.h"
#include "types/path.h"
#include "types/types.h"

/* What makes two sites the same for a source, and their place. */
struct kma_resolved {
	const char *caller;
	const char *build_id; /* NULL if unknown */
	uint64_t text;
	bool in_init;
	struct kma_place place;
};

const char *const kma_inlines_modes[KMA_NR_INLINES_MODES] = {
	[KMA_INLINES_OUTER] = "outer",
	[KMA_INLINES_INNER] = "inner",
	[KMA_INLINES_BOTH] = "both",
};

static struct kma_err *no_place(struct kma_source *source, const struct kma_site *site,
				struct kma_spot *ret)
{
	(void)source;
	(void)site;
	*ret = (struct kma_spot){ .found = KMA_FOUND_NOT_SOUGHT };
	return NULL;
}

static const struct kma_symbol *no_symbol(const struct kma_source *source, uint64_t addr)
{
	(void)source;
	(void)addr;
	return NULL;
}

static void free_bare(struct kma_source *source)
{
	free(source);
}

struct kma_source *kma_source_bare(void)
{
	static const struct kma_source_ops ops = { .locate = no_place,
						   .symbol_at = no_symbol,
						   .destroy = free_bare };
	struct kma_source *source = kma_xcalloc(1, sizeof(*source));

	source->ops = &ops;
	source->name = source->release = "";
	source->bare = true;
	return source;
}

void kma_source_destroy(struct kma_source *source)
{
	if (!source)
		return;
	kma_arena_deinit(&source->arena);
	kma_map_free(&source->map);
	kma_types_deinit(&source->table);
	kma_by_btf_deinit(&source->btf);
	free(source->stated);
	free(source->images);
	free(source->places);
	source->ops->destroy(source);
}

static bool is_header(const char *path)
{
	size_t len = strlen(path);

	return !len || (len > 2 && !strcmp(path + len - 2, ".h"));
}

unsigned int kma_call_owner(const struct kma_call *call, enum kma_inlines_mode mode)
{
	unsigned int i;

	if (mode == KMA_INLINES_INNER) {
		for (i = 0; i < call->nr_frames; i++)
			if (!is_header(call->frames[i].file))
				return i;
		return call->nr_frames;
	}
	for (i = call->nr_frames; i-- > 0;)
		if (!is_header(call->frames[i].file))
			return i;
	return call->nr_frames;
}

const char *kma_call_file(const struct kma_call *call, enum kma_inlines_mode mode)
{
	unsigned int owner = kma_call_owner(call, mode);

	return owner < call->nr_frames ? call->frames[owner].file : call->unit;
}

static bool same_dir(const char *a, const char *b)
{
	const char *a_end = strrchr(a, '/'), *b_end = strrchr(b, '/');

	return a_end && b_end && a_end - a == b_end - b && !memcmp(a, b, a_end - a);
}

void kma_spot_offer(struct kma_spot *spot, enum kma_fit fit, const char *path)
{
	if (fit == KMA_FIT_NONE || fit < spot->fit)
		return;
	if (fit > spot->fit) {
		spot->fit = fit;
		spot->path = path;
		spot->found = path ? KMA_FOUND_FILE : KMA_FOUND_NO_FILE;
		return;
	}
	if (spot->path && path && !strcmp(spot->path, path))
		return;
	if (spot->found == KMA_FOUND_NO_FILE && !path)
		return;
	if (spot->path && path && spot->found != KMA_FOUND_AMBIGUOUS && same_dir(spot->path, path))
		spot->found = KMA_FOUND_DIR;
	else
		spot->found = KMA_FOUND_AMBIGUOUS;
}

/* Paths of sites without a file, in the tree of owners. */
static const char *const rows[] = {
	[KMA_FOUND_UNKNOWN] = "[unknown symbol]",
	[KMA_FOUND_AMBIGUOUS] = "[ambiguous]",
	[KMA_FOUND_NO_FILE] = "[no source file]",
	[KMA_FOUND_NO_SYMBOL] = "[unknown address]",
	[KMA_FOUND_NOT_SOUGHT] = NULL,
};

static const char *keep(struct kma_source *source, const struct kma_strbuf *text)
{
	return text->len ? kma_arena_text(&source->arena, text->str, text->len) : NULL;
}

/* The path of the file, or of the row in brackets, for a site. */
static const char *path_of(struct kma_source *source, const struct kma_site *site,
			   const struct kma_spot *spot)
{
	_cleanup_strbuf_ struct kma_strbuf path = { 0 };

	switch (spot->found) {
	case KMA_FOUND_FILE:
		return spot->path;
	case KMA_FOUND_DIR:
		/* Several files of one directory fit: they share a row of the directory. */
		kma_strbuf_add(&path, spot->path, strrchr(spot->path, '/') + 1 - spot->path);
		kma_strbuf_puts(&path, rows[KMA_FOUND_AMBIGUOUS]);
		break;
	case KMA_FOUND_NAME:
		/* Only the name of the file is known. */
		kma_strbuf_printf(&path, "[no directory]/%s", spot->path);
		break;
	case KMA_FOUND_NO_MODULE:
		kma_strbuf_printf(&path, KMA_NODE_MODULE "%.70s]", site->module);
		break;
	case KMA_FOUND_OTHER_BUILD:
		kma_strbuf_printf(&path, KMA_NODE_MODULE "%.60s, other build]", site->module);
		break;
	default:
		return rows[spot->found];
	}
	return keep(source, &path);
}

/* Writes the functions or the lines of frames, outermost first: "a > b > c". */
static void chain(struct kma_strbuf *out, const struct kma_frame *frames, unsigned int nr,
		  bool lines)
{
	for (unsigned int i = nr; i-- > 0;) {
		if (lines)
			kma_strbuf_printf(out, "%s:%u", *frames[i].file ? frames[i].file : "?",
					  frames[i].line);
		else
			kma_strbuf_puts(out, *frames[i].function ? frames[i].function : "?");
		if (i)
			kma_strbuf_puts(out, " > ");
	}
}

/* Sets the line of the owner, and the lines to show. */
static void set_lines(struct kma_source *source, const struct kma_call *call,
		      struct kma_place *place)
{
	_cleanup_strbuf_ struct kma_strbuf lines = { 0 };
	unsigned int owner = kma_call_owner(call, source->inlines);

	/* All frames are in headers: a function of a header that was not inlined, or assembly. */
	if (owner == call->nr_frames)
		owner = source->inlines == KMA_INLINES_INNER ? 0 : call->nr_frames - 1;
	if (!strcmp(call->frames[owner].file, place->path))
		place->line = call->frames[owner].line;
	if (source->inlines == KMA_INLINES_BOTH)
		chain(&lines, call->frames, call->nr_frames, true);
	else if (call->frames[owner].line)
		kma_strbuf_printf(&lines, "%s:%u", call->frames[owner].file,
				  call->frames[owner].line);
	place->lines = keep(source, &lines);
}

/*
 * Sets the text of the site and the name of its function. @text is what %pS prints; a chain or an
 * inner function is written in addition to it. A function's name from the source lacks the suffixes
 * that the compiler adds to symbols (.cold, .constprop.0).
 */
static void set_functions(struct kma_source *source, const char *text, const struct kma_call *call,
			  struct kma_place *place)
{
	_cleanup_strbuf_ struct kma_strbuf caller = { 0 }, functions = { 0 };
	unsigned int owner = kma_call_owner(call, source->inlines);

	if (owner == call->nr_frames)
		owner = source->inlines == KMA_INLINES_INNER || !owner ? 0 : owner - 1;
	if (*call->frames[owner].function)
		place->function = call->frames[owner].function;
	if (source->inlines == KMA_INLINES_INNER && owner + 1 < call->nr_frames) {
		kma_strbuf_printf(&caller, "%s (in %s)", call->frames[owner].function, text);
		place->caller = keep(source, &caller);
	} else if (source->inlines == KMA_INLINES_BOTH && call->nr_frames > 1) {
		kma_strbuf_printf(&caller, "%s > ", text);
		chain(&caller, call->frames, call->nr_frames - 1, false);
		place->caller = keep(source, &caller);
		chain(&functions, call->frames, call->nr_frames, false);
		place->function = keep(source, &functions);
	}
}

/* Makes the place of a site from its spot. */
static void make(struct kma_source *source, const struct kma_site *site,
		 const struct kma_spot *spot, struct kma_place *place)
{
	const struct kma_call *call = &spot->call;
	size_t size = call->nr_frames * sizeof(*call->frames);
	const struct kma_symbol *sym;

	*place = (struct kma_place){ .found = spot->found,
				     .fits = spot->fit >= KMA_FIT_GOOD,
				     .path = path_of(source, site, spot),
				     .nr_frames = call->nr_frames,
				     .addr = spot->addr };
	/* The text that %pS prints for an address, if the source has a symbol there. */
	sym = site->symbol || site->named ? NULL : source->ops->symbol_at(source, site->offset);
	if (sym) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };

		kma_strbuf_printf(&text, "%s+0x%" PRIx64 "/0x%" PRIx64, sym->name,
				  site->offset - sym->addr, sym->span);
		place->caller = place->plain = keep(source, &text);
		place->function = sym->name;
	}
	if (!call->nr_frames)
		return;
	place->frames = memcpy(kma_arena_zalloc(&source->arena, size), call->frames, size);
	set_lines(source, call, place);
	set_functions(source, place->caller ?: site->caller, call, place);
}

static bool is_same(const struct kma_resolved *one, const struct kma_site *site)
{
	return one->text == site->text && one->in_init == site->in_init &&
	       !strcmp(one->build_id ?: "", site->build_id ?: "") &&
	       !strcmp(one->caller, site->caller);
}

static struct kma_resolved *resolved_of(struct kma_source *source, const struct kma_site *site)
{
	uint32_t hash = kma_map_text(site->caller, strlen(site->caller));
	uint32_t found = kma_map_find(&source->map, hash, i, is_same(source->places[i], site));

	return found == KMA_MAP_NONE ? NULL : source->places[found];
}

struct kma_err *kma_resolve_site(struct kma_source *source, const struct kma_site *site,
				 const struct kma_place **ret)
{
	uint32_t hash = kma_map_text(site->caller, strlen(site->caller));
	struct kma_resolved *one = resolved_of(source, site);
	struct kma_site linked = *site;
	struct kma_spot spot;
	struct kma_err *err;

	if (one) {
		*ret = &one->place;
		return NULL;
	}
	if (!site->symbol)
		linked.offset -= source->slide;
	err = site->named ? no_place(source, &linked, &spot) :
			    source->ops->locate(source, &linked, &spot);
	if (err)
		return err;
	one = kma_arena_zalloc(&source->arena, sizeof(*one));
	*one = (struct kma_resolved){
		.caller = kma_arena_text(&source->arena, site->caller, strlen(site->caller)),
		.build_id = site->build_id ? kma_arena_text(&source->arena, site->build_id,
							    strlen(site->build_id)) :
					     NULL,
		.text = site->text,
		.in_init = site->in_init,
	};
	make(source, &linked, &spot, &one->place);
	kma_array_room(source->places, source->map.nr, source->room);
	source->places[kma_map_add(&source->map, hash)] = one;
	*ret = &one->place;
	return NULL;
}

const struct kma_place *kma_resolved_place(const struct kma_source *source, const char *caller)
{
	uint32_t hash = kma_map_text(caller, strlen(caller));
	uint32_t found = kma_map_find(&source->map, hash, i,
				      !strcmp(source->places[i]->caller, caller) &&
					      kma_place_has_path(&source->places[i]->place));

	if (found == KMA_MAP_NONE)
		found = kma_map_find(&source->map, hash, i,
				     !strcmp(source->places[i]->caller, caller));
	return found == KMA_MAP_NONE ? NULL : &source->places[found]->place;
}

/* The place of the objects of a cache that are of no call site. */
static struct kma_err *resolve_before(struct kma_source *source, const char *cache,
				      const struct kma_place **ret)
{
	_cleanup_free_ char *caller = kma_xasprintf(KMA_SITE_BEFORE_OF "%s]", cache);
	const struct kma_site site = { .caller = caller, .named = true };

	return kma_resolve_site(source, &site, ret);
}

/* A type that a person has stated of a call site, or of all of a function. */
struct kma_stated {
	const char *caller, *type;
	uint32_t sites;	   /* that it was used for */
	const char *other; /* what the debugging information says; NULL: the same, or nothing */
};

/* A site of an account whose place has no type yet. */
struct site_to_type {
	const struct kma_site *site;
	const struct kma_image *image;
	const struct kma_symtab *symtab;
	struct kma_place *place;
	uint64_t addr;
	struct kma_type_ask ask;
};

static int cmp_to_type(const void *a, const void *b)
{
	const struct site_to_type *x = a, *y = b;

	if (x->image != y->image)
		return x->image < y->image ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* The sizes of the objects of a site. */
static void measure(const struct kma_site *site, struct kma_type_ask *ask)
{
	const struct kma_values *values = &site->values;
	uint64_t live = values->allocs > values->frees ? values->allocs - values->frees : 0;

	ask->objects = values->objects ?: live;
	ask->bytes = values->req ?: values->current;
	ask->slots = values->current;
	ask->exact = values->req;
	if (!ask->objects || !ask->bytes) {
		ask->objects = values->allocs;
		ask->bytes = ask->slots = values->total;
		ask->exact = false;
	}
	if (!ask->bytes)
		ask->objects = 0;
	/* Objects of several caches have several sizes, and none of the caches' names is theirs. */
	ask->slab = !site->caches && (site->kind == KMA_KIND_CACHE || (site->named && site->cache));
	ask->cache = site->caches ? NULL : site->cache;
}

/* Adds the objects of another row that has the same place: of a cgroup, of a stack. */
static void join(struct kma_type_ask *ask, const struct kma_type_ask *other)
{
	ask->bytes += other->bytes;
	ask->slots += other->slots;
	ask->objects += other->objects;
	ask->exact &= other->exact;
	if (strcmp(ask->cache ?: "", other->cache ?: "") != 0) {
		ask->slab = false;
		ask->cache = NULL;
	}
	ask->slab &= other->slab;
}

/* The number of a file in the source's table of types. */
static uint32_t image_number(struct kma_source *source, const struct kma_image *image)
{
	uint32_t number = 0;

	while (number < source->nr_images && source->images[number] != image)
		number++;
	if (number < source->nr_images)
		return number;
	kma_array_room(source->images, source->nr_images, source->room_images);
	source->images[source->nr_images++] = image;
	return number;
}

/*
 * Is a statement for this site? It has the text without the functions that were inlined, or the name of
 * a function; or the cache of older objects, with the mark of a merged one or without.
 */
static bool is_for(const struct kma_stated *stated, const struct kma_site *site,
		   const struct kma_place *place)
{
	const char *text = place->plain ?: site->caller, *cache;
	size_t len, symbol = strcspn(text, "+");

	if (site->named) {
		cache = kma_site_before(stated->caller, &len);
		return cache && len == kma_site_cache_len(site->cache) &&
		       !memcmp(cache, site->cache, len);
	}
	return !strcmp(stated->caller, text) || !strcmp(stated->caller, site->caller) ||
	       (place->function && !strcmp(stated->caller, place->function)) ||
	       (strlen(stated->caller) == symbol && !memcmp(stated->caller, text, symbol));
}

/* The statement for a call site; NULL: there is none. */
static struct kma_stated *stated_for(const struct kma_source *source, const struct kma_site *site,
				     const struct kma_place *place)
{
	for (uint32_t i = 0; i < source->nr_stated; i++)
		if (is_for(&source->stated[i], site, place))
			return &source->stated[i];
	return NULL;
}

/* The type with the name of a statement, which may have a mark: "pipe_buffer[]". */
static uint32_t number_of(struct kma_source *source, const char *text)
{
	_cleanup_free_ char *name = kma_xstrndup(text, strcspn(text, "[+"));
	uint32_t want = kma_types_name(&source->table, name), found = KMA_TYPES_NONE;

	for (uint32_t i = 0; i < source->table.nr_types; i++) {
		if (source->table.types[i].name != want || !source->table.types[i].size)
			continue;
		if (found != KMA_TYPES_NONE &&
		    source->table.types[found].size != source->table.types[i].size)
			return KMA_TYPES_NONE;
		found = i;
	}
	return found;
}

/* What each source says of objects: the answer has no text if it says nothing. */
static struct kma_type_answer ask_one(struct kma_source *source, const struct site_to_type *one,
				      enum kma_type_by by)
{
	struct kma_type_answer answer = { .type = KMA_TYPES_NONE };
	const struct kma_type_ask *ask = &one->ask;
	const struct kma_stated *stated;

	switch (by) {
	case KMA_TYPE_STATED:
		stated = stated_for(source, one->site, one->place);
		if (stated) {
			answer.text = kma_xstrdup(stated->type);
			answer.type = number_of(source, stated->type);
			answer.array = strchr(stated->type, '[');
		}
		return answer;
	case KMA_TYPE_BY_DEBUG:
		return ask->call ? kma_types_choose(&source->table, ask) : answer;
	case KMA_TYPE_BY_BTF:
		if (one->site->symbol && ask->objects)
			answer.type = kma_types_by_return(&source->table, &source->btf, ask,
							  one->site->symbol);
		break;
	case KMA_TYPE_BY_CACHE:
		/* Names of merged caches say that the type is one of several. */
		if (ask->slab && ask->cache && !one->site->aliases)
			answer.type = kma_types_by_cache(&source->table, ask);
		break;
	default:
		break;
	}
	if (answer.type != KMA_TYPES_NONE)
		answer.text = kma_xstrdup(
			kma_types_text(&source->table, source->table.types[answer.type].name));
	return answer;
}

/* Tells a place the type of its objects. */
static void set_type(struct kma_source *source, const struct site_to_type *one)
{
	struct kma_stated *stated = stated_for(source, one->site, one->place);
	struct kma_place *place = one->place;
	struct kma_type_answer answer;
	enum kma_type_by by = 0;

	do
		answer = ask_one(source, one, by);
	while (!answer.text && ++by < KMA_TYPE_UNKNOWN);
	place->typed = true;
	place->type_by = by;
	place->type = answer.text ?
			      kma_arena_text(&source->arena, answer.text, strlen(answer.text)) :
			      NULL;
	place->type_number = answer.type;
	place->type_array = answer.array;
	place->type_size = 0;
	if (answer.type != KMA_TYPES_NONE && !answer.array)
		place->type_size = source->table.types[answer.type].size;
	free(answer.text);
	if (!stated)
		return;
	stated->sites++;
	answer = ask_one(source, one, KMA_TYPE_BY_DEBUG);
	if (answer.text && strcmp(answer.text, stated->type) != 0)
		stated->other = kma_arena_text(&source->arena, answer.text, strlen(answer.text));
	free(answer.text);
}

struct kma_err *kma_source_take_stated(struct kma_source *source, const char *path,
				       const char *text)
{
	uint32_t room = 0;
	size_t number = 0;

	for (const char *line = text, *next; *line; line = next) {
		size_t len = strcspn(line, "\n"), caller, module = 0;
		_cleanup_free_ char *name = NULL;
		const char *type;

		next = line + len + (line[len] == '\n');
		number++;
		for (; len && strchr(" \t", *line); len--)
			line++;
		while (len && strchr(" \t\r", line[len - 1]))
			len--;
		if (!len || *line == '#')
			continue;
		/* "[before: dentry]", or a symbol, which its module may follow */
		caller = *line == '[' ? strcspn(line, "]\n") + 1 : strcspn(line, " \t\n");
		type = line + caller + strspn(line + caller, " \t");
		if (caller < len && *line != '[' && *type == '[')
			module = strcspn(type, "]\n") + 1;
		name = kma_xasprintf("%.*s%s%.*s", (int)caller, line, module ? " " : "",
				     (int)module, type);
		type += module;
		type += strspn(type, " \t");
		if ((isdigit((unsigned char)*line) && strncmp(line, "0x", 2) != 0) ||
		    caller >= len || type >= line + len)
			return kma_err_create_kind(
				KMA_ERR_OTHER_FORMAT, path, number,
				"not a call site and its type, nor a table of kmem-account types or BTF");
		kma_array_room(source->stated, source->nr_stated, room);
		source->stated[source->nr_stated++] = (struct kma_stated){
			.caller = kma_arena_text(&source->arena, name, strlen(name)),
			.type = kma_arena_text(&source->arena, type, line + len - type),
		};
	}
	source->has_types |= source->nr_stated;
	return NULL;
}

void kma_source_note_stated(const struct kma_source *source, struct kma_notes *notes)
{
	const struct kma_stated *unused = NULL;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < source->nr_stated; i++) {
		const struct kma_stated *stated = &source->stated[i];

		if (!stated->sites) {
			unused = unused ?: stated;
			nr++;
		} else if (stated->other) {
			kma_notes_add(
				notes,
				"the stated type of %s is %s, but the debugging information says %s",
				stated->caller, stated->type, stated->other);
		}
	}
	if (unused)
		kma_notes_add(notes,
			      "%u stated %s not used: no such call site, as %s, has objects here",
			      nr, kma_plural(nr, "type is", "types are"), unused->caller);
}

/* Counts a file of whose types nothing is known. */
static struct kma_err *unread(struct kma_source *source, const struct kma_image *image,
			      struct kma_err *err)
{
	return kma_gaps_note(&source->gaps,
			     image == source->kernel ? KMA_GAP_IMAGE : KMA_GAP_MODULE, err);
}

/* Finds the types of the sites of one file, and tells their places. */
static struct kma_err *ask_types(struct kma_source *source, struct site_to_type *list, size_t nr)
{
	_cleanup_free_ uint64_t *calls = kma_xcalloc(nr, sizeof(*calls));
	struct kma_types_wish wish = { .image = list->image ? image_number(source, list->image) : 0,
				       .calls = calls,
				       .nr = nr };
	struct kma_err *err = NULL;

	for (size_t i = 0; i < nr; i++)
		calls[i] = list[i].addr;
	if (list->image)
		err = kma_types_find(list->image, list->symtab, &wish, &source->table);
	for (size_t i = 0; i < nr; i++) {
		if (list->image)
			list[i].ask.call =
				kma_types_call_at(&source->table, wish.image, list[i].addr);
		set_type(source, &list[i]);
	}
	return unread(source, list->image, err);
}

void kma_source_take_types(struct kma_source *source, struct kma_types *types)
{
	source->table = *types;
	*types = (struct kma_types){ 0 };
	/* The numbers of its files come first. */
	source->nr_images = source->room_images = source->nr_variables = source->table.nr_images;
	source->images = kma_xcalloc(source->nr_images + 1, sizeof(*source->images));
	source->has_types = true;
}

void kma_source_take_btf(struct kma_source *source, struct kma_btf *btf)
{
	kma_by_btf_create(btf, &source->table, &source->btf);
	source->has_types = true;
}

/*
 * Finds the call of a site in the table that was read; false if the table does not have its file.
 * @build_id: of the kernel, if it is known. @image: the site's file, NULL if it is not there: if it is of
 * the same build, the address counts, otherwise the name and size of the function.
 */
static bool find_in_table(struct kma_source *source, const struct kma_site *site,
			  const char *build_id, const struct kma_image *image,
			  struct site_to_type *ret)
{
	struct kma_types *table = &source->table;
	uint32_t number;

	ret->ask.call = NULL;
	if (!table->nr_images)
		return false;
	number = kma_types_image(table, site->module ?: "vmlinux",
				 site->build_id	      ?:
					 site->module ? site->build_id :
							build_id);
	if (number == KMA_TYPES_NONE)
		return false;
	build_id = kma_types_text(table, table->images[number].build_id);
	if (image && *build_id && !strcmp(build_id, kma_image_build_id(image)))
		ret->ask.call = kma_types_call_at(table, number, ret->addr);
	else if (site->symbol)
		ret->ask.call =
			kma_types_call_in(table, number, site->symbol, site->offset, site->size);
	return true;
}

/* Finds the types of all sites that have a place without one. */
static struct kma_err *resolve_types(struct kma_source *source, const struct kma_account *account)
{
	_cleanup_free_ struct site_to_type *list = NULL;
	const struct kma_site *sites;
	const char *build_id = kma_account_note(account, KMA_NOTE_BUILD_ID) ?: source->build_id;
	struct kma_err *err = NULL;
	size_t nr_sites, nr = 0, kept = 0;

	sites = kma_account_sites(account, &nr_sites);
	list = kma_xcalloc(nr_sites + 1, sizeof(*list));
	for (size_t i = 0; i < nr_sites; i++) {
		/* places are the source's own */
		struct kma_place *place = (struct kma_place *)sites[i].place;

		if (!place || place->typed || sites[i].kind == KMA_KIND_PAGE ||
		    sites[i].kind == KMA_KIND_PERCPU)
			continue;
		list[nr].site = &sites[i];
		list[nr].addr = place->addr;
		list[nr].image = place->addr && source->ops->image ?
					 source->ops->image(source, &sites[i], &list[nr].symtab) :
					 NULL;
		if (find_in_table(source, &sites[i], build_id, list[nr].image, &list[nr]))
			list[nr].image = NULL;
		list[nr].place = place;
		measure(&sites[i], &list[nr++].ask);
	}
	qsort(list, nr, sizeof(*list), cmp_to_type);
	for (size_t i = 0; i < nr; i++) {
		struct site_to_type *last = kept ? &list[kept - 1] : NULL;

		if (last && last->place == list[i].place)
			join(&last->ask, &list[i].ask);
		else
			list[kept++] = list[i];
	}
	for (size_t i = 0, end; i < kept && !err; i = end) {
		for (end = i; end < kept && list[end].image == list[i].image; end++)
			;
		err = ask_types(source, &list[i], end - i);
	}
	return err;
}

void kma_source_field(const struct kma_source *source, const char *caller, uint64_t offset,
		      bool slots, struct kma_strbuf *ret)
{
	const struct kma_place *place = kma_resolved_place(source, caller);
	struct kma_types_member object = { .offset = 0 };
	const struct kma_types_type *type;

	if (!place || !place->type || place->type_number == KMA_TYPES_NONE)
		return;
	type = &source->table.types[place->type_number];
	object.name = type->name;
	object.type = place->type_number;
	object.nr = place->type_array ? KMA_TYPES_FLEXIBLE : 0;
	object.size = type->flags & KMA_TYPES_OPEN && !object.nr ? UINT32_MAX : type->size;
	kma_types_path(&source->table, &object, offset, slots, ret);
}

struct kma_err *kma_source_variable(struct kma_source *source, const char *module, const char *name,
				    uint64_t offset, bool slots, struct kma_strbuf *ret)
{
	const struct kma_site site = { .module = module };
	const struct kma_types_member *variable;
	const struct kma_symtab *symtab;
	const struct kma_image *image;
	struct kma_err *err = NULL;
	uint32_t number;

	number = kma_types_image(&source->table, module ?: "vmlinux", NULL);
	if (number == KMA_TYPES_NONE) {
		image = source->has_types && source->ops->image ?
				source->ops->image(source, &site, &symtab) :
				NULL;
		if (!image)
			return NULL;
		number = image_number(source, image);
	}
	for (; source->nr_variables <= number && !err; source->nr_variables++) {
		struct kma_types_wish wish = { .image = source->nr_variables, .variables = true };

		err = kma_types_find(source->images[wish.image], NULL, &wish, &source->table);
		err = unread(source, source->images[wish.image], err);
	}
	variable = kma_types_variable(&source->table, number, name);
	if (variable)
		kma_types_path(&source->table, variable, offset, slots, ret);
	return err;
}

static void count(const struct kma_site *site, const struct kma_place *place,
		  struct kma_resolve_stats *stats)
{
	enum kma_found found = place ? place->found : KMA_FOUND_UNKNOWN;

	stats->sites++;
	stats->addresses += !site->symbol;
	stats->strange += found == KMA_FOUND_NO_SYMBOL;
	stats->other_build += found == KMA_FOUND_OTHER_BUILD;
	if (found != KMA_FOUND_FILE && found != KMA_FOUND_DIR)
		stats->unresolved += site->values.current;
	/*
	 * Modules may be of another build than the kernel, so only sites of the kernel proper
	 * show whether the source is the right build.
	 */
	if (site->symbol && site->size && !site->module) {
		stats->compared++;
		stats->fitting += place && place->fits;
	}
}

struct kma_err *kma_resolve(struct kma_account *account, struct kma_source *source,
			    struct kma_resolve_stats *stats)
{
	const struct kma_site *sites;
	struct kma_err *err;
	size_t nr;

	*stats = (struct kma_resolve_stats){ 0 };
	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++) {
		const struct kma_place *place = NULL;

		err = NULL;
		if (source && !sites[i].path && !sites[i].named)
			err = kma_resolve_site(source, &sites[i], &place);
		else if (source && source->types && sites[i].cache &&
			 !strcmp(sites[i].caller, KMA_SITE_BEFORE))
			err = resolve_before(source, sites[i].cache, &place);
		if (err)
			return err;
		kma_account_resolve(account, i, place);
		if (sites[i].path)
			stats->sites++;
		else if (sites[i].named)
			stats->unresolved += sites[i].values.current;
		else
			count(&sites[i], place, stats);
	}
	return source && source->types && source->has_types ? resolve_types(source, account) : NULL;
}

bool kma_resolve_plausible(const struct kma_resolve_stats *stats)
{
	/*
	 * A kernel compared with its own image agrees in all but a few symbols: 431 of 431 on a
	 * stock 6.1. The limit allows for symbols that only one side has. The values of other
	 * builds of the same source were not measured.
	 */
	return stats->fitting * 10 >= stats->compared * 8;
}
