// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - record the module's event log into a file.
 *
 * The file has the header of the log, symbols and nodes, the streams of the CPUs in chunks, symbols
 * of modules and changes of tasks in between, and the totals. The totals are its last bytes: a file
 * without them is truncated (Documentation/format/log.rst).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../module/uapi/kmem_account.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/strbuf.h"
#include "log-files.h"
#include "output.h"
#include "record.h"
#include "target.h"
#include "task-events.h"
#include "task-scan.h"

/*
 * Copy the streams of all CPUs to the output, each with a thread of its own.
 *
 * One thread for all streams would lose events on a busy machine: it gets a share of one CPU and
 * must drain the buffers of all. A thread is not bound to its CPU, and has the priority of the
 * program. A chunk of the output has the bytes of one read(2). The threads never examine the
 * content of a stream.
 *
 * A thread compresses what it has read, if requested. If it finds that it has fallen behind the
 * events, it compresses nothing for a second, because lost events are worse than a larger file.
 *
 * CPUs may come while the log is on; streams_look() starts their threads. A thread takes 256
 * KiB of stack, and the buffers of its lane (output.h).
 *
 * Locking: one thread, the main thread, calls all functions and receives the signals; block them
 * before streams_look(). The other threads share the output, each through its own lane, and the
 * first error, which kma_streams.lock protects. Each thread has an eventfd by which the main thread
 * requests to catch up; @asked and @done count the requests, see their barriers. One
 * eventfd wakes the main thread. Another one, which is written once and never read, ends all
 * threads.
 */

struct kma_streams;

struct kma_streams_limits {
	uint64_t size; /* streams_wait() returns if the output has so many bytes; 0: no limit */
	size_t read;   /* bytes of one read(2) */
	size_t behind; /* a thread has fallen behind if a read(2) gets more bytes */
};

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

/*
 * Prepare to read the streams.
 * @target: the machine; must outlive the streams
 * @out: the output
 * @nr_cpus: CPUs have numbers below this
 * @limits: copied
 * @ret: the streams; set unless memory cannot be allocated, also with another error
 */
static struct kma_err *streams_create(struct kma_target *target, struct kma_output *out,
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

static uint64_t stream_now(void)
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
static bool stream_hurries(struct kma_stream *stream, bool behind)
{
	const uint64_t now = behind || stream->hurry ? stream_now() : 0;

	if (behind)
		stream->hurry = now + KMA_STREAM_HURRY_NS;
	else if (now >= stream->hurry)
		stream->hurry = 0;
	return stream->hurry;
}

/* Do one read(2), and add its bytes to the lane. @some: data were read. */
static struct kma_err *stream_read(struct kma_stream *stream, bool *some)
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
	kma_lane_hurry(stream->lane, stream_hurries(stream, (size_t)n > limits->behind));
	return kma_lane_add(stream->lane, sizeof(head) + n);
}

/* Wake the main thread; @err is kept if it is the first error. */
static void streams_wake(struct kma_streams *all, struct kma_err *err)
{
	pthread_mutex_lock(&all->lock);
	if (all->err)
		kma_err_destroy(err);
	else
		all->err = err;
	pthread_mutex_unlock(&all->lock);
	eventfd_write(all->wake, 1);
}

static struct kma_err *stream_take(struct kma_stream *stream, bool *some)
{
	struct kma_streams *all = stream->all;
	struct kma_err *err = stream_read(stream, some);

	if (err)
		return err;
	if (all->limits.size && kma_output_bytes(all->out) >= all->limits.size)
		streams_wake(all, NULL);
	return NULL;
}

/*
 * Handle a request to catch up: read everything that was readable when streams_catch_up() was
 * called. The result of poll(2) does not tell this, because poll(2) may have checked the stream
 * before @kick was written.
 */
static struct kma_err *stream_catch_up(struct kma_stream *stream)
{
	/* Pairs with the release in streams_catch_up(). */
	unsigned int asked = __atomic_load_n(&stream->asked, __ATOMIC_ACQUIRE);
	struct kma_err *err;
	bool some = true;
	eventfd_t count;

	eventfd_read(stream->kick, &count);
	for (int64_t most = KMA_STREAM_MOST; some && most > 0; most -= stream->all->limits.read) {
		err = stream_take(stream, &some);
		if (err)
			return err;
	}
	err = kma_lane_end(stream->lane);
	if (err)
		return err;
	/* Pairs with the acquire in streams_caught_up(). */
	__atomic_store_n(&stream->done, asked, __ATOMIC_RELEASE);
	streams_wake(stream->all, NULL);
	return NULL;
}

