// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-check.c - kmem-account check: check an event log, as kmemtrace_check did. For --kernel see
 * check-kernel.h.
 *
 * The log is read as for a report. The findings of the reader are added up by kind, and the first
 * ones are listed with their offsets in the decompressed file. Nothing is repaired.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check-kernel.h"
#include "cmd.h"
#include "input/input.h"
#include "input/progress.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/escape.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/sheet.h"
#include "lib/strbuf.h"
#include "lib/unpack.h"
#include "log/log.h"
#include "open/open.h"
#include "open/refuse.h"
#include "rows.h"

struct check_args {
	const char *input; /* the log; of --kernel: the module, NULL is the installed one */
	const char *btf;   /* types of the kernel; NULL: those of the running kernel */
	struct kma_text_options text;
	bool kernel, quiet;
};

#define KMA_ARGS struct check_args

/* clang-format off */
static const struct kma_option options[] = {
	KMA_ROW_LOG(input),
	{ "kernel", 'k', TO(FLAG, kernel), .excludes = "file top",
	  .help = "check that the module fits the running kernel: the arguments of its\n"
		  "probes beside those of the kernel's trace events" },
	{ "btf", .arg = "FILE", TO(TEXT, btf), .needs = "kernel",
	  .help = "with --kernel: types of the kernel, a copy of its /sys/kernel/btf/vmlinux" },
	KMA_ROW_TOP_OF("20", text),
	KMA_ROW_FORMAT(text),
	KMA_ROW_CSV_SAFE(text.csv_safe),
	KMA_ROW_ALL(text.all, NULL),
	KMA_ROW_OUTPUT(text.output),
	KMA_ROWS_END(quiet),
};
/* clang-format on */

/* Findings that are listed without --top: in a table, in csv and json. */
#define KMA_CHECK_SHOWN	 20
#define KMA_CHECK_LISTED 10000

struct kma_check {
	const char *name; /* of the log */
	const struct kma_log_head *head;
	const struct kma_log_sums *sums;
	bool stopped;		     /* by Ctrl-C: the rest of the log was not checked */
	struct kma_log_finding *all; /* the first findings, at most @most */
	size_t nr, room, most;	     /* of @all: length, allocated length, limit */
	uint64_t found;		     /* number of all findings */
	struct kma_log_finding first[KMA_LOG_NR_WHATS]; /* first finding of each kind */
	uint64_t values[KMA_LOG_NR_VALUES];		/* invalid values by kind */
	const char *no_end; /* sentence about a missing end of the log, while it is written */
};

static void check_found(void *arg, const struct kma_log_finding *finding)
{
	struct kma_check *check = arg;

	check->found++;
	if (check->nr < check->most) {
		kma_array_room(check->all, check->nr, check->room);
		check->all[check->nr++] = *finding;
	}
	if (!check->first[finding->what].pos)
		check->first[finding->what] = *finding;
	if (finding->what == KMA_LOG_BAD_VALUE && finding->number < KMA_LOG_NR_VALUES)
		check->values[finding->number]++;
}

/* Number to show for a kind: the number of findings, or the sum of their numbers. */
static uint64_t check_number(const struct kma_check *check, enum kma_log_what what)
{
	return what == KMA_LOG_BAD_VALUE ? check->sums->times[what] : check->sums->what[what];
}

enum {
	KMA_CHECK_FINDING,
	KMA_CHECK_CPU,
	KMA_CHECK_OFFSET,
	KMA_CHECK_NUMBER,
	KMA_CHECK_WHAT,
	KMA_CHECK_OFFSET_SHOWN,
	KMA_CHECK_CPU_SHOWN,
	KMA_CHECK_WHAT_SHOWN,
};

/* Columns of the list. Those without a title are for programs, those without a name for people. */
static const struct kma_sheet_column check_columns[] = {
	[KMA_CHECK_FINDING] = { .name = "finding" },
	[KMA_CHECK_CPU] = { .name = "cpu", .kind = KMA_CELL_COUNT },
	[KMA_CHECK_OFFSET] = { .name = "offset", .kind = KMA_CELL_COUNT },
	[KMA_CHECK_NUMBER] = { .name = "number", .kind = KMA_CELL_COUNT },
	[KMA_CHECK_WHAT] = { .name = "what", .csv_only = true },
	[KMA_CHECK_OFFSET_SHOWN] = { .title = "OFFSET",
				     .kind = KMA_CELL_HEX,
				     .left = true,
				     .width = 14 },
	[KMA_CHECK_CPU_SHOWN] = { .title = "CPU", .kind = KMA_CELL_COUNT, .width = 5 },
	[KMA_CHECK_WHAT_SHOWN] = { .title = "WHAT" },
};

