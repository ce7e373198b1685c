// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-names.c - kmem-account names: the paths, ports or names of the objects of a type.
 *
 * heap/names.h reads and groups them; this file has the options and the table.
 */
#include <string.h>

#include "cmd.h"
#include "heap/dump.h"
#include "heap/names.h"
#include "lib/choice.h"
#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/sheet.h"
#include "rows.h"

#define NAMES_SHOWN  20 /* rows of a table without --top */
#define NAMES_SAMPLE 10000

struct kma_names_args {
	struct kma_heap_source source;
	unsigned long sample;
	bool all;
	struct kma_text_options text;
};

#define KMA_ARGS struct kma_names_args

/* clang-format off */
static const struct kma_option names_options[] = {
	{ "sample", .arg = "N", TO(COUNT, sample),
	  .min = 1, .max = 1000000000, .unit = "objects", .excludes = "all",
	  .help = "read N objects, drawn from all slabs (default 10000)" },
	{ "all", TO(FLAG, all),
	  .help = "read all objects; on a terminal, show all rows and columns" },
	{ "vmcore", .arg = "FILE", TO(TEXT, source.vmcore), .needs = "tables",
	  .help = "read the kernel in this dump instead of the running one" },
	{ "tables", .arg = "DIR", TO(TEXT, source.tables), .needs = "vmcore",
	  .help = "with --vmcore: a directory with the symbols of the dump, as\n"
		  "contrib/drgn/kmem_account.py --tables DIR writes it" },
	KMA_ROW_TOP_OF("20", text),
	KMA_ROW_FORMAT(text),
	KMA_ROW_CSV_SAFE(text.csv_safe),
	KMA_ROW_OUTPUT(text.output),
	KMA_OPTION_END
};
/* clang-format on */

enum {
	NAMES_OBJECTS,
	NAMES_SEEN,
	NAMES_SHARE,
	NAMES_ERROR,
	NAMES_FLAGGED,
	NAMES_FLAGGED_ERROR,
	NAMES_KEYS,
	NAMES_COLUMNS = NAMES_KEYS + KMA_NAME_KEYS + 1, /* the last is what holds the object */
};

static const struct kma_sheet_column names_columns[NAMES_KEYS] = {
	[NAMES_OBJECTS] = { .name = "objects", .title = "objects", .kind = KMA_CELL_COUNT },
	[NAMES_SEEN] = { .name = "seen", .kind = KMA_CELL_COUNT },
	[NAMES_SHARE] = { .name = "share", .title = "share", .kind = KMA_CELL_TENTHS },
	[NAMES_ERROR] = { .name = "share_error", .title = "+/-", .kind = KMA_CELL_TENTHS },
	[NAMES_FLAGGED] = { .kind = KMA_CELL_TENTHS },
	[NAMES_FLAGGED_ERROR] = { .title = "+/-", .kind = KMA_CELL_TENTHS },
};

struct names_view {
	const struct kma_name_sample *names;
	const struct kma_name_type *type;
	size_t shown;
	size_t pinned;		  /* the column of what holds the objects */
	struct kma_names_row all; /* the last row of a table */
};

static void names_cell(const void *arg, size_t row, size_t column, struct kma_cell *ret)
{
	const struct names_view *view = arg;
	const struct kma_name_sample *names = view->names;
	const struct kma_names_row *of = row < view->shown ? &names->rows[row] : &view->all;
	/* As many of all objects as of the sample. */
	double times = (double)names->found / names->sampled;
	uint64_t all = of->objects * times + 0.5;

	switch (column) {
	case NAMES_OBJECTS:
		ret->number = all;
		break;
	case NAMES_SEEN:
		ret->number = of->objects;
		break;
	case NAMES_SHARE:
		ret->real = 100.0 * of->objects / names->named;
		break;
	case NAMES_ERROR:
		ret->real = 100 *
			    kma_names_error(of->objects, names->named, names->named * times + 0.5);
		break;
	case NAMES_FLAGGED:
		ret->real = 100.0 * of->flagged / of->objects;
		break;
	case NAMES_FLAGGED_ERROR:
		ret->real = 100 * kma_names_error(of->flagged, of->objects, all);
		break;
	default:
		ret->text = column == view->pinned ? of->pinned : of->keys[column - NAMES_KEYS];
		if (ret->text && !*ret->text)
			ret->text = NULL;
		ret->none = !ret->text;
	}
}

/* The columns of a type; without errors if no sample was taken. */
static size_t names_make_columns(struct names_view *view, struct kma_sheet_column *columns)
{
	bool sampled = view->names->sampled < view->names->found;
	size_t nr = NAMES_KEYS;

	memcpy(columns, names_columns, sizeof(names_columns));
	columns[NAMES_FLAGGED].name = columns[NAMES_FLAGGED].title = view->type->flag;
	if (view->type->flag)
		columns[NAMES_FLAGGED_ERROR].name = "flagged_error";
	if (!view->type->flag || !sampled)
		columns[NAMES_FLAGGED_ERROR].title = NULL;
	if (!sampled)
		columns[NAMES_ERROR].title = NULL;
	for (size_t i = 0; view->type->keys[i]; i++, nr++)
		columns[nr] = (struct kma_sheet_column){ .name = view->type->keys[i],
							 .title = view->type->keys[i],
							 .kind = KMA_CELL_TEXT };
	view->pinned = nr;
	if (view->type->pinned)
		columns[nr++] = (struct kma_sheet_column){ .name = "pinned",
							   .title = "pinned by",
							   .kind = KMA_CELL_TEXT };
	return nr;
}

