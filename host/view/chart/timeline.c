// SPDX-License-Identifier: GPL-2.0-only
/*
 * timeline.c - bytes over time as text, and as a stacked chart. The largest owner is at the
 * bottom, where its height can be read from the axis.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "caption.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/escape.h"
#include "lib/sheet.h"
#include "scene.h"
#include "timeline.h"

/* Measures of the chart, in units of the scene. */
#define KMA_TL_LEFT	 140.0
#define KMA_TL_RIGHT	 1110.0
#define KMA_TL_TOP	 130.0
#define KMA_TL_BOTTOM	 890.0
#define KMA_TL_LEGEND	 1150.0
#define KMA_TL_LEGEND_R	 1556.0
#define KMA_TL_ROW	 28.0
#define KMA_TL_TICKS	 6
#define KMA_TL_TIMES	 8
#define KMA_TL_MOST_ROWS 27

static uint64_t curves_at(const struct kma_curves *s, size_t owner, size_t point)
{
	return s->bytes[owner * s->points + point];
}

static uint64_t curves_total(const struct kma_curves *s, size_t point)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->owners; i++)
		sum += curves_at(s, i, point);
	return sum;
}

/* Sets a cell of a csv row: time, total, owners. @arg is the series. */
static void curves_cell(const void *arg, size_t point, size_t column, struct kma_cell *ret)
{
	const struct kma_curves *series = arg;

	ret->number = column > 1  ? curves_at(series, column - 2, point) :
		      column == 1 ? curves_total(series, point) :
				    series->ns[point];
}

void kma_curves_csv(const struct kma_curves *series, struct kma_strbuf *out)
{
	_cleanup_free_ struct kma_sheet_column *columns = NULL;
	struct kma_doc doc = { .csv_safe = series->csv_safe };
	struct kma_sheet sheet = { .nr_columns = series->owners + 2,
				   .cell = curves_cell,
				   .arg = series,
				   .rows = series->points };

	columns = kma_xcalloc(sheet.nr_columns, sizeof(*columns));
	for (size_t i = 0; i < sheet.nr_columns; i++)
		columns[i] = (struct kma_sheet_column){
			.name = i > 1 ? series->names[i - 2] :
				i     ? "total" :
					"ns",
			.kind = KMA_CELL_COUNT,
		};
	sheet.columns = columns;
	kma_doc_begin(&doc, KMA_FORMAT_CSV, "kmem-account timeline", 1, out);
	kma_sheet_write(&sheet, &doc);
	kma_doc_end(&doc);
}

enum {
	KMA_OWNER_NAME,
	KMA_OWNER_FIRST,
	KMA_OWNER_LAST,
	KMA_OWNER_CHANGE,
	KMA_OWNER_LEAST,
	KMA_OWNER_MOST,
	KMA_OWNER_NR_COLUMNS,
};

static const struct kma_sheet_column kma_owner_columns[KMA_OWNER_NR_COLUMNS] = {
	[KMA_OWNER_NAME] = { .title = "owner", .kind = KMA_CELL_TEXT },
	[KMA_OWNER_FIRST] = { .title = "at the start", .kind = KMA_CELL_BYTES },
	[KMA_OWNER_LAST] = { .title = "at the end", .kind = KMA_CELL_BYTES },
	[KMA_OWNER_CHANGE] = { .title = "change", .kind = KMA_CELL_BYTES },
	[KMA_OWNER_LEAST] = { .title = "least", .kind = KMA_CELL_BYTES },
	[KMA_OWNER_MOST] = { .title = "most", .kind = KMA_CELL_BYTES },
};

/* Sets a cell of the page's table; after the owners comes a row for the total. @arg: the series. */
static void owner_cell(const void *arg, size_t owner, size_t column, struct kma_cell *ret)
{
	const struct kma_curves *series = arg;
	uint64_t least = UINT64_MAX, most = 0, first = 0, bytes = 0;

	for (size_t i = 0; i < series->points; i++) {
		bytes = owner < series->owners ? curves_at(series, owner, i) :
						 curves_total(series, i);
		first = i ? first : bytes;
		least = bytes < least ? bytes : least;
		most = bytes > most ? bytes : most;
	}
	switch (column) {
	case KMA_OWNER_NAME:
		ret->text = owner < series->owners ? series->names[owner] : "total";
		break;
	case KMA_OWNER_FIRST:
		ret->number = first;
		break;
	case KMA_OWNER_LAST:
		ret->number = bytes;
		break;
	case KMA_OWNER_CHANGE:
		ret->number = bytes > first ? bytes - first : first - bytes;
		ret->sign = bytes > first ? '+' : bytes < first ? '-' : 0;
		break;
	case KMA_OWNER_LEAST:
		ret->number = least;
		break;
	default:
		ret->number = most;
		break;
	}
}

