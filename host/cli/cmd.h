/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cmd.h - commands: each only wires the layers together. Options are one table
 * for all commands; a command takes those that name it.
 */
#ifndef KMA_CMD_H
#define KMA_CMD_H

#include "db/db.h"
#include "input/input.h"
#include "lib/err.h"
#include "model/account.h"
#include "model/diff.h"
#include "tree/join.h"
#include "tree/maintainers.h"
#include "view/chart/chart.h"
#include "view/text/view.h"

/* Exit codes of the program. */
enum { KMA_EXIT_OK = 0, KMA_EXIT_DATA = 1, KMA_EXIT_USAGE = 2, KMA_EXIT_THRESHOLD = 3 };

/* Commands, as a set: which commands an option belongs to. */
enum {
	KMA_CMD_REPORT = 1 << 0,
	KMA_CMD_RINGS = 1 << 1,
	KMA_CMD_DIFF = 1 << 2,
	KMA_CMD_DB = 1 << 3,
	KMA_CMD_TREEMAP = 1 << 4,
	KMA_CMD_ICICLE = 1 << 5,
	KMA_CMD_STATIC = 1 << 8,
	KMA_CMD_CHECK = 1 << 9,
	KMA_CMD_OBJECTS = 1 << 10,
	KMA_CMD_TIMELINE = 1 << 11,
};

#define KMA_MAX_ARGS 64

struct kma_options;
struct kma_loaded;

struct kma_cmd {
	const char *name;     /* as typed */
	unsigned int bit;     /* KMA_CMD_* */
	const char *args;     /* what follows the options, for --help */
	unsigned int nr_args; /* at most that many; 1 is the account, which -f may name, too */
	const char *summary;  /* one line for the list of commands */
	const char *examples; /* for --help */
	int (*run)(const struct kma_cmd *cmd, int argc, char **argv); /* gives the exit code */

	/* For kma_cmd_show(): reads the input; NULL is kma_load(), which needs an account. */
	struct kma_err *(*load)(const struct kma_options *opts, struct kma_loaded *ret);

	/*
	 * For kma_cmd_show(): do the options make sense, do they suit the input (both: or
	 * it is bad usage), show it.
	 */
	struct kma_err *(*check)(const struct kma_cmd *cmd, const struct kma_options *opts);
	struct kma_err *(*suits)(const struct kma_cmd *cmd, const struct kma_options *opts,
				 const struct kma_loaded *loaded);
	struct kma_err *(*show)(const struct kma_cmd *cmd, const struct kma_options *opts,
				const struct kma_loaded *loaded);
	enum kma_chart_kind chart; /* of a command that is a kind of picture */
};

extern const struct kma_cmd kma_cmd_report;
extern const struct kma_cmd kma_cmd_rings;
extern const struct kma_cmd kma_cmd_treemap;
extern const struct kma_cmd kma_cmd_icicle;
extern const struct kma_cmd kma_cmd_diff;
extern const struct kma_cmd kma_cmd_db;
extern const struct kma_cmd kma_cmd_static;
extern const struct kma_cmd kma_cmd_check;
extern const struct kma_cmd kma_cmd_objects;
extern const struct kma_cmd kma_cmd_timeline;
extern const struct kma_cmd kma_cmd_record;
extern const struct kma_cmd kma_cmd_latency;
extern const struct kma_cmd kma_cmd_trace_analyze;

#define KMA_MAX_OUTPUTS 8

/* What the command line says. Strings belong to argv. */
struct kma_options {
	const char *account; /* FILE or FILE@LABEL; NULL when not given */
	const char *db_file; /* the same, and has to be a DB file */
	const char *save_db;
	const char *args[KMA_MAX_ARGS];
	unsigned int nr_args;
	const char *tree;
	const char *vmlinux;
	const char *modules;
	const char *maintainers;
	const char *inlines;
	const char *by;
	const char *branch;
	const char *attr;
	const char *sort;
	const char *columns;
	const char *format;
	const char *output;
	const char *title;
	const char *theme;
	const char *show;
	const char *chart;
	const char *render[KMA_MAX_OUTPUTS];
	unsigned int nr_render;
	unsigned long top;
	unsigned long depth;
	unsigned long width;
	unsigned long max_nodes;
	unsigned long points;
	bool plain;
	unsigned long floor;
	unsigned long fail_above;
	bool has_floor;
	bool has_fail_above;
	bool has_to;
	bool malloc, cache, pages, percpu; /* kinds to show; none is all */
	struct kma_interval interval;	   /* of an event log */
	bool image;
	bool bytes;
	bool force;
	bool quiet;
	bool help;
};

/* An account and its tree, ready to be shown. */
struct kma_loaded {
	struct kma_account *account;	     /* what is shown */
	struct kma_account *whole;	     /* as read, when @account is a part of it */
	struct kma_snapshot snapshot;	     /* with an id when it comes from a DB file */
	struct kma_source *source;	     /* NULL when no kernel is there, or of no use */
	bool has_files;			     /* the source, or the account itself, knows files */
	struct kma_maintainers *maintainers; /* of the subsystems in @root, or NULL */
	struct kma_node *root;
	struct kma_node *branch; /* where to begin, in @root */
	struct kma_join_stats stats;
	unsigned int metrics; /* of the tree, beyond those of the account */
	size_t objects;	      /* whose static sizes are in the tree */
};

