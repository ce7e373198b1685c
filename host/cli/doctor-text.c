// SPDX-License-Identifier: GPL-2.0-only
/*
 * doctor-text.c - the answer of kmem-account doctor: at most 25 lines of 80 columns, or JSON.
 *
 * The lines of each part are bounded, and the bounds add up to 25 with the least for growth, which
 * gets what others do not need. A list that does not fit ends with what it leaves out; JSON has all.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor-text.h"
#include "leaks-scan.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/escape.h"
#include "lib/file.h"
#include "lib/fit.h"
#include "lib/plural.h"
#include "lib/sheet.h"
#include "lib/units.h"
#include "store/history.h"

#define COLUMNS	    80
#define WRAP	    (COLUMNS - 5) /* without an indent and "..." */
#define GROWN	    4096	  /* bytes; growth of less is not shown */
#define HELD	    4		  /* a root that holds less than 1 of 4 objects explains nothing */
#define LONG_LOOK   600		  /* seconds that doctor proposes */
#define UNEXPLAINED 10 /* percent of memory that no line of meminfo has, and that is a question */

/* Most lines of each part; with one each for the title, what is lost, the cost: all, without growth 21. */
enum {
	LINES_ALL = 25,
	LINES_VERDICT = 2,
	LINES_KNOWN = 1,
	LINES_MEMORY = 4,
	LINES_GROWTH = 6,
	LINES_HOLDERS = DOCTOR_NR_HOLDERS,
	LINES_HELD = 2,
	LINES_UNSEEN = 2,
	LINES_NEXT = 3,
};

/* The verdict on the machine: that of one of its owners of memory. */
struct doctor_verdict {
	const char *word;	       /* "leak" */
	double sure;		       /* 0 to 1 */
	const struct kma_leak_row *of; /* NULL: of none, or of @lost */
	const struct kma_lost_row *lost;
	struct kma_strbuf why;
	const struct kma_doctor_rule *rule;
};

static char *bytes_text(char buf[KMA_NUMBER_LEN], uint64_t bytes)
{
	return kma_units_format(buf, KMA_NUMBER_LEN, bytes, KMA_UNIT_BYTES);
}

/*
 * Appends a paragraph of at most @lines lines, which are indented after the first. A text that is
 * longer ends with "...".
 */
static void paragraph(struct kma_strbuf *out, const char *text, size_t lines)
{
	_cleanup_strbuf_ struct kma_strbuf plain = { 0 }, wrapped = { 0 };
	const char *indent = "";

	kma_escape_plain(&plain, text);
	kma_fit_wrap(&wrapped, plain.str ?: "", WRAP);
	for (const char *line = wrapped.str ?: ""; *line && lines; lines--) {
		_cleanup_free_ char *one = kma_xstrndup(line, strcspn(line, "\n"));

		line += strlen(one) + 1;
		kma_strbuf_puts(out, indent);
		kma_fit_middle(out, one, WRAP);
		kma_strbuf_puts(out, lines == 1 && *line ? "...\n" : "\n");
		indent = "  ";
	}
}

/* Is an object of a lost row older than the module, so that only its cache is known? */
static bool is_older(const struct kma_lost_row *row)
{
	size_t len;

	return kma_site_before(row->caller, &len);
}

/*
 * The call site with the most lost objects. Of older objects a few are lost since boot on healthy
 * machines (leaks-scan.h). Rows of the scan are sorted by lost objects.
 */
static const struct kma_lost_row *most_lost(const struct kma_doctor *doctor)
{
	const struct kma_lost *lost = &doctor->scan.lost;

	for (size_t i = 0; i < lost->nr; i++)
		if (!is_older(&lost->rows[i]) || lost->rows[i].lost > KMA_LEAKS_AT_BOOT)
			return &lost->rows[i];
	return NULL;
}

/* The row of the table that has the verdict; among leaks a proved one, then the surest. */
static const struct kma_leak_row *row_of(const struct kma_leak_table *table,
					 enum kma_leak_verdict verdict)
{
	const struct kma_leak_row *best = NULL;

	for (size_t i = 0; i < table->nr; i++) {
		const struct kma_leak_row *row = &table->rows[i];

		if (row->result.verdict != verdict)
			continue;
		if (!best || row->lost > best->lost ||
		    (row->lost == best->lost && row->result.confidence > best->result.confidence))
			best = row;
	}
	return best;
}

