// SPDX-License-Identifier: GPL-2.0-only
/*
 * agree-read.c - reads /proc/slabinfo between two snapshots of the account by cache.
 *
 *	agree-read CACHES ROUNDS FOLDER
 *
 * CACHES is the file `caches` of the account. Leaves N.before, N.slabinfo and N.after
 * in FOLDER, for N from 1 to ROUNDS.
 *
 * A reader has objects of its own, and others at each of its steps: a program that
 * begins has more mappings when it reads than when it opened. So one program reads all,
 * and what it takes it has before the first reading: memory for three files, the names
 * of all it writes to, /proc/slabinfo open and read once. The account's snapshot is that
 * of the moment of open(); the file stays open while /proc/slabinfo is read. What remains
 * is a path's buffer, which is there in the middle of open() alone, and what a file has
 * from the end of its open() on.
 *
 * Before each round what RCU has still to free has a second to be freed, and what CPUs
 * and nodes keep of each cache is given back.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROOM	(1 << 20)	/* bytes for a file */

struct text {
	char *text;
	size_t len;
};

static int open_or_die(const char *path, int flags)
{
	int fd = open(path, flags, 0644);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

/* What is between here and the end. */
static void read_whole(int fd, struct text *t)
{
	ssize_t n;

	for (t->len = 0; (n = read(fd, t->text + t->len, ROOM - t->len)) > 0; t->len += n)
		;
	if (n < 0 || t->len == ROOM)
		errx(1, "a file cannot be read, or has a megabyte");
}

static void save(const char *folder, int round, const char *name, const struct text *t)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%d.%s", folder, round, name);
	fd = open_or_die(path, O_WRONLY | O_CREAT | O_TRUNC);
	if (write(fd, t->text, t->len) != (ssize_t)t->len || close(fd))
		err(1, "%s", path);
}

static void shrink(const glob_t *caches)
{
	for (size_t i = 0; i < caches->gl_pathc; i++) {
		int fd = open_or_die(caches->gl_pathv[i], O_WRONLY);

		if (write(fd, "1", 1) != 1 || close(fd))
			err(1, "%s", caches->gl_pathv[i]);
	}
}

static void look(const char *caches, int slabinfo, struct text text[3])
{
	int fd = open_or_die(caches, O_RDONLY);

	if (lseek(slabinfo, 0, SEEK_SET))
		err(1, "/proc/slabinfo");
	read_whole(slabinfo, &text[1]);
	read_whole(fd, &text[0]);
	close(fd);
	fd = open_or_die(caches, O_RDONLY);
	read_whole(fd, &text[2]);
	close(fd);
}

int main(int argc, char *argv[])
{
	static const char *const names[] = { "before", "slabinfo", "after" };
	struct text text[3];
	glob_t caches;
	int slabinfo, rounds;

	if (argc != 4)
		errx(2, "usage: agree-read CACHES ROUNDS FOLDER");
	rounds = atoi(argv[2]);
	for (int i = 0; i < 3; i++) {
		text[i].text = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		if (text[i].text == MAP_FAILED)
			err(1, "mmap");
	}
	if (glob("/sys/kernel/slab/*/shrink", 0, NULL, &caches))
		errx(1, "no caches to shrink");
	slabinfo = open_or_die("/proc/slabinfo", O_RDONLY);
	/* round 0 is for what all of it takes the first time */
	for (int round = 0; round <= rounds; round++) {
		sleep(1);
		shrink(&caches);
		look(argv[1], slabinfo, text);
		for (int i = 0; i < 3; i++)
			save(argv[3], round, names[i], &text[i]);
	}
	for (int i = 0; i < 3; i++) {
		char path[256];

		snprintf(path, sizeof(path), "%s/0.%s", argv[3], names[i]);
		if (unlink(path))
			err(1, "%s", path);
	}
	return 0;
}
