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

/* Until all commands have their own options. */
#define kma_options_text(opts)                                                          \
	((struct kma_text_options){ (opts)->format, (opts)->has_format, (opts)->output, \
				    (opts)->top, (opts)->csv_safe, (opts)->bytes, (opts)->all })

/* clang-format off */
#define KMA_ROW_FORMAT(m) \
	{ "format", .arg = "FORMAT", TO_NAME(m.format, kma_format_names), \
	  .given = AT(m.has_format), \
	  .help = "write a table (default), csv or json" }
#define KMA_ROW_CSV_SAFE(m) \
	{ "csv-safe", TO(FLAG, m), .needs = "format=csv", \
	  .help = "with --format csv: keep spreadsheets from reading names as formulas" }
#define KMA_ROW_ALL(m, not) \
	{ "all", TO(FLAG, m), .excludes = not, \
	  .help = "show all rows and columns on a terminal, not only those that fit" }
#define KMA_ROW_BYTES(m) \
	{ "bytes", TO(FLAG, m), \
	  .help = "show plain numbers in a table instead of KiB and MiB" }
#define KMA_ROW_OUTPUT(m) \
	{ "output", 'O', .arg = "FILE", TO(TEXT, m), \
	  .help = "write to FILE, created or replaced when the output is complete" }
#define KMA_ROWS_TEXT(m, not) \
	KMA_ROW_FORMAT(m), KMA_ROW_CSV_SAFE(m.csv_safe), KMA_ROW_ALL(m.all, not), \
	KMA_ROW_BYTES(m.bytes), KMA_ROW_OUTPUT(m.output)

#define KMA_ROW_TOP(m, text) \
	{ "top", .arg = "N", TO(COUNT, m), .min = 1, .max = 1000000000, \
	  .unit = "rows", .help = text }

#define KMA_ROW_ACCOUNT(m) \
	{ "file", 'f', .arg = "ACCOUNT", TO(TEXT, m), .excludes = KMA_OPTION_ARGUMENTS, \
	  .help = "read this account, log or DB file (its content tells which);\n" \
		  "- is the standard input" }
#define KMA_ROW_LOG(m) \
	{ "file", 'f', .arg = "LOG", TO(TEXT, m), .excludes = KMA_OPTION_ARGUMENTS, \
	  .help = "read this event log of the module, as record writes it; - is the\n" \
		  "standard input" }
#define KMA_ROW_DB_FILE(m, not) \
	{ "db-file", .arg = "FILE[@LABEL]", TO(TEXT, m), .excludes = not, \
	  .help = "read a snapshot of a DB file (without LABEL the newest)" }

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

#define KMA_ROW_MAX_INPUT \
	{ "max-input", .arg = "BYTES", .type = KMA_OPTION_SIZE, .variable = &kma_unpack_most, \
	  .min = 1, .max = INT64_MAX, \
	  .help = "refuse a compressed input of more than BYTES (default: 4 GiB or a\n" \
		  "thousand times its compressed size, whichever is larger)" }
#define KMA_ROW_QUIET(m, what) \
	{ "quiet", 'q', TO(FLAG, m), \
	  .help = "show no progress on the terminal while " what }
/* Not an abbreviation of an option that begins with @name. */
#define KMA_ROW_REFUSED(name_) \
	{ name_, .arg = "WORD", .type = KMA_OPTION_OWN, .convert = kma_options_refused }
/* clang-format on */

struct kma_doc;
struct kma_strbuf;

/* Start the document @name, for example "kmem-account check". */
void kma_text_begin(const struct kma_text_options *text, const char *name, struct kma_doc *doc,
		    struct kma_strbuf *out);

/* Finish an interval that the options have set; the error: its end is not after its beginning. */
struct kma_interval;
struct kma_err *kma_interval_check(const char *command, struct kma_interval *interval);

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
