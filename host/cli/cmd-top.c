// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-top.c - kmem-account top: the current owners of kernel memory, on a screen that is updated
 * every second; or, with -b, as text for scripts.
 *
 * The first half of this file reads numbers: a file repeatedly (session/refresh.h), accounts of
 * another machine that arrive on the standard input (input/feed.h), or the samples of a history
 * (struct kma_replay). view/screen/ makes rows of them, changes the state by keys, and draws a grid
 * of cells or writes text; terminal.c shows the grid. The second half has the loop: draw, wait for
 * a key or for the end of the interval, read.
 *
 * A file is read at each interval. Of the accounts on the standard input, the newest is shown at
 * each interval; in batch mode every account is printed. A history starts paused, and keys select a
 * sample; when it is not paused, each interval shows the next sample, up to the newest.
 *
 * If the account cannot be read, top continues, because the module may be loaded again. The last
 * numbers stay, and a line shows the reason. Only the first read must succeed.
 *
 * The letters -b, -n and -d are those of top(1).
 *
 * Locking: one thread. Handlers of signals set a flag. A signal just before a wait does not end the
 * wait, so no wait is longer than a second (KMA_TOP_SLICE_NS).
 */
#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "input/feed.h"
#include "input/input.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/module-files.h"
#include "lib/notes.h"
#include "lib/option.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/stop.h"
#include "model/moment.h"
#include "open/open.h"
#include "open/refuse.h"
#include "reader/memory.h"
#include "reader/reader.h"
#include "rows.h"
#include "session/refresh.h"
#include "store/history.h"
#include "store/snapshot.h"
#include "store/when.h"
#include "terminal.h"
#include "view/screen/top-draw.h"
#include "view/screen/top-keys.h"
#include "view/screen/top-text.h"
#include "view/screen/top.h"

/*
 * Show a history directory in a live view: one sample at a time, forwards and backwards.
 *
 * Rates and changes need the samples before the one that is shown. A step to the next sample of
 * the same account adds that sample. For every other step the rates are computed again from the
 * baseline and up to KMA_RATES_HISTORY samples, which is the longest time that a step takes. Only
 * samples of the account of the sample shown (one boot, one load of the module, one generation) are
 * used, because numbers of two accounts cannot be compared.
 *
 * The baseline is the oldest sample of the history until replay_rebase(). If the baseline is
 * later than the sample shown, or of another account, the oldest sample that is used replaces it.
 *
 * Samples are in the order of their clock; of samples with the same time only the last is shown.
 * The list of samples is read once: samples that are written during the replay are not shown.
 *
 * Show a history directory in a live view.
 */

struct kma_replay;

#define NONE SIZE_MAX

/* Samples are numbered from 0, the oldest; a number may be NONE where this is noted. */
struct kma_replay {
	struct kma_history *history;
	uint64_t *times;	  /* of the samples, ns since 1970, ascending, without duplicates */
	size_t nr;		  /* number of samples */
	size_t at;		  /* the selected sample */
	size_t shown;		  /* sample whose numbers the refresh has; or none */
	size_t base;		  /* the baseline */
	size_t broken;		  /* sample that show_one() could not read; or none */
	bool rebase;		  /* the baseline was set to the sample that is shown */
	struct kma_moment moment; /* account that the samples have to be of; moment.boot is a copy */
};

static int by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Finds the newest sample that is not after a time; none if all are after it. */
static size_t find_sample(const struct kma_replay *replay, uint64_t time)
{
	size_t low = kma_array_search(replay->nr, i, replay->times[i] <= time);

	return low ? low - 1 : NONE;
}

/*
 * Selects the newest sample that is not after a time, as a person writes it; "now" is the time of
 * the newest sample. Nothing changes after an error: not a time, or before the first sample.
 */
static struct kma_err *replay_jump(struct kma_replay *replay, const char *when)
{
	struct kma_account *account;
	struct kma_err *err;
	uint64_t time;
	size_t at;

	err = kma_when_parse(when, replay->times[replay->nr - 1], &time);
	if (err)
		return err;
	time = kma_when_end(time);
	at = find_sample(replay, time);
	/* kma_history_at() fails as well, and its error says when there are samples */
	if (at == NONE) {
		account = NULL;
		err = kma_history_at(replay->history, time, &account);
		kma_account_destroy(account);
		return err;
	}
	replay->at = at;
	return NULL;
}

/* Removes duplicate times: kma_history_at() returns the same sample for equal times. */
static void drop_equal_times(struct kma_replay *replay)
{
	size_t nr = 0;

	qsort(replay->times, replay->nr, sizeof(*replay->times), by_time);
	for (size_t i = 0; i < replay->nr; i++)
		if (!nr || replay->times[i] != replay->times[nr - 1])
			replay->times[nr++] = replay->times[i];
	replay->nr = nr;
}

