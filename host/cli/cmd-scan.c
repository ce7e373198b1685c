// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-scan.c - kmem-account scan: keep the heap graph of the running kernel in a file, for lost and
 * why.
 *
 * It is a command of kmem-account-record, too (make record-static), and so includes nothing that
 * needs a library then.
 *
 * Locking: one thread. A signal ends a scan in order, as in cmd-lost.c.
 */
#include <sys/prctl.h>

#include "cmd.h"
#include "heap/places.h"
#include "heap/scan-write.h"
#include "lib/file.h"
#include "lib/option.h"
#include "lib/say.h"
#include "lib/statusline.h"
#include "lib/stop.h"
#include "rows.h"

#ifdef KMA_RECORD_STATIC
#define KMA_SCAN_PROGRAM "kmem-account-record scan"
#else
#define KMA_SCAN_PROGRAM "kmem-account scan"
#endif

struct kma_scan_args {
	unsigned long passes;
	uint64_t between;
	bool no_age, before, content, addresses, quiet;
	const char *output;
};

#define KMA_ARGS	struct kma_scan_args
#define KMA_SCAN_SECOND KMA_OPTION_SECOND

/* clang-format off */
static const struct kma_option scan_options[] = {
	{ "output", 'O', .arg = "FILE", TO(TEXT, output),
	  .help = "write to FILE, created or replaced when the scan is complete;\n"
		  "- is the standard output" },
	{ "content", TO(FLAG, content),
	  .help = "keep the first 64 bytes of each lost object: memory of the kernel" },
	{ "addresses", TO(FLAG, addresses),
	  .help = "keep the addresses of objects, so that why ADDRESS can be asked" },
	{ "passes", .arg = "N", TO(COUNT, passes),
	  .min = 1, .max = KMA_LOST_PASSES, .unit = "passes",
	  .help = "read all memory N times for lost objects (default 3)" },
	{ "between", .arg = "S", TO(TIME, between),
	  .max = 86400 * KMA_SCAN_SECOND, .scale = KMA_SCAN_SECOND, .unit = "seconds",
	  .help = "wait S seconds between two passes (default 2)" },
	{ "no-age", TO(FLAG, no_age),
	  .help = "do not switch the module's age on during the scan" },
	KMA_ROW_BEFORE(before),
	{ "quiet", 'q', TO(FLAG, quiet),
	  .help = "show no progress on the terminal while memory is scanned" },
	KMA_OPTION_END
};
/* clang-format on */

static void scan_progress(void *arg, unsigned int pass, unsigned int passes)
{
	struct kma_statusline *line = arg;
	char text[48];

	if (pass)
		snprintf(text, sizeof(text), "scan: pass %u of %u", pass, passes + 1);
	else
		snprintf(text, sizeof(text), "scan: pass %u of %u", passes + 1, passes + 1);
	kma_statusline_show(line, text);
}

static struct kma_err *scan_places(struct kma_scan *scan)
{
	struct kma_err *err = NULL;
	const char *warning;

	if (scan->has_module)
		err = kma_places_read(&scan->account);
	else
		kma_places_none(&scan->account);
	if (err)
		return err;
	for (size_t i = 0; (warning = kma_account_warning(scan->account, i)); i++)
		kma_warn("%s: %s", kma_account_name(scan->account), warning);
	return NULL;
}

static struct kma_err *scan_run(const struct kma_scan_args *args, struct kma_scan *scan)
{
	_cleanup_outfile_ struct kma_outfile *out = NULL;
	struct kma_statusline line = { .quiet = args->quiet };
	struct kma_lost_wish wish = { .passes = args->passes,
				      .between = args->between,
				      .no_age = args->no_age,
				      .source.before = args->before,
				      .stop = &kma_stop,
				      .progress = scan_progress,
				      .arg = &line };
	const char *note = NULL;
	struct kma_err *err;

	/* The text of the file has what a core dump must not have, until the program ends. */
	prctl(PR_SET_DUMPABLE, 0);
	kma_stop_catch(true);
	err = kma_scan_all(&wish, args->content, scan);
	kma_statusline_end(&line);
	if (!err)
		err = scan_places(scan);
	if (!err && kma_stopped())
		err = kma_err_create(NULL, 0, "the scan was interrupted");
	kma_stop_release();
	if (err)
		return err;
	while ((note = kma_notes_next(&scan->notes, note)))
		kma_warn("scan: %s", note);
	err = kma_outfile_create(args->output, KMA_OUTFILE_PRIVATE, &out);
	if (err)
		return err;
	kma_scan_write(scan, args->addresses, out);
	return kma_outfile_commit(out);
}

static int main_scan(int argc, char **argv)
{
	struct kma_scan_args args = { .passes = 3, .between = 2 * KMA_SCAN_SECOND };
	struct kma_scan scan = { 0 };
	struct kma_err *err;
	int first, code;

	err = kma_option_read(&kma_cmd_scan, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	if (argc != first || !args.output)
		return kma_fail(kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
						    "scan: give --output FILE and no argument"),
				KMA_EXIT_USAGE);
	code = kma_fail_kind(scan_run(&args, &scan));
	kma_scan_deinit(&scan);
	return code;
}

const struct kma_cmd kma_cmd_scan = {
	.name = "scan",
	.program = KMA_SCAN_PROGRAM,
	.usage = "[OPTION...] -O FILE",
	.about = "Keep the objects of the running kernel, and what holds them, for lost and why.",
	.examples = "  " KMA_SCAN_PROGRAM " -O scan.txt\n"
		    "  kmem-account lost scan.txt\n"
		    "  kmem-account why __d_alloc scan.txt\n",
	.options = scan_options,
	.most = KMA_OPTION_ANY,
	.width = 18,
	.summary = "Keep the heap graph of the running kernel in a file, for lost and why.",
	.main = main_scan,
};
