// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.c - readers of /proc/meminfo and /proc/slabinfo.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/cursor.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "memory.h"

#define KMA_SLABINFO_HEAD "slabinfo - version: "

/*
 * More bytes than any machine has or maps. With this bound for each number, the sums of all lines
 * that are used fit in 64 bits.
 */
#define KMA_MEMORY_MAX	  (1ULL << 58)
#define KMA_SLABINFO_PAGE 65536 /* the largest page of any architecture, in bytes */

/* Call @line for each line of a file; @line may modify the text. */
static struct kma_err *memory_lines(const char *path,
				    struct kma_err *(*line)(struct kma_cursor *cur, void *arg),
				    void *arg)
{
	struct kma_cursor cur;
	struct kma_input *input;
	struct kma_err *err;
	bool more;

	err = kma_input_open(path, &input);
	if (err)
		return err;
	kma_cursor_init(&cur, input);
	for (;;) {
		err = kma_cursor_next(&cur, &more);
		if (err || !more)
			break;
		if (cur.cut)
			err = kma_cursor_error(&cur, "truncated in a line");
		if (!err)
			err = line(&cur, arg);
		if (err)
			break;
	}
	kma_cursor_deinit(&cur);
	kma_input_close(input);
	return err;
}

/* Appends a zeroed element to an array that doubles. */
static void *memory_add(void **array, size_t *nr, size_t size)
{
	void *bigger;

	if (!(*nr & (*nr - 1))) {
		bigger = kma_xrealloc(*array, *nr ? *nr * 2 : 1, size);
		*array = bigger;
	}
	return memset((char *)*array + (*nr)++ * size, 0, size);
}

/* Read "MemTotal:        2014832 kB" or "HugePages_Total:       0". */
static struct kma_err *meminfo_line_read(struct kma_cursor *cur, void *arg)
{
	struct kma_meminfo *to = arg;
	char *colon = strchr(cur->text, ':');
	struct kma_meminfo_line *line;
	uint64_t number, scale = 1;
	struct kma_err *err;
	const char *p;

	p = colon ? colon + 1 + strspn(colon + 1, " ") : NULL;
	if (!p || colon == cur->text || !strchr("0123456789", *p) || !*p)
		return kma_cursor_error(cur, "expected 'NAME: NUMBER kB', as in /proc/meminfo");
	err = kma_cursor_number(cur, &p, "the number", &number);
	if (err)
		return err;
	if (!strcmp(p, " kB"))
		scale = 1024;
	else if (*p)
		return kma_cursor_error(cur, "expected 'kB' after the number");
	if (__builtin_mul_overflow(number, scale, &number) || number > KMA_MEMORY_MAX)
		return kma_cursor_error(cur, "the number exceeds 2^58 bytes");
	line = memory_add((void **)&to->lines, &to->nr, sizeof(*line));
	line->name = kma_arena_text(&to->arena, cur->text, colon - cur->text);
	line->bytes = number;
	return NULL;
}

bool kma_memory_is_here(const char *path)
{
	return !strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5);
}

struct kma_err *kma_meminfo_read(const char *path, struct kma_meminfo *ret)
{
	struct kma_err *err;
	uint64_t total;

	*ret = (struct kma_meminfo){ 0 };
	kma_arena_init(&ret->arena);
	err = memory_lines(path, meminfo_line_read, ret);
	if (err)
		return err;
	if (!kma_meminfo_get(ret, "MemTotal", &total))
		return kma_err_create(path, 0, "not a copy of /proc/meminfo: no line 'MemTotal'");
	return NULL;
}

void kma_meminfo_deinit(struct kma_meminfo *meminfo)
{
	kma_arena_deinit(&meminfo->arena);
	free(meminfo->lines);
	meminfo->lines = NULL;
}

bool kma_meminfo_get(const struct kma_meminfo *meminfo, const char *name, uint64_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < meminfo->nr; i++) {
		if (strcmp(meminfo->lines[i].name, name))
			continue;
		*ret = meminfo->lines[i].bytes;
		return true;
	}
	return false;
}