/*
 * Opens a history; only the times of samples are read. @when is a time as a person writes it
 * (store/when.h); NULL is the newest sample, or the oldest if @oldest. @notes gets a sentence for
 * each day that cannot be read and is left out. @ret has to be closed also after an error: not a
 * history, no sample, no sample at @when or before.
 */
static struct kma_err *replay_open(const char *path, const char *when, bool oldest,
				   struct kma_replay **ret, struct kma_notes *notes)
{
	struct kma_replay *replay = kma_xcalloc(1, sizeof(*replay));
	struct kma_err *err;

	*ret = replay;
	replay->shown = replay->broken = NONE;
	err = kma_history_open(path, &replay->history);
	if (err)
		return err;
	replay->history->groups = true;
	err = kma_history_times(replay->history, &replay->times, &replay->nr);
	kma_notes_move(&replay->history->damage, notes);
	if (err)
		return err;
	drop_equal_times(replay);
	replay->at = oldest ? 0 : replay->nr - 1;
	return when ? replay_jump(replay, when) : NULL;
}

/* NULL is fine. */
static void replay_close(struct kma_replay *replay)
{
	if (!replay)
		return;
	kma_history_close(replay->history);
	kma_moment_replace(&replay->moment, NULL);
	free(replay->times);
	free(replay);
}

/*
 * The number of the sample that replay_show() will show, from 0 for the oldest. @nr is set to
 * the number of samples; it may be NULL.
 */
static size_t replay_at(const struct kma_replay *replay, size_t *nr)
{
	if (nr)
		*nr = replay->nr;
	return replay->at;
}

/* The time of that sample, ns since 1970. */
static uint64_t replay_time(const struct kma_replay *replay)
{
	return replay->times[replay->at];
}

/*
 * Selects the sample that is @by later, or earlier if negative. False, and nothing changes, if
 * there is none.
 */
static bool replay_step(struct kma_replay *replay, long by)
{
	size_t to = replay->at + by;

	/* a step before the first sample wraps to a large number */
	if (to >= replay->nr)
		return false;
	replay->at = to;
	return true;
}

/* Makes the selected sample the baseline. */
static void replay_rebase(struct kma_replay *replay)
{
	replay->base = replay->at;
	replay->rebase = true;
}

/* Reads a sample. *same tells whether it is of the account of replay->moment. */
static struct kma_err *read_sample(struct kma_replay *replay, size_t i, struct kma_account **ret,
				   bool *same)
{
	struct kma_err *err = kma_history_at(replay->history, replay->times[i], ret);
	struct kma_moment moment;

	if (kma_err_is_of_file(err))
		replay->broken = i;
	if (err)
		return err;
	*same = kma_moment_of(*ret, &moment) && replay->moment.boot &&
		kma_moment_same(&moment, &replay->moment);
	return NULL;
}

/* Sets replay->moment to the account of a sample. */
static void remember(struct kma_replay *replay, const struct kma_account *account)
{
	struct kma_moment moment = { .boot = "" };

	kma_moment_of(account, &moment);
	kma_moment_replace(&replay->moment, &moment);
}

/* Passes a sample to the refresh, if it is of the same account. */
static struct kma_err *take(struct kma_replay *replay, size_t i, struct kma_refresh *refresh,
			    struct kma_notes *notes)
{
	struct kma_account *account;
	struct kma_err *err;
	bool same;

	err = read_sample(replay, i, &account, &same);
	if (err)
		return err;
	if (same)
		err = kma_refresh_take(refresh, account, replay->times[i], notes);
	kma_account_destroy(account);
	return err;
}

/* Computes the rates again, from the baseline and the samples before the selected one. */
static struct kma_err *rebuild(struct kma_replay *replay, struct kma_refresh *refresh,
			       struct kma_notes *notes)
{
	size_t from = replay->at < KMA_RATES_HISTORY ? 0 : replay->at - (KMA_RATES_HISTORY - 1);
	struct kma_account *account;
	struct kma_err *err;
	bool same;

	replay->shown = NONE;
	err = read_sample(replay, replay->at, &account, &same);
	if (err)
		return err;
	remember(replay, account);
	kma_account_destroy(account);
	kma_refresh_restart(refresh);
	if (replay->base < from) {
		err = take(replay, replay->base, refresh, notes);
		if (err)
			return err;
	}
	for (size_t i = from; i <= replay->at; i++) {
		err = take(replay, i, refresh, notes);
		if (err)
			return err;
		if (i == replay->base)
			kma_refresh_rebase(refresh);
	}
	return NULL;
}