static void rule_of(const struct kma_doctor *doctor, struct doctor_verdict *verdict)
{
	const struct kma_leak_row *row = verdict->of;
	_cleanup_free_ char *pieces = NULL;
	struct kma_site site = { 0 };
	const char *cache = NULL;
	size_t len;

	if (row && !doctor->caches) {
		verdict->rule = kma_doctor_rules_find(&doctor->rules, row->site->symbol,
						      row->site->module, row->site->cache,
						      doctor->version);
		return;
	}
	if (verdict->lost) {
		const char *of = kma_site_before(verdict->lost->caller, &len);

		pieces = of ? kma_xstrndup(of, len) : kma_xstrdup(verdict->lost->caller);
		if (of)
			cache = pieces;
		else
			kma_site_parse(pieces, &site);
	}
	if (row || cache || site.symbol)
		verdict->rule = kma_doctor_rules_find(&doctor->rules, site.symbol, site.module,
						      row ? row->caller : cache, doctor->version);
}

/* What a scan without an alarm has found. */
static const char *loss_text(const struct kma_doctor *doctor)
{
	if (!doctor->scanned)
		return "";
	return doctor->scan.lost.nr ? "; no more objects are lost than since each boot" :
				      "; nothing is lost";
}

/* Confidence that nothing leaks: that of the least sure row, of those that were judged. */
static double least_sure(const struct kma_leak_table *table)
{
	double least = 1;

	for (size_t i = 0; i < table->nr; i++)
		if (table->rows[i].result.verdict != KMA_LEAK_TOO_EARLY)
			least = fmin(least, table->rows[i].result.confidence);
	return least;
}

static void decide(const struct kma_doctor *doctor, struct doctor_verdict *ret)
{
	const struct kma_leak_table *table = &doctor->table;
	const struct kma_lost_row *lost = most_lost(doctor);

	*ret = (struct doctor_verdict){ .word = "leak", .of = row_of(table, KMA_LEAK_LEAK) };
	if (lost && (!ret->of || ret->of->lost < lost->lost)) {
		ret->of = NULL;
		ret->lost = lost;
		ret->sure = 1;
		kma_strbuf_printf(&ret->why, "%s: %llu of %llu objects have %s", lost->caller,
				  (unsigned long long)lost->lost, (unsigned long long)lost->live,
				  lost->heads ? "no reference left in the kernel" :
						"only references from other lost objects");
	} else if (!ret->of) {
		ret->word = "growing";
		ret->of = row_of(table, KMA_LEAK_GROWING);
	}
	if (ret->of) {
		ret->sure = ret->of->result.confidence;
		kma_strbuf_printf(&ret->why, "%s: %s", ret->of->caller, ret->of->reasons.str ?: "");
	} else if (!ret->lost && table->nr && table->counts[KMA_LEAK_TOO_EARLY] < table->nr) {
		ret->word = "no alarm";
		ret->sure = least_sure(table);
		kma_strbuf_printf(&ret->why, "no %s leaks or grows steadily%s",
				  doctor->caches ? "slab cache" : "call site", loss_text(doctor));
	} else if (!ret->lost) {
		ret->word = "too early";
		kma_strbuf_printf(&ret->why, "%zu %s in %.0f s are not enough to judge growth%s",
				  table->samples, kma_plural(table->samples, "sample", "samples"),
				  table->covers, loss_text(doctor));
	}
	rule_of(doctor, ret);
}

/* Do the samples and the scan leave it open whether there is a leak? */
static bool is_open(const struct doctor_verdict *verdict)
{
	return verdict->sure < KMA_LEAK_SURE;
}

static void write_verdict(const struct doctor_verdict *verdict, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf line = { 0 };
	const struct kma_doctor_rule *rule = verdict->rule;

	kma_strbuf_printf(&line, "Verdict: %s", verdict->word);
	if (verdict->sure > 0)
		kma_strbuf_printf(&line, ", confidence %.2f%s", verdict->sure,
				  is_open(verdict) ? " (no all-clear)" : "");
	kma_strbuf_printf(&line, ": %s", verdict->why.str);
	paragraph(out, line.str, LINES_VERDICT);
	if (!rule)
		return;
	kma_strbuf_deinit(&line);
	kma_strbuf_printf(&line, "Known: %s", rule->name);
	if (rule->fix)
		kma_strbuf_printf(&line, "; fixed by %.12s in %s", rule->fix, rule->fixed ?: "-");
	else if (rule->advice)
		kma_strbuf_printf(&line, ": %s", rule->advice);
	paragraph(out, line.str, LINES_KNOWN);
}

