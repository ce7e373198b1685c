// SPDX-License-Identifier: GPL-2.0-only
/*
 * static.c - the static sizes of a kernel's objects in memory.
 *
 * Only headers of an object are read (symbol/binary.h), with a few system calls. Threads help
 * because most of the time is spent waiting for the page cache. An error is stored with its object,
 * and errors are reported in the order of the list, so the first one is the same in every run.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/cleanup.h"
#include "static.h"
#include "symbol/pieces.h"

#define KMA_MAX_THREADS 16
/* Fewest objects for which another thread pays. */
#define KMA_OBJECTS_EACH 64

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/* Is the section freed after boot? A module's .exit is kept until the module is unloaded. */
static bool is_init(const char *name, bool module)
{
	size_t len = strlen(name);

	return begins(name, ".init") || (len > 5 && !strcmp(name + len - 5, ".init")) ||
	       (!module && begins(name, ".exit"));
}

enum kma_metric_id kma_static_kind(const struct kma_binary_section *section, bool module)
{
	if (is_init(section->name, module))
		return KMA_INIT;
	if (section->nobits)
		return KMA_BSS;
	if (section->exec)
		return KMA_TEXT;
	if (begins(section->name, ".rodata") || section->merge)
		return KMA_RODATA;
	return section->write ? KMA_DATA : KMA_OTHER;
}

static void values_put(struct kma_values *values, enum kma_metric_id kind, uint64_t size)
{
	kma_metrics[kind].set(values, kma_metrics[kind].get(values) + size);
}

void kma_static_section_values(const struct kma_static_section *section, struct kma_values *ret)
{
	memset(ret, 0, sizeof(*ret));
	values_put(ret, section->kind, section->linked);
	ret->merged = section->merged;
	ret->discarded = section->size - section->linked - section->merged;
}

/* Data that all threads share. */
struct kma_static_work {
	struct kma_static *st;
	int dir;
	bool pieces;	       /* cut the sections at their symbols, too */
	atomic_size_t next;    /* number of the first object that no thread has taken */
	struct kma_err **errs; /* of each object; only the thread that reads it writes there */
};

struct kma_static_thread {
	struct kma_static_work *work;
	struct kma_arena *arena;
	pthread_t id;
	bool started;
};

/* Copy the sections that take bytes. @places: index of each copy by index in @bin. */
static void static_keep_sections(const struct kma_binary *bin, struct kma_arena *arena,
				 struct kma_static_object *ret, uint32_t *places)
{
	ret->sections = kma_xmalloc((bin->nr_sections + 1) * sizeof(*ret->sections));
	for (size_t i = 0; i < bin->nr_sections; i++) {
		const struct kma_binary_section *section = &bin->sections[i];

		if (!section->size)
			continue;
		places[i] = ret->nr_sections;
		ret->sections[ret->nr_sections++] = (struct kma_static_section){
			.name = kma_arena_text(arena, section->name, strlen(section->name)),
			.size = section->size,
			.linked = section->size,
			.kind = kma_static_kind(section, ret->object->module),
			.output = -1,
			.align = section->align,
		};
	}
}

static void static_keep_pieces(const struct kma_binary *bin, struct kma_arena *arena,
			       const uint32_t *places, struct kma_static_object *ret)
{
	_cleanup_free_ struct kma_piece *pieces = NULL;
	size_t nr;

	kma_pieces_cut(bin, &pieces, &nr);
	ret->pieces = kma_xmalloc((nr + 1) * sizeof(*ret->pieces));
	for (size_t i = 0; i < nr; i++)
		ret->pieces[ret->nr_pieces++] = (struct kma_static_piece){
			.name = kma_arena_text(arena, pieces[i].name, strlen(pieces[i].name)),
			.size = pieces[i].size,
			.section = places[pieces[i].section],
			.local = pieces[i].local,
			.section_name = pieces[i].section_name,
		};
}

static struct kma_err *static_read_object(const struct kma_static_work *work,
					  struct kma_arena *arena, struct kma_static_object *object)
{
	_cleanup_free_ uint32_t *places = NULL;
	struct kma_binary *bin;
	struct kma_err *err;

	err = kma_binary_open(work->dir, object->object->path, work->pieces, &bin);
	if (err)
		return err;
	object->lto = bin->lto;
	places = kma_xcalloc(bin->nr_sections + 1, sizeof(*places));
	static_keep_sections(bin, arena, object, places);
	if (work->pieces)
		static_keep_pieces(bin, arena, places, object);
	kma_binary_close(bin);
	return NULL;
}