/* Shows the selected sample. If it, or one before it, cannot be read, replay->broken is set. */
static struct kma_err *show_one(struct kma_replay *replay, struct kma_refresh *refresh,
				struct kma_notes *notes)
{
	_cleanup_account_ struct kma_account *account = NULL;
	struct kma_err *err = NULL;
	uint64_t begin = kma_clock(CLOCK_MONOTONIC);
	bool same = false;

	if (replay->rebase && replay->shown == replay->at)
		kma_refresh_rebase(refresh);
	replay->rebase = false;
	if (replay->shown == replay->at)
		return NULL;
	if (replay->shown != NONE && replay->at == replay->shown + 1)
		err = read_sample(replay, replay->at, &account, &same);
	err = err	   ?:
		      same ? kma_refresh_take(refresh, account, replay->times[replay->at], notes) :
			     rebuild(replay, refresh, notes);
	replay->shown = err ? NONE : replay->at;
	refresh->read_ns = kma_clock(CLOCK_MONOTONIC) - begin;
	return err;
}

/* Removes the sample that cannot be read from the list; the next one gets its number. */
static void leave_out(struct kma_replay *replay, const struct kma_err *err, struct kma_notes *notes)
{
	_cleanup_free_ char *why = kma_err_text(err);
	size_t i = replay->broken;

	kma_notes_add(notes, "%s; this sample is left out", why ?: "");
	memmove(replay->times + i, replay->times + i + 1,
		(replay->nr - i - 1) * sizeof(*replay->times));
	replay->nr--;
	replay->at -= replay->at > i || replay->at == replay->nr;
	replay->base -= replay->base > i || (replay->base && replay->base == replay->nr);
	replay->shown = NONE;
}

/*
 * Reads the selected sample into @refresh, the same for each call, as kma_refresh_read() does.
 * @notes also gets a sentence for each sample that cannot be read, which is left out of the replay
 * from then on. It is an error if no sample can be read, or a kernel cannot be opened.
 */
static struct kma_err *replay_show(struct kma_replay *replay, struct kma_refresh *refresh,
				   struct kma_notes *notes)
{
	for (;;) {
		struct kma_err *err;

		replay->broken = NONE;
		err = show_one(replay, refresh, notes);
		if (!err || replay->broken == NONE || replay->nr == 1)
			return err;
		leave_out(replay, err, notes);
		kma_err_destroy(err);
	}
}

#define TOP_MEMINFO "/proc/meminfo"

/*
 * Accounts on the standard input. Rates use the clock of their machine, which each account
 * contains. So they are right even if an account arrives late. An account without a time uses the
 * local time of its arrival.
 */
struct kma_remote {
	struct kma_feed *feed;
	struct kma_moment last; /* of the last account that has one; its boot is NULL before that */
};

struct kma_top_source {
	const char *path;    /* the account, "-" is the standard input; of a replay DIR[@TIME] */
	const char *meminfo; /* of the account's machine; NULL: this machine's, for its accounts */
	struct kma_refresh refresh;
	struct kma_remote remote;
	bool is_remote;		    /* the accounts are read from the standard input */
	bool ended;		    /* the standard input has ended */
	struct kma_replay *replay;  /* NULL: not a history */
	struct kma_top_facts facts; /* what the screen shows; refers to this struct */
	struct kma_notes notes;	    /* why a kernel cannot be used; unreadable parts of a history */
	size_t said;		    /* bytes of the notes that were printed */
	struct utsname here;
	char clock[64], time[32]; /* texts of @facts */
	char *trouble;		  /* sentence of the last error; NULL: the last read succeeded */
};

#define REMOTE_NAME "standard input"

static struct kma_err *remote_account(struct kma_remote *remote, struct kma_account **ret)
{
	_cleanup_free_ char *text = NULL;
	struct kma_input *input;
	struct kma_err *err;
	size_t len;

	err = kma_feed_take(remote->feed, &text, &len);
	if (err || !text)
		return err;
	err = kma_input_memory(REMOTE_NAME, text, len, 0, &input);
	if (err)
		return err;
	err = kma_reader_read(input, ret);
	kma_input_close(input);
	return err;
}

/*
 * Takes the next account that has arrived, if any. The end of the standard input is an error of
 * kind KMA_ERR_NOT_FOUND.
 */
static struct kma_err *remote_show(struct kma_remote *remote, struct kma_refresh *refresh,
				   struct kma_notes *notes)
{
	_cleanup_account_ struct kma_account *account = NULL;
	struct kma_moment moment;
	uint64_t begin = kma_clock(CLOCK_MONOTONIC), ns = begin;
	struct kma_err *err;

