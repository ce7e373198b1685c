// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-lost.c - kmem-account lost: the objects of a kernel that nothing refers to.
 *
 * heap/lost.h scans; this file has the options. With --workload there are two scans,
 * and the second one counts only what was allocated since the first.
 *
 * Locking: one thread. A signal ends a scan in order: it switches the module's age off, and wipes
 * what it has read.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "heap/dump.h"
#include "heap/running.h"
#include "heap/scan-read.h"
#include "leaks-workload.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/statusline.h"
#include "lib/stop.h"
#include "lost-text.h"
#include "rows.h"
#include "scan-kernel.h"
#include "session/load.h"
#include "session/options.h"

struct kma_lost_args {
	unsigned long passes;
	uint64_t between;
	bool no_age, quiet;
	const char *workload;
	struct kma_text_options text;
	struct kma_kernel_query kernel;
	struct kma_heap_source source;
	unsigned int fail_on; /* valid with has_fail_on; there is one word */
	bool has_fail_on, has_passes, has_between;
};

#define KMA_ARGS	struct kma_lost_args
#define KMA_LOST_SECOND KMA_OPTION_SECOND

static const char *const lost_fails[] = { "lost" };

/* clang-format off */
static const struct kma_option lost_options[] = {
	{ "passes", .arg = "N", .given = AT(has_passes),
	  TO(COUNT, passes),
	  .min = 1, .max = KMA_LOST_PASSES, .unit = "passes",
	  .help = "read all memory N times (default 3); with 1, objects that are in use for\n"
		  "a moment only can look lost" },
	{ "between", .arg = "S", .given = AT(has_between),
	  TO(TIME, between),
	  .max = 86400 * KMA_LOST_SECOND, .scale = KMA_LOST_SECOND, .unit = "seconds",
	  .help = "wait S seconds between two passes (default 2)" },
	{ "no-age", TO(FLAG, no_age),
	  .help = "do not switch the module's age on during the scan" },
	{ "workload", .arg = "CMD", TO(TEXT, workload),
	  .help = "scan, run CMD in a shell, scan again; show the lost objects of CMD" },
	{ "vmcore", .arg = "FILE", TO(TEXT, source.vmcore), .needs = "tables",
	  .excludes = "passes between no-age workload " KMA_OPTION_ARGUMENTS,
	  .help = "scan the kernel in this dump, once, instead of the running one" },
	{ "tables", .arg = "DIR", TO(TEXT, source.tables), .needs = "vmcore",
	  .help = "with --vmcore: the module's tables of the dump, as\n"
		  "contrib/drgn/kmem_account.py --tables DIR writes them" },
	{ "fail-on", .arg = "WORD", .given = AT(has_fail_on),
	  TO_NAME(fail_on, lost_fails),
	  .help = "exit with status 3 if an object is lost; the only WORD is lost" },
	KMA_ROW_BEFORE(source.before),
	KMA_ROWS_KERNEL(kernel),
	KMA_ROW_TYPES(kernel),
	KMA_ROW_FORCE(kernel, "running ones"),
	KMA_ROW_TOP_OF("20", text),
	KMA_ROWS_TEXT(text, NULL),
	KMA_ROW_QUIET(quiet, "memory is scanned"),
	KMA_OPTION_END
};
/* clang-format on */

static void lost_progress(void *arg, unsigned int pass, unsigned int passes)
{
	struct kma_statusline *line = arg;
	char text[48];

	snprintf(text, sizeof(text), "lost: pass %u of %u", pass, passes);
	if (pass)
		kma_statusline_show(line, text);
	else
		kma_statusline_end(line);
}

/* Scan, run the workload, and scan for what was born since. */
static struct kma_err *lost_workload(const char *command, struct kma_lost_wish *wish,
				     struct kma_lost *lost)
{
	_cleanup_(kma_running_close) struct kma_running running = { 0 };
	_cleanup_(kma_lost_set_deinit) struct kma_lost_set before = { 0 };
	_cleanup_(kma_lost_deinit) struct kma_lost first = { 0 };
	struct kma_err *err = NULL;

	/* The objects of the workload have ages only if the switch stays on between the scans. */
	if (!wish->no_age)
		err = kma_running_age_on(&running);
	if (!err)
		err = kma_lost_scan(wish, NULL, &before, &first);
	if (err)
		return err;
	if (!wish->no_age)
		wish->since = first.ended;
	err = kma_workload_once(command) ?: kma_lost_scan(wish, &before, NULL, lost);
	if (err)
		return err;
	if (lost->older)
		kma_notes_add(
			&lost->notes,
			"not counted: %llu %s from before the workload had a reference in the first scan, and none in the second",
			(unsigned long long)lost->older,
			kma_plural(lost->older, "object", "objects"));
	return NULL;
}

