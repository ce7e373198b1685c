// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-serve.c - kmem-account serve: serve the account of this machine to Prometheus, Parca and
 * similar tools over HTTP; or, with --textfile, write it to a file for node_exporter.
 *
 * An answer is made when it is first requested, plain or compressed, and kept until the account is
 * read again, at most once a second (kma_serve_source). So the cost does not grow with the number of
 * clients. Answers never contain addresses of the running kernel. Profiles name all call sites, so
 * they are served only to authenticated clients. If the account cannot be read (the module is not
 * loaded), /metrics has kmem_account_up 0.
 *
 * Locking: none. One thread runs the server and makes the answers.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "../../module/uapi/version.h"
#include "cmd.h"
#include "export/series.h"
#include "input/input.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/escape.h"
#include "lib/file.h"
#include "lib/gzip.h"
#include "lib/module-files.h"
#include "lib/notes.h"
#include "lib/option.h"
#include "lib/say.h"
#include "lib/units.h"
#include "lib/unpack.h"
#include "model/regroup.h"
#include "open/refuse.h"
#include "reader/reader.h"
#include "rows.h"
#include "serve/loaded.h"
#include "serve/web.h"
#include "tree/kernel.h"
#include "watch-source.h"

/*
 * The account that serve serves, with its places in the kernel's source and the
 * call sites that have series.
 *
 * The account is read at most once a second, and all requests within a second get the same answer,
 * because a read costs the module some milliseconds. If a read fails (the module is not loaded),
 * there is no account for that second, and a later request tries again.
 *
 * Locking: none. Only one thread, that of the server, uses a source.
 */

struct kma_serve_source {
	/* set by the caller */
	const char *path, *stats;	      /* paths of the account and of debugfs' stats */
	const struct kma_kernel_query *query; /* source of files and lines */
	enum kma_grouped by;		      /* groups with series of their own */
	struct kma_picks picks, group_picks;  /* sites and groups with series; set max and by */
	/* result of the last read */
	struct kma_series_own own;     /* cost of the reads, failures, and so on */
	struct kma_account *account;   /* NULL: it could not be read */
	struct kma_account *groups;    /* its rows by cgroup or node; NULL: it has none */
	struct kma_export_sites sites; /* places of the sites of @account */
	char *trouble;		       /* sentence with the reason if there is no account */
	/* private */
	struct kma_kernel kernel;
	bool has_kernel, told; /* the kernel was searched for; missing groups were reported */
	uint64_t read_at;      /* ns of CLOCK_MONOTONIC of the last read; 0: none */
	struct utsname here;
};

#define KMA_SERVE_OWN	"own bytes:"
#define KMA_SERVE_FRESH 1000000000ULL /* ns for which an account is not read again */

static void serve_source_forget(struct kma_serve_source *source)
{
	kma_places_deinit(&source->sites);
	kma_account_destroy(source->groups);
	source->groups = NULL;
	kma_account_destroy(source->account);
	source->account = NULL;
	free(source->trouble);
	source->trouble = NULL;
}

/* Returns the memory of the module itself in bytes, from its file stats; -1 if unknown. */
static int64_t serve_source_own(const char *path)
{
	_cleanup_free_ char *text = NULL;
	struct kma_err *err;
	const char *line;
	size_t len;

	err = kma_file_slurp_regular(path, &text, &len);
	line = err ? NULL : strstr(text, "\n" KMA_SERVE_OWN);
	kma_err_destroy(err);
	return line ? strtoll(line + strlen("\n" KMA_SERVE_OWN), NULL, 10) : -1;
}

/* Searches for the kernel at the first read, and prints the notes. */
static struct kma_err *serve_source_kernel(struct kma_serve_source *source)
{
	struct kma_notes notes = { 0 };
	struct kma_err *err;

	if (source->has_kernel)
		return NULL;
	err = kma_kernel_find(source->query, source->account, &notes, &source->kernel);
	for (const char *note = NULL; (note = kma_notes_next(&notes, note));)
		kma_warn("%s", note);
	kma_notes_deinit(&notes);
	source->has_kernel = !err;
	return err;
}

