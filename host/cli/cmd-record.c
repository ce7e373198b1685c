// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-record.c - kmem-account record: record the event log.
 *
 * record/record.c records. This file reads the command line and shows the progress: as a status
 * line on a terminal, otherwise as one line for each phase, so that a script which reads stderr
 * knows when the recording begins. If a command runs, its output is not mixed with a status line.
 *
 * The exit status is 0 if the whole recording is in the file, also after Ctrl-C, with lost events
 * (which are reported), or if the command ended with an error; 1 after an error, or if the command
 * could not be run; 2 for an invalid command line.
 *
 * "make record-static" (KMA_RECORD_STATIC) builds this file and record/ as a program of its own,
 * kmem-account-record, for targets without libraries. It therefore has its own table of options,
 * and includes nothing that needs a library except zstd. That program also has "watch -", which
 * writes snapshots to a pipe (record/snapshots.c), and "scan" (cmd-scan.c).
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd.h"
#include "../../module/uapi/version.h"
#include "lib/module-files.h"
#include "lib/option.h"
#include "lib/say.h"
#include "lib/statusline.h"
#include "record/pack.h"
#include "record/record.h"
#include "record/snapshots.h"
#include "rows.h"

#define KMA_RECORD_FILE "kmem.log"

/* The words in front of the options, and the form of the file without --no-pack. */
#ifdef KMA_RECORD_STATIC
#define KMA_RECORD_PROGRAM "kmem-account-record"
#else
#define KMA_RECORD_PROGRAM "kmem-account record"
#endif
#ifdef KMA_NO_ZSTD
#define KMA_RECORD_PACKED "always, because this program was built without zstd"
#else
#define KMA_RECORD_PACKED "default: compressed with zstd"
#endif

struct kma_record_args {
	struct kma_record_options opts;
	uint64_t duration, flush; /* ns */
	unsigned long subbufs;
	uint64_t subbuf_size;
	bool quiet, no_pack;
};

#define KMA_ARGS	       struct kma_record_args
#define KMA_RECORD_SECONDS_MAX (1000000000 * KMA_OPTION_SECOND)

/* clang-format off */
static const struct kma_option record_table[] = {
	{ "output", 'O', 'o', .arg = "FILE", TO(TEXT, opts.output),
	  .help = "write to FILE (default kmem.log); - is the standard output" },
	{ "no-pack", TO(FLAG, no_pack),
	  .help = "write the log uncompressed (" KMA_RECORD_PACKED ")" },
	/* the default, unless the library is missing */
	{ "zstd", TO(FLAG, opts.zstd), .excludes = "no-pack" },
	{ "duration", .arg = "S", TO(TIME, duration),
	  .min = 1, .max = KMA_RECORD_SECONDS_MAX, .scale = KMA_OPTION_SECOND, .unit = "seconds",
	  .help = "end after S seconds (default: no limit)" },
	{ "size", .arg = "BYTES", TO(SIZE, opts.size),
	  .min = 1, .max = INT64_MAX,
	  .help = "end when FILE has BYTES (default: no limit)" },
	{ "flush", .arg = "S", TO(TIME, flush),
	  .min = 1, .max = KMA_RECORD_SECONDS_MAX, .scale = KMA_OPTION_SECOND, .unit = "seconds",
	  .help = "write the logged events to disk every S seconds, even if the buffers\n"
		  "are not full (default 1)" },
	/* the former name of --flush */
	{ "interval", .arg = "S", TO(TIME, flush),
	  .min = 1, .max = KMA_RECORD_SECONDS_MAX, .scale = KMA_OPTION_SECOND, .unit = "seconds" },
	{ "subbufs", .arg = "N", TO(COUNT, subbufs),
	  .min = 2, .max = 4096, .unit = "sub-buffers for each CPU", /* as in module/log/relay.c */
	  .help = "number of sub-buffers for each CPU while record runs, 2 to 4096\n"
		  "(default: parameter subbufs of the module)" },
	{ "subbuf-size", .arg = "BYTES", TO(SIZE, subbuf_size),
	  .min = 4096, .max = 64 << 20,
	  .help = "size of a sub-buffer while record runs, 4096 to 64M bytes\n"
		  "(default: parameter subbuf_size of the module)" },
	/* --attach records a log whose buffers exist already */
	{ "attach", TO(FLAG, opts.attach), .excludes = "subbufs subbuf-size",
	  .help = "record an event log that is on or has unread data, and end it" },
	{ "no-symbols", TO(FLAG, opts.no_symbols),
	  .help = "leave out the kernel's symbols: call sites are addresses" },
	{ "no-tasks", TO(FLAG, opts.no_tasks),
	  .help = "leave out the names and cgroups of tasks, which reports by task and\n"
		  "by cgroup need" },
	{ "root", .arg = "DIR", TO(TEXT, opts.root),
	  .help = "directory of proc, sys and run, for tests" },
	{ "quiet", 'q', TO(FLAG, quiet),
	  .help = "show errors only" },
	KMA_OPTION_END
};
/* clang-format on */

