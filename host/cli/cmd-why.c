// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-why.c - kmem-account why: what holds the objects of a call site of a kernel or of a scan, and
 * what goes with each root, module and call site.
 *
 * heap/ scans and answers; this file has the options and the tables.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "heap/dump.h"
#include "heap/graph.h"
#include "heap/scan-read.h"
#include "heap/why.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/sheet.h"
#include "lib/statusline.h"
#include "lib/stop.h"
#include "lib/units.h"
#include "rows.h"
#include "scan-kernel.h"
#include "session/load.h"

struct kma_why_args {
	unsigned long depth;
	bool quiet, has_retained;
	const char *from;
	struct kma_heap_source source;
	struct kma_kernel_query kernel;
	struct kma_text_options text;
	unsigned int retained; /* enum why_retained, valid with has_retained */
};

enum why_retained { KMA_WHY_RETAINED_ROOT, KMA_WHY_RETAINED_MODULE, KMA_WHY_RETAINED_CALLER };

static const char *const why_retained_names[] = {
	[KMA_WHY_RETAINED_ROOT] = "root",
	[KMA_WHY_RETAINED_MODULE] = "module",
	[KMA_WHY_RETAINED_CALLER] = "caller",
};

#define KMA_ARGS struct kma_why_args

/* Rows of a table without --top. */
#define KMA_WHY_SHOWN 40

/* Least address of the kernel on a machine with 64 bits. */
#define KMA_WHY_KERNEL (UINT64_C(1) << 63)

/* clang-format off */
static const struct kma_option why_options[] = {
	{ "from", .arg = "ROOT", TO(TEXT, from),
	  .help = "show what ROOT holds: a variable, another root, or all of a module" },
	{ "retained", .arg = "BY", .given = AT(has_retained),
	  TO_NAME(retained, why_retained_names),
	  .help = "show how much memory would go with each root, with all roots of each\n"
		  "module, or with each call site; BY is root, module or caller" },
	{ "vmcore", .arg = "FILE", TO(TEXT, source.vmcore), .needs = "tables",
	  .help = "read the kernel in this dump instead of the running one" },
	{ "tables", .arg = "DIR", TO(TEXT, source.tables), .needs = "vmcore",
	  .help = "with --vmcore: the module's tables of the dump, as\n"
		  "contrib/drgn/kmem_account.py --tables DIR writes them" },
	KMA_ROW_BEFORE(source.before),
	KMA_ROWS_KERNEL(kernel),
	KMA_ROW_TYPES(kernel),
	KMA_ROW_FORCE(kernel, "scanned ones"),
	{ "depth", .arg = "N", TO(COUNT, depth),
	  .min = 1, .max = 64, .unit = "levels",
	  .help = "show N levels of holders (default 8; for an address 64)" },
	KMA_ROW_TOP_OF("40", text),
	KMA_ROW_FORMAT(text),
	KMA_ROW_CSV_SAFE(text.csv_safe),
	{ "bytes", TO(FLAG, text.bytes),
	  .help = "with --retained: show plain numbers in a table instead of KiB and MiB" },
	KMA_ROW_ALL(text.all, NULL),
	KMA_ROW_OUTPUT(text.output),
	KMA_ROW_QUIET(quiet, "memory is scanned"),
	KMA_OPTION_END
};
/* clang-format on */

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

static const struct kma_sheet_column why_columns[] = {
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

static void why_tree(const struct kma_why_row *row, struct kma_cell *ret)
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

static void why_holder(const struct kma_why_row *row, struct kma_cell *ret)
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

static void why_cell(const void *arg, size_t number, size_t column, struct kma_cell *ret)
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
		why_tree(row, ret);
		break;
	case KMA_WHY_HOLDER:
		why_holder(row, ret);
		break;
	case KMA_WHY_OFFSET:
		ret->number = row->offset;
		ret->none = row->offset < 0;
		break;
	case KMA_WHY_FIELD:
		ret->text = row->field;
		ret->none = !row->field;
		break;
	case KMA_WHY_ROOTS:
		ret->text = row->name;
		ret->none = row->kind != KMA_WHY_ROOT;
		break;
	}
}

/* The first column is what --retained names; only call sites have live objects and bytes. */
enum {
	KMA_RETAINED_NAME,
	KMA_RETAINED_BYTES,
	KMA_RETAINED_OBJECTS,
	KMA_RETAINED_DIRECT,
	KMA_RETAINED_LIVE,
	KMA_RETAINED_OWN,
	KMA_RETAINED_COLUMNS
};

