// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - record the module's event log into a file.
 *
 * The file has the header of the log, symbols and nodes, the streams of the CPUs in chunks, symbols
 * of modules and changes of tasks in between, and the totals. The totals are its last bytes: a file
 * without them is truncated (Documentation/format/log.rst).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../module/uapi/kmem_account.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "log-files.h"
#include "output.h"
#include "record.h"
#include "streams.h"
#include "target.h"
#include "tasks.h"

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

static const int kma_record_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };

static int kma_record_stop;

static void kma_record_signal(int sig)
{
	if (sig != SIGCHLD)
		__atomic_store_n(&kma_record_stop, 1, __ATOMIC_RELAXED);
}

static double kma_record_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void kma_record_block(struct kma_record *rec)
{
	struct sigaction sa = { .sa_handler = kma_record_signal };
	sigset_t set;

	kma_record_stop = 0;
	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(kma_record_signals); i++)
		sigaddset(&set, kma_record_signals[i]);
	sigprocmask(SIG_BLOCK, &set, &rec->old_mask);
	for (size_t i = 0; i < ARRAY_SIZE(kma_record_signals); i++) {
		sigaction(kma_record_signals[i], NULL, &rec->old[i]);
		if (rec->old[i].sa_handler != SIG_IGN || kma_record_signals[i] == SIGCHLD)
			sigaction(kma_record_signals[i], &sa, NULL);
	}
	/* If the reader of a pipe has ended, write(2) reports it as an error. */
	sigaction(SIGPIPE, NULL, &rec->old_pipe);
	signal(SIGPIPE, SIG_IGN);
}

static void kma_record_unblock(struct kma_record *rec)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_record_signals); i++)
		sigaction(kma_record_signals[i], &rec->old[i], NULL);
	sigprocmask(SIG_SETMASK, &rec->old_mask, NULL);
	sigaction(SIGPIPE, &rec->old_pipe, NULL);
}

/*
 * Raise the limit of open files to the most that is permitted. Each CPU needs three files: its
 * stream, an eventfd and the pipe of its task events. The usual limit, 1,024, is too low from about
 * 340 CPUs on.
 */
static void kma_record_raise_files(struct kma_record *rec)
{
	struct rlimit most;

	if (getrlimit(RLIMIT_NOFILE, &rec->files))
		return;
	most = rec->files;
	most.rlim_cur = most.rlim_max;
	setrlimit(RLIMIT_NOFILE, &most);
}

/* A command gets the limit that it would have without the recorder: select(2) may need it. */
static void kma_record_restore_files(const struct kma_record *rec)
{
	if (rec->files.rlim_cur)
		setrlimit(RLIMIT_NOFILE, &rec->files);
}

/*
 * Write text: symbols, nodes, tasks or totals. It is divided into chunks of whole lines, because
 * memory for a second copy of all symbols may be missing now that settings are changed.
 */
static struct kma_err *kma_record_text(struct kma_record *rec, const struct kma_strbuf *text)
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
static struct kma_streams_limits kma_record_limits(const struct kma_record *rec)
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
static struct kma_err *kma_record_header(struct kma_record *rec)
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
	kma_tasks_begin(rec->tasks, &header);
	err = kma_lane_write(rec->lane, text, len);
	if (err)
		return err;
	limits = kma_record_limits(rec);
	return kma_streams_create(rec->target, rec->out, header.nr_cpus, &limits, &rec->streams);
}

/* Write the changes of tasks since the last call. */
static struct kma_err *kma_record_tasks(struct kma_record *rec)
{
	const struct kma_strbuf *text = kma_tasks_text(rec->tasks);
	struct kma_err *err;

	if (!text || !text->len)
		return NULL;
	err = kma_record_text(rec, text);
	return err ? err : kma_lane_end(rec->lane);
}

/* Write the symbols of modules again if modules were loaded since the start. */
static struct kma_err *kma_record_new_symbols(struct kma_record *rec)
{
	_cleanup_strbuf_ struct kma_strbuf symbols = { 0 };
	struct kma_err *err;

	if (rec->opts->no_symbols)
		return NULL;
	kma_target_symbols(rec->target, true, &symbols);
	if (symbols.len == rec->modules.len &&
	    (!symbols.len || !memcmp(symbols.str, rec->modules.str, symbols.len)))
		return NULL;
	err = kma_record_text(rec, &symbols);
	return err ? err : kma_lane_end(rec->lane);
}

