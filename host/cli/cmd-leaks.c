// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-leaks.c - kmem-account leaks: a verdict for each call site, from accounts of several times.
 *
 * The accounts come from one of four sources: files and DB files, a history, a workload that is run
 * here, or a Prometheus. They become a series (model/leak-series.h), each site is judged
 * (session/suspects.h), and the rows are ranked by verdict and growth.
 *
 * The time of an input is the first of these that is known: its place on the command line times
 * --interval; the moment in a snapshot of the module; the time of a snapshot in a DB file; the
 * modification time of the file, with a note. Several reports of one text have the times in the
 * text (reader/stamp.h), if each has one.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "leaks-judge.h"
#include "leaks-picture.h"
#include "leaks-scan.h"
#include "leaks-text.h"
#include "leaks-workload.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/module-files.h"
#include "lib/notes.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/unpack.h"
#include "model/account.h"
#include "model/filter.h"
#include "model/leak-series.h"
#include "model/leak.h"
#include "model/merge.h"
#include "model/moment.h"
#include "model/regroup.h"
#include "model/restack.h"
#include "open/open.h"
#include "open/past.h"
#include "open/refuse.h"
#include "prometheus/scrapes.h"
#include "rows.h"
#include "session/charts.h"
#include "session/load.h"
#include "session/options.h"
#include "store/when.h"
#include "tree/kernel.h"
#include "tree/key.h"
#include "tree/maintainers.h"
#include "tree/only.h"
#include "tree/source.h"

/* Adds all rows. Sets the number of each in @merge. */
static struct kma_err *add_rows(struct kma_merge *merge, const struct kma_account *account,
				const struct kma_keys *keys, struct kma_maintainers *maintainers,
				uint32_t *numbers)
{
	bool kinds = kma_keys_have(keys, KMA_KEY_CALLER) || kma_keys_have(keys, KMA_KEY_KIND);
	struct kma_arena arena = { 0 };
	const struct kma_key_ask ask = { .keys = keys, .arena = &arena };
	const struct kma_site *sites;
	struct kma_err *err = NULL;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr && !err; i++) {
		const struct kma_site *site = &sites[i];
		struct kma_item item;

		kma_item_of_site(site, maintainers, &arena, &item);
		/* Without the functions that were inlined, which not each account has. */
		item.name = site->caller;
		err = kma_merge_add(merge, kma_keys_of_item(&item, &ask),
				    kinds ? site->kind : KMA_KIND_UNKNOWN, &site->values);
		if (err)
			break;
		if (site->cache)
			kma_merge_set_cache(merge, site->cache, site->caches);
		numbers[i] = kma_merge_last(merge);
	}
	kma_arena_deinit(&arena);
	return err;
}

/*
 * Makes an account whose rows are texts of keys: those of kma_keys_text(), with the cache of their
 * rows and no group. With caller among the keys, a caller has a row for each of its kinds. Head and
 * ages are those of @account; peaks do not add up, so there are none.
 */
static struct kma_err *rekey(const struct kma_account *account, const struct kma_keys *keys,
			     struct kma_maintainers *maintainers, struct kma_account **ret)
{
	_cleanup_free_ uint32_t *numbers = NULL;
	struct kma_account *to = kma_account_create(kma_account_name(account));
	struct kma_merge *merge = kma_merge_create();
	const struct kma_site *sites;
	struct kma_err *err;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	numbers = kma_xcalloc(nr + 1, sizeof(*numbers));
	kma_account_copy_head(account, to);
	kma_account_set_metrics(to, kma_account_metrics(account) & ~(1U << KMA_PEAK));
	err = add_rows(merge, account, keys, maintainers, numbers) ?: kma_merge_close(merge, to);
	for (size_t i = 0; i < nr && !err; i++)
		if (sites[i].age)
			kma_account_add_age(to, kma_merge_site(merge, numbers[i]), sites[i].age);
	if (!err)
		err = kma_account_finish(to);
	kma_merge_destroy(merge);
	if (err)
		kma_account_destroy(to);
	else
		*ret = to;
	return err;
}