/**
 * kma_options_parse() - read the command line of a command
 * @cmd: the command
 * @argc: as for main(), the command's name first
 * @argv: as for main()
 * @ret: filled in
 *
 * Return: NULL, or a sentence for the user.
 */
struct kma_err *kma_options_parse(const struct kma_cmd *cmd, int argc, char **argv,
				  struct kma_options *ret);

/**
 * kma_options_help() - print the help of a command on the standard output
 * @cmd: the command
 */
void kma_options_help(const struct kma_cmd *cmd);

/**
 * kma_load() - read the account, find the files of its sites, choose the branch
 * @opts: options
 * @ret: filled in; to be unloaded in any case
 *
 * A kernel that cannot be used is said in words on stderr, and leaves @ret->source
 * NULL: the tree then has callers only, and no branch is taken.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load(const struct kma_options *opts, struct kma_loaded *ret);

/**
 * kma_load_kernel() - find the files of an account's call sites, make its tree
 * @opts: options
 * @ret: account is filled in; source, root, stats and maintainers will be
 *
 * A part of kma_load().
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load_kernel(const struct kma_options *opts, struct kma_loaded *ret);

/**
 * kma_inlines_mode() - what --inlines says
 * @opts: options
 *
 * Return: KMA_INLINES_OUTER by default, KMA_NR_INLINES_MODES if it is none.
 */
enum kma_inlines_mode kma_inlines_mode(const struct kma_options *opts);

/**
 * kma_load_owners() - find the subsystems of files, if rows are by them
 * @opts: options
 * @ret: loaded; again when there are more files in its tree
 *
 * A part of kma_load().
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load_owners(const struct kma_options *opts, struct kma_loaded *ret);

/**
 * kma_wants_static() - is an attribute asked for that only a built tree has?
 * @opts: options; without an account all attributes are of the tree
 *
 * Return: true if -a, -o or --columns name one.
 */
bool kma_wants_static(const struct kma_options *opts);

/**
 * kma_check_static() - is there a built tree, if one is needed?
 * @cmd: the command
 * @opts: options
 *
 * Return: NULL, or a sentence for the user.
 */
struct kma_err *kma_check_static(const struct kma_cmd *cmd, const struct kma_options *opts);

/**
 * kma_load_static() - kma_load(), with static sizes if they are asked for
 * @opts: checked; without an account the tree alone is loaded
 * @ret: filled in; to be unloaded in any case
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load_static(const struct kma_options *opts, struct kma_loaded *ret);

/**
 * kma_join_static() - put static sizes into what was loaded
 * @opts: options, tree is looked at
 * @ret: from kma_load(); metrics and objects are set
 *
 * The tree may be of no use for the log, and still has sizes of its own.
 *
 * Return: NULL or an error. Objects that cannot be read are said on stderr.
 */
struct kma_err *kma_join_static(const struct kma_options *opts, struct kma_loaded *ret);

/**
 * kma_needs_files() - refuse an option that needs to know source files
 * @opts: options
 * @loaded: from kma_load()
 * @option: as typed, "--by dir"; NULL: it was not given
 *
 * Return: NULL, also when a kernel was given and is of no use; or a sentence for the user.
 */
struct kma_err *kma_needs_files(const struct kma_options *opts, const struct kma_loaded *loaded,
				const char *option);

/**
 * kma_by_find() - what a row shall be
 * @opts: options
 * @ret: as --by says; a directory by default, which only files allow
 *
 * Return: NULL, or a sentence for the user.
 */
struct kma_err *kma_by_find(const struct kma_options *opts, enum kma_by *ret);

/**
 * kma_by_suits() - does the input have what --by, --depth and -b ask for?
 * @cmd: the command
 * @opts: options
 * @loaded: from kma_load()
 *
 * Return: NULL, or a sentence for the user.
 */
struct kma_err *kma_by_suits(const struct kma_cmd *cmd, const struct kma_options *opts,
			     const struct kma_loaded *loaded);

/**
 * kma_load_account() - read an account and choose the kinds of sites
 * @opts: options; account, or db_file, is the input
 * @ret: account, whole and snapshot are filled in; to be unloaded in any case
 *
 * A part of kma_load(). Warnings of the account are printed.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load_account(const struct kma_options *opts, struct kma_loaded *ret);

/**
 * kma_warn_account() - say what an account is to be taken with
 * @account: its warnings are printed
 */
void kma_warn_account(const struct kma_account *account);

/**
 * kma_warn_stopped() - say that Ctrl-C has ended an input, if it has
 * @input: was read
 *
 * Return: true if so.
 */
bool kma_warn_stopped(const struct kma_input *input);

