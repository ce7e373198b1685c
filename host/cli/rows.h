/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - rows of option tables that several commands have (lib/option.h), so that an option has
 * one help text and one check. A file with a table defines KMA_ARGS, the structure that the table
 * fills in; @m is a member of it. The programs for targets without libraries use some of the rows,
 * so this header includes only files of lib/.
 */
#ifndef KMA_CLI_ROWS_H
#define KMA_CLI_ROWS_H

#include "lib/format.h"
#include "lib/option.h"

/* Type and member of a row, and the member that it sets, too. */
#define TO(kind, m)	  KMA_OPTION_TO(kind, KMA_ARGS, m)
#define TO_NAME(m, array) KMA_OPTION_TO_NAME(KMA_ARGS, m, array)
#define AT(m)		  offsetof(KMA_ARGS, m)
#define OWN(function, m)  .type = KMA_OPTION_OWN, .convert = kma_options_##function, .member = AT(m)

/* How a command writes its text: KMA_ROWS_TEXT, and a row --top. */
struct kma_text_options {
	enum kma_format format;
	bool has_format;
	const char *output; /* file; NULL: the standard output */
	unsigned long top;  /* rows; 0: not given */
	bool csv_safe;	    /* csv: guard names that look like formulas */
	bool bytes;	    /* print plain numbers instead of KiB and MiB */
	bool all;	    /* print all rows on a terminal, not only those that fit */
};

/* clang-format off */
#define KMA_ROW_FORMAT(m) \
	{ "format", .arg = "FORMAT", TO_NAME(m.format, kma_format_names), \
	  .given = AT(m.has_format), \
	  .help = "write a table (default), csv or json" }
#define KMA_ROW_CSV_SAFE(m) \
	{ "csv-safe", TO(FLAG, m), .needs = "format", .needs_value = "csv", \
	  .help = "with --format csv: keep spreadsheets from reading names as formulas" }
#define KMA_ROW_ALL(m, others) \
	{ "all", TO(FLAG, m), .excludes = others, \
	  .help = "show all rows and columns on a terminal, not only those that fit" }
#define KMA_ROW_BYTES(m) \
	{ "bytes", TO(FLAG, m), \
	  .help = "show plain numbers in a table instead of KiB and MiB" }
#define KMA_ROW_OUTPUT(m) \
	{ "output", 'O', .arg = "FILE", TO(TEXT, m), \
	  .help = "write to FILE, created or replaced when the output is complete" }
#define KMA_ROWS_TEXT(m, others) \
	KMA_ROW_FORMAT(m), KMA_ROW_CSV_SAFE(m.csv_safe), KMA_ROW_ALL(m.all, others), \
	KMA_ROW_BYTES(m.bytes), KMA_ROW_OUTPUT(m.output)

#define KMA_ROW_TOP(m, text) \
	{ "top", .arg = "N", TO(COUNT, m.top), .min = 1, .max = 1000000000, \
	  .unit = "rows", .help = text }
#define KMA_ROW_TOP_OTHER(m) \
	KMA_ROW_TOP(m, "show the first N rows, and combine the others into one")
#define KMA_ROW_TOP_OF(nr, m) \
	KMA_ROW_TOP(m, "show the first N rows, and the number of the others (default: " nr " in a\n" \
		       "table)")

#define KMA_ROW_ACCOUNT(m) \
	{ "file", 'f', .arg = "ACCOUNT", TO(TEXT, m), .excludes = KMA_OPTION_ARGUMENTS, \
	  .help = "read this account, log or DB file (its content tells which);\n" \
		  "- is the standard input" }
#define KMA_ROW_LOG(m) \
	{ "file", 'f', .arg = "LOG", TO(TEXT, m), .excludes = KMA_OPTION_ARGUMENTS, \
	  .help = "read this event log of the module, as record writes it; - is the\n" \
		  "standard input" }
#define KMA_ROW_DB_FILE(m, others) \
	{ "db-file", .arg = "FILE[@LABEL]", TO(TEXT, m), .excludes = others, \
	  .help = "read a snapshot of a DB file (without LABEL the newest)" }

#define KMA_ROW_SAVE_DB(m) \
	{ "save-db", .arg = "FILE[@LABEL]", TO(TEXT, m), \
	  .help = "add the input to a DB file as a snapshot" }

