// SPDX-License-Identifier: GPL-2.0-only
/*
 * pack.c - files of days as text, in a bundle.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/base64.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/gzip.h"
#include "lib/unpack.h"
#include "pack.h"

#define KMA_PACK_FIRST	 "kmem_account history 1"
#define KMA_PACK_BUNDLE	 "kmem_account snapshot "
#define KMA_PACK_HEAD	 "\n== " KMA_PACK_SECTION "\n"
#define KMA_PACK_DAY	 "day "
#define KMA_PACK_COLUMNS 76 /* characters of a line of base64 */

/* Position in the text that is read. */
struct kma_pack_text {
	const char *path;
	const char *line;    /* current line; ends at a newline or at the NUL of the text */
	unsigned int number; /* number of the line, from 1 */
	uint64_t bytes, max; /* of all days when decompressed: so far, and at most */
};

void kma_pack_begin(struct kma_strbuf *out)
{
	kma_strbuf_puts(out, KMA_PACK_FIRST "\n");
}

void kma_pack_add(const char *name, const void *data, size_t len, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf packed = { 0 }, text = { 0 };
	const struct kma_strbuf bytes = { .str = (char *)data, .len = len };

	kma_gzip(&bytes, KMA_GZIP_SMALL, &packed);
	kma_base64_encode(packed.str, packed.len, &text);
	kma_strbuf_printf(out, KMA_PACK_DAY "%s %zu\n", name, len);
	for (size_t at = 0; at < text.len; at += KMA_PACK_COLUMNS) {
		size_t rest = text.len - at;

		kma_strbuf_add(out, text.str + at,
			       rest < KMA_PACK_COLUMNS ? rest : KMA_PACK_COLUMNS);
		kma_strbuf_puts(out, "\n");
	}
}

/* The start of the section in the text of a bundle; NULL if there is none. */
static const char *pack_section(const char *text)
{
	const char *head;

	if (strncmp(text, KMA_PACK_BUNDLE, strlen(KMA_PACK_BUNDLE)))
		return NULL;
	head = strstr(text, KMA_PACK_HEAD);
	return head ? head + strlen(KMA_PACK_HEAD) : NULL;
}

/*
 * A bundle is a regular file. A FIFO is not opened. A file of the kernel, which has size 0, is not
 * opened either: the module would make a snapshot for this test, and another one for the account.
 */
static bool pack_may_be(const char *path)
{
	_cleanup_fclose_ FILE *f = NULL;
	char first[sizeof(KMA_PACK_BUNDLE)] = "";
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return false;
	kma_err_destroy(kma_file_stream(path, KMA_FILE_REGULAR, &f));
	return f && fread(first, 1, strlen(KMA_PACK_BUNDLE), f) && !strcmp(first, KMA_PACK_BUNDLE);
}

bool kma_pack_is(const char *path)
{
	_cleanup_free_ char *text = NULL;
	size_t len;

	if (!pack_may_be(path))
		return false;
	kma_err_destroy(kma_file_slurp_regular(path, &text, &len));
	return text && kma_pack_in(text, len);
}

static void pack_next(struct kma_pack_text *pack)
{
	pack->line += strcspn(pack->line, "\n");
	pack->line += *pack->line == '\n';
	pack->number++;
}

/* Does this line belong to the text of a day? */
static bool pack_in_day(const struct kma_pack_text *pack)
{
	return *pack->line && strncmp(pack->line, "== ", 3) &&
	       strncmp(pack->line, KMA_PACK_DAY, strlen(KMA_PACK_DAY));
}

static struct kma_err *pack_bytes(struct kma_pack_text *pack, size_t len, struct kma_packed *day)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 }, packed = { 0 }, bytes = { 0 };
	unsigned int from = pack->number;
	struct kma_err *err;

	for (; pack_in_day(pack); pack_next(pack))
		kma_strbuf_add(&text, pack->line, strcspn(pack->line, "\r\n"));
	if (!text.len || !kma_base64_decode(text.str, text.len, &packed))
		err = kma_err_create(NULL, 0, "not base64");
	else
		err = kma_gunzip(packed.str, packed.len, len, &bytes);
	if (err || bytes.len != len) {
		kma_err_destroy(err);
		return kma_err_create_kind(
			KMA_ERR_DAMAGED, pack->path, from, "%s",
			*pack->line ? "corrupt: cannot decode a day file of the history" :
				      "truncated in the history section");
	}
	day->data = (unsigned char *)bytes.str;
	day->len = len;
	bytes.str = NULL;
	return NULL;
}

/* Read "day 2026-11-25.kmh 94208", and the lines of that day. */
static struct kma_err *pack_day(struct kma_pack_text *pack, struct kma_packed *day)
{
	char line[96];
	unsigned long len;

	snprintf(line, sizeof(line), "%.*s", (int)strcspn(pack->line, "\n"), pack->line);
	if (sscanf(line, KMA_PACK_DAY "%31[0-9a-z.-] %lu", day->name, &len) != 2 || !len ||
	    len > KMA_PACK_MAX)
		return kma_err_create_kind(KMA_ERR_DAMAGED, pack->path, pack->number,
					   "expected 'day NAME BYTES' of a history");
	pack->bytes += len;
	if (pack->bytes > pack->max)
		return kma_unpack_refuse(pack->path, pack->max);
	pack_next(pack);
	return pack_bytes(pack, len, day);
}

static struct kma_err *pack_days(struct kma_pack_text *pack, struct kma_packed **ret, size_t *nr)
{
	struct kma_err *err = NULL;
	size_t room = 0;

	if (strncmp(pack->line, KMA_PACK_FIRST "\n", strlen(KMA_PACK_FIRST) + 1))
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, pack->path, pack->number,
					   "unsupported history in this bundle (supported: '%s')",
					   KMA_PACK_FIRST);
	for (pack_next(pack); *pack->line && strncmp(pack->line, "== ", 3) && !err;) {
		kma_array_room(*ret, *nr, room);
		(*ret)[*nr] = (struct kma_packed){ 0 };
		err = pack_day(pack, &(*ret)[*nr]);
		*nr += !err;
	}
	if (err)
		return err;
	if (!*pack->line)
		return kma_err_create_kind(KMA_ERR_DAMAGED, pack->path, pack->number,
					   "truncated in the history section");
	return NULL;
}

struct kma_err *kma_pack_parse(const char *path, const char *bytes, size_t len,
			       struct kma_packed **ret, size_t *nr)
{
	_cleanup_free_ char *text = kma_xstrndup(bytes, len);
	struct kma_pack_text pack = { .path = path, .max = kma_unpack_max(len), .number = 1 };
	const char *section = pack_section(text);
	struct kma_err *err;

	*ret = NULL;
	*nr = 0;
	if (!section)
		return kma_err_create(path, 0, "no history in this bundle");
	for (pack.line = text; pack.line < section;)
		pack_next(&pack);
	err = pack_days(&pack, ret, nr);
	if (err) {
		kma_pack_free(*ret, *nr);
		*ret = NULL;
		*nr = 0;
	}
	return err;
}

bool kma_pack_in(const char *text, size_t len)
{
	return len > strlen(KMA_PACK_BUNDLE) &&
	       !memcmp(text, KMA_PACK_BUNDLE, strlen(KMA_PACK_BUNDLE)) &&
	       memmem(text, strnlen(text, len), KMA_PACK_HEAD, strlen(KMA_PACK_HEAD));
}

void kma_pack_free(struct kma_packed *days, size_t nr)
{
	for (size_t i = 0; days && i < nr; i++)
		free(days[i].data);
	free(days);
}