/**
 * kma_save_account() - add a snapshot to a DB file
 * @file: FILE or FILE@LABEL
 * @loaded: from kma_load(), or account, whole and snapshot alone
 *
 * All of the account is saved, whatever kinds are shown. What comes from a DB file
 * keeps its time, host and kernel, and its label if @file has none.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_save_account(const char *file, const struct kma_loaded *loaded);

/**
 * kma_cmd_show() - run of a command that reads an account and shows it
 * @cmd: with check and show
 * @argc: as for main(), the command's name first
 * @argv: as for main()
 *
 * Return: the exit code.
 */
int kma_cmd_show(const struct kma_cmd *cmd, int argc, char **argv);

/**
 * kma_write_text() - write what was made to a file or the standard output
 * @text: all of it
 * @path: NULL or "-" is the standard output
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_write_text(const struct kma_strbuf *text, const char *path);

/**
 * kma_report_write() - list a branch and write it as --top, --depth, --format and -O say
 * @opts: options
 * @branch: node to begin at
 * @sort: order of the rows
 * @report: complete but for its rows
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_report_write(const struct kma_options *opts, const struct kma_node *branch,
				 enum kma_metric_id sort, struct kma_report *report);

/**
 * kma_unload() - free all that was loaded
 * @loaded: as filled in by kma_load()
 */
void kma_unload(struct kma_loaded *loaded);

/**
 * kma_release() - release of the kernel
 * @loaded: from kma_load()
 *
 * Return: as the kernel image or the account says, "" when neither does.
 */
const char *kma_release(const struct kma_loaded *loaded);

/**
 * kma_build_id() - build ID of the kernel
 * @loaded: from kma_load()
 *
 * Return: hex digits, as the account or the kernel image says, "" when neither does.
 */
const char *kma_build_id(const struct kma_loaded *loaded);

/**
 * kma_default_attr() - the metric to show when none was asked for
 * @loaded: from kma_load()
 *
 * Return: live bytes, or the first metric that the input has.
 */
enum kma_metric_id kma_default_attr(const struct kma_loaded *loaded);

/**
 * kma_chart_check() - can the pictures that were asked for be made?
 * @cmd: the command
 * @opts: options
 *
 * Return: NULL, or a sentence for the user: no picture, no such kind, no such theme.
 */
struct kma_err *kma_chart_check(const struct kma_cmd *cmd, const struct kma_options *opts);

/**
 * kma_chart_load() - kma_load() for a chart, with static sizes if they are asked for
 * @opts: checked; without an account the chart is of the built tree alone
 * @ret: filled in; to be unloaded in any case
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_chart_load(const struct kma_options *opts, struct kma_loaded *ret);

/**
 * kma_chart_init() - what a chart shows, as far as options and input say
 * @opts: checked
 * @loaded: from kma_load()
 * @ret: all but its metric is set, its kind by --chart alone; what it points at stays with
 *	the two above
 */
void kma_chart_init(const struct kma_options *opts, const struct kma_loaded *loaded,
		    struct kma_chart *ret);

/**
 * kma_chart_has_text() - is a table wanted besides the pictures, or instead of them?
 * @opts: of a command that writes either
 *
 * Return: true without a picture, and when --format or -O asks for it.
 */
bool kma_chart_has_text(const struct kma_options *opts);

/* Two inputs that are drawn as one. */
struct kma_compared {
	const struct kma_loaded *sides[KMA_NR_SIDES];
	const char *about[KMA_NR_SIDES]; /* kernel, when and where it was saved; "" is nothing */
	enum kma_diff_match match;	 /* how callers are compared */
	enum kma_metric_id metric;
	const char *by; /* what the parts are; NULL: directories, files, callers */
};

/**
 * kma_chart_compare() - write a chart of two inputs to each file that was asked for
 * @opts: checked
 * @both: the inputs
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_chart_compare(const struct kma_options *opts, const struct kma_compared *both);

/**
 * kma_chart_write() - write a chart to each file that was asked for
 * @opts: options
 * @chart: what to draw
 *
 * Return: NULL or an error: also when there is nothing to draw.
 */
struct kma_err *kma_chart_write(const struct kma_options *opts, const struct kma_chart *chart);

/**
 * kma_program() - what the program was called by
 *
 * Return: "kmem-account", or the name of a link that is a command of its own.
 */
const char *kma_program(void);

/**
 * kma_program_set() - say what the program was called by
 * @name: stays with the caller
 */
void kma_program_set(const char *name);

/**
 * kma_signals_init() - end in order when told to, or when a mapped file is cut
 *
 * See signals.c. Signals that are ignored stay so.
 */
void kma_signals_init(void);

/**
 * kma_warn() - print one line on stderr
 * @fmt: printf format of a sentence
 */
void kma_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * kma_fail() - print an error on stderr and free it
 * @err: the error, may be NULL
 * @code: exit code for an error
 *
 * Return: @code, or KMA_EXIT_OK when @err is NULL.
 */
int kma_fail(struct kma_err *err, int code);

#endif /* KMA_CMD_H */
