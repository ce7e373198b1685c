// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-lines.c - write the line of each call site of a page, and the functions inlined there.
 *
 * A frame is four numbers: function and file (indexes into lists of texts), line, and the index of
 * the next inner frame. Equal frames with equal next frames are stored once: a frame as a text is
 * a key of kma_intern(), whose number is the index of the frame.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "model/intern.h"
#include "page-code.h"
#include "page-lines.h"
#include "symbol/inline-frame.h"

/* A frame. function and file are numbers of texts, next is an index into chains[]; 0 is none. */
struct kma_page_frame {
	uint32_t function, file, line, next;
};

struct kma_page_lines {
	struct kma_intern *files, *functions; /* lists of texts */
	struct kma_intern *keys;	      /* frames as texts; the number is the chain's index */
	struct kma_page_frame *chains;	      /* inlined frames, from index 1 on */
	size_t nr_chains, alloc_chains;
	struct kma_page_frame *sites; /* outermost frame of each leaf of the page */
	size_t nr_sites;
};

static uint32_t kma_page_text(struct kma_intern *texts, const char *text, size_t len)
{
	return len ? kma_intern(texts, KMA_KIND_UNKNOWN, text, len) : 0;
}

/* Finds or adds a frame in chains[]. Returns its index; 0 if there is no space: the chain ends. */
static uint32_t kma_page_chain(struct kma_page_lines *lines, const struct kma_page_frame *frame)
{
	char key[64];
	uint32_t place;

	snprintf(key, sizeof(key), "%u,%u,%u,%u", frame->function, frame->file, frame->line,
		 frame->next);
	place = kma_page_text(lines->keys, key, strlen(key));
	if (place < lines->nr_chains)
		return place;
	while (lines->nr_chains <= place) {
		kma_array_room(lines->chains, lines->nr_chains, lines->alloc_chains);
		lines->chains[lines->nr_chains++] = (struct kma_page_frame){ 0 };
	}
	lines->chains[place] = *frame;
	return place;
}

static struct kma_page_frame kma_page_frame_of(struct kma_page_lines *lines,
					       const struct kma_frame *frame, uint32_t next)
{
	return (struct kma_page_frame){
		.function =
			kma_page_text(lines->functions, frame->function, strlen(frame->function)),
		.file = kma_page_text(lines->files, frame->file, strlen(frame->file)),
		.line = frame->line,
		.next = next,
	};
}

/*
 * Sets the frame of a leaf with frames. They are innermost first; the last one is the function of
 * the call site, whose name is left out if it is that of the leaf, as in most cases.
 */
static void kma_page_compiled(struct kma_page_lines *lines, const struct kma_node *leaf,
			      struct kma_page_frame *ret)
{
	const struct kma_place *place = leaf->site->place;
	const struct kma_frame *outer = &place->frames[place->nr_frames - 1];
	size_t len = strlen(outer->function);
	uint32_t next = 0;

	for (unsigned int i = 0; i + 1 < place->nr_frames; i++) {
		struct kma_page_frame frame = kma_page_frame_of(lines, &place->frames[i], next);

		next = kma_page_chain(lines, &frame);
	}
	*ret = (struct kma_page_frame){ .line = outer->line, .next = next };
	if (strncmp(leaf->name, outer->function, len) || leaf->name[len] != '+')
		ret->function = kma_page_text(lines->functions, outer->function, len);
	ret->file = kma_page_text(lines->files, outer->file, strlen(outer->file));
}

/*
 * Sets the frame of a leaf "fs/inode.c:266 alloc_inode [module]", as the reader of allocinfo makes.
 */
static void kma_page_named(struct kma_page_lines *lines, const struct kma_node *leaf,
			   struct kma_page_frame *ret)
{
	const char *colon;
	size_t digits;

	for (colon = strchr(leaf->name, ':'); colon; colon = strchr(colon + 1, ':')) {
		digits = strspn(colon + 1, "0123456789");
		if (digits && colon[1 + digits] == ' ')
			break;
	}
	if (!colon)
		return;
	ret->line = strtoul(colon + 1, NULL, 10);
	ret->file = kma_page_text(lines->files, leaf->name, colon - leaf->name);
}

