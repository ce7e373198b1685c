// SPDX-License-Identifier: GPL-2.0
/*
 * cmd-db.c - kmem-account db: what is in a DB file, more into it, out of it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd.h"
#include "lib/cleanup.h"
#include "lib/escape.h"

#define KMA_TIME_LEN 24

/* One field of a snapshot, as text: a column of the list, a line of what is shown. */
struct kma_db_field {
	const char *name;  /* in csv and json */
	const char *title; /* for people */
	bool number;	   /* json: without quotes; table: at the right */
	/* Appends the field; nothing when it is not known. */
	void (*write)(const struct kma_snapshot *snapshot, bool people, struct kma_strbuf *out);
};

static void kma_field_text(const char *text, struct kma_strbuf *out)
{
	if (text)
		kma_strbuf_puts(out, text);
}

static void kma_field_id(const struct kma_snapshot *snapshot, bool people, struct kma_strbuf *out)
{
	kma_strbuf_printf(out, "%s%" PRId64, people ? "#" : "", snapshot->id);
}

static void kma_field_label(const struct kma_snapshot *snapshot, bool people,
			    struct kma_strbuf *out)
{
	(void)people;
	kma_field_text(snapshot->label, out);
}

static void kma_field_time(const struct kma_snapshot *snapshot, bool people, struct kma_strbuf *out)
{
	time_t when = snapshot->time;
	char text[KMA_TIME_LEN];
	struct tm tm;

	if (gmtime_r(&when, &tm) &&
	    strftime(text, sizeof(text), people ? "%F %T UTC" : "%FT%TZ", &tm))
		kma_strbuf_puts(out, text);
}

static void kma_field_kernel(const struct kma_snapshot *snapshot, bool people,
			     struct kma_strbuf *out)
{
	(void)people;
	kma_field_text(snapshot->release, out);
}

static void kma_field_build_id(const struct kma_snapshot *snapshot, bool people,
			       struct kma_strbuf *out)
{
	(void)people;
	kma_field_text(snapshot->build_id, out);
}

static void kma_field_host(const struct kma_snapshot *snapshot, bool people, struct kma_strbuf *out)
{
	(void)people;
	kma_field_text(snapshot->host, out);
}

static void kma_field_input(const struct kma_snapshot *snapshot, bool people,
			    struct kma_strbuf *out)
{
	(void)people;
	kma_field_text(snapshot->input, out);
}

static void kma_field_sites(const struct kma_snapshot *snapshot, bool people,
			    struct kma_strbuf *out)
{
	(void)people;
	kma_strbuf_printf(out, "%" PRIu64, snapshot->sites);
}

static void kma_field_live(const struct kma_snapshot *snapshot, bool people, struct kma_strbuf *out)
{
	char buf[32];

	if (!snapshot->has_live)
		return;
	kma_strbuf_puts(out, kma_units_format(buf, sizeof(buf), snapshot->live,
					      people ? KMA_UNIT_BYTES : KMA_UNIT_COUNT));
}

static const struct kma_db_field kma_db_fields[] = {
	{ "number", "number", true, kma_field_id },
	{ "label", "label", false, kma_field_label },
	{ "time", "saved", false, kma_field_time },
	{ "kernel", "kernel", false, kma_field_kernel },
	{ "host", "host", false, kma_field_host },
	{ "sites", "sites", true, kma_field_sites },
	{ "current_dynamic", "live", true, kma_field_live },
	{ "build_id", "build ID", false, kma_field_build_id },
	{ "input", "input", false, kma_field_input },
};

/* What the table has room for: the first ones. */
#define KMA_DB_COLUMNS 7

