// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame.c - title and footer of a chart: the content, its kernel, and what the numbers leave out.
 *
 * A picture is 1600 units wide and has the legend at the right of the chart. A picture for a narrow
 * display has a width that follows from the display's pixels; title, chart, legend and footer stand
 * below each other there, texts take several lines, and the heading has a smaller font.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "frame.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "model/regroup.h"
#include "model/unread.h"
#include "scene.h"
#include "view/text/view.h"

#define KMA_DOT	  "  \xc2\xb7  "
#define KMA_ARROW " \xe2\x86\x92 "

struct kma_chart_frame kma_frame_choose(double pixels)
{
	struct kma_chart_frame frame = {
		.width = 1600,
		.height = 1000,
		.margin = 44,
		.area_x = 44,
		.area_y = 112,
		.area_w = 942,
		.area_h = 834,
		.centre_x = 516,
		.centre_y = 528,
		.radius = 416,
		.hole = 86,
		.legend_x = 1030,
		.legend_r = 1556,
		.legend_top = 130,
		.footer = 966,
	};
	double side;

	if (pixels >= KMA_NARROW)
		return frame;
	frame.narrow = true;
	frame.width = round(pixels * 8 / 7);
	frame.margin = 24;
	side = frame.width - 2 * frame.margin;
	frame.area_x = frame.margin;
	frame.area_y = 124;
	frame.area_w = side;
	frame.area_h = side;
	frame.centre_x = frame.width / 2;
	frame.centre_y = frame.area_y + side / 2;
	frame.radius = side / 2 - 4;
	frame.hole = fmax(58, frame.radius * 0.2);
	frame.legend_x = frame.margin;
	frame.legend_r = frame.width - frame.margin;
	frame.legend_top = frame.area_y + side + 40;
	return frame;
}

static const char *frame_by(const struct kma_chart *chart)
{
	if (chart->by)
		return chart->by;
	if (!chart->has_source)
		return "caller";
	if (!chart->objects)
		return "directory, file and caller";
	return chart->metric == KMA_FOOTPRINT ? "directory, file, section and caller" :
						"directory, file and section";
}

/* "live bytes (current_dynamic): 20.6 MiB, by directory, file and caller" */
static void frame_subject(const struct kma_canvas *canvas, struct kma_strbuf *line)
{
	const struct kma_chart *chart = canvas->chart;
	const struct kma_metric *metric = &kma_metrics[chart->metric];
	const struct kma_values *sides = chart->branch->sides;
	char number[24], moves[64] = "";

	kma_strbuf_printf(line, "%s (%s): ", metric->what, metric->name);
	if (chart->sides && sides) {
		for (unsigned int i = 0; i < KMA_NR_SIDES; i++) {
			kma_canvas_number(canvas, metric->get(&sides[i]), number, sizeof(number));
			kma_strbuf_printf(line, "%s%s", i ? KMA_ARROW : "", number);
		}
		kma_change_format(number, sizeof(number), metric->get(&sides[KMA_BEFORE]),
				  metric->get(&sides[KMA_AFTER]), metric->unit);
		if (!chart->same)
			kma_change_moves(moves, sizeof(moves), metric->get(chart->branch->values),
					 metric->get(&sides[KMA_BEFORE]),
					 metric->get(&sides[KMA_AFTER]), metric->unit);
		kma_strbuf_printf(line, ", %s%s", number, moves);
	} else {
		kma_canvas_number(canvas, canvas->total, number, sizeof(number));
		kma_strbuf_puts(line, number);
	}
	kma_strbuf_printf(line, ", by %s", frame_by(chart));
	if (chart->metric == KMA_RETAINED && kma_keys_groups(&chart->key) != KMA_GROUPED_ROOT)
		kma_strbuf_puts(line, "; what call sites retain overlaps");
	if (chart->only)
		kma_strbuf_printf(line, "; selected: %s", chart->only);
}

