// SPDX-License-Identifier: GPL-2.0
/*
 * cmd-record.c - kmem-account record: carry the event log away. Options are its own, because
 * a command may follow them, and because a program that has nothing but this command goes to
 * targets without libraries: KMA_RECORD_STATIC, made by "make record-static".
 */
#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd.h"
#include "conflict.h"
#include "lib/cleanup.h"
#include "record/record.h"
#include "lib/say.h"
#include "lib/statusline.h"

#define KMA_RECORD_FILE	    "kmem.log"
#define KMA_RECORD_INTERVAL 1.0 /* s */

static const char kma_record_help[] =
	"Usage: kmem-account record [OPTION...] [-- COMMAND...]\n"
	"Carry the module's event log away, until Ctrl-C or COMMAND ends.\n\n"
	"  -o, --output FILE        write to FILE (kmem.log); - is the standard output\n"
	"      --zstd               pack it\n"
	"      --duration S         for S seconds\n"
	"      --size BYTES         until FILE has BYTES (64M, 2G)\n"
	"      --interval S         read what the module has logged every S seconds, also if its\n"
	"                           buffers are not full (1)\n"
	"      --subbufs N          parameters of the module, while it records: buffers of each\n"
	"      --subbuf-size BYTES  CPU, and bytes of one\n"
	"      --attach             take the log that is on already, or was not read, and end it\n"
	"      --no-symbols         without the kernel's symbols: call sites are addresses\n"
	"      --root DIR           where proc, sys and run are, for tests\n"
	"  -q, --quiet              say nothing but errors\n"
	"  -h, --help               this text\n"
	"\nExamples:\n"
	"  kmem-account record --duration 60\n"
	"  kmem-account record -o boot.log --zstd -- find / -xdev\n"
	"  ssh target kmem-account record -o - | kmem-account report -\n";

enum {
	KMA_OPT_ZSTD = 256,
	KMA_OPT_DURATION,
	KMA_OPT_INTERVAL,
	KMA_OPT_BYTES,
	KMA_OPT_SUBBUFS,
	KMA_OPT_SUBBUF_SIZE,
	KMA_OPT_NO_SYMBOLS,
	KMA_OPT_ATTACH,
	KMA_OPT_ROOT,
};

static const struct option kma_record_longs[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "zstd", no_argument, NULL, KMA_OPT_ZSTD },
	{ "duration", required_argument, NULL, KMA_OPT_DURATION },
	{ "size", required_argument, NULL, KMA_OPT_BYTES },
	{ "interval", required_argument, NULL, KMA_OPT_INTERVAL },
	{ "subbufs", required_argument, NULL, KMA_OPT_SUBBUFS },
	{ "subbuf-size", required_argument, NULL, KMA_OPT_SUBBUF_SIZE },
	{ "no-symbols", no_argument, NULL, KMA_OPT_NO_SYMBOLS },
	{ "attach", no_argument, NULL, KMA_OPT_ATTACH },
	{ "root", required_argument, NULL, KMA_OPT_ROOT },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

struct kma_record_args {
	struct kma_record_options opts;
	bool quiet, help;
};

/* What the numbers may be; those of buffers are the module's (log/relay.c). */
#define KMA_RECORD_SUBBUFS_MIN 2
#define KMA_RECORD_SUBBUFS_MAX 4096
#define KMA_RECORD_SUBBUF_MIN  4096
#define KMA_RECORD_SUBBUF_MAX  (64 << 20)
#define KMA_RECORD_SECONDS_MAX 1e9

/* 4096, 64K, 1M; false if it is no number, or 0. */
static bool kma_record_number(const char *text, uint64_t *ret)
{
	static const char letters[] = "KMGT";
	const char *letter;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	*ret = strtoull(text, &end, 10);
	letter = *end ? strchr(letters, toupper((unsigned char)*end)) : NULL;
	if (letter) {
		unsigned int shift = 10 * (letter - letters + 1);

		if (*ret > (uint64_t)INT64_MAX >> shift)
			return false;
		*ret <<= shift;
		end += end[1] == 'i' && end[2] == 'B' ? 3 : 1;
	}
	return !*end && *ret && *ret <= INT64_MAX;
}