/* Appends "anonymous 1.2 GiB 63.0%, ...": the first @nr rows, and the others as one. */
static void memory_text(const struct kma_doctor *doctor, size_t nr, uint64_t total,
			struct kma_strbuf *text)
{
	const struct kma_where_rows *rows = &doctor->memory;
	char bytes[KMA_NUMBER_LEN], percent[8];
	size_t others = 0;
	int64_t rest = 0;

	for (size_t i = 0; i < rows->nr; i++) {
		const struct kma_where_row *row = &rows->rows[i];

		/* what no line of meminfo has is always shown */
		if (i >= nr && strcmp(row->owner, KMA_WHERE_UNEXPLAINED)) {
			rest += row->negative ? -(int64_t)row->bytes : (int64_t)row->bytes;
			others++;
			continue;
		}
		kma_strbuf_printf(text, "%s %s%s %s, ", row->owner, row->negative ? "-" : "",
				  bytes_text(bytes, row->bytes),
				  kma_percent_format(percent, sizeof(percent), row->bytes, total));
	}
	if (others)
		kma_strbuf_printf(text, "%zu other %s %s%s, ", others,
				  kma_plural(others, "row", "rows"), rest < 0 ? "-" : "",
				  bytes_text(bytes, llabs(rest)));
	text->str[text->len - 2] = '\0';
}

static void write_memory(const struct kma_doctor *doctor, struct kma_strbuf *out)
{
	uint64_t total, available;
	char bytes[KMA_NUMBER_LEN];
	bool fits = false;

	if (!doctor->memory.nr)
		return;
	kma_meminfo_get(&doctor->meminfo, "MemTotal", &total);
	for (size_t nr = doctor->memory.nr; nr && !fits; nr--) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 }, lines = { 0 };

		kma_strbuf_printf(&text, "Memory: %s", bytes_text(bytes, total));
		if (kma_meminfo_get(&doctor->meminfo, "MemAvailable", &available))
			kma_strbuf_printf(&text, " (%s available)", bytes_text(bytes, available));
		kma_strbuf_puts(&text, ", the sum of: ");
		memory_text(doctor, nr, total, &text);
		fits = kma_fit_wrap(&lines, text.str, WRAP) <= LINES_MEMORY;
		if (fits || nr == 1)
			paragraph(out, text.str, LINES_MEMORY);
	}
}

static int by_gain(const void *a, const void *b)
{
	const struct kma_leak_row *x = *(const struct kma_leak_row *const *)a;
	const struct kma_leak_row *y = *(const struct kma_leak_row *const *)b;
	int leak = (y->result.verdict == KMA_LEAK_LEAK) - (x->result.verdict == KMA_LEAK_LEAK);
	double p = x->result.evidence.gained, q = y->result.evidence.gained;

	return leak ?: p != q ? (p < q ? 1 : -1) : strcmp(x->caller, y->caller);
}

/* The leaks, then the rows that grew, by growth. To be freed. */
static const struct kma_leak_row **grown_rows(const struct kma_leak_table *table, size_t *nr)
{
	const struct kma_leak_row **rows = kma_xcalloc(table->nr + 1, sizeof(*rows));

	*nr = 0;
	for (size_t i = 0; i < table->nr; i++)
		if (table->rows[i].result.verdict == KMA_LEAK_LEAK ||
		    table->rows[i].result.evidence.gained >= GROWN)
			rows[(*nr)++] = &table->rows[i];
	qsort(rows, *nr, sizeof(*rows), by_gain);
	return rows;
}