/* Write the totals, the last bytes of the file. */
static struct kma_err *kma_record_totals(struct kma_record *rec)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_err *err;

	kma_target_totals(rec->target, &text);
	err = kma_record_text(rec, &text);
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
static void kma_record_exec(struct kma_record *rec, int why)
{
	int failed;

	kma_record_unblock(rec);
	kma_record_restore_files(rec);
	/* The standard output has the log: output of the command would corrupt it. */
	if (kma_record_has_stdout(rec->opts) && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		close(STDOUT_FILENO);
	execvp(*rec->opts->command, rec->opts->command);
	failed = errno;
	_exit(write(why, &failed, sizeof(failed)) < 0 ? 126 : 127);
}

/* Start the command. The kernel closes the pipe when the command runs. */
static struct kma_err *kma_record_run_command(struct kma_record *rec)
{
	int why[2], failed;

	if (pipe2(why, O_CLOEXEC))
		return kma_err_create(*rec->opts->command, 0, "cannot run: %s", strerror(errno));
	rec->child = fork();
	if (!rec->child)
		kma_record_exec(rec, why[1]);
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
static bool kma_record_ends(struct kma_record *rec, double now)
{
	const struct kma_record_options *opts = rec->opts;
	struct kma_record_state *state = rec->state;
	bool over = true;

	state->seconds = now - rec->began;
	state->bytes = kma_output_bytes(rec->out);
	if (__atomic_load_n(&kma_record_stop, __ATOMIC_RELAXED))
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

static void kma_record_enter(struct kma_record *rec, enum kma_record_phase phase)
{
	rec->state->phase = phase;
	if (rec->watch)
		rec->watch(rec->arg, rec->state);
}

static struct kma_err *kma_record_tell(struct kma_record *rec, double now)
{
	struct kma_err *err;

	if (now - rec->watched < KMA_RECORD_WATCH)
		return NULL;
	rec->watched = now;
	if (rec->watch) {
		kma_target_sums(rec->target, &rec->state->records, &rec->state->lost);
		rec->watch(rec->arg, rec->state);
	}
	err = kma_record_tasks(rec);
	return err ? err : kma_streams_look(rec->streams);
}

/*
 * Flush at the interval: make the module hand out partly filled sub-buffers. When all streams have
 * written them, sync the file.
 */
static struct kma_err *kma_record_flush(struct kma_record *rec, double now)
{
	struct kma_err *err;

	if (rec->flushing && kma_streams_caught_up(rec->streams)) {
		rec->flushing = false;
		err = kma_output_sync(rec->out);
		if (err)
			return err;
	}
	if (rec->flushing || now - rec->flushed < rec->opts->flush)
		return NULL;
	/* Start the streams of new CPUs, so that they are flushed, too. */
	err = kma_streams_look(rec->streams);
	if (err)
		return err;
	err = kma_target_control(rec->target, "flush");
	if (err)
		return err;
	rec->flushed = now;
	rec->flushing = true;
	kma_streams_catch_up(rec->streams);
	return NULL;
}

static struct kma_err *kma_record_loop(struct kma_record *rec)
{
	struct kma_err *err;
	double now;

	for (;;) {
		now = kma_record_now();
		if (kma_record_ends(rec, now))
			return NULL;
		/* The rest of the reserve is for the end: all events, and the totals. */
		if (kma_alloc_is_low())
			return NULL;
		if (kma_streams_over(rec->streams)) {
			rec->state->end = KMA_RECORD_BY_LOG;
			return NULL;
		}
		err = kma_record_tell(rec, now);
		if (err)
			return err;
		err = kma_record_flush(rec, now);
		if (err)
			return err;
		err = kma_streams_wait(rec->streams, &rec->old_mask);
		if (err)
			return err;
	}
}

/* Settings are restored and signals unblocked, so Ctrl-C still ends the wait for a slow command. */
static void kma_record_wait_command(const struct kma_record *rec)
{
	while (rec->child > 0 && waitpid(rec->child, &rec->state->status, 0) < 0 && errno == EINTR)
		;
}

/* Follow the tasks before the log is on, so that no event has a task without a name. */
static void kma_record_follow(struct kma_record *rec)
{
	struct kma_err *err = NULL;

	if (rec->opts->no_tasks || rec->drains)
		return;
	rec->tasks = kma_tasks_create(rec->opts->root, kma_target_tracing(rec->target), &err);
	if (err) {
		rec->state->why = err->message;
		kma_record_enter(rec, KMA_RECORD_TASKS);
		rec->state->why = NULL;
	}
	kma_err_destroy(err);
}

/*
 * Prepare everything, then switch the log on and write its header. Symbols are read before, because
 * that takes long.
 */
static struct kma_err *kma_record_begin(struct kma_record *rec)
{
	_cleanup_strbuf_ struct kma_strbuf symbols = { 0 };
	const struct kma_record_options *opts = rec->opts;
	struct kma_err *err;

	err = kma_target_may_begin(rec->target, opts->attach);
	if (err)
		return err;
	if (!opts->no_symbols)
		kma_record_enter(rec, KMA_RECORD_SYMBOLS);
	kma_target_versions(rec->target, &symbols);
	kma_target_nodes(rec->target, &symbols);
	if (!opts->no_symbols) {
		kma_target_symbols(rec->target, false, &symbols);
		kma_target_symbols(rec->target, true, &rec->modules);
	}
	kma_record_follow(rec);
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
	err = kma_record_header(rec);
	if (err)
		return err;
	err = kma_record_text(rec, &symbols);
	if (err)
		return err;
	err = kma_lane_end(rec->lane);
	return err ? err : kma_record_tasks(rec);
}

/* Record from the start of the log to the end of the recording. */
static struct kma_err *kma_record_events(struct kma_record *rec)
{
	struct kma_err *err;

	/* The time for reading the symbols does not count towards --duration. */
	rec->began = rec->watched = rec->flushed = kma_record_now();
	kma_record_enter(rec, KMA_RECORD_ON);
	err = rec->opts->command ? kma_record_run_command(rec) : NULL;
	if (err)
		return err;
	err = kma_streams_look(rec->streams) ?: kma_record_loop(rec);
	/* End a command that outlives the recording. kma_record() waits for it later. */
	if (rec->child > 0)
		kill(rec->child, SIGTERM);
	return err;
}

static struct kma_err *kma_record_all(struct kma_record *rec)
{
	struct kma_err *err;

	err = kma_record_begin(rec);
	if (err)
		return err;
	err = rec->drains ? kma_streams_look(rec->streams) : kma_record_events(rec);
	if (err)
		return err;
	err = kma_target_control(rec->target, "log off");
	if (err)
		return err;
	err = kma_streams_finish(rec->streams);
	if (err)
		return err;
	err = kma_record_new_symbols(rec);
	if (err)
		return err;
	err = kma_record_tasks(rec);
	if (err)
		return err;
	err = kma_record_totals(rec);
	if (err)
		return err;
	return !rec->drains && kma_alloc_is_low() ? &kma_enomem : NULL;
}

/* Record into the file that the options name. After an error, what was written is kept. */
static struct kma_err *kma_record_file(struct kma_record *rec)
{
	struct kma_err *err, *second;

	rec->began = kma_record_now();
	err = kma_output_open(rec->opts->output, rec->opts->zstd, &rec->out);
	if (err)
		return err;
	rec->lane = kma_lane_create(rec->out);
	err = kma_record_all(rec);
	/* From here on no other thread writes. */
	kma_streams_destroy(rec->streams);
	second = err && !kma_output_bytes(rec->out) ? NULL : kma_output_commit(rec->out);
	rec->state->bytes = kma_output_bytes(rec->out);
	rec->state->seconds = kma_record_now() - rec->began;
	if (err)
		kma_err_destroy(second);
	err = kma_output_say_kept(rec->out, err ?: second);
	kma_target_sums(rec->target, &rec->state->records, &rec->state->lost);
	kma_strbuf_deinit(&rec->modules);
	kma_tasks_destroy(rec->tasks);
	kma_lane_destroy(rec->lane);
	kma_output_destroy(rec->out);
	rec->out = NULL;
	return err;
}

/* Without memory, save what was recorded, and put the settings back. */
static void kma_record_rescue(void *arg)
{
	struct kma_record *rec = arg;

	if (rec->out)
		kma_output_rescue(rec->out);
	kma_target_rescue(rec->target);
}

/* Is the output a file? A pipe or a device has no directory for another file. */
static bool kma_record_has_file(const struct kma_record_options *opts)
{
	struct stat st;

	return strcmp(opts->output, "-") && (stat(opts->output, &st) || S_ISREG(st.st_mode));
}

/* Save the unread events of a killed recorder in a separate file, and free the buffers. */
static struct kma_err *kma_record_left(struct kma_record *rec)
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
	kma_atend_rescue(kma_record_rescue, &left);
	err = kma_record_file(&left);
	kma_atend_rescue(kma_record_rescue, rec);
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
	kma_record_block(&rec);
	kma_record_raise_files(&rec);
	err = kma_target_open(opts->root, &rec.target);
	if (!err)
		kma_atend_rescue(kma_record_rescue, &rec);
	if (!err && !opts->attach && kma_target_left(rec.target) && kma_record_has_file(opts))
		err = kma_record_left(&rec);
	if (!err)
		err = kma_record_file(&rec);
	kma_atend_rescue(NULL, NULL);
	second = kma_target_close(rec.target);
	if (err)
		kma_err_destroy(second);
	kma_record_restore_files(&rec);
	kma_record_unblock(&rec);
	kma_record_wait_command(&rec);
	return err ?: second;
}