/* Makes the rows by group. Missing groups are not an error; they are reported once. */
static struct kma_err *serve_source_groups(struct kma_serve_source *source)
{
	struct kma_err *err;

	if (!source->by)
		return NULL;
	err = kma_regroup(source->account, source->by, &source->groups);
	if (!err && source->groups)
		kma_picks_update_groups(&source->group_picks, source->groups);
	if (!err || !kma_err_is(err, KMA_ERR_NOT_FOUND)) {
		source->told = false;
		return err;
	}
	if (!source->told)
		kma_warn("serve: %s", err->message);
	source->told = true;
	kma_err_destroy(err);
	return NULL;
}

static struct kma_err *read_parts(struct kma_serve_source *source)
{
	struct kma_err *err;

	err = kma_reader_read_file(source->path, &source->account);
	if (err)
		return err;
	err = serve_source_kernel(source);
	if (err)
		return err;
	err = kma_places_find(source->account, source->kernel.source, true, &source->sites);
	if (err)
		return err;
	kma_picks_update(&source->picks, &source->sites);
	return serve_source_groups(source);
}

/* Read the account, and choose the series. */
static struct kma_err *serve_source_read(struct kma_serve_source *source)
{
	uint64_t begin = kma_clock(CLOCK_MONOTONIC), allocs = source->picks.allocs;
	struct timespec wall;
	struct kma_err *err;

	serve_source_forget(source);
	err = read_parts(source);
	source->read_at = kma_clock(CLOCK_MONOTONIC);
	source->own.seconds = (source->read_at - begin) / 1e9;
	if (!err && source->picks.allocs < allocs && !clock_gettime(CLOCK_REALTIME, &wall))
		source->own.created = wall.tv_sec + wall.tv_nsec / 1e9;
	source->own.bytes = err ? -1 : serve_source_own(source->stats);
	source->own.failures += !!err;
	return err;
}

/* Read the account unless it was read within the last second. */
static bool serve_source_refresh(struct kma_serve_source *source)
{
	_cleanup_free_ char *before = NULL;
	struct kma_err *err;

	if (source->read_at && kma_clock(CLOCK_MONOTONIC) - source->read_at < KMA_SERVE_FRESH)
		return false;
	before = source->trouble ? kma_xstrdup(source->trouble) : NULL;
	err = serve_source_read(source);
	if (!err)
		return true;
	serve_source_forget(source);
	source->trouble = kma_err_text(err);
	if (source->trouble && (!before || strcmp(before, source->trouble)))
		kma_warn("%s", source->trouble);
	kma_err_destroy(err);
	return true;
}

/* The release of an account of this machine without a release is that of the running kernel. */
static struct kma_export serve_source_export(const struct kma_serve_source *source)
{
	const char *release = kma_account_note(source->account, KMA_NOTE_RELEASE);
	const char *build_id = kma_account_note(source->account, KMA_NOTE_BUILD_ID);
	bool here = !strncmp(source->path, "/proc/", 6) || !strncmp(source->path, "/sys/", 5);

	return (struct kma_export){
		.account = source->account,
		.groups = source->groups,
		.source = source->kernel.source,
		.release = release	?:
				   here ? source->here.release :
					  "",
		.build_id = build_id ?: "",
		.hide_addresses = true,
	};
}

/* Prepare a source; nothing is read yet. */
static void serve_source_open(struct kma_serve_source *source)
{
	source->own = (struct kma_series_own){
		.seconds = -1, .created = -1, .bytes = -1, .requests = -1
	};
	uname(&source->here);
}

/* Free the account and the kernel. */
static void serve_source_close(struct kma_serve_source *source)
{
	serve_source_forget(source);
	kma_picks_deinit(&source->picks);
	kma_picks_deinit(&source->group_picks);
	kma_kernel_deinit(&source->kernel);
}

#define KMA_SERVE_ADDRESS "127.0.0.1:9770"
#define KMA_SERVE_TOP	  50
#define KMA_SERVE_ROWS	  25

struct kma_serve_addresses {
	const char *list[KMA_LISTEN_MAX];
	unsigned int nr;
};

struct kma_serve_args {
	const char *account, *stats, *textfile, *config;
	struct kma_kernel_query kernel;
	struct kma_serve_addresses addresses;
	unsigned long top;
	enum kma_grouped by;
	bool systemd, insecure;
};