#define KMA_ROWS_INPUT(m) \
	KMA_ROW_ACCOUNT(m.account), KMA_ROW_DB_FILE(m.db_file, KMA_OPTION_ARGUMENTS " file"), \
	KMA_ROW_SAVE_DB(m.save_db)

/* Seconds of an event log, a struct kma_interval. kma_interval_check() has to follow. */
#define KMA_ROW_SECONDS(m, name_, member_, given_, text) \
	{ name_, .arg = "S", TO(TIME, m.member_), .given = AT(m.given_), \
	  .max = KMA_OPTION_SECONDS_MAX, .scale = KMA_OPTION_SECOND, .unit = "seconds", .help = text }
#define KMA_ROWS_SECONDS(m) \
	KMA_ROW_SECONDS(m, "from", from, is, \
			"of an event log: count from S seconds after its beginning"), \
	KMA_ROW_SECONDS(m, "to", to, ends, \
			"of an event log: count up to S seconds after its beginning")

/* Of an object struct kma_kernel_query. */
#define KMA_ROWS_KERNEL(m) \
	{ "kernel", 'k', .arg = "DIR", TO(TEXT, m.tree), .excludes = "modules inlines", \
	  .help = "find source files in this built kernel tree (System.map, *.o)" }, \
	{ "vmlinux", .arg = "FILE", TO(TEXT, m.vmlinux), \
	  .help = "find source files by this vmlinux with debugging information. A vmlinux\n" \
		  "without it, a System.map or kallsyms gives names only. With -k: use\n" \
		  "FILE instead of the vmlinux of the tree" }, \
	{ "modules", .arg = "DIR", TO(TEXT, m.modules), .needs = "vmlinux", \
	  .help = "with --vmlinux: directory of the modules with debugging\n" \
		  "information (default: where packages install the modules of FILE)" }
#define KMA_ROW_FORCE(m, input) \
	{ "force", TO(FLAG, m.force), .needs = "kernel vmlinux", \
	  .help = "use a kernel and modules of another build than the " input }

#define KMA_ROW_TYPES(m) \
	{ "types", .arg = "FILE", TO(TEXT, m.types_file), \
	  .help = "for types of objects: a table of kmem-account types (default: where that\n" \
		  "put it), a copy of the kernel's BTF, or a text with a call site and its\n" \
		  "type in each line" }
#define KMA_ROW_INLINES(m) \
	{ "inlines", .arg = "MODE", TO_NAME(m.inlines, kma_inlines_modes), .needs = "vmlinux", \
	  .help = "with --vmlinux: charge the bytes of an inlined function to the function\n" \
		  "that contains it (outer, default) or to itself (inner), or name both\n" \
		  "(both)" }
#define KMA_ROW_MAINTAINERS(m) \
	{ "maintainers", .arg = "FILE", TO(TEXT, m.maintainers), \
	  .help = "for --by subsystem, and for a page: MAINTAINERS of the kernel\n" \
		  "(default: that of the tree of -k)" }
#define KMA_ROWS_KERNEL_OWNERS(m) \
	KMA_ROWS_KERNEL(m), KMA_ROW_TYPES(m), KMA_ROW_INLINES(m), KMA_ROW_MAINTAINERS(m), \
		KMA_ROW_FORCE(m, "input")

/*
 * Which call sites an object struct kma_load_options selects, and what is shown of them.
 * kma_load_check() has to follow.
 */
#define KMA_ROW_BY(m) \
	{ "by", .arg = "KEY", OWN(keys, m.by), KMA_OPTION_NAMES(kma_keys), .given = AT(m.has_by), \
	  .min = KMA_KEYS_IN_ROWS, \
	  .help = "show a row for each caller, file, dir (default), line, function,\n" \
		  "module, subsystem, stack, cache, kind, size, type (of objects), cgroup,\n" \
		  "node, task (of a log) or root (of a scan); or for each combination of\n" \
		  "several, with commas, as cgroup,module,caller.\n" \
		  "Without source files the default is caller" }
