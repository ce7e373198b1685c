// SPDX-License-Identifier: GPL-2.0-only
/*
 * code.c - code the numbers of many call sites as few bytes.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "code.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"

#define KMA_CODE_LEVEL	   6		 /* of zstd */
#define KMA_CODE_MAX_BYTES (256UL << 20) /* bytes of a sample before compression */

void kma_code_deinit(struct kma_code *code)
{
	free(code->values);
	ZSTD_freeCCtx(code->pack);
	ZSTD_freeDCtx(code->unpack);
	code->values = NULL;
	code->pack = code->unpack = NULL;
}

void kma_code_clear(struct kma_code *code)
{
	if (code->values)
		memset(code->values, 0, code->nr_sites * code->nr_columns * sizeof(*code->values));
}

static void code_grow(struct kma_code *code, size_t nr_sites)
{
	size_t columns = code->nr_columns, room = code->room ?: 256;

	while (room < nr_sites)
		room *= 2;
	if (room > code->room) {
		code->values = kma_xrealloc(code->values, room * columns, sizeof(*code->values));
		code->room = room;
	}
	if (nr_sites > code->nr_sites) {
		memset(code->values + code->nr_sites * columns, 0,
		       (nr_sites - code->nr_sites) * columns * sizeof(*code->values));
		code->nr_sites = nr_sites;
	}
}

/* Move the sign to bit 0, so that a small negative number becomes a small number. */
static uint64_t code_fold(uint64_t delta)
{
	return delta << 1 ^ (delta >> 63 ? ~0ULL : 0);
}

static uint64_t code_unfold(uint64_t folded)
{
	return folded >> 1 ^ (folded & 1 ? ~0ULL : 0);
}

static unsigned char *code_write(unsigned char *p, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*p++ = value | 0x80;
	*p++ = value;
	return p;
}

/* The rule by which a column can be computed from earlier columns; NULL: none. */
static const struct kma_code_rule *code_rule(const struct kma_code *code, int column)
{
	for (size_t i = 0; i < ARRAY_SIZE(code->rules); i++) {
		const struct kma_code_rule *rule = &code->rules[i];

		if (rule->plus != rule->minus && rule->column == column && rule->plus < column &&
		    rule->minus < column)
			return rule;
	}
	return NULL;
}

/* The difference that a rule computes from the other differences of the row. */
static uint64_t code_expect(const struct kma_code_rule *rule, const uint64_t *row)
{
	return rule ? row[rule->plus] - row[rule->minus] : 0;
}

/*
 * Compute the differences of all rows from the last sample, which becomes this one. Rows with a
 * difference are stored one after the other in @deltas, and their indexes in @places.
 */
static size_t code_changes(struct kma_code *code, const uint64_t *values, size_t nr_sites,
			   uint64_t *deltas, size_t *places)
{
	size_t columns = code->nr_columns, nr = 0;

	for (size_t i = 0; i < nr_sites; i++) {
		uint64_t *before = code->values + i * columns, *delta = deltas + nr * columns;
		const uint64_t *now = values + i * columns;
		bool changed = false;

		for (size_t c = 0; c < columns; c++) {
			delta[c] = now[c] - before[c];
			changed |= delta[c];
			before[c] = now[c];
		}
		if (changed)
			places[nr++] = i;
	}
	return nr;
}

static void code_pack(struct kma_code *code, const void *bytes, size_t len, struct kma_strbuf *out)
{
	_cleanup_free_ char *packed = kma_xmalloc(ZSTD_compressBound(len));
	size_t n;

	if (!code->pack)
		code->pack = kma_xmem(ZSTD_createCCtx());
	ZSTD_CCtx_setParameter(code->pack, ZSTD_c_compressionLevel, KMA_CODE_LEVEL);
	ZSTD_CCtx_setParameter(code->pack, ZSTD_c_checksumFlag, 1);
	n = ZSTD_compress2(code->pack, packed, ZSTD_compressBound(len), bytes, len);
	/* The buffer has space for any bytes, so only memory can be missing. */
	if (ZSTD_isError(n))
		kma_atend_no_memory();
	kma_strbuf_add(out, packed, n);
}

void kma_code_put(struct kma_code *code, const uint64_t *values, size_t nr_sites,
		  struct kma_strbuf *out)
{
	/* A number of 64 bits takes at most ten bytes. */
	_cleanup_free_ unsigned char *bytes =
		kma_xmalloc((nr_sites + 1) * (code->nr_columns + 1) * 10 + 20);
	_cleanup_free_ uint64_t *deltas =
		kma_xcalloc((nr_sites + 1) * code->nr_columns, sizeof(*deltas));
	_cleanup_free_ size_t *places = kma_xcalloc(nr_sites + 1, sizeof(*places));
	size_t columns = code->nr_columns, nr, last = 0;
	unsigned char *p = bytes;

	code_grow(code, nr_sites);
	nr = code_changes(code, values, nr_sites, deltas, places);
	p = code_write(p, nr_sites);
	p = code_write(p, nr);
	for (size_t i = 0; i < nr; i++) {
		p = code_write(p, places[i] - last);
		last = places[i];
	}
	for (size_t c = 0; c < columns; c++) {
		const struct kma_code_rule *rule = code_rule(code, c);

		for (size_t i = 0; i < nr; i++) {
			const uint64_t *row = deltas + i * columns;

			p = code_write(p, code_fold(row[c] - code_expect(rule, row)));
		}
	}
	code_pack(code, bytes, p - bytes, out);
}