/* 10, 0.5 */
static bool kma_record_seconds(const char *text, double *ret)
{
	char *end;

	*ret = strtod(text, &end);
	return end != text && !*end && *ret > 0 && *ret <= KMA_RECORD_SECONDS_MAX;
}

static struct kma_err *kma_record_no_number(int c, const char *value)
{
	static const struct {
		int c;
		const char *range;
	} ranges[] = {
		{ KMA_OPT_DURATION, "more than 0 and up to 1000000000 seconds, as 10 or 0.5" },
		{ KMA_OPT_INTERVAL, "more than 0 and up to 1000000000 seconds, as 10 or 0.5" },
		{ KMA_OPT_SUBBUFS, "2 to 4096 buffers of each CPU" },
		{ KMA_OPT_SUBBUF_SIZE, "4096 to 67108864 bytes, as 65536, 64K or 1M" },
		{ KMA_OPT_BYTES, "1 to 9223372036854775807 bytes, as 4096, 64M or 2G" },
	};
	const struct option *opt = kma_record_longs;
	size_t i = 0;

	while (opt->val != c)
		opt++;
	while (ranges[i].c != c)
		i++;
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
				   "record: invalid --%s '%s' (expected %s)", opt->name, value,
				   ranges[i].range);
}

static struct kma_err *kma_record_option(int c, const char *value, struct kma_record_args *args)
{
	uint64_t number = 0;
	bool ok = true;

	switch (c) {
	case 'o':
		args->opts.output = value;
		break;
	case KMA_OPT_ZSTD:
		args->opts.zstd = true;
		break;
	case KMA_OPT_DURATION:
		ok = kma_record_seconds(value, &args->opts.duration);
		break;
	case KMA_OPT_INTERVAL:
		ok = kma_record_seconds(value, &args->opts.interval);
		break;
	case KMA_OPT_BYTES:
		ok = kma_record_number(value, &args->opts.size);
		break;
	case KMA_OPT_SUBBUFS:
		ok = kma_record_number(value, &number) && number >= KMA_RECORD_SUBBUFS_MIN &&
		     number <= KMA_RECORD_SUBBUFS_MAX;
		args->opts.subbufs = number;
		break;
	case KMA_OPT_SUBBUF_SIZE:
		ok = kma_record_number(value, &number) && number >= KMA_RECORD_SUBBUF_MIN &&
		     number <= KMA_RECORD_SUBBUF_MAX;
		args->opts.subbuf_size = number;
		break;
	case KMA_OPT_NO_SYMBOLS:
		args->opts.no_symbols = true;
		break;
	case KMA_OPT_ATTACH:
		args->opts.attach = true;
		break;
	case KMA_OPT_ROOT:
		args->opts.root = value;
		break;
	case 'q':
		args->quiet = true;
		break;
	case 'h':
		args->help = true;
		break;
	}
	return ok ? NULL : kma_record_no_number(c, value);
}

/* A log that is on keeps its buffers. */
static struct kma_err *kma_record_conflicts(const struct kma_record_options *opts)
{
	const struct kma_conflict conflicts[] = {
		{ opts->attach, "--attach", opts->subbufs, "--subbufs" },
		{ opts->attach, "--attach", opts->subbuf_size, "--subbuf-size" },
	};

	return kma_conflict_check("record", conflicts, ARRAY_SIZE(conflicts));
}

static struct kma_err *kma_record_parse(int argc, char **argv, struct kma_record_args *args)
{
	struct kma_err *err = NULL;
	bool command;
	int c;

	*args = (struct kma_record_args){ .opts = {
						  .root = "",
						  .output = KMA_RECORD_FILE,
						  .interval = KMA_RECORD_INTERVAL,
					  } };
	opterr = 0;
	optind = 1;
	while (!err && (c = getopt_long(argc, argv, "+:o:qh", kma_record_longs, NULL)) != -1) {
		if (c == ':')
			err = kma_err_create(NULL, 0, "record: %s needs a value", argv[optind - 1]);
		else if (c == '?')
			err = kma_err_create(NULL, 0,
					     "record: unknown option %s; see record --help",
					     argv[optind - 1]);
		else
			err = kma_record_option(c, optarg, args);
	}
	if (err || args->help)
		return err;
	err = kma_record_conflicts(&args->opts);
	if (err)
		return err;
	command = optind < argc && !strcmp(argv[optind - 1], "--");
	if (optind < argc && !command)
		return kma_err_create(NULL, 0, "record: a command goes behind --: %s",
				      argv[optind]);
	if (command)
		args->opts.command = argv + optind;
	if (!strcmp(args->opts.output, "-") && isatty(STDOUT_FILENO))
		return kma_err_create(NULL, 0, "record: -o -: a log is nothing for a terminal");
	return NULL;
}

