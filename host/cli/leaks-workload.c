// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaks-workload.c - run a command repeatedly, and read accounts in between.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leaks-workload.h"
#include "lib/cleanup.h"
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
static struct kma_err *kma_workload_drop(void)
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

static struct kma_err *kma_workload_sample(const struct kma_workload *workload,
					   struct kma_watch_source *source, double time,
					   struct kma_leak_series *series, uint64_t *allocs)
{
	struct kma_account *account;
	struct kma_err *err = NULL;

	if (workload->probe)
		err = kma_workload_drop();
	if (!err)
		err = kma_watch_source_read(source, &account);
	if (err)
		return err;
	err = kma_account_add_note(account, KMA_NOTE_WORKLOAD, workload->command);
	if (!err && workload->probe)
		err = kma_account_add_note(account, KMA_NOTE_DROPPED, "yes");
	if (err) {
		kma_account_destroy(account);
		return err;
	}
	*allocs = kma_account_metrics(account) & 1U << KMA_ALLOCS ?
			  kma_account_total(account)->allocs :
			  UINT64_MAX;
	return kma_leak_series_add(series, account, time, "");
}

struct kma_err *kma_workload_run(const struct kma_workload *workload,
				 struct kma_leak_series *series, unsigned long *runs,
				 uint64_t *allocs)
{
	const double step = 3600.0 / KMA_WORKLOAD_HOUR * KMA_WORKLOAD_MEAN;
	unsigned long samples = workload->samples ?: KMA_WORKLOAD_SAMPLES;
	struct kma_watch_source source;
	uint64_t first, last;
	struct kma_err *err;

	*runs = 0;
	err = kma_watch_source_init(&source, workload->source);
	for (unsigned int i = 0; i < KMA_WORKLOAD_WARM && !err; i++)
		err = kma_workload_once(workload->command);
	if (!err)
		err = kma_workload_sample(workload, &source, 0, series, &first);
	for (unsigned long i = 0; i + 1 < samples && !err; i++) {
		unsigned long back = samples - 2 - i, from_end = i < back ? i : back;
		size_t part = from_end * 2 * ARRAY_SIZE(kma_workload_load) / (samples - 1);

		for (unsigned int n = 0; n < kma_workload_load[part] && !err; n++, ++*runs)
			err = kma_workload_once(workload->command);
		if (!err)
			err = kma_workload_sample(workload, &source, (i + 1) * step, series, &last);
	}
	if (!err)
		*allocs = first == UINT64_MAX || last == UINT64_MAX ? UINT64_MAX : last - first;
	return err;
}