/* Returns the length of the words that fit into a line, at least one word. */
static size_t frame_words(const struct kma_shape *like, const char *text, double room)
{
	size_t fits = 0;

	for (size_t end = strcspn(text, " ");; end += strcspn(text + end, " ")) {
		_cleanup_free_ char *part = strndup(text, end);

		if (!part || (fits && kma_text_width(part, like->size, like->bold) > room))
			return fits;
		fits = end;
		end += strspn(text + end, " ");
		if (!text[end])
			return fits;
	}
}

/* Removes separators at the start and the end of a line. */
static void frame_trim(char *line)
{
	static const char dot[] = " \xc2\xb7";
	size_t len = strlen(line);

	while (len && line[len - 1] == ' ')
		line[--len] = '\0';
	if (len > strlen(dot) && !strcmp(line + len - strlen(dot), dot))
		line[len - strlen(dot)] = '\0';
}

/* The smallest heading: the subject below it has a font size of 15. */
#define KMA_HEADING_LEAST 17

/* Draws a line, shortened to the width. In a narrow picture, the text takes several lines. */
static void frame_wrap(struct kma_canvas *canvas, struct kma_shape *like, const char *text)
{
	double room = canvas->frame.width - 2 * canvas->frame.margin;

	if (!canvas->frame.narrow) {
		kma_scene_add_text(canvas->scene, like, room, text);
		return;
	}
	while (*text) {
		size_t len = frame_words(like, text, room);
		_cleanup_free_ char *part = strndup(text, len);

		if (!len || !part)
			return;
		frame_trim(part);
		kma_scene_add_text(canvas->scene, like, room, part);
		like->y += like->size * 1.4;
		text += len;
		text += strspn(text, " ");
		if (!strncmp(text, "\xc2\xb7", 2))
			text += 2;
		text += strspn(text, " ");
	}
}

static char *frame_keep(const char *text)
{
	struct kma_strbuf kept = { 0 };

	kma_escape_label(&kept, text);
	return kept.str;
}

/* Adds a line, and keeps it for the scene's description. */
static void frame_line(struct kma_canvas *canvas, struct kma_shape *like,
		       const struct kma_strbuf *line, char **keep)
{
	if (!line->str)
		return;
	frame_wrap(canvas, like, line->str);
	if (keep)
		*keep = frame_keep(line->str);
}

/* The heading has one line. In a narrow picture its font shrinks down to a limit. */
static void frame_one(struct kma_canvas *canvas, struct kma_shape *like, const char *text)
{
	double room = canvas->frame.width - 2 * canvas->frame.margin;

	while (canvas->frame.narrow && like->size > KMA_HEADING_LEAST &&
	       kma_text_width(text, like->size, like->bold) > room)
		like->size--;
	kma_scene_add_text(canvas->scene, like, room, text);
}

void kma_frame_title(struct kma_canvas *canvas)
{
	_cleanup_strbuf_ struct kma_strbuf heading = { 0 };
	_cleanup_strbuf_ struct kma_strbuf subject = { 0 };
	struct kma_shape text = {
		.x = canvas->frame.margin,
		.y = 42,
		.size = canvas->frame.narrow ? 26 : 29,
		.bold = true,
		.fill = canvas->theme->ink,
	};

	kma_chart_title(canvas->chart, true, &heading);
	if (heading.str) {
		frame_one(canvas, &text, heading.str);
		canvas->scene->title = frame_keep(heading.str);
	}
	frame_subject(canvas, &subject);
	text.y = 76;
	text.size = canvas->frame.narrow ? 15 : 16;
	text.bold = false;
	text.fill = canvas->theme->faint;
	frame_line(canvas, &text, &subject, &canvas->scene->description);
}

