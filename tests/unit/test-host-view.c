// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-view.c - host/view: numbers as people read them, reports of an input
 * that does not have all metrics, names that want to be escaped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/cleanup.h"
#include "lib/err.h"
#include "lib/strbuf.h"
#include "view/chart/scene.h"
#include "view/chart/svg.h"
#include "view/chart/timeline.h"
#include "view/chart/timeline-marks.h"
#include "view/text/report-text.h"
#include "view/text/view.h"

#include "ktap.h"

TEST(units)
{
	static const struct {
		uint64_t value;
		enum kma_unit unit;
		const char *want;
	} numbers[] = {
		{ 0, KMA_UNIT_BYTES, "0 B" },
		{ 1023, KMA_UNIT_BYTES, "1023 B" },
		{ 1024, KMA_UNIT_BYTES, "1.0 KiB" },
		{ 999, KMA_UNIT_NS, "999 ns" },
		{ 1000, KMA_UNIT_NS, "1.0 us" },
		{ 1049, KMA_UNIT_NS, "1.0 us" },
		{ 1050, KMA_UNIT_NS, "1.1 us" },
		{ 999949, KMA_UNIT_NS, "999.9 us" },
		{ 999950, KMA_UNIT_NS, "1.0 ms" }, /* not "1000.0 us" */
		{ 61000000000, KMA_UNIT_NS, "61.0 s" },
		{ UINT64_MAX, KMA_UNIT_NS, "18446744073.7 s" },
		{ 1536, KMA_UNIT_BYTES, "1.5 KiB" },
		{ 1048524, KMA_UNIT_BYTES, "1023.9 KiB" },
		{ 1048575, KMA_UNIT_BYTES, "1.0 MiB" }, /* not "1024.0 KiB" */
		{ 1048576, KMA_UNIT_BYTES, "1.0 MiB" },
		{ 5ull << 30, KMA_UNIT_BYTES, "5.0 GiB" },
		{ UINT64_MAX, KMA_UNIT_BYTES, "16.0 EiB" },
		{ 1048576, KMA_UNIT_COUNT, "1048576" },
		{ UINT64_MAX, KMA_UNIT_COUNT, "18446744073709551615" },
	};
	char buf[24];

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		EXPECT_STR(kma_units_format(buf, sizeof(buf), numbers[i].value, numbers[i].unit),
			   numbers[i].want);
}

TEST(percent)
{
	static const struct {
		uint64_t part, whole;
		const char *want;
	} shares[] = {
		{ 0, 0, "0.0%" },	    { 0, 10, "0.0%" },	 { 10, 10, "100.0%" },
		{ 1, 3, "33.3%" },	    { 1, 1000, "0.1%" }, { 1, 3000, "<0.1%" },
		{ 1, UINT64_MAX, "<0.1%" },
	};
	char buf[16];

	for (size_t i = 0; i < ARRAY_SIZE(shares); i++)
		EXPECT_STR(kma_percent_format(buf, sizeof(buf), shares[i].part, shares[i].whole),
			   shares[i].want);
}

/* An account that has live bytes and allocations, and one loss; and its report. */
static void write_report(enum kma_format format, struct kma_strbuf *out)
{
	struct kma_values values = { .current = 2048, .allocs = 3 };
	struct kma_report report = { .by = KMA_BY(KMA_KEY_CALLER), .release = "", .branch = "" };
	struct kma_account *account;
	struct kma_node *root;
	struct kma_rows rows;

	account = kma_account_create("in");
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_ALLOCS);
	kma_account_set_loss(account, KMA_LOSS_NOT_RECORDED, 7);
	EXPECT(!kma_account_add_site(account, "a,\"b\"", 5, &values));
	EXPECT(!kma_account_finish(account));
	root = kma_node_create();
	kma_node_add_caller(root, "a,\"b\"\x1b[2J", &values);
	kma_node_roll_up(root);
	kma_rows_init(&rows, root, &KMA_BY(KMA_KEY_CALLER), 0);
	report.account = account;
	report.rows = &rows;
	report.columns = kma_metric_shown(kma_account_metrics(account), 0);
	kma_report_text(&report, format, out);
	kma_rows_deinit(&rows);
	kma_node_destroy(root);
	kma_account_destroy(account);
}

