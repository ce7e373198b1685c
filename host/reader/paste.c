// SPDX-License-Identifier: GPL-2.0-only
/*
 * paste.c - find the lines of a report in a text.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "lib/strbuf.h"
#include "lib/units.h"
#include "paste.h"

#define STAMP_MAX   40	/* bytes of the longest time in brackets */
#define HOST_MAX    64	/* bytes of the longest name of a machine, RFC 1123 */
#define LAYERS	    16	/* most decorations of a line */
#define WRAPPED_MAX 512 /* bytes of the longest line that can be the end of a row */

static const char digits[] = "0123456789";

/*
 * Each function returns the bytes of a decoration at the start of a text, 0 if there is none.
 */

static size_t byte_order_mark(const char *text)
{
	return strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3;
}

/* "> " of a mail or of Markdown; several of them are removed one after the other. */
static size_t quote(const char *text)
{
	return *text != '>' ? 0 : text[1] == ' ' ? 2 : 1;
}

/* "12:" of grep -n, "     12<tab>" of cat -n. */
static size_t line_number(const char *text)
{
	size_t blanks = strspn(text, " "), number = strspn(text + blanks, digits);

	if (!number || number > 7)
		return 0;
	/* cat fills up to six columns; without that it is a column of a table */
	if (text[blanks + number] == '\t' && blanks && blanks + number == 6)
		return blanks + number + 1;
	return !blanks && text[number] == ':' ? number + 1 : 0;
}

/* Bytes of a text of a form, in which d is a digit and A, a are letters; 0: it has another one. */
static size_t of_form(const char *text, const char *form)
{
	size_t at;

	for (at = 0; form[at]; at++)
		if (form[at] == 'd' ? !isdigit((unsigned char)text[at]) :
		    form[at] == 'A' ? !isupper((unsigned char)text[at]) :
		    form[at] == 'a' ? !islower((unsigned char)text[at]) :
				      text[at] != form[at])
			return 0;
	return at;
}

/* "2026-11-30T02:37:24.123456+00:00", "2026-11-30 02:37:24 UTC" */
static size_t iso_time(const char *text)
{
	size_t at = of_form(text, "dddd-dd-ddTdd:dd:dd") ?: of_form(text, "dddd-dd-dd dd:dd:dd");

	if (!at)
		return 0;
	at += strspn(text + at, "0123456789.,:+-Z");
	return at + (of_form(text + at, " AAA ") ? 4 : of_form(text + at, " AAAA ") ? 5 : 0);
}

/* "Nov 30 02:37:24" of syslog and of the journal, "Nov 30 02:37:24 2026" */
static size_t syslog_time(const char *text)
{
	size_t at = of_form(text, "Aaa dd dd:dd:dd")	     ?:
			    of_form(text, "Aaa  d dd:dd:dd") ?:
							       of_form(text, "Aaa d dd:dd:dd");

	if (!at)
		return 0;
	at += strspn(text + at, "0123456789.");
	return at + of_form(text + at, " dddd");
}

/* The same after the name of the day. */
static size_t day_time(const char *text)
{
	size_t day = of_form(text, "Aaa "), at = day ? iso_time(text + day) : 0;

	at = at || !day ? at : syslog_time(text + day);
	return at ? day + at : 0;
}

/* What says how important a line is: "<6>", "kern  :warn  : " of dmesg -x, "kern: warning: ". */
static size_t level(const char *text)
{
	static const char small[] = "abcdefghijklmnopqrstuvwxyz";
	size_t at = of_form(text, "<d>");

	if (at || strncmp(text, "kern", 4))
		return at;
	at = 4 + strspn(text + 4, " ");
	if (text[at++] != ':')
		return 0;
	at += strspn(text + at, " ");
	at += strspn(text + at, small);
	at += strspn(text + at, " ");
	return text[at] == ':' && text[at + 1] == ' ' ? at + 2 : 0;
}

/* "6,1234,63201234,-;" of /dev/kmsg */
static size_t kmsg(const char *text)
{
	size_t at = 0;

	for (unsigned int i = 0; i < 3; i++) {
		size_t number = strspn(text + at, digits);

		if (!number || text[at + number] != ',')
			return 0;
		at += number + 1;
	}
	return (text[at] == '-' || text[at] == 'c') && text[at + 1] == ';' ? at + 2 : 0;
}

