// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-shmring.c - host/lib/shmring: what a child fills comes to the parent, all
 * of it and in order, whoever is the slower one, and to the end when the child dies.
 */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/shmring.h"

#include "ktap.h"

struct slot {
	uint64_t nr, check[40];
};

/* A child that fills @nr slots and then dies by @sig; 0: it exits. */
static pid_t fill(struct kma_shmring *ring, unsigned int nr, unsigned int pause_us, int sig)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (unsigned int i = 0; i < nr; i++) {
		struct slot *slot = kma_shmring_fill(ring);

		/* The same one until it is pushed. */
		if (kma_shmring_fill(ring) != slot)
			_exit(2);
		slot->nr = i;
		for (unsigned int k = 0; k < 40; k++)
			slot->check[k] = i * 40 + k;
		if (pause_us)
			usleep(pause_us);
		kma_shmring_push(ring);
	}
	if (sig)
		raise(sig);
	_exit(kma_shmring_stopped(ring) ? 1 : 0);
}

/* Takes up to @max slots; gives how many were right and in order. */
static unsigned int take(struct kma_shmring *ring, unsigned int max, unsigned int wait_ms,
			 unsigned int pause_us)
{
	const struct slot *slot;
	unsigned int nr = 0, bad = 0;

	while (nr < max && (slot = kma_shmring_take(ring, wait_ms))) {
		bad += slot->nr != nr;
		for (unsigned int k = 0; k < 40; k++)
			bad += slot->check[k] != (uint64_t)nr * 40 + k;
		nr++;
		if (pause_us)
			usleep(pause_us);
		kma_shmring_pop(ring);
	}
	return bad ? 0 : nr;
}

TEST(all_and_in_order)
{
	static const struct {
		unsigned int slots, nr, fill_us, take_us;
	} cases[] = {
		{ 1, 1000, 0, 0 },   { 2, 5000, 0, 0 },	  { 32, 20000, 0, 0 },
		{ 4, 100, 1000, 0 }, { 4, 100, 0, 1000 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct kma_shmring *ring;
		int status;
		pid_t pid;

		REQUIRE(!kma_shmring_create(sizeof(struct slot), cases[i].slots, &ring));
		pid = fill(ring, cases[i].nr, cases[i].fill_us, 0);
		EXPECT_EQ(take(ring, cases[i].nr, 20000, cases[i].take_us), cases[i].nr);
		EXPECT_EQ(waitpid(pid, &status, 0), pid);
		EXPECT(!kma_shmring_take(ring, 0));
		EXPECT_EQ(status, 0);
		kma_shmring_destroy(ring);
	}
}

/* What a child had pushed before it was killed is there. */
TEST(a_child_that_dies)
{
	struct kma_shmring *ring;
	int status;
	pid_t pid;

	REQUIRE(!kma_shmring_create(sizeof(struct slot), 16, &ring));
	pid = fill(ring, 10, 0, SIGKILL);
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT(WIFSIGNALED(status));
	EXPECT_EQ(take(ring, 99, 0, 0), 10);
	kma_shmring_destroy(ring);
}

TEST(waiting)
{
	struct timespec from, to;
	struct kma_shmring *ring;
	long ms;

	REQUIRE(!kma_shmring_create(64, 1, &ring));
	clock_gettime(CLOCK_MONOTONIC, &from);
	EXPECT(!kma_shmring_take(ring, 50));
	clock_gettime(CLOCK_MONOTONIC, &to);
	ms = (to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000;
	EXPECT(ms >= 49);
	/* far below 50 s, which a wait in another unit would take; a busy machine needs seconds */
	EXPECT(ms < 40000);
	kma_shmring_destroy(ring);
}

TEST(a_wish_to_stop)
{
	struct kma_shmring *ring;
	int status;
	pid_t pid;

	REQUIRE(!kma_shmring_create(sizeof(struct slot), 4, &ring));
	EXPECT(!kma_shmring_stopped(ring));
	kma_shmring_stop(ring);
	pid = fill(ring, 3, 0, 0);
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT_EQ(WEXITSTATUS(status), 1);
	EXPECT_EQ(take(ring, 99, 0, 0), 3);
	kma_shmring_destroy(ring);
}

TEST_MAIN()