static struct kma_err *lost_scans(const struct kma_lost_args *args, struct kma_lost *lost)
{
	struct kma_statusline line = { .quiet = args->quiet };
	struct kma_lost_wish wish = { .source = args->source,
				      .passes = args->source.vmcore ? 1 : args->passes,
				      .between = args->between,
				      .no_age = args->no_age || args->source.vmcore,
				      .stop = &kma_stop,
				      .progress = lost_progress,
				      .arg = &line };

	return args->workload ? lost_workload(args->workload, &wish, lost) :
				kma_lost_scan(&wish, NULL, NULL, lost);
}

/* Find the places of the rows. @file: of a scan in a file. */
static struct kma_err *lost_places(const struct kma_lost_args *args, bool file,
				   struct kma_scan *scan, struct kma_loaded *loaded,
				   const struct kma_place **places)
{
	const struct kma_lost *lost = &scan->lost;
	struct kma_err *err = NULL;

	if (lost->nr)
		err = kma_scan_kernel(&args->kernel, &args->source, file, scan, loaded);
	if (err || !loaded->kernel.source)
		return err;
	for (size_t i = 0; i < lost->nr; i++)
		places[i] = kma_resolved_place(loaded->kernel.source, lost->rows[i].caller);
	return NULL;
}

static struct kma_err *lost_show(const struct kma_lost_args *args, const struct kma_lost *lost,
				 const struct kma_place *const *places, bool has_places)
{
	_cleanup_strbuf_ struct kma_strbuf out = { 0 };
	const struct kma_lost_text text = { .lost = lost,
					    .places = places,
					    .has_places = has_places,
					    .workload = args->workload,
					    .opts = args->text };

	kma_lost_write(&text, &out);
	return kma_outfile_write_as(args->text.output, KMA_OUTFILE_PRIVATE, &out);
}

/* @file: a scan; NULL: the running kernel. */
static struct kma_err *lost_run(const struct kma_lost_args *args, const char *file,
				struct kma_scan *scan)
{
	_cleanup_(kma_unload) struct kma_loaded loaded = { 0 };
	_cleanup_free_ const struct kma_place **places = NULL;
	struct kma_lost *lost = &scan->lost;
	const char *note = NULL;
	struct kma_err *err;

	if (file) {
		err = kma_scan_load(file, scan, NULL);
	} else {
		kma_stop_catch(true);
		err = lost_scans(args, lost);
		kma_stop_release();
	}
	if (err)
		return err;
	while ((note = kma_notes_next(&lost->notes, note)))
		kma_warn("lost: %s", note);
	places = kma_xcalloc(lost->nr + 1, sizeof(*places));
	err = lost_places(args, file, scan, &loaded, places);
	return err   ?:
		       lost_show(args, lost, places,
				 args->kernel.tree || args->kernel.vmlinux || loaded.kernel.source);
}

/* Refuse arguments that do not fit each other. */
static struct kma_err *lost_refuses(const struct kma_lost_args *args, int nr, char **files)
{
	bool scans = args->workload || args->has_passes || args->has_between || args->no_age ||
		     args->source.before;

	if (nr > 1)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "lost: unexpected argument '%s'",
					   files[1]);
	if (nr && scans)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"lost: --workload, --passes, --between, --before and --no-age need the running kernel");
	return NULL;
}

static int lost_main(int argc, char **argv)
{
	struct kma_lost_args args = { .passes = 3,
				      .between = 2 * KMA_LOST_SECOND,
				      .source.open = kma_dump_open };
	struct kma_scan scan = { 0 };
	struct kma_err *err;
	int first, code;

	err = kma_option_read(&kma_cmd_lost, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	err = lost_refuses(&args, argc - first, argv + first);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	code = kma_fail_kind(lost_run(&args, argc > first ? argv[first] : NULL, &scan));
	if (!code && args.has_fail_on && scan.lost.lost) {
		kma_warn("lost: objects without a reference: %llu",
			 (unsigned long long)scan.lost.lost);
		code = KMA_EXIT_THRESHOLD;
	}
	kma_scan_deinit(&scan);
	return code;
}

const struct kma_cmd kma_cmd_lost = {
	.name = "lost",
	.usage = "[OPTION...] [SCAN]",
	.about =
		"Show the objects of a kernel that nothing refers to: lost memory.\n"
		"With SCAN, a file of kmem-account scan or a bundle that has one, show those of the\n"
		"scan.",
	.examples = "  kmem-account lost\n"
		    "  kmem-account lost --passes 5 --format csv -O lost.csv\n"
		    "  kmem-account lost --vmcore vmcore --tables tables\n"
		    "  kmem-account lost --workload 'modprobe foo && rmmod foo' --fail-on lost\n",
	.options = lost_options,
	.most = KMA_OPTION_ANY,
	.width = 18,
	.summary = "Show the objects of a kernel that nothing refers to.",
	.main = lost_main,
};
