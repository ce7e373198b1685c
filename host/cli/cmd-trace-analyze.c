// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-trace-analyze.c - trace_analyze: do what the script trace_analyze.py did, with the code of
 * this program. Account, callers and chart come from one tree, which has the static sizes of the
 * kernel's objects in addition to its call sites. So static and live bytes add up, and a directory
 * that allocates nothing is also a branch.
 *
 * getopt cannot parse the script's command line, because -r may be given without a name before
 * another option or at the end (`-r -a waste`). Attributes and orders have the names of the script,
 * with the spelling of its documentation (total_dyamic); the names of this program are accepted as
 * well.
 */
#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cmd.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/err.h"
#include "lib/escape.h"
#include "lib/file.h"
#include "lib/option.h"
#include "lib/say.h"
#include "lib/strbuf.h"
#include "lib/unpack.h"
#include "model/account.h"
#include "rows.h"
#include "session/charts.h"
#include "session/load.h"
#include "session/options.h"
#include "tree/node.h"
#include "view/chart/chart.h"
#include "view/picture.h"
#include "view/text/list.h"
#include "view/text/view.h"

/*
 * The two text files of the script trace_analyze: the account file, which other scripts
 * read, and the callers file.
 *
 * The account file has the same form as that of the script, to the byte:
 *
 *	current bytes allocated:     669696
 *	current bytes requested:     618823
 *	current wasted bytes:         50873
 *	number of allocs:              7649
 *	number of frees:               2563
 *	number of callers:              115
 *
 *	   total    waste      net alloc/free  caller
 *	---------------------------------------------
 *	  299200        0   298928  1100/1     alloc_inode+0x4f
 *
 * total is the number of bytes ever allocated, net the live bytes. The callers file has a line for
 * each caller: its name (60 columns), live bytes, wasted bytes, source file.
 *
 * In both files, a number that the input does not have is "-", never 0. The name of a caller has
 * no size of the function, unless two callers would then have the same name. If the names are
 * still the same, and the callers are in different files, the name of the file follows. Each
 * caller of the branch that allocated has a line, and the header has their sums. As in the
 * script, the free of an object whose allocation the input does not have is not counted, and a
 * caller with only such frees has no line. A caller that allocates by kmalloc and from a cache has
 * one line.
 *
 * Write the text files of trace_analyze.
 */

struct kma_seed {
	const struct kma_node *branch; /* branch of the callers */
	unsigned int metrics;	       /* metrics that the input has, 1 << enum kma_metric_id */
	enum kma_metric_id
		order;	    /* order, largest first; callers with equal values are sorted by name */
	bool drops_unknown; /* leave out frees of unknown objects; needs allocs and objects */
};

struct kma_seed_row {
	const struct kma_node *node; /* the caller */
	struct kma_values values;    /* numbers by the rules of the script */
	char *text;		     /* text in the output */
};

struct kma_seed_rows {
	struct kma_seed_row *rows;
	size_t nr;
	size_t alloc;
	struct kma_values sum;
};

/* Bytes of one number of a line with its zero; "-" if the input does not have the number. */
#define KMA_CELL 24

static void seed_rows_deinit(struct kma_seed_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		free(rows->rows[i].text);
	free(rows->rows);
}

/* Returns a caller without the size of its function: alloc_inode+0x4f. To be freed. */
static char *seed_short(const char *caller)
{
	_cleanup_free_ char *pieces = kma_xstrdup(caller);
	struct kma_site site;

	kma_site_parse(pieces, &site);
	if (!site.symbol)
		return kma_xstrdup(caller);
	return kma_xasprintf("%s+0x%" PRIx64 "%s%s%s", site.symbol, site.offset,
			     site.module ? " [" : "", site.module ?: "", site.module ? "]" : "");
}

/*
 * The numbers of a caller without the frees of objects whose allocation the input does not have.
 * Each of the caller's other objects was allocated and is either live or freed. Pages may be freed
 * in parts, so more parts may be freed or live than were allocated; the frees of such a caller are
 * kept.
 */
static struct kma_values seed_values(const struct kma_seed *seed, const struct kma_node *node)
{
	struct kma_values values = *node->values;

	if (seed->drops_unknown && values.objects <= values.allocs &&
	    values.allocs - values.objects < values.frees)
		values.frees = values.allocs - values.objects;
	return values;
}

