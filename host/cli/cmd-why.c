// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-why.c - kmem-account why: what holds the objects of a call site of the running kernel.
 *
 * heap/why.h scans; this file has the options and the table.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "heap/graph.h"
#include "heap/why.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/sheet.h"
#include "lib/statusline.h"
#include "scan-stop.h"

struct kma_why_args {
	unsigned long depth, top;
	bool all, csv_safe, quiet;
	const char *output, *from;
	enum kma_format format;
};

#define KMA_WHY_TO(kind, m)	  KMA_OPTION_TO(kind, struct kma_why_args, m)
#define KMA_WHY_TO_NAME(m, array) KMA_OPTION_TO_NAME(struct kma_why_args, m, array)

/* Rows of a table without --top. */
#define KMA_WHY_SHOWN 40

/* Least address of the kernel on a machine with 64 bits. */
#define KMA_WHY_KERNEL (UINT64_C(1) << 63)

/* clang-format off */
static const struct kma_option kma_why_options[] = {
	{ "from", .arg = "ROOT", .cmds = 1, KMA_WHY_TO(TEXT, from),
	  .help = "show what ROOT holds: a variable, another root, or all of a module" },
	{ "depth", .arg = "N", .cmds = 1, KMA_WHY_TO(COUNT, depth),
	  .min = 1, .max = 64, .unit = "levels",
	  .help = "show N levels of holders (default 8; for an address 64)" },
	{ "top", .arg = "N", .cmds = 1, KMA_WHY_TO(COUNT, top),
	  .min = 1, .max = 1000000000, .unit = "rows",
	  .help = "show the first N rows, and the number of the others (default: 40 in a\n"
		  "table)" },
	{ "format", .arg = "FORMAT", .cmds = 1, KMA_WHY_TO_NAME(format, kma_format_names),
	  .help = "write a table (default), csv or json" },
	{ "csv-safe", .cmds = 1, KMA_WHY_TO(FLAG, csv_safe),
	  .help = "with --format csv: keep spreadsheets from reading names as formulas" },
	{ "all", .cmds = 1, KMA_WHY_TO(FLAG, all),
	  .help = "show all rows and columns on a terminal, not only those that fit" },
	{ "output", 'O', .arg = "FILE", .cmds = 1, KMA_WHY_TO(TEXT, output),
	  .help = "write to FILE, created or replaced when the output is complete" },
	{ "quiet", 'q', .cmds = 1, KMA_WHY_TO(FLAG, quiet),
	  .help = "show no progress on the terminal while memory is scanned" },
	{ "help", 'h', .cmds = 1, .type = KMA_OPTION_FLAG,
	  .help = "show this text" },
};
/* clang-format on */

static const struct kma_option_set kma_why_options_set = {
	.command = "why",
	.program = "kmem-account why",
	.cmds = 1,
	.options = kma_why_options,
	.nr_options = ARRAY_SIZE(kma_why_options),
	.width = 16,
};

enum {
	KMA_WHY_DEPTH,
	KMA_WHY_COUNT,
	KMA_WHY_SHARE,
	KMA_WHY_TREE,
	KMA_WHY_HOLDER,
	KMA_WHY_OFFSET,
	KMA_WHY_FIELD,
	KMA_WHY_ROOTS
};

static const struct kma_sheet_column kma_why_columns[] = {
	[KMA_WHY_DEPTH] = { .name = "depth", .kind = KMA_CELL_COUNT },
	[KMA_WHY_COUNT] = { .name = "objects", .title = "objects", .kind = KMA_CELL_COUNT },
	[KMA_WHY_SHARE] = { .name = "share", .title = "share", .kind = KMA_CELL_PERCENT },
	[KMA_WHY_TREE] = { .title = "held by", .kind = KMA_CELL_TEXT },
	[KMA_WHY_HOLDER] = { .name = "holder", .kind = KMA_CELL_TEXT },
	[KMA_WHY_OFFSET] = { .name = "offset", .title = "offset", .kind = KMA_CELL_COUNT },
	[KMA_WHY_FIELD] = { .name = "field", .kind = KMA_CELL_TEXT },
	[KMA_WHY_ROOTS] = { .name = "root", .kind = KMA_CELL_TEXT },
};

/* Columns of a table that the depth of a row takes; deeper rows are not moved further. */
#define KMA_WHY_INDENT 12

static void kma_why_tree(const struct kma_why_row *row, struct kma_cell *ret)
{
	unsigned int depth = row->depth < KMA_WHY_INDENT ? row->depth : KMA_WHY_INDENT;

	ret->text = ret->scratch;
	if (row->kind == KMA_WHY_LIST)
		snprintf(ret->scratch, sizeof(ret->scratch), "%*slist of %llu", (int)depth * 2, "",
			 (unsigned long long)row->objects);
	else
		snprintf(ret->scratch, sizeof(ret->scratch), "%*s%s", (int)depth * 2, "",
			 row->name);
}

static void kma_why_holder(const struct kma_why_row *row, struct kma_cell *ret)
{
	if (row->kind == KMA_WHY_ROOT) {
		ret->none = true;
	} else if (row->kind == KMA_WHY_LIST && row->offset >= 0) {
		ret->text = ret->scratch;
		snprintf(ret->scratch, sizeof(ret->scratch), "list of %llu through offset %lld",
			 (unsigned long long)row->objects, (long long)row->offset);
	} else if (row->kind == KMA_WHY_LIST) {
		ret->text = ret->scratch;
		snprintf(ret->scratch, sizeof(ret->scratch), "list of %llu",
			 (unsigned long long)row->objects);
	} else {
		ret->text = row->name;
	}
}

