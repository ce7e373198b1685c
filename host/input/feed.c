// SPDX-License-Identifier: GPL-2.0-only
/*
 * feed.c - read snapshots of the module, one after the other, from a pipe. feed.h has the design.
 *
 * The thread waits with poll(2) for the pipe and for an eventfd, by which kma_feed_close() wakes
 * it. It appends what it reads to a string, and searches only the new bytes, and the few before
 * them, for the end line. The member @text is the mailbox between the two threads; @changed is
 * signalled whenever the mailbox is filled or emptied.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "feed.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"

#define KMA_FEED_READ (64U << 10)  /* bytes that are read at once */
#define KMA_FEED_MOST (256U << 20) /* largest snapshot in bytes */

struct kma_feed {
	const char *name;
	int fd, stop;	/* the pipe; an eventfd that ends the thread */
	bool all, runs; /* replace no snapshot that was not taken; the thread was started */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a member below has changed */
	/* Protected by @lock: */
	char *text;	     /* snapshot for the caller; NULL: there is none */
	size_t len;	     /* bytes of it */
	bool any;	     /* there was a snapshot */
	bool ended, closing; /* the thread has ended; kma_feed_close() was called */
	int failed;	     /* errno of reading; EFBIG: a snapshot is too large; 0: no error */
};

/* Pass a snapshot to the caller; false if the feed is being closed. */
static bool feed_put(struct kma_feed *feed, const char *bytes, size_t len)
{
	char *text = kma_xmalloc(len + 1);
	bool closing;

	memcpy(text, bytes, len);
	text[len] = '\0';
	pthread_mutex_lock(&feed->lock);
	while (feed->all && feed->text && !feed->closing)
		pthread_cond_wait(&feed->changed, &feed->lock);
	feed->any = true;
	free(feed->text);
	feed->text = text;
	feed->len = len;
	closing = feed->closing;
	pthread_cond_broadcast(&feed->changed);
	pthread_mutex_unlock(&feed->lock);
	return !closing;
}

/*
 * Pass all complete snapshots to the caller, and remove them from @got. @seen: number of bytes at
 * the start of @got that were searched before. False if the thread has to end.
 */
static bool feed_cut(struct kma_feed *feed, struct kma_strbuf *got, size_t *seen)
{
	static const char end[] = "\n" KMA_FEED_END "\n";
	const size_t len = strlen(end);
	bool more = true;
	size_t done = 0;

	while (more && got->len - done >= len) {
		size_t from = *seen > done + len ? *seen - len : done;
		const char *at = memmem(got->str + from, got->len - from, end, len);

		if (!at)
			break;
		more = feed_put(feed, got->str + done, at + len - got->str - done);
		done = at + len - got->str;
		*seen = done;
	}
	memmove(got->str, got->str + done, got->len - done);
	got->len -= done;
	*seen = got->len;
	return more;
}

/* Read until the end of the pipe, an error (@failed is set to errno), or the request to stop. */
static void feed_read(struct kma_feed *feed, struct kma_strbuf *got, int *failed)
{
	_cleanup_free_ char *block = kma_xmalloc(KMA_FEED_READ);
	struct pollfd fds[] = {
		{ .fd = feed->stop, .events = POLLIN },
		{ .fd = feed->fd, .events = POLLIN },
	};
	size_t seen = 0;
	ssize_t n;

	while (!*failed) {
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0)
			continue;
		if (fds[0].revents)
			return;
		n = read(feed->fd, block, KMA_FEED_READ);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			*failed = errno;
		if (n <= 0)
			return;
		kma_strbuf_add(got, block, n);
		if (!feed_cut(feed, got, &seen))
			return;
		else if (got->len > KMA_FEED_MOST)
			*failed = EFBIG;
	}
}

static void *feed_run(void *arg)
{
	_cleanup_strbuf_ struct kma_strbuf got = { 0 };
	struct kma_feed *feed = arg;
	int failed = 0;

	feed_read(feed, &got, &failed);
	if (!failed && got.len)
		feed_put(feed, got.str, got.len);
	pthread_mutex_lock(&feed->lock);
	feed->failed = feed->failed ?: failed;
	feed->ended = true;
	pthread_cond_broadcast(&feed->changed);
	pthread_mutex_unlock(&feed->lock);
	return NULL;
}

struct kma_err *kma_feed_open(const char *name, int fd, bool all, struct kma_feed **ret)
{
	struct kma_feed *feed = kma_xcalloc(1, sizeof(*feed));
	pthread_condattr_t attr;
	int code;

	*feed = (struct kma_feed){ .name = name, .fd = fd, .all = all };
	pthread_mutex_init(&feed->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&feed->changed, &attr);
	pthread_condattr_destroy(&attr);
	feed->stop = eventfd(0, EFD_CLOEXEC);
	code = feed->stop < 0 ? errno : pthread_create(&feed->thread, NULL, feed_run, feed);
	feed->runs = !code;
	if (!code) {
		*ret = feed;
		return NULL;
	}
	kma_feed_close(feed);
	return kma_err_create(name, 0, "cannot start a thread that reads snapshots: %s",
			      strerror(code));
}

void kma_feed_close(struct kma_feed *feed)
{
	if (!feed)
		return;
	if (feed->runs) {
		pthread_mutex_lock(&feed->lock);
		feed->closing = true;
		pthread_cond_broadcast(&feed->changed);
		pthread_mutex_unlock(&feed->lock);
		eventfd_write(feed->stop, 1);
		pthread_join(feed->thread, NULL);
	}
	if (feed->stop >= 0)
		close(feed->stop);
	pthread_cond_destroy(&feed->changed);
	pthread_mutex_destroy(&feed->lock);
	free(feed->text);
	free(feed);
}

bool kma_feed_wait(struct kma_feed *feed, unsigned int ms)
{
	struct timespec until;
	int code = 0;
	bool ready;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ms % 1000 * 1000000L;
	until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&feed->lock);
	while (!feed->text && !feed->ended && !code)
		code = pthread_cond_timedwait(&feed->changed, &feed->lock, &until);
	ready = feed->text || feed->ended;
	pthread_mutex_unlock(&feed->lock);
	return ready;
}

struct kma_err *kma_feed_take(struct kma_feed *feed, char **ret, size_t *len)
{
	bool ended, any;
	int failed;

	pthread_mutex_lock(&feed->lock);
	*ret = feed->text;
	*len = feed->len;
	feed->text = NULL;
	ended = feed->ended && !*ret;
	failed = feed->failed;
	any = feed->any;
	pthread_cond_broadcast(&feed->changed);
	pthread_mutex_unlock(&feed->lock);
	if (!ended)
		return NULL;
	if (failed == EFBIG)
		return kma_err_create(feed->name, 0,
				      "no line '" KMA_FEED_END
				      "' in %u MiB: not a stream of snapshots",
				      KMA_FEED_MOST >> 20);
	if (failed)
		return kma_err_create(feed->name, 0, "cannot read: %s", strerror(failed));
	if (!any)
		return kma_err_create(feed->name, 0, "no snapshot came before the end of the pipe");
	return kma_err_create_kind(KMA_ERR_NOT_FOUND, feed->name, 0, "the stream has ended");
}