TEST(absent_metrics_have_no_column)
{
	_cleanup_strbuf_ struct kma_strbuf csv = { 0 };
	_cleanup_strbuf_ struct kma_strbuf json = { 0 };
	_cleanup_strbuf_ struct kma_strbuf table = { 0 };

	write_report(KMA_FORMAT_CSV, &csv);
	EXPECT_STR(csv.str, "caller,current_dynamic,allocs\n\"a,\"\"b\"\"\x1b[2J\",2048,3\n");

	write_report(KMA_FORMAT_JSON, &json);
	EXPECT(strstr(json.str, "{\"caller\": \"a,\\\"b\\\"\\u001b[2J\", \"current_dynamic\""));
	EXPECT(strstr(json.str, ", \"current_dynamic\": 2048, \"allocs\": 3}"));
	EXPECT(strstr(json.str, "\"not_counted\": {\"events_not_recorded\": 7}"));
	EXPECT(!strstr(json.str, "waste"));
	EXPECT(!strstr(json.str, "implied"));

	write_report(KMA_FORMAT_TABLE, &table);
	EXPECT(strstr(table.str, "   live  allocs   share  caller\n"));
	EXPECT(strstr(table.str, "2.0 KiB       3  100.0%  a,\"b\"?[2J\n"));
	EXPECT(strstr(table.str, "implied frees              unknown\n"));
}

TEST(names_cannot_leave_the_svg)
{
	struct kma_shape text = {
		.kind = KMA_SHAPE_TEXT,
		.size = 10,
		.text = (char *)"</text><script>&",
	};
	struct kma_shape slice = {
		.kind = KMA_SHAPE_SLICE,
		.outer = 9,
		.sweep = 1,
		.tip = (char *)"<b>\"\x01",
	};
	_cleanup_strbuf_ struct kma_strbuf svg = { 0 };
	struct kma_scene scene;

	kma_scene_init(&scene, 100, 50);
	kma_scene_add(&scene, &text);
	kma_scene_add(&scene, &slice);
	kma_svg_write(&scene, 200, &svg);
	EXPECT(strstr(svg.str, "width=\"200\" height=\"100\" viewBox=\"0 0 100 50\""));
	EXPECT(strstr(svg.str, ">&lt;/text&gt;&lt;script&gt;&amp;</text>"));
	EXPECT(strstr(svg.str, "<title>&lt;b&gt;&quot;\xef\xbf\xbd</title>"));
	EXPECT(!strstr(svg.str, "<script>"));
	kma_scene_deinit(&scene);
}