/* A field as text to be freed, "" when not known; NULL without memory. */
static char *kma_field_get(const struct kma_db_field *field, const struct kma_snapshot *snapshot,
			   bool people)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_strbuf clean = { 0 };

	field->write(snapshot, people, &text);
	kma_strbuf_puts(&clean, "");
	if (people)
		kma_escape_plain(&clean, text.str ?: "");
	else
		kma_strbuf_puts(&clean, text.str ?: "");
	if (kma_strbuf_ok(&clean) && kma_strbuf_ok(&text))
		return clean.str;
	kma_strbuf_deinit(&clean);
	return NULL;
}

static void kma_list_cell(const char *text, int width, bool right, bool last,
			  struct kma_strbuf *out)
{
	if (last && !right)
		kma_strbuf_puts(out, text);
	else
		kma_strbuf_printf(out, right ? "%*s" : "%-*s", width, text);
	kma_strbuf_puts(out, last ? "\n" : "  ");
}

/* Row -1 is the heading. */
static void kma_list_row(const struct kma_snapshot *list, ssize_t row, int *widths, bool measure,
			 struct kma_strbuf *out)
{
	for (size_t i = 0; i < KMA_DB_COLUMNS; i++) {
		const struct kma_db_field *field = &kma_db_fields[i];
		char *text;

		text = row < 0 ? strdup(field->title) : kma_field_get(field, &list[row], true);
		if (!text)
			out->failed = true;
		else if (!measure)
			kma_list_cell(text, widths[i], field->number, i + 1 == KMA_DB_COLUMNS, out);
		else if ((int)strlen(text) > widths[i])
			widths[i] = strlen(text);
		free(text);
	}
}

static void kma_list_table(const struct kma_snapshot *list, size_t nr, struct kma_strbuf *out)
{
	int widths[KMA_DB_COLUMNS] = { 0 };

	for (ssize_t row = -1; row < (ssize_t)nr; row++)
		kma_list_row(list, row, widths, true, out);
	for (ssize_t row = -1; row < (ssize_t)nr; row++)
		kma_list_row(list, row, widths, false, out);
}

static void kma_list_csv(const struct kma_snapshot *list, size_t nr, struct kma_strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_db_fields); i++)
		kma_strbuf_printf(out, "%s%s", i ? "," : "", kma_db_fields[i].name);
	kma_strbuf_puts(out, "\n");
	for (size_t row = 0; row < nr; row++) {
		for (size_t i = 0; i < ARRAY_SIZE(kma_db_fields); i++) {
			_cleanup_free_ char *text =
				kma_field_get(&kma_db_fields[i], &list[row], false);

			kma_strbuf_puts(out, i ? "," : "");
			kma_escape_csv(out, text ?: "");
		}
		kma_strbuf_puts(out, "\n");
	}
}

/* Members of an object; what is not known is left out. */
static void kma_json_fields(const struct kma_snapshot *snapshot, struct kma_strbuf *out)
{
	const char *comma = "";

	for (size_t i = 0; i < ARRAY_SIZE(kma_db_fields); i++) {
		const struct kma_db_field *field = &kma_db_fields[i];
		_cleanup_free_ char *text = kma_field_get(field, snapshot, false);

		if (!text || !*text)
			continue;
		kma_strbuf_printf(out, "%s\"%s\": ", comma, field->name);
		if (field->number)
			kma_strbuf_puts(out, text);
		else
			kma_escape_json(out, text);
		comma = ", ";
	}
}

static void kma_list_json(const struct kma_snapshot *list, size_t nr, struct kma_strbuf *out)
{
	kma_strbuf_puts(out, "{\n  \"format\": \"kmem-account db list\",\n  \"version\": 1,\n"
			     "  \"snapshots\": [");
	for (size_t row = 0; row < nr; row++) {
		kma_strbuf_puts(out, row ? ",\n    {" : "\n    {");
		kma_json_fields(&list[row], out);
		kma_strbuf_puts(out, "}");
	}
	kma_strbuf_puts(out, "\n  ]\n}\n");
}

static const struct kma_db_format {
	const char *name;
	void (*list)(const struct kma_snapshot *list, size_t nr, struct kma_strbuf *out);
} kma_db_formats[] = {
	{ "table", kma_list_table },
	{ "csv", kma_list_csv },
	{ "json", kma_list_json },
};

