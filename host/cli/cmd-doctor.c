// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-doctor.c - kmem-account doctor: the state of a machine's kernel memory in 25 lines.
 *
 * It composes what other commands have: the split of where, the samples of watch, the verdicts of
 * leaks, the scan of lost and why. Each part that is missing (no module, not root, lockdown) leaves
 * out its lines and adds a sentence with the reason; no part ends the others. In the order of
 * gather():
 *
 * 1. Memory: the lines of /proc/meminfo, which add up.
 * 2. Samples: those of the history of kmem-account watch, if it is of this boot and has enough of
 *    them. Otherwise doctor waits, and takes samples itself: of the module's account, or without
 *    the module of the slab caches.
 * 3. Scan: after the samples, because its own memory would be in them.
 * 4. Owners: by call site, slab cache and cgroup.
 *
 * Locking: one thread. A signal ends a scan in order, as in cmd-lost.c.
 */
#include <ctype.h>
#include <errno.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd.h"
#include "doctor-text.h"
#include "heap/scan-read.h"
#include "leaks-judge.h"
#include "leaks-scan.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/module-files.h"
#include "lib/say.h"
#include "lib/statusline.h"
#include "lib/stop.h"
#include "model/groups.h"
#include "model/moment.h"
#include "model/filter.h"
#include "open/open.h"
#include "reader/reader.h"
#include "reader/sites.h"
#include "rows.h"
#include "session/load.h"
#include "types/choose.h"
#include "watch-source.h"

#define HISTORY	      "/var/lib/kmem-account" /* where the unit of kmem-account watch records */
#define FILE_SLABINFO "/proc/slabinfo"
#define SAMPLES	      30  /* intervals between samples that doctor takes */
#define SAMPLES_MAX   288 /* of a history: as leaks takes */
#define CGROUP_DEPTH  16

struct doctor_args {
	uint64_t seconds; /* of own samples, in ns */
	const char *history, *rules;
	unsigned int format; /* index in doctor_formats */
	bool no_scan, quiet;
	struct kma_text_options text;
};

#define KMA_ARGS struct doctor_args

/* No CSV: the parts have different columns. */
static const char *const doctor_formats[] = { "table", "json" };

/* clang-format off */
static const struct kma_option options[] = {
	{ "for", .arg = "S", TO(TIME, seconds),
	  .max = 86400 * KMA_OPTION_SECOND, .scale = KMA_OPTION_SECOND, .unit = "seconds",
	  .excludes = KMA_OPTION_ARGUMENTS,
	  .help = "watch the machine for S seconds (default 60), unless a history has\n"
		  "samples; below a minute there is no verdict by growth" },
	{ "history", .arg = "DIR", TO(TEXT, history), .excludes = KMA_OPTION_ARGUMENTS,
	  .help = "use the samples of this history of kmem-account watch\n"
		  "(default " HISTORY ", if it has enough of this boot)" },
	{ "no-scan", TO(FLAG, no_scan),
	  .help = "do not read the kernel's memory for lost objects and holders" },
	{ "rules", .arg = "FILE", TO(TEXT, rules),
	  .help = "rules of known leaks (default: those that are installed)" },
	{ "format", .arg = "FORMAT", TO_NAME(format, doctor_formats),
	  .help = "write a table (default) or json" },
	KMA_ROW_OUTPUT(text.output),
	KMA_ROW_QUIET(quiet, "the machine is watched"),
	KMA_OPTION_END
};
/* clang-format on */

/* Keeps the reason why a part is missing. A file of an input that is there has to be readable. */
static void unseen(struct kma_doctor *doctor, const char *what, struct kma_err *err)
{
	_cleanup_free_ char *text = kma_err_text(err);

	kma_notes_add(&doctor->unseen, "%s: %s", what, text);
	doctor->damaged |= doctor->input && err->kind != KMA_ERR_NOT_FOUND;
	kma_err_destroy(err);
}

