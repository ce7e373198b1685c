// SPDX-License-Identifier: GPL-2.0-only
/*
 * stamp.c - find the times in a text.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/cleanup.h"
#include "stamp.h"

#define DAY	    86400.
#define UP_MAX	    1e10	/* seconds that no machine runs */
#define LEAP_YEAR   2000	/* of dates without a year, of which one may be 29 February */
#define SAID_MAX    16		/* other letters of a line that has hardly more than a time */
#define EPOCH_FIRST 1000000000. /* seconds since 1970 that a line alone may have */
#define EPOCH_LAST  4000000000.

const char *const kma_clocks[KMA_NR_CLOCKS] = {
	[KMA_CLOCK_KERNEL] = "the kernel's clock",
	[KMA_CLOCK_DATE] = "the dates in the text",
	[KMA_CLOCK_NO_YEAR] = "the dates in the text, which have no year",
	[KMA_CLOCK_OF_DAY] = "the times of day in the text",
};

static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

/* 0 to 11; -1: no month */
static int month_of(const char *text)
{
	for (int i = 0; i < 12; i++)
		if (!strncmp(text, months + 3 * i, 3) && !isalpha((unsigned char)text[3]))
			return i;
	return -1;
}

/* " AM", " PM", also after the narrow blank that locales of glibc and mailers print */
static const char *half_day(const char *p, struct tm *tm)
{
	const char *at = p + strspn(p, " ");

	if (!strncmp(at, "\xe2\x80\xaf", 3))
		at += 3;
	if ((*at != 'A' && *at != 'P' && *at != 'a' && *at != 'p') ||
	    (at[1] != 'M' && at[1] != 'm') || isalpha((unsigned char)at[2]))
		return p;
	tm->tm_hour = tm->tm_hour % 12 + (*at == 'P' || *at == 'p' ? 12 : 0);
	return at + 2;
}

/* "02:37:24.123456", "2:37 AM"; NULL: it is no time of day */
static const char *time_of_day(const char *text, struct tm *tm, double *fraction)
{
	int len = 0;

	*fraction = 0;
	tm->tm_sec = 0;
	if (!isdigit((unsigned char)*text) ||
	    sscanf(text, "%2d:%2d%n", &tm->tm_hour, &tm->tm_min, &len) != 2)
		return NULL;
	text += len;
	if (*text == ':' && isdigit((unsigned char)text[1])) {
		if (sscanf(text, ":%2d%n", &tm->tm_sec, &len) != 1)
			return NULL;
		text += len;
	}
	if ((*text == '.' || *text == ',') && isdigit((unsigned char)text[1])) {
		char *end;

		/* a comma is not read by strtod() */
		*fraction = strtoul(text + 1, &end, 10);
		for (const char *p = text + 1; p < end; p++)
			*fraction /= 10;
		text = end;
	}
	if (tm->tm_hour > 23 || tm->tm_min > 59 || tm->tm_sec > 60)
		return NULL;
	return half_day(text, tm);
}

/* "+0100", "-05:00", after a time; its seconds */
static double zone(const char *text)
{
	unsigned int hours, minutes;

	text += strspn(text, " ");
	if ((*text != '+' && *text != '-') || !isdigit((unsigned char)text[1]))
		return 0;
	if (sscanf(text + 1, "%2u:%2u", &hours, &minutes) != 2 &&
	    sscanf(text + 1, "%2u%2u", &hours, &minutes) != 2)
		return 0;
	return (*text == '-' ? -60. : 60.) * (hours * 60 + minutes);
}

/* The year after a time and the name of a zone, "CET 2026"; 0: there is none */
static int year_behind(const char *text)
{
	size_t name;

	text += strspn(text, " ");
	for (name = 0; isupper((unsigned char)text[name]);)
		name++;
	if (name > 2 && name < 6 && text[name] == ' ')
		text += name + 1;
	return strspn(text, "0123456789") == 4 && !memchr(":-./", text[4] ?: ' ', 4) ? atoi(text) :
										       0;
}

static void set_date(struct kma_stamps *stamps, struct tm *tm, double fraction, const char *behind)
{
	enum kma_clock clock = tm->tm_year ? KMA_CLOCK_DATE : KMA_CLOCK_NO_YEAR;

	tm->tm_year = (tm->tm_year ?: LEAP_YEAR) - 1900;
	stamps->at[clock] = timegm(tm) + fraction - zone(behind);
}