/* Most samples of a history or a Prometheus: enough for any trend, and limited in memory. */
#define KMA_LEAKS_SAMPLES 288
#define KMA_LEAKS_DAY	  86400

struct leaks_args {
	struct kma_load_options load; /* the kernel, the rows */
	struct kma_text_options text;
	struct kma_chart_options chart;
	char *const *inputs;
	unsigned int nr_inputs;
	const char *from, *to;		/* of a history or a Prometheus, as typed */
	uint64_t every;			/* ns between inputs; 0: the inputs have times */
	uint64_t floor;			/* bytes per hour; less is not a leak */
	uint64_t available;		/* bytes of free memory, for a forecast; 0: unknown */
	unsigned int fail_on;		/* enum kma_leak_verdict; valid with has_fail_on */
	const char *workload;		/* command of a workload; NULL: none */
	unsigned long samples;		/* number of samples of the workload */
	const char *scan;		/* file of a scan of the heap; NULL: none */
	const char *prometheus, *match; /* a server's address, labels of its series */
	bool has_fail_on;
	bool probe; /* drop the kernel's caches before each sample */
};

#define KMA_ARGS struct leaks_args

/* clang-format off */
static const struct kma_option options[] = {
	KMA_OPTION_HEADING("Input"),
	{ "interval", .arg = "S", TO(TIME, every), .min = 1, .max = KMA_OPTION_SECONDS_MAX,
	  .scale = KMA_OPTION_SECOND, .unit = "seconds",
	  .help = "assume that the inputs are S seconds apart, in the order given\n"
		  "(default: use the time in the snapshot, or else of the file)" },
	KMA_ROWS_TIMES(from, to,
		       "of a history, and with --prometheus: use the samples from TIME on, for\n"
		       "example 09:00, -6h or \"yesterday 14:00\" (default: the last day)",
		       "of a history, and with --prometheus: use the samples up to TIME\n"
		       "(default: the newest)"),
	KMA_ROW_PAGE_SIZE(load.page_size),
	{ "prometheus", .arg = "URL", TO(TEXT, prometheus), .excludes = "workload interval",
	  .help = "judge the series of kmem-account serve that the Prometheus server at\n"
		  "URL has stored (default: the last day; see --from and --to)" },
	{ "match", .arg = "LABELS", TO(TEXT, match), .needs = "prometheus",
	  .help = "for --prometheus: take the series of one machine, for example\n"
		  "'instance=\"host:9770\"'" },
	KMA_OPTION_HEADING("Workload"),
	{ "workload", .arg = "CMD", TO(TEXT, workload), .excludes = "interval from to",
	  .help = "run CMD in a shell repeatedly, sample the running kernel (or INPUT)\n"
		  "between the runs, and judge the call sites by these samples" },
	{ "samples", 'n', .arg = "N", TO(COUNT, samples), .needs = "workload",
	  .min = KMA_LEAK_MIN_SAMPLES, .max = 100000, .unit = "samples",
	  .help = "for --workload: take N samples (default 36); between two samples, CMD\n"
		  "runs twice on average" },
	{ "probe", TO(FLAG, probe), .needs = "workload",
	  .help = "for --workload: drop the kernel's caches before each sample, so that\n"
		  "caches do not look like leaks" },
	KMA_OPTION_HEADING("Verdicts"),
	{ "by", .arg = "KEY", OWN(keys, load.by), KMA_OPTION_NAMES(kma_keys),
	  .given = AT(load.has_by), .min = KMA_KEYS_IN_ROWS,
	  .help = "judge each caller (default), or what a row of report by these keys is,\n"
		  "as module or cgroup,caller" },
	KMA_ROWS_ONLY(load.only),
	{ "floor", .arg = "BYTES", TO(SIZE, floor), .max = INT64_MAX,
	  .help = "ignore growth of up to BYTES an hour (default 4096)" },
	{ "available", .arg = "BYTES", TO(SIZE, available), .max = INT64_MAX,
	  .help = "estimate when a leak exhausts BYTES of memory (for example MemAvailable)" },
	/* a scan has no cgroups, and its objects need not be of a workload */
	{ "scan", .arg = "FILE", TO(TEXT, scan), .excludes = "by only not workload prometheus",
	  .help = "take FILE of kmem-account scan as evidence: a call site with lost\n"
		  "objects is a leak, and the reasons of others name what holds them" },
	{ "fail-on", .arg = "VERDICT", TO_NAME(fail_on, kma_leak_verdicts), .given = AT(has_fail_on),
	  .help = "exit with status 3 if a call site has this verdict: leak, growing,\n"
		  "filling, cache, too-early, falling or plateau" },
	KMA_OPTION_HEADING("Kernel"),
	KMA_ROWS_KERNEL_OWNERS(load.kernel),
	KMA_OPTION_HEADING("Output"),
	KMA_ROW_TOP_OF("20", text),
	KMA_ROWS_TEXT(text, NULL),
	KMA_ROWS_CURVES(chart),
	KMA_ROWS_END(load.quiet),
};
/* clang-format on */