/* Copies a section of a bundle to a file without a name. */
static struct kma_err *section_of(const char *bundle, const char *name, FILE *out, bool *found)
{
	struct kma_cursor cur;
	struct kma_input *input;
	struct kma_err *err = kma_input_open(bundle, &input);
	bool more, in = false;

	*found = false;
	if (err)
		return err;
	kma_cursor_init(&cur, input);
	while (!(err = kma_cursor_next(&cur, &more)) && more) {
		if (!strncmp(cur.text, KMA_SECTION, strlen(KMA_SECTION)))
			in = !strcmp(cur.text + strlen(KMA_SECTION), name);
		else if (in)
			fprintf(out, "%s\n", cur.text);
		*found |= in;
	}
	kma_cursor_deinit(&cur);
	kma_input_close(input);
	return err;
}

/*
 * The path of a file of the machine: in /proc, in the directory of the input, or a copy of a section
 * of the bundle. NULL: there is none, which is noted, unless @what is NULL.
 */
static const char *file_of(struct kma_doctor *doctor, const char *name, const char *what)
{
	_cleanup_free_ char *path = NULL;
	struct kma_err *err;
	bool found = false;
	FILE *copy;
	int fd;

	if (!doctor->input || kma_file_is_dir(doctor->input)) {
		path = kma_xasprintf("%s/%s", doctor->input ?: "/proc", name);
		if (!access(path, R_OK))
			return kma_arena_text(&doctor->texts, path, strlen(path));
		if (what)
			kma_notes_add(&doctor->unseen, "%s: %s: %s%s", what, path, strerror(errno),
				      !doctor->input && errno == EACCES ? ", run it as root" : "");
		return NULL;
	}
	err = kma_file_scratch(doctor->input, &fd);
	if (err) {
		unseen(doctor, what ?: name, err);
		return NULL;
	}
	/* the descriptor stays open until the program ends: it is the only name of the file */
	path = kma_xasprintf("/proc/self/fd/%d", fd);
	copy = fopen(path, "we");
	err = copy ? section_of(doctor->input, name, copy, &found) :
		     kma_err_create(doctor->input, 0, "cannot copy section '%s'", name);
	if (copy)
		fclose(copy);
	if (!err && found)
		return kma_arena_text(&doctor->texts, path, strlen(path));
	close(fd);
	if (err)
		unseen(doctor, what ?: name, err);
	else if (what)
		kma_notes_add(&doctor->unseen, "%s: the bundle has no section '%s'", what, name);
	return NULL;
}

/* The rows of where, with the two kinds of slab memory in place of accounts. */
static void gather_memory(struct kma_doctor *doctor)
{
	static const struct {
		const char *group, *owner, *line;
	} lines[] = {
		{ "slab", "slab, reclaimable", "SReclaimable" },
		{ "slab", "slab, unreclaimable", "SUnreclaim" },
		{ "per-CPU", "per-CPU", "Percpu" },
	};
	const char *path = file_of(doctor, "meminfo", "memory");
	struct kma_err *err = path ? kma_meminfo_read(path, &doctor->meminfo) : NULL;
	uint64_t bytes;

	if (err)
		unseen(doctor, "memory", doctor->input ? kma_err_rename(err, "meminfo") : err);
	if (err || !path)
		return;
	kma_where_meminfo(&doctor->meminfo, !doctor->input, &doctor->memory);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (kma_meminfo_get(&doctor->meminfo, lines[i].line, &bytes) && bytes)
			kma_where_add(&doctor->memory, lines[i].group, lines[i].owner, bytes);
	kma_where_rest(&doctor->meminfo, &doctor->memory);
	kma_where_sort(&doctor->memory);
}

/* Adds an account to the series. Without a moment it has the time of its file. */
static struct kma_err *add_account(struct kma_doctor *doctor, struct kma_account *account,
				   const char *path)
{
	struct kma_moment moment;
	struct stat st = { 0 };
	double time = -1;

	kma_account_set_tables(account, NULL);
	if (!kma_moment_of(account, &moment) && !stat(path, &st))
		time = st.st_mtim.tv_sec + st.st_mtim.tv_nsec / 1e9;
	return kma_leak_series_add(doctor->series, account, time, "");
}