static void seed_add(struct kma_seed_rows *rows, const struct kma_seed *seed,
		     const struct kma_node *node)
{
	struct kma_values values = seed_values(seed, node);

	/* The caller only freed unknown objects: it has no line. */
	if (seed->drops_unknown && !values.allocs && !values.objects)
		return;
	kma_array_room(rows->rows, rows->nr, rows->alloc);
	rows->rows[rows->nr++] = (struct kma_seed_row){ node, values, seed_short(node->name) };
	kma_values_add(&rows->sum, &values);
}

static void seed_walk(struct kma_seed_rows *rows, const struct kma_seed *seed,
		      const struct kma_node *node)
{
	if (node->kind == KMA_NODE_CALLER) {
		seed_add(rows, seed, node);
		return;
	}
	for (size_t i = 0; i < node->nr_children; i++)
		seed_walk(rows, seed, node->children[i]);
}

static int cmp_text(const void *a, const void *b)
{
	const struct kma_seed_row *x = a, *y = b;

	return strcmp(x->text, y->text);
}

static int cmp_caller(const void *a, const void *b)
{
	const struct kma_node *x = ((const struct kma_seed_row *)a)->node;
	const struct kma_node *y = ((const struct kma_seed_row *)b)->node;

	return strcmp(x->name, y->name) ?: (x->parent > y->parent) - (x->parent < y->parent);
}

/* Joins the rows of a caller that allocates by kmalloc and from a cache, which has two nodes. */
static void seed_join(struct kma_seed_rows *rows)
{
	size_t nr = 0;

	if (rows->nr)
		qsort(rows->rows, rows->nr, sizeof(*rows->rows), cmp_caller);
	for (size_t i = 0; i < rows->nr; i++) {
		if (nr && !cmp_caller(&rows->rows[nr - 1], &rows->rows[i])) {
			kma_values_add(&rows->rows[nr - 1].values, &rows->rows[i].values);
			free(rows->rows[i].text);
		} else {
			rows->rows[nr++] = rows->rows[i];
		}
	}
	rows->nr = nr;
}

/* Returns the file of a caller, or its row in brackets; "-" if no kernel was given. To be freed. */
static char *seed_place(const struct kma_node *node)
{
	return node->parent->parent ? kma_node_path(node->parent) : kma_xstrdup("-");
}

/* Adds to the text of a caller that has the same text as another caller. */
static void seed_extend(struct kma_seed_row *row, bool with_place)
{
	_cleanup_free_ char *place = seed_place(row->node);
	char *text;

	if (!with_place || !strcmp(place, "-"))
		text = kma_xstrdup(row->node->name);
	else
		text = kma_xasprintf("%s %s", row->node->name, place);
	free(row->text);
	row->text = text;
}

static void seed_tell_apart(struct kma_seed_rows *rows, bool with_place)
{
	size_t end;

	if (rows->nr)
		qsort(rows->rows, rows->nr, sizeof(*rows->rows), cmp_text);
	for (size_t i = 0; i < rows->nr; i = end) {
		bool differ = !with_place;

		for (end = i + 1; end < rows->nr; end++) {
			if (strcmp(rows->rows[i].text, rows->rows[end].text))
				break;
			differ |= rows->rows[i].node->parent != rows->rows[end].node->parent;
		}
		for (size_t k = i; differ && end - i > 1 && k < end; k++)
			seed_extend(&rows->rows[k], with_place);
	}
}

static int cmp_order(const void *a, const void *b, void *arg)
{
	const struct kma_seed_row *x = a, *y = b;
	const struct kma_metric *metric = arg;
	int cmp = metric->compare(&x->values, &y->values);

	return cmp ? cmp : strcmp(x->text, y->text);
}

static void seed_rows_init(struct kma_seed_rows *rows, const struct kma_seed *seed)
{
	memset(rows, 0, sizeof(*rows));
	seed_walk(rows, seed, seed->branch);
	/* /proc/allocinfo, which counts no frees, may have two lines for one caller. */
	if (seed->metrics & 1U << KMA_FREES)
		seed_join(rows);
	seed_tell_apart(rows, false);
	seed_tell_apart(rows, true);
	if (rows->nr)
		qsort_r(rows->rows, rows->nr, sizeof(*rows->rows), cmp_order,
			(void *)&kma_metrics[seed->order]);
}

static char *seed_cell(const struct kma_seed *seed, enum kma_metric_id id,
		       const struct kma_values *values, char *buf)
{
	if (seed->metrics & 1U << id)
		snprintf(buf, KMA_CELL, "%" PRIu64, kma_metrics[id].get(values));
	else
		strcpy(buf, "-");
	return buf;
}

