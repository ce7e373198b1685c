// SPDX-License-Identifier: GPL-2.0-only
/*
 * scan-write.c - write a scan as text, which Documentation/format/scan.rst describes.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "model/moment.h"
#include "scan-format.h"
#include "scan-write.h"

#define SCAN_PART (1U << 16) /* bytes of text in memory: a million objects are 30 MB */

/* A text that is being written. */
struct kma_scan_out {
	const struct kma_scan *scan;
	struct kma_outfile *file;
	struct kma_strbuf *text; /* what is not in @file yet */
	bool addresses;
	uint64_t lines;
};

/* Hand the text over to the file, and wipe it: it may have the content of objects. */
static void scan_flush(struct kma_scan_out *out)
{
	kma_outfile_text(out->file, out->text->str, out->text->len);
	explicit_bzero(out->text->str, out->text->len);
	out->text->len = 0;
}

static void scan_end(struct kma_scan_out *out)
{
	kma_strbuf_puts(out->text, "\n");
	out->lines++;
	if (out->text->len >= SCAN_PART)
		scan_flush(out);
}

/* Add a cell that has a number, or "-" without one. */
static void scan_cell(struct kma_scan_out *out, bool is, uint64_t number)
{
	if (is)
		kma_strbuf_printf(out->text, "\t%" PRIu64, number);
	else
		kma_strbuf_puts(out->text, "\t-");
}

/* Add a cell with a call site. One without a symbol is an address. */
static void scan_caller(struct kma_scan_out *out, const char *caller)
{
	bool hidden = !out->addresses && !strncmp(caller, "0x", 2);

	kma_strbuf_printf(out->text, "\t%s", hidden ? "0x0" : caller);
}

/* The kernel, and where its call sites are: what finds their files and lines. */
static void scan_places(struct kma_scan_out *out)
{
	const struct kma_account *account = out->scan->account;
	const char *key, *value;
	const struct kma_site *sites;
	size_t nr;

	if (!account)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(kma_scan_kernel); i++) {
		const char *text = kma_account_note(account, kma_scan_kernel[i].note);

		if (!text)
			continue;
		kma_strbuf_printf(out->text, "kernel\t%s\t%s", kma_scan_kernel[i].name, text);
		scan_end(out);
	}
	/* the moment says of which boot the scan is, and since when its objects are not all */
	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++) {
		if (!kma_moment_is_note(key))
			continue;
		kma_strbuf_printf(out->text, "kernel\t%s\t%s", key, value);
		scan_end(out);
	}
	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++) {
		kma_strbuf_printf(out->text, "place\t%s", sites[i].build_id ?: "-");
		scan_cell(out, sites[i].build_id, sites[i].text);
		scan_cell(out, sites[i].build_id, sites[i].in_init);
		scan_caller(out, sites[i].caller);
		scan_end(out);
	}
}

/* Sentences about what the scan did not see, each once. */
static void scan_notes(struct kma_scan_out *out)
{
	const struct kma_notes *all[] = { &out->scan->lost.notes, &out->scan->notes };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		for (const char *note = NULL; (note = kma_notes_next(all[i], note));) {
			bool known = false;

			for (const char *at = NULL; i && !known;) {
				at = kma_notes_next(all[0], at);
				if (!at)
					break;
				known = !strcmp(at, note);
			}
			if (known)
				continue;
			kma_strbuf_printf(out->text, "note\t%s", note);
			scan_end(out);
		}
	}
}

static void scan_names(struct kma_scan_out *out)
{
	const struct kma_scan *scan = out->scan;

	for (uint32_t i = 0; i < scan->sites.nr; i++) {
		if (!scan->sites.callers[i])
			continue;
		kma_strbuf_printf(out->text, "site\t%u", i);
		scan_caller(out, scan->sites.callers[i]);
		scan_end(out);
	}
	for (uint32_t i = 0; i < scan->groups.nr; i++) {
		kma_strbuf_printf(out->text, "root\t%u\t%s", scan->groups.list[i].class,
				  scan->groups.list[i].name);
		scan_end(out);
	}
}

static void scan_paths(struct kma_scan_out *out)
{
	const struct kma_scan *scan = out->scan;

	for (uint32_t i = 0; i < scan->paths.nr; i++) {
		const struct kma_path *path = &scan->paths.list[i];

		kma_strbuf_puts(out->text, "object");
		scan_cell(out, path->site != KMA_HEAP_FREE, path->site);
		scan_cell(out, true, path->bytes);
		scan_cell(out, path->holder != KMA_HEAP_NONE, path->holder);
		scan_cell(out, path->group != KMA_HEAP_NONE, path->group);
		scan_cell(out, path->offset >= 0, path->offset);
		if (out->addresses)
			kma_strbuf_printf(out->text, "\t%" PRIx64, scan->keys[i] ^ KMA_HEAP_KEY);
		scan_end(out);
	}
}