struct kma_leaks {
	const struct leaks_args *args;
	struct kma_leak_series *series;
	struct kma_workload_turns turns; /* of a workload and its control in the series */
	struct kma_leak_table table;
	struct kma_scan scan;	  /* of --scan; rows of @table have its texts */
	struct kma_loaded newest; /* newest account with its kernel; the series owns the account */
	bool has_kernel;	  /* @newest has the kernel */
	size_t selected;	  /* call sites that the rules select, in all accounts */
	size_t inputs;		  /* number of inputs that were opened */
	bool by_files;		  /* the time of an input is that of its file */
	const char *clock;	  /* which times of the last text its reports have; NULL: none */
	struct kma_notes notes;	  /* printed also before an error */
};

/* Sets the time of a report of a text that has several. */
static struct kma_err *time_of_report(struct kma_leaks *leaks, const struct kma_series *series,
				      double *ret)
{
	_cleanup_free_ double *times = kma_xcalloc(series->reports.nr, sizeof(*times));
	const struct kma_reports *reports = &series->reports;
	enum kma_clock clock;
	size_t which;

	if (!kma_stamps_choose(reports->stamps, reports->nr_list, times, &clock, &which))
		return !which ?
			       kma_err_create(series->name, 0,
					      "%u reports without a time; use --interval S",
					      reports->nr) :
			       kma_err_create(
				       series->name, 0,
				       "report %zu of %u has no time after that of the report before it; use --interval S",
				       which + 1, reports->nr);
	*ret = times[reports->next - 1];
	leaks->clock = kma_clocks[clock];
	return NULL;
}

/* Sets the time of an input in seconds, -1 if the account has its moment. @place is its number. */
static struct kma_err *leaks_time(struct kma_leaks *leaks, const struct kma_loaded *loaded,
				  const struct kma_series *series, size_t place, double *ret)
{
	struct kma_moment moment;
	struct stat st;

	*ret = place * (leaks->args->every / 1e9);
	if (leaks->args->every)
		return NULL;
	if (kma_moment_of(loaded->account, &moment) && *moment.boot) {
		*ret = -1;
		return NULL;
	}
	*ret = loaded->snapshot.time;
	if (loaded->snapshot.id)
		return NULL;
	if (series->reports.nr > 1)
		return time_of_report(leaks, series, ret);
	if (stat(series->name, &st) || !S_ISREG(st.st_mode))
		return kma_err_create(series->name, 0, "no time in this input; use --interval S");
	*ret = st.st_mtim.tv_sec + st.st_mtim.tv_nsec / 1e9;
	leaks->by_files = true;
	return NULL;
}