/* Adds all accounts of a file or of a history. */
static struct kma_err *add_series(struct kma_doctor *doctor, const char *path)
{
	_cleanup_close_ struct kma_series *series = NULL;
	struct kma_account *account;
	struct kma_err *err = kma_open(path, &series);

	if (err)
		return err;
	series->wish = (struct kma_series_wish){ .all = true,
						 .own = true,
						 .quiet = true,
						 .max = SAMPLES_MAX,
						 .need = { KMA_SERIES_COUNTS, true } };
	do {
		account = NULL;
		err = kma_series_next(series, &account);
		kma_notes_move(&series->notes, &doctor->unseen);
		if (!err && account)
			err = add_account(doctor, account, path);
	} while (!err && account && !kma_stopped());
	return err;
}

/* Adds all files of a directory that is not a history. One that cannot be read is left out. */
static void add_files(struct kma_doctor *doctor, const char *path)
{
	struct dirent **entries = NULL;
	int nr = scandir(path, &entries, NULL, alphasort);

	if (nr < 0)
		kma_notes_add(&doctor->unseen, "call sites: %s: %s", path, strerror(errno));
	for (int i = 0; i < nr; i++) {
		_cleanup_free_ char *name = kma_xasprintf("%s/%s", path, entries[i]->d_name);
		struct kma_err *err = NULL;

		if (entries[i]->d_name[0] != '.')
			err = add_series(doctor, name);
		if (err)
			unseen(doctor, "a sample", err);
		free(entries[i]);
	}
	free(entries);
}

/* The samples of an input: its account, or without one its slab caches. */
static void gather_input(struct kma_doctor *doctor)
{
	_cleanup_free_ char *path = NULL;
	struct kma_err *err = NULL;

	if (!kma_file_is_dir(doctor->input)) {
		doctor->accounts = doctor->input;
	} else {
		path = kma_xasprintf("%s/account", doctor->input);
		doctor->accounts = path;
		if (access(path, F_OK)) {
			kma_notes_add(&doctor->unseen, "call sites: %s: %s", path, strerror(errno));
			doctor->caches = true;
			doctor->accounts = file_of(doctor, "slabinfo", "slab caches");
		}
	}
	if (!doctor->accounts)
		return;
	doctor->accounts =
		kma_arena_text(&doctor->texts, doctor->accounts, strlen(doctor->accounts));
	if (kma_file_is_dir(doctor->accounts) && !kma_history_is(doctor->accounts))
		add_files(doctor, doctor->accounts);
	else
		err = add_series(doctor, doctor->accounts);
	if (err)
		unseen(doctor, doctor->caches ? "slab caches" : "call sites", err);
	kma_leak_series_finish(doctor->series, &doctor->unseen);
}

/*
 * The history of this machine, and one sample of now. False if these are too few of this boot, so
 * that doctor has to watch itself.
 */
static bool gather_history(struct kma_doctor *doctor, const char *dir)
{
	struct kma_watch_source source;
	struct kma_account *account;
	struct kma_err *err = add_series(doctor, dir);
	size_t nr;

	if (!err)
		err = kma_watch_source_init(&source, NULL)	       ?:
			      kma_watch_source_read(&source, &account) ?:
			      add_account(doctor, account, source.path);
	if (err) {
		unseen(doctor, "history", err);
	} else {
		kma_leak_series_finish(doctor->series, &doctor->unseen);
		nr = kma_leak_series_nr(doctor->series);
		if (nr >= KMA_LEAK_MIN_SAMPLES)
			return true;
		kma_notes_add(&doctor->unseen,
			      "history: %s has %zu samples of this boot and account, too few", dir,
			      nr ? nr - 1 : 0);
	}
	kma_leak_series_destroy(doctor->series);
	doctor->series = kma_leak_series_create();
	return false;
}

