// SPDX-License-Identifier: GPL-2.0
/*
 * snapshot-text.c - snapshots of DB files as text: one table of fields makes the
 * columns of the list, the lines of what is shown and the members of JSON.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/snapshot.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "model/account.h"
#include "snapshot-text.h"
#include "view/text/view.h"

#define KMA_TIME_LEN 24

/* For programs; for people, with plain numbers of bytes if they want these. */
enum kma_field_form { KMA_FIELD_RAW, KMA_FIELD_PEOPLE, KMA_FIELD_PEOPLE_BYTES };

/* One field of a snapshot, as text: a column of the list, a line of what is shown. */
struct kma_db_field {
	const char *name;  /* in csv and json */
	const char *title; /* for people */
	bool number;	   /* json: without quotes; table: at the right */
	/* Appends the field; nothing when it is not known. */
	void (*write)(const struct kma_snapshot *snapshot, enum kma_field_form form,
		      struct kma_strbuf *out);
};

static void kma_field_text(const char *text, struct kma_strbuf *out)
{
	if (text)
		kma_strbuf_puts(out, text);
}

static void kma_field_id(const struct kma_snapshot *snapshot, enum kma_field_form form,
			 struct kma_strbuf *out)
{
	kma_strbuf_printf(out, "%s%" PRId64, form ? "#" : "", snapshot->id);
}

static void kma_field_label(const struct kma_snapshot *snapshot, enum kma_field_form form,
			    struct kma_strbuf *out)
{
	(void)form;
	kma_field_text(snapshot->label, out);
}

static void kma_field_time(const struct kma_snapshot *snapshot, enum kma_field_form form,
			   struct kma_strbuf *out)
{
	time_t when = snapshot->time;
	char text[KMA_TIME_LEN];
	struct tm tm;

	if (gmtime_r(&when, &tm) &&
	    strftime(text, sizeof(text), form ? "%F %T UTC" : "%FT%TZ", &tm))
		kma_strbuf_puts(out, text);
}

static void kma_field_kernel(const struct kma_snapshot *snapshot, enum kma_field_form form,
			     struct kma_strbuf *out)
{
	(void)form;
	kma_field_text(snapshot->release, out);
}

static void kma_field_build_id(const struct kma_snapshot *snapshot, enum kma_field_form form,
			       struct kma_strbuf *out)
{
	(void)form;
	kma_field_text(snapshot->build_id, out);
}

static void kma_field_host(const struct kma_snapshot *snapshot, enum kma_field_form form,
			   struct kma_strbuf *out)
{
	(void)form;
	kma_field_text(snapshot->host, out);
}

static void kma_field_input(const struct kma_snapshot *snapshot, enum kma_field_form form,
			    struct kma_strbuf *out)
{
	(void)form;
	kma_field_text(snapshot->input, out);
}

static void kma_field_sites(const struct kma_snapshot *snapshot, enum kma_field_form form,
			    struct kma_strbuf *out)
{
	(void)form;
	kma_strbuf_printf(out, "%" PRIu64, snapshot->sites);
}

static void kma_field_live(const struct kma_snapshot *snapshot, enum kma_field_form form,
			   struct kma_strbuf *out)
{
	char buf[32];

	if (!snapshot->has_live)
		return;
	kma_strbuf_puts(out, kma_units_format(buf, sizeof(buf), snapshot->live,
					      form == KMA_FIELD_PEOPLE ? KMA_UNIT_BYTES :
									 KMA_UNIT_COUNT));
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
			   enum kma_field_form form)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_strbuf clean = { 0 };

	field->write(snapshot, form, &text);
	kma_strbuf_puts(&clean, "");
	if (form)
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
static void kma_list_row(const struct kma_snapshot *list, ssize_t row, enum kma_field_form form,
			 int *widths, bool measure, struct kma_strbuf *out)
{
	for (size_t i = 0; i < KMA_DB_COLUMNS; i++) {
		const struct kma_db_field *field = &kma_db_fields[i];
		char *text;

		text = row < 0 ? strdup(field->title) : kma_field_get(field, &list[row], form);
		if (!text)
			out->failed = true;
		else if (!measure)
			kma_list_cell(text, widths[i], field->number, i + 1 == KMA_DB_COLUMNS, out);
		else if ((int)strlen(text) > widths[i])
			widths[i] = strlen(text);
		free(text);
	}
}

static void kma_list_table(const struct kma_snapshot *list, size_t nr, bool bytes,
			   struct kma_strbuf *out)
{
	enum kma_field_form form = bytes ? KMA_FIELD_PEOPLE_BYTES : KMA_FIELD_PEOPLE;
	int widths[KMA_DB_COLUMNS] = { 0 };

	for (ssize_t row = -1; row < (ssize_t)nr; row++)
		kma_list_row(list, row, form, widths, true, out);
	for (ssize_t row = -1; row < (ssize_t)nr; row++)
		kma_list_row(list, row, form, widths, false, out);
}