	err = remote_account(remote, &account);
	if (err || !account)
		return err;
	if (kma_moment_of(account, &moment)) {
		/* another boot, another load of the module, or an older account */
		if (remote->last.boot &&
		    (!kma_moment_same(&remote->last, &moment) || moment.up < remote->last.up))
			kma_refresh_restart(refresh);
		kma_moment_replace(&remote->last, &moment);
		ns = moment.up;
	}
	err = kma_refresh_take(refresh, account, ns, notes);
	refresh->read_ns = kma_clock(CLOCK_MONOTONIC) - begin;
	return err;
}

/* Opens a history that is given as DIR[@TIME]. */
static struct kma_err *top_source_replay(struct kma_top_source *source, bool all)
{
	_cleanup_(kma_db_ref_deinit) struct kma_db_ref ref;

	return kma_db_ref_parse(source->path, &ref) ?:
		       replay_open(ref.path, ref.label, all, &source->replay, &source->notes);
}

/*
 * Opens an input, which has to be closed also after an error. @all: skip nothing: start with the
 * oldest sample of a history unless TIME is given, and show each account of the standard input.
 */
static struct kma_err *top_source_open(struct kma_top_source *source, const char *path,
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
		return top_source_replay(source, all);
	if (kma_history_is(path))
		return kma_err_create_kind(KMA_ERR_USAGE, path, 0, "a history; use --replay %s",
					   path);
	err = kma_refuse_live(path);
	if (err)
		return err;
	source->is_remote = !strcmp(path, "-");
	if (!source->is_remote)
		return NULL;
	source->facts.source = REMOTE_NAME;
	return kma_feed_open(REMOTE_NAME, STDIN_FILENO, all, &source->remote.feed);
}

static void top_source_close(struct kma_top_source *source)
{
	kma_refresh_deinit(&source->refresh);
	replay_close(source->replay);
	kma_feed_close(source->remote.feed);
	kma_moment_replace(&source->remote.last, NULL);
	kma_notes_deinit(&source->notes);
	free(source->trouble);
}