/* Finishes the options. @first: index of the first word that is not one. */
static struct kma_err *check(int argc, char **argv, int first, struct kma_record_args *args)
{
	bool command;

	args->opts.zstd |= !args->no_pack && kma_pack_available();
	args->opts.duration = args->duration / (double)KMA_OPTION_SECOND;
	args->opts.flush = args->flush / (double)KMA_OPTION_SECOND;
	args->opts.subbufs = args->subbufs;
	args->opts.subbuf_size = args->subbuf_size;
	command = first < argc && !strcmp(argv[first - 1], "--");
	if (first < argc && !command)
		return kma_err_create(
			NULL, 0, "record: unexpected argument '%s'; write the command after '--'",
			argv[first]);
	/* An empty variable after "--" would otherwise record without an end. */
	if (first == argc && !strcmp(argv[argc - 1], "--"))
		return kma_err_create(NULL, 0, "record: no command given after '--'");
	if (command)
		args->opts.command = argv + first;
	if (!strcmp(args->opts.output, "-") && isatty(STDOUT_FILENO))
		return kma_err_create(
			NULL, 0,
			"record: refusing to write a binary log to a terminal; use a pipe or -O FILE");
	return NULL;
}

static const char *record_output_name(const struct kma_record_options *opts)
{
	return strcmp(opts->output, "-") ? opts->output : "standard output";
}

/* The progress that a person or a script sees. */
struct kma_record_view {
	struct kma_statusline line;
	const struct kma_record_options *opts;
	bool quiet;
	bool on; /* recording was reported */
};

/* A status line shows all phases; without one, each phase has a line of its own. */
static void record_show_phase(struct kma_record_view *view, const struct kma_record_state *state)
{
	bool on = state->phase == KMA_RECORD_ON;

	if (view->quiet || view->line.shown || view->on)
		return;
	view->on = on;
	if (on)
		kma_warn("recording to %s", record_output_name(view->opts));
	else
		kma_warn("reading the kernel's symbols; nothing is recorded yet");
}

static void record_show(void *arg, const struct kma_record_state *state)
{
	struct kma_record_view *view = arg;
	char text[160];

	if (state->phase == KMA_RECORD_LEFT) {
		kma_warn(
			"%s: saved %.1f MB that a killed recorder had not read; the buffers are freed",
			state->output, state->bytes / 1e6);
		return;
	}
	if (state->phase == KMA_RECORD_TASKS && view->quiet)
		return;
	if (state->phase == KMA_RECORD_TASKS) {
		kma_warn(
			"%s; tasks have the names and cgroups that they have now, new tasks have none",
			state->why);
		return;
	}
	if (state->phase == KMA_RECORD_SYMBOLS) {
		kma_statusline_show(&view->line,
				    "nothing is recorded yet, reading the kernel's symbols");
		record_show_phase(view, state);
		return;
	}
	/* The most important field comes first, because narrow terminals show only the start. */
	snprintf(text, sizeof(text), "%.0f s, %" PRIu64 " lost, %" PRIu64 " records, %.1f MB",
		 state->seconds, state->lost, state->records, state->bytes / 1e6);
	kma_statusline_show(&view->line, text);
	record_show_phase(view, state);
}

/* Report a command that could not be run, or that failed by itself. */
static void record_say_command(const char *command, const struct kma_record_state *state)
{
	if (state->not_run)
		kma_warn("%s: cannot run: %s", command, strerror(state->not_run));
	/* In all other cases the recorder has ended it. */
	if (state->not_run || state->end != KMA_RECORD_BY_COMMAND)
		return;
	if (WIFEXITED(state->status) && WEXITSTATUS(state->status))
		kma_warn("%s: ended with status %d", command, WEXITSTATUS(state->status));
	else if (WIFSIGNALED(state->status))
		kma_warn("%s: ended by signal %d (%s)", command, WTERMSIG(state->status),
			 strsignal(WTERMSIG(state->status)));
}

static void record_say_end(const struct kma_record_options *opts,
			   const struct kma_record_state *state)
{
	static const char *const ends[] = {
		[KMA_RECORD_BY_SIGNAL] = "by a signal",
		[KMA_RECORD_BY_DURATION] = "after --duration",
		[KMA_RECORD_BY_SIZE] = "at --size",
		[KMA_RECORD_BY_COMMAND] = "with the command",
		[KMA_RECORD_BY_LOG] = "because the log was switched off",
		[KMA_RECORD_BY_ERROR] = "by an error",
	};

	kma_warn("%s: %.1f s, %.1f MB, %" PRIu64 " records, %" PRIu64 " lost; ended %s",
		 record_output_name(opts), state->seconds, state->bytes / 1e6, state->records,
		 state->lost, ends[state->end]);
	if (state->lost)
		kma_warn(
			"records were lost because the buffers were full; use more sub-buffers (--subbufs N)");
	if (opts->command)
		record_say_command(*opts->command, state);
}

