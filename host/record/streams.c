// SPDX-License-Identifier: GPL-2.0-only
/*
 * streams.c - copy the streams of all CPUs to the output.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "../../module/uapi/kmem_account.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "streams.h"

#define KMA_STREAM_STACK    (256U << 10)  /* bytes of a thread's stack */
#define KMA_STREAM_MOST	    (64ULL << 20) /* bytes to read before a stream has caught up */
#define KMA_STREAMS_NS	    100000000	  /* ns of one wait */
#define KMA_STREAM_HURRY_NS 1000000000ULL /* ns without compression after falling behind */
#define KMA_STREAM_FRAME    (64U << 10)	  /* least bytes of a frame: less compresses badly */

struct kma_stream {
	struct kma_streams *all;
	unsigned int cpu;
	int fd; /* -1: the file does not exist yet */
	struct kma_lane *lane;
	pthread_t thread;
	bool runs;
	bool over;		  /* atomic: the stream was read to its end */
	int kick;		  /* eventfd: a request to catch up; -1: no thread yet */
	uint64_t hurry;		  /* time until which frames are not compressed, ns; 0: compress */
	unsigned int asked, done; /* atomic: number of requests to catch up; of those done */
};

struct kma_streams {
	struct kma_target *target;
	struct kma_output *out;
	struct kma_streams_limits limits;
	int wake, stop; /* eventfds: wake the main thread; end all threads */
	pthread_mutex_t lock;
	struct kma_err *err; /* the first error of a thread; @lock protects it */
	unsigned int nr;
	struct kma_stream streams[];
};

struct kma_err *kma_streams_create(struct kma_target *target, struct kma_output *out,
				   unsigned int nr_cpus, const struct kma_streams_limits *limits,
				   struct kma_streams **ret)
{
	struct kma_streams *all;

	all = kma_xcalloc(1, sizeof(*all) + nr_cpus * sizeof(*all->streams));
	all->target = target;
	all->out = out;
	all->limits = *limits;
	all->nr = nr_cpus;
	pthread_mutex_init(&all->lock, NULL);
	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++)
		all->streams[cpu] =
			(struct kma_stream){ .all = all, .cpu = cpu, .fd = -1, .kick = -1 };
	all->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	all->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	*ret = all;
	if (all->wake >= 0 && all->stop >= 0)
		return NULL;
	return kma_err_create(NULL, 0, "cannot create an eventfd: %s", strerror(errno));
}

static uint64_t kma_stream_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/*
 * Are frames stored without compression now? @behind: this thread has fallen behind the events. On
 * a machine whose CPUs are busy it would fall behind again with the next frame that it compresses,
 * so frames are stored for a second.
 */
static bool kma_stream_hurries(struct kma_stream *stream, bool behind)
{
	const uint64_t now = behind || stream->hurry ? kma_stream_now() : 0;

	if (behind)
		stream->hurry = now + KMA_STREAM_HURRY_NS;
	else if (now >= stream->hurry)
		stream->hurry = 0;
	return stream->hurry;
}

/* Do one read(2), and add its bytes to the lane. @some: data were read. */
static struct kma_err *kma_stream_read(struct kma_stream *stream, bool *some)
{
	struct kma_log_chunk head = { .magic = KMA_LOG_CHUNK_MAGIC, .cpu = stream->cpu };
	const struct kma_streams_limits *limits = &stream->all->limits;
	char *chunk = kma_lane_room(stream->lane, sizeof(head) + limits->read);
	ssize_t n;

	*some = false;
	n = read(stream->fd, chunk + sizeof(head), limits->read);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return NULL;
	if (n < 0)
		return kma_err_create(NULL, 0, "cannot read the event log of CPU %u: %s",
				      stream->cpu, strerror(errno));
	if (!n)
		return NULL;
	*some = true;
	head.len = n;
	memcpy(chunk, &head, sizeof(head));
	kma_lane_hurry(stream->lane, kma_stream_hurries(stream, (size_t)n > limits->behind));
	return kma_lane_add(stream->lane, sizeof(head) + n);
}

/* Wake the main thread; @err is kept if it is the first error. */
static void kma_streams_wake(struct kma_streams *all, struct kma_err *err)
{
	pthread_mutex_lock(&all->lock);
	if (all->err)
		kma_err_destroy(err);
	else
		all->err = err;
	pthread_mutex_unlock(&all->lock);
	eventfd_write(all->wake, 1);
}

static struct kma_err *kma_stream_take(struct kma_stream *stream, bool *some)
{
	struct kma_streams *all = stream->all;
	struct kma_err *err = kma_stream_read(stream, some);

