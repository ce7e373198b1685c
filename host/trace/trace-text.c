// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace-text.c - print a trace.dat as the lines of "trace-cmd report".
 *
 * libtraceevent prints the events. The records of the tracer function_graph are printed here, in
 * the form of "trace-cmd report -O tailprint": the exit of a function has its name. Without that
 * option a function above a threshold (tracing_thresh) would have no name, because the kernel then
 * records no entry for it. An entry and the exit that follows are never joined into one line.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <trace-cmd/trace-cmd.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/child.h"
#include "lib/cleanup.h"
#include "trace-dat.h"
#include "trace-text.h"

/* A corrupt file can make the library loop for ever: a timer of CPU time ends the child then. */
#define KMA_TEXT_ALIVE_S  20   /* CPU seconds that KMA_TEXT_ALIVE_NR records may take */
#define KMA_TEXT_ALIVE_NR 4096 /* records */
#define KMA_TEXT_HANDLES  64   /* buffers of a file that are read; there are hardly ever two */
#define KMA_TEXT_COLUMN	  21   /* column of an event's text, after its name and colon */
#define KMA_TEXT_DEPTH	  256  /* nesting of calls; a larger number is invalid */

/* Exit status of the child, if it ends without a signal. */
enum { KMA_TEXT_DONE, KMA_TEXT_NOT_OPENED, KMA_TEXT_NOT_READ };

struct kma_trace_text {
	const struct kma_input *input;
	pid_t child;
	int status;
};

static void text_alive(void)
{
	const struct itimerval timer = { .it_value.tv_sec = KMA_TEXT_ALIVE_S };

	setitimer(ITIMER_PROF, &timer, NULL);
}

/* Print a note of lost events in the kernel's own form, which includes their number. */
static void text_lost(FILE *out, const struct tep_record *record)
{
	if (record->missed_events > 0)
		fprintf(out, "CPU:%d [LOST %lld EVENTS]\n", record->cpu, record->missed_events);
	else if (record->missed_events < 0)
		fprintf(out, "CPU:%d [LOST EVENTS]\n", record->cpu);
}

/* Get a field of a record; set @ok to false if the record does not have it. */
static unsigned long long text_field(struct tep_event *event, struct tep_record *record,
				     const char *name, bool *ok)
{
	unsigned long long value = 0;

	if (tep_get_field_val(NULL, event, name, record, &value, 0) < 0)
		*ok = false;
	return value;
}

/* Blanks after the colon of a name, to align the text that follows. */
static int text_pad(const char *name)
{
	size_t len = strlen(name);

	return len < KMA_TEXT_COLUMN ? KMA_TEXT_COLUMN - len : 1;
}

/* The mark that the kernel prints for a long duration. */
static char text_mark(unsigned long long ns)
{
	static const struct {
		unsigned long long us;
		char mark;
	} marks[] = { { 1000000, '$' }, { 100000, '@' }, { 10000, '*' },
		      { 1000, '#' },	{ 100, '!' },	 { 10, '+' } };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (ns > marks[i].us * 1000)
			return marks[i].mark;
	return ' ';
}

/* Print the columns of an entry to or exit from a function; false if it is another event. */
static bool text_graph(FILE *out, struct tep_handle *tep, struct tep_event *event,
		       struct tep_record *record)
{
	bool leaves = !strcmp(event->name, "funcgraph_exit"), timed = leaves, known = true;
	unsigned long long func, took, depth;
	char duration[32] = "";
	const char *name;

	if (!leaves && strcmp(event->name, "funcgraph_entry") != 0)
		return false;
	func = text_field(event, record, "func", &known);
	name = known ? tep_find_function(tep, func) : NULL;
	depth = text_field(event, record, "depth", &known);
	took = text_field(event, record, "rettime", &timed) -
	       text_field(event, record, "calltime", &timed);
	if (timed)
		snprintf(duration, sizeof(duration), "%c %llu.%03llu us", text_mark(took),
			 took / 1000, took % 1000);
	fprintf(out, "%s:%*s%-12s |  %*s", event->name, text_pad(event->name), "", duration,
		depth < KMA_TEXT_DEPTH ? (int)depth * 2 : 0, "");
	if (!leaves)
		fprintf(out, "%s() {", name ?: "unknown");
	else if (name)
		fprintf(out, "} /* %s */", name);
	else
		fprintf(out, "}");
	return true;
}

