// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-watch.c - kmem-account watch: record snapshots into a history directory, and warn of leaks
 * while it runs.
 *
 * Samples are taken at multiples of the interval on CLOCK_MONOTONIC; one whose time has passed is
 * skipped. A sample that cannot be read or written is lost and reported, and the next one is taken
 * at its time. So neither a full disk nor a module that is loaded again ends the recording.
 *
 * After every KMA_WATCH_CHECK samples, the last day of the history is judged as "leaks DIR" does,
 * with at most about KMA_WATCH_SAMPLES samples. Each leak is reported once for each boot: the file
 * leaks-said in the directory lists the reported ones.
 *
 * With - as DIR, snapshots are written to the standard output, for another machine.
 *
 * Locking: one thread. Handlers of signals set a flag.
 */
#include <inttypes.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "lib/clock.h"
#include "lib/stop.h"
#include "store/day-write.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/module-files.h"
#include "lib/option.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/units.h"
#include "lib/unpack.h"
#include "model/leak-reasons.h"
#include "record/snapshots.h"
#include "open/open.h"
#include "session/suspects.h"
#include "rows.h"
#include "watch-source.h"

#define KMA_WATCH_DAYS	  (86400 * KMA_NS_PER_S)
#define KMA_WATCH_CHECK	  30			/* samples between two checks for leaks */
#define KMA_WATCH_SAMPLES 120			/* samples that such a check reads */
#define KMA_WATCH_STATUS  (3600 * KMA_NS_PER_S) /* ns between two lines of status */
#define KMA_WATCH_SAID	  "leaks-said"		/* file that lists the reported leaks */

struct kma_watch_args {
	const char *source, *dir, *on_leak;
	uint64_t interval, keep, max_size;
	unsigned long samples;
	bool verbose;
};

#define KMA_ARGS struct kma_watch_args

/* clang-format off */
static const struct kma_option watch_options[] = {
	{ "file", 'f', .arg = "FILE", TO(TEXT, source),
	  .help = "record this account (default:\n"
		  KMA_FILE_SNAPSHOT ",\n"
		  "or " KMA_FILE_ACCOUNT " if that cannot be read)" },
	{ "interval", .arg = "S", TO(TIME, interval),
	  .min = KMA_NS_PER_S / 100, .max = KMA_WATCH_DAYS, .scale = KMA_OPTION_SECOND, .unit = "seconds",
	  .help = "record a sample every S seconds (default 60)" },
	{ "samples", 'n', .arg = "N", TO(COUNT, samples),
	  .min = 1, .max = 1000000000, .unit = "samples",
	  .help = "end after N samples" },
	{ "keep", .arg = "TIME", TO(TIME, keep),
	  .min = KMA_WATCH_DAYS, .max = 10000 * KMA_WATCH_DAYS, .scale = KMA_OPTION_SECOND, .unit = "seconds",
	  .help = "remove days that are older than TIME (default 30d)" },
	{ "max-size", .arg = "BYTES", TO(SIZE, max_size),
	  .min = 1 << 16, .max = INT64_MAX,
	  .help = "remove the oldest days if the directory is larger than BYTES (default 1G)" },
	{ "on-leak", .arg = "CMD", TO(TEXT, on_leak),
	  .help = "run CMD in a shell for each call site that gets the verdict leak;\n"
		  "KMEM_ACCOUNT_CALLER, _REASONS, _LIVE and _DIR are in its environment" },
	{ "verbose", 'v', TO(FLAG, verbose),
	  .help = "print a line for each sample" },
	KMA_ROW_MAX_INPUT,
	KMA_OPTION_END
};
/* clang-format on */

/* The state of a recording. */
struct kma_watch {
	const struct kma_watch_args *args;
	struct kma_watch_source source;
	struct kma_history *history;
	struct utsname here;
	uint64_t begin, status;	  /* ns of CLOCK_MONOTONIC: start, last line of status */
	uint64_t cpu_begin;	  /* ns of CPU time at @begin */
	unsigned long kept, lost; /* number of samples that were written, that failed */
	uint64_t bytes, read_ns;  /* bytes written in all, duration of the last sample */
	size_t last_bytes;	  /* bytes of the last sample */
};

/* Prefix of a line: under systemd "<4>" sets its priority; elsewhere nothing. */
static const char *watch_priority(const char *priority)
{
	return getenv("JOURNAL_STREAM") ? priority : "";
}

static void watch_warn(const char *text)
{
	fprintf(stderr, "%s%s: watch: %s\n", watch_priority("<4>"), kma_program(), text);
}

static void watch_lost(struct kma_watch *watch, struct kma_err *err)
{
	_cleanup_free_ char *text = kma_err_text(err);

	watch->lost++;
	fprintf(stderr, "%s%s: watch: a sample is lost: %s\n", watch_priority("<4>"), kma_program(),
		text ?: "");
	kma_err_destroy(err);
}

