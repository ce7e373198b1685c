// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-latency.c - kmem-account latency: how long allocations wait, and for what.
 *
 * The input is a log, or this machine's tracing, which is set up first and restored at the end
 * (latency/tracefs.h). A line for each slow call is written at once. The tables are written at the
 * end of the input, or after Ctrl-C, SIGTERM or SIGHUP; SIGUSR1 writes them without ending. An
 * output file appears when it is complete.
 *
 * With KMA_LATENCY_STATIC this file is a program with only this command, for targets without
 * libraries: "make -C host latency-static".
 *
 * Locking: one thread. Handlers of signals set flags, which latency_watch() reads at each block
 * and twice a second while no input arrives.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "input/input.h"
#include "latency/show.h"
#include "latency/tracefs.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/option.h"
#include "lib/say.h"
#include "lib/unpack.h"
#include "rows.h"
#include "trace/ftrace-stack.h"
#include "trace/trace-text.h"

/* Bytes at the start of the input that are searched for a zero, which a text does not have. */
#define KMA_LATENCY_HEAD    4096
#define KMA_LATENCY_RESERVE (4U << 20) /* bytes for putting the tracing back without memory */

/* The words in front of the options. */
#ifdef KMA_LATENCY_STATIC
#define KMA_LATENCY_PROGRAM "kmem-account-latency"
#else
#define KMA_LATENCY_PROGRAM "kmem-account latency"
#endif

#define KMA_LATENCY_NOTE      "/run/kmem-account.latency"
#define KMA_LATENCY_SHRINKERS "/sys/kernel/debug/shrinker"

/* Longest time that the end, or requested tables, wait for the names of shrinkers. */
#define KMA_LATENCY_NAMES_MS 2000

/* A read of trace_pipe returns at most a page. A read of fewer bytes than this has emptied it. */
#define KMA_LATENCY_MUCH 2048
/* Wait after such a read, in ns. */
#define KMA_LATENCY_REST_NS 20000000

struct kma_latency_args {
	const char *file, *source, *note, *shrinkers;
	struct kma_text_options text;
	struct kma_lat_options lat;
	bool has_threshold, summary, force, switches, setup, teardown;
};

#define KMA_ARGS struct kma_latency_args

/* --setup-only and --teardown write no output. */
#define NO_OUTPUT "output summary all format"

/* clang-format off */
static const struct kma_option latency_options[] = {
	{ "threshold", 't', .arg = "US", TO(TIME, lat.threshold),
	  .given = AT(has_threshold),
	  .max = 1000000000000 * KMA_OPTION_US, .scale = KMA_OPTION_US, .unit = "microseconds",
	  .help = "show calls that took US microseconds or longer" },
	{ "source", 's', .arg = "DIR", TO(TEXT, source),
	  .help = "trace this machine until Ctrl-C, with the tracefs in DIR\n"
		  "(default /sys/kernel/tracing, or /sys/kernel/debug/tracing)" },
	{ "force", TO(FLAG, force),
	  .help = "trace even if another program uses the tracer; its settings are\n"
		  "replaced temporarily, and its buffer may be cleared" },
	{ "switches", TO(FLAG, switches),
	  .help = "also trace task switches and interrupts (many events), to divide\n"
		  "the time of allocations into waiting, interrupts and the rest" },
	{ "setup-only", TO(FLAG, setup), .excludes = "teardown " NO_OUTPUT,
	  .help = "set up tracing and exit" },
	/* nor is there what changes the tracing that it ends */
	{ "teardown", TO(FLAG, teardown),
	  .excludes = NO_OUTPUT " threshold by switches force",
	  .help = "undo --setup-only and exit" },
	{ "note", .arg = "FILE", TO(TEXT, note),
	  .help = "file with the tracing settings to restore, for tests" },
	{ "shrinkers", .arg = "DIR", TO(TEXT, shrinkers),
	  .help = "directory where the kernel names its shrinkers, for tests" },
	{ "file", 'f', .arg = "LOG", TO(TEXT, file),
	  .excludes = "source force switches setup-only teardown",
	  .help = "read this log instead of tracing: function_graph text with the\n"
		  "tracepoints of vmscan and compaction (a copy of trace or\n"
		  "trace_pipe), or a trace.dat; - is the standard input" },
	{ "by", .arg = "KEY", TO_NAME(lat.by, kma_lat_by_names),
	  .help = "show a row for each cause (default), shrinker, function, task,\n"
		  "order, gfp, node or site" },
	KMA_ROW_FORMAT(text),
	KMA_ROW_CSV_SAFE(text.csv_safe),
	{ "summary", TO(FLAG, summary),
	  .help = "print only the tables, not the lines of slow calls" },
	KMA_ROW_ALL(text.all, NULL),
	{ "output", 'O', 'o', .arg = "FILE", TO(TEXT, text.output),
	  .help = "write to FILE, created or replaced when the output is complete" },
	KMA_ROW_MAX_INPUT,
	KMA_OPTION_END
};
/* clang-format on */