static const char *check_sentence(const struct kma_check *check,
				  const struct kma_log_finding *finding, struct kma_cell *cell)
{
	if (finding->what == KMA_LOG_NO_END)
		return check->no_end;
	kma_log_finding_sentence(finding, cell->scratch, sizeof(cell->scratch));
	return cell->scratch;
}

/* Cell of the last row in csv, which has the number of findings that are not listed. */
static void check_not_listed(const struct kma_check *check, size_t column, struct kma_cell *ret)
{
	ret->none = column != KMA_CHECK_FINDING && column != KMA_CHECK_NUMBER;
	ret->text = column == KMA_CHECK_FINDING ? "[not listed]" : NULL;
	ret->number = check->found - check->nr;
}

static void check_cell(const void *arg, size_t row, size_t column, struct kma_cell *ret)
{
	const struct kma_check *check = arg;
	const struct kma_log_finding *finding = &check->all[row];

	if (row >= check->nr) {
		check_not_listed(check, column, ret);
		return;
	}
	switch (column) {
	case KMA_CHECK_FINDING:
		ret->text = kma_log_what_names[finding->what];
		break;
	case KMA_CHECK_CPU:
	case KMA_CHECK_CPU_SHOWN:
		ret->number = finding->cpu;
		ret->none = finding->cpu == KMA_LOG_NO_CPU;
		break;
	case KMA_CHECK_OFFSET:
	case KMA_CHECK_OFFSET_SHOWN:
		ret->number = finding->pos;
		break;
	case KMA_CHECK_NUMBER:
		ret->number = finding->number;
		break;
	case KMA_CHECK_WHAT:
	case KMA_CHECK_WHAT_SHOWN:
		ret->text = check_sentence(check, finding, ret);
		break;
	}
}

static void check_list(const struct kma_check *check, struct kma_doc *doc)
{
	bool more = check->found > check->nr && doc->format == KMA_FORMAT_CSV;
	const struct kma_sheet sheet = { .name = "list",
					 .columns = check_columns,
					 .nr_columns = ARRAY_SIZE(check_columns),
					 .style = KMA_JSON_SPACED,
					 .cell = check_cell,
					 .arg = check,
					 .rows = check->nr + more };

	kma_sheet_write(&sheet, doc);
}

/* A line that describes the log for people. */
static void check_title(const struct kma_check *check, struct kma_strbuf *out)
{
	const struct kma_log_head *head = check->head;

	kma_escape_plain(out, check->name);
	kma_strbuf_puts(out, ": ");
	kma_escape_plain(out, head->release);
	kma_strbuf_puts(out, ", ");
	kma_escape_plain(out, head->machine);
	kma_strbuf_printf(out, ", %u bits, %s-endian, %u CPUs, %.3f s\n", head->word_bits,
			  head->big_endian ? "big" : "little", head->nr_cpus,
			  (check->sums->last - check->sums->first) / 1e9);
}

static void check_head(const struct kma_check *check, struct kma_doc *doc)
{
	const struct kma_log_sums *sums = check->sums;

	if (kma_doc_table(doc))
		check_title(check, kma_doc_table(doc));
	kma_doc_text(doc, "input", NULL, check->name);
	kma_doc_text(doc, "kernel_release", NULL, check->head->release);
	kma_doc_number(doc, "allocations", "allocations", sums->records[0]);
	kma_doc_number(doc, "frees", "frees", sums->records[1]);
	kma_doc_number(doc, "other_records", "other records", sums->others);
	kma_doc_number(doc, "unknown_records", "records of unknown types", sums->unknown);
	kma_doc_number(doc, "findings", "findings", check->found);
}

static const struct kma_sheet_column check_sums_columns[] = {
	{ .title = "FINDING", .width = 16, .gap = 1 },
	{ .title = "TIMES", .kind = KMA_CELL_COUNT, .width = 12, .gap = 1 },
	{ .title = "NUMBER", .kind = KMA_CELL_COUNT, .width = 16 },
	{ .title = "FIRST AT", .kind = KMA_CELL_HEX, .left = true },
};

