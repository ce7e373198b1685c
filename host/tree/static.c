// SPDX-License-Identifier: GPL-2.0-only
/*
 * static.c - static sizes in the tree of owners.
 */
#include <string.h>

#include "lib/cleanup.h"
#include "static.h"

static void static_add_one(const struct kma_static_object *object, struct kma_node *root)
{
	struct kma_values sums[KMA_OTHER + 1] = { 0 };
	struct kma_node *file;

	for (size_t i = 0; i < object->nr_sections; i++) {
		struct kma_values values;

		kma_static_section_values(&object->sections[i], &values);
		kma_values_add(&sums[object->sections[i].kind], &values);
	}
	/* Bytes without a source file are in a row in brackets. */
	file = *object->object->source == '[' ? kma_node_add_named(root, object->object->source) :
						kma_node_add_path(root, object->object->source);
	for (size_t kind = KMA_TEXT; kind <= KMA_OTHER; kind++)
		if (!kma_values_is_zero(&sums[kind]))
			kma_node_add_module_section(file, kma_metrics[kind].name,
						    object->object->module, &sums[kind]);
}

/* Adds the padding before the sections of an object to a row of the object's directory. */
static void static_add_padding(const struct kma_static_object *object, struct kma_node *root)
{
	_cleanup_free_ char *path = NULL;

	for (size_t i = 0; i < object->nr_sections; i++) {
		const struct kma_static_section *section = &object->sections[i];
		struct kma_values values = { 0 };
		struct kma_node *row;

		if (!section->padding)
			continue;
		path = path ?: kma_static_alignment(object->object);
		kma_metrics[section->kind].set(&values, section->padding);
		row = strchr(path, '/') ? kma_node_add_path(root, path) :
					  kma_node_add_named(root, path);
		kma_node_add_section(row, kma_metrics[section->kind].name, &values);
	}
}

void kma_static_add(const struct kma_static *st, bool modules, struct kma_node *root)
{
	for (size_t i = 0; i < st->nr; i++)
		if (!st->objects[i].unreadable && (modules || !st->objects[i].object->module)) {
			static_add_one(&st->objects[i], root);
			static_add_padding(&st->objects[i], root);
		}
}

struct kma_err *kma_static_join(const struct kma_objects *objects, struct kma_node *root,
				struct kma_static_stats *stats)
{
	struct kma_static *st;
	struct kma_err *err;

	memset(stats, 0, sizeof(*stats));
	err = kma_static_read(objects, false, &st);
	if (err)
		return err;
	*stats = st->stats;
	kma_static_add(st, true, root);
	kma_static_destroy(st);
	kma_node_roll_up(root);
	return NULL;
}
