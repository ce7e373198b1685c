// SPDX-License-Identifier: GPL-2.0-only
/*
 * switches.c - which features are on now.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "watch/lifetime.h"
#include "watch/switches.h"

#define KMA_SWITCHES_LEN	80	/* all words but the list of wrappers */

struct kma_switches kma_switches;

void kma_switches_wrap(char *list)
{
	kfree(kma_switches.wrappers);
	kma_switches.wrappers = list;
}

void kma_switches_reset(void)
{
	kfree(kma_switches.wrappers);
	kma_switches = (struct kma_switches){};
}

char *kma_switches_text(void)
{
	const struct kma_switches *s = &kma_switches;
	size_t size = KMA_SWITCHES_LEN + (s->wrappers ? strlen(s->wrappers) : 0);
	char *text;
	int n = 0;

	if (!kma_births_on && !s->cgroup && !s->node && !s->errors && !s->latency &&
	    !s->stack_depth && !s->wrappers)
		return NULL;
	text = kmalloc(size, GFP_KERNEL);
	if (!text)
		return NULL;
	*text = '\0';
	if (kma_births_on)
		n += scnprintf(text + n, size - n, " age");
	if (s->cgroup)
		n += scnprintf(text + n, size - n, " cgroup");
	if (s->errors)
		n += scnprintf(text + n, size - n, " errors");
	if (s->latency)
		n += scnprintf(text + n, size - n, " latency");
	if (s->node)
		n += scnprintf(text + n, size - n, " node");
	if (s->stack_depth)
		n += scnprintf(text + n, size - n,
			       s->stack_every > 1 ? " stacks=%u/%u" : " stacks=%u",
			       s->stack_depth, s->stack_every);
	if (s->wrappers)
		n += scnprintf(text + n, size - n, " wrappers=%s", s->wrappers);
	/* remove the leading space */
	memmove(text, text + 1, n);
	return text;
}