static void write_growth(const struct kma_doctor *doctor, size_t lines, struct kma_strbuf *out)
{
	_cleanup_free_ const struct kma_leak_row **rows = NULL;
	const struct kma_leak_table *table = &doctor->table;
	char bytes[KMA_NUMBER_LEN], now[KMA_NUMBER_LEN], ns[KMA_NUMBER_LEN];
	_cleanup_strbuf_ struct kma_strbuf title = { 0 };
	size_t nr, shown;

	if (!table->nr)
		return;
	rows = grown_rows(table, &nr);
	kma_units_format(ns, sizeof(ns), table->covers * 1e9, KMA_UNIT_NS);
	kma_strbuf_printf(&title, "Growth in %s (%zu %s of %s):%s", ns, table->samples,
			  kma_plural(table->samples, "sample", "samples"), doctor->accounts,
			  nr ? "" : " nothing by 4 KiB");
	paragraph(out, title.str, 1);
	/* a line is the title, and one may say what is left out */
	shown = nr < lines ? nr : lines - 2;
	for (size_t i = 0; i < shown; i++) {
		const struct kma_leak_row *row = rows[i];
		_cleanup_strbuf_ struct kma_strbuf line = { 0 };
		double gained = row->result.evidence.gained;

		kma_strbuf_printf(&line, "  %c%-10s to %-10s  %-9s ", gained < 0 ? '-' : '+',
				  bytes_text(bytes, fabs(gained)),
				  bytes_text(now, row->result.evidence.last),
				  kma_leak_verdicts[row->result.verdict]);
		if (row->result.verdict == KMA_LEAK_TOO_EARLY)
			kma_strbuf_puts(&line, "      ");
		else
			kma_strbuf_printf(&line, "%.2f  ", row->result.confidence);
		kma_strbuf_puts(&line, row->caller);
		kma_fit_middle(out, line.str, COLUMNS);
		kma_strbuf_puts(out, "\n");
	}
	if (shown < nr)
		kma_strbuf_printf(out, "  and %zu more, in --format json\n", nr - shown);
}

static const char *const holder_titles[DOCTOR_NR_HOLDERS] = {
	[DOCTOR_CALLERS] = "By call site",
	[DOCTOR_TYPES] = "By type",
	[DOCTOR_CACHES] = "By slab cache",
	[DOCTOR_CGROUPS] = "By cgroup",
};

static void write_holders(const struct kma_doctor *doctor, struct kma_strbuf *out)
{
	char bytes[KMA_NUMBER_LEN];

	for (size_t i = 0; i < DOCTOR_NR_HOLDERS; i++) {
		const struct kma_where_rows *rows = &doctor->holders[i];
		_cleanup_strbuf_ struct kma_strbuf line = { 0 };

		if (!rows->nr && (i != DOCTOR_CGROUPS || !doctor->dying))
			continue;
		kma_strbuf_printf(&line, "%s: ", holder_titles[i]);
		if (i == DOCTOR_CGROUPS && doctor->dying)
			kma_strbuf_printf(&line, "%llu removed but held%s",
					  (unsigned long long)doctor->dying, rows->nr ? "; " : "");
		for (size_t n = 0; n < rows->nr && line.len < COLUMNS; n++)
			kma_strbuf_printf(
				&line, "%s%.*s %s", n ? ", " : "",
				(int)strcspn(rows->rows[n].owner, i == DOCTOR_CALLERS ? "+" : ""),
				rows->rows[n].owner, bytes_text(bytes, rows->rows[n].bytes));
		paragraph(out, line.str, 1);
	}
}

/* Does one root hold most of a row that grew? */
static bool is_held(const struct kma_leak_row *row)
{
	return row->holder && row->held >= row->held_of / HELD &&
	       (row->result.verdict == KMA_LEAK_LEAK || row->result.evidence.gained >= GROWN);
}