/*
 * Reads a file once, so that what the kernel allocates for the first reading, as the inodes of sysfs, is
 * not among the growth.
 */
static struct kma_err *warm_up(struct kma_watch_source *source)
{
	_cleanup_account_ struct kma_account *account = NULL;

	return kma_watch_source_read(source, &account);
}

/* Takes samples of a file for some time. The last one is not before the end of it. */
static struct kma_err *sample(struct kma_doctor *doctor, const struct doctor_args *args,
			      const char *path)
{
	_cleanup_(kma_watch_source_deinit) struct kma_watch_source source;
	struct kma_statusline line = { .quiet = args->quiet };
	uint64_t begin, step = args->seconds / SAMPLES;
	struct kma_account *account;
	struct kma_err *err = kma_watch_source_init(&source, path);
	char text[64];

	source.list_once = true;
	if (!err && step)
		err = warm_up(&source);
	begin = kma_clock(CLOCK_MONOTONIC);
	for (unsigned int i = 0; !err && i <= (step ? SAMPLES : 0) && !kma_stopped(); i++) {
		snprintf(text, sizeof(text), "doctor: watching, %u of %u", i, SAMPLES);
		kma_statusline_show(&line, text);
		kma_stop_wait(begin + i * step);
		err = kma_watch_source_read(&source, &account) ?:
			      add_account(doctor, account, source.path);
		/* the time of the first sample is that of its end */
		if (!i)
			begin = kma_clock(CLOCK_MONOTONIC);
	}
	kma_statusline_end(&line);
	return err;
}

/* The samples of this machine. */
static void gather_samples(struct kma_doctor *doctor, const struct doctor_args *args)
{
	const char *own = kma_open_own(), *history = args->history ?: HISTORY;
	struct kma_err *err;

	if (!own) {
		doctor->caches = true;
		kma_notes_add(&doctor->unseen, "call sites: %s",
			      access(KMA_FILE_ACCOUNT, F_OK) ?
				      "the module kmem_account is not loaded" :
				      "the account of the module needs root");
		own = file_of(doctor, "slabinfo", "slab caches");
		if (!own)
			return;
	}
	doctor->accounts = own;
	if (doctor->caches && args->history)
		kma_notes_add(&doctor->unseen,
			      "history: %s is not used without an account of this boot",
			      args->history);
	if (!doctor->caches && (args->history || kma_history_is(history))) {
		doctor->history = gather_history(doctor, history);
		if (doctor->history)
			doctor->accounts = history;
	}
	if (doctor->history)
		return;
	err = sample(doctor, args, own);
	if (err)
		unseen(doctor, doctor->caches ? "slab caches" : "call sites", err);
	kma_leak_series_finish(doctor->series, &doctor->unseen);
}

static void scan_progress(void *arg, unsigned int pass, unsigned int passes)
{
	char text[48];

	snprintf(text, sizeof(text), "doctor: pass %u of %u", pass ?: passes + 1, passes + 1);
	kma_statusline_show(arg, text);
}

/* Scans the kernel, with the objects that are older than the module, or reads the input's scan. */
static void gather_scan(struct kma_doctor *doctor, const struct doctor_args *args)
{
	struct kma_statusline line = { .quiet = args->quiet };
	const struct kma_lost_wish wish = { .passes = 3,
					    .between = 2 * KMA_NS_PER_S,
					    .source.before = true,
					    .stop = &kma_stop,
					    .progress = scan_progress,
					    .arg = &line };
	const char *note = NULL;
	struct kma_err *err;

	if (args->no_scan) {
		kma_notes_add(&doctor->unseen, "lost and held: not scanned (--no-scan)");
		return;
	}
	if (doctor->input) {
		doctor->scan_file = file_of(doctor, "scan", "lost and held");
		if (!doctor->scan_file)
			return;
		err = kma_scan_load(doctor->scan_file, &doctor->scan, NULL);
	} else {
		prctl(PR_SET_DUMPABLE, 0);
		err = kma_scan_all(&wish, false, &doctor->scan);
		kma_statusline_end(&line);
	}
	if (err) {
		unseen(doctor, "lost and held", err);
		return;
	}
	doctor->scanned = true;
	while ((note = kma_notes_next(&doctor->scan.notes, note)))
		kma_notes_add(&doctor->unseen, "scan: %s", note);
}