/* Sets the frame of a leaf. The file is left out if it is the parent of the leaf. */
static void kma_page_site(struct kma_page_lines *lines, const struct kma_node *leaf)
{
	_cleanup_free_ char *path = NULL;
	struct kma_page_frame *site = &lines->sites[lines->nr_sites];
	enum kma_kind unused;
	const char *file;
	size_t len;

	if (kma_node_place(leaf) && leaf->site->place->nr_frames)
		kma_page_compiled(lines, leaf, site);
	else if (leaf->kind == KMA_NODE_CALLER)
		kma_page_named(lines, leaf, site);
	if (!site->file || !leaf->parent || leaf->parent->kind != KMA_NODE_FILE)
		return;
	path = kma_node_path(leaf->parent);
	file = kma_intern_site(lines->files, site->file, &unused, &len);
	if (strlen(path) == len && !memcmp(path, file, len))
		site->file = 0;
}

static void kma_page_sites(struct kma_page_lines *lines, const struct kma_page_rows *rows)
{
	lines->sites = kma_xcalloc(rows->nr, sizeof(*lines->sites));
	for (size_t i = 0; i < rows->nr; i++) {
		if (!rows->rows[i].leaf)
			continue;
		if (!rows->rows[i].folded)
			kma_page_site(lines, rows->rows[i].node);
		lines->nr_sites++;
	}
}

static void kma_page_texts(struct kma_intern *texts, const char *key, struct kma_strbuf *out)
{
	struct kma_page_names names;

	kma_page_names_begin(&names);
	for (uint32_t i = 1; i < kma_intern_count(texts); i++) {
		enum kma_kind unused;
		size_t len;
		const char *name = kma_intern_site(texts, i, &unused, &len);
		_cleanup_free_ char *copy = kma_xstrndup(name, len);

		kma_page_names_add(&names, copy);
	}
	kma_page_key(out, key);
	kma_page_names_end(&names, out);
}

/* Writes the numbers of frames as four columns. */
static void kma_page_frames(const struct kma_page_frame *frames, size_t nr, struct kma_strbuf *out)
{
	static const struct {
		const char *name;
		size_t offset;
	} columns[] = {
		{ "function", offsetof(struct kma_page_frame, function) },
		{ "file", offsetof(struct kma_page_frame, file) },
		{ "line", offsetof(struct kma_page_frame, line) },
		{ "next", offsetof(struct kma_page_frame, next) },
	};

	kma_strbuf_puts(out, "{");
	for (size_t c = 0; c < ARRAY_SIZE(columns); c++) {
		struct kma_page_column column;

		kma_page_key(out, columns[c].name);
		column = kma_page_column_begin(out);
		for (size_t i = 0; i < nr; i++)
			kma_page_column_add(&column, *(const uint32_t *)((const char *)&frames[i] +
									 columns[c].offset));
		kma_page_column_end(&column);
	}
	kma_strbuf_puts(out, "}");
}

static bool kma_page_lines_known(const struct kma_page_lines *lines)
{
	for (size_t i = 0; i < lines->nr_sites; i++)
		if (lines->sites[i].line || lines->sites[i].next)
			return true;
	return false;
}

static void kma_page_lines_write(const struct kma_page_lines *lines, struct kma_strbuf *out)
{
	if (!kma_page_lines_known(lines))
		return;
	kma_page_key(out, "lines");
	kma_strbuf_puts(out, "{");
	kma_page_texts(lines->files, "files", out);
	kma_page_texts(lines->functions, "functions", out);
	kma_page_key(out, "chains");
	kma_page_frames(lines->chains, lines->nr_chains, out);
	kma_page_key(out, "sites");
	kma_page_frames(lines->sites, lines->nr_sites, out);
	kma_strbuf_puts(out, "}");
}

struct kma_err *kma_page_lines(const struct kma_page_rows *rows, struct kma_strbuf *out)
{
	struct kma_page_lines lines = { 0 };
	struct kma_err *err;

	err = kma_intern_create(&lines.files);
	if (!err)
		err = kma_intern_create(&lines.functions);
	if (!err)
		err = kma_intern_create(&lines.keys);
	if (!err)
		kma_page_sites(&lines, rows);
	if (!err)
		kma_page_lines_write(&lines, out);
	kma_intern_destroy(lines.files);
	kma_intern_destroy(lines.functions);
	kma_intern_destroy(lines.keys);
	free(lines.chains);
	free(lines.sites);
	return err;
}