/* Handle the result of poll(2) for the stream's file. */
static struct kma_err *stream_poll(struct kma_stream *stream, struct pollfd *pfd)
{
	bool some;

	if (pfd->revents & POLLIN)
		return stream_take(stream, &some);
	/* The log is off. Stop polling the file, which would report this again and again. */
	if (pfd->revents) {
		__atomic_store_n(&stream->over, true, __ATOMIC_RELAXED);
		pfd->fd = -1;
	}
	return NULL;
}

static struct kma_err *stream_carry(struct kma_stream *stream)
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
		err = fds[2].revents ? stream_catch_up(stream) : stream_poll(stream, &fds[1]);
		if (err)
			return err;
	}
}

static void *stream_run(void *arg)
{
	struct kma_stream *stream = arg;
	struct kma_err *err = stream_carry(stream);

	if (err)
		streams_wake(stream->all, err);
	return NULL;
}

static const char *streams_hint(int err)
{
	return err == EMFILE ? "; raise the limit of open files (ulimit -n)" : "";
}

static struct kma_err *stream_start(struct kma_stream *stream)
{
	pthread_attr_t attr;
	int err;

	stream->kick = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (stream->kick < 0)
		return kma_err_create(NULL, 0, "cannot create an eventfd: %s%s", strerror(errno),
				      streams_hint(errno));
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, KMA_STREAM_STACK);
	err = pthread_create(&stream->thread, &attr, stream_run, stream);
	pthread_attr_destroy(&attr);
	if (err)
		return kma_err_create(NULL, 0,
				      "cannot start a thread for the event log of CPU %u: %s",
				      stream->cpu, strerror(err));
	stream->runs = true;
	return NULL;
}

static struct kma_err *streams_cannot_open(const char *path)
{
	return kma_err_create(path, 0, "cannot open: %s%s", strerror(errno), streams_hint(errno));
}

static struct kma_err *stream_open(struct kma_stream *stream, const char *path)
{
	if (!stream->lane) {
		stream->lane = kma_lane_create(stream->all->out);
		kma_lane_limit(stream->lane, stream->all->limits.read < KMA_STREAM_FRAME ?
						     KMA_STREAM_FRAME :
						     stream->all->limits.read);
	}
	stream->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	/* Events of a CPU whose file is not read would be missing without a reason. */
	return stream->fd < 0 && errno != ENOENT ? streams_cannot_open(path) : NULL;
}

/* Open the files of CPUs that have come since the last call. */
static struct kma_err *streams_open(struct kma_streams *all)
{
	_cleanup_dir_ DIR *dir = NULL;
	const char *path = kma_target_trace(all->target, "");
	const struct dirent *entry;
	unsigned int cpu;
	char rest;

	/* Without the directory, another program has freed the log. */
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? NULL : streams_cannot_open(path);
	while ((entry = readdir(dir))) {
		struct kma_err *err;

		if (sscanf(entry->d_name, "cpu%u%c", &cpu, &rest) != 1 || cpu >= all->nr ||
		    all->streams[cpu].fd >= 0)
			continue;
		err = stream_open(&all->streams[cpu], kma_target_trace(all->target, entry->d_name));
		if (err)
			return err;
	}
	return NULL;
}

/*
 * Start to read streams that have appeared since the last call.
 * @streams: from streams_create()
 *
 * Return: NULL, or an error: memory cannot be allocated, or a thread cannot be started.
 */
static struct kma_err *streams_look(struct kma_streams *all)
{
	struct kma_err *err = streams_open(all);

	for (unsigned int cpu = 0; cpu < all->nr && !err; cpu++)
		if (all->streams[cpu].fd >= 0 && !all->streams[cpu].runs)
			err = stream_start(&all->streams[cpu]);
	return err;
}

/*
 * Wait for a reason to check the state.
 * @streams: from streams_create()
 * @mask: signal mask during the wait
 *
 * Return: NULL after a tenth of a second, after a signal, when a thread has caught up, or when the
 * output has reached its size; or the error of one of the threads.
 */
static struct kma_err *streams_wait(struct kma_streams *all, const sigset_t *mask)
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

/*
 * Request that all data that are readable now are written.
 * @streams: from streams_create()
 *
 * Each thread reads its stream until nothing is left, at most 64 MiB, and ends its lane's frame.
 * streams_caught_up() tells when that is done; call this function again only after that.
 */