/* Reads the memory of the account's machine, if meminfo is available; missing lines are 0. */
static struct kma_err *top_source_memory(const struct kma_top_source *source, bool is_here,
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
		path = TOP_MEMINFO;
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
static void top_source_clock(struct kma_top_source *source)
{
	uint64_t ns = source->replay ? replay_time(source->replay) : source->remote.last.time;
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
	at = replay_at(source->replay, &nr);
	snprintf(source->clock + len, sizeof(source->clock) - len, " (sample %zu of %zu)", at + 1,
		 nr);
}

/* Waits for an account on the standard input, or its end; other inputs are always ready. */
static bool top_source_wait(struct kma_top_source *source, unsigned int ms)
{
	return !source->is_remote || kma_feed_wait(source->remote.feed, ms);
}

static struct kma_err *top_source_take(struct kma_top_source *source)
{
	struct kma_err *err;

	if (source->replay)
		return replay_show(source->replay, &source->refresh, &source->notes);
	if (!source->is_remote)
		return kma_refresh_read(&source->refresh, &source->notes);
	err = remote_show(&source->remote, &source->refresh, &source->notes);
	source->ended = kma_err_is(err, KMA_ERR_NOT_FOUND);
	return err;
}

/*
 * Reads the account, or the selected sample. After an error the numbers stay those of the previous
 * read, and @source->trouble has the reason.
 */
static struct kma_err *top_source_read(struct kma_top_source *source, struct kma_top_state *state)
{
	bool is_here = !source->replay && kma_memory_is_here(source->path);
	const struct kma_refresh *refresh = &source->refresh;
	struct kma_err *err;

	source->refresh.needs_cgroups = kma_top_by_cgroup(state);
	err = top_source_take(source);
	if (!err)
		err = top_source_memory(source, is_here, &source->facts.memory);
	free(source->trouble);
	source->trouble = err ? kma_err_text(err) : NULL;
	source->facts.trouble = source->trouble;
	source->facts.rates = refresh->rates;
	source->facts.cgroups = refresh->cgroups;
	if (err)
		return err;
	top_source_clock(source);
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

/* Returns the next sentence that was not printed yet, or NULL. */
static const char *top_source_news(struct kma_top_source *source)
{
	const struct kma_strbuf *text = &source->notes.text;
	const char *note = source->said < text->len ? text->str + source->said : NULL;

	source->said += note ? strlen(note) + 1 : 0;
	return note;
}

/* Makes the last numbers the baseline. */
static void top_source_rebase(struct kma_top_source *source)
{
	if (source->replay)
		replay_rebase(source->replay);
	else
		kma_refresh_rebase(&source->refresh);
}

/* Reads the sample of a replay that a key requests; a message says if there is no such sample. */
static struct kma_err *top_source_go(struct kma_top_source *source, struct kma_top_state *state)
{
	_cleanup_free_ char *why = NULL;
	struct kma_err *err = NULL;
	const char *note;

	if (state->step && !replay_step(source->replay, state->step))
		snprintf(state->message, sizeof(state->message), "this is the %s sample",
			 state->step < 0 ? "oldest" : "newest");
	if (state->jump)
		err = replay_jump(source->replay, state->typed);
	why = err ? kma_err_text(err) : NULL;
	if (err)
		snprintf(state->message, sizeof(state->message), "%.180s", why ?: "");
	kma_err_destroy(err);
	state->step = 0;
	state->jump = false;
	err = top_source_read(source, state);
	while ((note = top_source_news(source)))
		snprintf(state->message, sizeof(state->message), "%.180s", note);
	return err;
}

/* Reads the input after an interval. A replay pauses at its newest sample. */
static struct kma_err *top_source_tick(struct kma_top_source *source, struct kma_top_state *state)
{
	if (!source->replay || replay_step(source->replay, 1))
		return top_source_read(source, state);
	state->paused = true;
	snprintf(state->message, sizeof(state->message), "this is the newest sample");
	return NULL;
}

struct kma_top_args {
	const char *path, *filter, *meminfo, *replay;
	struct kma_kernel_query kernel;
	struct kma_keys by;
	struct kma_only only;
	enum kma_top_column_id sort;
	enum kma_format format;
	uint64_t delay;
	unsigned long iterations, top;
	bool batch, csv_safe, has_iterations, has_format, has_delay;
};

#define KMA_ARGS struct kma_top_args

/* clang-format off */
static const struct kma_option top_options[] = {
	{ "batch", 'b', TO(FLAG, batch),
	  .help = "print text instead of a screen (default if the standard output is\n"
		  "not a terminal)" },
	{ "iterations", 'n', .arg = "N", TO(COUNT, iterations),
	  .given = AT(has_iterations), .min = 1, .max = 1000000000, .unit = "reads",
	  .help = "end after N reads of the account" },
	{ "delay", 'd', .arg = "S", TO(TIME, delay),
	  .given = AT(has_delay), .min = KMA_TOP_MIN_NS, .max = KMA_TOP_MAX_NS,
	  .scale = KMA_OPTION_SECOND, .unit = "seconds",
	  .help = "wait S seconds between two reads (default 1)" },
	{ "replay", .arg = "DIR[@TIME]", TO(TEXT, replay), .excludes = "meminfo",
	  .help = "show the samples of this history directory of kmem-account watch,\n"
		  "starting at the newest or at TIME; with -b: print all samples from\n"
		  "the oldest, or from TIME" },
	KMA_ROWS_KERNEL(kernel),
	KMA_ROW_TYPES(kernel),
	KMA_ROW_FORCE(kernel, "account"),
	KMA_ROW_MAINTAINERS(kernel),
	{ "by", .arg = "KEY", OWN(keys, by), KMA_OPTION_NAMES(kma_keys), .min = KMA_TOP_KEYS,
	  .help = "show a row for each caller (default), line, function, file, dir,\n"
		  "module, subsystem, cache, kind or cgroup, or for each combination of\n"
		  "several, with commas, as cgroup,cache; line, file, dir and subsystem\n"
		  "need a kernel, cache needs a file of debugfs, and cgroup needs a\n"
		  "snapshot of the module that counts cgroups" },
	KMA_ROWS_ONLY(only),
	{ "sort", .arg = "KEY", TO_NAME(sort, kma_top_columns),
	  .help = "sort by live (default), change, rate, allocs, frees, objects,\n"
		  "waste, charged (by cgroup), peak, oldest, name or directory\n"
		  "(needs a kernel)" },
	{ "filter", .arg = "TEXT", TO(TEXT, filter),
	  .help = "show only rows that contain TEXT" },
	{ "top", .arg = "N", TO(COUNT, top), .min = 1, .max = 1000000000,
	  .unit = "rows",
	  .help = "with -b: print the first N rows" },
	{ "format", .arg = "FORMAT", TO_NAME(format, kma_format_names),
	  .given = AT(has_format),
	  .help = "with -b: print a table (default), csv or json, a document for each\n"
		  "read" },
	KMA_ROW_CSV_SAFE(csv_safe),
	{ "meminfo", .arg = "FILE", TO(TEXT, meminfo),
	  .help = "read the machine's memory from here (default " TOP_MEMINFO ", for\n"
		  "an account below /proc or /sys)" },
	KMA_OPTION_END
};
/* clang-format on */

static void print_keys(void)
{
	const char *keys, *what;

	printf("\nKeys:\n");
	for (size_t i = 0; (keys = kma_top_help(i, &what)); i++)
		printf("  %-10s %s\n", keys, what);
}

/* The state of top. */
struct kma_top {
	const struct kma_top_args *args;
	struct kma_top_source source;
	struct kma_top_state state;
	struct kma_top_rows rows;
};

static struct kma_err *top_check(const struct kma_top_args *args)
{
	enum kma_key_id id = kma_keys_grouped(kma_only_keys(&args->only));

	if (id != KMA_NR_KEYS)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "top: a rule by %s is not possible", kma_keys[id].name);
	if (kma_only_metrics(&args->only))
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"top: a rule by a column needs one account: numbers change over time");
	if (!strcmp(args->path, "-") && !args->replay && isatty(STDIN_FILENO))
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"top: the standard input is a terminal; pipe snapshots into it (ssh HOST kmem-account-record watch - | kmem-account top -)");
	if (args->batch && args->has_delay && (args->replay || !strcmp(args->path, "-")))
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"top: -d has no effect on %s with -b (or an output that is not a terminal): each sample is printed at once",
			args->replay ? "--replay" : "the standard input");
	if (!args->batch && (args->has_format || args->top))
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "top: %s needs -b",
					   args->has_format ? "--format" : "--top");
	return NULL;
}