static const struct kma_db_format *kma_db_format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_db_formats); i++)
		if (!strcmp(kma_db_formats[i].name, name ?: "table"))
			return &kma_db_formats[i];
	return NULL;
}

static struct kma_err *kma_db_run_list(const struct kma_options *opts)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_snapshot *list = NULL;
	struct kma_err *err;
	size_t nr = 0;

	err = kma_db_list(opts->args[1], &list, &nr);
	if (err)
		return err;
	kma_db_format_find(opts->format)->list(list, nr, &text);
	kma_db_list_free(list, nr);
	return kma_write_text(&text, opts->output);
}

static void kma_show_losses(const struct kma_account *account, struct kma_strbuf *out)
{
	uint64_t events;

	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(account, id, &events))
			kma_strbuf_printf(out, "%s: %" PRIu64 "\n", kma_losses[id].title, events);
}

/* Who made it, its totals, what it did not count, and what else the input said. */
static void kma_show(const struct kma_snapshot *snapshot, const struct kma_account *account,
		     bool bytes, struct kma_strbuf *out)
{
	unsigned int have = kma_account_metrics(account);
	const char *key, *value;
	char buf[32];

	for (size_t i = 0; i < ARRAY_SIZE(kma_db_fields); i++) {
		_cleanup_free_ char *text = kma_field_get(&kma_db_fields[i], snapshot, true);

		/* The live bytes come with the other totals. */
		if (text && *text && kma_db_fields[i].write != kma_field_live)
			kma_strbuf_printf(out, "%s: %s\n", kma_db_fields[i].title, text);
	}
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		if (!(have & 1U << id))
			continue;
		kma_units_format(buf, sizeof(buf), kma_metrics[id].get(kma_account_total(account)),
				 bytes ? KMA_UNIT_COUNT : kma_metrics[id].unit);
		kma_strbuf_printf(out, "%s: %s\n", kma_metrics[id].what, buf);
	}
	kma_show_losses(account, out);
	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++) {
		kma_escape_plain(out, key);
		kma_strbuf_puts(out, ": ");
		kma_escape_plain(out, value);
		kma_strbuf_puts(out, "\n");
	}
	for (size_t i = 0; (value = kma_account_warning(account, i)); i++) {
		kma_strbuf_puts(out, "warning: ");
		kma_escape_plain(out, value);
		kma_strbuf_puts(out, "\n");
	}
}

static struct kma_err *kma_db_run_show(const struct kma_options *opts)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_account *account = NULL;
	struct kma_snapshot snapshot = { 0 };
	struct kma_db_ref ref;
	struct kma_err *err;

	err = kma_db_ref_parse(opts->args[1], &ref);
	if (!err)
		err = kma_db_load(&ref, NULL, &snapshot, &account);
	if (!err) {
		kma_show(&snapshot, account, opts->bytes, &text);
		err = kma_write_text(&text, opts->output);
	}
	kma_account_destroy(account);
	kma_snapshot_deinit(&snapshot);
	kma_db_ref_deinit(&ref);
	return err;
}

static struct kma_err *kma_db_run_delete(const struct kma_options *opts)
{
	struct kma_err *err = NULL;

	for (unsigned int i = 1; i < opts->nr_args && !err; i++) {
		struct kma_db_ref ref;

		err = kma_db_ref_parse(opts->args[i], &ref);
		if (!err)
			err = kma_db_delete(&ref);
		kma_db_ref_deinit(&ref);
	}
	return err;
}

static struct kma_err *kma_db_import(const struct kma_options *opts, const char *input)
{
	struct kma_options one = *opts;
	struct kma_loaded loaded = { 0 };
	struct kma_err *err;

	one.account = input;
	err = kma_load_account(&one, &loaded);
	if (!err)
		err = kma_save_account(opts->args[1], &loaded);
	kma_unload(&loaded);
	return err;
}

