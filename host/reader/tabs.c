// SPDX-License-Identifier: GPL-2.0-only
/*
 * tabs.c - tables of the module's debugfs files.
 */
#include <string.h>

#include "tabs.h"
#include "lib/err.h"

/* Split the line at its tabs. */
static struct kma_err *tabs_split(struct kma_tabs *in, char *line, unsigned int *nr)
{
	for (*nr = 0; line; (*nr)++) {
		char *tab = strchr(line, '\t');

		if (*nr == KMA_TABS_MAX)
			return kma_cursor_error(&in->cur, "more than %d columns", KMA_TABS_MAX);
		in->cells[*nr] = line;
		if (tab)
			*tab++ = '\0';
		line = tab;
	}
	return NULL;
}

/* Read the next line; its absence is an error. */
static struct kma_err *tabs_line(struct kma_tabs *in, const char *what)
{
	struct kma_err *err;
	bool more;

	err = kma_cursor_next(&in->cur, &more);
	if (err)
		return err;
	if (!more || in->cur.cut)
		return kma_cursor_error(&in->cur, "truncated in %s", what);
	return NULL;
}

struct kma_err *kma_tabs_names(struct kma_tabs *in)
{
	if (strncmp(in->cur.text, "# ", 2))
		return kma_cursor_error(&in->cur, "expected '# ' and the names of the columns");
	return tabs_split(in, in->cur.text + 2, &in->nr);
}

struct kma_err *kma_tabs_header(struct kma_tabs *in, const char *name, unsigned int version)
{
	const char *p, *text;
	struct kma_err *err;
	uint64_t number;

	err = tabs_line(in, "the header");
	if (err)
		return err;
	if (strncmp(in->cur.text, name, strlen(name)))
		return kma_cursor_error(&in->cur, "expected '%s' and a version", name);
	text = in->cur.text + strlen(name);
	p = text;
	err = kma_cursor_number(&in->cur, &p, "the version", &number);
	if (err)
		return err;
	if (number != version || *p)
		return kma_cursor_error(&in->cur, "unsupported version '%.20s' (supported: %u)",
					text, version);
	err = tabs_line(in, "the names of the columns");
	return err ?: kma_tabs_names(in);
}

int kma_tabs_find(const struct kma_tabs *in, const char *name)
{
	for (unsigned int i = 0; i < in->nr; i++)
		if (!strcmp(in->cells[i], name))
			return i;
	return -1;
}

struct kma_err *kma_tabs_row(struct kma_tabs *in)
{
	struct kma_err *err;
	unsigned int nr;

	err = tabs_split(in, in->cur.text, &nr);
	if (err)
		return err;
	if (nr != in->nr)
		return kma_cursor_error(&in->cur, "the row has %u columns (expected %u)", nr,
					in->nr);
	return NULL;
}

struct kma_err *kma_tabs_number(struct kma_tabs *in, int column, const char *name, uint64_t *ret)
{
	const char *p = in->cells[column];
	struct kma_err *err = kma_cursor_number(&in->cur, &p, name, ret);

	if (err)
		return err;
	if (*p)
		return kma_cursor_error(&in->cur, "invalid number in column '%s'", name);
	return NULL;
}
