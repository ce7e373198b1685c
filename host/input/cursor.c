// SPDX-License-Identifier: GPL-2.0-only
/*
 * cursor.c - read an input line by line.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "lib/alloc.h"

void kma_cursor_init(struct kma_cursor *cur, struct kma_input *input)
{
	memset(cur, 0, sizeof(*cur));
	cur->input = input;
}

void kma_cursor_deinit(struct kma_cursor *cur)
{
	free(cur->text);
	cur->text = NULL;
}

struct kma_err *kma_cursor_error(const struct kma_cursor *cur, const char *fmt, ...)
{
	struct kma_err *err;
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = kma_xvasprintf(fmt, ap);
	va_end(ap);
	err = kma_err_create_kind(KMA_ERR_DAMAGED, kma_input_name(cur->input), cur->line, "%s",
				  text);
	free(text);
	return err;
}

struct kma_err *kma_cursor_place(const struct kma_cursor *cur, struct kma_err *err)
{
	struct kma_err *placed;

	if (!err)
		return NULL;
	placed = kma_cursor_error(cur, "%s", err->message);
	kma_err_destroy(err);
	return placed;
}

static struct kma_err *cursor_copy(struct kma_cursor *cur, size_t len)
{
	if (len + 1 > cur->alloc) {
		char *text = kma_xrealloc(cur->text, len + 1, 1);

		cur->text = text;
		cur->alloc = len + 1;
	}
	if (len && cur->next[len - 1] == '\r')
		len--;
	memcpy(cur->text, cur->next, len);
	cur->text[len] = '\0';
	if (memchr(cur->text, '\0', len))
		return kma_cursor_error(cur, "a binary file, not an account");
	return NULL;
}

static struct kma_err *next_line(struct kma_cursor *cur, bool *more)
{
	struct kma_err *err;
	const char *nl;
	size_t len;

	cur->line++;
	if (!cur->left) {
		err = kma_input_block(cur->input, &cur->next, &cur->left);
		if (err)
			return err;
	}
	*more = cur->left;
	nl = memchr(cur->next, '\n', cur->left);
	cur->cut = *more && !nl;
	len = nl ? (size_t)(nl - cur->next) : cur->left;
	if (len > KMA_INPUT_LINE_MAX || (cur->cut && len == KMA_INPUT_LINE_MAX))
		return kma_cursor_error(cur, "the line is longer than 1 MiB");
	err = cursor_copy(cur, len);
	cur->next += nl ? len + 1 : len;
	cur->left -= nl ? len + 1 : len;
	return err;
}

struct kma_err *kma_cursor_next(struct kma_cursor *cur, bool *more)
{
	struct kma_err *err;

	do {
		err = next_line(cur, more);
		if (err || !*more || kma_input_filter(cur->input, cur->line, cur->text))
			break;
		/* other text, or the start of a row */
		if (cur->cut)
			kma_input_set_unended(cur->input, cur->line, false);
	} while (true);
	if (cur->keep && !err && *more) {
		kma_strbuf_add(cur->keep, cur->text, strlen(cur->text));
		kma_strbuf_puts(cur->keep, "\n");
	}
	return err;
}

struct kma_err *kma_cursor_number(const struct kma_cursor *cur, const char **p, const char *what,
				  uint64_t *ret)
{
	const char *at = *p;
	uint64_t value = 0;

	while (isspace((unsigned char)*at))
		at++;
	if (*at == '-')
		return kma_cursor_error(cur, "%s is negative", what);
	if (*at < '0' || *at > '9')
		return kma_cursor_error(cur, "%s is not a number", what);
	/* By hand, because strtoull() takes three times as many instructions. */
	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, *at - '0', &value))
			return kma_cursor_error(cur, "%s is too large", what);
	*ret = value;
	*p = at;
	return NULL;
}

/* After an empty line, skip those that follow it: billions fit into a small compressed file. */
static void cursor_skip(struct kma_cursor *cur)
{
	static const char empty[64] =
		"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
	const size_t step = sizeof(empty) - 1;
	size_t len = 0;

	if (cur->keep)
		return;
	while (cur->left - len >= step && !memcmp(cur->next + len, empty, step))
		len += step;
	while (len < cur->left && cur->next[len] == '\n')
		len++;
	cur->next += len;
	cur->left -= len;
	cur->line += len;
}

/* A program that writes a whole line ends it, but a person who copies one need not. */
static struct kma_err *unended(struct kma_cursor *cur, void *arg)
{
	bool name = false;

	if (cur->rows)
		return kma_cursor_error(cur, "truncated in a row");
	if (!cur->whole || !cur->whole(arg, &name))
		return kma_cursor_error(
			cur,
			"truncated in a line: it has no line end, and what it ends with may be cut; add a line end if it is whole");
	kma_input_set_unended(cur->input, cur->line, name);
	return NULL;
}

struct kma_err *kma_cursor_each(struct kma_cursor *cur, struct kma_err *(*line)(void *arg),
				void *arg)
{
	struct kma_err *err;
	bool more;

	for (;;) {
		err = kma_cursor_next(cur, &more);
		if (err || !more)
			return err;
		if (cur->cut) {
			err = unended(cur, arg);
			if (err)
				return err;
		}
		err = line(arg);
		if (err)
			return err;
		if (!*cur->text)
			cursor_skip(cur);
	}
}
