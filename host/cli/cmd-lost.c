// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-lost.c - kmem-account lost: the objects of the running kernel that nothing refers to.
 *
 * heap/lost.h scans; this file has the options and the table. With --workload there are two scans,
 * and the objects that the first one has found are left out of the second.
 *
 * Locking: one thread. A signal ends a scan in order: it switches the module's age off, and wipes
 * what it has read.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "heap/lost.h"
#include "leaks-workload.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/sheet.h"
#include "lib/statusline.h"
#include "lib/units.h"
#include "scan-stop.h"

struct kma_lost_args {
	unsigned long passes, top;
	uint64_t between;
	bool no_age, bytes, all, csv_safe, quiet;
	const char *workload, *output;
	enum kma_format format;
	unsigned int fail_on; /* valid with has_fail_on; there is one word */
	bool has_fail_on;
};

#define KMA_LOST_TO(kind, m)	   KMA_OPTION_TO(kind, struct kma_lost_args, m)
#define KMA_LOST_TO_NAME(m, array) KMA_OPTION_TO_NAME(struct kma_lost_args, m, array)
#define KMA_LOST_SECOND		   KMA_OPTION_SECOND

/* Rows of a table without --top. */
#define KMA_LOST_SHOWN 20

static const char *const kma_lost_fails[] = { "lost" };

/* clang-format off */
static const struct kma_option kma_lost_options[] = {
	{ "passes", .arg = "N", .cmds = 1, KMA_LOST_TO(COUNT, passes),
	  .min = 1, .max = KMA_LOST_PASSES, .unit = "passes",
	  .help = "read all memory N times (default 3); with 1, objects that are in use for\n"
		  "a moment only can look lost" },
	{ "between", .arg = "S", .cmds = 1, KMA_LOST_TO(TIME, between),
	  .max = 86400 * KMA_LOST_SECOND, .scale = KMA_LOST_SECOND, .unit = "seconds",
	  .help = "wait S seconds between two passes (default 2)" },
	{ "no-age", .cmds = 1, KMA_LOST_TO(FLAG, no_age),
	  .help = "do not switch the module's age on during the scan" },
	{ "workload", .arg = "CMD", .cmds = 1, KMA_LOST_TO(TEXT, workload),
	  .help = "scan, run CMD in a shell, scan again; show what was lost in between" },
	{ "fail-on", .arg = "WORD", .cmds = 1, .given = offsetof(struct kma_lost_args, has_fail_on),
	  KMA_LOST_TO_NAME(fail_on, kma_lost_fails),
	  .help = "exit with status 3 if an object is lost; the only WORD is lost" },
	{ "top", .arg = "N", .cmds = 1, KMA_LOST_TO(COUNT, top),
	  .min = 1, .max = 1000000000, .unit = "rows",
	  .help = "show the first N rows, and the number of the others (default: 20 in a\n"
		  "table)" },
	{ "format", .arg = "FORMAT", .cmds = 1, KMA_LOST_TO_NAME(format, kma_format_names),
	  .help = "write a table (default), csv or json" },
	{ "csv-safe", .cmds = 1, KMA_LOST_TO(FLAG, csv_safe),
	  .help = "with --format csv: keep spreadsheets from reading names as formulas" },
	{ "bytes", .cmds = 1, KMA_LOST_TO(FLAG, bytes),
	  .help = "show plain numbers in a table instead of KiB and MiB" },
	{ "all", .cmds = 1, KMA_LOST_TO(FLAG, all),
	  .help = "show all rows and columns on a terminal, not only those that fit" },
	{ "output", 'O', .arg = "FILE", .cmds = 1, KMA_LOST_TO(TEXT, output),
	  .help = "write to FILE, created or replaced when the output is complete" },
	{ "quiet", 'q', .cmds = 1, KMA_LOST_TO(FLAG, quiet),
	  .help = "show no progress on the terminal while memory is scanned" },
	{ "help", 'h', .cmds = 1, .type = KMA_OPTION_FLAG,
	  .help = "show this text" },
};
/* clang-format on */

static const struct kma_option_set kma_lost_options_set = {
	.command = "lost",
	.program = "kmem-account lost",
	.cmds = 1,
	.options = kma_lost_options,
	.nr_options = ARRAY_SIZE(kma_lost_options),
	.width = 18,
};

enum {
	KMA_LOST_CALLER,
	KMA_LOST_LOST,
	KMA_LOST_LIVE,
	KMA_LOST_BYTES,
	KMA_LOST_OLDEST,
	KMA_LOST_HEAD
};

