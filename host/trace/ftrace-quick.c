// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace-quick.c - the usual lines of ftrace text, in as few steps as possible.
 *
 * Each step either finds what such a line has in this place or leaves the line to
 * kma_ftrace_parse(). A line is read once, from left to right: words are compared
 * eight bytes at a time, ends are found and addresses converted sixteen at a time.
 * No search passes the newline. SSE2 is what each x86-64 has; others have only the
 * slow way.
 */
#include <string.h>

#include "ftrace-quick.h"

#ifdef __SSE2__

#include <emmintrin.h>

#define KMA_TASK_WIDTH 16
#define KMA_SPACES_MAX 64
#define KMA_SITE_MAX   512

static inline __m128i kma_load16(const char *p)
{
	return _mm_loadu_si128((const __m128i *)p);
}

static inline unsigned int kma_mask_of(__m128i v, char c)
{
	return _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
}

/* Bytes that are a space or a control character. */
static inline unsigned int kma_mask_blank(__m128i v)
{
	return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ')), v));
}

static inline uint64_t kma_load8(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/* Is @word, of a length that the compiler knows, what is at @p? */
#define kma_is(p, word) (!memcmp((p), "" word, sizeof(word) - 1))

/* Mask of the bytes that are hexadecimal digits, small letters. */
static inline unsigned int kma_mask_hex(__m128i v)
{
	__m128i digit = _mm_sub_epi8(v, _mm_set1_epi8('0'));
	__m128i letter = _mm_sub_epi8(v, _mm_set1_epi8('a'));

	digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
	letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
	return _mm_movemask_epi8(_mm_or_si128(digit, letter));
}

/* Value of eight hexadecimal digits. */
static inline uint64_t kma_hex8(uint64_t text)
{
	uint64_t v = __builtin_bswap64(text);

	/* a letter has bit 6: its low four bits and 9 */
	v = (v & 0x0f0f0f0f0f0f0f0f) + 9 * (v >> 6 & 0x0101010101010101);
	v = (v | v >> 4) & 0x00ff00ff00ff00ff;
	v = (v | v >> 8) & 0x0000ffff0000ffff;
	return (v | v >> 16) & 0xffffffff;
}

static inline bool kma_quick_ends(char c)
{
	return c == ' ' || c == '\n';
}

/* Digits, of a number that 64 bits hold; NULL if there are none or very many. */
static inline const char *kma_quick_number(const char *p, uint64_t *ret)
{
	const char *from = p;
	uint64_t value = 0;

	for (; (unsigned char)(*p - '0') < 10; p++) {
		value = value * 10 + (*p - '0');
		if (p - from == 18)
			return NULL;
	}
	*ret = value;
	return p > from ? p : NULL;
}

/* "task-1234    [003] d..1.   12.345678: ", to behind it */
static inline const char *kma_quick_prefix(const char *p, uint16_t *cpu)
{
	const char *limit = p + KMA_TASK_WIDTH + KMA_SPACES_MAX;
	unsigned int colon, end;
	uint64_t number;

	if (kma_mask_of(kma_load16(p), '\n') || p[KMA_TASK_WIDTH] != '-')
		return NULL;
	p = kma_quick_number(p + KMA_TASK_WIDTH + 1, &number);
	if (!p)
		return NULL;
	while (*p == ' ' && p < limit)
		p++;
	if (*p++ != '[')
		return NULL;
	p = kma_quick_number(p, &number);
	if (!p || *p != ']' || number > UINT16_MAX)
		return NULL;
	*cpu = number;
	colon = kma_mask_of(kma_load16(p), ':') | kma_mask_of(kma_load16(p + 16), ':') << 16;
	end = kma_mask_of(kma_load16(p), '\n') | kma_mask_of(kma_load16(p + 16), '\n') << 16;
	/* the lowest bit of colon, and none of end below it */
	if (!colon || end & (colon ^ (colon - 1)))
		return NULL;
	p += __builtin_ctz(colon);
	if ((unsigned char)(p[-1] - '0') > 9 || p[1] != ' ')
		return NULL;
	return p + 2;
}

/* "kmalloc: " and so on, to behind it */
static inline const char *kma_quick_event(const char *p, struct kma_ftrace_line *ret)
{
	ret->kind = KMA_KIND_KMALLOC;
	ret->is_free = false;
	if (kma_is(p, "kmem_cache_alloc: ")) {
		ret->kind = KMA_KIND_CACHE;
		return p + strlen("kmem_cache_alloc: ");
	}
	if (kma_is(p, "kmem_cache_free: ")) {
		ret->kind = KMA_KIND_CACHE;
		ret->is_free = true;
		return p + strlen("kmem_cache_free: ");
	}
	if (kma_is(p, "kmalloc: "))
		return p + strlen("kmalloc: ");
	if (kma_is(p, "kfree: ")) {
		ret->is_free = true;
		return p + strlen("kfree: ");
	}
	return NULL;
}

/* "call_site=sym+0x1/0x2 [module] ", to behind it; a plain address is not for us */
static inline const char *kma_quick_site(const char *p, struct kma_ftrace_line *ret)
{
	unsigned int blank, plus = 0;
	const char *limit;

	if (!kma_is(p, "call_site="))
		return NULL;
	p += strlen("call_site=");
	ret->site = p;
	limit = p + KMA_SITE_MAX - 2 * 16;
	for (;; p += 16) {
		__m128i v = kma_load16(p);

		if (p > limit)
			return NULL;
		blank = kma_mask_blank(v);
		plus |= kma_mask_of(v, '+') & (blank ? blank ^ (blank - 1) : ~0U);
		if (blank)
			break;
	}
	p += __builtin_ctz(blank);
	if (!plus || *p != ' ')
		return NULL;
	if (p[1] == '[') {
		for (p += 2; *p != ']'; p++)
			if ((unsigned char)*p <= ' ' || p > limit)
				return NULL;
		if (*++p != ' ')
			return NULL;
	}
	ret->site_len = p - ret->site;
	return p + 1;
}

/* "ptr=ffff888012345678", to behind it */
static inline const char *kma_quick_ptr(const char *p, struct kma_ftrace_line *ret)
{
	if (!kma_is(p, "ptr="))
		return NULL;
	p += strlen("ptr=");
	if (kma_mask_hex(kma_load16(p)) != 0xffff || !kma_quick_ends(p[16]))
		return NULL;
	ret->ptr = kma_hex8(kma_load8(p)) << 32 | kma_hex8(kma_load8(p + 8));
	ret->hashed = ret->ptr && !(ret->ptr >> 32);
	return p + 16;
}

/* " bytes_req=1 bytes_alloc=8", perhaps with a cache's name before it, to behind it */
static inline const char *kma_quick_sizes(const char *p, struct kma_ftrace_line *ret)
{
	if (kma_is(p, " name=")) {
		const char *limit = p + 64;

		for (p += strlen(" name="); (unsigned char)*p > ' '; p++)
			if (p > limit || *p == '=')
				return NULL;
	}
	if (!kma_is(p, " bytes_req="))
		return NULL;
	p = kma_quick_number(p + strlen(" bytes_req="), &ret->req);
	if (!p || !kma_is(p, " bytes_alloc="))
		return NULL;
	p = kma_quick_number(p + strlen(" bytes_alloc="), &ret->alloc);
	return p && kma_quick_ends(*p) && ret->alloc >= ret->req ? p : NULL;
}

const char *kma_ftrace_quick(const char *line, struct kma_ftrace_line *ret)
{
	const char *p = kma_quick_prefix(line, &ret->cpu);

	if (!p)
		return NULL;
	p = kma_quick_event(p, ret);
	if (!p)
		return NULL;
	p = kma_quick_site(p, ret);
	if (!p)
		return NULL;
	p = kma_quick_ptr(p, ret);
	if (!p)
		return NULL;
	ret->what = KMA_FTRACE_EVENT;
	ret->has = KMA_FTRACE_HAS_SITE | KMA_FTRACE_HAS_PTR;
	ret->address = false;
	ret->lost = 0;
	if (ret->is_free) {
		ret->req = ret->alloc = 0;
		return p;
	}
	ret->has |= KMA_FTRACE_HAS_REQ | KMA_FTRACE_HAS_ALLOC;
	return kma_quick_sizes(p, ret);
}

#else

const char *kma_ftrace_quick(const char *line, struct kma_ftrace_line *ret)
{
	(void)line;
	(void)ret;
	return NULL;
}

#endif