static void why_retained_cell(const void *arg, size_t number, size_t column, struct kma_cell *ret)
{
	const struct kma_retained_row *row = (const struct kma_retained_row *)arg + number;
	const uint64_t numbers[KMA_RETAINED_COLUMNS] = {
		[KMA_RETAINED_BYTES] = row->bytes,   [KMA_RETAINED_OBJECTS] = row->objects,
		[KMA_RETAINED_DIRECT] = row->direct, [KMA_RETAINED_LIVE] = row->direct,
		[KMA_RETAINED_OWN] = row->own,
	};

	ret->text = column == KMA_RETAINED_NAME ? row->name : NULL;
	ret->number = numbers[column];
	ret->none = column == KMA_RETAINED_DIRECT && row->rest;
}

/* A number above a table. */
struct kma_why_number {
	const char *name, *title;
	uint64_t number;
};

/* Write the document: numbers of the head, by their names, rows, and a line below them, or NULL. */
static void why_document(const struct kma_why_args *args, struct kma_sheet *sheet,
			 const struct kma_why_number *head, size_t nr_head, const char *below,
			 struct kma_strbuf *out)
{
	size_t top = args->text.top ?: args->text.format == KMA_FORMAT_TABLE ? KMA_WHY_SHOWN : 0;
	struct kma_doc doc;
	size_t more = top && top < sheet->rows ? sheet->rows - top : 0;
	char text[80];

	sheet->name = "rows";
	sheet->rows -= more;
	kma_text_begin(&args->text, "kmem-account why", &doc, out);
	for (size_t i = 0; i < nr_head; i++)
		kma_doc_number(&doc, head[i].name, head[i].title, head[i].number);
	kma_sheet_write(sheet, &doc);
	snprintf(text, sizeof(text), "%zu more %s not shown; use --top N", more,
		 kma_plural(more, "row is", "rows are"));
	if (more)
		kma_doc_line(&doc, text);
	if (below && *below)
		kma_doc_line(&doc, below);
	kma_doc_end(&doc);
}

/* Read an address of the kernel: 16 hexadecimal digits, with or without 0x. */
static bool why_address(const char *text, uint64_t *key)
{
	const char *digits = strncmp(text, "0x", 2) ? text : text + 2;
	size_t len = strspn(digits, "0123456789abcdefABCDEF");

	if (len != 16 || digits[len])
		return false;
	*key = strtoull(digits, NULL, 16) ^ KMA_HEAP_KEY;
	return (*key ^ KMA_HEAP_KEY) >= KMA_WHY_KERNEL;
}

/* Fill in the number of the object that has an address. */
static struct kma_err *why_object(const struct kma_scan *scan, const char *what,
				  struct kma_why_wish *wish)
{
	uint64_t key;

	if (!what || !why_address(what, &key))
		return NULL;
	wish->caller = NULL;
	wish->object = kma_scan_find(scan, key ^ KMA_HEAP_KEY);
	return scan->keys ? NULL :
			    kma_err_create_kind(
				    KMA_ERR_NOT_FOUND, NULL, 0,
				    "why: the scan has no addresses; make it with --addresses");
}

/* The names of fields. */
struct why_fields {
	struct kma_source *source; /* with the types of call sites */
	struct kma_arena texts;
	struct kma_err *err; /* the first one */
};

static void why_fields_free(struct why_fields *fields)
{
	kma_err_destroy(fields->err);
	kma_arena_deinit(&fields->texts);
}

static const char *const variables[] = { "variable ", "per-CPU variable " };

/* The field of a root that is a variable: its name, with that of its module behind it. */
static struct kma_err *root_field(struct kma_source *source, const char *root, uint64_t offset,
				  bool several, struct kma_strbuf *ret)
{
	_cleanup_strbuf_ struct kma_strbuf name = { 0 }, owner = { 0 };
	const char *module;
	size_t len;

	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		size_t skip = strlen(variables[i]);

		if (strncmp(root, variables[i], skip) != 0)
			continue;
		module = kma_root_groups_module(root, &len);
		kma_strbuf_add(&name, root + skip, strcspn(root + skip, " "));
		if (module)
			kma_strbuf_add(&owner, module, len);
		return kma_source_variable(source, owner.str, name.str, offset, several, ret);
	}
	return NULL;
}

/* kma_why_wish.field: a text of @arg. */
static const char *why_field(void *arg, const struct kma_why_row *row, int64_t offset, bool several)
{
	struct why_fields *fields = arg;
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	if (row->kind != KMA_WHY_ROOT)
		kma_source_field(fields->source, row->name, offset, several, &text);
	else if (!fields->err)
		fields->err = root_field(fields->source, row->name, offset, several, &text);
	return text.len ? kma_arena_text(&fields->texts, text.str, text.len) : NULL;
}