/*
 * A date that begins with a number, and a time: "2026-11-30T02:37:24", "30 Nov 2026 02:37:24
 * +0100", or with a month: "Nov 30 02:37:24", "Nov 30, 2026 at 2:37 AM", "Nov 30 02:37:24 UTC 2026"
 */
static void date(const char *text, struct kma_stamps *stamps)
{
	struct tm tm = { 0 };
	const char *behind = NULL;
	double fraction = 0;
	char sign;
	int len = 0;

	tm.tm_mon = month_of(text);
	if (tm.tm_mon >= 0) {
		if (sscanf(text + 3, " %2d%n", &tm.tm_mday, &len) != 1)
			return;
		text += 3 + len;
		if (sscanf(text, ", %4d%n", &tm.tm_year, &len) == 1)
			text += len;
		text += strspn(text, ", ");
		text += strncmp(text, "at ", 3) ? 0 : 3;
		behind = time_of_day(text, &tm, &fraction);
		if (behind && !tm.tm_year)
			tm.tm_year = year_behind(behind);
	} else if (sscanf(text, "%4d-%2d-%2d%c%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &sign,
			  &len) == 4 &&
		   (sign == 'T' || sign == ' ')) {
		tm.tm_mon--;
		behind = time_of_day(text + len, &tm, &fraction);
	} else if (sscanf(text, "%2d%n", &tm.tm_mday, &len) == 1 && text[len] == ' ') {
		text += len + 1;
		tm.tm_mon = month_of(text);
		if (tm.tm_mon >= 0 && sscanf(text + 3, " %4d%n", &tm.tm_year, &len) == 1) {
			text += 3 + len;
			text += strspn(text, ", ");
			text += strncmp(text, "at ", 3) ? 0 : 3;
			behind = time_of_day(text, &tm, &fraction);
		}
	}
	if (behind && tm.tm_mon >= 0 && tm.tm_mon < 12 && tm.tm_mday > 0 && tm.tm_mday < 32 &&
	    (!tm.tm_year || (tm.tm_year >= 1990 && tm.tm_year < 2200)))
		set_date(stamps, &tm, fraction, behind);
}

static void set_uptime(struct kma_stamps *stamps, double seconds)
{
	if (seconds < UP_MAX)
		stamps->at[KMA_CLOCK_KERNEL] = seconds;
}

/* "11:47:11", as seconds of the day; NULL: it is no such time */
static const char *clock_of_day(const char *text, double *ret)
{
	struct tm tm = { 0 };
	const char *behind;
	double fraction;

	if (strspn(text, "0123456789") != 2 || strspn(text, "0123456789:") < 8)
		return NULL;
	behind = time_of_day(text, &tm, &fraction);
	*ret = tm.tm_hour * 3600. + tm.tm_min * 60. + tm.tm_sec + fraction;
	return behind;
}

/*
 * "[   63.201234]" of the kernel, "[11:16:33]" of memleak, "11:47:11 up 3 days" of uptime,
 * "6,1234,63201234,-;" of /dev/kmsg
 */
static void of_log(const char *text, struct kma_stamps *stamps)
{
	unsigned long long us;
	const char *behind;
	bool bracket;
	double now;
	char *end;

	if (sscanf(text, "%*u,%*u,%llu,%*[-c];", &us) == 1) {
		set_uptime(stamps, us / 1e6);
		return;
	}
	bracket = *text == '[';
	behind = clock_of_day(text + bracket, &now);
	if (behind && (bracket ? *behind == ']' : !*behind || !strncmp(behind, " up ", 4)))
		stamps->at[KMA_CLOCK_OF_DAY] = now;
	if (!bracket || behind)
		return;
	text += 1 + strspn(text + 1, " ");
	if (strspn(text, "0123456789.") < 4)
		return;
	now = strtod(text, &end);
	if (*end == ']' && memchr(text, '.', end - text))
		set_uptime(stamps, now);
}

void kma_stamps_find(const char *text, size_t len, struct kma_stamps *stamps)
{
	struct kma_stamps now = { 0 };

	for (size_t i = 0; i < len && text[i]; i++) {
		struct kma_stamps here = { 0 };

		if (i && (isalnum((unsigned char)text[i - 1]) || strchr(".:+-", text[i - 1])))
			continue;
		if (isdigit((unsigned char)text[i]) || isupper((unsigned char)text[i]))
			date(text + i, &here);
		of_log(text + i, &here);
		/* of each clock the first one */
		for (size_t c = 0; c < KMA_NR_CLOCKS; c++)
			now.at[c] = now.at[c] ?: here.at[c];
	}
	for (size_t c = 0; c < KMA_NR_CLOCKS; c++)
		stamps->at[c] = now.at[c] ?: stamps->at[c];
}

