// SPDX-License-Identifier: GPL-2.0-only
/*
 * top-source.c - the input of top.
 */
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/snapshot.h"
#include "store/history.h"
#include "lib/cleanup.h"
#include "reader/memory.h"
#include "open/refuse.h"
#include "top-source.h"

/* Opens a history that is given as DIR[@TIME]. */
static struct kma_err *kma_top_source_replay(struct kma_top_source *source, bool all)
{
	_cleanup_(kma_db_ref_deinit) struct kma_db_ref ref;

	return kma_db_ref_parse(source->path, &ref) ?:
		       kma_replay_open(ref.path, ref.label, all, &source->replay, &source->notes);
}

struct kma_err *kma_top_source_open(struct kma_top_source *source, const char *path,
				    const char *meminfo, bool replay, bool all,
				    const struct kma_kernel_query *query)
{
	struct kma_err *err;

	*source = (struct kma_top_source){ .path = path, .meminfo = meminfo };
	uname(&source->here);
	source->facts = (struct kma_top_facts){
		.source = path,
		.release = "",
		.clock = source->clock,
		.time = source->time,
		.wide = !strcmp(nl_langinfo(CODESET), "UTF-8"),
	};
	kma_refresh_init(&source->refresh, path, query);
	if (replay)
		return kma_top_source_replay(source, all);
	if (kma_history_is(path))
		return kma_err_create_kind(KMA_ERR_USAGE, path, 0, "a history; use --replay %s",
					   path);
	err = kma_refuse_live(path);
	if (err)
		return err;
	source->is_remote = !strcmp(path, "-");
	if (!source->is_remote)
		return NULL;
	source->facts.source = "standard input";
	return kma_remote_open(&source->remote, all);
}

void kma_top_source_close(struct kma_top_source *source)
{
	kma_refresh_deinit(&source->refresh);
	kma_replay_close(source->replay);
	kma_remote_close(&source->remote);
	kma_notes_deinit(&source->notes);
	free(source->trouble);
}

/* Reads the memory of the account's machine, if meminfo is available; missing lines are 0. */
static struct kma_err *kma_top_source_memory(const struct kma_top_source *source, bool is_here,
					     struct kma_top_memory *ret)
{
	const struct {
		const char *name;
		uint64_t *to;
	} lines[] = {
		{ "MemTotal", &ret->total },	     { "MemFree", &ret->free },
		{ "AnonPages", &ret->anonymous },    { "Cached", &ret->cache },
		{ "Buffers", &ret->cache },	     { "Slab", &ret->slab },
		{ "PageTables", &ret->page_tables }, { "KernelStack", &ret->stacks },
		{ "Percpu", &ret->percpu },
	};
	const char *path = source->meminfo;
	struct kma_meminfo meminfo = { 0 };
	struct kma_err *err;
	uint64_t bytes;

	*ret = (struct kma_top_memory){ 0 };
	if (!path && is_here)
		path = KMA_TOP_MEMINFO;
	if (!path)
		return NULL;
	err = kma_meminfo_read(path, &meminfo);
	/* The machine's own meminfo is optional here, because the user did not request it. */
	if (err && !source->meminfo) {
		kma_err_destroy(err);
		err = NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (kma_meminfo_get(&meminfo, lines[i].name, &bytes))
			*lines[i].to += bytes;
	kma_meminfo_deinit(&meminfo);
	return err;
}

/* Sets the texts with the time of the numbers: the current time, or that of the sample. */
static void kma_top_source_clock(struct kma_top_source *source)
{
	uint64_t ns = source->replay ? kma_replay_time(source->replay) : source->remote.time;
	time_t of = ns ? (time_t)(ns / 1000000000) : time(NULL);
	size_t nr, at, len;
	struct tm tm;

	if (!localtime_r(&of, &tm))
		return;
	strftime(source->time, sizeof(source->time), "%Y-%m-%dT%H:%M:%S%z", &tm);
	len = strftime(source->clock, sizeof(source->clock),
		       source->replay ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &tm);
	if (!source->replay)
		return;
	at = kma_replay_at(source->replay, &nr);
	snprintf(source->clock + len, sizeof(source->clock) - len, " (sample %zu of %zu)", at + 1,
		 nr);
}

bool kma_top_source_wait(struct kma_top_source *source, unsigned int ms)
{
	return !source->is_remote || kma_feed_wait(source->remote.feed, ms);
}

static struct kma_err *kma_top_source_take(struct kma_top_source *source)
{
	struct kma_err *err;

