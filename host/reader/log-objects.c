// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-objects.c - single objects of an event log.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "log-objects.h"
#include "log-seen.h"
#include "log-sites.h"

struct kma_objects_reader {
	struct kma_log *log;
	struct kma_log_sites *sites;
	struct kma_log_objects *to;
	struct kma_seen_map *map;
	uint64_t *large; /* by CPU: address of the last large kmalloc() */
	uint64_t start;	 /* time of the start of the log, ns */
	uint64_t from;	 /* time from which on events are counted, ns */
	uint32_t losses; /* LOST records so far */
	bool counts;	 /* the interval has begun */
};

unsigned int kma_size_bin(uint64_t bytes)
{
	return bytes < 2 ? bytes : 65U - __builtin_clzll(bytes - 1);
}

static unsigned int life_bin(uint64_t ns)
{
	unsigned int bin = 0;

	for (uint64_t end = 1000; bin < KMA_LIFE_BINS - 1 && ns >= end; end *= 10)
		bin++;
	return bin;
}

uint64_t kma_objects_median(const struct kma_objects_site *site)
{
	uint64_t seen = 0;
	unsigned int bin = 0;

	for (; bin < 63; bin++) {
		seen += site->lives[bin];
		if (seen * 2 >= site->freed)
			break;
	}
	return 1ULL << bin;
}

static void bin_add(struct kma_objects_bin *bin, uint64_t req, uint64_t alloc)
{
	bin->objects++;
	bin->req += req;
	bin->alloc += alloc;
}

static struct kma_objects_site *objects_site(struct kma_log_objects *to, uint32_t site)
{
	kma_array_reach(to->sites, to->nr_sites, site);
	return &to->sites[site];
}

/* Return the number of a CPU or node, by a linear search: there are few. */
static void matrix_place(struct kma_objects_matrix *m, uint32_t name, uint32_t *ret)
{
	uint32_t room = m->room ? m->room * 2 : 8;
	struct kma_objects_bin *cells;
	uint32_t *names;

	for (*ret = 0; *ret < m->nr; (*ret)++)
		if (m->names[*ret] == name)
			return;
	if (m->nr == m->room) {
		names = kma_xrealloc(m->names, room, sizeof(*names));
		m->names = names;
		cells = kma_xcalloc((size_t)room * room, sizeof(*cells));
		for (uint32_t i = 0; i < m->nr; i++)
			memcpy(cells + (size_t)i * room, m->cells + (size_t)i * m->room,
			       m->nr * sizeof(*cells));
		free(m->cells);
		m->cells = cells;
		m->room = room;
	}
	m->names[m->nr++] = name;
}

static void matrix_add(struct kma_objects_matrix *m, uint32_t from, uint32_t to,
		       const struct kma_seen *seen)
{
	uint32_t row, column;

	matrix_place(m, from, &row);
	matrix_place(m, to, &column);
	bin_add(&m->cells[(size_t)row * m->room + column], seen->req, seen->alloc);
}

static struct kma_objects_where objects_here(const struct kma_objects_reader *reader,
					     const struct kma_log_item *item, uint32_t site)
{
	return (struct kma_objects_where){
		.time = item->time - reader->start,
		.site = site,
		.cpu = item->cpu,
		.tid = item->tid,
	};
}

static void objects_error(struct kma_log_objects *to, const struct kma_free_error *error)
{
	*(error->twice ? &to->twice : &to->wrong) += 1;
	if (to->nr_errors == KMA_FREE_ERRORS)
		return;
	kma_array_room(to->errors, to->nr_errors, to->room_errors);
	to->errors[to->nr_errors++] = *error;
}

/*
 * Is this the second event of one large kmalloc()? Some kernels report it twice: the first event
 * has a function of the allocator as its site, the second one, on the same CPU, its real caller.
 */
static bool objects_is_second(const struct kma_objects_reader *reader,
			      const struct kma_log_item *item, const struct kma_seen *seen)
{
	return item->part == KMA_LOG_LARGE && seen->alloc_at.cpu == item->cpu &&
	       seen->req == item->req && reader->large[item->cpu] == item->ptr;
}

/* Take an allocation out of all sums: its second event replaces it. */
static void objects_uncount(struct kma_log_objects *to, const struct kma_seen *seen)
{
	struct kma_objects_site *site = &to->sites[seen->alloc_at.site];
	struct kma_objects_bin *bins[] = { &to->total, &to->sizes[kma_size_bin(seen->req)],
					   &to->wastes[kma_size_bin(seen->alloc - seen->req)] };

	for (size_t i = 0; i < ARRAY_SIZE(bins); i++) {
		bins[i]->objects--;
		bins[i]->req -= seen->req;
		bins[i]->alloc -= seen->alloc;
	}
	site->allocs--;
	site->req -= seen->req;
	site->alloc -= seen->alloc;
}