static int record_main(int argc, char **argv)
{
	struct kma_record_state state;
	struct kma_record_args args = { .opts = { .root = "", .output = KMA_RECORD_FILE },
					.flush = KMA_OPTION_SECOND };
	struct kma_record_view view;
	struct kma_err *err;
	int first;

	err = kma_option_read(&kma_cmd_record, argc, argv, &args, &first);
	if (!err && first)
		err = check(argc, argv, first, &args);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	/*
	 * While a command writes to the terminal, no progress is shown there. With -O - the command
	 * writes to the standard error, as the progress does.
	 */
	view = (struct kma_record_view){ .opts = &args.opts, .quiet = args.quiet };
	view.line.quiet = args.quiet || (args.opts.command && (isatty(STDOUT_FILENO) ||
							       kma_record_has_stdout(&args.opts)));
	err = kma_record(&args.opts, record_show, &view, &state);
	kma_statusline_end(&view.line);
	if (err && state.bytes)
		kma_warn("output is incomplete: kept the %.1f MB recorded before the error",
			 state.bytes / 1e6);
	if (!err && !args.quiet)
		record_say_end(&args.opts, &state);
	else if (!err && state.not_run)
		record_say_command(*args.opts.command, &state);
	if (!err && state.not_run)
		return KMA_EXIT_DATA;
	return kma_fail(err, KMA_EXIT_DATA);
}

const struct kma_cmd kma_cmd_record = {
	.name = "record",
	.program = KMA_RECORD_PROGRAM,
	.usage = "[OPTION...] [-- COMMAND...]",
	.about = "Record the module's event log until Ctrl-C is pressed or COMMAND ends.",
	.examples = "  " KMA_RECORD_PROGRAM " --duration 60\n"
		    "  " KMA_RECORD_PROGRAM " -O boot.log -- find / -xdev\n"
		    "  ssh target " KMA_RECORD_PROGRAM " -O - | kmem-account report -\n",
	.options = record_table,
	.most = KMA_OPTION_ANY,
	.stops = true,
	.width = 20,
	.summary = "Record the event log of the module on this machine.",
	.main = record_main,
};

#ifdef KMA_RECORD_STATIC

/* This program has only "watch -": a history directory needs SQLite. */
#undef KMA_ARGS
#define KMA_ARGS struct kma_snapshots

/* clang-format off */
static const struct kma_option record_watch_table[] = {
	{ "file", 'f', .arg = "FILE", TO(TEXT, path),
	  .help = "read this snapshot (default " KMA_FILE_SNAPSHOT ")" },
	{ "interval", .arg = "S", TO(TIME, interval),
	  .min = KMA_OPTION_SECOND / 100, .max = 86400 * KMA_OPTION_SECOND,
	  .scale = KMA_OPTION_SECOND, .unit = "seconds",
	  .help = "write a snapshot every S seconds (default 1)" },
	{ "samples", 'n', .arg = "N", TO(COUNT, samples),
	  .min = 1, .max = 1000000000, .unit = "samples",
	  .help = "end after N snapshots" },
	KMA_OPTION_END
};
/* clang-format on */

static const struct kma_cmd record_watch = {
	.name = "watch",
	.program = "kmem-account-record watch",
	.usage = "[OPTION...] -",
	.about = "Write the module's snapshots to the standard output, one after the other.",
	.examples = "  ssh target kmem-account-record watch - | kmem-account top -\n",
	.options = record_watch_table,
	.most = KMA_OPTION_ANY,
	.width = 19,
};

static int record_watch_main(int argc, char **argv)
{
	struct kma_snapshots args = { .path = KMA_FILE_SNAPSHOT,
				      .fd = STDOUT_FILENO,
				      .interval = KMA_OPTION_SECOND };
	struct kma_err *err;
	int first;

	err = kma_option_read(&record_watch, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	if (argc - first != 1 || strcmp(argv[first], "-"))
		return kma_fail(
			kma_err_create_kind(
				KMA_ERR_USAGE, NULL, 0,
				"watch: expected '-' (the standard output); to record into a directory, use 'kmem-account watch DIR'"),
			KMA_EXIT_USAGE);
	return kma_fail(kma_snapshots_write(&args), KMA_EXIT_DATA);
}

/* A scan needs 64 bits, so other programs are built without it (Makefile). */
static int record_scan_main(int argc, char **argv)
{
#if __SIZEOF_POINTER__ == 8
	return kma_cmd_scan.main(argc, argv);
#else
	(void)argc;
	(void)argv;
	return kma_fail(kma_err_create(NULL, 0,
				       "scan: needs a program of 64 bits; this one has 32 bits"),
			KMA_EXIT_DATA);
#endif
}

/* Accepts the words "kmem-account record" before the options, as the full program does. */
int main(int argc, char **argv)
{
	bool named = argc > 1 && !strcmp(argv[1], "record");

	kma_program_streams();
	if (argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))) {
		printf("kmem-account-record %s\n", KMA_VERSION);
		return KMA_EXIT_OK;
	}
	kma_program_set("kmem-account-record");
	if (argc > 1 && !strcmp(argv[1], "watch"))
		return record_watch_main(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "scan"))
		return record_scan_main(argc - 1, argv + 1);
	return record_main(argc - named, argv + named);
}

#endif