/* The state of a run. */
struct kma_latency {
	const struct kma_latency_args *args;
	struct kma_input *input,
		*packed;	     /* @packed: the trace.dat from which @input is converted */
	struct kma_trace_text *text; /* the process that converts it */
	struct kma_lat *lat;	     /* the analysis */
	struct kma_tracefs *fs;	     /* this machine's tracing; NULL: a log is read */
	struct kma_outfile *out;
	FILE *stream;	    /* of @out */
	unsigned int lists; /* number of the list of names to wait for; 0: none */
	uint64_t until;	    /* end of that wait in ms of CLOCK_MONOTONIC */
};

/*
 * Flags of signals: asked, write the tables; ending, end when the names of shrinkers have arrived.
 * If no names were requested (named is 0), or at a second signal, the input ends at once.
 */
static int latency_asked, kma_latency_ending, kma_latency_named;

static void latency_signal(int sig)
{
	if (sig == SIGUSR1)
		__atomic_store_n(&latency_asked, 1, __ATOMIC_RELAXED);
	else if (!__atomic_load_n(&kma_latency_named, __ATOMIC_RELAXED) ||
		 __atomic_exchange_n(&kma_latency_ending, 1, __ATOMIC_RELAXED))
		kma_input_stop();
}

static struct kma_err *latency_check(const struct kma_latency_args *args)
{
	if (!args->has_threshold && !args->teardown)
		return kma_err_create(NULL, 0,
				      "latency: no threshold given; use -t US (microseconds)");
	/* The kernel's tracing_thresh has no other values. */
	if (!args->file && !args->teardown &&
	    (args->lat.threshold % 1000 || !args->lat.threshold ||
	     args->lat.threshold / 1000 > UINT32_MAX / 1000))
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"latency: invalid -t '%.9g' (expected, without -f, a whole number from 1 to %u microseconds)",
			args->lat.threshold / 1e3, UINT32_MAX / 1000);
	return NULL;
}

static void latency_line(void *arg, const char *line, size_t len)
{
	struct kma_latency *run = arg;

	kma_outfile_text(run->out, line, len);
	fputc('\n', run->stream);
}

static void latency_tables(struct kma_latency *run)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_lat_report report = {
		.lat = run->lat,
		.input = kma_input_name(run->input),
		.threshold = run->args->lat.threshold,
		.by = run->args->lat.by,
		.csv_safe = run->args->text.csv_safe,
		.fit = !run->args->text.all && !run->args->text.output,
	};

	kma_lat_show_text(&report, run->args->text.format, &text);
	kma_outfile_text(run->out, text.str ?: "", text.len);
	fflush(run->stream);
}

static bool latency_unread(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO };

	return poll(&p, 1, 0) > 0 && (p.revents & POLLERR);
}

static bool latency_wanted(void)
{
	return __atomic_load_n(&latency_asked, __ATOMIC_RELAXED) ||
	       __atomic_load_n(&kma_latency_ending, __ATOMIC_RELAXED);
}

/*
 * Does the writing of tables have to wait for the names of shrinkers? Superblocks are mounted and
 * unmounted, so before tables are written, the names are read again and written into the trace.
 * They are usable when they have arrived in the input, or KMA_LATENCY_NAMES_MS have passed.
 */