#define KMA_ARGS struct kma_serve_args

static struct kma_err *serve_address(const struct kma_option_given *given, void *member)
{
	struct kma_serve_addresses *addresses = member;

	if (addresses->nr == KMA_LISTEN_MAX)
		return kma_option_invalid(given, "at most %d listen addresses", KMA_LISTEN_MAX);
	addresses->list[addresses->nr++] = given->value;
	return NULL;
}

/* clang-format off */
static const struct kma_option serve_options[] = {
	{ "web.listen-address", .arg = "ADDRESS", .type = KMA_OPTION_OWN,
	  .convert = serve_address, .member = AT(addresses),
	  .help = "listen on HOST:PORT, :PORT for all addresses, or unix:PATH; may be\n"
		  "given several times (default " KMA_SERVE_ADDRESS ")" },
	{ "web.systemd-socket", TO(FLAG, systemd), .excludes = "web.listen-address",
	  .help = "use the sockets that systemd has opened" },
	{ "web.config.file", .arg = "FILE", TO(TEXT, config),
	  .help = "take TLS, client certificates and users from FILE, as exporters of\n"
		  "Prometheus do (web-config.yml)" },
	{ "web.insecure", TO(FLAG, insecure),
	  .help = "listen on addresses that other machines can reach, even without TLS\n"
		  "and users" },
	{ "textfile", .arg = "FILE", TO(TEXT, textfile),
	  .excludes = "web.listen-address web.systemd-socket web.config.file web.insecure",
	  .help = "write the metrics to FILE once, for node_exporter, and end" },
	{ "top", .arg = "N", TO(COUNT, top), .min = 1, .max = 1000000,
	  .unit = "sites",
	  .help = "write series for each of the N largest call sites, and for all others\n"
		  "together (default 50); with --by cgroup also for the N largest cgroups" },
	/* a snapshot of the module has no tasks */
	{ "by", .arg = "KEY",
	  KMA_OPTION_TO_FIRST_NAMES(KMA_ARGS, by, kma_grouped_names, KMA_GROUPED_TASK),
	  .help = "cgroup or node: also write series of the largest cgroups or of each\n"
		  "NUMA node, and label the samples of profiles with that group (default:\n"
		  "caller, no groups)" },
	KMA_ROWS_KERNEL(kernel),
	KMA_ROW_FORCE(kernel, "account"),
	KMA_ROW_MAX_INPUT,
	KMA_OPTION_END
};
/* clang-format on */

/* The kinds of answers. Each answer is made when it is first requested for an account. */
enum kma_serve_page {
	KMA_PAGE_TEXT,
	KMA_PAGE_OPENMETRICS,
	KMA_PAGE_HEAP,
	KMA_PAGE_ALLOCS,
	KMA_PAGE_START,
	KMA_NR_PAGES,
};

struct kma_serve {
	const struct kma_serve_args *args;
	struct kma_serve_source source;
	/* answers, plain and compressed; NULL: not made since the account was read */
	struct kma_body *pages[KMA_NR_PAGES], *packed[KMA_NR_PAGES];
};

static void serve_forget(struct kma_serve *serve)
{
	for (unsigned int i = 0; i < KMA_NR_PAGES; i++) {
		kma_body_put(serve->pages[i]);
		kma_body_put(serve->packed[i]);
		serve->pages[i] = serve->packed[i] = NULL;
	}
}

static void serve_refresh(struct kma_serve *serve)
{
	if (serve_source_refresh(&serve->source))
		serve_forget(serve);
}

static struct kma_err *serve_profile(struct kma_serve *serve, bool allocs, struct kma_strbuf *out)
{
	struct kma_export export = serve_source_export(&serve->source);

	/* with groups, each sample gets the label of its group */
	export.account = serve->source.groups ?: serve->source.account;
	export.time = time(NULL);
	export.allocs = allocs;
	return kma_export_pprof.write(&export, out);
}

static int serve_by_live(const void *a, const void *b)
{
	const struct kma_pick *x = *(const struct kma_pick *const *)a;
	const struct kma_pick *y = *(const struct kma_pick *const *)b;

	return (x->now.current < y->now.current) - (x->now.current > y->now.current);
}