	if (err)
		return err;
	if (all->limits.size && kma_output_bytes(all->out) >= all->limits.size)
		kma_streams_wake(all, NULL);
	return NULL;
}

/*
 * Handle a request to catch up: read everything that was readable when kma_streams_catch_up() was
 * called. The result of poll(2) does not tell this, because poll(2) may have checked the stream
 * before @kick was written.
 */
static struct kma_err *kma_stream_catch_up(struct kma_stream *stream)
{
	/* Pairs with the release in kma_streams_catch_up(). */
	unsigned int asked = __atomic_load_n(&stream->asked, __ATOMIC_ACQUIRE);
	struct kma_err *err;
	bool some = true;
	eventfd_t count;

	eventfd_read(stream->kick, &count);
	for (int64_t most = KMA_STREAM_MOST; some && most > 0; most -= stream->all->limits.read) {
		err = kma_stream_take(stream, &some);
		if (err)
			return err;
	}
	err = kma_lane_end(stream->lane);
	if (err)
		return err;
	/* Pairs with the acquire in kma_streams_caught_up(). */
	__atomic_store_n(&stream->done, asked, __ATOMIC_RELEASE);
	kma_streams_wake(stream->all, NULL);
	return NULL;
}

/* Handle the result of poll(2) for the stream's file. */
static struct kma_err *kma_stream_poll(struct kma_stream *stream, struct pollfd *pfd)
{
	bool some;

	if (pfd->revents & POLLIN)
		return kma_stream_take(stream, &some);
	/* The log is off. Stop polling the file, which would report this again and again. */
	if (pfd->revents) {
		__atomic_store_n(&stream->over, true, __ATOMIC_RELAXED);
		pfd->fd = -1;
	}
	return NULL;
}

static struct kma_err *kma_stream_carry(struct kma_stream *stream)
{
	struct pollfd fds[] = {
		{ .fd = stream->all->stop, .events = POLLIN },
		{ .fd = stream->fd, .events = POLLIN },
		{ .fd = stream->kick, .events = POLLIN },
	};

	for (;;) {
		struct kma_err *err;

		if (poll(fds, ARRAY_SIZE(fds), -1) < 0)
			continue;
		if (fds[0].revents)
			return kma_lane_end(stream->lane);
		err = fds[2].revents ? kma_stream_catch_up(stream) :
				       kma_stream_poll(stream, &fds[1]);
		if (err)
			return err;
	}
}

static void *kma_stream_run(void *arg)
{
	struct kma_stream *stream = arg;
	struct kma_err *err = kma_stream_carry(stream);

	if (err)
		kma_streams_wake(stream->all, err);
	return NULL;
}

static const char *kma_streams_hint(int err)
{
	return err == EMFILE ? "; raise the limit of open files (ulimit -n)" : "";
}

static struct kma_err *kma_stream_start(struct kma_stream *stream)
{
	pthread_attr_t attr;
	int err;

	stream->kick = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (stream->kick < 0)
		return kma_err_create(NULL, 0, "cannot create an eventfd: %s%s", strerror(errno),
				      kma_streams_hint(errno));
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, KMA_STREAM_STACK);
	err = pthread_create(&stream->thread, &attr, kma_stream_run, stream);
	pthread_attr_destroy(&attr);
	if (err)
		return kma_err_create(NULL, 0,
				      "cannot start a thread for the event log of CPU %u: %s",
				      stream->cpu, strerror(err));
	stream->runs = true;
	return NULL;
}

static struct kma_err *kma_streams_cannot_open(const char *path)
{
	return kma_err_create(path, 0, "cannot open: %s%s", strerror(errno),
			      kma_streams_hint(errno));
}

static struct kma_err *kma_stream_open(struct kma_stream *stream, const char *path)
{
	if (!stream->lane) {
		stream->lane = kma_lane_create(stream->all->out);
		kma_lane_limit(stream->lane, stream->all->limits.read < KMA_STREAM_FRAME ?
						     KMA_STREAM_FRAME :
						     stream->all->limits.read);
	}
	stream->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	/* Events of a CPU whose file is not read would be missing without a reason. */
	return stream->fd < 0 && errno != ENOENT ? kma_streams_cannot_open(path) : NULL;
}

/* Open the files of CPUs that have come since the last call. */
static struct kma_err *kma_streams_open(struct kma_streams *all)
{
	_cleanup_dir_ DIR *dir = NULL;
	const char *path = kma_target_trace(all->target, "");
	const struct dirent *entry;
	unsigned int cpu;
	char rest;