void kma_stamps_of_other(const char *text, struct kma_stamps *stamps)
{
	static const char *const heads[] = { "Date:", "Sent:", "On ", "Le ", "Am " };
	bool is_head = false, date_is = false;
	struct kma_stamps found = { 0 };
	size_t letters = 0;
	double seconds, idle;
	char rest[2];

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		is_head |= !strncmp(text, heads[i], strlen(heads[i]));
	for (const char *p = text; *p; p++)
		letters += isalpha((unsigned char)*p) != 0;
	kma_stamps_find(text, strlen(text), &found);
	date_is = found.at[KMA_CLOCK_DATE] || found.at[KMA_CLOCK_NO_YEAR];
	/* the names of the day, the month and the zone are letters, too */
	if (date_is && (is_head || letters <= SAID_MAX + 10)) {
		for (size_t c = 0; c < KMA_NR_CLOCKS; c++)
			stamps->at[c] = found.at[c] ?: stamps->at[c];
		return;
	}
	for (const char *p = text; *p && letters <= SAID_MAX; p++)
		if ((p == text || strchr(" =(", p[-1])) && clock_of_day(p, &seconds))
			stamps->at[KMA_CLOCK_OF_DAY] = seconds;
	/* "12345.67 23456.78" of /proc/uptime, "1764503231" of date +%s */
	if (strspn(text, "0123456789. ") != strlen(text))
		return;
	if (sscanf(text, "%lf %lf%1s", &seconds, &idle, rest) == 2 && strchr(text, '.'))
		set_uptime(stamps, seconds);
	else if (sscanf(text, "%lf%1s", &seconds, rest) == 1 && seconds >= EPOCH_FIRST &&
		 seconds < EPOCH_LAST)
		stamps->at[KMA_CLOCK_DATE] = seconds;
}

void kma_times_pass(struct kma_times *times, const struct kma_stamps *line, bool of_format,
		    bool row)
{
	for (size_t c = 0; c < KMA_NR_CLOCKS; c++) {
		if (!of_format) {
			times->before.at[c] = line->at[c] ?: times->before.at[c];
			continue;
		}
		times->head.at[c] = line->at[c] ?: times->before.at[c] ?: times->head.at[c];
		times->before.at[c] = 0;
	}
	if (row && !times->row) {
		times->report = times->head;
		times->row = true;
	}
}

/* What is added to a clock that begins again, where it falls; 0: such a clock does not. */
static double turn(enum kma_clock clock, double falls_by)
{
	if (clock == KMA_CLOCK_OF_DAY)
		return DAY;
	return clock == KMA_CLOCK_NO_YEAR && falls_by > 180 * DAY ? 366 * DAY : 0;
}

/* Sets the times by one clock. Returns the first report that has no later one; @nr: all have. */
static size_t by_clock(const struct kma_stamps *stamps, size_t nr, enum kma_clock clock,
		       double *times)
{
	bool falls = clock == KMA_CLOCK_DATE && nr > 1 && stamps[1].at[clock] &&
		     stamps[1].at[clock] < stamps[0].at[clock];
	double added = 0;

	for (size_t i = 0; i < nr; i++) {
		double now = stamps[i].at[clock];

		if (!now)
			return i;
		times[i] = now + added;
		if (!i)
			continue;
		if (times[i] < times[i - 1]) {
			added += turn(clock, times[i - 1] - times[i]);
			times[i] = now + added;
		}
		/* in a thread of mails the newest may come first */
		if (falls ? times[i] >= times[i - 1] : times[i] <= times[i - 1])
			return i;
	}
	return nr;
}

bool kma_stamps_choose(const struct kma_stamps *stamps, size_t nr, double *times,
		       enum kma_clock *clock, size_t *which)
{
	*clock = KMA_CLOCK_KERNEL;
	*which = 0;
	for (size_t c = 0; c < KMA_NR_CLOCKS; c++) {
		size_t good = by_clock(stamps, nr, c, times);

		if (good > *which) {
			*clock = c;
			*which = good;
		}
		if (good == nr)
			return true;
	}
	return false;
}