static void serve_row(struct kma_strbuf *out, const char *name, const char *module,
		      const struct kma_values *values)
{
	char bytes[KMA_NUMBER_LEN];

	kma_units_text(bytes, values->current, KMA_UNIT_BYTES);
	kma_strbuf_printf(out, "<tr><td>%s<td>", bytes);
	kma_escape_xml(out, name);
	kma_strbuf_puts(out, "<td>");
	kma_escape_xml(out, module);
	kma_strbuf_puts(out, "\n");
}

static const char serve_head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\"><meta charset=\"utf-8\"><title>kmem-account</title>\n"
	"<style>body { font: 16px sans-serif; margin: 2em }\n"
	"td, th { padding: .1em 1em; text-align: left }\n"
	"td:first-child { text-align: right }</style>\n"
	"<h1>kmem-account " KMA_VERSION "</h1>\n"
	"<ul><li><a href=\"/metrics\">Metrics</a>\n"
	"<li><a href=\"/debug/pprof/heap\">Profile: live memory</a>\n"
	"<li><a href=\"/debug/pprof/allocs\">Profile: all allocations</a></ul>\n";

/* Answer for a client that may not read profiles. */
static const char serve_guarded[] =
	"profiles need a password or a client certificate (see --web.config.file), or a private unix socket\n";

/* Makes the start page: links, and the largest call sites. */
static void serve_start(struct kma_serve *serve, struct kma_strbuf *out)
{
	_cleanup_free_ const struct kma_pick **order = NULL;
	const struct kma_picks *picks = &serve->source.picks;

	kma_strbuf_puts(out, serve_head);
	if (serve->source.trouble) {
		kma_strbuf_puts(out, "<p>");
		kma_escape_xml(out, serve->source.trouble);
	}
	order = kma_xcalloc(picks->nr + 1, sizeof(*order));
	for (size_t i = 0; i < picks->nr; i++)
		order[i] = &picks->list[i];
	qsort(order, picks->nr, sizeof(*order), serve_by_live);
	kma_strbuf_puts(out, "<table><tr><th>live<th>call site<th>module\n");
	if (serve->source.account)
		serve_row(out, "total", "", &picks->total);
	for (size_t i = 0; i < picks->nr && i < KMA_SERVE_ROWS && serve->source.account; i++)
		serve_row(out, order[i]->key.site, order[i]->key.module, &order[i]->now);
	kma_strbuf_puts(out, "</table>\n");
}

static void serve_metrics(struct kma_serve *serve, bool openmetrics, struct kma_strbuf *out)
{
	struct kma_export export;

	if (!serve->source.account) {
		kma_series_down(&serve->source.own, openmetrics, out);
		return;
	}
	export = serve_source_export(&serve->source);
	kma_series_write(&export, &serve->source.sites, &serve->source.picks,
			 serve->source.groups ? &serve->source.group_picks : NULL,
			 &serve->source.own, openmetrics, out);
}

static struct kma_err *serve_make(struct kma_serve *serve, enum kma_serve_page page,
				  struct kma_strbuf *out)
{
	switch (page) {
	case KMA_PAGE_TEXT:
	case KMA_PAGE_OPENMETRICS:
		serve_metrics(serve, page == KMA_PAGE_OPENMETRICS, out);
		return NULL;
	case KMA_PAGE_HEAP:
	case KMA_PAGE_ALLOCS:
		return serve_profile(serve, page == KMA_PAGE_ALLOCS, out);
	default:
		serve_start(serve, out);
		return NULL;
	}
}

/* The paths of the server. A profile is a compressed format, so it is not compressed again. */
static const struct kma_serve_path {
	const char *path;
	enum kma_serve_page page;
	const char *type;
	const char *file;
	bool guarded; /* only for clients that have authenticated themselves */
} kma_serve_paths[] = {
	{ "/", KMA_PAGE_START, "text/html; charset=utf-8", NULL, false },
	{ "/metrics", KMA_PAGE_TEXT, "text/plain; version=0.0.4; charset=utf-8", NULL, false },
	{ "/debug/pprof/heap", KMA_PAGE_HEAP, "application/octet-stream", "heap.pb.gz", true },
	{ "/debug/pprof/allocs", KMA_PAGE_ALLOCS, "application/octet-stream", "allocs.pb.gz",
	  true },
};