static void objects_alloc(struct kma_objects_reader *reader, const struct kma_log_item *item,
			  uint32_t site)
{
	struct kma_log_objects *to = reader->to;
	struct kma_objects_site *sums;
	struct kma_seen *seen;
	bool second;

	if (item->failed || item->ptr <= KMA_PTR_NONE) {
		to->failed += reader->counts;
		return;
	}
	seen = kma_seen_get(reader->map, item->ptr);
	sums = objects_site(to, site);
	if (seen->live && item->quiet)
		return;
	second = seen->live && objects_is_second(reader, item, seen);
	if (second && seen->counted)
		objects_uncount(to, seen);
	to->implied += seen->live && !second && reader->counts;
	if (item->part == KMA_LOG_LARGE)
		reader->large[item->cpu] = second ? 0 : item->ptr;
	seen->req = item->req;
	seen->alloc = item->alloc < item->req ? item->req : item->alloc;
	seen->kind = item->kind;
	seen->node = item->node;
	seen->live = seen->has_alloc = true;
	seen->counted = reader->counts;
	seen->losses = reader->losses;
	seen->alloc_at = objects_here(reader, item, site);
	if (!reader->counts)
		return;
	bin_add(&to->total, seen->req, seen->alloc);
	bin_add(&to->sizes[kma_size_bin(seen->req)], seen->req, seen->alloc);
	bin_add(&to->wastes[kma_size_bin(seen->alloc - seen->req)], seen->req, seen->alloc);
	sums->allocs++;
	sums->req += seen->req;
	sums->alloc += seen->alloc;
}

/* Node of the memory: the requested node, or that of the CPU. */
static uint32_t objects_node(const struct kma_objects_reader *reader, uint32_t cpu, uint16_t node)
{
	uint16_t of_cpu;

	if (node != KMA_LOG_NO_NODE)
		return node;
	of_cpu = kma_log_cpu_node(reader->log, cpu);
	return of_cpu == KMA_LOG_NO_NODE ? KMA_LOG_NO_CPU : of_cpu;
}

/*
 * Was the last free of an address after the log began? If it was before, the log may lack an
 * allocation between the two frees. The module records nothing before the start of its log, but
 * another writer of the format may.
 */
static bool objects_is_known(const struct kma_objects_reader *reader, const struct kma_seen *seen)
{
	uint64_t began = kma_log_sums(reader->log)->began;

	return !began || (int64_t)(reader->start + seen->freed_at.time - began) >= 0;
}

/* Count the free of a live object within the interval. */
static void objects_freed(struct kma_objects_reader *reader, const struct kma_log_item *item,
			  uint32_t site, const struct kma_seen *seen)
{
	uint32_t cpu = seen->alloc_at.cpu;
	uint64_t life = item->time - reader->start - seen->alloc_at.time;
	bool wrong = seen->kind != item->kind && item->kind && seen->kind &&
		     item->kind <= KMA_KIND_CACHE && seen->kind <= KMA_KIND_CACHE;
	struct kma_log_objects *to = reader->to;
	struct kma_objects_site *sums;

	matrix_add(&to->cpus, cpu, item->cpu, seen);
	matrix_add(&to->nodes, objects_node(reader, cpu, seen->node),
		   objects_node(reader, item->cpu, KMA_LOG_NO_NODE), seen);
	if (wrong && (item->kind == KMA_KIND_CACHE || !to->kfree_frees_all))
		objects_error(to, &(struct kma_free_error){
					  .lossy = seen->losses != reader->losses,
					  .ptr = item->ptr,
					  .alloc = seen->alloc_at,
					  .has_alloc = true,
					  .freed = objects_here(reader, item, site),
				  });
	bin_add(&to->lives[life_bin(life)], seen->req, seen->alloc);
	to->before += !seen->counted;
	if (!seen->counted)
		return;
	sums = &to->sites[seen->alloc_at.site];
	sums->freed++;
	sums->life_sum += life;
	sums->life_max = life > sums->life_max ? life : sums->life_max;
	sums->lives[life ? 64 - __builtin_clzll(life) - (life >> 63) : 0]++;
}

/* Count the free of an address that is not live: a double free, or of an unknown object. */
static void objects_not_live(struct kma_objects_reader *reader, const struct kma_log_item *item,
			     uint32_t site, const struct kma_seen *seen)
{
	if (item->quiet || !reader->counts)
		return;
	if (!seen || item->kind == KMA_KIND_PAGE || seen->loose ||
	    !objects_is_known(reader, seen)) {
		reader->to->unknown++;
		return;
	}
	objects_error(reader->to, &(struct kma_free_error){
					  .twice = true,
					  .lossy = seen->losses != reader->losses,
					  .ptr = item->ptr,
					  .alloc = seen->alloc_at,
					  .has_alloc = seen->has_alloc,
					  .freed = seen->freed_at,
					  .again = objects_here(reader, item, site),
				  });
}

