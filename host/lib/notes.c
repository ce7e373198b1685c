// SPDX-License-Identifier: GPL-2.0-only
/*
 * notes.c - messages for the user from components that must not print: sentences, and counts of
 * files that could not be read.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cleanup.h"
#include "notes.h"

static const struct {
	const char *one;
	const char *several;
} kma_gap_names[KMA_NR_GAPS] = {
	[KMA_GAP_DIR] = { "directory", "directories" },
	[KMA_GAP_CMD] = { ".cmd file", ".cmd files" },
	[KMA_GAP_ARCHIVE] = { "archive", "archives" },
	[KMA_GAP_OBJECT] = { "object", "objects" },
	[KMA_GAP_SYMBOLS] = { "symbol table", "symbol tables" },
	[KMA_GAP_MODULE] = { "module", "modules" },
	[KMA_GAP_IMAGE] = { "kernel image", "kernel images" },
};

size_t kma_gaps_total(const struct kma_gaps *gaps)
{
	size_t total = 0;

	for (size_t i = 0; i < KMA_NR_GAPS; i++)
		total += gaps->nr[i];
	return total;
}

struct kma_err *kma_gaps_note(struct kma_gaps *gaps, enum kma_gap gap, struct kma_err *err)
{
	_cleanup_free_ char *text = NULL;

	if (!kma_err_is_of_file(err))
		return err;
	gaps->nr[gap]++;
	if (!*gaps->first) {
		text = kma_err_text(err);
		snprintf(gaps->first, sizeof(gaps->first), "%s", text ?: err->message);
	}
	kma_err_destroy(err);
	return NULL;
}

void kma_gaps_merge(struct kma_gaps *to, const struct kma_gaps *from)
{
	for (size_t i = 0; i < KMA_NR_GAPS; i++)
		to->nr[i] += from->nr[i];
	if (!*to->first)
		snprintf(to->first, sizeof(to->first), "%s", from->first);
}

char *kma_gaps_text(const struct kma_gaps *gaps)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	char *ret;

	for (size_t i = 0; i < KMA_NR_GAPS; i++)
		if (gaps->nr[i])
			kma_strbuf_printf(&text, "%s%zu %s", text.len ? ", " : "", gaps->nr[i],
					  gaps->nr[i] == 1 ? kma_gap_names[i].one :
							     kma_gap_names[i].several);
	ret = text.str;
	text.str = NULL;
	return ret;
}

void kma_notes_add(struct kma_notes *notes, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	if (text)
		kma_strbuf_add(&notes->text, text, strlen(text) + 1);
}

void kma_notes_gaps(struct kma_notes *notes, const char *name, const struct kma_gaps *gaps,
		    const char *effect)
{
	_cleanup_free_ char *text = NULL;

	if (!kma_gaps_total(gaps))
		return;
	text = kma_gaps_text(gaps);
	kma_notes_add(notes, "%s: cannot read %s; %s; the first: %s", name, text ?: "all files",
		      effect, gaps->first);
}

const char *kma_notes_next(const struct kma_notes *notes, const char *note)
{
	const char *next = note ? note + strlen(note) + 1 : notes->text.str;

	return next && next < notes->text.str + notes->text.len ? next : NULL;
}

void kma_notes_move(struct kma_notes *notes, struct kma_notes *to)
{
	if (to)
		kma_strbuf_add(&to->text, notes->text.str, notes->text.len);
	kma_notes_deinit(notes);
}

void kma_notes_deinit(struct kma_notes *notes)
{
	kma_strbuf_deinit(&notes->text);
}