/*
 * Add a product to a sum; false if the sum becomes too large. A negative number was read as a large
 * one, and is refused, too.
 */
static bool slabinfo_add(uint64_t *sum, uint64_t a, uint64_t b)
{
	uint64_t product;

	return !__builtin_mul_overflow(a, b, &product) && product <= KMA_MEMORY_MAX &&
	       (*sum += product) <= KMA_MEMORY_MAX;
}

/* The name may have blanks. */
bool kma_slabinfo_row(const char *text, struct kma_slab *ret)
{
	const char *end = strstr(text, KMA_SLABINFO_NUMBERS), *numbers = end;
	const char *data = end ? strstr(end, KMA_SLABINFO_DATA) : NULL;
	uint64_t active_slabs;

	if (!data)
		return false;
	/* The last five words before the colon are numbers; the rest is the name. */
	for (int i = 0; i < 5; i++) {
		while (numbers > text && numbers[-1] == ' ')
			numbers--;
		while (numbers > text && numbers[-1] != ' ')
			numbers--;
	}
	*ret = (struct kma_slab){ .name = text };
	if (sscanf(numbers, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
		   &ret->active, &ret->objects, &ret->size, &ret->per_slab, &ret->pages) != 5 ||
	    sscanf(data, KMA_SLABINFO_DATA "%" SCNu64 " %" SCNu64, &active_slabs, &ret->slabs) != 2)
		return false;
	while (numbers > text && numbers[-1] == ' ')
		numbers--;
	ret->name_len = numbers - text;
	return ret->name_len;
}

/* Read "dentry 1234 1300 192 21 1 : tunables 0 0 0 : slabdata 62 62 0". */
static struct kma_err *slabinfo_line_read(struct kma_cursor *cur, void *arg)
{
	const char *version = cur->text + strlen(KMA_SLABINFO_HEAD);
	struct kma_slabinfo *to = arg;
	struct kma_slab *slab, read;

	if (cur->line == 1) {
		if (strncmp(cur->text, KMA_SLABINFO_HEAD, strlen(KMA_SLABINFO_HEAD)))
			return kma_cursor_error(cur, "not a copy of /proc/slabinfo");
		/* "2.1 (statistics)" has more columns at the end of a line. */
		if (strncmp(version, "2.1", 3) || (version[3] && version[3] != ' '))
			return kma_cursor_error(cur, "unsupported version '%.20s' (supported: 2.1)",
						version);
		return NULL;
	}
	if (*cur->text == '#')
		return NULL;
	if (!kma_slabinfo_row(cur->text, &read))
		return kma_cursor_error(cur, "expected the numbers of a slab cache");
	if (!slabinfo_add(&to->bytes, read.active, read.size) ||
	    !slabinfo_add(&to->nr_pages, read.slabs, read.pages) ||
	    to->nr_pages > KMA_MEMORY_MAX / KMA_SLABINFO_PAGE)
		return kma_cursor_error(cur, "the numbers of the slab caches exceed 2^58 bytes");
	slab = memory_add((void **)&to->slabs, &to->nr, sizeof(*slab));
	*slab = read;
	slab->name = kma_arena_text(&to->arena, cur->text, read.name_len);
	return NULL;
}

struct kma_err *kma_slabinfo_read(const char *path, struct kma_slabinfo *ret)
{
	struct kma_err *err;

	*ret = (struct kma_slabinfo){ 0 };
	kma_arena_init(&ret->arena);
	err = memory_lines(path, slabinfo_line_read, ret);
	if (err)
		return err;
	if (!ret->nr)
		return kma_err_create(path, 0, "not a copy of /proc/slabinfo: no slab cache");
	return NULL;
}

void kma_slabinfo_deinit(struct kma_slabinfo *slabinfo)
{
	kma_arena_deinit(&slabinfo->arena);
	free(slabinfo->slabs);
	slabinfo->slabs = NULL;
}
