// SPDX-License-Identifier: GPL-2.0-only
/*
 * wrappers.c - recognise functions that only pass an allocation on.
 */
#include <stddef.h>

#include "wrappers.h"

int kma_wrappers_compile(regex_t *ret)
{
	return regcomp(ret, "^(" KMA_WRAPPERS ")$", REG_EXTENDED | REG_NOSUB);
}

unsigned int kma_wrappers_skip(const regex_t *wrappers, const struct kma_frame *frames,
			       unsigned int nr)
{
	unsigned int skip = 0;

	/* As in pprof: a wrapper is left out with all functions that it calls. */
	for (unsigned int i = 0; i + 1 < nr; i++)
		if (!regexec(wrappers, frames[i].function, 0, NULL, 0))
			skip = i + 1;
	return skip;
}
