// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-workload.c - host/cli/leaks-workload and host/model/leak-part: the turns of a workload
 * and its control, and the verdicts on made ones.
 * tests/host/workload.sh judges what they give.
 */
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/leaks-workload.h"
#include "lib/notes.h"
#include "model/leak-part.h"
#include "model/leak.h"

#include "ktap.h"

#define TURNS 46

static struct kma_leak_result judge(struct kma_leak_site site)
{
	struct kma_leak_result result;

	kma_leak_judge(&site, &result);
	return result;
}

/* A series in which control and workload take turns; @own and @control: objects that a turn adds. */
static double own_steps[TURNS], control_steps[TURNS];

static void take_turns(struct kma_leak_sample *samples, double (*own)(int turn),
		       double (*control)(int turn))
{
	double objects = 1000, allocs = 5000;
	int turn = 0;

	for (int i = 0; i <= TURNS; i++) {
		bool is_own = i && (i - 1) % 4 % 3;

		if (i) {
			own_steps[i - 1] = is_own ? 72 : 0;
			control_steps[i - 1] = is_own ? 0 : 72;
			objects += is_own ? own(turn) : control(turn);
			allocs += is_own ? 100 * (1 + turn / 4 % 3) : 50 * (1 + turn / 4 % 3);
			turn += !((i - 1) % 2);
		}
		samples[i] = (struct kma_leak_sample){
			.time = 36 * i, .live = objects * 64, .objects = objects, .allocs = allocs
		};
	}
}

static double adds_none(int turn)
{
	(void)turn;
	return 0;
}

static double adds_of_load(int turn)
{
	return 3 * (1 + turn / 4 % 3);
}

static double takes_of_load(int turn)
{
	return -adds_of_load(turn);
}

static double adds_at_first(int turn)
{
	return turn < 8 ? 100 : 0;
}

static struct kma_leak_result judge_turns(double (*own)(int turn), double (*control)(int turn),
					  const char **why)
{
	struct kma_leak_sample all[TURNS + 1], part[TURNS + 1];
	struct kma_leak_site site = { .samples = part,
				      .has_allocs = true,
				      .reclaim = KMA_LEAK_RECLAIM_NONE,
				      .unloaded = -1,
				      .floor = 1 };
	struct kma_leak_result result, other;

	take_turns(all, own, control);
	memcpy(part, all, sizeof(part));
	site.nr = kma_leak_part(part, TURNS + 1, own_steps);
	EXPECT_EQ(site.nr, TURNS / 2 + 1);
	result = judge(site);
	memcpy(part, all, sizeof(part));
	site.nr = kma_leak_part(part, TURNS + 1, control_steps);
	EXPECT_EQ(site.nr, TURNS / 2 + 1);
	other = judge(site);
	*why = kma_leak_control(&result, &other);
	return result;
}

TEST(turns_of_a_workload)
{
	struct kma_leak_result result;
	const char *why;

	result = judge_turns(adds_of_load, adds_none, &why);
	EXPECT_EQ(result.verdict, KMA_LEAK_LEAK);
	EXPECT(!why);
	/* 6 objects on average in a turn of two runs, 36 s each */
	EXPECT(fabs(result.evidence.slope.slope - 6 * 64 / 72.0) <= 1);
	result = judge_turns(adds_none, adds_of_load, &why);
	EXPECT_EQ(result.verdict, KMA_LEAK_PLATEAU);
	EXPECT(!why);
	result = judge_turns(adds_of_load, adds_of_load, &why);
	EXPECT_EQ(result.verdict, KMA_LEAK_GROWING);
	EXPECT_STR(why, "it grows as well while an empty command runs");
	EXPECT(result.confidence < KMA_LEAK_SURE);
	result = judge_turns(adds_of_load, takes_of_load, &why);
	EXPECT_EQ(result.verdict, KMA_LEAK_CACHE);
	EXPECT_STR(why, "it shrinks again while an empty command runs");
	result = judge_turns(adds_at_first, adds_none, &why);
	EXPECT_EQ(result.verdict, KMA_LEAK_FILLING);
	EXPECT_STR(why, "it grew in the first runs and stays");
}

/* A module was unloaded, and what it left is older than the runs. */
TEST(older_than_the_runs)
{
	struct kma_leak_result own = { .verdict = KMA_LEAK_LEAK, .confidence = 0.9 }, control = own;

	EXPECT_STR(kma_leak_control(&own, &control), "its objects are from before the runs");
	EXPECT_EQ(own.verdict, KMA_LEAK_PLATEAU);
}

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
	series = kma_leak_series_create();
	pretended = true;
	err = kma_workload_run(&workload, series, &turns, &allocs);
	pretended = false;
	REQUIRE(!err);
	EXPECT_EQ(pretended_ns / 1000000000, (4 + 46 + 46) * PRETENDED_RUN_S);
	kma_leak_series_finish(series, &notes);
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