static bool latency_waits(struct kma_latency *run)
{
	if (!run->fs || !kma_tracefs_lists(run->fs))
		return false;
	if (!run->lists) {
		kma_err_destroy(kma_tracefs_names(run->fs, run->args->shrinkers));
		run->lists = kma_tracefs_lists(run->fs);
		run->until = kma_clock(CLOCK_MONOTONIC) / 1000000 + KMA_LATENCY_NAMES_MS;
	}
	if (kma_lat_sums(run->lat)->lists < run->lists &&
	    kma_clock(CLOCK_MONOTONIC) / 1000000 < run->until)
		return true;
	run->lists = 0;
	return false;
}

/* Called at each block, and twice a second while no input arrives: handles signals and output. */
static void latency_watch(const struct kma_input *input, void *arg)
{
	struct kma_latency *run = arg;

	(void)input;
	/* Write each slow call at once, so that a watching user sees it. */
	fflush(run->stream);
	/* If the reader of the output has ended, stop now: the next slow call may be far away. */
	if (run->fs && (ferror(run->stream) || latency_unread() || kma_alloc_is_low()))
		kma_input_stop();
	if (!latency_wanted() || latency_waits(run))
		return;
	if (__atomic_exchange_n(&latency_asked, 0, __ATOMIC_RELAXED))
		latency_tables(run);
	if (__atomic_load_n(&kma_latency_ending, __ATOMIC_RELAXED))
		kma_input_stop();
}

static void latency_handle(bool live)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	/* A second signal ends the program at once, after the tracing settings are restored. */
	struct sigaction stop = { .sa_handler = latency_signal,
				  .sa_flags = live ? 0 : (int)SA_RESETHAND };
	struct sigaction ask = { .sa_handler = latency_signal };
	struct sigaction old;

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(ends[i], &stop, NULL);
	sigaction(SIGUSR1, &ask, NULL);
	/* If the reader of the output ends, write(2) then fails instead of killing the program. */
	if (live)
		signal(SIGPIPE, SIG_IGN);
}

/* Print on stderr what the CSV report cannot contain. */
static void latency_losses(const struct kma_latency *run)
{
	const struct kma_lat_sums *sums = kma_lat_sums(run->lat);

	for (unsigned int i = 0; i < KMA_LAT_NR_LOSSES; i++)
		if (sums->losses[i])
			kma_warn("%s: %" PRIu64 " %s", kma_input_name(run->input), sums->losses[i],
				 kma_lat_loss_titles[i]);
}

/*
 * Waits until some events have gathered, if all have been read. The kernel wakes a reader of
 * trace_pipe for each event, and a reader that takes the CPU from an allocating task makes this
 * task slow, which would change what is measured.
 */
static void latency_rest(const struct kma_latency *run, size_t len)
{
	static const struct timespec rest = { .tv_nsec = KMA_LATENCY_REST_NS };

	if (run->fs && len < KMA_LATENCY_MUCH)
		nanosleep(&rest, NULL);
}

/* Is there nothing to show, and nothing that could not be counted? */
static bool latency_nothing(const struct kma_latency *run)
{
	const struct kma_lat_sums *sums = kma_lat_sums(run->lat);
	size_t nr;

	free(kma_lat_rows_sorted(kma_lat_rows(run->lat), 0, KMA_LAT_OF_BY + KMA_LAT_NR_CAUSES - 1,
				 &nr));
	for (unsigned int i = 0; i < KMA_LAT_NR_CAUSES; i++)
		nr += sums->causes[i].calls;
	for (unsigned int i = 0; i < KMA_LAT_NR_LOSSES; i++)
		nr += sums->losses[i];
	return !nr;
}

/*
 * Check a log that was read: it may be none, or its rest may be missing. Empty tables without a
 * reason would look like a machine on which nothing waits.
 */
static struct kma_err *latency_check_log(const struct kma_latency *run)
{
	const struct kma_lat_sums *sums = kma_lat_sums(run->lat);
	const char *name = kma_input_name(run->input);

