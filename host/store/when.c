// SPDX-License-Identifier: GPL-2.0-only
/*
 * when.c - convert times from and to the forms that people use.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/cleanup.h"
#include "lib/clock.h"
#include "when.h"

/* Forms for strptime(3). Those without a day are of today. */
static const struct {
	const char *form;
	bool has_day;
} kma_when_forms[] = {
	{ "%Y-%m-%d %H:%M:%S", true },
	{ "%Y-%m-%dT%H:%M:%S", true },
	{ "%Y-%m-%d %H:%M", true },
	{ "%Y-%m-%dT%H:%M", true },
	{ "%Y-%m-%d", true },
	{ "%H:%M:%S", false },
	{ "%H:%M", false },
};

static const struct {
	const char *word;
	int days;
} kma_when_days[] = { { "today", 0 }, { "yesterday", -1 } };

static const struct {
	char unit;
	unsigned int seconds;
} kma_when_units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };

/* Read "-90m": a time before now. */
static bool when_ago(const char *text, uint64_t now, uint64_t *ret)
{
	double number;
	char *end;

	if (*text != '-')
		return false;
	number = strtod(text + 1, &end);
	for (size_t i = 0; i < ARRAY_SIZE(kma_when_units); i++)
		if (end != text + 1 && *end == kma_when_units[i].unit && !end[1] && number >= 0 &&
		    number * kma_when_units[i].seconds < now / 1e9) {
			*ret = now - (uint64_t)(number * kma_when_units[i].seconds * KMA_NS_PER_S);
			return true;
		}
	return false;
}

static bool when_epoch(const char *text, uint64_t *ret)
{
	char *end;
	double number;

	/* Nine digits or more fit no other form, so "@" may be left out. */
	if (*text != '@' && strspn(text, "0123456789") < 9)
		return false;
	text += *text == '@';
	number = strtod(text, &end);
	if (end == text || *end || !(number >= 0 && number < 9e9))
		return false;
	*ret = number * KMA_NS_PER_S;
	return true;
}

static bool when_form(const char *text, const struct tm *today, int days, bool exact, uint64_t now,
		      uint64_t *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_when_forms); i++) {
		struct tm tm = { 0 };
		const char *end;
		time_t seconds;

		if (!kma_when_forms[i].has_day) {
			tm.tm_year = today->tm_year;
			tm.tm_mon = today->tm_mon;
			tm.tm_mday = today->tm_mday + days;
		}
		end = strptime(text, kma_when_forms[i].form, &tm);
		if (!end || *end || (exact && kma_when_forms[i].has_day))
			continue;
		tm.tm_isdst = -1;
		seconds = mktime(&tm);
		if (seconds < 0)
			return false;
		if (!exact && !kma_when_forms[i].has_day &&
		    (uint64_t)seconds * KMA_NS_PER_S > now) {
			tm.tm_mday--;
			tm.tm_isdst = -1;
			seconds = mktime(&tm);
		}
		*ret = seconds * KMA_NS_PER_S;
		return true;
	}
	return false;
}

struct kma_err *kma_when_parse(const char *text, uint64_t now, uint64_t *ret)
{
	time_t seconds = now / KMA_NS_PER_S;
	const char *rest = text;
	struct tm today;
	int days = 0;
	bool exact = false;

	*ret = now;
	if (!strcmp(text, KMA_WHEN_NEWEST) || !strcmp(text, "now"))
		return NULL;
	localtime_r(&seconds, &today);
	for (size_t i = 0; i < ARRAY_SIZE(kma_when_days); i++) {
		size_t len = strlen(kma_when_days[i].word);

		if (strncmp(text, kma_when_days[i].word, len) || (text[len] && text[len] != ' '))
			continue;
		days = kma_when_days[i].days;
		rest = text[len] ? text + len + 1 : "00:00";
		exact = true;
	}
	if (when_ago(text, now, ret) || when_epoch(text, ret) ||
	    when_form(rest, &today, days, exact, now, ret))
		return NULL;
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "invalid time '%s' (" KMA_WHEN_FORMS ")",
				   text);
}

uint64_t kma_when_end(uint64_t ns)
{
	return ns % KMA_NS_PER_S ? ns : ns + KMA_NS_PER_S - 1;
}

void kma_when_text(uint64_t ns, char text[KMA_WHEN_LEN])
{
	time_t seconds = ns / KMA_NS_PER_S;
	struct tm tm;

	strftime(text, KMA_WHEN_LEN, "%Y-%m-%d %H:%M:%S", localtime_r(&seconds, &tm));
}