/* Adds an account of one moment. */
static struct kma_err *add_account(struct kma_leaks *leaks, struct kma_series *series,
				   struct kma_account *account)
{
	struct kma_loaded loaded = { .account = account, .snapshot = series->snapshot };
	size_t place = leaks->inputs - 1;
	struct kma_err *err;
	double time;

	series->snapshot = (struct kma_snapshot){ 0 };
	err = kma_load_select(&leaks->args->load, &loaded);
	if (!err)
		err = leaks_time(leaks, &loaded, series, place, &time);
	if (!err) {
		/* a series keeps all its accounts: free the tables, which are not needed */
		kma_account_set_tables(loaded.account, NULL);
		err = kma_leak_series_add(leaks->series, loaded.account, time,
					  loaded.snapshot.host ?: "");
		loaded.account = NULL;
	}
	kma_unload(&loaded);
	return err;
}

/* Adds all accounts of an input. One that is corrupt or no account is left out. */
static struct kma_err *add_series(struct kma_leaks *leaks, struct kma_series *series)
{
	const struct leaks_args *args = leaks->args;
	struct kma_account *account = NULL;
	struct kma_err *err;
	size_t of;

	series->wish = (struct kma_series_wish){
		.all = true,
		.own = true,
		.quiet = args->load.quiet,
		.page_size = args->load.page_size,
		.tasks = args->load.groups == KMA_GROUPED_TASK,
		.cgroups = args->load.groups == KMA_GROUPED_CGROUP,
		.from = args->from,
		.to = args->to,
		.max = KMA_LEAKS_SAMPLES,
		.groups = args->load.groups,
		.need = { KMA_SERIES_COUNTS, true },
	};
	do {
		err = kma_series_next(series, &account);
		kma_notes_move(&series->notes, &leaks->notes);
		if (!err && series->state == KMA_SERIES_WALK) {
			err = kma_leak_series_add(leaks->series, account, -1, "");
		} else {
			leaks->inputs += err || account;
			of = args->nr_inputs - !!series->nr_list + series->nr_list;
			if (!err && account)
				err = add_account(leaks, series, account);
			if (kma_load_leaves_out(err, of, &leaks->notes)) {
				/* the days of a history may have been counted */
				leaks->table.damaged += !series->damaged;
				err = NULL;
			}
		}
	} while (!err && (account || series->state == KMA_SERIES_LIST));
	leaks->table.damaged += series->damaged;
	if (!err && series->reports.nr > 1 && !series->reports.part)
		kma_notes_add(&leaks->notes, "%s: %u reports; each is a sample%s%s", series->name,
			      series->reports.nr, leaks->clock ? ", by " : "", leaks->clock ?: "");
	leaks->clock = NULL;
	return err;
}

static struct kma_err *add_input(struct kma_leaks *leaks, const char *name)
{
	_cleanup_close_ struct kma_series *series = NULL;
	const struct leaks_args *args = leaks->args;
	struct kma_err *err = kma_open(name, &series);

	if (kma_load_leaves_out(err, args->nr_inputs, &leaks->notes)) {
		leaks->inputs++;
		leaks->table.damaged++;
		return NULL;
	}
	if (err)
		return err;
	if ((args->from || args->to) && (series->ref.label || !kma_series_has_past(series)))
		return kma_refuse_interval(series) ?: kma_refuse_no_past(series);
	return add_series(leaks, series);
}

static struct kma_err *leaks_add_all(struct kma_leaks *leaks)
{
	const struct leaks_args *args = leaks->args;
	struct kma_err *err = NULL;

	for (unsigned int i = 0; i < args->nr_inputs && !err; i++)
		err = add_input(leaks, args->inputs[i]);
	if (err || kma_leak_series_nr(leaks->series) || !leaks->table.damaged)
		return err;
	return kma_load_none_left("leaks");
}