/* As printf has it, which knows how to round. */
static void units_by_printf(char *buf, size_t size, uint64_t value)
{
	static const char *const names[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double scaled = value / 1024.0;
	size_t i = 0;

	for (; scaled >= 1023.95 && i + 1 < ARRAY_SIZE(names); i++)
		scaled /= 1024;
	if (value < 1024)
		snprintf(buf, size, "%u B", (unsigned int)value);
	else
		snprintf(buf, size, "%.1f %s", scaled, names[i]);
}

TEST(numbers_as_printf_has_them)
{
	unsigned int seed = 5;
	char got[32], want[32];

	for (unsigned int i = 0; i < 200000; i++) {
		/* up to 53 bits, which a double holds; at the edges of units, too */
		uint64_t value = ((uint64_t)rand_r(&seed) << 31 | rand_r(&seed)) >> (9 + i % 53);

		if (!(i % 4))
			value = (1ULL << (10 * (1 + i / 4 % 5))) / 20000 * (19900 + i % 131);
		units_by_printf(want, sizeof(want), value);
		kma_units_format(got, sizeof(got), value, KMA_UNIT_BYTES);
		if (strcmp(got, want))
			EXPECT_STR(got, want);
		if (kma_units_len(value, KMA_UNIT_BYTES) != strlen(want))
			EXPECT_EQ(kma_units_len(value, KMA_UNIT_BYTES), strlen(want));
		snprintf(want, sizeof(want), "%llu", (unsigned long long)value);
		kma_units_format(got, sizeof(got), value, KMA_UNIT_COUNT);
		if (strcmp(got, want))
			EXPECT_STR(got, want);
		if (kma_units_len(value, KMA_UNIT_COUNT) != strlen(want))
			EXPECT_EQ(kma_units_len(value, KMA_UNIT_COUNT), strlen(want));
	}
	EXPECT_STR(kma_units_format(got, sizeof(got), UINT64_MAX, KMA_UNIT_BYTES), "16.0 EiB");
	EXPECT_STR(kma_units_format(got, sizeof(got), UINT64_MAX, KMA_UNIT_COUNT),
		   "18446744073709551615");
	EXPECT_STR(kma_units_format(got, 4, 123456, KMA_UNIT_COUNT), "123");
	EXPECT_STR(kma_percent_format(got, sizeof(got), UINT64_MAX, UINT64_MAX), "100.0%");
	EXPECT_STR(kma_percent_format(got, sizeof(got), 1, 2000), "0.1%");
	EXPECT_STR(kma_percent_format(got, sizeof(got), 1, 2001), "<0.1%");
}

/* A machine that runs for years, and some ns of it: a step is lost in such a number. */
TEST(times_above_what_a_double_counts)
{
	static const char *const names[] = { "owner" };
	static const uint64_t bytes[] = { 8, 16, 8 };
	const uint64_t ns[] = { (1ull << 60) + 1, (1ull << 60) + 300, (1ull << 60) + 601 };
	static const struct kma_curves_mark marks[ARRAY_SIZE(ns)];
	const struct kma_curves series = {
		.names = names,
		.bytes = bytes,
		.ns = ns,
		.marks = marks,
		.owners = 1,
		.points = 3,
		.title = "",
		.subject = "",
		.footer = "",
	};
	struct kma_scene scene;

	alarm(600); /* the end of an endless loop; a busy machine needs seconds */
	kma_curves_draw(&series, &scene);
	alarm(0);
	EXPECT(scene.nr > 0);
	kma_scene_deinit(&scene);
}

/* Of a gap of this width: its texts, joined. */
static void texts_of_a_gap(double width, char *got, size_t size)
{
	static const uint64_t ns[] = { 0, 1000 };
	static const struct kma_curves_mark marks[] = { { 0 }, { .gap = true } };
	const struct kma_marks_area area = {
		.left = 10, .right = 10 + width, .top = 10, .bottom = 90, .ns = ns, .points = 2
	};
	struct kma_scene scene;

	*got = '\0';
	kma_scene_init(&scene, 300, 100);
	kma_marks_draw(marks, &area, &scene);
	EXPECT(scene.nr >= 2);
	for (size_t i = 0; i < scene.nr; i++)
		if (scene.shapes[i].kind == KMA_SHAPE_TEXT)
			snprintf(got + strlen(got), size - strlen(got), "%s", scene.shapes[i].text);
	kma_scene_deinit(&scene);
}

TEST(a_gap_says_it_whole_or_not)
{
	char got[64];

	texts_of_a_gap(200, got, sizeof(got));
	EXPECT_STR(got, "no samples");
	for (double width = 5; width < 200; width += 5) {
		texts_of_a_gap(width, got, sizeof(got));
		EXPECT(!*got || !strcmp(got, "no samples"));
	}
	texts_of_a_gap(60, got, sizeof(got));
	EXPECT_STR(got, "");
}

TEST_MAIN()