static void check_sums_table(const struct kma_check *check, struct kma_doc *doc)
{
	struct kma_sheet sheet;

	kma_sheet_init(&sheet, NULL, NULL, check_sums_columns, ARRAY_SIZE(check_sums_columns));
	for (unsigned int what = 0; what < KMA_LOG_NR_WHATS; what++) {
		if (!check->sums->times[what])
			continue;
		kma_sheet_text(&sheet, kma_log_what_names[what]);
		kma_sheet_number(&sheet, check->sums->times[what]);
		kma_sheet_number(&sheet, check_number(check, what));
		kma_sheet_number(&sheet, check->first[what].pos);
	}
	kma_sheet_write(&sheet, doc);
	kma_sheet_deinit(&sheet);
}

static void check_sums_json(const struct kma_check *check, struct kma_json *json)
{
	kma_json_begin(json, "summary", '{', KMA_JSON_LINES);
	for (unsigned int what = 0; what < KMA_LOG_NR_WHATS; what++) {
		if (!check->sums->times[what])
			continue;
		kma_json_begin(json, kma_log_what_names[what], '{', KMA_JSON_SPACED);
		kma_json_number(json, "times", check->sums->times[what]);
		kma_json_number(json, "number", check_number(check, what));
		kma_json_number(json, "first_offset", check->first[what].pos);
		if (what == KMA_LOG_NO_END)
			kma_json_number(json, "last_event_ns", kma_log_last(check->sums));
		kma_json_end(json);
	}
	kma_json_end(json);
}

static void check_table(const struct kma_check *check, struct kma_doc *doc)
{
	if (!check->found)
		return;
	kma_strbuf_puts(doc->out, "\n");
	check_sums_table(check, doc);
	kma_strbuf_puts(doc->out, "\n");
	check_list(check, doc);
	if (check->found > check->nr)
		kma_strbuf_printf(doc->out, "%" PRIu64 " more are not shown; use --top N\n",
				  check->found - check->nr);
}

static void check_text(struct kma_check *check, const struct kma_text_options *opts,
		       struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf no_end = { 0 };
	struct kma_doc doc;

	kma_log_sentence(check->sums, KMA_LOG_NO_END, &no_end);
	check->no_end = no_end.str ?: "";
	kma_text_begin(opts, "kmem-account check", &doc, out);
	check_head(check, &doc);
	if (kma_doc_table(&doc)) {
		check_table(check, &doc);
	} else {
		if (kma_doc_json(&doc))
			check_sums_json(check, kma_doc_json(&doc));
		check_list(check, &doc);
	}
	kma_doc_end(&doc);
	check->no_end = NULL;
}

static struct kma_err *check_read(struct kma_check *check, const struct check_args *args)
{
	_cleanup_close_ struct kma_series *series = NULL;
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const struct kma_log_item *item;
	struct kma_progress progress;
	struct kma_input *input;
	struct kma_log *log = NULL;
	struct kma_err *err;

	err = kma_open(args->input, &series);
	if (err)
		return err;
	err = kma_refuse_no_log(series);
	if (err)
		return err;
	input = series->input;
	kma_progress_begin(&progress, input, args->quiet);
	err = kma_log_open(input, check_found, check, &log);
	while (!err && kma_log_next(log, &item))
		;
	kma_progress_end(&progress);
	if (!err) {
		check->stopped = kma_series_stopped(input);
		check->name = kma_input_name(input);
		check->head = kma_log_head(log);
		check->sums = kma_log_sums(log);
		check_text(check, &args->text, &text);
		err = kma_outfile_write(args->text.output, &text);
	}
	kma_log_close(log);
	return err;
}

static int main_check(int argc, char **argv)
{
	struct check_args args = { 0 };
	struct kma_check check = { 0 };
	struct kma_err *err;
	int first;

	err = kma_option_read(&kma_cmd_check, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.input = argv[first] ?: args.input;
	if (args.kernel)
		return kma_check_kernel(args.input, args.btf, &args.text);
	if (!args.input)
		return kma_fail_kind(kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
							 "check: no log given; use -f FILE"));
	check.most = args.text.top				  ?:
			     args.text.format == KMA_FORMAT_TABLE ? KMA_CHECK_SHOWN :
								    KMA_CHECK_LISTED;
	err = check_read(&check, &args);
	free(check.all);
	if (err)
		return kma_fail_kind(err);
	return check.found || check.stopped ? KMA_EXIT_DATA : KMA_EXIT_OK;
}

const struct kma_cmd kma_cmd_check = {
	.name = "check",
	.usage = "[OPTION...] [-f] LOG | --kernel [MODULE]",
	.about = "Check an event log, or whether the module fits a kernel.",
	.examples = "  kmem-account check kmem.log\n"
		    "  kmem-account check --format csv kmem.log.zst\n"
		    "  kmem-account check --kernel kmem_account.ko\n",
	.options = options,
	.most = 1,
	.main = main_check,
};