static void streams_catch_up(struct kma_streams *all)
{
	for (unsigned int cpu = 0; cpu < all->nr; cpu++) {
		struct kma_stream *stream = &all->streams[cpu];

		if (!stream->runs)
			continue;
		/* Pairs with the acquire in stream_catch_up(). */
		__atomic_store_n(&stream->asked, stream->asked + 1, __ATOMIC_RELEASE);
		eventfd_write(stream->kick, 1);
	}
}

/*
 * Test whether all threads have caught up.
 * @streams: from streams_create()
 *
 * streams_wait() returns each time that a thread has caught up.
 *
 * Return: true if all have, or if there was no request.
 */
static bool streams_caught_up(const struct kma_streams *all)
{
	bool all_done = true;

	/* Pairs with the release in stream_catch_up(). */
	for (unsigned int cpu = 0; cpu < all->nr; cpu++)
		all_done &= __atomic_load_n(&all->streams[cpu].done, __ATOMIC_ACQUIRE) ==
			    all->streams[cpu].asked;
	return all_done;
}

/*
 * Test whether another program has ended the log.
 * @streams: from streams_create()
 *
 * Return: true if every stream was read to its end.
 */
static bool streams_over(const struct kma_streams *all)
{
	unsigned int runs = 0, over = 0;

	for (unsigned int cpu = 0; cpu < all->nr; cpu++) {
		runs += all->streams[cpu].runs;
		over += __atomic_load_n(&all->streams[cpu].over, __ATOMIC_RELAXED);
	}
	return runs && over == runs;
}

static void streams_join(struct kma_streams *all)
{
	eventfd_write(all->stop, 1);
	for (unsigned int cpu = 0; cpu < all->nr; cpu++)
		if (all->streams[cpu].runs) {
			pthread_join(all->streams[cpu].thread, NULL);
			all->streams[cpu].runs = false;
		}
}

/*
 * End the threads, and read what is left in the streams.
 * @streams: from streams_create(); the log is off
 */
static struct kma_err *streams_finish(struct kma_streams *all)
{
	struct kma_err *err;
	bool any, some;