	if (source->replay)
		return kma_replay_show(source->replay, &source->refresh, &source->notes);
	if (!source->is_remote)
		return kma_refresh_read(&source->refresh, &source->notes);
	err = kma_remote_show(&source->remote, &source->refresh, &source->notes);
	source->ended = kma_err_is(err, KMA_ERR_NOT_FOUND);
	return err;
}

struct kma_err *kma_top_source_read(struct kma_top_source *source, struct kma_top_state *state)
{
	bool is_here = !source->replay && kma_memory_is_here(source->path);
	const struct kma_refresh *refresh = &source->refresh;
	struct kma_err *err;

	source->refresh.needs_cgroups = kma_top_by_cgroup(state);
	err = kma_top_source_take(source);
	if (!err)
		err = kma_top_source_memory(source, is_here, &source->facts.memory);
	free(source->trouble);
	source->trouble = err ? kma_err_text(err) : NULL;
	source->facts.trouble = source->trouble;
	source->facts.rates = refresh->rates;
	source->facts.cgroups = refresh->cgroups;
	if (err)
		return err;
	kma_top_source_clock(source);
	source->facts.read_ns = refresh->read_ns;
	memcpy(source->facts.losses, refresh->losses, sizeof(source->facts.losses));
	source->facts.unread = refresh->unread;
	source->facts.release = refresh->release;
	if (!*source->facts.release && is_here)
		source->facts.release = source->here.release;
	state->replay = source->replay;
	state->metrics = refresh->metrics | (unsigned int)refresh->has_ages << KMA_TOP_AGES;
	state->cgroup_metrics = refresh->cgroup_metrics;
	state->has_files = refresh->has_files;
	state->has_caches = refresh->has_caches;
	state->has_cgroups = refresh->has_cgroups;
	state->has_owners = refresh->kernel.maintainers;
	state->has_types = refresh->query.types && refresh->kernel.source &&
			   refresh->kernel.source->has_types;
	return NULL;
}

const char *kma_top_source_news(struct kma_top_source *source)
{
	const struct kma_strbuf *text = &source->notes.text;
	const char *note = source->said < text->len ? text->str + source->said : NULL;

	source->said += note ? strlen(note) + 1 : 0;
	return note;
}

void kma_top_source_rebase(struct kma_top_source *source)
{
	if (source->replay)
		kma_replay_rebase(source->replay);
	else
		kma_refresh_rebase(&source->refresh);
}

struct kma_err *kma_top_source_go(struct kma_top_source *source, struct kma_top_state *state)
{
	_cleanup_free_ char *why = NULL;
	struct kma_err *err = NULL;
	const char *note;

	if (state->step && !kma_replay_step(source->replay, state->step))
		snprintf(state->message, sizeof(state->message), "this is the %s sample",
			 state->step < 0 ? "oldest" : "newest");
	if (state->jump)
		err = kma_replay_jump(source->replay, state->typed);
	why = err ? kma_err_text(err) : NULL;
	if (err)
		snprintf(state->message, sizeof(state->message), "%.180s", why ?: "");
	kma_err_destroy(err);
	state->step = 0;
	state->jump = false;
	err = kma_top_source_read(source, state);
	while ((note = kma_top_source_news(source)))
		snprintf(state->message, sizeof(state->message), "%.180s", note);
	return err;
}

struct kma_err *kma_top_source_tick(struct kma_top_source *source, struct kma_top_state *state)
{
	if (!source->replay || kma_replay_step(source->replay, 1))
		return kma_top_source_read(source, state);
	state->paused = true;
	snprintf(state->message, sizeof(state->message), "this is the newest sample");
	return NULL;
}
