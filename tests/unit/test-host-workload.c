// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-workload.c - host/cli/leaks-workload: the turns of a workload and its control.
 * tests/host/workload.sh judges what they give.
 */
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/leaks-workload.h"
#include "lib/notes.h"

#include "ktap.h"

#define TURNS 46

/*
 * A clock and a shell of the test's own, while pretended is set: a run of the workload takes 50
 * minutes. They replace those of the C library.
 */
#define PRETENDED_RUN_S 3000

#pragma GCC diagnostic ignored "-Wunused-parameter"

static bool pretended;
static uint64_t pretended_ns;

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	if (!pretended)
		return syscall(SYS_clock_gettime, clock, ts);
	*ts = (struct timespec){ pretended_ns / 1000000000, pretended_ns % 1000000000 };
	return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *rest)
{
	uint64_t ns = until->tv_sec * 1000000000ULL + until->tv_nsec;

	if (pretended && ns > pretended_ns)
		pretended_ns = ns;
	return 0;
}

int usleep(useconds_t us)
{
	pretended_ns += us * 1000ULL;
	return 0;
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		const posix_spawnattr_t *attributes, char *const argv[], char *const environment[])
{
	if (strcmp(argv[2], ":"))
		pretended_ns += PRETENDED_RUN_S * 1000000000ULL;
	*pid = 1;
	return 0;
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	*status = 0;
	return pid;
}

/*
 * Control, workload, workload, control; each of them is followed by a sample. A wait of the control
 * is as long as the runs, also if that is more than usleep() can wait.
 */
TEST(turns_are_made)
{
	static const char sites[] =
		"kmem_account sites 1\n# id\ttotal\tslack\treq\tallocs\tfrees\tcaller\tkind\tcache\n"
		"1\t64\t0\t64\t1\t0\tfoo+0x10/0x40\tkmalloc\tkmalloc-64\n";
	char path[] = "/tmp/kma-turns-XXXXXX";
	int fd = mkstemp(path);
	struct kma_workload workload = { .command = "true", .source = path, .samples = 24 };
	struct kma_workload_turns turns = { 0 };
	struct kma_leak_series *series;
	struct kma_notes notes = { 0 };
	struct kma_err *err;
	uint64_t allocs;

	EXPECT_EQ(write(fd, sites, strlen(sites)), strlen(sites));
	close(fd);
	REQUIRE(!kma_leak_series_create(&series));
	pretended = true;
	err = kma_workload_run(&workload, series, &turns, &allocs);
	pretended = false;
	REQUIRE(!err);
	EXPECT_EQ(pretended_ns / 1000000000, (4 + 46 + 46) * PRETENDED_RUN_S);
	EXPECT(!kma_leak_series_finish(series, &notes));
	EXPECT_EQ(kma_leak_series_nr(series), TURNS + 1);
	EXPECT_EQ(turns.nr, TURNS / 2);
	EXPECT_EQ(turns.runs, 46);
	EXPECT_EQ(allocs, 0);
	for (int i = 0; i < TURNS; i++) {
		EXPECT_EQ(turns.own[i] > 0, (i % 4 == 1 || i % 4 == 2));
		EXPECT_EQ(turns.control[i] > 0, (i % 4 == 0 || i % 4 == 3));
	}
	free(turns.own);
	free(turns.control);
	kma_notes_deinit(&notes);
	kma_leak_series_destroy(series);
	unlink(path);
}

TEST_MAIN()