/* A time in brackets, of any form of dmesg: "[   63.201234]", "[Mon Nov 30 02:37:24 2026]". */
static size_t bracketed_time(const char *text)
{
	size_t len = *text == '[' ? strcspn(text, "]\n") : 0;

	if (!len || text[len] != ']' || len > STAMP_MAX)
		return 0;
	if (iso_time(text + 1))
		return len + 1;
	if (strspn(text + 1, " 0123456789.+<>") == len - 1)
		return memchr(text, '.', len) ? len + 1 : 0;
	return isupper((unsigned char)text[1]) && islower((unsigned char)text[2]) &&
			       islower((unsigned char)text[3]) && memchr(text, ':', len) ?
		       len + 1 :
		       0;
}

/* "[    T1]" or "[   C0]", the task or the CPU that printed the line */
static size_t printer(const char *text)
{
	size_t at = *text == '[' ? 1 + strspn(text + 1, " ") : 0, number;

	if (!at || (text[at] != 'T' && text[at] != 'C'))
		return 0;
	number = strspn(text + at + 1, digits);
	return number && text[at + 1 + number] == ']' ? at + number + 2 : 0;
}

/* "dracut-pre-pivot[519]: " of a program */
static size_t program(const char *text)
{
	size_t at = strcspn(text, " ["), number;

	if (!at || text[at] != '[' || !isdigit((unsigned char)text[at + 1]))
		return 0;
	number = strspn(text + at + 1, digits);
	at += 1 + number;
	return number && !strncmp(text + at, "]: ", 3) ? at + 3 : 0;
}

/* "host kernel: ", after a time */
static size_t host_kernel(const char *text)
{
	static const char kernel[] = "kernel: ";
	size_t host = 0;

	if (!strncmp(text, kernel, strlen(kernel)))
		return strlen(kernel);
	while (host < HOST_MAX && text[host] && text[host] != ' ')
		host++;
	if (host && !strncmp(text + host, " kernel: ", strlen(kernel) + 1))
		return host + 1 + strlen(kernel);
	if (host && text[host] && program(text + host + 1))
		return host + 1 + program(text + host + 1);
	/* of a container */
	return !strncmp(text, "stdout F ", 9) || !strncmp(text, "stderr F ", 9) ? 9 : 0;
}

/* What the kernel log, syslog, the journal and the logs of test systems print before a line. */
static size_t log_prefix(const char *text)
{
	size_t at = level(text), part;

	part = bracketed_time(text + at)      ?:
		       syslog_time(text + at) ?:
		       iso_time(text + at)    ?:
		       day_time(text + at)    ?:
						kmsg(text + at);
	if (!part)
		return at;
	at += part;
	part = text[at] == ' ';
	if (printer(text + at + part))
		at += part + printer(text + at + part);
	at += text[at] == ':';
	at += text[at] == ' ';
	return at + host_kernel(text + at);
}

static size_t kmemleak_prefix(const char *text)
{
	static const char prefix[] = "kmemleak: ";

	return strncmp(text, prefix, strlen(prefix)) ? 0 : strlen(prefix);
}

/* "/sys/kernel/slab/dentry/alloc_calls:" of grep in several files */
static size_t file_name(const char *text)
{
	size_t len = *text == '/' ? strcspn(text, ": \t") : 0;

	return len && text[len] == ':' ? len + 1 : 0;
}

/* "<pre>" of a page */
static size_t tag(const char *text)
{
	static const char *const tags[] = { "<pre", "</pre", "<code", "</code", "<p>", "<br" };

	for (size_t i = 0; i < ARRAY_SIZE(tags) && *text == '<'; i++)
		if (!strncmp(text, tags[i], strlen(tags[i])) && strchr(text, '>'))
			return strcspn(text, ">") + 1;
	return 0;
}

static const struct {
	const char *name;
	size_t (*len)(const char *text);
} decorations[] = {
	{ NULL, byte_order_mark },
	{ "quotes", quote },
	{ "prefixes of a log", log_prefix },
	{ "prefixes of a log", program },
	{ "prefixes of a log", kmemleak_prefix },
	{ "line numbers", line_number },
	{ "names of files", file_name },
	{ "HTML", tag },
};