static void objects_free(struct kma_objects_reader *reader, const struct kma_log_item *item,
			 uint32_t site)
{
	struct kma_seen *seen;

	if (item->ptr <= KMA_PTR_NONE)
		return;
	seen = kma_seen_get(reader->map, item->ptr);
	if (!seen->live)
		objects_not_live(reader, item, site, seen->freed ? seen : NULL);
	else if (item->kind == KMA_KIND_PAGE && item->alloc && item->alloc != seen->alloc)
		reader->to->parts += reader->counts;
	else if (reader->counts)
		objects_freed(reader, item, site, seen);
	seen->live = false;
	seen->freed = true;
	/* kfree_rcu() reports a free before it happens; the free itself may be reported again. */
	seen->loose = !item->kind || (seen->loose && item->quiet);
	seen->losses = reader->losses;
	seen->freed_at = objects_here(reader, item, site);
}

static void objects_take(struct kma_objects_reader *reader, const struct kma_log_item *item)
{
	uint32_t site;

	kma_log_sites_find(reader->sites, item, &site);
	reader->losses += item->type == KMA_LOG_ITEM_LOST;
	if (item->type > KMA_LOG_ITEM_FREE || item->part == KMA_LOG_SLAB_PAGE ||
	    item->part == KMA_LOG_PERCPU_PAGE)
		return;
	reader->counts = item->time >= reader->from;
	if (item->type == KMA_LOG_ITEM_ALLOC)
		objects_alloc(reader, item, site);
	else
		objects_free(reader, item, site);
}

/* Count the objects that are live at the end. */
static void objects_left(struct kma_log_objects *to, const struct kma_seen_map *map)
{
	size_t nr;
	const struct kma_seen *seen = kma_seen_all(map, &nr);

	for (; nr; nr--, seen++) {
		if (!seen->live)
			continue;
		to->live++;
		to->live_alloc += seen->alloc;
		if (seen->counted)
			to->sites[seen->alloc_at.site].live++;
	}
}

void kma_objects_site_add(struct kma_objects_site *to, const struct kma_objects_site *from)
{
	to->allocs += from->allocs;
	to->req += from->req;
	to->alloc += from->alloc;
	to->freed += from->freed;
	to->live += from->live;
	to->life_sum += from->life_sum;
	if (from->life_max > to->life_max)
		to->life_max = from->life_max;
	for (size_t i = 0; i < ARRAY_SIZE(to->lives); i++)
		to->lives[i] += from->lives[i];
}

/* Makes the account of the call sites. Requested bytes are those of all objects, not of live ones. */
static struct kma_err *objects_account(struct kma_objects_reader *reader,
				       const struct kma_input *input)
{
	struct kma_log_objects *to = reader->to;
	struct kma_err *err = NULL;

	to->account = kma_account_create(kma_input_name(input));
	kma_log_sites_note(reader->sites, to->account);
	kma_account_set_metrics(to->account, 1U << KMA_ALLOCS | 1U << KMA_REQUESTED);
	for (uint32_t i = 0; i < to->nr_sites && !err; i++) {
		const struct kma_values values = { .allocs = to->sites[i].allocs,
						   .req = to->sites[i].req };

		if (values.allocs)
			err = kma_log_sites_add(reader->sites, i, &values, to->account);
	}
	return err ?: kma_account_finish(to->account);
}

static struct kma_err *objects_read_all(struct kma_objects_reader *reader, struct kma_input *input)
{
	const struct kma_log_head *head = kma_log_head(reader->log);
	unsigned int major = 0, minor = 0;
	const struct kma_log_item *item;

	reader->start = head->start;
	reader->from = kma_log_interval(reader->log, kma_input_interval(input));
	reader->to->kfree_frees_all = sscanf(head->release, "%u.%u", &major, &minor) == 2 &&
				      (major > 6 || (major == 6 && minor >= 4));
	reader->large = kma_xcalloc(head->nr_cpus + 1, sizeof(*reader->large));
	reader->sites = kma_log_sites_create(reader->log, reader->to->intern, input);
	reader->to->by = kma_log_sites_owned(reader->sites);
	while (kma_log_next(reader->log, &item))
		objects_take(reader, item);
	reader->to->sums = *kma_log_sums(reader->log);
	objects_left(reader->to, reader->map);
	return objects_account(reader, input);
}

struct kma_err *kma_log_objects_read(struct kma_input *input, struct kma_log_objects **ret)
{
	struct kma_objects_reader reader = { .to = kma_xcalloc(1, sizeof(*reader.to)) };
	struct kma_err *err;

	err = kma_log_open(input, NULL, NULL, &reader.log);
	if (!err)
		reader.to->intern = kma_intern_new();
	reader.map = kma_seen_create();
	if (!err)
		err = objects_read_all(&reader, input);
	kma_seen_destroy(reader.map);
	kma_log_sites_destroy(reader.sites);
	kma_log_close(reader.log);
	free(reader.large);
	if (err) {
		kma_log_objects_destroy(reader.to);
		return err;
	}
	*ret = reader.to;
	return NULL;
}

void kma_log_objects_destroy(struct kma_log_objects *objects)
{
	if (!objects)
		return;
	kma_intern_destroy(objects->intern);
	kma_account_destroy(objects->account);
	free(objects->sites);
	free(objects->cpus.names);
	free(objects->cpus.cells);
	free(objects->nodes.names);
	free(objects->nodes.cells);
	free(objects->errors);
	free(objects);
}