static int by_owner(const void *a, const void *b)
{
	const struct kma_where_row *x = a, *y = b;

	return strcmp(x->owner, y->owner);
}

/* Adds up rows of one owner, and sorts them. */
static void add_up(struct kma_where_rows *rows)
{
	size_t nr = 0;

	if (rows->nr)
		qsort(rows->rows, rows->nr, sizeof(*rows->rows), by_owner);
	for (size_t i = 0; i < rows->nr; i++) {
		if (nr && !strcmp(rows->rows[nr - 1].owner, rows->rows[i].owner))
			rows->rows[nr - 1].bytes += rows->rows[i].bytes;
		else
			rows->rows[nr++] = rows->rows[i];
	}
	rows->nr = nr;
	kma_where_sort(rows);
}

/* The owners that an account has. */
static void owners_of(struct kma_doctor *doctor, const struct kma_account *account)
{
	const struct kma_groups *groups = kma_account_groups(account, KMA_GROUPED_CGROUP);
	const struct kma_group_part *parts = NULL;
	const struct kma_site *sites;
	size_t nr, nr_parts = 0;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++) {
		const char *cache = kma_site_cache(&sites[i]);

		if (!sites[i].values.current)
			continue;
		if (!doctor->caches)
			kma_where_add(&doctor->holders[DOCTOR_CALLERS], "", sites[i].caller,
				      sites[i].values.current);
		if (doctor->caches || cache)
			kma_where_add(&doctor->holders[DOCTOR_CACHES], "",
				      doctor->caches ? sites[i].caller : cache,
				      sites[i].values.current);
	}
	if (groups)
		parts = kma_groups_parts(groups, &nr_parts);
	for (size_t i = 0; i < nr_parts; i++)
		if (parts[i].values.current)
			kma_where_add(&doctor->holders[DOCTOR_CGROUPS], "",
				      kma_groups_name(groups, parts[i].group),
				      parts[i].values.current);
}

/* Lines of memory.stat that are kernel memory, and no part of each other. */
static const char *const cgroup_parts[] = { "slab",   "kernel_stack", "pagetables",
					    "percpu", "sock",	      "vmalloc" };

/* The sum of these lines; 0: no such file. */
static uint64_t cgroup_bytes(const char *dir)
{
	_cleanup_fclose_ FILE *f = NULL;
	_cleanup_free_ char *path = NULL;
	unsigned long long number;
	uint64_t sum = 0;
	char name[64];

	path = kma_xasprintf("%s/memory.stat", dir);
	f = fopen(path, "re");
	while (f && fscanf(f, "%63s %llu", name, &number) == 2)
		for (size_t i = 0; i < ARRAY_SIZE(cgroup_parts); i++)
			sum += strcmp(name, cgroup_parts[i]) ? 0 : number;
	return sum;
}

/* Adds the cgroups below a directory, each without those below it. Returns the bytes of all. */
static uint64_t add_cgroups(struct kma_doctor *doctor, const char *dir, size_t top, int depth)
{
	_cleanup_dir_ DIR *list = depth ? opendir(dir) : NULL;
	const struct dirent *entry;
	uint64_t bytes = cgroup_bytes(dir), below = 0;

	while (list && (entry = readdir(list))) {
		_cleanup_free_ char *path = NULL;

		if (entry->d_name[0] == '.' || entry->d_type != DT_DIR)
			continue;
		path = kma_xasprintf("%s/%s", dir, entry->d_name);
		below += add_cgroups(doctor, path, top, depth - 1);
	}
	if (bytes > below)
		kma_where_add(&doctor->holders[DOCTOR_CGROUPS], "",
			      kma_arena_text(&doctor->texts, dir[top] ? dir + top : "/",
					     strlen(dir + top) ?: 1),
			      bytes - below);
	return bytes > below ? bytes : below;
}