static void write_scan(const struct kma_doctor *doctor, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf line = { 0 };
	const struct kma_lost *lost = &doctor->scan.lost;
	char bytes[KMA_NUMBER_LEN];
	size_t held = 0, shown = 0;

	if (!doctor->scanned)
		return;
	kma_strbuf_printf(&line, "Lost: %llu of %llu objects, %s%s", (unsigned long long)lost->lost,
			  (unsigned long long)lost->live, bytes_text(bytes, lost->bytes),
			  lost->nr ? ":" : "");
	for (size_t i = 0; i < lost->nr && line.len < COLUMNS; i++)
		kma_strbuf_printf(&line, "%s %llu of %s", i ? "," : "",
				  (unsigned long long)lost->rows[i].lost, lost->rows[i].caller);
	paragraph(out, line.str, 1);
	for (size_t i = 0; i < doctor->table.nr; i++) {
		const struct kma_leak_row *row = &doctor->table.rows[i];

		held += is_held(row);
	}
	for (size_t i = 0; i < doctor->table.nr && shown < LINES_HELD; i++) {
		const struct kma_leak_row *row = &doctor->table.rows[i];
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };

		if (!is_held(row))
			continue;
		shown++;
		kma_strbuf_puts(&text, "Held");
		if (shown == LINES_HELD && held > shown)
			kma_strbuf_printf(&text, ", and %zu more in --format json", held - shown);
		kma_strbuf_printf(&text, ": %s by %s, %llu of %llu %s", row->caller, row->holder,
				  (unsigned long long)row->held, (unsigned long long)row->held_of,
				  kma_plural(row->held_of, "object", "objects"));
		paragraph(out, text.str, 1);
	}
}

static void write_unseen(const struct kma_doctor *doctor, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const char *note = NULL;

	while ((note = kma_notes_next(&doctor->unseen, note)))
		kma_strbuf_printf(&text, "%s%s", text.len ? "; " : "Not looked at: ", note);
	if (text.len)
		paragraph(out, text.str, LINES_UNSEEN);
}

/* Appends a word of a shell, in quotes if it needs them. */
static void shell_word(struct kma_strbuf *text, const char *word)
{
	bool plain = *word;

	for (const char *p = word; *p; p++)
		plain &= isalnum((unsigned char)*p) || strchr("_./:+-@,", *p);
	kma_strbuf_puts(text, plain ? " " : " '");
	for (; *word; word++) {
		if (*word == '\'')
			kma_strbuf_puts(text, "'\\''");
		else
			kma_strbuf_add(text, word, 1);
	}
	kma_strbuf_puts(text, plain ? "" : "'");
}

/* Adds "kmem-account COMMAND FIRST SECOND"; words that are NULL are left out. */
static void add_command(struct kma_notes *next, const char *command, const char *first,
			const char *second)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	kma_strbuf_printf(&text, "kmem-account %s", command);
	if (first)
		shell_word(&text, first);
	if (second)
		shell_word(&text, second);
	kma_notes_add(next, "%s", text.str);
}

/* The commands that answer the questions that are open, the most important first. */
static void next_commands(const struct kma_doctor *doctor, const struct doctor_verdict *verdict,
			  struct kma_notes *next)
{
	_cleanup_free_ char *scan = NULL, *meminfo = NULL;
	bool dir = doctor->input && kma_file_is_dir(doctor->input);
	const struct kma_lost_row *lost = most_lost(doctor);
	const struct kma_leak_row *row = verdict->of;
	const char *name = !row ? NULL : doctor->caches ? row->caller : row->site->symbol;
	uint64_t total = 0;

	if (doctor->scanned && doctor->input)
		scan = dir ? kma_xasprintf("%s/scan", doctor->input) : kma_xstrdup(doctor->input);
	if (lost)
		add_command(next, doctor->input || !is_older(lost) ? "lost" : "lost --before", scan,
			    NULL);
	if (doctor->scanned && name && (row->holder || row->lost))
		add_command(next, "why", name, scan);
	if (!doctor->input && !doctor->scanned && geteuid())
		kma_notes_add(next, "sudo kmem-account doctor");
	else if (!doctor->input && !doctor->history && strcmp(verdict->word, "leak") != 0 &&
		 doctor->table.covers < LONG_LOOK)
		add_command(next, "doctor --for 600", NULL, NULL);
	else if (doctor->input && doctor->table.nr && !doctor->caches && verdict->of &&
		 (!kma_file_is_dir(doctor->accounts) || kma_history_is(doctor->accounts)))
		add_command(next, "leaks", doctor->accounts, NULL);
	kma_meminfo_get(&doctor->meminfo, "MemTotal", &total);
	for (size_t i = 0; i < doctor->memory.nr; i++)
		if (!strcmp(doctor->memory.rows[i].owner, KMA_WHERE_UNEXPLAINED) &&
		    doctor->memory.rows[i].bytes > total / 100 * UNEXPLAINED && !doctor->input)
			add_command(next, "where", NULL, NULL);
}

