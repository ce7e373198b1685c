// SPDX-License-Identifier: GPL-2.0
/*
 * static.c - what a kernel's own objects hold in memory from the start.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/cleanup.h"
#include "../symbol/elf.h"
#include "static.h"

struct kma_static_object {
	struct kma_values values;
	bool module;
};

static bool kma_begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/* Is it given back after boot? A module's .exit is kept until it is unloaded. */
static bool kma_is_init(const char *name, bool module)
{
	size_t len = strlen(name);

	return kma_begins(name, ".init") || (len > 5 && !strcmp(name + len - 5, ".init")) ||
	       (!module && kma_begins(name, ".exit"));
}

static struct kma_err *kma_static_add(void *arg, const struct kma_elf_section *section)
{
	struct kma_static_object *object = arg;
	struct kma_values *values = &object->values;

	if (kma_is_init(section->name, object->module))
		values->init += section->size;
	else if (section->nobits)
		values->bss += section->size;
	else if (section->exec)
		values->text += section->size;
	else if (kma_begins(section->name, ".rodata") || section->merge)
		values->rodata += section->size;
	else if (section->write)
		values->data += section->size;
	else
		values->other += section->size;
	return NULL;
}

struct kma_err *kma_static_values(const char *path, bool module, struct kma_values *ret)
{
	struct kma_static_object object = { .module = module };
	struct kma_err *err;

	err = kma_elf_sections(path, kma_static_add, &object);
	*ret = object.values;
	return err;
}

static struct kma_err *kma_static_join_sections(struct kma_node *file,
						const struct kma_values *values)
{
	const struct {
		enum kma_metric_id id;
		struct kma_values values;
	} sections[] = {
		{ KMA_TEXT, { .text = values->text } },
		{ KMA_RODATA, { .rodata = values->rodata } },
		{ KMA_DATA, { .data = values->data } },
		{ KMA_BSS, { .bss = values->bss } },
		{ KMA_INIT, { .init = values->init } },
		{ KMA_OTHER, { .other = values->other } },
	};
	struct kma_err *err = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(sections) && !err; i++)
		if (!kma_values_is_zero(&sections[i].values))
			err = kma_node_add_section(file, kma_metrics[sections[i].id].name,
						   &sections[i].values);
	return err;
}

static struct kma_err *kma_static_join_one(const struct kma_objects *objects,
					   const struct kma_object *object, struct kma_node *root,
					   struct kma_static_stats *stats)
{
	_cleanup_free_ char *path = NULL;
	struct kma_values values;
	struct kma_node *file;
	struct kma_err *err;

	if (asprintf(&path, "%s/%s", kma_objects_dir(objects), object->path) < 0) {
		path = NULL;
		return &kma_enomem;
	}
	err = kma_static_values(path, object->module, &values);
	if (err && err != &kma_enomem) {
		kma_err_destroy(err);
		stats->unreadable++;
		return NULL;
	}
	if (!err)
		err = kma_node_add_path(root, object->source, &file);
	if (err)
		return err;
	stats->objects++;
	return kma_static_join_sections(file, &values);
}

struct kma_err *kma_static_join(const struct kma_objects *objects, struct kma_node *root,
				struct kma_static_stats *stats)
{
	const struct kma_object *list;
	struct kma_err *err = NULL;
	size_t nr;

	memset(stats, 0, sizeof(*stats));
	list = kma_objects_list(objects, &nr);
	for (size_t i = 0; i < nr && !err; i++)
		err = kma_static_join_one(objects, &list[i], root, stats);
	kma_node_roll_up(root);
	return err;
}