/* Runs the workload and its control, and adds a note that explains the numbers. */
static struct kma_err *leaks_run_workload(struct kma_leaks *leaks)
{
	const struct leaks_args *args = leaks->args;
	struct kma_workload workload = { .command = args->workload,
					 .source = args->nr_inputs ? args->inputs[0] : NULL,
					 .samples = args->samples,
					 .probe = args->probe };
	struct kma_err *err;
	uint64_t allocs;

	err = kma_workload_run(&workload, leaks->series, &leaks->turns, &allocs);
	if (err)
		return err;
	/* On a running kernel, starting a shell allocates. */
	if (!allocs)
		return kma_err_create(
			workload.source ?: KMA_FILE_SNAPSHOT, 0,
			"no allocation was counted between the samples; switch the account on, and give the account of the running kernel");
	kma_notes_add(
		&leaks->notes,
		"the workload ran %lu %s between %zu samples, in turns with an empty command%s; the verdicts are by what changed during its runs",
		leaks->turns.runs, kma_plural(leaks->turns.runs, "time", "times"),
		leaks->turns.nr + 1, args->probe ? "; caches were dropped before each sample" : "");
	return NULL;
}

static struct kma_err *add_scrape(void *arg, struct kma_account *account, double time)
{
	return kma_leak_series_add(arg, account, time, "");
}

static struct kma_err *read_prometheus(struct kma_leaks *leaks)
{
	const struct leaks_args *args = leaks->args;
	struct kma_scrapes_query query = { .url = args->prometheus,
					   .match = args->match,
					   .max = KMA_LEAKS_SAMPLES };
	uint64_t now = kma_clock(CLOCK_REALTIME), from = 0, to = now;
	struct kma_err *err = NULL;

	if (args->to)
		err = kma_when_parse(args->to, now, &to);
	if (!err && args->from)
		err = kma_when_parse(args->from, now, &from);
	if (err)
		return err;
	query.to = to / KMA_NS_PER_S;
	query.from = from / KMA_NS_PER_S;
	if (!args->from)
		query.from = query.to > KMA_LEAKS_DAY ? query.to - KMA_LEAKS_DAY : 0;
	if (query.from >= query.to)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "--to is not after --from");
	return kma_scrapes_each(&query, add_scrape, leaks->series, &leaks->notes);
}

/* Do rows by the keys of the command line differ from those of an account? */
static bool is_rekeyed(const struct leaks_args *args)
{
	return args->load.groups || !kma_keys_are(&args->load.by, KMA_KEY_CALLER);
}

/*
 * Rows of chosen call sites do not add up to what other rows are. Stacks are rows of their own,
 * which a history and a Prometheus do not have.
 */
static struct kma_err *leaks_suits(const struct leaks_args *args, const struct kma_account *account)
{
	const struct kma_keys *by = &args->load.by;
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	if (kma_account_note(account, KMA_NOTE_CHOSEN) && !kma_keys_have(by, KMA_KEY_CALLER))
		return kma_err_create(
			kma_account_name(account), 0,
			"this input has rows for some call sites only, so sums would leave out the others; use --by caller");
	if (kma_keys_need(by, KMA_KEY_NEEDS_STACKS) && nr && !sites[0].stack)
		return kma_restack_none(kma_account_name(account));
	return NULL;
}

/*
 * Makes the rows that are judged: selects call sites by the rules, and adds up those with the same
 * texts of the keys. The kernel is that of the first account.
 */
static struct kma_err *leaks_change(void *arg, struct kma_account **account)
{
	struct kma_leaks *leaks = arg;
	const struct kma_load_options *load = &leaks->args->load;
	struct kma_loaded *kernel = &leaks->newest, one = { .account = *account };
	struct kma_account *part = NULL;
	struct kma_err *err = NULL;
	size_t nr;