static int text_record(struct tracecmd_input *handle, struct tep_record *record, int cpu, void *arg)
{
	struct tep_handle *tep = tracecmd_get_tep(handle);
	struct tep_event *event = tep_find_event_by_record(tep, record);
	const char *name = event ? event->name : "unknown";
	static unsigned int nr;
	FILE *out = arg;
	struct trace_seq seq;

	(void)cpu;
	if (!(++nr % KMA_TEXT_ALIVE_NR))
		text_alive();
	text_lost(out, record);
	trace_seq_init(&seq);
	tep_print_event(tep, &seq, record, "%16s-%-5d [%03d] %6.1000d: ", TEP_PRINT_COMM,
			TEP_PRINT_PID, TEP_PRINT_CPU, TEP_PRINT_TIME);
	fwrite(seq.buffer, 1, seq.len, out);
	if (!event || !text_graph(out, tep, event, record)) {
		trace_seq_reset(&seq);
		tep_print_event(tep, &seq, record, "%s", TEP_PRINT_INFO);
		fprintf(out, "%s:%*s", name, text_pad(name), "");
		fwrite(seq.buffer, 1, seq.len, out);
	}
	fputc('\n', out);
	trace_seq_destroy(&seq);
	return ferror(out) ? -1 : 0;
}

static int text_child(const char *path, int fd)
{
	struct tracecmd_input *handles[KMA_TEXT_HANDLES];
	FILE *out = fdopen(fd, "w");
	int nr = 1, buffers;
	bool failed;

	text_alive();
	handles[0] = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!out || !handles[0])
		return KMA_TEXT_NOT_OPENED;
	buffers = tracecmd_buffer_instances(handles[0]);
	for (int i = 0; i < buffers && nr < KMA_TEXT_HANDLES; i++) {
		handles[nr] = tracecmd_buffer_instance_handle(handles[0], i);
		nr += !!handles[nr];
	}
	failed = tracecmd_iterate_events_multi(handles, nr, text_record, out);
	/*
	 * The events before the failure are written. The end of this process closes the pipe, and
	 * its status has the reason.
	 */
	return fflush(out) || failed ? KMA_TEXT_NOT_READ : KMA_TEXT_DONE;
}

static struct kma_err *text_start(struct kma_trace_text *text, const char *path, int *ret)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return kma_err_create(kma_input_name(text->input), 0, "cannot create a pipe: %s",
				      strerror(errno));
	text->child = kma_child_fork();
	if (!text->child) {
		close(fds[0]);
		/* If the parent has closed the pipe, writing ends this process. */
		signal(SIGPIPE, SIG_DFL);
		_exit(text_child(path, fds[1]));
	}
	close(fds[1]);
	*ret = fds[0];
	if (text->child > 0)
		return NULL;
	close(fds[0]);
	text->child = 0;
	return kma_err_create(kma_input_name(text->input), 0,
			      "cannot start a process to read it: %s", strerror(errno));
}

struct kma_err *kma_trace_text_create(struct kma_input *input, struct kma_input **lines,
				      struct kma_trace_text **ret)
{
	struct kma_trace_text *text;
	const char *head, *path;
	struct kma_err *err;
	size_t len;
	int fd = -1;

	*lines = NULL;
	*ret = NULL;
	/*
	 * A trace_pipe that comes through a pipe may be slow: do not wait for more than the magic. An input
	 * that has a path already was consumed for it.
	 */
	if (!kma_input_has_path(input)) {
		err = kma_input_peek(input, strlen(KMA_DAT_MAGIC), &head, &len);
		if (err || len < strlen(KMA_DAT_MAGIC) ||
		    memcmp(head, KMA_DAT_MAGIC, strlen(KMA_DAT_MAGIC)))
			return err;
	}
	err = kma_input_path(input, &path);
	if (err)
		return err;
	text = kma_xcalloc(1, sizeof(*text));
	text->input = input;
	err = text_start(text, path, &fd);
	if (!err)
		err = kma_input_pipe(kma_input_name(input), fd, lines);
	if (err) {
		kma_trace_text_destroy(text);
		return err;
	}
	*ret = text;
	return NULL;
}

static void text_reap(struct kma_trace_text *text)
{
	while (text->child && (waitpid(text->child, &text->status, 0) > 0 || errno != EINTR))
		text->child = 0;
}

struct kma_err *kma_trace_text_end(struct kma_trace_text *text)
{
	const char *name;

	if (!text)
		return NULL;
	/*
	 * After Ctrl-C the parent no longer reads the pipe, and a child that writes to it would
	 * wait for ever. A child that has read the whole file, or has failed, has already closed
	 * the pipe.
	 */
	if (text->child > 0)
		kill(text->child, SIGPIPE);
	text_reap(text);
	name = kma_input_name(text->input);
	if (!text->status || (WIFSIGNALED(text->status) && WTERMSIG(text->status) == SIGPIPE))
		return NULL;
	if (WIFEXITED(text->status) && WEXITSTATUS(text->status) == KMA_TEXT_NOT_OPENED)
		return kma_err_create(name, 0,
				      "libtracecmd cannot open it; it may be corrupt or truncated");
	return kma_err_create(name, 0,
			      "libtracecmd cannot read all of it; it may be corrupt or truncated");
}

void kma_trace_text_destroy(struct kma_trace_text *text)
{
	if (!text)
		return;
	/* Nothing that the child could still write is needed. */
	if (text->child > 0)
		kill(text->child, SIGKILL);
	text_reap(text);
	free(text);
}