#define KMA_ROWS_STACKS(m) \
	{ "skip", .arg = "LIST", OWN(helpers, m.skip), \
	  .help = "of an input with stacks: charge allocations of these helper functions\n" \
		  "to their callers; LIST is names separated by commas, and the name\n" \
		  "default stands for the usual helpers" }, \
	{ "through", .arg = "FUNCTION", OWN(helpers, m.through), \
	  .help = "of an input with stacks: show only allocations with FUNCTION on the stack" }
#define KMA_ROW_BRANCH(m) \
	{ "branch", 'b', .arg = "BRANCH", TO(TEXT, m), \
	  .help = "show only this directory or file (fs, fs/ext4)" }
#define KMA_ROW_METRIC(m, text) \
	{ "attr", 'a', .arg = "ATTR", OWN(metric, m.attr), KMA_OPTION_NAMES(kma_metrics), \
	  .given = AT(m.has_attr), .help = text }
#define KMA_ROW_ATTR(m) \
	KMA_ROW_METRIC(m, "show current_dynamic (default), requested, waste, allocs or frees, or\n" \
			  "retained of a scan; or as in the account: total, req, slack, alloc,\n" \
			  "free")
#define KMA_ROWS_ONLY(m) \
	{ "only", .arg = "RULE", OWN(only_rule, m), \
	  .help = "show only call sites with KEY=PATTERN, as module=ext4, dir=fs,mm or\n" \
		  "function='*alloc*'; KEY is one of --by. Or COLUMN>NUMBER, COLUMN<NUMBER,\n" \
		  "as 'live>1M'. All rules have to hold" }, \
	{ "not", .arg = "RULE", OWN(not_rule, m), \
	  .help = "leave out what --only RULE would show" }
#define KMA_ROWS_KINDS(m) \
	{ "malloc", TO(BITS, m), .min = 1 << KMA_KIND_KMALLOC, \
	  .help = "show only allocations by kmalloc; --cache, --pages, --percpu can be added" }, \
	{ "cache", TO(BITS, m), .min = 1 << KMA_KIND_CACHE, \
	  .help = "show only allocations from caches; --malloc, --pages, --percpu can be added" }, \
	{ "pages", TO(BITS, m), .min = 1 << KMA_KIND_PAGE, \
	  .help = "show only pages; --malloc, --cache and --percpu can be added" }, \
	{ "percpu", TO(BITS, m), .min = 1 << KMA_KIND_PERCPU, \
	  .help = "show only per-CPU memory; --malloc, --cache and --pages can be added" }
#define KMA_ROW_PAGE_SIZE(m) \
	{ "page-size", .arg = "BYTES", TO(SIZE, m), .min = 4096, .max = 1 << 20, \
	  .help = "of texts that count pages: the size of a page (default: what the input\n" \
		  "says, else 4K; a warning states it)" }
#define KMA_ROWS_SITES(m) \
	KMA_ROWS_ONLY(m.only), KMA_ROWS_KINDS(m.kinds), KMA_ROW_PAGE_SIZE(m.page_size)
/* Of an account, with the files of its kernel. */
#define KMA_ROWS_ACCOUNT(m) \
	KMA_OPTION_HEADING("Call sites"), KMA_ROWS_STACKS(m.stacks), KMA_ROW_BRANCH(m.branch), \
	KMA_ROWS_SITES(m), KMA_OPTION_HEADING("Rows and columns"), KMA_ROW_BY(m)
#define KMA_ROWS_SLAB(m) \
	{ "meminfo", .arg = "FILE", TO(TEXT, m.meminfo), \
	  .help = "/proc/meminfo of the account's machine: the title has the share of all\n" \
		  "slab memory (default: that of this machine, for its own account)" }, \
	{ "all-slab", TO(FLAG, m.all_slab), \
	  .excludes = "malloc cache pages percpu through skip only not save-db", \
	  .help = "add a row for the slab memory that is not in the account: allocated\n" \
		  "before it began, or free in slabs (needs the machine's meminfo)" }
#define KMA_ROW_DEPTH(m) \
	{ "depth", .arg = "N", TO(COUNT, m), .min = 1, .max = 64, .unit = "levels", \
	  .help = "with --by dir: add directories below N levels to those above" }

