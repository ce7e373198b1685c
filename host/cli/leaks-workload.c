// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaks-workload.c - run a command repeatedly, and read accounts in between.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "leaks-workload.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/stop.h"
#include "model/leak-part.h"
#include "watch-source.h"

#define KMA_WORKLOAD_WARM 4 /* runs before the first sample */
#define KMA_DROP_CACHES	  "/proc/sys/vm/drop_caches"

/*
 * Runs before a sample, for each sixth of the first half of the samples. The second half is the first
 * half in reverse order, so that the load changes, but does not rise.
 */
static const unsigned int kma_workload_load[] = { 1, 3, 2 };

/* Mean of the table above. */
#define KMA_WORKLOAD_MEAN 2

struct kma_err *kma_workload_once(const char *command)
{
	const char *argv[] = { "sh", "-c", command, NULL };
	posix_spawn_file_actions_t actions;
	int code, status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
	code = posix_spawn(&pid, "/bin/sh", &actions, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (code)
		return kma_err_create(command, 0, "cannot run the workload: %s", strerror(code));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return kma_err_create(command, 0, "cannot wait for the workload: %s",
					      strerror(errno));
	if (WIFSIGNALED(status))
		return kma_err_create(command, 0, "the workload was ended by signal %d",
				      WTERMSIG(status));
	if (WEXITSTATUS(status))
		return kma_err_create(command, 0, "the workload exited with status %d",
				      WEXITSTATUS(status));
	return NULL;
}

/* Drops unused page cache, dentries and inodes; sync() makes dirty data unused as well. */
static struct kma_err *workload_drop(void)
{
	int fd = open(KMA_DROP_CACHES, O_WRONLY | O_CLOEXEC);
	struct kma_err *err = NULL;

	sync();
	if (fd < 0 || write(fd, "3\n", 2) != 2)
		err = kma_err_create(KMA_DROP_CACHES, 0, "cannot drop caches: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return err;
}

static struct kma_err *workload_sample(const struct kma_workload *workload,
				       struct kma_watch_source *source, double time,
				       struct kma_leak_series *series, uint64_t *allocs)
{
	struct kma_account *account;
	struct kma_err *err;

	if (workload->probe) {
		err = workload_drop();
		if (err)
			return err;
	}
	err = kma_watch_source_read(source, &account);
	if (err)
		return err;
	kma_account_put_note(account, KMA_NOTE_WORKLOAD, workload->command);
	if (workload->probe)
		kma_account_put_note(account, KMA_NOTE_DROPPED, "yes");
	*allocs = kma_account_metrics(account) & 1U << KMA_ALLOCS ?
			  kma_account_total(account)->allocs :
			  UINT64_MAX;
	return kma_leak_series_add(series, account, time, "");
}

/* State while the workload and its control take turns. */
struct kma_workload_state {
	const struct kma_workload *workload;
	struct kma_watch_source source;
	struct kma_leak_series *series;
	struct kma_workload_turns *turns;
	size_t intervals;
	uint64_t spent; /* ns in runs of the workload */
	unsigned long runs;
	uint64_t allocs;
};

/* Run the workload @nr times, and note how long it takes. */
static struct kma_err *workload_runs(struct kma_workload_state *state, unsigned int nr)
{
	uint64_t begin = kma_clock(CLOCK_MONOTONIC);
	struct kma_err *err = NULL;

	for (unsigned int n = 0; n < nr && !err; n++, state->runs++)
		err = kma_workload_once(state->workload->command);
	state->spent += kma_clock(CLOCK_MONOTONIC) - begin;
	return err;
}

/* Run the empty command @nr times, and wait until as many runs of the workload would have ended. */
static struct kma_err *workload_empty(struct kma_workload_state *state, unsigned int nr)
{
	uint64_t end = kma_clock(CLOCK_MONOTONIC) + state->spent / state->runs * nr;
	struct kma_err *err;

	for (unsigned int n = 0; n < nr; n++) {
		err = kma_workload_once(":");
		if (err)
			return err;
	}
	kma_stop_wait(end);
	return NULL;
}

/* A turn of @nr runs, and a sample. */
static struct kma_err *workload_turn(struct kma_workload_state *state, bool own, unsigned int nr)
{
	const double step = KMA_LEAK_RUN * KMA_WORKLOAD_MEAN;
	struct kma_err *err = own ? workload_runs(state, nr) : workload_empty(state, nr);

	(own ? state->turns->own : state->turns->control)[state->intervals++] = step;
	/* both together take a step, for what is measured in the time of all samples */
	return err   ?:
		       workload_sample(state->workload, &state->source, state->intervals * step / 2,
				       state->series, &state->allocs);
}

static struct kma_err *workload_turns(struct kma_workload_state *state, unsigned long samples)
{
	struct kma_err *err = NULL;

	for (unsigned long i = 0; i + 1 < samples && !err; i++) {
		unsigned long back = samples - 2 - i, from_end = i < back ? i : back;
		size_t part = from_end * 2 * ARRAY_SIZE(kma_workload_load) / (samples - 1);
		bool first = i % 2;

		err = workload_turn(state, first, kma_workload_load[part]) ?:
			      workload_turn(state, !first, kma_workload_load[part]);
	}
	return err;
}

struct kma_err *kma_workload_run(const struct kma_workload *workload,
				 struct kma_leak_series *series, struct kma_workload_turns *turns,
				 uint64_t *allocs)
{
	unsigned long samples = workload->samples ?: KMA_WORKLOAD_SAMPLES;
	struct kma_workload_state state = { .workload = workload,
					    .series = series,
					    .turns = turns };
	uint64_t first;
	struct kma_err *err;

	turns->own = kma_xcalloc(2 * samples, sizeof(*turns->own));
	turns->control = kma_xcalloc(2 * samples, sizeof(*turns->control));
	err = kma_watch_source_init(&state.source, workload->source);
	if (err)
		return err;
	err = workload_runs(&state, KMA_WORKLOAD_WARM);
	if (err)
		return err;
	err = workload_sample(workload, &state.source, 0, series, &state.allocs);
	if (err)
		return err;
	first = state.allocs;
	err = workload_turns(&state, samples);
	if (err)
		return err;
	turns->nr = samples - 1;
	turns->runs = state.runs - KMA_WORKLOAD_WARM;
	*allocs = first == UINT64_MAX || state.allocs == UINT64_MAX ? UINT64_MAX :
								      state.allocs - first;
	return NULL;
}

void kma_workload_turns_keep(struct kma_workload_turns *turns, const struct kma_leak_series *series)
{
	size_t nr = kma_leak_series_nr(series), own = 0;

	/* The series is in the order in which samples were added, so none is read after it was written. */
	for (size_t i = 0; i + 1 < nr; i++) {
		size_t from = kma_leak_series_given(series, i);
		bool next = kma_leak_series_given(series, i + 1) == from + 1;

		turns->own[i] = next ? turns->own[from] : 0;
		turns->control[i] = next ? turns->control[from] : 0;
		own += turns->own[i] > 0;
	}
	turns->nr = own;
}