/* Adds what an account leaves out: lost events, frees of unknown objects, and so on. */
static void footer_losses(const struct kma_chart *chart, const struct kma_account *account,
			  uint64_t unresolved, struct kma_strbuf *line)
{
	uint64_t live = kma_account_total(account)->current, events;
	char number[24], share[16];
	struct kma_unread unread;
	size_t nr;

	kma_account_sites(account, &nr);
	if (chart->groups)
		kma_ungroup_count(account, &nr);
	kma_strbuf_printf(line, " %zu %s%s", nr, chart->stacks ? "stack" : "call site",
			  nr == 1 ? "" : "s");
	if (chart->has_source && kma_account_metrics(account) & 1U << KMA_CURRENT) {
		kma_units_format(number, sizeof(number), unresolved, KMA_UNIT_BYTES);
		kma_percent_format(share, sizeof(share), unresolved, live);
		kma_strbuf_printf(line, KMA_DOT "live without a directory: %s (%s)", number, share);
	}
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(account, id, &events))
			kma_strbuf_printf(line, KMA_DOT "%s: %" PRIu64, kma_losses[id].title,
					  events);
	if (kma_unread_of(account, &unread))
		kma_strbuf_printf(line, KMA_DOT "event lines not read: %" PRIu64, unread.lines);
}

static void footer_side(const struct kma_chart *chart, unsigned int side, struct kma_strbuf *line)
{
	const struct kma_chart_sides *sides = chart->sides;

	kma_strbuf_printf(line, "%s: %s%s%s", side == KMA_BEFORE ? "before" : "after",
			  kma_chart_side(sides, side), *sides->about[side] ? ", " : "",
			  sides->about[side]);
	if (!kma_account_metrics(sides->accounts[side]))
		return; /* static sizes of a built tree: nothing can be lost */
	kma_strbuf_puts(line, ":");
	footer_losses(chart, sides->accounts[side], sides->unresolved[side], line);
}

/* Add the source of the numbers. */
static void footer_counted(const struct kma_chart *chart, struct kma_strbuf *line)
{
	const char *input = chart->account ? kma_account_name(chart->account) : chart->input;

	if (chart->sides) {
		footer_side(chart, KMA_AFTER, line);
		return;
	}
	kma_strbuf_printf(line, "%s:", kma_chart_base(input ?: ""));
	if (chart->objects)
		kma_strbuf_printf(line, " %zu objects", chart->objects);
	if (!chart->account || (chart->objects && chart->metric != KMA_FOOTPRINT))
		return;
	kma_strbuf_puts(line, chart->objects ? "," : "");
	footer_losses(chart, chart->account, chart->unresolved, line);
}

/* Adds the kernel and the time of the account. */
static void footer_kernel(const struct kma_chart *chart, struct kma_strbuf *line)
{
	time_t when = chart->time;
	char text[32];
	struct tm tm;

	if (chart->sides) {
		footer_side(chart, KMA_BEFORE, line);
		return;
	}
	kma_strbuf_puts(line, *chart->release ? "Linux " : "unknown kernel");
	kma_strbuf_puts(line, chart->release);
	if (*chart->build_id)
		kma_strbuf_printf(line, KMA_DOT "build ID %s", chart->build_id);
	if (when && gmtime_r(&when, &tm) &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm))
		kma_strbuf_printf(line, KMA_DOT "%s", text);
}

void kma_frame_footer(struct kma_canvas *canvas)
{
	_cleanup_strbuf_ struct kma_strbuf counted = { 0 };
	_cleanup_strbuf_ struct kma_strbuf kernel = { 0 };
	struct kma_shape text = {
		.x = canvas->frame.margin,
		.y = canvas->frame.footer,
		.size = 13,
		.fill = canvas->theme->faint,
	};

	footer_kernel(canvas->chart, &kernel);
	frame_line(canvas, &text, &kernel, NULL);
	if (!canvas->frame.narrow)
		text.y += 19;
	footer_counted(canvas->chart, &counted);
	frame_line(canvas, &text, &counted, NULL);
	if (canvas->frame.narrow)
		canvas->frame.height = text.y + 10;
}