	if (load->groups)
		err = kma_regroup(one.account, load->groups, &part);
	if (part) {
		one.whole = one.account;
		one.account = part;
	}
	if (!err)
		err = leaks_suits(leaks->args, one.account);
	if (!err && !leaks->has_kernel) {
		kernel->account = one.account;
		err = kma_load_places(load, kernel);
		leaks->has_kernel = true;
	} else if (!err) {
		err = kma_resolve(one.account, kernel->kernel.source, &kernel->kernel.stats);
	}
	one.kernel = kernel->kernel;
	one.has_files = kma_source_has_files(kernel->kernel.source) ||
			kma_account_has_paths(one.account);
	if (!err)
		err = load->only.nr ? kma_load_only(load, &one) : kma_load_suits(load, &one);
	if (!err && !load->only.nr)
		err = kma_kernel_maintainers(&load->kernel, &one.kernel);
	kernel->kernel.maintainers = one.kernel.maintainers;
	if (!err) {
		kma_account_sites(one.account, &nr);
		leaks->selected += nr;
	}
	part = NULL;
	if (!err && is_rekeyed(leaks->args))
		err = rekey(one.account, &load->by, one.kernel.maintainers, &part);
	if (part) {
		kma_account_destroy(one.account);
		one.account = part;
	}
	*account = one.account;
	kma_account_destroy(one.whole);
	kma_strbuf_deinit(&one.only);
	return err;
}

static struct kma_err *read_inputs(struct kma_leaks *leaks)
{
	const struct kma_load_options *load = &leaks->args->load;
	struct kma_notes *notes = &leaks->notes;
	struct kma_err *err;

	leaks->series = kma_leak_series_create();
	if (load->only.nr || is_rekeyed(leaks->args))
		kma_leak_series_change(leaks->series, leaks_change, leaks);
	if (leaks->args->workload)
		err = leaks_run_workload(leaks);
	else if (leaks->args->prometheus)
		err = read_prometheus(leaks);
	else
		err = leaks_add_all(leaks);
	if (err)
		return err;
	kma_leak_series_finish(leaks->series, notes);
	kma_only_text(&load->only, &leaks->table.only);
	if (load->only.nr && kma_leak_series_nr(leaks->series) && !leaks->selected)
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, NULL, 0,
					   "no call site of the inputs is selected by: %s",
					   leaks->table.only.str);
	if (leaks->args->workload)
		kma_workload_turns_keep(&leaks->turns, leaks->series);
	if (leaks->by_files)
		kma_notes_add(
			notes,
			"no times in the inputs; using the modification times of the files (see --interval)");
	return NULL;
}

static struct kma_err *leaks_load(struct kma_leaks *leaks)
{
	struct kma_err *err = read_inputs(leaks);

	for (const char *note = NULL; (note = kma_notes_next(&leaks->notes, note));)
		kma_warn("leaks: %s", note);
	kma_notes_deinit(&leaks->notes);
	return err;
}

/* Adds up the event lines that the accounts lack. */
static void leaks_unread(struct kma_leaks *leaks)
{
	struct kma_leak_table *table = &leaks->table;
	struct kma_account *account;
	struct kma_unread unread;

	for (size_t i = 0; (account = kma_leak_series_account(leaks->series, i)); i++) {
		if (!kma_unread_of(account, &unread))
			continue;
		if (!table->unread_input) {
			table->unread_input = kma_account_name(account);
			table->unread.first = unread.first;
		}
		table->unread.lines += unread.lines;
		table->unread.all += unread.all;
	}
}

static void leaks_judge(struct kma_leaks *leaks)
{
	struct kma_leak_table *table = &leaks->table;

	table->runs = leaks->args->workload;
	table->by = leaks->args->load.by;
	leaks_unread(leaks);
	kma_leaks_judge(table, leaks->series, leaks->args->floor, leaks->args->load.groups,
			table->runs ? &leaks->turns : NULL);
}

