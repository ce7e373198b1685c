// SPDX-License-Identifier: GPL-2.0-only
/*
 * path.c - name what is at an offset.
 */
#include <inttypes.h>

#include "path.h"

#define WAYS 3 /* through unions, that are shown */

/* A walk from the object down to a word. */
struct path_walk {
	const struct kma_types *types;
	bool slots;
	struct kma_strbuf *ret;
	struct kma_strbuf name; /* as far as the walk has come */
	int word;		/* enum kma_types_word that ways have to end at */
	unsigned int nr;	/* ways that ended there */
	int best;		/* the likeliest word of all ways; -1: there is no way */
	unsigned int visits;
};

static void cut(struct kma_strbuf *text, size_t len)
{
	if (text->len > len)
		text->str[text->len = len] = '\0';
}

/* Writes [] or [3] for an array, and takes its elements from the offset; false if it is beyond the end. */
static bool enter_array(struct path_walk *walk, const struct kma_types_member *member,
			uint64_t *offset)
{
	uint64_t number;

	if (!member->size)
		return false;
	number = *offset / member->size;
	if (number && (!member->nr || (member->nr != KMA_TYPES_FLEXIBLE && number >= member->nr)))
		return false;
	*offset %= member->size;
	if (member->nr && walk->slots)
		kma_strbuf_puts(&walk->name, "[]");
	else if (member->nr)
		kma_strbuf_printf(&walk->name, "[%" PRIu64 "]", number);
	return true;
}

/* A way ends at a word. */
static void arrive(struct path_walk *walk, int word)
{
	if (word > walk->best)
		walk->best = word;
	if (word == walk->word && walk->nr++ < WAYS)
		kma_strbuf_printf(walk->ret, "%s%s", walk->nr > 1 ? " or " : "", walk->name.str);
}

/* Goes on in the members of what is at the end of the name. Calls itself, at most DEEP times. */
static void go_down(struct path_walk *walk, const struct kma_types_member *what, uint64_t offset,
		    unsigned int depth)
{
	const struct kma_types_type *type;
	size_t len = walk->name.len;

	if (!enter_array(walk, what, &offset))
		return;
	type = what->type == KMA_TYPES_NONE ? NULL : &walk->types->types[what->type];
	if (!type || !type->nr) {
		arrive(walk, what->word);
		return;
	}
	len = walk->name.len;
	for (uint32_t i = 0; i < type->nr && depth < KMA_TYPES_DEEP; i++) {
		const struct kma_types_member *member = &walk->types->members[type->first + i];
		const char *name = kma_types_text(walk->types, member->name);

		/* An array without elements in the middle is a mark. */
		if (member->offset > offset || walk->visits++ >= KMA_TYPES_VISITS ||
		    (member->nr == KMA_TYPES_FLEXIBLE && i + 1 < type->nr &&
		     !(type->flags & KMA_TYPES_UNION)))
			continue;
		if (*name)
			kma_strbuf_printf(&walk->name, ".%s", name);
		go_down(walk, member, offset - member->offset, depth + 1);
		cut(&walk->name, len);
	}
}

void kma_types_path(const struct kma_types *types, const struct kma_types_member *what,
		    uint64_t offset, bool slots, struct kma_strbuf *ret)
{
	struct path_walk walk = {
		.types = types, .slots = slots, .ret = ret, .word = -1, .best = -1
	};
	size_t len = ret->len;

	/* The first walk finds the likeliest word, the second one writes the ways to it. */
	for (unsigned int i = 0; i < 2; i++) {
		cut(&walk.name, 0);
		kma_strbuf_puts(&walk.name, kma_types_text(types, what->name));
		go_down(&walk, what, offset, 0);
		walk.word = walk.best;
		if (walk.best < 0)
			break;
	}
	if (walk.nr > WAYS || walk.visits >= KMA_TYPES_VISITS)
		cut(ret, len);
	kma_strbuf_deinit(&walk.name);
}