/* Where this machine has its cgroups of version 2, to be freed: not always /sys/fs/cgroup. */
static char *cgroup_mount(void)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	struct mntent *entry;
	char *dir = NULL;

	while (f && !dir && (entry = getmntent(f)))
		if (!strcmp(entry->mnt_type, "cgroup2"))
			dir = kma_xstrdup(entry->mnt_dir);
	if (f)
		endmntent(f);
	return dir;
}

static void gather_cgroups(struct kma_doctor *doctor)
{
	_cleanup_free_ char *dir = doctor->input ? kma_xasprintf("%s/cgroup", doctor->input) :
						   cgroup_mount();
	_cleanup_free_ char *path = NULL;
	_cleanup_fclose_ FILE *f = NULL;
	unsigned long long number;
	char name[64];

	path = kma_xasprintf("%s/cgroup.stat", dir ?: "");
	f = fopen(path, "re");
	while (f && fscanf(f, "%63s %llu", name, &number) == 2)
		if (!strcmp(name, "nr_dying_descendants"))
			doctor->dying = number;
	if (dir && !doctor->holders[DOCTOR_CGROUPS].nr)
		add_cgroups(doctor, dir, strlen(dir), CGROUP_DEPTH);
	if (!doctor->holders[DOCTOR_CGROUPS].nr)
		kma_notes_add(&doctor->unseen,
			      "containers: no cgroups in the account (cgroup off), %s",
			      doctor->input ? "none in the input" :
			      dir	    ? "none with memory in the cgroup2 filesystem" :
					      "no cgroup2 filesystem is mounted");
}

/*
 * The account of which types are asked: the newest one, with what is older by slabinfo; NULL: there is
 * none. @slabinfo: NULL if it cannot be read.
 */
static struct kma_err *typed_account(const struct kma_doctor *doctor, const char *slabinfo,
				     struct kma_account **ret)
{
	const struct kma_account *newest = kma_leak_series_last(doctor->series);
	const struct kma_load_options opts = { .account = doctor->input ?: FILE_SLABINFO,
					       .slabinfo = slabinfo };
	_cleanup_account_ struct kma_account *none = kma_account_create(FILE_SLABINFO);
	_cleanup_free_ bool *all = NULL;
	struct kma_err *err;
	size_t nr;

	if (doctor->caches || !newest)
		newest = none;
	err = kma_load_earlier(&opts, newest, ret);
	if (err || *ret)
		return err;
	kma_account_sites(newest, &nr);
	all = kma_xmalloc(nr + 1);
	memset(all, true, nr);
	return kma_account_part(newest, all, ret) ?: kma_account_finish(*ret);
}

/* The types of the account's objects, and of older ones by their slab caches. */
static void gather_types(struct kma_doctor *doctor, const char *slabinfo)
{
	_cleanup_(kma_notes_deinit) struct kma_notes notes = { 0 };
	_cleanup_account_ struct kma_account *account = NULL;
	const struct kma_kernel_query query = { .types = true };
	struct kma_kernel kernel = { 0 };
	const struct kma_site *sites = NULL;
	struct kma_err *err = typed_account(doctor, slabinfo, &account);
	const char *note = NULL;
	size_t nr = 0;

	err = err ?: kma_kernel_find(&query, account, &notes, &kernel);
	if (err)
		unseen(doctor, "types", err);
	else if (!kernel.source)
		kma_notes_add(&doctor->unseen, "types: no BTF and no table of this kernel");
	else
		sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++) {
		const char *type = kma_site_type(&sites[i]) ?: KMA_TYPE_NONE;

		if (sites[i].values.current)
			kma_where_add(&doctor->holders[DOCTOR_TYPES], "",
				      kma_arena_text(&doctor->texts, type, strlen(type)),
				      sites[i].values.current);
	}
	while ((note = kma_notes_next(&notes, note)))
		kma_notes_add(&doctor->unseen, "types: %s", note);
	kma_kernel_deinit(&kernel);
}

