// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshots.c - write the module's snapshots one after the other.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/say.h"
#include "snapshots.h"

#define KMA_SNAPSHOTS_FIRST  "kmem_account snapshot "
#define KMA_SNAPSHOTS_END    "\n== end\n"
#define KMA_SNAPSHOTS_SECOND 1000000000ULL

static int snapshots_signals;

static void snapshots_signal(int sig)
{
	__atomic_store_n(&snapshots_signals, sig, __ATOMIC_RELAXED);
}

static bool snapshots_stopped(void)
{
	return __atomic_load_n(&snapshots_signals, __ATOMIC_RELAXED);
}

static struct kma_err *snapshots_read(const char *path, char **ret, size_t *len)
{
	const size_t end = strlen(KMA_SNAPSHOTS_END);
	struct kma_err *err = kma_file_slurp(path, ret, len);

	if (err)
		return err;
	if (strncmp(*ret, KMA_SNAPSHOTS_FIRST, strlen(KMA_SNAPSHOTS_FIRST)))
		err = kma_err_create(path, 1, "not a snapshot of the module");
	else if (*len < end || memcmp(*ret + *len - end, KMA_SNAPSHOTS_END, end))
		err = kma_err_create(path, 0, "truncated: it does not end with '== end'");
	return err;
}

/* Write a snapshot completely: a signal does not end it in the middle. */
static struct kma_err *snapshots_put(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return kma_err_create("standard output", 0, "cannot write: %s",
					      strerror(errno));
		bytes += n;
		len -= n;
	}
	return NULL;
}

static uint64_t snapshots_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * KMA_SNAPSHOTS_SECOND + ts.tv_nsec;
}

/*
 * Wait for the next snapshot. They are at multiples of the interval; those whose time has passed
 * are left out. A signal that comes just before a sleep is noticed within a second.
 */
static void snapshots_wait(uint64_t interval, uint64_t *next)
{
	uint64_t now = snapshots_now();

	*next += interval;
	if (*next < now)
		*next = now + interval - (now - *next) % interval;
	while (!snapshots_stopped() && now < *next) {
		uint64_t until = *next - now < KMA_SNAPSHOTS_SECOND ? *next :
								      now + KMA_SNAPSHOTS_SECOND;
		struct timespec ts = { until / KMA_SNAPSHOTS_SECOND, until % KMA_SNAPSHOTS_SECOND };

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
		now = snapshots_now();
	}
}

struct kma_err *kma_snapshots_write(const struct kma_snapshots *snapshots)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction stop = { .sa_handler = snapshots_signal };
	struct sigaction old;
	struct kma_err *err = NULL;
	unsigned long written = 0;
	uint64_t next = snapshots_now();

	/* A signal that is ignored stays so: nohup(1) is to have an effect. */
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(ends[i], &stop, NULL);
	while (!snapshots_stopped() && !err) {
		_cleanup_free_ char *text = NULL;
		size_t len;

		err = snapshots_read(snapshots->path, &text, &len);
		if (!err) {
			err = snapshots_put(snapshots->fd, text, len);
			written++;
		} else if (written) {
			kma_warn("watch: %s: %s", snapshots->path, err->message);
			kma_err_destroy(err);
			err = NULL;
		}
		if (err || (snapshots->samples && written >= snapshots->samples))
			break;
		snapshots_wait(snapshots->interval, &next);
	}
	return err;
}
