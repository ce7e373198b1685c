// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshots.c - write the module's snapshots one after the other.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/stop.h"
#include "snapshots.h"

#define KMA_SNAPSHOTS_FIRST "kmem_account snapshot "
#define KMA_SNAPSHOTS_END   "\n== end\n"

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

struct kma_err *kma_snapshots_write(const struct kma_snapshots *snapshots)
{
	struct kma_err *err = NULL;
	unsigned long written = 0;
	uint64_t next = kma_clock(CLOCK_MONOTONIC);

	kma_stop_catch(false);
	while (!kma_stopped() && !err) {
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
		kma_stop_wait_next(snapshots->interval, &next);
	}
	return err;
}