static void names_head(const struct names_view *view, struct kma_doc *doc)
{
	const struct kma_name_sample *names = view->names;

	kma_doc_text(doc, "type", "type", view->type->name);
	kma_doc_number(doc, "objects", "objects", names->found);
	kma_doc_number(doc, "sampled", "sampled", names->sampled);
	kma_doc_number(doc, "named", "named", names->named);
	kma_doc_number(doc, "changed", "changed while they were read", names->changed);
	kma_doc_number(doc, "freed", "freed meanwhile", names->freed);
	kma_doc_number(doc, "unknown", "of another type, or not understood", names->unknown);
	if (kma_doc_table(doc))
		kma_strbuf_puts(kma_doc_table(doc), "\n");
}

static void names_write(const struct kma_names_args *args, struct names_view *view,
			struct kma_strbuf *out)
{
	const struct kma_name_sample *names = view->names;
	struct kma_sheet_column columns[NAMES_COLUMNS];
	struct kma_sheet sheet = { .name = "names",
				   .columns = columns,
				   .nr_columns = names_make_columns(view, columns),
				   .style = KMA_JSON_SPACED,
				   .cell = names_cell,
				   .arg = view,
				   .ranked = !args->text.top };
	size_t top = args->text.top;
	struct kma_doc doc;
	char more[80];

	if (!top && args->text.format == KMA_FORMAT_TABLE && !args->text.all)
		top = NAMES_SHOWN;
	view->shown = sheet.rows = top && top < names->nr ? top : names->nr;
	sheet.tail = names->nr > 0;
	for (size_t i = 0; i < names->nr; i++)
		view->all.flagged += names->rows[i].flagged;
	view->all.objects = names->named;
	view->all.keys[0] = "all";
	kma_text_begin(&args->text, "kmem-account names", &doc, out);
	names_head(view, &doc);
	kma_sheet_write(&sheet, &doc);
	snprintf(more, sizeof(more), "%zu more %s not shown; use --top N", names->nr - view->shown,
		 kma_plural(names->nr - view->shown, "row is", "rows are"));
	if (view->shown < names->nr)
		kma_doc_line(&doc, more);
	if (names->sampled < names->found)
		kma_doc_line(
			&doc,
			"Shares are those of the sample; with a probability of 95 %, each differs from that of all objects by at most +/-.");
	kma_doc_end(&doc);
}

static const struct kma_name_type *names_type(const char *name, struct kma_err **err)
{
	_cleanup_choice_ struct kma_choice choice = { .word = name };

	if (name && kma_name_type(name))
		return kma_name_type(name);
	for (size_t i = 0; i < kma_name_nr_types; i++)
		kma_choice_add(&choice, kma_name_types[i].name,
			       i + 1 == kma_name_nr_types ? " or " : NULL);
	*err = name ? kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "names: unknown type '%s' (%s)",
					  name, kma_choice_text(&choice)) :
		      kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "names: no TYPE was given (%s)",
					  kma_choice_text(&choice));
	return NULL;
}

static struct kma_err *names_run(const struct kma_names_args *args,
				 const struct kma_name_type *type)
{
	_cleanup_(kma_names_deinit) struct kma_name_sample names = { 0 };
	_cleanup_strbuf_ struct kma_strbuf out = { 0 };
	struct names_view view = { .names = &names, .type = type };
	struct kma_names_wish wish = { args->source, type, args->all ? 0 : args->sample };
	struct kma_err *err = kma_names_read(&wish, &names);
	const char *note = NULL;

	if (err)
		return err;
	while ((note = kma_notes_next(&names.notes, note)))
		kma_warn("names: %s", note);
	names_write(args, &view, &out);
	return kma_outfile_write_as(args->text.output, KMA_OUTFILE_PRIVATE, &out);
}

static int names_main(int argc, char **argv)
{
	struct kma_names_args args = { .sample = NAMES_SAMPLE, .source.open = kma_dump_open };
	const struct kma_name_type *type;
	struct kma_err *err;
	int first;

	err = kma_option_read(&kma_cmd_names, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.text.all = args.all;
	type = names_type(argv[first], &err);
	return err ? kma_fail(err, KMA_EXIT_USAGE) : kma_fail_kind(names_run(&args, type));
}

static const char *names_word(size_t i)
{
	return i < kma_name_nr_types ? kma_name_types[i].name : NULL;
}

const struct kma_cmd kma_cmd_names = {
	.name = "names",
	.usage = "[OPTION...] TYPE",
	.about =
		"Name the objects of a type in the slabs of the running kernel or of a dump: the path of a\n"
		"dentry, the ports of a socket. A sample of them is read.",
	.examples = "  kmem-account names dentry\n"
		    "  kmem-account names --all --format csv -O inodes.csv inode\n",
	.options = names_options,
	.most = 1,
	.width = 16,
	.word = names_word,
	.summary = "Show which files, sockets or tasks the objects of a type are.",
	.main = names_main,
};