static void serve_sentence(struct kma_web_answer *ret, unsigned int status, const char *sentence)
{
	ret->status = status;
	ret->type = "text/plain; charset=utf-8";
	ret->sentence = sentence;
}

static struct kma_err *serve_body(struct kma_serve *serve, enum kma_serve_page page, bool gzip,
				  struct kma_body **ret)
{
	_cleanup_strbuf_ struct kma_strbuf plain = { 0 }, packed = { 0 };
	struct kma_err *err = serve_make(serve, page, &plain);

	if (err)
		return err;
	if (gzip)
		kma_gzip(&plain, KMA_GZIP_FAST, &packed);
	*ret = kma_body_create(gzip ? &packed : &plain);
	return NULL;
}

/* Makes and compresses an answer, unless it exists since an earlier request. */
static void serve_page(struct kma_serve *serve, const struct kma_serve_path *path,
		       enum kma_serve_page page, bool gzip, struct kma_web_answer *ret)
{
	struct kma_body **body = gzip ? &serve->packed[page] : &serve->pages[page];
	struct kma_err *err = NULL;

	if (!*body)
		err = serve_body(serve, page, gzip, body);
	if (err) {
		kma_err_destroy(err);
		serve_sentence(ret, 500, "out of memory\n");
		return;
	}
	ret->body = *body;
	ret->gzip = gzip;
	ret->file = path->file;
}

static void serve_answer(void *arg, const struct kma_web_request *request,
			 struct kma_web_answer *ret)
{
	const struct kma_serve_path *path = NULL;
	struct kma_serve *serve = arg;
	enum kma_serve_page page;

	for (size_t i = 0; i < ARRAY_SIZE(kma_serve_paths); i++)
		if (!strcmp(kma_serve_paths[i].path, request->path))
			path = &kma_serve_paths[i];
	if (!path) {
		serve_sentence(ret, 404, "no such page; see /\n");
		return;
	}
	if (path->guarded && !request->trusted) {
		serve_sentence(ret, 403, serve_guarded);
		return;
	}
	serve_refresh(serve);
	serve->source.own.requests++;
	page = path->page;
	ret->type = path->type;
	if (page == KMA_PAGE_TEXT && strstr(request->accept, "application/openmetrics-text")) {
		page = KMA_PAGE_OPENMETRICS;
		ret->type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
	}
	if (path->guarded && !serve->source.account) {
		serve_sentence(ret, 503, serve->source.trouble ?: "the account cannot be read\n");
		return;
	}
	serve_page(serve, path, page, request->gzip && !path->file, ret);
}

/* Refuses addresses that other machines can reach, without TLS, users or --web.insecure. */
static struct kma_err *serve_safe(const struct kma_serve_args *args,
				  const struct kma_listeners *listeners,
				  const struct kma_webconfig *config)
{
	for (unsigned int i = 0; i < listeners->nr; i++)
		if (!listeners->list[i].local && !config->cert && !config->nr_users &&
		    !args->insecure)
			return kma_err_create_kind(
				KMA_ERR_USAGE, NULL, 0,
				"serve: refusing to listen on %s without TLS or users, because other machines could read the account; configure TLS or users with --web.config.file, or use --web.insecure",
				listeners->list[i].name);
	return NULL;
}

static struct kma_err *serve_listen(const struct kma_serve_args *args,
				    struct kma_listeners *listeners)
{
	struct kma_err *err = NULL;

	if (args->systemd)
		return kma_listen_systemd(listeners);
	for (unsigned int i = 0; i < args->addresses.nr && !err; i++)
		err = kma_listen_open(listeners, args->addresses.list[i]);
	if (!args->addresses.nr)
		err = kma_listen_open(listeners, KMA_SERVE_ADDRESS);
	return err;
}