static void watch_say_notes(struct kma_notes *notes)
{
	for (const char *note = NULL; (note = kma_notes_next(notes, note));)
		watch_warn(note);
	kma_notes_deinit(notes);
}

/*
 * Prints how many samples were written, and the cost of the recording. The percentage of a CPU is
 * left out in the first second, when it would be that of the first samples.
 */
static void watch_status(const struct kma_watch *watch)
{
	uint64_t cpu = kma_clock(CLOCK_PROCESS_CPUTIME_ID) - watch->cpu_begin;
	uint64_t passed = kma_clock(CLOCK_MONOTONIC) - watch->begin;
	char bytes[32], percent[32] = "";

	if (passed >= KMA_NS_PER_S)
		snprintf(percent, sizeof(percent), ", %.2f %%", cpu * 100.0 / passed);
	printf("%s%lu %s, %lu lost; %s kept; CPU %.3f s%s; last sample: %.1f ms, %zu bytes\n",
	       watch_priority("<6>"), watch->kept, kma_plural(watch->kept, "sample", "samples"),
	       watch->lost, kma_units_format(bytes, sizeof(bytes), watch->bytes, KMA_UNIT_BYTES),
	       cpu / 1e9, percent, watch->read_ns / 1e6, watch->last_bytes);
	fflush(stdout);
}

/* Was this leak reported already, by this run or an earlier one? If not, adds it to the list. */
static bool watch_was_said(const struct kma_watch *watch, const char *leak)
{
	_cleanup_fclose_ FILE *f = NULL;
	_cleanup_free_ char *path = NULL, *line = NULL;
	size_t room = 0;

	path = kma_xasprintf("%s/" KMA_WATCH_SAID, watch->args->dir);
	f = fopen(path, "a+e");
	if (!f)
		return false;
	rewind(f);
	while (getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!strcmp(line, leak))
			return true;
	}
	fprintf(f, "%s\n", leak);
	return false;
}

/* Starts the command of --on-leak; watch_do() collects its exit status. */
static void watch_run(const struct kma_watch *watch, const struct kma_suspect *leak,
		      const char *reasons)
{
	const char *argv[] = { "sh", "-c", watch->args->on_leak, NULL };
	char live[32];
	pid_t pid;
	int code;

	snprintf(live, sizeof(live), "%.0f", leak->result.evidence.last);
	setenv("KMEM_ACCOUNT_CALLER", leak->site->caller, 1);
	setenv("KMEM_ACCOUNT_REASONS", reasons, 1);
	setenv("KMEM_ACCOUNT_LIVE", live, 1);
	setenv("KMEM_ACCOUNT_DIR", watch->args->dir, 1);
	code = posix_spawn(&pid, "/bin/sh", NULL, NULL, (char *const *)argv, environ);
	if (code)
		kma_warn("watch: cannot run '%s': %s", watch->args->on_leak, strerror(code));
}

static void watch_tell(const struct kma_watch *watch, const struct kma_suspect *leak,
		       const char *boot)
{
	_cleanup_strbuf_ struct kma_strbuf reasons = { 0 };
	_cleanup_free_ char *key = NULL, *line = NULL;

	key = kma_xasprintf("%s\t%s", boot, leak->site->caller);
	if (watch_was_said(watch, key))
		return;
	kma_leak_reasons(&leak->result, &reasons);
	line = kma_xasprintf("leak: %s: %.0f bytes are live, %+.0f bytes per hour; %s",
			     leak->site->caller, leak->result.evidence.last,
			     leak->result.evidence.slope.slope * 3600, reasons.str ?: "");
	watch_warn(line);
	if (watch->args->on_leak)
		watch_run(watch, leak, reasons.str ?: "");
}

/* Adds the samples of the last day to a series. */
static struct kma_err *add_samples(const char *dir, struct kma_leak_series *series)
{
	_cleanup_close_ struct kma_series *samples = NULL;
	struct kma_account *account;
	struct kma_err *err = kma_open(dir, &samples);

	if (err)
		return err;
	samples->wish = (struct kma_series_wish){ .all = true,
						  .max = KMA_WATCH_SAMPLES,
						  .need = { KMA_SERIES_COUNTS, true } };
	for (;;) {
		err = kma_series_next(samples, &account);
		if (err || !account)
			return err;
		err = kma_leak_series_add(series, account, -1, "");
		if (err)
			return err;
	}
}

/* Judges the history as `leaks DIR` does, and reports new leaks. */
static struct kma_err *watch_look(const struct kma_watch *watch)
{
	_cleanup_free_ struct kma_suspect *list = NULL;
	struct kma_leak_series *series = kma_leak_series_create();
	struct kma_notes notes = { 0 };
	struct kma_moment moment = { .boot = "" };
	struct kma_err *err;
	size_t nr = 0;

