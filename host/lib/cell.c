// SPDX-License-Identifier: GPL-2.0-only
/*
 * cell.c - format one cell of a sheet by the kind of its column.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cell.h"
#include "cleanup.h"
#include "escape.h"

/*
 * One function for each form of a kind. It writes into a buffer of KMA_NUMBER_LEN bytes and returns
 * the length. The table kma_cell_forms selects the function.
 */

static size_t cell_count(char *text, const struct kma_cell *cell)
{
	return kma_units_text(text, cell->number, KMA_UNIT_COUNT);
}

static size_t cell_bytes(char *text, const struct kma_cell *cell)
{
	return kma_units_text(text, cell->number, KMA_UNIT_BYTES);
}

static size_t cell_ns_long(char *text, const struct kma_cell *cell)
{
	return kma_units_text(text, cell->number, KMA_UNIT_NS);
}

static size_t cell_ns(char *text, const struct kma_cell *cell)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double value = cell->number;
	size_t unit = 0;

	while (value >= 1000 && unit < ARRAY_SIZE(units) - 1) {
		value /= 1000;
		unit++;
	}
	return snprintf(text, KMA_NUMBER_LEN, "%.*f %s", unit && value < 100 ? 1 : 0, value,
			units[unit]);
}

static size_t cell_ms(char *text, const struct kma_cell *cell)
{
	return snprintf(text, KMA_NUMBER_LEN, "%.3f", cell->number / 1e6);
}

static size_t cell_us(char *text, const struct kma_cell *cell)
{
	return snprintf(text, KMA_NUMBER_LEN, "%.1f", cell->number / 1e3);
}

static size_t cell_time(char *text, const struct kma_cell *cell)
{
	return snprintf(text, KMA_NUMBER_LEN, "%" PRIu64 ".%06" PRIu64, cell->number / 1000000000,
			cell->number / 1000 % 1000000);
}

static size_t cell_hex(char *text, const struct kma_cell *cell)
{
	return snprintf(text, KMA_NUMBER_LEN, "0x%" PRIx64, cell->number);
}

static size_t cell_share(char *text, const struct kma_cell *cell)
{
	return strlen(kma_percent_format(text, KMA_NUMBER_LEN, cell->number, cell->whole));
}

/*
 * Write a real number, at most KMA_NUMBER_LEN - 1 bytes: a change from 1 byte to 16 EiB has 22
 * digits.
 */
static size_t cell_real(char *text, const char *format, double real)
	__attribute__((format(printf, 2, 0)));

static size_t cell_real(char *text, const char *format, double real)
{
	int len = snprintf(text, KMA_NUMBER_LEN, format, real);

	return len < KMA_NUMBER_LEN ? len : KMA_NUMBER_LEN - 1;
}

static size_t cell_change(char *text, const struct kma_cell *cell)
{
	return cell_real(text, "%+.1f%%", cell->real);
}

static size_t cell_change_raw(char *text, const struct kma_cell *cell)
{
	return cell_real(text, "%.2f", cell->real);
}

static size_t cell_percent(char *text, const struct kma_cell *cell)
{
	return cell_real(text, "%.2f%%", cell->real);
}

static size_t cell_percent_raw(char *text, const struct kma_cell *cell)
{
	return cell_real(text, "%.6f", cell->real);
}

static size_t cell_tenths(char *text, const struct kma_cell *cell)
{
	return cell_real(text, "%.1f%%", cell->real);
}

/*
 * Forms of the kinds of numbers: for people, and for programs. @raw is NULL: the digits of the
 * number.
 */
static const struct {
	size_t (*people)(char *text, const struct kma_cell *cell);
	size_t (*raw)(char *text, const struct kma_cell *cell);
} kma_cell_forms[KMA_NR_CELL_KINDS] = {
	[KMA_CELL_COUNT] = { cell_count, NULL },
	[KMA_CELL_BYTES] = { cell_bytes, NULL },
	[KMA_CELL_NS] = { cell_ns, NULL },
	[KMA_CELL_NS_LONG] = { cell_ns_long, NULL },
	[KMA_CELL_MS] = { cell_ms, NULL },
	[KMA_CELL_US] = { cell_us, NULL },
	[KMA_CELL_TIME] = { cell_time, NULL },
	[KMA_CELL_HEX] = { cell_hex, NULL },
	[KMA_CELL_SHARE] = { cell_share, NULL },
	[KMA_CELL_CHANGE] = { cell_change, cell_change_raw },
	[KMA_CELL_PERCENT] = { cell_percent, cell_percent_raw },
	[KMA_CELL_TENTHS] = { cell_tenths, cell_change_raw },
};

/* Append a bar, whose length is the share of @width. */
static void cell_bar(const struct kma_cell *cell, size_t width, struct kma_strbuf *out)
{
	size_t len = cell->whole ? (__uint128_t)cell->number * width / cell->whole : 0;

	for (size_t i = 0; i < len && i < width; i++)
		kma_strbuf_add(out, "#", 1);
}

bool kma_cell_is_number(const struct kma_cell *cell, enum kma_cell_kind kind)
{
	return kma_cell_forms[kind].people && !cell->none && !cell->text;
}

size_t kma_cell_number(char *text, const struct kma_cell *cell, enum kma_cell_kind kind)
{
	*text = cell->sign;
	return kma_cell_forms[kind].people(text + !!cell->sign, cell) + !!cell->sign;
}

void kma_cell_print(const struct kma_cell *cell, enum kma_cell_kind kind, size_t width,
		    struct kma_strbuf *out)
{
	char number[KMA_CELL_NUMBER];

	if (kind == KMA_CELL_BAR) {
		cell_bar(cell, width, out);
	} else if (kma_cell_is_number(cell, kind)) {
		kma_strbuf_add(out, number, kma_cell_number(number, cell, kind));
	} else if (cell->none && !cell->text) {
		kma_strbuf_add(out, "-", 1);
	} else {
		kma_escape_plain(out, cell->text ?: "");
		if (cell->after)
			kma_escape_plain(out, cell->after);
	}
}

void kma_cell_raw(const struct kma_cell *cell, enum kma_cell_kind kind, struct kma_strbuf *out)
{
	char number[KMA_NUMBER_LEN];

	if (cell->sign == '-')
		kma_strbuf_add(out, "-", 1);
	if (kma_cell_forms[kind].raw)
		kma_strbuf_add(out, number, kma_cell_forms[kind].raw(number, cell));
	else
		kma_strbuf_u64(out, cell->number);
}