/* A whole DB file: all its snapshots, by number. */
static struct kma_err *kma_db_import_all(const struct kma_options *opts, const char *path)
{
	struct kma_snapshot *list = NULL;
	struct kma_err *err;
	size_t nr = 0;

	err = kma_db_list(path, &list, &nr);
	for (size_t i = 0; i < nr && !err; i++) {
		char *input;

		if (asprintf(&input, "%s@#%" PRId64, path, list[i].id) < 0)
			return &kma_enomem;
		err = kma_db_import(opts, input);
		free(input);
	}
	kma_db_list_free(list, nr);
	return err;
}

static struct kma_err *kma_db_run_import(const struct kma_options *opts)
{
	struct kma_err *err = NULL;

	for (unsigned int i = 2; i < opts->nr_args && !err; i++)
		err = kma_db_is_file(opts->args[i]) ? kma_db_import_all(opts, opts->args[i]) :
						      kma_db_import(opts, opts->args[i]);
	return err;
}

static const struct kma_db_verb {
	const char *name;
	unsigned int min, max; /* arguments, the verb is one */
	const char *usage;
	struct kma_err *(*run)(const struct kma_options *opts);
} kma_db_verbs[] = {
	{ "list", 2, 2, "db list FILE", kma_db_run_list },
	{ "show", 2, 2, "db show FILE[@LABEL]", kma_db_run_show },
	{ "delete", 2, KMA_MAX_ARGS, "db delete FILE@LABEL...", kma_db_run_delete },
	{ "import", 3, KMA_MAX_ARGS, "db import FILE[@LABEL] INPUT...", kma_db_run_import },
};

static struct kma_err *kma_db_plan(const struct kma_options *opts, const struct kma_db_verb **ret)
{
	const char *name = opts->nr_args ? opts->args[0] : "";

	*ret = NULL;
	if (!kma_db_format_find(opts->format))
		return kma_err_create(NULL, 0, "unknown format '%s'; there is table, csv, json",
				      opts->format);
	for (size_t i = 0; i < ARRAY_SIZE(kma_db_verbs); i++) {
		const struct kma_db_verb *verb = &kma_db_verbs[i];

		if (strcmp(verb->name, name))
			continue;
		if (opts->nr_args < verb->min || opts->nr_args > verb->max)
			return kma_err_create(NULL, 0, "usage: kmem-account %s", verb->usage);
		*ret = verb;
		return NULL;
	}
	return kma_err_create(NULL, 0, "db: %s%s%s; there is list, show, delete, import",
			      *name ? "cannot '" : "what to do", name, *name ? "'" : "");
}

static int kma_db_run(const struct kma_cmd *cmd, int argc, char **argv)
{
	const struct kma_db_verb *verb;
	struct kma_options opts;
	struct kma_err *err;

	err = kma_options_parse(cmd, argc, argv, &opts);
	if (!err && opts.help) {
		kma_options_help(cmd);
		return KMA_EXIT_OK;
	}
	if (!err)
		err = kma_db_plan(&opts, &verb);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	return kma_fail(verb->run(&opts), KMA_EXIT_DATA);
}

const struct kma_cmd kma_cmd_db = {
	.name = "db",
	.bit = KMA_CMD_DB,
	.args = "list|show|delete|import FILE[@LABEL] [INPUT...]",
	.nr_args = KMA_MAX_ARGS,
	.summary = "Keep accounts in a DB file: list, show, delete, import.",
	.examples = "  kmem-account report trace.log --save-db kmem.db@before\n"
		    "  kmem-account db list kmem.db\n"
		    "  kmem-account db show kmem.db@before\n"
		    "  kmem-account db delete kmem.db@before 'kmem.db@#3'\n"
		    "  kmem-account db import kmem.db@boot /proc/kmem_account\n"
		    "  kmem-account db import all.db kmem.db trace.dat\n",
	.run = kma_db_run,
};