static void seed_header(const struct kma_seed *seed, const struct kma_seed_rows *rows,
			struct kma_strbuf *out)
{
	static const struct {
		const char *key;
		enum kma_metric_id id;
	} lines[] = {
		{ "current bytes allocated:", KMA_CURRENT },
		{ "current bytes requested:", KMA_REQUESTED },
		{ "current wasted bytes:", KMA_WASTE },
		{ "number of allocs:", KMA_ALLOCS },
		{ "number of frees:", KMA_FREES },
	};
	char cell[KMA_CELL];

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		kma_strbuf_printf(out, "%-24s %10s\n", lines[i].key,
				  seed_cell(seed, lines[i].id, &rows->sum, cell));
	kma_strbuf_printf(out, "%-24s %10zu\n\n", "number of callers:", rows->nr);
	kma_strbuf_puts(out, "   total    waste      net alloc/free  caller\n"
			     "---------------------------------------------\n");
}

/* The account file, and the callers file. */
static void seed_account(const struct kma_seed *seed, struct kma_strbuf *out)
{
	struct kma_seed_rows rows;

	seed_rows_init(&rows, seed);
	seed_header(seed, &rows, out);
	for (size_t i = 0; i < rows.nr; i++) {
		const struct kma_values *values = &rows.rows[i].values;
		char total[KMA_CELL], waste[KMA_CELL], net[KMA_CELL], alloc[KMA_CELL],
			freed[KMA_CELL];

		kma_strbuf_printf(out, "%8s %8s %8s %5s/%-5s ",
				  seed_cell(seed, KMA_TOTAL, values, total),
				  seed_cell(seed, KMA_WASTE, values, waste),
				  seed_cell(seed, KMA_CURRENT, values, net),
				  seed_cell(seed, KMA_ALLOCS, values, alloc),
				  seed_cell(seed, KMA_FREES, values, freed));
		kma_escape_plain(out, rows.rows[i].text);
		kma_strbuf_puts(out, "\n");
	}
	seed_rows_deinit(&rows);
}

static void seed_callers(const struct kma_seed *seed, struct kma_strbuf *out)
{
	struct kma_seed_rows rows;

	seed_rows_init(&rows, seed);
	for (size_t i = 0; i < rows.nr; i++) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };
		_cleanup_free_ char *place = seed_place(rows.rows[i].node);
		const struct kma_seed_row *row = &rows.rows[i];
		char net[KMA_CELL], waste[KMA_CELL];

		kma_escape_plain(&text, row->text);
		kma_strbuf_printf(out, "%-60s %-8s %-8s ", text.str ?: "",
				  seed_cell(seed, KMA_CURRENT, &row->values, net),
				  seed_cell(seed, KMA_WASTE, &row->values, waste));
		kma_escape_plain(out, place);
		kma_strbuf_puts(out, "\n");
	}
	seed_rows_deinit(&rows);
}

/*
 * Open a file with a program of the desktop.
 */

#define KMA_VIEWER_WORDS 16

/* Programs of desktops, in the form of $BROWSER. */
static const char viewers[] = "xdg-open:gio open:kde-open:open";

/* Runs a program and waits for it; true if it exists and succeeds. */
static bool viewer_run(char **argv)
{
	int status;
	pid_t pid;

	if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ))
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Tries one program of the list: words separated by spaces; %s is the file, else it is appended. */
static bool viewer_try(char *command, const char *path)
{
	char *argv[KMA_VIEWER_WORDS + 2], *save = NULL, *word;
	bool placed = false;
	size_t nr = 0;

	for (word = strtok_r(command, " ", &save); word && nr < KMA_VIEWER_WORDS;
	     word = strtok_r(NULL, " ", &save)) {
		bool here = !strcmp(word, "%s");

		argv[nr++] = here ? (char *)path : word;
		placed |= here;
	}
	if (!nr)
		return false;
	if (!placed)
		argv[nr++] = (char *)path;
	argv[nr] = NULL;
	return viewer_run(argv);
}

/*
 * Open a file. The programs of $BROWSER are tried if it is set (a list with colons, %s is the
 * file), then xdg-open, gio open and others, until one exits with status 0. They are not run by
 * a shell.
 */
static struct kma_err *viewer_open(const char *path)
{
	_cleanup_strbuf_ struct kma_strbuf list = { 0 };
	const char *browser = getenv("BROWSER");
	char *save = NULL, *command;