static void gather_owners(struct kma_doctor *doctor)
{
	const struct kma_account *newest = kma_leak_series_last(doctor->series);
	struct kma_slabinfo slabinfo = { 0 };
	const char *path = doctor->caches ? NULL : file_of(doctor, "slabinfo", "older slab memory");
	struct kma_err *err = path ? kma_slabinfo_read(path, &slabinfo) : NULL;

	if (newest)
		owners_of(doctor, newest);
	if (err) {
		unseen(doctor, "older slab memory", kma_err_rename(err, "slabinfo"));
	} else if (path) {
		/* with what is older than the account */
		doctor->holders[DOCTOR_CACHES].nr = 0;
		for (size_t i = 0; i < slabinfo.nr; i++)
			kma_where_add(&doctor->holders[DOCTOR_CACHES], "",
				      kma_arena_text(&doctor->texts, slabinfo.slabs[i].name,
						     strlen(slabinfo.slabs[i].name)),
				      slabinfo.slabs[i].active * slabinfo.slabs[i].size);
	}
	kma_slabinfo_deinit(&slabinfo);
	if (doctor->accounts)
		gather_types(doctor, err ? NULL : path);
	gather_cgroups(doctor);
	for (size_t i = 0; i < DOCTOR_NR_HOLDERS; i++)
		add_up(&doctor->holders[i]);
}

#define DEBIAN "Debian "

/*
 * The version of the kernel, for rules: Debian states that of the stable series in /proc/version
 * only ("6.1.0-57-amd64 ... Debian 6.1.192-3").
 */
static const char *version_of(struct kma_doctor *doctor)
{
	const char *path = file_of(doctor, "version", NULL), *found;
	_cleanup_free_ char *text = NULL;
	struct kma_err *err = NULL;
	size_t len;

	if (path)
		err = kma_file_slurp(path, &text, &len);
	kma_err_destroy(err);
	/* before the number of the build is the compiler, which has a version of Debian, too */
	for (found = text ? strstr(text, " #") : NULL; found && (found = strstr(found, DEBIAN));
	     found++)
		if (isdigit((unsigned char)found[strlen(DEBIAN)]))
			return kma_arena_text(&doctor->texts, found + strlen(DEBIAN),
					      strcspn(found + strlen(DEBIAN), "\n "));
	return doctor->release;
}

/* The release of the kernel: of the account, or of this machine. */
static char *release_of(struct kma_doctor *doctor)
{
	const struct kma_account *newest = kma_leak_series_last(doctor->series);
	const char *note = newest ? kma_account_note(newest, KMA_NOTE_RELEASE) : NULL;
	struct utsname here;

	if (note)
		return kma_xstrdup(note);
	if (doctor->input || uname(&here))
		return NULL;
	return kma_xstrdup(here.release);
}

/* Rules that the user gives have to be readable. @path: NULL: those that are installed. */
static struct kma_err *gather_rules(struct kma_doctor *doctor, const char *path)
{
	char self[PATH_MAX], *slash;
	_cleanup_free_ char *usual = NULL;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[len > 0 ? len : 0] = '\0';
	slash = strrchr(self, '/');
	usual = kma_xasprintf("%.*s/../share/kmem-account/known.rules",
			      slash ? (int)(slash - self) : 0, self);
	if (path || !access(usual, R_OK))
		return kma_doctor_rules_read(path ?: usual, &doctor->rules);
	return NULL;
}