static const struct kma_sheet_column kma_lost_columns[] = {
	[KMA_LOST_CALLER] = { .name = "caller", .title = "caller", .kind = KMA_CELL_TEXT },
	[KMA_LOST_LOST] = { .name = "lost", .title = "lost", .kind = KMA_CELL_COUNT },
	[KMA_LOST_LIVE] = { .name = "live", .title = "of live", .kind = KMA_CELL_COUNT },
	[KMA_LOST_BYTES] = { .name = "bytes", .title = "bytes lost", .kind = KMA_CELL_BYTES },
	[KMA_LOST_OLDEST] = { .name = "oldest_ns", .title = "oldest", .kind = KMA_CELL_NS },
	[KMA_LOST_HEAD] = { .name = "head", .title = "heads", .kind = KMA_CELL_COUNT },
};

static const struct kma_sheet_column kma_lost_pass_columns[] = {
	{ .name = "pass", .title = "pass", .kind = KMA_CELL_COUNT },
	{ .name = "objects", .title = "objects", .kind = KMA_CELL_COUNT },
	{ .name = "unreached", .title = "unreached", .kind = KMA_CELL_COUNT },
	{ .name = "roots", .title = "roots", .kind = KMA_CELL_COUNT },
	{ .name = "edges", .title = "edges", .kind = KMA_CELL_COUNT },
	{ .name = "pages", .title = "pages", .kind = KMA_CELL_COUNT },
	{ .name = "pages_skipped", .title = "skipped", .kind = KMA_CELL_COUNT },
	{ .name = "free_objects", .title = "free objects", .kind = KMA_CELL_COUNT },
	{ .name = "ns", .title = "time", .kind = KMA_CELL_NS },
};

static void kma_lost_cell(const void *arg, size_t row, size_t column, struct kma_cell *ret)
{
	const struct kma_lost *lost = arg;
	const struct kma_lost_row *site = &lost->rows[row];

	switch (column) {
	case KMA_LOST_CALLER:
		ret->text = site->caller;
		break;
	case KMA_LOST_LOST:
		ret->number = site->lost;
		break;
	case KMA_LOST_LIVE:
		ret->number = site->live;
		break;
	case KMA_LOST_BYTES:
		ret->number = site->bytes;
		break;
	case KMA_LOST_OLDEST:
		ret->number = site->oldest;
		ret->none = !site->oldest;
		break;
	case KMA_LOST_HEAD:
		ret->number = site->heads;
		break;
	}
}

static void kma_lost_passes(const struct kma_lost *lost, struct kma_doc *doc)
{
	struct kma_sheet sheet;

	kma_sheet_init(&sheet, "passes", NULL, kma_lost_pass_columns,
		       ARRAY_SIZE(kma_lost_pass_columns));
	for (unsigned int i = 0; i < lost->nr_passes; i++) {
		const struct kma_lost_pass *pass = &lost->passes[i];

		kma_sheet_number(&sheet, i + 1);
		kma_sheet_number(&sheet, pass->objects);
		kma_sheet_number(&sheet, pass->unreached);
		kma_sheet_number(&sheet, pass->counts.roots);
		kma_sheet_number(&sheet, pass->counts.edges);
		kma_sheet_number(&sheet, pass->counts.pages);
		kma_sheet_number(&sheet, pass->counts.skipped);
		kma_sheet_number(&sheet, pass->free.objects);
		kma_sheet_number(&sheet, pass->ns);
	}
	if (kma_doc_table(doc))
		kma_strbuf_puts(kma_doc_table(doc), "\n");
	kma_sheet_write(&sheet, doc);
	kma_sheet_deinit(&sheet);
}

/* A sentence for a report: "98 of 100 objects of foo() have no reference left in the kernel." */
static void kma_lost_sentence(const struct kma_lost_row *row, struct kma_doc *doc)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	size_t len = strcspn(row->caller, "+ ");

	kma_strbuf_printf(&text, "%llu of %llu %s of %.*s() %s no reference left in the kernel.",
			  (unsigned long long)row->lost, (unsigned long long)row->live,
			  kma_plural(row->live, "object", "objects"), (int)len, row->caller,
			  kma_plural(row->lost, "has", "have"));
	kma_doc_line(doc, text.str ?: "");
}

static void kma_lost_write(const struct kma_lost *lost, const struct kma_lost_args *args,
			   struct kma_strbuf *out)
{
	struct kma_doc doc = { .bytes = args->bytes, .csv_safe = args->csv_safe };
	size_t top = args->top ?: args->format == KMA_FORMAT_TABLE ? KMA_LOST_SHOWN : 0;
	struct kma_sheet sheet = { .name = "sites",
				   .columns = kma_lost_columns,
				   .nr_columns = ARRAY_SIZE(kma_lost_columns),
				   .cell = kma_lost_cell,
				   .arg = lost,
				   .rows = top && top < lost->nr ? top : lost->nr,
				   .ranked = !args->top };
	char more[80];