static void *static_thread(void *arg)
{
	struct kma_static_thread *thread = arg;
	struct kma_static_work *work = thread->work;
	struct kma_static *st = work->st;
	size_t i;

	while ((i = atomic_fetch_add(&work->next, 1)) < st->nr) {
		work->errs[i] = static_read_object(work, thread->arena, &st->objects[i]);
		st->objects[i].unreadable = work->errs[i];
	}
	return NULL;
}

static size_t static_nr_threads(size_t objects)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t nr = objects / KMA_OBJECTS_EACH + 1;

	if (cpus > 0 && nr > (size_t)cpus)
		nr = cpus;
	return nr > KMA_MAX_THREADS ? KMA_MAX_THREADS : nr;
}

/* Thread 0 is this one. If a thread cannot be created, the others read its objects. */
static struct kma_err *static_run(struct kma_static_work *work)
{
	struct kma_static_thread threads[KMA_MAX_THREADS] = { 0 };
	struct kma_static *st = work->st;
	struct kma_err *err = NULL;

	work->errs = kma_xcalloc(st->nr + 1, sizeof(*work->errs));
	for (size_t i = 0; i < st->nr_arenas; i++)
		threads[i] = (struct kma_static_thread){ .work = work, .arena = &st->arenas[i] };
	for (size_t i = 1; i < st->nr_arenas; i++)
		threads[i].started =
			!pthread_create(&threads[i].id, NULL, static_thread, &threads[i]);
	static_thread(&threads[0]);
	for (size_t i = 0; i < st->nr_arenas; i++)
		if (threads[i].started)
			pthread_join(threads[i].id, NULL);
	/* In the order of the list, so that the first error is the same in every run. */
	for (size_t i = 0; i < st->nr; i++) {
		work->errs[i] = kma_gaps_note(&st->stats.gaps, KMA_GAP_OBJECT, work->errs[i]);
		if (err)
			kma_err_destroy(work->errs[i]);
		else
			err = work->errs[i];
	}
	free(work->errs);
	return err;
}

static void static_count(struct kma_static *st)
{
	for (size_t i = 0; i < st->nr; i++) {
		st->stats.objects += !st->objects[i].unreadable;
		st->stats.lto += st->objects[i].lto != KMA_LTO_NONE;
	}
}

static struct kma_static *static_create(const struct kma_objects *objects)
{
	struct kma_static *st = kma_xcalloc(1, sizeof(*st));
	const struct kma_object *list;

	list = kma_objects_list(objects, &st->nr);
	st->nr_arenas = static_nr_threads(st->nr);
	st->objects = kma_xcalloc(st->nr, sizeof(*st->objects));
	st->arenas = kma_xcalloc(st->nr_arenas, sizeof(*st->arenas));
	for (size_t i = 0; i < st->nr; i++)
		st->objects[i].object = &list[i];
	for (size_t i = 0; i < st->nr_arenas; i++)
		kma_arena_init(&st->arenas[i]);
	return st;
}

struct kma_err *kma_static_read(const struct kma_objects *objects, bool pieces,
				struct kma_static **ret)
{
	struct kma_static_work work = { .pieces = pieces };
	struct kma_err *err;

	work.dir = open(kma_objects_dir(objects), O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (work.dir < 0)
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, kma_objects_dir(objects), 0,
					   "cannot open: %m");
	work.st = static_create(objects);
	err = static_run(&work);
	close(work.dir);
	if (err) {
		kma_static_destroy(work.st);
		return err;
	}
	static_count(work.st);
	*ret = work.st;
	return NULL;
}

void kma_static_destroy(struct kma_static *st)
{
	if (!st)
		return;
	for (size_t i = 0; i < st->nr; i++) {
		free(st->objects[i].sections);
		free(st->objects[i].pieces);
	}
	for (size_t i = 0; i < st->nr_arenas; i++)
		kma_arena_deinit(&st->arenas[i]);
	free(st->objects);
	free(st->arenas);
	free(st);
}

char *kma_static_alignment(const struct kma_object *object)
{
	const char *slash = strrchr(object->source, '/');

	return kma_xasprintf("%.*s" KMA_STATIC_ALIGNMENT,
			     slash ? (int)(slash - object->source) + 1 : 0, object->source);
}