	kma_strbuf_printf(&list, "%s:%s", browser ?: "", viewers);
	for (command = strtok_r(list.str, ":", &save); command;
	     command = strtok_r(NULL, ":", &save))
		if (viewer_try(command, path))
			return NULL;
	return kma_err_create(
		path, 0, "no program found that opens this file (tried $BROWSER and %s)", viewers);
}

#define KMA_CHART	 "rings.png"
#define KMA_CHART_STATIC "rings_static.png"

/* The options of the command line. */
struct kma_trace_options {
	/* Its metric is that of the chart. If its account is NULL, there is a tree. */
	struct kma_load_options load;
	struct kma_chart_options chart;
	enum kma_metric_id sort; /* the order of the account; valid with has_sort */
	bool has_sort;
	const char *account_file; /* file to write; NULL: not requested; the same below */
	const char *callers_file;
	const char *rings_file;
	bool rings; /* a chart is requested, with or without a name */
	bool show;  /* open the chart */
};

#define KMA_ARGS struct kma_trace_options

/* Converts a name of a metric. Some metrics have other names in the script. */
static struct kma_err *trace_metric(const struct kma_option_given *given, void *member)
{
	static const struct {
		const char *name;
		enum kma_metric_id metric;
	} names[] = {
		{ "total_dyamic", KMA_TOTAL },
		{ "alloc_count", KMA_ALLOCS },
		{ "free_count", KMA_FREES },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(given->value, names[i].name)) {
			*(enum kma_metric_id *)member = names[i].metric;
			return NULL;
		}
	return kma_options_metric(given, member);
}

/* The words of the script's help, for completion. Other metrics are accepted, too. */
static const char *const trace_attr_words[] = { "current", "static", "waste", "current_dynamic",
						"total_dynamic" };
static const char *const trace_order_words[] = { "current_dynamic", "total_dynamic", "alloc_count",
						 "free_count", "waste" };

/* clang-format off */
static const struct kma_option trace_table[] = {
	{ "kernel", 'k', .arg = "DIR", TO(TEXT, load.kernel.tree),
	  .help = "built kernel tree; without a log, the current directory" },
	{ "file", 'f', .arg = "LOG", TO(TEXT, load.account), .excludes = "db-file",
	  .help = "log of kmem events, or any account; - is the standard\n"
		  "input; without one, static sizes are shown" },
	{ "account-file", 'c', .arg = "FILE", TO(TEXT, account_file), .needs = "file db-file",
	  .help = "write an account: a line for each caller" },
	{ "callers-file", 'l', .arg = "FILE", TO(TEXT, callers_file), .needs = "file db-file",
	  .help = "write the callers with their source files" },
	{ "rings-file", 'r', .optional = true, .arg = "[FILE]", TO(TEXT, rings_file), .given = AT(rings),
	  .help = "draw a ring chart, FILE.png or FILE.svg (rings.png)" },
	{ "rings-show", 'i', TO(FLAG, show),
	  .help = "open the chart with the desktop's viewer" },
	{ "rings-attr", 'a', .arg = "ATTR", .type = KMA_OPTION_OWN, .convert = trace_metric,
	  .member = AT(load.attr), .given = AT(load.has_attr), KMA_OPTION_NAMES(trace_attr_words),
	  .help = "what the chart shows: current, static, waste,\n"
		  "current_dynamic (default), total_dynamic" },
	{ "start-branch", 'b', .arg = "BRANCH", TO(TEXT, load.branch),
	  .help = "only what is in this directory (fs, fs/ext2)" },
	{ "order-by", 'o', .arg = "ORDER", .type = KMA_OPTION_OWN, .convert = trace_metric,
	  .member = AT(sort), .given = AT(has_sort), KMA_OPTION_NAMES(trace_order_words),
	  .help = "order of the account: current_dynamic (default),\n"
		  "total_dynamic, alloc_count, free_count, waste" },
	{ "malloc", TO(BITS, load.kinds), .min = 1 << KMA_KIND_KMALLOC,
	  .help = "only what kmalloc allocated" },
	{ "cache", TO(BITS, load.kinds), .min = 1 << KMA_KIND_CACHE,
	  .help = "only what kmem_cache_alloc allocated" },
	{ "save-db", .arg = "FILE", TO(TEXT, load.save_db), .needs = "file db-file",
	  .help = "save the account of the log in a DB file" },
	{ "db-file", .arg = "FILE", TO(TEXT, load.db_file),
	  .help = "use a DB file instead of the log" },
	KMA_ROW_MAX_INPUT,
	{ "help", 'h', .type = KMA_OPTION_FLAG,
	  .help = "this text" },
	{ .name = NULL },
};
/* clang-format on */