/* Waits for an account on the standard input; false after a signal. Returns at once otherwise. */
static bool top_await(struct kma_top *top)
{
	while (!kma_stopped())
		if (top_source_wait(&top->source, 200))
			return true;
	return false;
}

/* Prints the notes that were not printed yet. */
static void top_say(struct kma_top *top)
{
	for (const char *note; (note = top_source_news(&top->source));)
		kma_warn("%s", note);
}

/* Check that the account has the rows and the column that the options name. */
static struct kma_err *top_suits(const struct kma_top *top)
{
	const struct kma_only *only = top->source.refresh.query.only;
	const struct kma_top_state *state = &top->state;
	unsigned int ruled = only ? kma_only_keys(only) : 0;
	char name[KMA_KEYS_NAME];

	if (kma_keys_need(&state->by, KMA_KEY_NEEDS_FILES) && !state->has_files)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "top: --by %s needs -k DIR or --vmlinux FILE",
					   kma_keys_name(&state->by, name));
	for (enum kma_key_id id = 0; id < KMA_NR_KEYS && !state->has_files; id++)
		if (ruled >> id & 1 && kma_keys[id].needs == KMA_KEY_NEEDS_FILES)
			return kma_err_create_kind(
				KMA_ERR_USAGE, NULL, 0,
				"top: a rule by %s needs -k DIR or --vmlinux FILE",
				kma_keys[id].name);
	if (kma_keys_have(&state->by, KMA_KEY_SUBSYSTEM) && !state->has_owners)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "top: subsystems need --maintainers FILE, or -k DIR");
	if (top->source.refresh.query.types && !state->has_types)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"top: types of objects need --vmlinux FILE with debugging information (DWARF) of the account's kernel");
	if (kma_keys_have(&state->by, KMA_KEY_CACHE) && !state->has_caches)
		return kma_err_create(top->source.path, 0,
				      "no slab caches in this input; read " KMA_FILE_SNAPSHOT);
	if (!kma_top_has_column(state, state->sort))
		return kma_err_create(top->source.path, 0,
				      "no column '%s' in this account to sort by",
				      kma_top_columns[state->sort].name);
	return NULL;
}

/* First read. Its notes are printed before the screen is opened, so they are seen after the end. */
static struct kma_err *top_first(struct kma_top *top)
{
	struct kma_err *err = top_source_read(&top->source, &top->state);

	top_say(top);
	if (err && !top->source.replay && access(top->args->path, F_OK) &&
	    !strcmp(top->args->path, KMA_FILE_ACCOUNT)) {
		kma_err_destroy(err);
		return kma_err_create(
			NULL, 0,
			"top: cannot find " KMA_FILE_ACCOUNT
			": load the module (modprobe kmem_account), or name an account");
	}
	return err ?: top_suits(top);
}

static void top_make_rows(struct kma_top *top)
{
	kma_top_rows_deinit(&top->rows);
	kma_top_rows_of(&top->rows, &top->source.facts, &top->state);
}