/* Remove the sequences that colour a text, "ESC [ 1 ; 31 m"; those of grep end with "ESC [ K". */
static bool bleach(char *text)
{
	char *from = strchr(text, '\033'), *to = from;

	if (!from)
		return false;
	while (*from) {
		if (*from == '\033' && from[1] == '[') {
			from += 2 + strspn(from + 2, "0123456789;");
			from += *from != '\0';
			continue;
		}
		*to++ = *from++;
	}
	*to = '\0';
	return true;
}

/* Write characters that HTML has names for. */
static bool unescape(char *text)
{
	static const struct {
		const char *name;
		char is;
	} names[] = {
		{ "&lt;", '<' },  { "&gt;", '>' },   { "&quot;", '"' }, { "&#39;", '\'' },
		{ "&#34;", '"' }, { "&nbsp;", ' ' }, { "&amp;", '&' },
	};
	bool any = false;
	char *to = text;

	if (!strchr(text, '&'))
		return false;
	for (const char *from = text; *from;) {
		size_t i = *from == '&' ? 0 : ARRAY_SIZE(names);

		while (i < ARRAY_SIZE(names) && strncmp(from, names[i].name, strlen(names[i].name)))
			i++;
		any |= i < ARRAY_SIZE(names);
		*to++ = i < ARRAY_SIZE(names) ? names[i].is : *from;
		from += i < ARRAY_SIZE(names) ? strlen(names[i].name) : 1;
	}
	*to = '\0';
	return any;
}

/* Bytes of the decorations at the start of a text. */
static size_t dressed(const char *text, unsigned int *removed)
{
	const char *from = text;
	size_t len = 1;

	for (unsigned int layer = 0; len && layer < LAYERS; layer++) {
		size_t blanks = strspn(from, " \t");

		len = 0;
		for (size_t i = 0; i < ARRAY_SIZE(decorations) && !len; i++) {
			/* the blanks before a line number belong to it */
			len = decorations[i].len(from);
			if (!len && blanks) {
				len = decorations[i].len(from + blanks);
				len += len ? blanks : 0;
			}
			if (len)
				*removed |= 1U << i;
		}
		from += len;
	}
	return from - text;
}

/* Remove what stands before a line, and add its times to @stamps. */
static void strip(char *text, unsigned int *removed, struct kma_stamps *stamps)
{
	size_t len;

	if (bleach(text))
		*removed |= 1U << ARRAY_SIZE(decorations);
	len = dressed(text, removed);
	if (stamps)
		kma_stamps_find(text, len, stamps);
	memmove(text, text + len, strlen(text + len) + 1);
}

void kma_paste_strip(char *text, unsigned int *removed)
{
	if (unescape(text))
		*removed |= 1U << (ARRAY_SIZE(decorations) - 1);
	strip(text, removed, NULL);
}

/* Remove the blanks around a text; tabs within it become blanks. */
static void trim(char *text)
{
	size_t blanks = strspn(text, " \t"), len = strlen(text + blanks);

	while (len && strchr(" \t\r", text[blanks + len - 1]))
		len--;
	memmove(text, text + blanks, len);
	text[len] = '\0';
	for (char *tab = memchr(text, '\t', len); tab; tab = strchr(tab, '\t'))
		*tab = ' ';
}

void kma_paste_undress(char *text, unsigned int *removed)
{
	kma_paste_strip(text, removed);
	trim(text);
}

void kma_paste_other(struct kma_paste *paste, uint64_t line, const char *text)
{
	if (paste->other || !paste->format_of)
		return;
	paste->other = paste->format_of(text);
	paste->other_line = line;
}

/* Copy the next line without what stands before it; false if it is too long, or the last one. */
static bool peek(const struct kma_cursor *cur, char next[WRAPPED_MAX])
{
	const char *nl = memchr(cur->next, '\n', cur->left);
	size_t len = nl ? (size_t)(nl - cur->next) : 0;
	unsigned int removed = 0;

	if (!len || len >= WRAPPED_MAX)
		return false;
	memcpy(next, cur->next, len);
	next[len] = '\0';
	kma_paste_strip(next, &removed);
	return true;
}

/* Append @next, which is the next line. */
static void append(struct kma_cursor *cur, const char *blank, const char *next)
{
	const char *nl = memchr(cur->next, '\n', cur->left);
	size_t had = strlen(cur->text);

	cur->alloc = had + strlen(next) + 2;
	cur->text = kma_xrealloc(cur->text, cur->alloc, 1);
	sprintf(cur->text + had, "%s%s", blank, next);
	cur->left -= nl + 1 - cur->next;
	cur->next = nl + 1;
	cur->line++;
}