	/* Without the directory, another program has freed the log. */
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? NULL : kma_streams_cannot_open(path);
	while ((entry = readdir(dir))) {
		struct kma_err *err;

		if (sscanf(entry->d_name, "cpu%u%c", &cpu, &rest) != 1 || cpu >= all->nr ||
		    all->streams[cpu].fd >= 0)
			continue;
		err = kma_stream_open(&all->streams[cpu],
				      kma_target_trace(all->target, entry->d_name));
		if (err)
			return err;
	}
	return NULL;
}

struct kma_err *kma_streams_look(struct kma_streams *all)
{
	struct kma_err *err = kma_streams_open(all);

	for (unsigned int cpu = 0; cpu < all->nr && !err; cpu++)
		if (all->streams[cpu].fd >= 0 && !all->streams[cpu].runs)
			err = kma_stream_start(&all->streams[cpu]);
	return err;
}

struct kma_err *kma_streams_wait(struct kma_streams *all, const sigset_t *mask)
{
	const struct timespec wait = { .tv_nsec = KMA_STREAMS_NS };
	struct pollfd pfd = { .fd = all->wake, .events = POLLIN };
	struct kma_err *err;
	eventfd_t count;

	if (ppoll(&pfd, 1, &wait, mask) < 0 && errno != EINTR)
		return kma_err_create(NULL, 0, "cannot wait for data of the event log: %s",
				      strerror(errno));
	eventfd_read(all->wake, &count);
	pthread_mutex_lock(&all->lock);
	err = all->err;
	all->err = NULL;
	pthread_mutex_unlock(&all->lock);
	return err;
}

void kma_streams_catch_up(struct kma_streams *all)
{
	for (unsigned int cpu = 0; cpu < all->nr; cpu++) {
		struct kma_stream *stream = &all->streams[cpu];

		if (!stream->runs)
			continue;
		/* Pairs with the acquire in kma_stream_catch_up(). */
		__atomic_store_n(&stream->asked, stream->asked + 1, __ATOMIC_RELEASE);
		eventfd_write(stream->kick, 1);
	}
}

bool kma_streams_caught_up(const struct kma_streams *all)
{
	bool all_done = true;

	/* Pairs with the release in kma_stream_catch_up(). */
	for (unsigned int cpu = 0; cpu < all->nr; cpu++)
		all_done &= __atomic_load_n(&all->streams[cpu].done, __ATOMIC_ACQUIRE) ==
			    all->streams[cpu].asked;
	return all_done;
}

bool kma_streams_over(const struct kma_streams *all)
{
	unsigned int runs = 0, over = 0;

	for (unsigned int cpu = 0; cpu < all->nr; cpu++) {
		runs += all->streams[cpu].runs;
		over += __atomic_load_n(&all->streams[cpu].over, __ATOMIC_RELAXED);
	}
	return runs && over == runs;
}

static void kma_streams_join(struct kma_streams *all)
{
	eventfd_write(all->stop, 1);
	for (unsigned int cpu = 0; cpu < all->nr; cpu++)
		if (all->streams[cpu].runs) {
			pthread_join(all->streams[cpu].thread, NULL);
			all->streams[cpu].runs = false;
		}
}

struct kma_err *kma_streams_finish(struct kma_streams *all)
{
	struct kma_err *err;
	bool any, some;

	kma_streams_join(all);
	err = all->err;
	all->err = NULL;
	if (err)
		return err;
	/* A CPU may have come since the last look. */
	err = kma_streams_open(all);
	if (err)
		return err;
	do {
		any = false;
		for (unsigned int cpu = 0; cpu < all->nr; cpu++) {
			if (all->streams[cpu].fd < 0)
				continue;
			err = kma_stream_read(&all->streams[cpu], &some);
			if (err)
				return err;
			any |= some;
		}
	} while (any);
	for (unsigned int cpu = 0; !err && cpu < all->nr; cpu++)
		if (all->streams[cpu].lane)
			err = kma_lane_end(all->streams[cpu].lane);
	return err;
}

void kma_streams_destroy(struct kma_streams *all)
{
	if (!all)
		return;
	if (all->stop >= 0)
		kma_streams_join(all);
	for (unsigned int cpu = 0; cpu < all->nr; cpu++) {
		if (all->streams[cpu].fd >= 0)
			close(all->streams[cpu].fd);
		if (all->streams[cpu].kick >= 0)
			close(all->streams[cpu].kick);
		kma_lane_destroy(all->streams[cpu].lane);
	}
	if (all->wake >= 0)
		close(all->wake);
	if (all->stop >= 0)
		close(all->stop);
	kma_err_destroy(all->err);
	pthread_mutex_destroy(&all->lock);
	free(all);
}
