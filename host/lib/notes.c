// SPDX-License-Identifier: GPL-2.0-only
/*
 * notes.c - sentences for the user, kept until a caller prints them.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "notes.h"

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