struct kma_trace {
	const struct kma_trace_options *opts;
	struct kma_loaded loaded;
	char *chart;			   /* path of the picture; NULL: none */
	const struct kma_picture *picture; /* its kind */
};

static bool trace_has_log(const struct kma_trace_options *opts)
{
	return opts->load.account || opts->load.db_file;
}

/* Chooses path and kind of the chart. A name without an extension gets .png, as by matplotlib. */
static struct kma_err *trace_plan(struct kma_trace *trace)
{
	const struct kma_trace_options *opts = trace->opts;
	const char *name = opts->rings_file, *base;

	if (trace_has_log(opts) && !opts->rings && !opts->show)
		return NULL;
	if (!name)
		name = trace_has_log(opts) ? KMA_CHART : KMA_CHART_STATIC;
	base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	trace->chart = kma_xasprintf("%s%s", name, *base && !strchr(base, '.') ? ".png" : "");
	return kma_picture_for(trace->chart, &trace->picture);
}

/* Loads the input. A branch needs files, so it needs a kernel. */
static struct kma_err *trace_load(struct kma_trace *trace)
{
	const struct kma_load_options *opts = &trace->opts->load;
	struct kma_err *err = kma_load(opts, &trace->loaded);

	/* The script's only kernel is a built tree: the message must not offer --vmlinux. */
	if (kma_err_is(err, KMA_ERR_USAGE) && opts->branch && trace->loaded.account &&
	    !opts->kernel.tree) {
		kma_err_destroy(err);
		return kma_err_create(NULL, 0, "-b %s needs -k DIR", opts->branch);
	}
	if (err || !opts->branch || trace->loaded.has_files)
		return err;
	return kma_err_create(
		opts->kernel.tree, 0,
		"cannot find source files by this tree, so branch '%s' is not available",
		opts->branch);
}

/* Does the account count frees of unknown objects? They are also in the callers' frees. */
static bool trace_drops_unknown(const struct kma_account *account)
{
	unsigned int needs = 1U << KMA_ALLOCS | 1U << KMA_FREES | 1U << KMA_OBJECTS;
	uint64_t frees;

	return (kma_account_metrics(account) & needs) == needs &&
	       kma_account_loss(account, KMA_LOSS_UNKNOWN_FREES, &frees) && frees;
}

/* Writes one of the text files. */
static struct kma_err *trace_text(const struct kma_trace *trace, const char *path,
				  void (*make)(const struct kma_seed *seed, struct kma_strbuf *out))
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_seed seed = {
		.branch = trace->loaded.branch,
		.metrics = kma_account_metrics(trace->loaded.account),
		.drops_unknown = trace_drops_unknown(trace->loaded.account),
	};
	struct kma_err *err;

	seed.order = trace->opts->has_sort ? trace->opts->sort : trace->loaded.attr;
	err = kma_metric_check(1U << seed.order, seed.metrics);
	if (err)
		return err;
	make(&seed, &text);
	return kma_outfile_write(path, &text);
}

static struct kma_err *trace_rings(const struct kma_trace *trace)
{
	_cleanup_strbuf_ struct kma_strbuf bytes = { 0 };
	const struct kma_load_options *opts = &trace->opts->load;
	const struct kma_loaded *loaded = &trace->loaded;
	struct kma_chart chart;
	struct kma_err *err;

	kma_chart_init(&trace->opts->chart, loaded, &chart);
	chart.metric = opts->has_attr ? opts->attr : loaded->attr;
	err = kma_metric_check(1U << chart.metric, chart.metrics);
	if (err)
		return err;
	if (!kma_metrics[chart.metric].get(chart.branch->values))
		return kma_err_create(opts->branch ?: kma_account_name(loaded->account), 0,
				      "nothing to draw: no %s in this input",
				      kma_metrics[chart.metric].what);
	if (!(KMA_TREE_METRICS >> chart.metric & 1))
		chart.objects = 0;
	err = kma_picture_write(trace->picture, &chart, &bytes);
	return err ? err : kma_outfile_write(trace->chart, &bytes);
}