	if (sums->losses[KMA_LAT_NOT_READ] && !sums->read)
		return kma_err_create(
			name, 0, "neither a function_graph trace nor trace events in text form");
	/* The tracing of this machine always ends by a signal. */
	if (!run->args->file)
		return NULL;
	if (kma_input_stopped())
		kma_warn("%s: interrupted; the output covers only the input read before that",
			 name);
	/* A trace.dat without events is converted to no line. */
	else if (!run->packed && !sums->lines && !sums->losses[KMA_LAT_CUT])
		return kma_err_create(name, 0, "the file is empty, not a function_graph trace");
	else if (latency_nothing(run))
		kma_warn(
			"%s: no slow call, and no event of reclaim, compaction or shrinkers in this input",
			name);
	return NULL;
}

static struct kma_err *latency_read(struct kma_latency *run)
{
	struct kma_err *err;
	bool first = true;
	const char *text;
	size_t len;

	kma_input_watch(run->input, latency_watch, run);
	do {
		err = kma_input_block(run->input, &text, &len);
		if (err)
			return err;
		/* A binary file has lines as well, and some of them would look like calls. */
		if (first && memchr(text, '\0', len < KMA_LATENCY_HEAD ? len : KMA_LATENCY_HEAD))
			return kma_err_create_kind(
				KMA_ERR_OTHER_FORMAT, kma_input_name(run->input), 0,
				"a binary file, not a function_graph trace as text");
		first = false;
		kma_lat_text(run->lat, text, len);
		latency_rest(run, len);
		if (ferror(run->stream))
			return kma_err_create(run->args->text.output ?: "standard output", 0,
					      "cannot write: %s", strerror(errno));
	} while (len);
	kma_lat_end(run->lat);
#ifndef KMA_LATENCY_STATIC
	err = kma_trace_text_end(run->text);
	if (err)
		return err;
#endif
	return latency_check_log(run);
}

/* Opens a log. A trace.dat is converted to text, which the program without libraries cannot do. */
static struct kma_err *latency_file(struct kma_latency *run)
{
	struct kma_err *err = kma_input_open(run->args->file, &run->input);
#ifndef KMA_LATENCY_STATIC
	struct kma_input *lines;

	if (!err)
		err = kma_trace_text_create(run->input, &lines, &run->text);
	if (!err && lines) {
		run->packed = run->input;
		run->input = lines;
	}
#endif
	return err;
}

/* Requests the names of shrinkers. If they cannot be read, addresses are shown. */
static void latency_names(struct kma_latency *run)
{
	_cleanup_free_ char *why = NULL;
	struct kma_err *err = kma_tracefs_names(run->fs, run->args->shrinkers);

	if (err) {
		why = kma_err_text(err);
		kma_warn("shrinkers that share a function are shown by address: %s", why ?: "");
	}
	kma_err_destroy(err);
	__atomic_store_n(&kma_latency_named, kma_tracefs_lists(run->fs) > 0, __ATOMIC_RELAXED);
}

/* Opens the input: a log, or this machine's tracing, which is set up first. */
static struct kma_err *latency_open(struct kma_latency *run)
{
	const struct kma_latency_args *args = run->args;
	const struct kma_tracefs_setup setup = {
		.threshold = args->lat.threshold / 1000,
		.force = args->force,
		.stacks = args->lat.by == KMA_LAT_BY_SITE,
		.switches = args->switches,
	};
	_cleanup_strbuf_ struct kma_strbuf missing = { 0 };
	struct kma_err *err;

	if (args->file)
		return latency_file(run);
	kma_alloc_reserve(KMA_LATENCY_RESERVE);
	err = kma_tracefs_open(args->source, args->note, &run->fs);
	if (err || args->teardown)
		return err;
	err = kma_tracefs_begin(run->fs, &setup, &missing);
	if (!err && missing.len)
		kma_warn("not traced, because this kernel lacks them or cannot trace them: %s",
			 missing.str);
	if (!err)
		latency_names(run);
	if (err || args->setup)
		return err;
	return kma_input_open(kma_tracefs_pipe(run->fs), &run->input);
}

static bool latency_allocator(const char *function, size_t len)
{
	return kma_frame_class(function, len) != KMA_FRAME_CALLER;
}

