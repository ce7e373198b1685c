// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.c - how fast this machine reads memory: what the speed of a reader of files
 * can be held against.
 *
 *	memory FILE REPEAT	rows of a table: a plain read of FILE, mapped, and of as
 *				much anonymous memory, on one thread and on two
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct part {
	pthread_t thread;
	const uint64_t *from;
	size_t words;
	uint64_t sum;
};

static void *sum_part(void *arg)
{
	struct part *part = arg;
	uint64_t sum = 0;

	for (size_t i = 0; i < part->words; i++)
		sum += part->from[i];
	part->sum = sum;
	return NULL;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Seconds to read all, on @nr threads. */
static double read_once(const void *memory, size_t bytes, unsigned int nr)
{
	struct part parts[8] = { { 0 } };
	double start = now();
	uint64_t sum = 0;

	for (unsigned int i = 0; i < nr; i++) {
		parts[i].words = bytes / 8 / nr;
		parts[i].from = (const uint64_t *)memory + i * parts[i].words;
		if (pthread_create(&parts[i].thread, NULL, sum_part, &parts[i]))
			exit(1);
	}
	for (unsigned int i = 0; i < nr; i++) {
		pthread_join(parts[i].thread, NULL);
		sum += parts[i].sum;
	}
	/* the sum is used, so that it is made */
	return now() - start + (sum == 1 ? 1e-9 : 0);
}

static void *map(int fd, size_t bytes)
{
	int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE;
	void *memory = mmap(NULL, bytes, fd < 0 ? PROT_READ | PROT_WRITE : PROT_READ, flags, fd, 0);

	if (memory == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	if (fd < 0)
		memset(memory, 1, bytes);
	return memory;
}

int main(int argc, char **argv)
{
	int fd = argc == 3 ? open(argv[1], O_RDONLY) : -1;
	double file = 1e9, one = 1e9, two = 1e9, t;
	struct stat st;
	void *memory;

	if (fd < 0 || fstat(fd, &st)) {
		fprintf(stderr, "usage: memory FILE REPEAT\n");
		return 2;
	}
	memory = map(-1, st.st_size);
	for (int i = 0; i < atoi(argv[2]); i++) {
		/* mapped anew: page faults are a part of it */
		void *mapped = map(fd, st.st_size);

		t = read_once(mapped, st.st_size, 1);
		file = t < file ? t : file;
		munmap(mapped, st.st_size);
		t = read_once(memory, st.st_size, 1);
		one = t < one ? t : one;
		t = read_once(memory, st.st_size, 2);
		two = t < two ? t : two;
	}
	printf("| plain read of the mapped log, 1 thread, with its page faults | %.2f |\n",
	       st.st_size / file / 1e9);
	printf("| read of anonymous memory, 1 thread | %.2f |\n", st.st_size / one / 1e9);
	printf("| read of anonymous memory, 2 threads | %.2f |\n", st.st_size / two / 1e9);
	return 0;
}