	err = add_samples(watch->args->dir, series);
	if (!err)
		kma_leak_series_finish(series, &notes);
	if (!err && kma_leak_series_nr(series)) {
		kma_moment_of(kma_leak_series_last(series), &moment);
		list = kma_suspects_judge(series, KMA_LEAK_FLOOR, false, NULL, &nr);
	}
	for (size_t i = 0; i < nr; i++)
		if (list[i].result.verdict == KMA_LEAK_LEAK)
			watch_tell(watch, &list[i], moment.boot);
	kma_notes_deinit(&notes);
	kma_leak_series_destroy(series);
	return err;
}

static void watch_sample(struct kma_watch *watch)
{
	uint64_t begin = kma_clock(CLOCK_MONOTONIC);
	struct kma_notes notes = { 0 };
	struct kma_account *account;
	struct kma_err *err;

	err = kma_watch_source_read(&watch->source, &account);
	if (!err) {
		err = kma_history_append(watch->history, account, watch->here.nodename,
					 &watch->last_bytes, &notes);
		kma_account_destroy(account);
	}
	watch->read_ns = kma_clock(CLOCK_MONOTONIC) - begin;
	watch_say_notes(&notes);
	if (err) {
		watch_lost(watch, err);
		return;
	}
	watch->kept++;
	watch->bytes += watch->last_bytes;
	if (watch->args->verbose)
		watch_status(watch);
	if (watch->kept % KMA_WATCH_CHECK == 0)
		kma_fail(watch_look(watch), 0);
}

static struct kma_err *watch_do(struct kma_watch *watch)
{
	const struct kma_watch_args *args = watch->args;
	const struct kma_history_bounds bounds = { args->keep, args->max_size };
	uint64_t next = kma_clock(CLOCK_MONOTONIC);
	uint64_t cpu = kma_clock(CLOCK_PROCESS_CPUTIME_ID);
	struct kma_err *err;

	err = kma_watch_source_init(&watch->source, args->source) ?:
		      kma_history_create(args->dir, &bounds, &watch->history);
	if (err)
		return err;
	uname(&watch->here);
	kma_stop_catch(false);
	watch->begin = watch->status = next;
	watch->cpu_begin = cpu;
	printf("%srecording %s into %s every %g s\n", watch_priority("<6>"), watch->source.path,
	       args->dir, args->interval / 1e9);
	fflush(stdout);
	while (!kma_stopped()) {
		watch_sample(watch);
		if (args->samples && watch->kept + watch->lost >= args->samples)
			break;
		if (kma_clock(CLOCK_MONOTONIC) - watch->status >= KMA_WATCH_STATUS) {
			watch->status += KMA_WATCH_STATUS;
			watch_status(watch);
		}
		kma_stop_wait_next(args->interval, &next);
		/* collect the commands of --on-leak that have ended */
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
	if (watch->kept % KMA_WATCH_CHECK)
		kma_fail(watch_look(watch), 0);
	watch_status(watch);
	return watch->lost && !watch->kept ?
		       kma_err_create(args->dir, 0, "recorded no sample; the reasons are above") :
		       NULL;
}

static struct kma_err *watch_pipe(const struct kma_watch_args *args)
{
	return kma_snapshots_write(&(struct kma_snapshots){
		.path = args->source ?: KMA_FILE_SNAPSHOT,
		.fd = STDOUT_FILENO,
		.interval = args->interval,
		.samples = args->samples,
	});
}

static int watch_main(int argc, char **argv)
{
	struct kma_watch_args args = { .interval = 60 * KMA_NS_PER_S,
				       .keep = 30 * KMA_WATCH_DAYS,
				       .max_size = 1ULL << 30 };
	struct kma_watch watch = { .args = &args };
	struct kma_err *err;
	int first, code;

	err = kma_option_read(&kma_cmd_watch, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	if (argc - first != 1)
		return kma_fail(
			kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					    "watch: expected one directory (got %d arguments)",
					    argc - first),
			KMA_EXIT_USAGE);
	args.dir = argv[first];
	if (!strcmp(args.dir, "-"))
		return kma_fail(watch_pipe(&args), KMA_EXIT_DATA);
	code = kma_fail_kind(watch_do(&watch));
	kma_history_close(watch.history);
	return code;
}

const struct kma_cmd kma_cmd_watch = {
	.name = "watch",
	.usage = "[OPTION...] DIR",
	.about = "Record snapshots into the history directory DIR, and warn of leaks; or, with\n"
		 "- as DIR, write them to the standard output for another machine.",
	.examples = "  kmem-account watch /var/lib/kmem-account\n"
		    "  kmem-account report '/var/lib/kmem-account@yesterday 14:00'\n"
		    "  kmem-account leaks /var/lib/kmem-account\n"
		    "  ssh target kmem-account watch --interval 1 - | kmem-account top -\n",
	.options = watch_options,
	.most = KMA_OPTION_ANY,
	.width = 19,
	.summary = "Record snapshots into a history directory, and warn of leaks.",
	.main = watch_main,
};