static void kma_record_show(void *arg, const struct kma_record_state *state)
{
	char text[160];

	/* What matters most stands first: narrow terminals show the beginning. */
	snprintf(text, sizeof(text), "%.0f s, %" PRIu64 " lost, %" PRIu64 " records, %.1f MB",
		 state->seconds, state->lost, state->records, state->bytes / 1e6);
	kma_statusline_show(arg, text);
}

/* As shells have it; the log has what happened meanwhile. */
static bool kma_record_not_run(const struct kma_record_options *opts,
			       const struct kma_record_state *state)
{
	return opts->command && WIFEXITED(state->status) && WEXITSTATUS(state->status) == 127;
}

static void kma_record_say_end(const struct kma_record_options *opts,
			       const struct kma_record_state *state)
{
	static const char *const ends[] = {
		[KMA_RECORD_BY_SIGNAL] = "by a signal",
		[KMA_RECORD_BY_DURATION] = "after its time",
		[KMA_RECORD_BY_SIZE] = "at its size",
		[KMA_RECORD_BY_COMMAND] = "with the command",
		[KMA_RECORD_BY_LOG] = "because the log was switched off",
		[KMA_RECORD_BY_ERROR] = "by an error",
	};

	kma_warn("%s: %.1f s, %.1f MB, %" PRIu64 " records, %" PRIu64 " lost; ended %s",
		 strcmp(opts->output, "-") ? opts->output : "standard output", state->seconds,
		 state->bytes / 1e6, state->records, state->lost, ends[state->end]);
	if (state->lost)
		kma_warn("buffers were too small: --subbufs N has more of them");
	if (opts->command && WIFEXITED(state->status) && WEXITSTATUS(state->status))
		kma_warn("%s: %s %d", *opts->command,
			 kma_record_not_run(opts, state) ? "cannot be run, or ended with" :
							   "ended with",
			 WEXITSTATUS(state->status));
}

static int kma_record_main(int argc, char **argv)
{
	struct kma_record_state state;
	struct kma_record_args args;
	struct kma_statusline line;
	struct kma_err *err;

	err = kma_record_parse(argc, argv, &args);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	if (args.help) {
		fputs(kma_record_help, stdout);
		return KMA_EXIT_OK;
	}
	/* A command that writes to the terminal has it for itself. */
	kma_statusline_begin(&line, args.quiet || (args.opts.command && isatty(STDOUT_FILENO)));
	err = kma_record(&args.opts, kma_record_show, &line, &state);
	kma_statusline_end(&line);
	if (err && state.bytes)
		kma_warn("what was recorded until then is there: %.1f MB", state.bytes / 1e6);
	if (!err && !args.quiet)
		kma_record_say_end(&args.opts, &state);
	if (!err && kma_record_not_run(&args.opts, &state))
		return KMA_EXIT_DATA;
	return kma_fail(err, KMA_EXIT_DATA);
}

#ifdef KMA_RECORD_STATIC

/* As "kmem-account record", which may stand in front, so that scripts need not care. */
int main(int argc, char **argv)
{
	bool named = argc > 1 && !strcmp(argv[1], "record");

	kma_program_set("kmem-account-record");
	return kma_record_main(argc - named, argv + named);
}

#else

static int kma_record_run(const struct kma_cmd *cmd, int argc, char **argv)
{
	(void)cmd;
	return kma_record_main(argc, argv);
}

const struct kma_cmd kma_cmd_record = {
	.name = "record",
	.summary = "Record the module's event log, on the machine that it runs on.",
	.run = kma_record_run,
};

#endif