static struct kma_err *latency_show(struct kma_latency *run)
{
	const struct kma_latency_args *args = run->args;
	struct kma_lat_options opts = args->lat;
	struct kma_err *err;

	if (args->text.format == KMA_FORMAT_TABLE && !args->summary)
		opts.show = latency_line;
	opts.arg = run;
	opts.allocator = latency_allocator;
	run->lat = kma_lat_create(&opts);
	if (args->setup || args->teardown)
		return latency_open(run);
	/* Check before tracing is set up that the output can be written. */
	err = kma_outfile_create(args->text.output, KMA_OUTFILE_USUAL, &run->out);
	if (err)
		return err;
	err = latency_open(run);
	if (err)
		return err;
	run->stream = kma_outfile_stream(run->out);
	err = latency_read(run);
	if (err)
		return err;
	latency_tables(run);
	err = kma_outfile_commit(run->out);
	if (err)
		return err;
	if (args->text.format != KMA_FORMAT_TABLE)
		latency_losses(run);
	return NULL;
}

/* Closes the input and restores the tracing settings, unless they are to stay. */
static struct kma_err *latency_close(struct kma_latency *run, bool failed)
{
	struct kma_err *err = NULL;

	/* The kernel cannot remove an instance while its files are open. */
	kma_input_close(run->input);
#ifndef KMA_LATENCY_STATIC
	kma_trace_text_destroy(run->text);
#endif
	kma_input_close(run->packed);
	if (run->args->setup && !failed)
		kma_tracefs_leave(run->fs);
	else
		err = kma_tracefs_close(run->fs);
	kma_outfile_destroy(run->out);
	kma_lat_destroy(run->lat);
	return err;
}

/* Without memory, put the tracing back: the tables are lost. */
static void latency_rescue(void *arg)
{
	struct kma_latency *run = arg;

	kma_lat_destroy(run->lat);
	run->lat = NULL;
	/* With an error, what --setup-only has set is restored, too. */
	kma_err_destroy(latency_close(run, true));
}

static int latency_main(int argc, char **argv)
{
	struct kma_latency_args args = { .note = KMA_LATENCY_NOTE,
					 .shrinkers = KMA_LATENCY_SHRINKERS };
	struct kma_latency run = { .args = &args };
	struct kma_err *err, *second;
	int first;

	err = kma_option_read(&kma_cmd_latency, argc, argv, &args, &first);
	if (!err && first)
		err = latency_check(&args);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	latency_handle(!args.file);
	if (!args.file)
		kma_atend_call(latency_rescue, &run);
	err = latency_show(&run);
	kma_atend_forget(latency_rescue, &run);
	second = latency_close(&run, err);
	if (err)
		kma_err_destroy(second);
	else if (!second && kma_alloc_is_low())
		err = kma_err_create(NULL, 0, "out of memory");
	else
		err = second;
	return kma_fail(err, KMA_EXIT_DATA);
}

static void print_signal(void)
{
	printf("\nAt signal SIGUSR1, latency prints the tables so far and continues.\n");
}

const struct kma_cmd kma_cmd_latency = {
	.name = "latency",
	.program = KMA_LATENCY_PROGRAM,
	.usage = "-t US [OPTION...] [-s DIR | -f LOG]",
	.about = "Show how long allocations wait, and for what: reclaim, compaction, shrinkers.",
	.more = print_signal,
	.examples = "  " KMA_LATENCY_PROGRAM " -t 134 -O slow.txt\n"
		    "  " KMA_LATENCY_PROGRAM " -t 134 -f trace.log\n"
		    "  " KMA_LATENCY_PROGRAM " -t 1000 -f trace.dat --by task\n",
	.options = latency_options,
	.width = 19,
	.summary = "Show how long allocations wait: reclaim, compaction, shrinkers.",
	.main = latency_main,
};

#ifdef KMA_LATENCY_STATIC

/* Accepts the words "kmem-account latency" before the options, as the full program does. */
int main(int argc, char **argv)
{
	bool named = argc > 1 && !strcmp(argv[1], "latency");

	kma_program_streams();
	kma_program_set("kmem-account-latency");
	return latency_main(argc - named, argv + named);
}

#endif