static void write_next(const struct kma_notes *next, struct kma_strbuf *out)
{
	const char *note = NULL;

	for (size_t i = 0; i < LINES_NEXT && (note = kma_notes_next(next, note)); i++) {
		kma_strbuf_puts(out, i ? "      " : "Next: ");
		/* a command that is cut would be another one */
		kma_escape_plain(out, note);
		kma_strbuf_puts(out, "\n");
	}
}

static size_t lines_of(const struct kma_strbuf *text)
{
	size_t nr = 0;

	for (size_t i = 0; i < text->len; i++)
		nr += text->str[i] == '\n';
	return nr;
}

static void write_table(const struct kma_doctor *doctor, const struct doctor_verdict *verdict,
			const struct kma_notes *next, struct kma_strbuf *out)
{
	char elapsed[KMA_NUMBER_LEN], cpu[KMA_NUMBER_LEN], bytes[KMA_NUMBER_LEN];
	_cleanup_strbuf_ struct kma_strbuf title = { 0 }, rest = { 0 };
	size_t lines;

	kma_strbuf_printf(&title, "kmem-account doctor: %s, Linux %s",
			  doctor->input ?: "this machine", doctor->release ?: "(unknown)");
	paragraph(out, title.str, 1);
	write_verdict(verdict, out);
	write_memory(doctor, out);
	write_holders(doctor, &rest);
	write_scan(doctor, &rest);
	write_unseen(doctor, &rest);
	write_next(next, &rest);
	kma_units_format(elapsed, sizeof(elapsed), doctor->ns, KMA_UNIT_NS);
	kma_units_format(cpu, sizeof(cpu), doctor->cpu, KMA_UNIT_NS);
	kma_strbuf_printf(&rest, "Cost: %s, %s of a CPU, %s of memory\n", elapsed, cpu,
			  bytes_text(bytes, doctor->bytes));
	lines = LINES_ALL - lines_of(out) - lines_of(&rest);
	write_growth(doctor, lines < LINES_GROWTH ? lines : LINES_GROWTH, out);
	kma_strbuf_puts(out, rest.str);
}

static void json_real(struct kma_json *json, const char *name, double value)
{
	kma_json_name(json, name);
	kma_strbuf_printf(json->out, "%.15g", value);
}

static void json_notes(struct kma_json *json, const char *name, const struct kma_notes *notes)
{
	const char *note = NULL;

	kma_json_begin(json, name, '[', KMA_JSON_LINES);
	while ((note = kma_notes_next(notes, note)))
		kma_json_text(json, NULL, note);
	kma_json_end(json);
}

static void json_known(struct kma_json *json, const struct kma_doctor_rule *rule)
{
	const struct {
		const char *name, *text;
	} members[] = {
		{ "rule", rule->name },	    { "from", rule->from },   { "fixed", rule->fixed },
		{ "fix", rule->fix },	    { "title", rule->title }, { "advice", rule->advice },
		{ "source", rule->source },
	};

	kma_json_begin(json, "known", '{', KMA_JSON_INLINE);
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (members[i].text)
			kma_json_text(json, members[i].name, members[i].text);
	kma_json_end(json);
}

static void json_rows(struct kma_json *json, const char *name, const struct kma_where_rows *rows,
		      size_t most)
{
	kma_json_begin(json, name, '[', KMA_JSON_LINES);
	for (size_t i = 0; i < rows->nr && i < most; i++) {
		kma_json_begin(json, NULL, '{', KMA_JSON_INLINE);
		kma_json_text(json, "owner", rows->rows[i].owner);
		kma_json_name(json, "bytes");
		kma_strbuf_printf(json->out, "%s%llu", rows->rows[i].negative ? "-" : "",
				  (unsigned long long)rows->rows[i].bytes);
		kma_json_end(json);
	}
	kma_json_end(json);
}