static void kma_list_csv(const struct kma_snapshot *list, size_t nr, bool bytes,
			 struct kma_strbuf *out)
{
	(void)bytes;
	for (size_t i = 0; i < ARRAY_SIZE(kma_db_fields); i++)
		kma_strbuf_printf(out, "%s%s", i ? "," : "", kma_db_fields[i].name);
	kma_strbuf_puts(out, "\n");
	for (size_t row = 0; row < nr; row++) {
		for (size_t i = 0; i < ARRAY_SIZE(kma_db_fields); i++) {
			_cleanup_free_ char *text =
				kma_field_get(&kma_db_fields[i], &list[row], KMA_FIELD_RAW);

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
		_cleanup_free_ char *text = kma_field_get(field, snapshot, KMA_FIELD_RAW);

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

static void kma_list_json(const struct kma_snapshot *list, size_t nr, bool bytes,
			  struct kma_strbuf *out)
{
	(void)bytes;
	kma_strbuf_puts(out, "{\n  \"format\": \"kmem-account db list\",\n  \"version\": 1,\n"
			     "  \"snapshots\": [");
	for (size_t row = 0; row < nr; row++) {
		kma_strbuf_puts(out, row ? ",\n    {" : "\n    {");
		kma_json_fields(&list[row], out);
		kma_strbuf_puts(out, "}");
	}
	kma_strbuf_puts(out, "\n  ]\n}\n");
}

static void kma_show_losses(const struct kma_account *account, struct kma_strbuf *out)
{
	uint64_t events;

	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(account, id, &events))
			kma_strbuf_printf(out, "%s: %" PRIu64 "\n", kma_losses[id].title, events);
}

/* Who made it, its totals, what it did not count, and what else the input said. */
static void kma_show_table(const struct kma_snapshot *snapshot, const struct kma_account *account,
			   bool bytes, struct kma_strbuf *out)
{
	unsigned int have = kma_account_metrics(account);
	const char *key, *value;
	char buf[32];

	for (size_t i = 0; i < ARRAY_SIZE(kma_db_fields); i++) {
		_cleanup_free_ char *text =
			kma_field_get(&kma_db_fields[i], snapshot, KMA_FIELD_PEOPLE);

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

/* A value under its name; the names are those of JSON, with the part in front. */
static void kma_show_csv_number(const char *part, const char *name, uint64_t number,
				struct kma_strbuf *out)
{
	kma_strbuf_printf(out, "%s,%s,%" PRIu64 "\n", part, name, number);
}

static void kma_show_csv_text(const char *part, const char *name, const char *text,
			      struct kma_strbuf *out)
{
	kma_strbuf_printf(out, "%s,", part);
	kma_escape_csv(out, name);
	kma_strbuf_puts(out, ",");
	kma_escape_csv(out, text);
	kma_strbuf_puts(out, "\n");
}

static void kma_show_csv(const struct kma_snapshot *snapshot, const struct kma_account *account,
			 bool bytes, struct kma_strbuf *out)
{
	const struct kma_values *total = kma_account_total(account);
	unsigned int have = kma_account_metrics(account);
	const char *key, *value;
	uint64_t events;

	(void)bytes;
	kma_strbuf_puts(out, "part,name,value\n");
	for (size_t i = 0; i < ARRAY_SIZE(kma_db_fields); i++) {
		_cleanup_free_ char *text =
			kma_field_get(&kma_db_fields[i], snapshot, KMA_FIELD_RAW);

		if (text && *text && kma_db_fields[i].write != kma_field_live)
			kma_show_csv_text("snapshot", kma_db_fields[i].name, text, out);
	}
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (have & 1U << id)
			kma_show_csv_number("total", kma_metrics[id].name,
					    kma_metrics[id].get(total), out);
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(account, id, &events))
			kma_show_csv_number("not_counted", kma_losses[id].name, events, out);
	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++)
		kma_show_csv_text("notes", key, value, out);
	for (size_t i = 0; (value = kma_account_warning(account, i)); i++)
		kma_show_csv_text("warnings", "", value, out);
}

static void kma_show_json_numbers(const struct kma_account *account, struct kma_strbuf *out)
{
	const struct kma_values *total = kma_account_total(account);
	unsigned int have = kma_account_metrics(account);
	const char *comma = "";
	uint64_t events;

	kma_strbuf_puts(out, "  \"total\": {");
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		if (!(have & 1U << id))
			continue;
		kma_strbuf_printf(out, "%s\"%s\": %" PRIu64, comma, kma_metrics[id].name,
				  kma_metrics[id].get(total));
		comma = ", ";
	}
	kma_strbuf_puts(out, "},\n  \"not_counted\": {");
	comma = "";
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		if (!kma_account_loss(account, id, &events))
			continue;
		kma_strbuf_printf(out, "%s\"%s\": %" PRIu64, comma, kma_losses[id].name, events);
		comma = ", ";
	}
	kma_strbuf_puts(out, "},\n");
}

static void kma_show_json(const struct kma_snapshot *snapshot, const struct kma_account *account,
			  bool bytes, struct kma_strbuf *out)
{
	const char *key, *value;

	(void)bytes;
	kma_strbuf_puts(out, "{\n  \"format\": \"kmem-account db show\",\n  \"version\": 1,\n"
			     "  \"snapshot\": {");
	kma_json_fields(snapshot, out);
	kma_strbuf_puts(out, "},\n");
	kma_show_json_numbers(account, out);
	kma_strbuf_puts(out, "  \"notes\": {");
	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++) {
		kma_strbuf_puts(out, i ? ", " : "");
		kma_escape_json(out, key);
		kma_strbuf_puts(out, ": ");
		kma_escape_json(out, value);
	}
	kma_strbuf_puts(out, "},\n  \"warnings\": [");
	for (size_t i = 0; (value = kma_account_warning(account, i)); i++) {
		kma_strbuf_puts(out, i ? ", " : "");
		kma_escape_json(out, value);
	}
	kma_strbuf_puts(out, "]\n}\n");
}

const struct kma_snapshot_format kma_snapshot_formats[KMA_NR_FORMATS] = {
	[KMA_FORMAT_TABLE] = { kma_list_table, kma_show_table },
	[KMA_FORMAT_CSV] = { kma_list_csv, kma_show_csv },
	[KMA_FORMAT_JSON] = { kma_list_json, kma_show_json },
};