/* Writes a time for people: the time of day, or the time since the start of the log. */
static void tl_when(const struct kma_curves *series, uint64_t ns, struct kma_strbuf *out)
{
	time_t seconds = ns / 1000000000;
	char text[48];
	struct tm tm;

	if (series->clock && localtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	else
		kma_units_format(text, sizeof(text), ns, KMA_UNIT_NS);
	kma_strbuf_puts(out, text);
}

/* Writes a sentence for each mark, with its time. */
static void curves_marks_html(const struct kma_curves *series, struct kma_doc *doc)
{
	for (size_t i = 0; i < series->points; i++) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 }, line = { 0 };

		kma_mark_sentence(&series->marks[i], &text);
		if (!text.len)
			continue;
		tl_when(series, series->ns[i], &line);
		kma_strbuf_printf(&line, ": %s", text.str);
		kma_doc_line(doc, line.str ?: "");
	}
}

void kma_curves_html(const struct kma_curves *series, struct kma_strbuf *out)
{
	struct kma_doc doc = { 0 };
	struct kma_sheet sheet = { .title = series->subject,
				   .columns = kma_owner_columns,
				   .nr_columns = KMA_OWNER_NR_COLUMNS,
				   .cell = owner_cell,
				   .arg = series,
				   .rows = series->owners,
				   .tail = 1 };

	kma_doc_begin(&doc, KMA_FORMAT_HTML, "kmem-account timeline", 1, out);
	kma_sheet_write(&sheet, &doc);
	kma_doc_line(&doc, series->footer);
	curves_marks_html(series, &doc);
	kma_doc_end(&doc);
}

/* Writes an instant event of the whole trace. */
static void curves_instant(struct kma_strbuf *out, const struct kma_curves *series, size_t point)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	kma_mark_sentence(&series->marks[point], &text);
	if (!text.len)
		return;
	kma_strbuf_puts(out, ",\n{\"ph\":\"i\",\"s\":\"g\",\"pid\":1,\"tid\":1,\"name\":");
	kma_escape_json(out, text.str);
	kma_strbuf_printf(out, ",\"ts\":%" PRIu64 ".%03" PRIu64 "}", series->ns[point] / 1000,
			  series->ns[point] % 1000);
}

/* Writes an event of a counter. Times of the format are in microseconds. */
static void curves_counter(struct kma_strbuf *out, const char *name, uint64_t ns, uint64_t bytes)
{
	kma_strbuf_puts(out, ",\n{\"ph\":\"C\",\"pid\":1,\"name\":");
	kma_escape_json(out, name);
	kma_strbuf_printf(out,
			  ",\"ts\":%" PRIu64 ".%03" PRIu64 ",\"args\":{\"bytes\":%" PRIu64 "}}",
			  ns / 1000, ns % 1000, bytes);
}