static void top_batch_text(const struct kma_top *top, enum kma_format format,
			   struct kma_strbuf *out)
{
	const struct kma_top_text text = {
		.facts = &top->source.facts,
		.rows = &top->rows,
		.state = &top->state,
		.format = format,
		.csv_safe = top->args->csv_safe,
		.top = top->args->top,
	};

	kma_top_text_write(&text, out);
}

/* Prints the rows of one read. With csv, only the first read has the line of names. */
static struct kma_err *top_print(struct kma_top *top, bool first)
{
	_cleanup_strbuf_ struct kma_strbuf out = { 0 };
	const char *text;

	top_make_rows(top);
	top_batch_text(top, top->args->format, &out);
	text = out.str;
	if (!first && top->args->format == KMA_FORMAT_CSV)
		text = strchr(text, '\n') + 1;
	if (!first && top->args->format == KMA_FORMAT_TABLE)
		putchar('\n');
	fputs(text, stdout);
	if (fflush(stdout) || ferror(stdout))
		return kma_err_create("standard output", 0, "cannot write: %s", strerror(errno));
	return NULL;
}

/* Longest single wait in ns, so that a signal just before it is noticed soon. */
#define KMA_TOP_SLICE_NS 1000000000ULL

/* Waits for the next read, or selects the next sample; false at the end. */
static bool top_next(struct kma_top *top)
{
	if (top->source.replay)
		return replay_step(top->source.replay, 1) && !kma_stopped();
	if (top->source.is_remote)
		return top_await(top);
	kma_stop_wait(kma_clock(CLOCK_MONOTONIC) + top->state.interval_ns);
	return !kma_stopped();
}

static struct kma_err *top_batch(struct kma_top *top)
{
	struct kma_err *err = top_print(top, true);

	for (unsigned long i = 1;
	     !err && !kma_stopped() && (!top->args->has_iterations || i < top->args->iterations);
	     i++) {
		if (!top_next(top))
			break;
		err = top_source_read(&top->source, &top->state);
		top_say(top);
		if (top->source.ended) {
			/* the normal end of the standard input: all was printed */
			kma_err_destroy(err);
			return NULL;
		}
		if (err && !top->source.replay) {
			/* report the gap and continue: the module may be loaded again */
			kma_warn("%s", top->source.trouble ?: "");
			kma_err_destroy(err);
			err = NULL;
			continue;
		}
		if (!err)
			err = top_print(top, false);
	}
	return err;
}

/* Does the actions that a key has requested in the state: set the baseline, save the rows. */
static void top_serve(struct kma_top *top)
{
	_cleanup_free_ char *why = NULL;
	_cleanup_strbuf_ struct kma_strbuf out = { 0 };
	struct kma_top_state *state = &top->state;
	struct kma_err *err;

	if (state->rebase)
		top_source_rebase(&top->source);
	state->rebase = false;
	if (!state->save)
		return;
	state->save = false;
	top_batch_text(top, KMA_FORMAT_CSV, &out);
	err = kma_outfile_write(state->typed, &out);
	why = err ? kma_err_text(err) : NULL;
	if (err)
		snprintf(state->message, sizeof(state->message), "not saved: %.128s", why ?: "");
	else
		snprintf(state->message, sizeof(state->message), "saved %zu %s to %.96s",
			 top->rows.nr, kma_plural(top->rows.nr, "row", "rows"), state->typed);
	kma_err_destroy(err);
}

/* Milliseconds to wait for a key: up to the next read, at most a second. */
static int top_wait_ms(const struct kma_top *top, uint64_t next)
{
	uint64_t now = kma_clock(CLOCK_MONOTONIC), wait = next > now ? next - now : 0;

	if (top->state.paused || wait > KMA_TOP_SLICE_NS)
		wait = KMA_TOP_SLICE_NS;
	return (wait + 999999) / 1000000;
}

static struct kma_err *top_screen(struct kma_top *top)
{
	uint64_t next = kma_clock(CLOCK_MONOTONIC) + top->state.interval_ns;
	struct kma_terminal_screen *screen;
	struct kma_grid grid = { 0 };
	unsigned long reads = 1;
	struct kma_err *err;
	size_t x = 0, y = 0;
	unsigned int key;