#define KMA_ROW_IMAGE(m) \
	{ "image", TO(FLAG, m.image), \
	  .help = "of built trees: show the exact sizes in vmlinux, without modules, and\n" \
		  "what the linker merged, left out and added, by its map\n" \
		  "(CONFIG_VMLINUX_MAP=y); without a map by debugging information" }

/* The order and the columns of a table: sort, columns, has_sort, has_columns of the structure. */
#define KMA_ROWS_COLUMNS \
	{ "sort", 0, 'o', .arg = "KEY", OWN(metric, sort), KMA_OPTION_NAMES(kma_metrics), \
	  .given = AT(has_sort), .help = "sort the rows by this ATTR (default: that of -a)" }, \
	{ "columns", .arg = "ATTR,...", OWN(columns, columns), KMA_OPTION_NAMES(kma_metrics), \
	  .given = AT(has_columns), \
	  .help = "show these columns of a table, or all; csv and json have all" }

/* --from and --to as texts: times of a history, or seconds of a log. */
#define KMA_ROWS_TIMES(m, m_to, from_help, to_help) \
	{ "from", .arg = "TIME", TO(TEXT, m), .help = from_help }, \
	{ "to", .arg = "TIME", TO(TEXT, m_to), .help = to_help }
#define KMA_HELP_FROM \
	"of an event log: start TIME seconds after its beginning; of a history:\n" \
	"start at TIME, for example 09:00, -6h or \"yesterday 14:00\" (default: a\n" \
	"day before the newest sample)"
#define KMA_HELP_TO \
	"of an event log: end TIME seconds after its beginning; of a history: end\n" \
	"at TIME (default: the newest sample)"

/* Of an object struct kma_chart_options. kma_pictures_check() has to follow. */
#define KMA_ROW_RENDER(m) \
	{ "render", 'r', .arg = "FILE", OWN(picture, m.render), \
	  .help = "draw FILE.svg, .png, .pdf or .html; may be given several times" }
#define KMA_ROW_CHART(m) \
	{ "chart", .arg = "KIND", TO_NAME(m.chart, kma_chart_names), .needs = "render", \
	  .help = "with -r: draw rings (default), treemap, icicle or flame" }
#define KMA_ROW_WIDTH(m) \
	{ "width", .arg = "PX", TO(COUNT, m.width), .needs = "render", \
	  .min = 400, .max = 8000, .unit = "pixels", \
	  .help = "width of the picture in pixels (default 1600)" }
#define KMA_ROW_THEME(m) \
	{ "theme", .arg = "THEME", TO_NAME(m.theme, kma_themes), .needs = "render", \
	  .help = "colours: light (default), dark, or print with little ink" }
#define KMA_ROWS_LOOK(m) KMA_ROW_WIDTH(m), KMA_ROW_THEME(m)
#define KMA_ROWS_PAGE(m) \
	{ "max-nodes", .arg = "N", TO(COUNT, m.max_nodes), \
	  .min = 1, .max = 10000000, .unit = "nodes", \
	  .help = "limit an HTML page to N nodes, merging the smallest (default 50000)" }, \
	{ "plain", TO(FLAG, m.plain), \
	  .help = "do not compress the data of an HTML page (for old browsers)" }, \
	{ "source-url", .arg = "TEMPLATE", OWN(source_url, m.source_url), \
	  .help = "link the lines of an HTML page to a source browser, by an address\n" \
		  "with {file} and {line} in it (default: no links)" }
#define KMA_ROW_TITLE(m) \
	{ "title", .arg = "TEXT", TO(TEXT, m.title), .needs = "render", \
	  .help = "heading of the picture" }
/* Of a command that draws charts of a tree; and of one that draws curves. */
#define KMA_ROWS_CHARTS(m) \
	KMA_OPTION_HEADING("Pictures"), KMA_ROW_RENDER(m), KMA_ROW_CHART(m), KMA_ROWS_LOOK(m), \
	KMA_ROW_TITLE(m), KMA_ROWS_PAGE(m), KMA_OPTION_HEADING("More")
#define KMA_ROWS_CURVES(m) \
	KMA_OPTION_HEADING("Pictures"), KMA_ROW_RENDER(m), KMA_ROWS_LOOK(m), KMA_ROW_TITLE(m), \
	KMA_OPTION_HEADING("More")