static void gather(struct kma_doctor *doctor, const struct doctor_args *args)
{
	struct kma_leak_table *table = &doctor->table;
	struct kma_err *err = NULL;

	gather_memory(doctor);
	if (doctor->input)
		gather_input(doctor);
	else
		gather_samples(doctor, args);
	doctor->release = release_of(doctor);
	doctor->version = version_of(doctor);
	kma_leaks_judge(table, doctor->series, KMA_LEAK_FLOOR, false, NULL);
	if (!kma_stopped())
		gather_scan(doctor, args);
	if (doctor->scanned && table->nr)
		err = kma_leaks_by_scan(doctor->scan_file, kma_leak_series_last(doctor->series),
					&doctor->scan, doctor->caches, table);
	if (err)
		unseen(doctor, "lost and held", err);
	kma_leaks_rank(table);
	gather_owners(doctor);
	if (!doctor->rules.nr)
		kma_notes_add(&doctor->unseen, "known leaks: no file of rules is installed");
}

static struct kma_err *run(struct kma_doctor *doctor, const struct doctor_args *args)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	uint64_t begin = kma_clock(CLOCK_MONOTONIC);
	uint64_t before = kma_clock(CLOCK_PROCESS_CPUTIME_ID);
	struct kma_err *err;
	struct rusage usage;

	if (doctor->input && access(doctor->input, R_OK))
		return kma_err_create(doctor->input, 0, "cannot read: %s", strerror(errno));
	kma_arena_init(&doctor->texts);
	err = gather_rules(doctor, args->rules);
	if (err)
		return err;
	doctor->series = kma_leak_series_create();
	kma_stop_catch(true);
	gather(doctor, args);
	kma_stop_release();
	if (kma_stopped())
		return kma_err_create(NULL, 0, "interrupted");
	getrusage(RUSAGE_SELF, &usage);
	doctor->ns = kma_clock(CLOCK_MONOTONIC) - begin;
	doctor->cpu = kma_clock(CLOCK_PROCESS_CPUTIME_ID) - before;
	doctor->bytes = usage.ru_maxrss * 1024ULL;
	if (!doctor->memory.nr && !doctor->accounts && !doctor->scanned)
		return kma_err_create(doctor->input, 0, "nothing to look at: %s",
				      kma_notes_next(&doctor->unseen, NULL));
	kma_doctor_write(doctor, &args->text, &text);
	return kma_outfile_write(args->text.output, &text) ?:
		       doctor->damaged ?
		       kma_err_create(doctor->input, 0, "not all of the input could be read") :
		       NULL;
}

static int main_doctor(int argc, char **argv)
{
	struct doctor_args args = { .seconds = 60 * KMA_NS_PER_S };
	struct kma_doctor doctor = { 0 };
	struct kma_err *err;
	int first, code;

	err = kma_option_read(&kma_cmd_doctor, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.text.format = args.format ? KMA_FORMAT_JSON : KMA_FORMAT_TABLE;
	doctor.input = argv[first];
	code = kma_fail_kind(run(&doctor, &args));
	kma_leak_table_deinit(&doctor.table);
	kma_leak_series_destroy(doctor.series);
	kma_scan_deinit(&doctor.scan);
	kma_meminfo_deinit(&doctor.meminfo);
	free(doctor.memory.rows);
	for (size_t i = 0; i < DOCTOR_NR_HOLDERS; i++)
		free(doctor.holders[i].rows);
	kma_doctor_rules_deinit(&doctor.rules);
	kma_notes_deinit(&doctor.unseen);
	kma_arena_deinit(&doctor.texts);
	free(doctor.release);
	return code;
}

const struct kma_cmd kma_cmd_doctor = {
	.name = "doctor",
	.usage = "[OPTION...] [BUNDLE|DIR]",
	.about =
		"Say in 25 lines where all memory is, what grows, what is lost, and who holds the\n"
		"rest. With an argument, look at the files of another machine.",
	.examples = "  kmem-account doctor\n"
		    "  kmem-account doctor --for 600\n"
		    "  kmem-account doctor --format json -O doctor.json\n"
		    "  kmem-account doctor report.bundle\n",
	.options = options,
	.most = 1,
	.summary = "Say in 25 lines where memory is, what grows, and what is lost.",
	.main = main_doctor,
};