void kma_curves_trace(const struct kma_curves *series, struct kma_strbuf *out)
{
	kma_strbuf_puts(out,
			"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
			"{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":");
	kma_escape_json(out, series->title);
	kma_strbuf_puts(out, "}}");
	for (size_t point = 0; point < series->points; point++) {
		uint64_t total = curves_total(series, point);

		curves_instant(out, series, point);
		if (!point || total != curves_total(series, point - 1))
			curves_counter(out, "total", series->ns[point], total);
		for (size_t i = 0; i < series->owners; i++) {
			uint64_t bytes = curves_at(series, i, point);

			if (!point || bytes != curves_at(series, i, point - 1))
				curves_counter(out, series->names[i], series->ns[point], bytes);
		}
	}
	kma_strbuf_puts(out, "\n]}\n");
}

/* The smallest of 1, 2, 5, 10 and so on that is not less than @least. */
static double tl_nice(double least)
{
	double step = 1;

	while (step < least) {
		double lead = step / pow(10, floor(log10(step) + 1e-9));

		step *= lead > 1.5 && lead < 3 ? 2.5 : 2;
	}
	return step;
}

static void tl_line(struct kma_scene *scene, double x, double y, double width, double height)
{
	kma_scene_add(scene, &(struct kma_shape){ .kind = KMA_SHAPE_RECT,
						  .x = x,
						  .y = y,
						  .width = width,
						  .height = height,
						  .fill = scene->theme->rule });
}

/* Formats the number at a step. It is exact, because steps are powers of two. */
static const char *tl_number(char *text, size_t len, double bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	size_t unit = 0;

	while (bytes >= 1024 && unit < ARRAY_SIZE(units) - 1) {
		bytes /= 1024;
		unit++;
	}
	snprintf(text, len, "%.10g %s", bytes, units[unit]);
	return text;
}

/* Draws the lines of the axis with numbers at the left. Returns the bytes at the chart's top. */
static double tl_bytes(struct kma_scene *scene, uint64_t peak)
{
	double step = 1, top;
	char text[32];

	while (step * KMA_TL_TICKS < peak)
		step *= 2;
	top = ceil(fmax(peak, 1) / step) * step;
	for (double at = 0; at <= top * 1.0001; at += step) {
		double y = KMA_TL_BOTTOM - (KMA_TL_BOTTOM - KMA_TL_TOP) * at / top;

		tl_line(scene, KMA_TL_LEFT, y - 0.5, KMA_TL_RIGHT - KMA_TL_LEFT, 1);
		kma_scene_add_text(scene,
				   &(struct kma_shape){ .x = KMA_TL_LEFT - 12,
							.y = y,
							.size = 14,
							.anchor = KMA_ANCHOR_END,
							.fill = scene->theme->faint },
				   120, tl_number(text, sizeof(text), at));
	}
	return top;
}

static double tl_x(const struct kma_curves *s, double ns)
{
	double span = fmax(s->ns[s->points - 1] - s->ns[0], 1);

	return KMA_TL_LEFT + (KMA_TL_RIGHT - KMA_TL_LEFT) * (ns - s->ns[0]) / span;
}

static void tl_time(const struct kma_curves *s, struct kma_scene *scene, double ns,
		    const char *text)
{
	tl_line(scene, tl_x(s, ns) - 0.5, KMA_TL_BOTTOM, 1, 6);
	kma_scene_add_text(scene,
			   &(struct kma_shape){ .x = tl_x(s, ns),
						.y = KMA_TL_BOTTOM + 20,
						.size = 14,
						.anchor = KMA_ANCHOR_MIDDLE,
						.fill = scene->theme->faint },
			   160, text);
}

/*
 * Draws times of day, at whole steps from midnight in local time. If the clocks change within the
 * picture, the later steps keep the time from before the change.
 */
static void tl_clock_times(const struct kma_curves *s, struct kma_scene *scene)
{
	static const unsigned int steps[] = { 1,     5,	    10,	   15,	   30,	   60,	   120,
					      300,   600,   900,   1800,   3600,   7200,   10800,
					      21600, 43200, 86400, 172800, 604800, 2419200 };
	double span = (s->ns[s->points - 1] - s->ns[0]) / 1e9;
	time_t first = s->ns[0] / 1000000000, at;
	struct tm midnight;
	size_t i = 0;
	char text[48];

	while (i < ARRAY_SIZE(steps) - 1 && span > steps[i] * (double)KMA_TL_TIMES)
		i++;
	localtime_r(&first, &midnight);
	midnight.tm_hour = midnight.tm_min = midnight.tm_sec = 0;
	at = mktime(&midnight);
	at += (first - at + steps[i] - 1) / steps[i] * steps[i];
	for (int n = 0; n <= 2 * KMA_TL_TIMES && at * 1e9 <= (double)s->ns[s->points - 1];
	     n++, at += steps[i]) {
		struct tm tm;

		localtime_r(&at, &tm);
		strftime(text, sizeof(text),
			 steps[i] >= 86400			 ? "%Y-%m-%d" :
			 !tm.tm_hour && !tm.tm_min && !tm.tm_sec ? "%m-%d %H:%M" :
			 steps[i] < 60				 ? "%H:%M:%S" :
								   "%H:%M",
			 &tm);
		if (at * 1e9 >= (double)s->ns[0])
			tl_time(s, scene, at * 1e9, text);
	}
}

static void tl_times(const struct kma_curves *s, struct kma_scene *scene)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
	double span = fmax(s->ns[s->points - 1] - s->ns[0], 1);
	double step = tl_nice(span / KMA_TL_TIMES);
	double at = ceil(s->ns[0] / step) * step, first = at;
	size_t unit = 0;
	char text[48];

	while (unit < ARRAY_SIZE(units) - 1 && step < units[unit].ns / 100)
		unit++;
	/* Count the steps, because adding a small step to a time above 2^53 does not change it. */
	for (int i = 0; i <= 2 * KMA_TL_TIMES && at <= (double)s->ns[s->points - 1];
	     at = first + ++i * step) {
		snprintf(text, sizeof(text), "%.10g %s", at / units[unit].ns, units[unit].name);
		tl_time(s, scene, at, text);
	}
}