	kma_doc_begin(&doc, args->format, "kmem-account lost", 1, out);
	kma_doc_fit(&doc, !args->all && !args->output);
	kma_doc_number(&doc, "lost_objects", "lost objects", lost->lost);
	kma_doc_number(&doc, "lost_bytes", "lost bytes", lost->bytes);
	kma_doc_number(&doc, "live_objects", "live objects", lost->live);
	if (args->format != KMA_FORMAT_CSV)
		kma_lost_passes(lost, &doc);
	if (kma_doc_table(&doc) && lost->nr)
		kma_strbuf_puts(out, "\n");
	if (!kma_doc_table(&doc) || lost->nr)
		kma_sheet_write(&sheet, &doc);
	snprintf(more, sizeof(more), "%zu more %s not shown; use --top N", lost->nr - sheet.rows,
		 kma_plural(lost->nr - sheet.rows, "site is", "sites are"));
	if (sheet.rows < lost->nr)
		kma_doc_line(&doc, more);
	for (size_t i = 0; i < sheet.rows; i++)
		kma_lost_sentence(&lost->rows[i], &doc);
	if (!lost->nr)
		kma_doc_line(&doc, "Every object that was live before the scan has a reference.");
	kma_doc_end(&doc);
}

static void kma_lost_progress(void *arg, unsigned int pass, unsigned int passes)
{
	struct kma_statusline *line = arg;
	char text[48];

	snprintf(text, sizeof(text), "lost: pass %u of %u", pass, passes);
	if (pass)
		kma_statusline_show(line, text);
	else
		kma_statusline_end(line);
}

/* Scan, or scan, run the workload and scan. */
static struct kma_err *kma_lost_scans(const struct kma_lost_args *args, struct kma_lost *lost)
{
	struct kma_statusline line = { .quiet = args->quiet };
	struct kma_lost_wish wish = { .passes = args->passes,
				      .between = args->between,
				      .no_age = args->no_age,
				      .stop = &kma_scan_stop,
				      .progress = kma_lost_progress,
				      .arg = &line };
	struct kma_lost_set before = { 0 };
	struct kma_lost first = { 0 };
	struct kma_err *err = NULL;

	if (args->workload) {
		err = kma_lost_scan(&wish, NULL, &before, &first);
		kma_lost_deinit(&first);
		if (!err)
			err = kma_workload_once(args->workload);
	}
	if (!err)
		err = kma_lost_scan(&wish, args->workload ? &before : NULL, NULL, lost);
	kma_lost_set_deinit(&before);
	return err;
}

static struct kma_err *kma_lost_run(const struct kma_lost_args *args, struct kma_lost *lost)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct sigaction old[KMA_SCAN_STOPS];
	const char *note = NULL;
	struct kma_err *err;

	kma_scan_stop_catch(old);
	err = kma_lost_scans(args, lost);
	kma_scan_stop_release(old);
	if (err)
		return err;
	while ((note = kma_notes_next(&lost->notes, note)))
		kma_warn("lost: %s", note);
	kma_lost_write(lost, args, &text);
	return kma_outfile_write_as(args->output, KMA_OUTFILE_PRIVATE, &text);
}

static int kma_lost_main(int argc, char **argv)
{
	struct kma_lost_args args = { .passes = 3, .between = 2 * KMA_LOST_SECOND };
	struct kma_lost lost = { 0 };
	struct kma_err *err;
	int first, code;

	err = kma_option_read(&kma_lost_options_set, argc, argv, &args, &first);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	if (!first) {
		printf("Usage: kmem-account lost [OPTION...]\n"
		       "Show the objects of the running kernel that nothing refers to: lost memory.\n\n");
		kma_option_help(&kma_lost_options_set);
		printf("\nExamples:\n"
		       "  kmem-account lost\n"
		       "  kmem-account lost --passes 5 --format csv -O lost.csv\n"
		       "  kmem-account lost --workload 'modprobe foo && rmmod foo' --fail-on lost\n");
		return KMA_EXIT_OK;
	}
	if (argc != first)
		return kma_fail(kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
						    "lost: unexpected argument '%s'", argv[first]),
				KMA_EXIT_USAGE);
	if (args.csv_safe && args.format != KMA_FORMAT_CSV)
		return kma_fail(kma_err_create(NULL, 0, "lost: --csv-safe needs --format csv"),
				KMA_EXIT_USAGE);
	code = kma_fail_kind(kma_lost_run(&args, &lost));
	if (!code && args.has_fail_on && lost.lost) {
		kma_warn("lost: objects without a reference: %llu", (unsigned long long)lost.lost);
		code = KMA_EXIT_THRESHOLD;
	}
	kma_lost_deinit(&lost);
	return code;
}

const struct kma_cmd kma_cmd_lost = {
	.name = "lost",
	.summary = "Show the objects of the running kernel that nothing refers to.",
	.set = &kma_lost_options_set,
	.main = kma_lost_main,
};