bool kma_paste_join(struct kma_cursor *cur, bool (*goes_on)(const char *text))
{
	char next[WRAPPED_MAX];

	if (!peek(cur, next))
		return false;
	trim(next);
	if (!goes_on(next))
		return false;
	append(cur, " ", next);
	return true;
}

bool kma_paste_join_soft(struct kma_cursor *cur)
{
	size_t len = strlen(cur->text);
	char next[WRAPPED_MAX];

	if (!len || cur->text[len - 1] != '=' || !peek(cur, next))
		return false;
	cur->text[len - 1] = '\0';
	append(cur, "", next);
	for (len = strlen(cur->text); len && strchr(" \r", cur->text[len - 1]);)
		cur->text[--len] = '\0';
	return true;
}

/* @stamps: the times in what stood before the text */
static void note_times(struct kma_times *times, struct kma_stamps *stamps, const char *text,
		       enum kma_line_kind kind)
{
	if (kind == KMA_LINE_OTHER)
		kma_stamps_of_other(text, stamps);
	else if (*text == '[') /* memleak's own */
		kma_stamps_find(text, 1, stamps);
	kma_times_pass(times, stamps, kind != KMA_LINE_OTHER, kind == KMA_LINE_ROW);
}

bool kma_paste_line(void *arg, unsigned int line, char *text)
{
	struct kma_paste *paste = arg;
	struct kma_stamps stamps = { 0 };
	enum kma_line_kind kind;

	strip(text, &paste->removed, paste->times ? &stamps : NULL);
	trim(text);
	kind = *text ? paste->line_of(text) : KMA_LINE_MORE;
	/* A name of a row may have "&lt;". */
	if (kind != KMA_LINE_ROW && unescape(text)) {
		paste->removed |= 1U << (ARRAY_SIZE(decorations) - 1);
		strip(text, &paste->removed, paste->times ? &stamps : NULL);
		trim(text);
		kind = *text ? paste->line_of(text) : KMA_LINE_MORE;
	}
	if (paste->times)
		note_times(paste->times, &stamps, text, kind);
	if (kind != KMA_LINE_OTHER)
		return true;
	if (!paste->passed++)
		paste->first = line;
	kma_paste_other(paste, line, text);
	return false;
}

void kma_paste_say_page(const struct kma_input *input, uint64_t stated, struct kma_account *account)
{
	uint64_t asked = kma_input_page_size(input);
	char size[KMA_NUMBER_LEN];

	kma_units_format(size, sizeof(size), asked ?: stated, KMA_UNIT_BYTES);
	if (asked || stated)
		kma_account_warn(account, "each page counts as %s (%s)", size,
				 asked ? "--page-size" : "the header of the file");
	else
		kma_account_warn(
			account,
			"the input does not say how large a page is: each counts as 4 KiB; --page-size sets another size");
}

void kma_paste_say_again(uint64_t nr, const char *one, const char *more,
			 struct kma_account *account)
{
	if (nr)
		kma_account_warn(account,
				 "%" PRIu64 " %s in the input more than once; each counts once", nr,
				 kma_plural(nr, one, more));
}

void kma_paste_close(const struct kma_paste *paste, struct kma_account *account)
{
	_cleanup_strbuf_ struct kma_strbuf removed = { 0 };
	const char *last = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(decorations); i++) {
		const char *name = decorations[i].name;

		if (!(paste->removed & 1U << i) || !name || name == last)
			continue;
		kma_strbuf_printf(&removed, "%s%s", last ? ", " : "", name);
		last = name;
	}
	if (paste->removed & 1U << ARRAY_SIZE(decorations))
		kma_strbuf_printf(&removed, "%scolours", last ? ", " : "");
	if (paste->passed)
		kma_account_warn(account,
				 "%" PRIu64 " %s of other text %s passed over (first: line %" PRIu64
				 ")%s%s",
				 paste->passed, kma_plural(paste->passed, "line", "lines"),
				 kma_plural(paste->passed, "was", "were"), paste->first,
				 removed.len ? "; removed: " : "", removed.len ? removed.str : "");
	else if (removed.len)
		kma_account_warn(account, "removed from the lines: %s", removed.str);
	if (paste->other)
		kma_account_warn(
			account,
			"line %" PRIu64
			" is of another report, which is not in these numbers; FILE@%s reads it",
			paste->other_line, paste->other);
}