/* Prints the static sizes by directory. */
static struct kma_err *trace_list(const struct kma_trace *trace)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const struct kma_list list = {
		.branch = trace->loaded.branch,
		.sort = KMA_STATIC,
		.format = KMA_FORMAT_TABLE,
	};
	const struct kma_report report = {
		.account = trace->loaded.account,
		.metrics = KMA_STATIC_METRICS,
		.by = KMA_BY(KMA_KEY_DIR),
		.attr = KMA_STATIC,
		.bytes = true,
		.has_source = true,
		.release = trace->loaded.release,
		.branch = trace->opts->load.branch ?: "",
	};

	kma_list_write(&list, &report, &text);
	return kma_outfile_write(NULL, &text);
}

/* Prints the lost events, for which the script's account file has no line. */
static void trace_say_losses(const struct kma_trace *trace)
{
	const struct kma_account *account = trace->loaded.account;
	uint64_t events;

	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(account, id, &events) && events)
			kma_warn("%s: %s: %" PRIu64, kma_account_name(account),
				 kma_losses[id].title, events);
}

static struct kma_err *trace_show(const struct kma_trace *trace)
{
	const struct kma_trace_options *opts = trace->opts;
	struct kma_err *err = NULL;

	trace_say_losses(trace);
	if (!trace_has_log(opts))
		err = trace_list(trace);
	else if (opts->account_file ||
		 (!opts->callers_file && !trace->chart && !opts->load.save_db))
		err = trace_text(trace, opts->account_file, seed_account);
	if (err)
		return err;
	if (opts->callers_file) {
		err = trace_text(trace, opts->callers_file, seed_callers);
		if (err)
			return err;
	}
	if (trace->chart) {
		err = trace_rings(trace);
		if (err)
			return err;
		if (!opts->rings_file || strcmp(trace->chart, opts->rings_file))
			kma_warn("the chart is in %s", trace->chart);
	}
	/* The chart was written; failing to show it is not an error. */
	if (opts->show)
		kma_fail(viewer_open(trace->chart), KMA_EXIT_OK);
	return NULL;
}

static struct kma_err *trace_outputs(const struct kma_trace *trace)
{
	const struct kma_option_output list[] = {
		{ "-c", trace->opts->account_file },
		{ "-l", trace->opts->callers_file },
		{ "-r", trace->chart },
	};

	return kma_option_outputs(NULL, list, ARRAY_SIZE(list));
}

static int main_trace_analyze(int argc, char **argv)
{
	struct kma_trace_options opts = {
		.load = { .by = KMA_BY(KMA_KEY_DIR), .sizes = KMA_SIZES_IF_THERE },
		.chart = { .levels = 5, .width = KMA_CHART_WIDTH },
	};
	struct kma_trace trace = { .opts = &opts };
	struct kma_load_options *load = &opts.load;
	struct kma_err *err;
	int first, code;

	err = kma_option_read(&kma_cmd_trace_analyze, argc, argv, &opts, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	opts.chart.file = load->account;
	load->asks_tree = load->has_attr && KMA_TREE_METRICS >> load->attr & 1;
	/* Without a log, the static sizes of a tree are shown, so a tree is needed. */
	if (!load->account && !load->db_file && !load->kernel.tree)
		load->kernel.tree = ".";
	err = trace_plan(&trace) ?: trace_outputs(&trace);
	if (err)
		code = kma_fail(err, KMA_EXIT_USAGE);
	else
		code = kma_fail(trace_load(&trace) ?: trace_show(&trace), KMA_EXIT_DATA);
	if (!code && trace.loaded.unsaved)
		code = KMA_EXIT_DATA;
	kma_unload(&trace.loaded);
	free(trace.chart);
	return code;
}

const struct kma_cmd kma_cmd_trace_analyze = {
	.name = "trace-analyze",
	.bare = true,
	.summary = "Do the work of trace_analyze.py, with the same options.",
	.program = "trace_analyze",
	.usage = "[OPTION...]",
	.about = "Show what a kernel allocates, and its static sizes.",
	.examples = "  trace_analyze -k linux -b fs/ext2 -r ext2.png\n"
		    "  trace_analyze -k linux -f kmem.log -c account.txt -o waste --malloc\n"
		    "  trace_analyze -k linux -f kmem.log -r fs.png -a waste -b fs\n"
		    "  trace_analyze -k linux -f kmem.log --save-db db\n"
		    "  trace_analyze -k linux --db-file db -r rings.png -c account.txt\n",
	.options = trace_table,
	.stops = true,
	.width = 24,
	.main = main_trace_analyze,
};