/* Finds the files of the call sites. */
static struct kma_err *leaks_files(struct kma_leaks *leaks)
{
	_cleanup_strbuf_ struct kma_strbuf part = { 0 };
	struct kma_leak_table *table = &leaks->table;
	struct kma_err *err = NULL;

	leaks->newest.account = kma_leak_series_last(leaks->series);
	if (!leaks->newest.account || !kma_keys_have(&table->by, KMA_KEY_CALLER))
		return NULL;
	if (!leaks->has_kernel)
		err = kma_load_places(&leaks->args->load, &leaks->newest);
	if (err)
		return err;
	for (size_t i = 0; i < table->nr; i++) {
		struct kma_site site = *table->rows[i].site;
		const char *caller =
			kma_keys_part_of(&table->by, KMA_KEY_CALLER, site.caller, &part);

		/* Another site of this text may be of the build that the kernel's files are of. */
		if (!kma_site_file(&site) && leaks->newest.kernel.source)
			site.place = kma_resolved_place(leaks->newest.kernel.source, caller);
		table->rows[i].file = kma_site_file(&site);
		table->rows[i].line = site.place ? site.place->line : 0;
	}
	return NULL;
}

static struct kma_err *leaks_print(struct kma_leaks *leaks)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_leak_table *table = &leaks->table;
	struct kma_err *err = NULL;

	kma_leaks_rank(table);
	for (size_t i = 0; i < table->nr; i++) {
		kma_leaks_label(table, &table->rows[i]);
		kma_leaks_sentence(table, &table->rows[i], leaks->args->available);
	}
	if (leaks->args->chart.render.nr)
		err = kma_leaks_draw(table, leaks->series, leaks->turns.own, &leaks->args->text,
				     &leaks->args->chart);
	if (err || !kma_text_wanted(&leaks->args->text, &leaks->args->chart))
		return err;
	table->sparks = leaks->args->text.format == KMA_FORMAT_TABLE && !leaks->args->text.output &&
			isatty(STDOUT_FILENO);
	kma_leaks_write(table, &leaks->args->text, leaks->args->text.format, &text);
	return kma_outfile_write(leaks->args->text.output, &text);
}

static struct kma_err *leaks_do(struct kma_leaks *leaks)
{
	struct kma_err *err;

	if (!leaks->args->nr_inputs && !leaks->args->workload && !leaks->args->prometheus)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"leaks: no input given; name accounts of different times, a DB file or a history, or use --workload CMD or --prometheus URL");
	if (leaks->args->nr_inputs > 1 && leaks->args->workload)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "leaks: --workload takes one input at most");
	if (leaks->args->workload && !*leaks->args->workload)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "leaks: invalid --workload '' (expected a command)");
	if (leaks->args->workload && leaks->args->nr_inputs && !strcmp(leaks->args->inputs[0], "-"))
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"leaks: --workload reads its input repeatedly; give a file, not the standard input");
	if (leaks->args->nr_inputs && leaks->args->prometheus)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "leaks: --prometheus takes no input: %s",
					   leaks->args->inputs[0]);
	err = leaks_load(leaks);
	if (err)
		return err;
	leaks_judge(leaks);
	if (leaks->args->scan) {
		err = kma_leaks_scan(leaks->args->scan, kma_leak_series_last(leaks->series),
				     &leaks->scan, &leaks->table);
		if (err)
			return err;
	}
	err = leaks_files(leaks);
	return err ?: leaks_print(leaks);
}

/*
 * The exit status of --fail-on. Status 0 says that no site has the verdict, which is unknown if a
 * part of what was given was not judged. The samples of a history that are of an earlier boot are
 * not such a part: the user did not name them.
 */