static struct kma_err *serve_web(struct kma_serve *serve)
{
	_cleanup_(kma_webconfig_deinit) struct kma_webconfig config = { 0 };
	_cleanup_(kma_listen_close) struct kma_listeners listeners = { 0 };
	const struct kma_serve_args *args = serve->args;
	struct kma_err *err = kma_serve_load();

	if (err)
		return err;
	err = args->config ? kma_webconfig_read(args->config, &config) : NULL;
	err = err ?: serve_listen(args, &listeners) ?: serve_safe(args, &listeners, &config);
	if (err)
		return err;
	serve_refresh(serve);
	return kma_web_run(&listeners, &config, serve_answer, serve);
}

/*
 * Writes the metrics to a file. The call sites that had series in the previous run are read from
 * the old file, where they are comments, which readers of the file ignore.
 */
static struct kma_err *serve_textfile(struct kma_serve *serve)
{
	_cleanup_strbuf_ struct kma_strbuf out = { 0 };
	_cleanup_free_ char *old = NULL;
	const char *path = serve->args->textfile;
	struct kma_err *err;
	size_t len;

	if (!access(path, R_OK)) {
		err = kma_file_slurp_regular(path, &old, &len);
		if (err)
			return err;
	}
	if (old)
		kma_picks_load(&serve->source.picks, old);
	if (old && serve->source.by)
		kma_picks_load(&serve->source.group_picks, old);
	err = serve_source_read(&serve->source);
	if (err)
		return err;
	serve_metrics(serve, false, &out);
	kma_picks_save(&serve->source.picks, &out);
	if (serve->source.by)
		kma_picks_save(&serve->source.group_picks, &out);
	return kma_outfile_write(path, &out);
}

static struct kma_err *serve_run(const struct kma_serve_args *args)
{
	struct kma_serve serve = {
		.args = args,
		.source = { .path = args->account,
			    .stats = args->stats,
			    .query = &args->kernel,
			    .by = args->by,
			    .picks = { .max = args->top },
			    .group_picks = { .by = args->by,
					     .max = args->by == KMA_GROUPED_NODE ? KMA_PICKS_NODES :
										   args->top } },
	};
	struct kma_err *err;

	serve_source_open(&serve.source);
	/* A process that runs once cannot count requests. */
	if (args->textfile)
		serve.source.own.failures = -1;
	else
		serve.source.own.requests = 0;
	err = args->account ? kma_refuse_live(args->account) : NULL;
	err = err ?: (args->textfile ? serve_textfile(&serve) : serve_web(&serve));
	serve_forget(&serve);
	serve_source_close(&serve.source);
	return err;
}

static int serve_main(int argc, char **argv)
{
	struct kma_serve_args args = { .top = KMA_SERVE_TOP, .stats = KMA_FILE_STATS };
	struct kma_err *err;
	int first;

	err = kma_option_read(&kma_cmd_serve, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	/* Files of debugfs also have kinds, bytes of all allocations and build IDs. */
	args.account = first < argc		    ? argv[first] :
		       args.by			    ? KMA_FILE_SNAPSHOT :
		       access(KMA_FILE_SITES, R_OK) ? KMA_FILE_ACCOUNT :
						      KMA_FILE_SITES;
	if (!args.textfile && args.account && !strcmp(args.account, "-"))
		return kma_fail_kind(kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"serve: cannot read the standard input for each scrape; name a file, or use --textfile"));
	return kma_fail_kind(serve_run(&args));
}

const struct kma_cmd kma_cmd_serve = {
	.name = "serve",
	.usage = "[OPTION...] [ACCOUNT]",
	.about =
		"Serve the account of this machine for Prometheus and profilers: /metrics,\n"
		"/debug/pprof/heap, /debug/pprof/allocs and /. The default of ACCOUNT is\n" KMA_FILE_SITES
		",\nor " KMA_FILE_ACCOUNT " if that file cannot be read.",
	.examples = "  kmem-account serve\n"
		    "  kmem-account serve --web.listen-address :9770 --web.config.file web.yml\n"
		    "  kmem-account serve --textfile /var/lib/prometheus/node-exporter/kmem.prom\n",
	.options = serve_options,
	.most = 1,
	.width = 30,
	.summary = "Serve the account for Prometheus and profilers, or write it for node_exporter.",
	.main = serve_main,
};