/* Draws the area of one owner above the line @below, and moves the line to its upper edge. */
static void tl_area(const struct kma_curves *s, struct kma_scene *scene, size_t owner, double top,
		    kma_rgb fill, uint64_t *below)
{
	_cleanup_free_ double *points = kma_xcalloc(4 * s->points, sizeof(*points));
	double scale = (KMA_TL_BOTTOM - KMA_TL_TOP) / top;
	_cleanup_free_ char *tip = NULL;
	char text[KMA_NUMBER_LEN];
	uint64_t peak = 0;

	for (size_t i = 0; i < s->points; i++) {
		uint64_t bytes = curves_at(s, owner, i);
		double *lower = points + 4 * s->points - 2 * (i + 1), *upper = points + 2 * i;

		lower[0] = upper[0] = tl_x(s, s->ns[i]);
		lower[1] = KMA_TL_BOTTOM - below[i] * scale;
		below[i] += bytes;
		upper[1] = KMA_TL_BOTTOM - below[i] * scale;
		peak = bytes > peak ? bytes : peak;
	}
	if (asprintf(&tip, "%s: %s at most", s->names[owner],
		     kma_units_format(text, sizeof(text), peak, KMA_UNIT_BYTES)) < 0)
		tip = NULL;
	kma_scene_add(scene, &(struct kma_shape){ .kind = KMA_SHAPE_AREA,
						  .points = points,
						  .nr_points = 2 * s->points,
						  .fill = fill,
						  .tip = tip });
}

static uint64_t tl_peak(const struct kma_curves *s, size_t owner)
{
	uint64_t peak = 0;

	for (size_t i = 0; i < s->points; i++)
		if (curves_at(s, owner, i) > peak)
			peak = curves_at(s, owner, i);
	return peak;
}

static void tl_legend(const struct kma_curves *s, struct kma_scene *scene, const kma_rgb *colours)
{
	struct kma_shape text = { .size = 15, .fill = scene->theme->ink, .x = KMA_TL_LEGEND };
	char number[KMA_NUMBER_LEN];
	double y = KMA_TL_TOP;

	text.y = y;
	text.bold = true;
	kma_scene_add_text(scene, &text, KMA_TL_LEGEND_R - KMA_TL_LEGEND,
			   "Owners, and their peaks");
	text.bold = false;
	for (size_t i = s->owners < KMA_TL_MOST_ROWS ? s->owners : KMA_TL_MOST_ROWS; i-- > 0;) {
		y += KMA_TL_ROW;
		kma_scene_add(scene, &(struct kma_shape){ .kind = KMA_SHAPE_RECT,
							  .x = KMA_TL_LEGEND,
							  .y = y - 10,
							  .width = 20,
							  .height = 20,
							  .size = 4,
							  .fill = colours[i],
							  .outlined = true });
		text.y = y;
		text.x = KMA_TL_LEGEND + 32;
		text.anchor = KMA_ANCHOR_START;
		kma_scene_add_text(scene, &text, KMA_TL_LEGEND_R - text.x - 100, s->names[i]);
		text.x = KMA_TL_LEGEND_R;
		text.anchor = KMA_ANCHOR_END;
		kma_scene_add_text(scene, &text, 96,
				   kma_units_format(number, sizeof(number), tl_peak(s, i),
						    KMA_UNIT_BYTES));
	}
}

void kma_curves_draw(const struct kma_curves *series, struct kma_scene *scene)
{
	_cleanup_free_ uint64_t *below = kma_xcalloc(series->points, sizeof(*below));
	_cleanup_free_ kma_rgb *colours = kma_xcalloc(series->owners + 1, sizeof(*colours));
	uint64_t peak = 0;
	double top;

	kma_scene_init(scene, KMA_CAPTION_WIDTH, KMA_CAPTION_HEIGHT);
	scene->theme = &kma_themes[series->theme];
	kma_colour_assign(scene->theme, series->names, series->owners, colours);
	for (size_t i = 0; i < series->points; i++)
		if (curves_total(series, i) > peak)
			peak = curves_total(series, i);
	kma_caption_draw(scene, series->title, series->subject, series->footer);
	top = tl_bytes(scene, peak);
	(series->clock ? tl_clock_times : tl_times)(series, scene);
	for (size_t i = 0; i < series->owners; i++)
		tl_area(series, scene, i, top, colours[i], below);
	kma_marks_draw(series->marks,
		       &(struct kma_marks_area){ .left = KMA_TL_LEFT,
						 .right = KMA_TL_RIGHT,
						 .top = KMA_TL_TOP,
						 .bottom = KMA_TL_BOTTOM,
						 .ns = series->ns,
						 .points = series->points },
		       scene);
	tl_legend(series, scene, colours);
}