	streams_join(all);
	err = all->err;
	all->err = NULL;
	if (err)
		return err;
	/* A CPU may have come since the last look. */
	err = streams_open(all);
	if (err)
		return err;
	do {
		any = false;
		for (unsigned int cpu = 0; cpu < all->nr; cpu++) {
			if (all->streams[cpu].fd < 0)
				continue;
			err = stream_read(&all->streams[cpu], &some);
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

/* End the threads, close and free all. */
static void streams_destroy(struct kma_streams *all)
{
	if (!all)
		return;
	if (all->stop >= 0)
		streams_join(all);
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

/*
 * Names and cgroups of the tasks of a recording: those of the tasks that exist when it
 * begins, and the changes while it runs.
 *
 * An event of the log has only the number of its thread. The names and cgroups are written once,
 * and again when they change; nothing is added to an event. If the changes cannot be followed
 * (task-events.h), the log says that only the state at the start is known.
 *
 * Locking: none; one thread.
 */

struct kma_tasks;

struct kma_tasks {
	char *root;
	struct kma_task_events *events; /* NULL: changes cannot be followed */
	struct kma_task_lines lines;
	uint64_t lost; /* lost events that were already written as a line */
	bool taken;    /* tasks_text() has returned the lines */
};

static void tasks_scan(struct kma_tasks *tasks)
{
	kma_strbuf_printf(&tasks->lines.text, "#tasks %s\n", tasks->events ? "all" : "start");
	kma_task_scan(tasks->root, &tasks->lines);
}

/*
 * Begin to follow the tasks, and scan those that exist.
 * @root: where /proc is: "" for this machine
 * @tracing: directory of tracefs
 * @err: the reason if the changes cannot be followed, for the caller to destroy; otherwise NULL
 *
 * If the changes cannot be followed, the existing tasks are recorded anyway.
 */
static struct kma_tasks *tasks_create(const char *root, const char *tracing, struct kma_err **err)
{
	struct kma_tasks *tasks = kma_xcalloc(1, sizeof(*tasks));

	tasks->root = kma_xstrdup(root);
	*err = kma_task_events_open(root, tracing, &tasks->events);
	tasks_scan(tasks);
	return tasks;
}

/*
 * Adopt the clock of the log, which is on.
 * @tasks: the tasks; NULL is fine
 * @header: header of the log
 */
static void tasks_begin(struct kma_tasks *tasks, const struct kma_log_header *header)
{
	if (tasks && tasks->events && kma_task_events_clock(tasks->events, header))
		tasks_scan(tasks);
}

/*
 * Get the lines since the last call, as text of a log.
 * @tasks: the tasks; NULL is fine
 *
 * Return: the text, valid until the next call; NULL if @tasks is NULL.
 */
static const struct kma_strbuf *tasks_text(struct kma_tasks *tasks)
{
	struct kma_task_lines *lines;

	if (!tasks)
		return NULL;
	lines = &tasks->lines;
	if (tasks->taken)
		kma_strbuf_deinit(&lines->text);
	tasks->taken = true;
	if (!tasks->events)
		return &lines->text;
	kma_task_events_read(tasks->events, lines);
	if (kma_task_events_lost(tasks->events) > tasks->lost) {
		tasks->lost = kma_task_events_lost(tasks->events);
		kma_strbuf_printf(&lines->text, "#tasks lost %" PRIu64 "\n", tasks->lost);
	}
	return &lines->text;
}

/* Stop following, free all. */
static void tasks_destroy(struct kma_tasks *tasks)
{
	if (!tasks)
		return;
	kma_task_events_close(tasks->events);
	kma_task_lines_deinit(&tasks->lines);
	free(tasks->root);
	free(tasks);
}

#define KMA_RECORD_WATCH     0.5	/* s between two calls of @watch */
#define KMA_RECORD_READ	     (1U << 20) /* bytes of one read(2), unless sub-buffers are large */
#define KMA_RECORD_TEXT	     (1U << 20) /* bytes of the largest chunk of text */
#define KMA_RECORD_READ_MOST (8U << 20) /* bytes of one read(2) with large sub-buffers */
/* Bytes with which it ends when memory is missing: also the buffer of a CPU that has just come. */
#define KMA_RECORD_RESERVE ((4U << 20) + 2 * KMA_RECORD_READ_MOST)

struct kma_record {
	const struct kma_record_options *opts;
	struct kma_target *target;
	struct kma_output *out;
	struct kma_lane *lane; /* for data that belong to no CPU */
	struct kma_streams *streams;
	struct kma_strbuf modules;	/* symbols of modules that were written */
	struct kma_tasks *tasks;	/* NULL: names of tasks are not recorded */
	double began, watched, flushed; /* times of the start, last watch and last flush, s */
	bool flushing;			/* a flush was requested and is not complete yet */
	bool drains;			/* only the unread data of an existing log are recorded */
	pid_t child;
	sigset_t old_mask;
	struct sigaction old[4], old_pipe;
	struct rlimit files; /* limits of open files before */
	void (*watch)(void *arg, const struct kma_record_state *state); /* see kma_record() */
	void *arg;
	struct kma_record_state *state;
};

static const int record_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };

static int record_stop;

static void record_signal(int sig)
{
	if (sig != SIGCHLD)
		__atomic_store_n(&record_stop, 1, __ATOMIC_RELAXED);
}

static double record_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void record_block(struct kma_record *rec)
{
	struct sigaction sa = { .sa_handler = record_signal };
	sigset_t set;

	record_stop = 0;
	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(record_signals); i++)
		sigaddset(&set, record_signals[i]);
	sigprocmask(SIG_BLOCK, &set, &rec->old_mask);
	for (size_t i = 0; i < ARRAY_SIZE(record_signals); i++) {
		sigaction(record_signals[i], NULL, &rec->old[i]);
		if (rec->old[i].sa_handler != SIG_IGN || record_signals[i] == SIGCHLD)
			sigaction(record_signals[i], &sa, NULL);
	}
	/* If the reader of a pipe has ended, write(2) reports it as an error. */
	sigaction(SIGPIPE, NULL, &rec->old_pipe);
	signal(SIGPIPE, SIG_IGN);
}

static void record_unblock(struct kma_record *rec)
{
	for (size_t i = 0; i < ARRAY_SIZE(record_signals); i++)
		sigaction(record_signals[i], &rec->old[i], NULL);
	sigprocmask(SIG_SETMASK, &rec->old_mask, NULL);
	sigaction(SIGPIPE, &rec->old_pipe, NULL);
}

/*
 * Raise the limit of open files to the most that is permitted. Each CPU needs three files: its
 * stream, an eventfd and the pipe of its task events. The usual limit, 1,024, is too low from about
 * 340 CPUs on.
 */
static void record_raise_files(struct kma_record *rec)
{
	struct rlimit most;

	if (getrlimit(RLIMIT_NOFILE, &rec->files))
		return;
	most = rec->files;
	most.rlim_cur = most.rlim_max;
	setrlimit(RLIMIT_NOFILE, &most);
}

/* A command gets the limit that it would have without the recorder: select(2) may need it. */
static void record_restore_files(const struct kma_record *rec)
{
	if (rec->files.rlim_cur)
		setrlimit(RLIMIT_NOFILE, &rec->files);
}

/*
 * Write text: symbols, nodes, tasks or totals. It is divided into chunks of whole lines, because
 * memory for a second copy of all symbols may be missing now that settings are changed.
 */
static struct kma_err *record_text(struct kma_record *rec, const struct kma_strbuf *text)
{
	for (size_t at = 0, len; at < text->len; at += len) {
		struct kma_log_chunk head = { .magic = KMA_LOG_SYMBOLS_MAGIC };
		const char *from = text->str + at, *end = NULL;
		struct kma_err *err;
		char *chunk;

		len = text->len - at;
		if (len > KMA_RECORD_TEXT)
			end = memrchr(from, '\n', KMA_RECORD_TEXT);
		if (end)
			len = end + 1 - from;
		head.len = len;
		chunk = kma_lane_room(rec->lane, sizeof(head) + len);
		memcpy(chunk, &head, sizeof(head));
		memcpy(chunk + sizeof(head), from, len);
		err = kma_lane_add(rec->lane, sizeof(head) + len);
		if (err)
			return err;
	}
	return NULL;
}

/*
 * One read(2) gets a quarter of a CPU's buffers, so that the module has space for events while the
 * bytes are compressed and written; but at least two sub-buffers, because one is complete each time
 * that the reader is woken. A sub-buffer may end with unused bytes, so a thread has fallen behind
 * if it gets more than three quarters of that, and more than one sub-buffer.
 */
static struct kma_streams_limits record_limits(const struct kma_record *rec)
{
	const uint64_t subbuf = kma_target_get(rec->target, "subbuf_size");
	uint64_t read = kma_target_get(rec->target, "subbufs") * subbuf / 4;
	struct kma_streams_limits limits = { .size = rec->opts->size };

	read = !read || read > KMA_RECORD_READ ? KMA_RECORD_READ : read;
	read = read < 2 * subbuf ? 2 * subbuf : read;
	limits.read = read < KMA_RECORD_READ_MOST ? read : KMA_RECORD_READ_MOST;
	limits.behind = limits.read / 4 * 3 > subbuf ? limits.read / 4 * 3 : subbuf;
	return limits;
}

/* Write the header, and prepare the streams: the header has the number of CPUs. */
static struct kma_err *record_header(struct kma_record *rec)
{
	_cleanup_free_ char *text = NULL;
	const char *path = kma_target_trace(rec->target, "header");
	struct kma_streams_limits limits;
	struct kma_log_header header;
	struct kma_err *err;
	size_t len;

	err = kma_log_files_readable(path);
	if (err)
		return err;
	err = kma_file_slurp(path, &text, &len);
	if (err)
		return err;
	memcpy(&header, text, len < sizeof(header) ? len : sizeof(header));
	if (len < sizeof(header) || memcmp(header.magic, KMA_LOG_MAGIC, sizeof(header.magic)) ||
	    header.header_len != len || header.nr_cpus > 65536)
		return kma_err_create(path, 0, "invalid or unsupported header of an event log");
	text[offsetof(struct kma_log_header, totals)] = 1;
	tasks_begin(rec->tasks, &header);
	err = kma_lane_write(rec->lane, text, len);
	if (err)
		return err;
	limits = record_limits(rec);
	return streams_create(rec->target, rec->out, header.nr_cpus, &limits, &rec->streams);
}

/* Write the changes of tasks since the last call. */
static struct kma_err *record_tasks(struct kma_record *rec)
{
	const struct kma_strbuf *text = tasks_text(rec->tasks);
	struct kma_err *err;

	if (!text || !text->len)
		return NULL;
	err = record_text(rec, text);
	return err ? err : kma_lane_end(rec->lane);
}

/* Write the symbols of modules again if modules were loaded since the start. */
static struct kma_err *record_new_symbols(struct kma_record *rec)
{
	_cleanup_strbuf_ struct kma_strbuf symbols = { 0 };
	struct kma_err *err;

	if (rec->opts->no_symbols)
		return NULL;
	kma_target_symbols(rec->target, true, &symbols);
	if (symbols.len == rec->modules.len &&
	    (!symbols.len || !memcmp(symbols.str, rec->modules.str, symbols.len)))
		return NULL;
	err = record_text(rec, &symbols);
	return err ? err : kma_lane_end(rec->lane);
}

/* Write the totals, the last bytes of the file. */
static struct kma_err *record_totals(struct kma_record *rec)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_err *err;

	kma_target_totals(rec->target, &text);
	err = record_text(rec, &text);
	return err ? err : kma_lane_end(rec->lane);
}

bool kma_record_has_stdout(const struct kma_record_options *opts)
{
	struct stat output, own;

	if (!strcmp(opts->output, "-"))
		return true;
	return !stat(opts->output, &output) && !fstat(STDOUT_FILENO, &own) &&
	       output.st_dev == own.st_dev && output.st_ino == own.st_ino && !S_ISCHR(own.st_mode);
}

/* Run the command in the child process. If that fails, write errno to the pipe @why. */
static void record_exec(struct kma_record *rec, int why)
{
	int failed;

	record_unblock(rec);
	record_restore_files(rec);
	/* The standard output has the log: output of the command would corrupt it. */
	if (kma_record_has_stdout(rec->opts) && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		close(STDOUT_FILENO);
	execvp(*rec->opts->command, rec->opts->command);
	failed = errno;
	_exit(write(why, &failed, sizeof(failed)) < 0 ? 126 : 127);
}

/* Start the command. The kernel closes the pipe when the command runs. */
static struct kma_err *record_run_command(struct kma_record *rec)
{
	int why[2], failed;

	if (pipe2(why, O_CLOEXEC))
		return kma_err_create(*rec->opts->command, 0, "cannot run: %s", strerror(errno));
	rec->child = fork();
	if (!rec->child)
		record_exec(rec, why[1]);
	failed = errno;
	close(why[1]);
	if (rec->child > 0 && read(why[0], &failed, sizeof(failed)) == sizeof(failed))
		rec->state->not_run = failed;
	close(why[0]);
	return rec->child < 0 ?
		       kma_err_create(*rec->opts->command, 0, "cannot run: %s", strerror(failed)) :
		       NULL;
}

/* Must the recording end? If so, note the reason. */
static bool record_ends(struct kma_record *rec, double now)
{
	const struct kma_record_options *opts = rec->opts;
	struct kma_record_state *state = rec->state;
	bool over = true;

	state->seconds = now - rec->began;
	state->bytes = kma_output_bytes(rec->out);
	if (__atomic_load_n(&record_stop, __ATOMIC_RELAXED))
		state->end = KMA_RECORD_BY_SIGNAL;
	else if (rec->child > 0 && waitpid(rec->child, &state->status, WNOHANG) == rec->child)
		state->end = KMA_RECORD_BY_COMMAND, rec->child = 0;
	else if (opts->size && state->bytes >= opts->size)
		state->end = KMA_RECORD_BY_SIZE;
	else if (opts->duration && state->seconds >= opts->duration)
		state->end = KMA_RECORD_BY_DURATION;
	else
		over = false;
	return over;
}

static void record_enter(struct kma_record *rec, enum kma_record_phase phase)
{
	rec->state->phase = phase;
	if (rec->watch)
		rec->watch(rec->arg, rec->state);
}

static struct kma_err *record_tell(struct kma_record *rec, double now)
{
	struct kma_err *err;

	if (now - rec->watched < KMA_RECORD_WATCH)
		return NULL;
	rec->watched = now;
	if (rec->watch) {
		kma_target_sums(rec->target, &rec->state->records, &rec->state->lost);
		rec->watch(rec->arg, rec->state);
	}
	err = record_tasks(rec);
	return err ? err : streams_look(rec->streams);
}

/*
 * Flush at the interval: make the module hand out partly filled sub-buffers. When all streams have
 * written them, sync the file.
 */
static struct kma_err *record_flush(struct kma_record *rec, double now)
{
	struct kma_err *err;

	if (rec->flushing && streams_caught_up(rec->streams)) {
		rec->flushing = false;
		err = kma_output_sync(rec->out);
		if (err)
			return err;
	}
	if (rec->flushing || now - rec->flushed < rec->opts->flush)
		return NULL;
	/* Start the streams of new CPUs, so that they are flushed, too. */
	err = streams_look(rec->streams);
	if (err)
		return err;
	err = kma_target_control(rec->target, "flush");
	if (err)
		return err;
	rec->flushed = now;
	rec->flushing = true;
	streams_catch_up(rec->streams);
	return NULL;
}

static struct kma_err *record_loop(struct kma_record *rec)
{
	struct kma_err *err;
	double now;

	for (;;) {
		now = record_now();
		if (record_ends(rec, now))
			return NULL;
		/* The rest of the reserve is for the end: all events, and the totals. */
		if (kma_alloc_is_low())
			return NULL;
		if (streams_over(rec->streams)) {
			rec->state->end = KMA_RECORD_BY_LOG;
			return NULL;
		}
		err = record_tell(rec, now);
		if (err)
			return err;
		err = record_flush(rec, now);
		if (err)
			return err;
		err = streams_wait(rec->streams, &rec->old_mask);
		if (err)
			return err;
	}
}

/* Settings are restored and signals unblocked, so Ctrl-C still ends the wait for a slow command. */
static void record_wait_command(const struct kma_record *rec)
{
	while (rec->child > 0 && waitpid(rec->child, &rec->state->status, 0) < 0 && errno == EINTR)
		;
}

/* Follow the tasks before the log is on, so that no event has a task without a name. */
static void record_follow(struct kma_record *rec)
{
	struct kma_err *err = NULL;

	if (rec->opts->no_tasks || rec->drains)
		return;
	rec->tasks = tasks_create(rec->opts->root, kma_target_tracing(rec->target), &err);
	if (err) {
		rec->state->why = err->message;
		record_enter(rec, KMA_RECORD_TASKS);
		rec->state->why = NULL;
	}
	kma_err_destroy(err);
}

/*
 * Prepare everything, then switch the log on and write its header. Symbols are read before, because
 * that takes long.
 */
static struct kma_err *record_begin(struct kma_record *rec)
{
	_cleanup_strbuf_ struct kma_strbuf symbols = { 0 };
	const struct kma_record_options *opts = rec->opts;
	struct kma_err *err;

	err = kma_target_may_begin(rec->target, opts->attach);
	if (err)
		return err;
	if (!opts->no_symbols)
		record_enter(rec, KMA_RECORD_SYMBOLS);
	kma_target_versions(rec->target, &symbols);
	kma_target_nodes(rec->target, &symbols);
	if (!opts->no_symbols) {
		kma_target_symbols(rec->target, false, &symbols);
		kma_target_symbols(rec->target, true, &rec->modules);
	}
	record_follow(rec);
	err = opts->subbufs ? kma_target_set(rec->target, "subbufs", opts->subbufs) : NULL;
	if (err)
		return err;
	err = opts->subbuf_size ? kma_target_set(rec->target, "subbuf_size", opts->subbuf_size) :
				  NULL;
	if (err)
		return err;
	err = kma_target_begin(rec->target, opts->attach);
	if (err)
		return err;
	err = record_header(rec);
	if (err)
		return err;
	err = record_text(rec, &symbols);
	if (err)
		return err;
	err = kma_lane_end(rec->lane);
	return err ? err : record_tasks(rec);
}

/* Record from the start of the log to the end of the recording. */
static struct kma_err *record_events(struct kma_record *rec)
{
	struct kma_err *err;

	/* The time for reading the symbols does not count towards --duration. */
	rec->began = rec->watched = rec->flushed = record_now();
	record_enter(rec, KMA_RECORD_ON);
	err = rec->opts->command ? record_run_command(rec) : NULL;
	if (err)
		return err;
	err = streams_look(rec->streams) ?: record_loop(rec);
	/* End a command that outlives the recording. kma_record() waits for it later. */
	if (rec->child > 0)
		kill(rec->child, SIGTERM);
	return err;
}

static struct kma_err *record_all(struct kma_record *rec)
{
	struct kma_err *err;

	err = record_begin(rec);
	if (err)
		return err;
	err = rec->drains ? streams_look(rec->streams) : record_events(rec);
	if (err)
		return err;
	err = kma_target_control(rec->target, "log off");
	if (err)
		return err;
	err = streams_finish(rec->streams);
	if (err)
		return err;
	err = record_new_symbols(rec);
	if (err)
		return err;
	err = record_tasks(rec);
	if (err)
		return err;
	err = record_totals(rec);
	if (err)
		return err;
	return !rec->drains && kma_alloc_is_low() ? &kma_enomem : NULL;
}

/* Record into the file that the options name. After an error, what was written is kept. */
static struct kma_err *record_file(struct kma_record *rec)
{
	struct kma_err *err, *second;

	rec->began = record_now();
	err = kma_output_open(rec->opts->output, rec->opts->zstd, &rec->out);
	if (err)
		return err;
	rec->lane = kma_lane_create(rec->out);
	err = record_all(rec);
	/* From here on no other thread writes. */
	streams_destroy(rec->streams);
	second = err && !kma_output_bytes(rec->out) ? NULL : kma_output_commit(rec->out);
	rec->state->bytes = kma_output_bytes(rec->out);
	rec->state->seconds = record_now() - rec->began;
	if (err)
		kma_err_destroy(second);
	err = kma_output_say_kept(rec->out, err ?: second);
	kma_target_sums(rec->target, &rec->state->records, &rec->state->lost);
	kma_strbuf_deinit(&rec->modules);
	tasks_destroy(rec->tasks);
	kma_lane_destroy(rec->lane);
	kma_output_destroy(rec->out);
	rec->out = NULL;
	return err;
}

/* Without memory, end the command, put the settings back, and save what was recorded: this needs some. */
static void record_rescue(void *arg)
{
	struct kma_record *rec = arg;

	if (rec->child > 0)
		kill(rec->child, SIGTERM);
	kma_target_rescue(rec->target);
	if (rec->out)
		kma_output_rescue(rec->out);
}

/* Is the output a file? A pipe or a device has no directory for another file. */
static bool record_has_file(const struct kma_record_options *opts)
{
	struct stat st;

	return strcmp(opts->output, "-") && (stat(opts->output, &st) || S_ISREG(st.st_mode));
}

/* Save the unread events of a killed recorder in a separate file, and free the buffers. */
static struct kma_err *record_left(struct kma_record *rec)
{
	struct kma_record_state state = { 0 };
	struct kma_record_options opts = *rec->opts;
	struct kma_record left = {
		.opts = &opts,
		.target = rec->target,
		.state = &state,
		.drains = true,
	};
	_cleanup_free_ char *path = NULL;
	struct kma_err *err;

	path = kma_xasprintf("%s.unread", rec->opts->output);
	if (!access(path, F_OK))
		return kma_err_create(
			path, 0,
			"already exists and may contain data of an earlier recorder; rename it, then record again");
	opts.output = path;
	opts.attach = true;
	opts.size = 0;
	opts.subbufs = opts.subbuf_size = 0;
	kma_atend_forget(record_rescue, rec);
	kma_atend_call(record_rescue, &left);
	err = record_file(&left);
	kma_atend_forget(record_rescue, &left);
	kma_atend_call(record_rescue, rec);
	if (err) {
		/*
		 * The disk is full: events that were read and do not fit are lost; the others stay
		 * in the buffers.
		 */
		kma_target_leave(rec->target);
		return err;
	}
	err = kma_target_end(rec->target);
	if (err)
		return err;
	if (rec->watch) {
		state.phase = KMA_RECORD_LEFT;
		state.output = path;
		rec->watch(rec->arg, &state);
	}
	return NULL;
}

struct kma_err *kma_record(const struct kma_record_options *opts,
			   void (*watch)(void *arg, const struct kma_record_state *state),
			   void *arg, struct kma_record_state *ret)
{
	struct kma_record rec = { .opts = opts, .watch = watch, .arg = arg, .state = ret };
	struct kma_err *err, *second;

	*ret = (struct kma_record_state){ .end = KMA_RECORD_BY_ERROR };
	kma_alloc_reserve(KMA_RECORD_RESERVE);
	/* From here on a signal ends only the recording, so that all settings are restored. */
	record_block(&rec);
	record_raise_files(&rec);
	err = kma_target_open(opts->root, &rec.target);
	if (!err)
		kma_atend_call(record_rescue, &rec);
	if (!err && !opts->attach && kma_target_left(rec.target) && record_has_file(opts))
		err = record_left(&rec);
	if (!err)
		err = record_file(&rec);
	kma_atend_forget(record_rescue, &rec);
	second = kma_target_close(rec.target);
	if (err)
		kma_err_destroy(second);
	record_restore_files(&rec);
	record_unblock(&rec);
	record_wait_command(&rec);
	return err ?: second;
}