static int scan_compare(const void *a, const void *b)
{
	const struct kma_scan_edge *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

static void scan_references(struct kma_scan_out *out)
{
	const struct kma_scan *scan = out->scan;

	if (scan->room_edges)
		qsort(scan->edges, scan->room_edges, sizeof(*scan->edges), scan_compare);
	for (size_t i = 0; i < scan->room_edges; i++) {
		const struct kma_scan_edge *edge = &scan->edges[i];

		if (!edge->nr)
			continue;
		kma_strbuf_puts(out->text, "edge");
		scan_cell(out, true, edge->from);
		scan_cell(out, edge->offset >= 0, edge->offset);
		scan_cell(out, true, edge->to);
		scan_cell(out, true, edge->nr);
		scan_end(out);
	}
}

static void scan_retained(struct kma_scan_out *out, const char *by,
			  const struct kma_retained_row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		kma_strbuf_puts(out->text, by);
		scan_cell(out, true, rows[i].bytes);
		scan_cell(out, true, rows[i].objects);
		scan_cell(out, !rows[i].rest, rows[i].direct);
		scan_cell(out, true, rows[i].own);
		scan_caller(out, rows[i].name);
		scan_end(out);
	}
}

/* What of each call site each root retains, by the numbers of their lines. */
static void scan_parts(struct kma_scan_out *out)
{
	const struct kma_retained *retained = &out->scan->retained;

	for (uint32_t i = 0; i < retained->nr_parts; i++) {
		const struct kma_retained_part *part = &retained->parts[i];

		kma_strbuf_puts(out->text, "retained_part");
		scan_cell(out, true, part->root);
		scan_cell(out, part->caller != KMA_HEAP_NONE, part->caller);
		scan_cell(out, true, part->objects);
		scan_cell(out, true, part->bytes);
		scan_end(out);
	}
}

static void scan_losses(struct kma_scan_out *out)
{
	const struct kma_scan *scan = out->scan;
	const struct kma_lost *lost = &scan->lost;

	for (unsigned int i = 0; i < lost->nr_passes; i++) {
		const struct kma_lost_pass *pass = &lost->passes[i];

		kma_strbuf_puts(out->text, "pass");
		for (size_t n = 0; n < KMA_SCAN_PASS_NR; n++)
			scan_cell(out, true, *kma_scan_pass_member((void *)pass, n));
		scan_end(out);
	}
	for (size_t i = 0; i < lost->nr + lost->nr_unseen; i++) {
		const struct kma_lost_row *row = &lost->rows[i];

		kma_strbuf_puts(out->text, row->unseen ? "unseen" : "lost");
		scan_cell(out, true, row->lost);
		scan_cell(out, true, row->live);
		scan_cell(out, true, row->bytes);
		scan_cell(out, row->oldest, row->oldest);
		scan_cell(out, true, row->heads);
		scan_caller(out, row->caller);
		if (row->unseen)
			kma_strbuf_printf(out->text, "\t%s\t%s\t%s", row->unseen->how,
					  row->unseen->source, row->unseen->mark);
		scan_end(out);
	}
	for (uint32_t i = 0; i < scan->nr_objects; i++) {
		const struct kma_scan_lost *object = &scan->objects[i];

		kma_strbuf_puts(out->text, "lost_object");
		scan_cell(out, true, object->site);
		scan_cell(out, true, object->len);
		scan_cell(out, true, object->head);
		if (out->addresses)
			kma_strbuf_printf(out->text, "\t%" PRIx64, object->key ^ KMA_HEAP_KEY);
		else
			kma_strbuf_puts(out->text, "\t-");
		kma_strbuf_puts(out->text, object->nr ? "\t" : "\t-");
		for (unsigned int n = 0; n < object->nr; n++)
			kma_strbuf_printf(out->text, "%016" PRIx64,
					  object->content[n] ^ KMA_HEAP_KEY);
		scan_end(out);
	}
}

void kma_scan_write(const struct kma_scan *scan, bool addresses, struct kma_outfile *file)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_scan_out out = { scan, file, &text, addresses, 0 };

	/* What grows is copied, and the copies would not be wiped. */
	kma_strbuf_expect(&text, 2 * SCAN_PART);
	kma_strbuf_puts(&text, KMA_SCAN_TITLE);
	scan_end(&out);
	scan_places(&out);
	scan_notes(&out);
	scan_names(&out);
	scan_paths(&out);
	scan_references(&out);
	kma_strbuf_puts(&text, "live");
	scan_cell(&out, true, scan->lost.live);
	scan_cell(&out, true, scan->retained.objects);
	scan_cell(&out, true, scan->retained.bytes);
	scan_end(&out);
	scan_retained(&out, "retained_root", scan->retained.roots, scan->retained.nr_roots);
	scan_retained(&out, "retained_module", scan->retained.modules, scan->retained.nr_modules);
	scan_retained(&out, "retained_caller", scan->retained.callers, scan->retained.nr_callers);
	scan_parts(&out);
	scan_losses(&out);
	kma_strbuf_printf(&text, "end\t%" PRIu64 "\n", out.lines);
	scan_flush(&out);
}
