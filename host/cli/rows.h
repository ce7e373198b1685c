/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - rows of option tables that several commands have (lib/option.h), so that an option has
 * one help text and one check. @s is the structure that the command's table fills in, @m a member
 * of it. The programs for targets without libraries use some of them, so this header includes
 * only files of lib/.
 */
#ifndef KMA_CLI_ROWS_H
#define KMA_CLI_ROWS_H

#include "lib/format.h"
#include "lib/option.h"

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
#define KMA_ROW_FORMAT(s, m) \
	{ "format", .arg = "FORMAT", KMA_OPTION_TO_NAME(s, m.format, kma_format_names), \
	  .given = offsetof(s, m.has_format), \
	  .help = "write a table (default), csv or json" }
#define KMA_ROW_CSV_SAFE(s, m) \
	{ "csv-safe", KMA_OPTION_TO(FLAG, s, m), .needs = "format=csv", \
	  .help = "with --format csv: keep spreadsheets from reading names as formulas" }
#define KMA_ROW_ALL(s, m) \
	{ "all", KMA_OPTION_TO(FLAG, s, m), \
	  .help = "show all rows and columns on a terminal, not only those that fit" }
#define KMA_ROW_BYTES(s, m) \
	{ "bytes", KMA_OPTION_TO(FLAG, s, m), \
	  .help = "show plain numbers in a table instead of KiB and MiB" }
#define KMA_ROW_OUTPUT(s, m) \
	{ "output", 'O', .arg = "FILE", KMA_OPTION_TO(TEXT, s, m), \
	  .help = "write to FILE, created or replaced when the output is complete" }
#define KMA_ROWS_TEXT(s, m) \
	KMA_ROW_FORMAT(s, m), KMA_ROW_CSV_SAFE(s, m.csv_safe), KMA_ROW_ALL(s, m.all), \
	KMA_ROW_BYTES(s, m.bytes), KMA_ROW_OUTPUT(s, m.output)

#define KMA_ROW_TOP(s, m, text) \
	{ "top", .arg = "N", KMA_OPTION_TO(COUNT, s, m), .min = 1, .max = 1000000000, \
	  .unit = "rows", .help = text }

/* Of an object struct kma_kernel_query. */
#define KMA_ROWS_KERNEL(s, m) \
	{ "kernel", 'k', .arg = "DIR", KMA_OPTION_TO(TEXT, s, m.tree), .excludes = "modules inlines", \
	  .help = "find source files in this built kernel tree (System.map, *.o)" }, \
	{ "vmlinux", .arg = "FILE", KMA_OPTION_TO(TEXT, s, m.vmlinux), \
	  .help = "find source files by this vmlinux with debugging information. A vmlinux\n" \
		  "without it, a System.map or kallsyms gives names only. With -k: use\n" \
		  "FILE instead of the vmlinux of the tree" }, \
	{ "modules", .arg = "DIR", KMA_OPTION_TO(TEXT, s, m.modules), .needs = "vmlinux", \
	  .help = "with --vmlinux: directory of the modules with debugging\n" \
		  "information (default: where packages install the modules of FILE)" }
#define KMA_ROW_FORCE(s, m, input) \
	{ "force", KMA_OPTION_TO(FLAG, s, m.force), .needs = "kernel vmlinux", \
	  .help = "use a kernel and modules of another build than the " input }

#define KMA_ROW_MAX_INPUT \
	{ "max-input", .arg = "BYTES", .type = KMA_OPTION_SIZE, .variable = &kma_unpack_most, \
	  .min = 1, .max = INT64_MAX, \
	  .help = "refuse a compressed input of more than BYTES (default: 4 GiB or a\n" \
		  "thousand times its compressed size, whichever is larger)" }
#define KMA_ROW_QUIET(s, m, what) \
	{ "quiet", 'q', KMA_OPTION_TO(FLAG, s, m), \
	  .help = "show no progress on the terminal while " what }
/* clang-format on */

struct kma_doc;
struct kma_strbuf;

/* Start the document @name, for example "kmem-account check". */
void kma_text_begin(const struct kma_text_options *text, const char *name, struct kma_doc *doc,
		    struct kma_strbuf *out);

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

/* A text: the address of a source browser. */
struct kma_err *kma_options_source_url(const struct kma_option_given *given, void *member);

#endif /* KMA_CLI_ROWS_H */