/* The bytes that are left to read. */
struct kma_code_reader {
	const unsigned char *p, *end;
	bool damaged;
};

static uint64_t code_read(struct kma_code_reader *r)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; shift < 64 && r->p < r->end; shift += 7) {
		unsigned char byte = *r->p++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	r->damaged = true;
	return 0;
}

/* Join the groups of seven bits in the bytes of a word, the lowest first, to one number. */
static uint64_t code_join(uint64_t word)
{
	word = (word & 0x7f007f007f007f00) >> 1 | (word & 0x007f007f007f007f);
	word = (word & 0x3fff00003fff0000) >> 2 | (word & 0x00003fff00003fff);
	return (word & 0x0fffffff00000000) >> 4 | (word & 0x000000000fffffff);
}

/* Same as code_read(), but without a branch for each byte, which could not be predicted. */
static inline __attribute__((always_inline)) uint64_t code_read_word(struct kma_code_reader *r)
{
	uint64_t word, ends;

	if (r->end - r->p < (ptrdiff_t)sizeof(word))
		return code_read(r);
	memcpy(&word, r->p, sizeof(word));
	word = le64toh(word);
	ends = ~word & 0x8080808080808080;
	if (!ends)
		return code_read(r);
	r->p += (__builtin_ctzll(ends) + 1) / 8;
	/* Keep the bits up to the end of the first number. */
	return code_join(word & (ends ^ (ends - 1)));
}

static struct kma_err *code_unpack(struct kma_code *code, const void *bytes, size_t len,
				   unsigned char **ret, size_t *ret_len)
{
	unsigned long long size = ZSTD_getFrameContentSize(bytes, len);
	size_t n;

	if (size > KMA_CODE_MAX_BYTES)
		return kma_err_create(NULL, 0, "cannot decode a sample: its size is unknown");
	if (!code->unpack)
		code->unpack = kma_xmem(ZSTD_createDCtx());
	*ret = kma_xmalloc(size + 1);
	n = ZSTD_decompressDCtx(code->unpack, *ret, size, bytes, len);
	if (ZSTD_isError(n))
		return kma_err_create(NULL, 0, "cannot decode a sample: %s", ZSTD_getErrorName(n));
	*ret_len = n;
	return NULL;
}

/*
 * Skip @nr numbers. A number ends with the byte whose high bit is 0, so eight bytes count at once.
 */
static void code_skip(struct kma_code_reader *r, size_t nr)
{
	while (nr > sizeof(uint64_t) && r->end - r->p >= (ptrdiff_t)sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, r->p, sizeof(word));
		r->p += sizeof(word);
		nr -= (~word >> 7 & 0x0101010101010101) * 0x0101010101010101 >> 56;
	}
	while (nr--)
		code_read_word(r);
}

static bool code_is_skipped(const struct kma_code *code, unsigned int column)
{
	return code->skip >> column & 1;
}

/*
 * Decode a column, and add its differences to the values. @deltas has the differences of all
 * columns one after the other; those that the rule of this one needs were decoded before.
 */
static void code_column(struct kma_code *code, struct kma_code_reader *r, unsigned int c,
			const size_t *places, size_t nr, uint64_t *deltas)
{
	const struct kma_code_rule *rule = code_rule(code, c);
	struct kma_code_reader at = *r; /* a copy that the compiler keeps in registers */
	uint64_t *delta = deltas + c * nr;

	for (size_t i = 0; i < nr; i++)
		delta[i] = code_unfold(code_read_word(&at));
	for (size_t i = 0; rule && i < nr; i++)
		delta[i] += deltas[rule->plus * nr + i] - deltas[rule->minus * nr + i];
	for (size_t i = 0; i < nr; i++)
		code->values[places[i] * code->nr_columns + c] += delta[i];
	*r = at;
}

static struct kma_err *code_apply(struct kma_code *code, struct kma_code_reader *r, size_t nr,
				  size_t nr_sites)
{
	size_t columns = code->nr_columns, place = 0;
	_cleanup_free_ uint64_t *deltas = kma_xrealloc(NULL, (nr + 1) * columns, sizeof(*deltas));
	_cleanup_free_ size_t *places = kma_xrealloc(NULL, nr + 1, sizeof(*places));

	for (size_t i = 0; i < nr; i++) {
		place += code_read_word(r);
		places[i] = place;
		if (place >= nr_sites)
			r->damaged = true;
	}
	for (size_t c = 0; c < columns && !r->damaged; c++)
		if (code_is_skipped(code, c))
			code_skip(r, nr);
		else
			code_column(code, r, c, places, nr, deltas);
	if (r->damaged || r->p != r->end)
		return kma_err_create(
			NULL, 0,
			"cannot decode a sample: the data do not match the number of rows");
	return NULL;
}

struct kma_err *kma_code_get(struct kma_code *code, const void *bytes, size_t len, size_t max_sites)
{
	_cleanup_free_ unsigned char *plain = NULL;
	struct kma_code_reader r = { 0 };
	size_t plain_len = 0, nr_sites, nr;
	struct kma_err *err;

	err = code_unpack(code, bytes, len, &plain, &plain_len);
	if (err)
		return err;
	r.p = plain;
	r.end = plain + plain_len;
	nr_sites = code_read(&r);
	nr = code_read(&r);
	if (r.damaged || nr_sites > max_sites || nr > nr_sites)
		return kma_err_create(
			NULL, 0,
			"cannot decode a sample: invalid number of call sites (%zu changed, %zu in total)",
			nr, nr_sites);
	code_grow(code, nr_sites);
	return code_apply(code, &r, nr, nr_sites);
}