static void kma_why_cell(const void *arg, size_t number, size_t column, struct kma_cell *ret)
{
	const struct kma_why *why = arg;
	const struct kma_why_row *row = &why->rows[number];

	switch (column) {
	case KMA_WHY_DEPTH:
		ret->number = row->depth;
		break;
	case KMA_WHY_COUNT:
		ret->number = row->objects;
		break;
	case KMA_WHY_SHARE:
		ret->real = 100.0 * row->objects / why->objects;
		break;
	case KMA_WHY_TREE:
		kma_why_tree(row, ret);
		break;
	case KMA_WHY_HOLDER:
		kma_why_holder(row, ret);
		break;
	case KMA_WHY_OFFSET:
		ret->number = row->offset;
		ret->none = row->offset < 0;
		break;
	case KMA_WHY_FIELD:
		ret->none = true;
		break;
	case KMA_WHY_ROOTS:
		ret->text = row->name;
		ret->none = row->kind != KMA_WHY_ROOT;
		break;
	}
}

static void kma_why_write(const struct kma_why *why, const struct kma_why_args *args,
			  struct kma_strbuf *out)
{
	struct kma_doc doc = { .csv_safe = args->csv_safe };
	size_t top = args->top ?: args->format == KMA_FORMAT_TABLE ? KMA_WHY_SHOWN : 0;
	struct kma_sheet sheet = { .name = "rows",
				   .columns = kma_why_columns,
				   .nr_columns = ARRAY_SIZE(kma_why_columns),
				   .cell = kma_why_cell,
				   .arg = why,
				   .rows = top && top < why->nr ? top : why->nr };
	char more[80];

	kma_doc_begin(&doc, args->format, "kmem-account why", 1, out);
	kma_doc_fit(&doc, !args->all && !args->output);
	kma_doc_number(&doc, "objects", "objects", why->objects);
	kma_sheet_write(&sheet, &doc);
	snprintf(more, sizeof(more), "%zu more %s not shown; use --top N", why->nr - sheet.rows,
		 kma_plural(why->nr - sheet.rows, "row is", "rows are"));
	if (sheet.rows < why->nr)
		kma_doc_line(&doc, more);
	kma_doc_end(&doc);
}

/* Read an address of the kernel: 16 hexadecimal digits, with or without 0x. */
static bool kma_why_address(const char *text, uint64_t *key)
{
	const char *digits = strncmp(text, "0x", 2) ? text : text + 2;
	size_t len = strspn(digits, "0123456789abcdefABCDEF");

	if (len != 16 || digits[len])
		return false;
	*key = strtoull(digits, NULL, 16) ^ KMA_HEAP_KEY;
	return (*key ^ KMA_HEAP_KEY) >= KMA_WHY_KERNEL;
}

static struct kma_err *kma_why_run(const struct kma_why_args *args, const char *what,
				   struct kma_why *why)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_statusline line = { .quiet = args->quiet };
	struct kma_why_wish wish = { .caller = what, .from = args->from, .stop = &kma_scan_stop };
	struct sigaction old[KMA_SCAN_STOPS];
	const char *note = NULL;
	struct kma_err *err;

	if (what && kma_why_address(what, &wish.key))
		wish.caller = NULL;
	wish.depth = args->depth ?: wish.caller || wish.from ? 8 : 64;
	kma_scan_stop_catch(old);
	kma_statusline_show(&line, "why: reading the kernel's memory");
	err = kma_why_scan(&wish, why);
	kma_statusline_end(&line);
	kma_scan_stop_release(old);
	if (err)
		return err;
	while ((note = kma_notes_next(&why->notes, note)))
		kma_warn("why: %s", note);
	kma_why_write(why, args, &text);
	return kma_outfile_write_as(args->output, KMA_OUTFILE_PRIVATE, &text);
}

static int kma_why_main(int argc, char **argv)
{
	struct kma_why_args args = { 0 };
	struct kma_why why = { 0 };
	struct kma_err *err;
	int first, code;

	err = kma_option_read(&kma_why_options_set, argc, argv, &args, &first);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	if (!first) {
		printf("Usage: kmem-account why [OPTION...] CALLER | ADDRESS | --from ROOT\n"
		       "Show what holds the objects of a call site, up to the kernel's variables.\n\n");
		kma_option_help(&kma_why_options_set);
		printf("\nExamples:\n"
		       "  kmem-account why __d_alloc\n"
		       "  kmem-account why __alloc_skb+0x15c/0x1a0 --format csv -O why.csv\n"
		       "  kmem-account why ffff888004a1c300\n"
		       "  kmem-account why --from ext4\n");
		return KMA_EXIT_OK;
	}
	if (argc != first + !args.from)
		return kma_fail(
			kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					    "why: give one call site, one address or --from"),
			KMA_EXIT_USAGE);
	if (args.csv_safe && args.format != KMA_FORMAT_CSV)
		return kma_fail(kma_err_create(NULL, 0, "why: --csv-safe needs --format csv"),
				KMA_EXIT_USAGE);
	code = kma_fail_kind(kma_why_run(&args, args.from ? NULL : argv[first], &why));
	kma_why_deinit(&why);
	return code;
}

const struct kma_cmd kma_cmd_why = {
	.name = "why",
	.summary = "Show what holds the objects of a call site of the running kernel.",
	.set = &kma_why_options_set,
	.main = kma_why_main,
};
