/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * only.h - select call sites: --only KEY=PATTERN, --not KEY=PATTERN, --only 'COLUMN>NUMBER'.
 *
 * A call site is selected if it passes each rule. A rule has one or more patterns (fnmatch(3)), of
 * which one has to match; --not is passed if none does. A pattern is compared with the text that a
 * report by that key has, with these additions: a directory and a cgroup stand for all below them,
 * a caller may be given without its offset, a function without its file, a type without its mark, a
 * NUMA node by its number, and the case of a subsystem does not matter. Only * and ? are special,
 * because many names have brackets.
 */
#ifndef KMA_TREE_ONLY_H
#define KMA_TREE_ONLY_H

#include "key.h"
#include "maintainers.h"
#include "model/account.h"

#define KMA_ONLY_MAX  16  /* most rules */
#define KMA_ONLY_TEXT 512 /* bytes of the patterns of a rule */

struct kma_only_rule {
	const char *text; /* as typed */
	bool negated;
	char op;		   /* '=', '<' or '>' */
	enum kma_key_id key;	   /* with '=' */
	enum kma_metric_id metric; /* with '<' and '>' */
	uint64_t number;
	char patterns[KMA_ONLY_TEXT]; /* each is followed by a zero byte, the last one by two */
};

struct kma_only {
	struct kma_only_rule rules[KMA_ONLY_MAX];
	unsigned int nr;
};

/*
 * Reads a rule: "module=ext4,xfs", "live>1M"; the text has to live as long as @only. A pattern with
 * a comma is in double quotes. Returns NULL, or a static sentence, without the option's name, that
 * says why the rule is refused.
 */
const char *kma_only_add(struct kma_only *only, const char *text, bool negated);

/* Set of 1 << enum kma_key_id that the rules read. */
unsigned int kma_only_keys(const struct kma_only *only);

/* Set of 1 << enum kma_metric_id that the rules read. */
unsigned int kma_only_metrics(const struct kma_only *only);

/*
 * Which sites of an account are selected: for each a bool, to be freed. @maintainers: for
 * subsystems; NULL: none are known.
 */
bool *kma_only_sites(const struct kma_only *only, const struct kma_account *account,
		     struct kma_maintainers *maintainers);

/* Does a call site pass all rules? @arena: gets texts. */
bool kma_only_passes(const struct kma_only *only, const struct kma_item *item,
		     struct kma_arena *arena);

/* The rules as a sentence has them: "module=ext4, not dir=fs". */
void kma_only_text(const struct kma_only *only, struct kma_strbuf *out);

#endif /* KMA_TREE_ONLY_H */