static void json_growth(const struct kma_doctor *doctor, struct kma_json *json)
{
	_cleanup_free_ const struct kma_leak_row **rows = NULL;
	size_t nr;

	rows = grown_rows(&doctor->table, &nr);
	kma_json_begin(json, "growth", '[', KMA_JSON_LINES);
	for (size_t i = 0; i < nr; i++) {
		const struct kma_leak_row *row = rows[i];

		kma_json_begin(json, NULL, '{', KMA_JSON_INLINE);
		kma_json_text(json, doctor->caches ? "cache" : "caller", row->caller);
		json_real(json, "grown", row->result.evidence.gained);
		json_real(json, "live", row->result.evidence.last);
		kma_json_text(json, "verdict", kma_leak_verdicts[row->result.verdict]);
		json_real(json, "confidence", row->result.confidence);
		kma_json_text(json, "reasons", row->reasons.str ?: "");
		if (row->scanned)
			kma_json_number(json, "lost", row->lost);
		if (row->holder) {
			kma_json_text(json, "holder", row->holder);
			kma_json_number(json, "held", row->held);
			kma_json_number(json, "held_of", row->held_of);
		}
		kma_json_end(json);
	}
	kma_json_end(json);
}

static void json_lost(const struct kma_lost *lost, struct kma_json *json)
{
	kma_json_begin(json, "lost", '[', KMA_JSON_LINES);
	for (size_t i = 0; i < lost->nr; i++) {
		kma_json_begin(json, NULL, '{', KMA_JSON_INLINE);
		kma_json_text(json, "caller", lost->rows[i].caller);
		kma_json_number(json, "lost", lost->rows[i].lost);
		kma_json_number(json, "live", lost->rows[i].live);
		kma_json_number(json, "bytes", lost->rows[i].bytes);
		kma_json_end(json);
	}
	kma_json_end(json);
}

#define JSON_HOLDERS 20

static void write_json(const struct kma_doctor *doctor, const struct doctor_verdict *verdict,
		       const struct kma_notes *next, struct kma_json *json)
{
	static const char *const holders[DOCTOR_NR_HOLDERS] = { "callers", "types", "caches",
								"cgroups" };

	if (doctor->release)
		kma_json_text(json, "release", doctor->release);
	kma_json_text(json, "verdict", verdict->word);
	if (verdict->sure > 0)
		json_real(json, "confidence", verdict->sure);
	kma_json_text(json, "why", verdict->why.str);
	if (verdict->of || verdict->lost)
		kma_json_text(json, "of",
			      verdict->of ? verdict->of->caller : verdict->lost->caller);
	if (verdict->rule)
		json_known(json, verdict->rule);
	if (doctor->memory.nr)
		json_rows(json, "memory", &doctor->memory, SIZE_MAX);
	if (doctor->table.nr) {
		kma_json_text(json, "accounts", doctor->accounts);
		kma_json_number(json, "samples", doctor->table.samples);
		json_real(json, "seconds", doctor->table.covers);
		json_growth(doctor, json);
	}
	for (size_t i = 0; i < DOCTOR_NR_HOLDERS; i++)
		if (doctor->holders[i].nr)
			json_rows(json, holders[i], &doctor->holders[i], JSON_HOLDERS);
	if (doctor->dying)
		kma_json_number(json, "dying_cgroups", doctor->dying);
	if (doctor->scanned)
		json_lost(&doctor->scan.lost, json);
	json_notes(json, "not_looked_at", &doctor->unseen);
	json_notes(json, "next", next);
	kma_json_begin(json, "cost", '{', KMA_JSON_INLINE);
	kma_json_number(json, "elapsed_ns", doctor->ns);
	kma_json_number(json, "cpu_ns", doctor->cpu);
	kma_json_number(json, "bytes", doctor->bytes);
	kma_json_end(json);
}

void kma_doctor_write(const struct kma_doctor *doctor, const struct kma_text_options *opts,
		      struct kma_strbuf *out)
{
	_cleanup_(kma_notes_deinit) struct kma_notes next = { 0 };
	struct doctor_verdict verdict;
	struct kma_doc doc = { 0 };

	decide(doctor, &verdict);
	next_commands(doctor, &verdict, &next);
	kma_doc_begin(&doc, opts->format, "kmem-account doctor", 1, out);
	if (kma_doc_json(&doc))
		write_json(doctor, &verdict, &next, kma_doc_json(&doc));
	else
		write_table(doctor, &verdict, &next, out);
	kma_doc_end(&doc);
	kma_strbuf_deinit(&verdict.why);
}