/* A step of the sentence: the field, or else the function or the root. */
static void add_step(const struct kma_why_row *row, struct kma_strbuf *ret)
{
	if (row->kind == KMA_WHY_ROOT) {
		for (size_t i = 0; i < ARRAY_SIZE(variables) && row->field; i++)
			if (!strncmp(row->name, variables[i], strlen(variables[i])))
				kma_strbuf_puts(ret, variables[i]);
		kma_strbuf_puts(ret, row->field ?: row->name);
	} else if (row->field) {
		kma_strbuf_puts(ret, row->field);
	} else {
		kma_strbuf_printf(ret, "%.*s()", (int)strcspn(row->name, "+ "), row->name);
	}
}

/*
 * Writes the path of most objects: "9643 (71 %) inode.i_security <- dentry.d_inode <- variable
 * dentry_hashtable"; nothing if no field of it is known.
 */
static void why_sentence(const struct kma_why *why, struct kma_strbuf *ret)
{
	char number[KMA_NUMBER_LEN];
	const struct kma_why_row *most = NULL, *row;
	bool known = false;

	for (size_t i = 0; i < why->nr; i++)
		if (why->rows[i].kind == KMA_WHY_ROOT && why->rows[i].depth &&
		    (!most || why->rows[i].objects > most->objects))
			most = &why->rows[i];
	if (!most)
		return;
	for (unsigned int depth = 1; depth <= most->depth; depth++) {
		/* The row of this depth that is above the root: the last one before it. */
		for (row = most; row->depth != depth; row--)
			;
		if (depth == 1)
			kma_strbuf_printf(ret, "%s (%.0f %%) ",
					  kma_units_format(number, sizeof(number), most->objects,
							   KMA_UNIT_COUNT),
					  100.0 * most->objects / why->objects);
		kma_strbuf_puts(ret, depth > 1 ? " <- " : "");
		add_step(row, ret);
		known |= row->field != NULL;
	}
	if (!known)
		kma_strbuf_deinit(ret);
}

/* Write what holds objects by a scan. @source: with the types of its call sites; or NULL. */
static struct kma_err *why_holders(const struct kma_why_args *args, const char *what,
				   const struct kma_scan *scan, struct kma_source *source,
				   struct kma_strbuf *text)
{
	_cleanup_(why_fields_free) struct why_fields fields = { .source = source };
	_cleanup_(kma_why_deinit) struct kma_why why = { 0 };
	_cleanup_strbuf_ struct kma_strbuf sentence = { 0 };
	struct kma_why_wish wish = { .caller = what,
				     .from = args->from,
				     .field = source ? why_field : NULL,
				     .arg = &fields };
	struct kma_sheet_column columns[ARRAY_SIZE(why_columns)];
	struct kma_sheet sheet = { .columns = columns,
				   .nr_columns = ARRAY_SIZE(why_columns),
				   .cell = why_cell,
				   .arg = &why };
	struct kma_why_number head = { "objects", "objects", 0 };
	struct kma_err *err = why_object(scan, what, &wish);

	memcpy(columns, why_columns, sizeof(columns));
	if (source)
		columns[KMA_WHY_FIELD].title = "field";

	wish.depth = args->depth ?: wish.caller || wish.from ? 8 : 64;
	if (!err)
		err = kma_why_make(scan, &wish, &why);
	if (!err) {
		err = fields.err;
		fields.err = NULL;
	}
	if (err)
		return err;
	sheet.rows = why.nr;
	head.number = why.objects;
	why_sentence(&why, &sentence);
	why_document(args, &sheet, &head, 1, sentence.str, text);
	return NULL;
}

static void why_retained(const struct kma_why_args *args, const struct kma_retained *all,
			 struct kma_strbuf *text)
{
	const char *name = why_retained_names[args->retained];
	bool sites = args->retained == KMA_WHY_RETAINED_CALLER;
	const struct kma_sheet_column columns[KMA_RETAINED_COLUMNS] = {
		[KMA_RETAINED_NAME] = { name, name, KMA_CELL_TEXT },
		[KMA_RETAINED_BYTES] = { "retained", "retained", KMA_CELL_BYTES },
		[KMA_RETAINED_OBJECTS] = { "objects", "objects", KMA_CELL_COUNT },
		[KMA_RETAINED_DIRECT] = { sites ? NULL : "direct", sites ? NULL : "direct",
					  KMA_CELL_COUNT },
		[KMA_RETAINED_LIVE] = { sites ? "live" : NULL, sites ? "live" : NULL,
					KMA_CELL_COUNT },
		[KMA_RETAINED_OWN] = { sites ? "bytes" : NULL, sites ? "bytes" : NULL,
				       KMA_CELL_BYTES },
	};
	const struct {
		const struct kma_retained_row *rows;
		size_t nr;
	} lists[] = {
		[KMA_WHY_RETAINED_ROOT] = { all->roots, all->nr_roots },
		[KMA_WHY_RETAINED_MODULE] = { all->modules, all->nr_modules },
		[KMA_WHY_RETAINED_CALLER] = { all->callers, all->nr_callers },
	};
	struct kma_sheet sheet = { .columns = columns,
				   .nr_columns = ARRAY_SIZE(columns),
				   .cell = why_retained_cell,
				   .arg = lists[args->retained].rows,
				   .rows = lists[args->retained].nr };
	const struct kma_why_number head[] = { { "live_objects", "live objects", all->objects },
					       { "live_bytes", "live bytes", all->bytes } };