	err = kma_terminal_open(&screen);
	if (err)
		return err;
	for (;;) {
		top_make_rows(top);
		kma_terminal_blank(screen, &grid);
		kma_top_draw(&grid, &top->source.facts, &top->rows, &top->state);
		kma_terminal_show(screen, &grid);
		if (!kma_terminal_key(screen, top_wait_ms(top, next), &key, &x, &y))
			break;
		if (key == KMA_TOP_KEY_CLICK)
			kma_top_click(&top->state, &top->rows, x, y);
		else if (key)
			kma_top_key(&top->state, &top->rows, key);
		top_serve(top);
		if (top->state.quit || kma_stopped())
			break;
		if (top->source.replay && key) {
			err = top_source_go(&top->source, &top->state);
		} else if (top->state.paused || kma_clock(CLOCK_MONOTONIC) < next) {
			continue;
		} else {
			if (top->args->has_iterations && reads++ >= top->args->iterations)
				break;
			err = top_source_tick(&top->source, &top->state);
		}
		/* The screen shows the reason. */
		kma_err_destroy(err);
		next = kma_clock(CLOCK_MONOTONIC) + top->state.interval_ns;
	}
	kma_grid_deinit(&grid);
	kma_terminal_close(screen);
	return NULL;
}

static struct kma_err *top_run(const struct kma_top_args *args)
{
	struct kma_top top = {
		.args = args,
		.state = { .by = args->by,
			   .own = args->by,
			   .sort = args->sort,
			   .interval_ns = args->delay },
	};
	_cleanup_strbuf_ struct kma_strbuf source = { 0 };
	struct kma_err *err;

	snprintf(top.state.filter, sizeof(top.state.filter), "%s", args->filter);
	err = top_source_open(&top.source, args->replay ?: args->path, args->meminfo, args->replay,
			      args->batch, &args->kernel);
	if (args->only.nr) {
		kma_strbuf_printf(&source, "%s, selected: ", top.source.facts.source);
		kma_only_text(&args->only, &source);
		top.source.facts.source = source.str;
	}
	/* A history is paused until a key requests another sample. */
	top.state.paused = args->replay;
	if (!err && top_await(&top))
		err = top_first(&top);
	if (!err && !kma_stopped())
		err = args->batch ? top_batch(&top) : top_screen(&top);
	kma_top_rows_deinit(&top.rows);
	top_source_close(&top.source);
	kma_strbuf_deinit(&top.state.open);
	return err;
}

static int top_main(int argc, char **argv)
{
	struct kma_top_args args = { .path = kma_open_own() ?: KMA_FILE_ACCOUNT,
				     .by = KMA_BY(KMA_KEY_CALLER),
				     .delay = KMA_TOP_INTERVAL_NS,
				     .filter = "" };
	struct kma_err *err;
	int first;

	/* only for the encoding of the terminal: numbers and messages do not depend on the locale */
	setlocale(LC_CTYPE, "");
	err = kma_option_read(&kma_cmd_top, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	if (argv[first] && args.replay)
		return kma_fail(kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
						    "top: --replay takes no ACCOUNT: %s",
						    argv[first]),
				KMA_EXIT_USAGE);
	args.path = argv[first] ?: args.path;
	args.batch |= !isatty(STDOUT_FILENO);
	args.kernel.only = args.only.nr ? &args.only : NULL;
	args.kernel.types = (kma_keys_set(&args.by) | kma_only_keys(&args.only)) >> KMA_KEY_TYPE &
			    1;
	args.kernel.owners_if_there = true;
	if (args.kernel.maintainers || args.kernel.tree)
		args.kernel.owners = (kma_keys_set(&args.by) | kma_only_keys(&args.only)) >>
					     KMA_KEY_SUBSYSTEM &
				     1;
	err = top_check(&args);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	kma_stop_catch(false);
	err = top_run(&args);
	return kma_fail(err, kma_err_is(err, KMA_ERR_USAGE) ? KMA_EXIT_USAGE : KMA_EXIT_DATA);
}

const struct kma_cmd kma_cmd_top = {
	.name = "top",
	.usage = "[OPTION...] [ACCOUNT]",
	.about =
		"Show the owners of kernel memory and their changes. ACCOUNT is a file that is\n"
		"read repeatedly; - reads snapshots from the standard input. The default is\n" KMA_FILE_SNAPSHOT
		", which has slab caches and cgroups,\n"
		"or " KMA_FILE_ACCOUNT " if that file cannot be read.",
	.more = print_keys,
	.examples = "  kmem-account top\n"
		    "  kmem-account top --vmlinux vmlinux --by dir --sort change\n"
		    "  kmem-account top --replay /var/lib/kmem-account@-1h\n"
		    "  ssh target kmem-account-record watch - | kmem-account top -\n"
		    "  kmem-account top -b -n 10 -d 60 --format csv >hour.csv\n",
	.options = top_options,
	.most = 1,
	.width = 19,
	.summary = "Show the owners of kernel memory and their changes on a live screen.",
	.main = top_main,
};
