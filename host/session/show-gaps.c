// SPDX-License-Identifier: GPL-2.0
/*
 * show-gaps.c - the one line that says what could not be read.
 */
#include "lib/cleanup.h"
#include "lib/say.h"
#include "show-gaps.h"

void kma_warn_gaps(const char *name, const struct kma_gaps *gaps, const char *effect)
{
	_cleanup_free_ char *text = NULL;

	if (!kma_gaps_total(gaps))
		return;
	text = kma_gaps_text(gaps);
	kma_warn("%s: cannot read %s; %s; the first: %s", name, text ?: "all files", effect,
		 gaps->first);
}