	why_document(args, &sheet, head, ARRAY_SIZE(head), NULL, text);
}

/* Scan a kernel. */
static struct kma_err *why_live(const struct kma_why_args *args, struct kma_scan *scan)
{
	struct kma_statusline line = { .quiet = args->quiet };
	struct kma_err *err;

	kma_stop_catch(true);
	kma_statusline_show(&line, "why: reading the kernel's memory");
	err = args->has_retained ? kma_retained_scan(&args->source, &kma_stop, &scan->retained) :
				   kma_scan_holders(&args->source, &kma_stop, scan);
	kma_statusline_end(&line);
	kma_stop_release();
	return err;
}

/* @file: a scan; NULL: the running kernel. */
static struct kma_err *why_run(const struct kma_why_args *args, const char *what, const char *file)
{
	_cleanup_(kma_scan_deinit) struct kma_scan scan = { 0 };
	_cleanup_(kma_unload) struct kma_loaded loaded = { 0 };
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const char *note = NULL;
	struct kma_err *err;

	err = file ? kma_scan_load(file, &scan, NULL) : why_live(args, &scan);
	if (err)
		return err;
	if (args->has_retained && args->retained == KMA_WHY_RETAINED_MODULE &&
	    scan.retained.nr_roots && !scan.retained.nr_modules)
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, file, 0,
			"no lines retained_module, as of an older version; make a new scan");
	if (args->has_retained)
		why_retained(args, &scan.retained, &text);
	else
		err = kma_scan_kernel(&args->kernel, &args->source, file, &scan, &loaded) ?:
			      why_holders(args, what, &scan, loaded.kernel.source, &text);
	if (err)
		return err;
	while ((note = kma_notes_next(args->has_retained ? &scan.retained.notes : &scan.notes,
				      note)))
		kma_warn("why: %s", note);
	return kma_outfile_write_as(args->text.output, KMA_OUTFILE_PRIVATE, &text);
}

static int why_main(int argc, char **argv)
{
	struct kma_why_args args = { .source.open = kma_dump_open };
	struct kma_err *err;
	int first, asked;

	err = kma_option_read(&kma_cmd_why, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	asked = !args.from && !args.has_retained;
	if (argc - first < asked || argc - first > asked + !args.source.vmcore ||
	    (args.from && args.has_retained))
		return kma_fail(
			kma_err_create_kind(
				KMA_ERR_USAGE, NULL, 0,
				"why: give one call site, one address, --from or --retained"),
			KMA_EXIT_USAGE);
	return kma_fail_kind(why_run(&args, asked ? argv[first] : NULL,
				     argc > first + asked ? argv[first + asked] : NULL));
}

const struct kma_cmd kma_cmd_why = {
	.name = "why",
	.usage = "[OPTION...] CALLER | ADDRESS [SCAN]\n"
		 "       kmem-account why [OPTION...] --from ROOT | --retained BY [SCAN]",
	.about = "Show what holds the objects of a call site, up to the kernel's variables.\n"
		 "SCAN is a file of kmem-account scan, or a bundle that has one; without it, the\n"
		 "running kernel is read.",
	.examples = "  kmem-account why __d_alloc\n"
		    "  kmem-account why __alloc_skb+0x15c/0x1a0 --format csv -O why.csv\n"
		    "  kmem-account why security_inode_alloc --vmlinux vmlinux scan.txt\n"
		    "  kmem-account why ffff888004a1c300\n"
		    "  kmem-account why --from ext4\n"
		    "  kmem-account why --retained root scan.txt\n"
		    "  kmem-account why __d_alloc --vmcore vmcore --tables tables\n",
	.options = why_options,
	.most = KMA_OPTION_ANY,
	.width = 16,
	.summary = "Show what holds the objects of a call site.",
	.main = why_main,
};