#define KMA_ROW_MAX_INPUT \
	{ "max-input", .arg = "BYTES", .type = KMA_OPTION_SIZE, .variable = &kma_unpack_most, \
	  .min = 1, .max = INT64_MAX, \
	  .help = "refuse a compressed input of more than BYTES (default: 4 GiB or a\n" \
		  "thousand times its compressed size, whichever is larger)" }
#define KMA_ROWS_END(m) \
	KMA_ROW_MAX_INPUT, KMA_ROW_QUIET(m, "a large input is read"), KMA_OPTION_END
#define KMA_ROW_BEFORE(m) \
	{ "before", TO(FLAG, m), \
	  .help = "also take the objects that are older than the module, by slab cache;\n" \
		  "always so if the module is not loaded" }
#define KMA_ROW_QUIET(m, what) \
	{ "quiet", 'q', TO(FLAG, m), \
	  .help = "show no progress on the terminal while " what }
/* Not an abbreviation of an option that begins with @name. */
#define KMA_ROW_REFUSED(name_) \
	{ name_, .arg = "WORD", .type = KMA_OPTION_OWN, .convert = kma_options_refused }
/* clang-format on */

struct kma_chart_options;
struct kma_doc;
struct kma_interval;
struct kma_load_options;
struct kma_sizes_options;
struct kma_strbuf;

/* Starts the document @name, for example "kmem-account check". */
void kma_text_begin(const struct kma_text_options *text, const char *name, struct kma_doc *doc,
		    struct kma_strbuf *out);

/* Is a table written? Yes if no picture is requested, or if --format or -O is given. */
bool kma_text_wanted(const struct kma_text_options *text, const struct kma_chart_options *chart);

/*
 * Rules about several options that rows cannot state. A check finishes what the rows have stored,
 * and returns NULL or a usage error.
 */

/* --from and --to of an event log. */
struct kma_err *kma_interval_check(const char *command, struct kma_interval *interval);

/* Which call sites are selected; for a page also which subsystems. Refers to @load later. */
struct kma_err *kma_load_check(struct kma_load_options *load);

/* The metrics that @option requests. Those of static sizes need a built tree. */
struct kma_err *kma_load_asks(struct kma_load_options *load, const char *option,
			      unsigned int metrics);

/* Without -f: the account of this machine; or none if a built tree is shown. */
struct kma_err *kma_load_own(struct kma_load_options *load);

/* The names of pictures, and options of pages. @output: file of the text, or NULL. */
struct kma_err *kma_pictures_check(const char *command, const struct kma_chart_options *chart,
				   const char *output);

/* The rows of static sizes. @page: a page is drawn. */
struct kma_err *kma_sizes_check(const char *command, struct kma_sizes_options *sizes,
				unsigned long depth, bool page);

/*
 * Functions that convert a value: the convert() of rows of type KMA_OPTION_OWN. They return a usage
 * error that states the valid values. Texts are not copied.
 */

/* An enum kma_metric_id. The error lists those of the set in min of the row; 0: all. */
struct kma_err *kma_options_metric(const struct kma_option_given *given, void *member);

/* A set of metrics: names separated by commas, or "all". */
struct kma_err *kma_options_columns(const struct kma_option_given *given, void *member);

/* Reads a list of keys into a struct kma_keys. The row's min is the set of valid keys. */
struct kma_err *kma_options_keys(const struct kma_option_given *given, void *member);

/* Adds a rule of --only, or of --not, to a struct kma_only. */
struct kma_err *kma_options_only_rule(const struct kma_option_given *given, void *member);
struct kma_err *kma_options_not_rule(const struct kma_option_given *given, void *member);

/* Adds a file to a struct kma_outputs; its name ends with the format. */
struct kma_err *kma_options_picture(const struct kma_option_given *given, void *member);

/* A text: names of functions separated by commas. */
struct kma_err *kma_options_helpers(const struct kma_option_given *given, void *member);

/* Refuses a name as an unknown option. */
struct kma_err *kma_options_refused(const struct kma_option_given *given, void *member);

/* A text: the address of a source browser. */
struct kma_err *kma_options_source_url(const struct kma_option_given *given, void *member);

#endif /* KMA_CLI_ROWS_H */
