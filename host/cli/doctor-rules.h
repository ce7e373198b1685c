/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * doctor-rules.h - what is known of call sites and slab caches: fixed leaks, settings, documents.
 * Documentation/format/rules.rst has the format. A rule is printed beside a verdict, and makes none.
 *
 * Locking: none.
 */
#ifndef KMA_CLI_DOCTOR_RULES_H
#define KMA_CLI_DOCTOR_RULES_H

#include "lib/arena.h"
#include "lib/err.h"

/* Members that the file does not state are NULL. */
struct kma_doctor_rule {
	const char *name;
	const char *site, *module, *cache; /* patterns, as for fnmatch(3) */
	const char *from, *fixed;	   /* versions of the kernel: "6.1.39 6.5" */
	const char *fix, *title;	   /* commit and its subject */
	const char *advice, *source;	   /* what helps now; where that is from */
};

struct kma_doctor_rules {
	struct kma_doctor_rule *list;
	size_t nr, room;
	struct kma_arena texts;
};

/* @ret is zeroed, and has to be freed also after an error, which names the line. */
struct kma_err *kma_doctor_rules_read(const char *path, struct kma_doctor_rules *ret);

void kma_doctor_rules_deinit(struct kma_doctor_rules *rules);

/*
 * The first rule for a call site, or for a cache if no call site is known; NULL: there is none.
 * @function, @module (NULL: the kernel itself), @cache and @version may be NULL: unknown.
 */
const struct kma_doctor_rule *kma_doctor_rules_find(const struct kma_doctor_rules *rules,
						    const char *function, const char *module,
						    const char *cache, const char *version);

#endif /* KMA_CLI_DOCTOR_RULES_H */