static int leaks_check(const struct kma_leaks *leaks)
{
	const struct kma_leak_table *table = &leaks->table;
	const char *verdict = kma_leak_verdicts[leaks->args->fail_on];
	size_t left_out = table->damaged, unsure = 0;

	if (leaks->inputs || leaks->args->workload)
		left_out += kma_leak_series_left_out(leaks->series);
	if (table->counts[leaks->args->fail_on])
		kma_warn("leaks: call sites with verdict %s: %zu", verdict,
			 table->counts[leaks->args->fail_on]);
	if (left_out) {
		kma_warn("leaks: %zu %s left out (see above), so --fail-on %s was not checked",
			 left_out,
			 leaks->args->workload ?
				 kma_plural(left_out, "sample was", "samples were") :
				 kma_plural(left_out, "input was", "inputs were"),
			 verdict);
		return KMA_EXIT_DATA;
	}
	if (table->counts[leaks->args->fail_on])
		return KMA_EXIT_THRESHOLD;
	if (table->missing && leaks->args->fail_on == KMA_LEAK_LEAK) {
		kma_warn(
			"leaks: %zu call %s with lost objects %s in no input (see above), so --fail-on %s was not checked",
			table->missing, kma_plural(table->missing, "site", "sites"),
			kma_plural(table->missing, "is", "are"), verdict);
		return KMA_EXIT_DATA;
	}
	for (size_t i = 0; i < table->nr; i++)
		unsure += table->rows[i].result.confidence < KMA_LEAK_SURE;
	if (unsure)
		kma_warn("leaks: %zu %s confidence below %.1f: exit status 0 does not exclude %s",
			 unsure, kma_plural(unsure, "verdict has a", "verdicts have a"),
			 KMA_LEAK_SURE, verdict);
	if (table->nr && table->counts[KMA_LEAK_TOO_EARLY] == table->nr)
		kma_warn("leaks: all verdicts are too-early: exit status 0 does not exclude %s",
			 verdict);
	return KMA_EXIT_OK;
}

static int main_leaks(int argc, char **argv)
{
	struct leaks_args args = {
		.load = { .command = "leaks", .by = KMA_BY(KMA_KEY_CALLER), .may_miss = true },
		.chart = { .width = KMA_CHART_WIDTH },
		.floor = KMA_LEAK_FLOOR
	};
	struct kma_leaks leaks = { .args = &args };
	struct kma_err *err;
	int first, code;

	err = kma_option_read(&kma_cmd_leaks, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.inputs = argv + first;
	args.nr_inputs = argc - first;
	err = kma_load_check(&args.load)	     ?:
		      kma_load_over_time(&args.load) ?:
		      kma_pictures_check("leaks", &args.chart, args.text.output);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	code = kma_fail_kind(leaks_do(&leaks));
	if (!code && args.has_fail_on)
		code = leaks_check(&leaks);
	kma_leak_table_deinit(&leaks.table);
	kma_scan_deinit(&leaks.scan);
	/* The account belongs to the series. */
	leaks.newest.account = NULL;
	kma_unload(&leaks.newest);
	kma_leak_series_destroy(leaks.series);
	free(leaks.turns.own);
	free(leaks.turns.control);
	return code;
}

const struct kma_cmd kma_cmd_leaks = {
	.name = "leaks",
	.usage = "[OPTION...] INPUT...|DIR",
	.about = "Judge each call site: leak, growing, filling, cache or plateau.",
	.examples = "  kmem-account leaks account.* --interval 60\n"
		    "  kmem-account leaks console.log --interval 300\n"
		    "  kmem-account leaks runs.db -k linux --top 10\n"
		    "  kmem-account leaks /var/lib/kmem-account --from yesterday -r leaks.svg\n"
		    "  kmem-account leaks runs.db --fail-on leak --format csv -O leaks.csv\n"
		    "  kmem-account leaks snapshot.* --by cgroup,caller\n"
		    "  kmem-account leaks --prometheus http://host:9090 --from -7d\n"
		    "  kmem-account leaks runs.db --scan scan.txt\n"
		    "  kmem-account leaks --workload 'modprobe foo && rmmod foo' --fail-on leak\n",
	.options = options,
	.most = KMA_MAX_ARGS,
	.main = main_leaks,
};
