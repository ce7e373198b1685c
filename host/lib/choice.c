// SPDX-License-Identifier: GPL-2.0-only
/*
 * choice.c - the name that a typing error may have changed.
 *
 * The distance is the number of letters that are missing, too many or wrong, and of pairs that are
 * exchanged (optimal string alignment). One error for each three letters is a typing error; more
 * is another word.
 */
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "choice.h"

#define LONGEST 32 /* letters; no name is longer */

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static unsigned int errors_between(const char *a, const char *b)
{
	/* the first i letters of a made of the first j letters of b */
	unsigned int cost[LONGEST + 1][LONGEST + 1];
	size_t len_a = strlen(a), len_b = strlen(b);

	if (len_a > LONGEST || len_b > LONGEST)
		return LONGEST;
	for (size_t i = 0; i <= len_a; i++) {
		for (size_t j = 0; j <= len_b; j++) {
			if (!i || !j) {
				cost[i][j] = i + j;
				continue;
			}
			cost[i][j] = least(least(cost[i - 1][j], cost[i][j - 1]) + 1,
					   cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1);
		}
	}
	return cost[len_a][len_b];
}

void kma_choice_add(struct kma_choice *choice, const char *name, const char *last)
{
	const char *word = choice->word ?: "";
	unsigned int errors = errors_between(word, name);
	size_t letters = strlen(word) > strlen(name) ? strlen(word) : strlen(name);

	if (*word && errors <= letters / 3 && (!choice->nearest || errors < choice->errors)) {
		choice->nearest = name;
		choice->errors = errors;
	}
	kma_strbuf_item(&choice->names, name, last);
}

const char *kma_choice_text(struct kma_choice *choice)
{
	free(choice->text);
	choice->text = kma_xasprintf("%s%s%sexpected %s", choice->nearest ? "did you mean " : "",
				     choice->nearest ?: "", choice->nearest ? "? " : "",
				     choice->names.str ?: "");
	return choice->text;
}

void kma_choice_deinit(struct kma_choice *choice)
{
	kma_strbuf_deinit(&choice->names);
	free(choice->text);
}
