// SPDX-License-Identifier: GPL-2.0-only
/*
 * ftrace-quick.c - the usual lines of ftrace text, in as few steps as possible.
 *
 * "Usual" are the lines that tracefs, trace-cmd report and perf script print for the events of the
 * slab allocator, in all kernels from 3.x on:
 *
 *	    task-1234    [003] d..1.   12.345678: kmalloc: call_site=f+0x1/0x2 ptr=ffff888012345678 ...
 *	    task-1234    (   1230) [003] d..1.   12.345678: kfree: call_site=c104dd2f ptr=d0000000
 *	    task-1234  [003]    12.345678: kmalloc:              (f+0x1) call_site=f+0x1 ptr=0xffff88801 ...
 *	    task  1234/1230 [003]    12.345678:      kmem:kmalloc: (f+0x1) call_site=f+0x1 ptr=0xffff8 ...
 *	task-1234      3d..1.   12us+: kmalloc: call_site=f+0x1/0x2 ptr=ffff888012345678 ...
 *	    task    1234   3 1 00000001 0000002a [002dba6d] 24.446ms (+0.032ms): kmalloc: ...
 *	kmalloc: call_site=f+0x1/0x2 ptr=ffff888012345678 ...
 *
 * Each function reads one part of a line and returns the position after it, or NULL if the line
 * does not have that part at that position. NULL means only that kma_ftrace_parse() must read the
 * line, so this file may refuse a valid line but never reads one differently.
 *
 * A line is read once, from left to right. Words are compared eight bytes at a time; the ends of
 * words are found, and addresses converted, sixteen bytes at a time. Such a load may cross the end
 * of the line, so the caller provides KMA_FTRACE_ROOM readable bytes. No search passes the newline,
 * and each has a bound; the bounds add up to less than KMA_FTRACE_ROOM. Each x86-64 has SSE2; on
 * other machines kma_ftrace_parse() reads all lines.
 */
#include <string.h>

#include "ftrace-quick.h"

#ifdef __SSE2__

#include <emmintrin.h>

#define KMA_TASK_WIDTH	       16
#define KMA_LATENCY_TASK_WIDTH 8
#define KMA_LATENCY_FLAGS_MAX  8
#define KMA_VERBOSE_TIME_MAX   48
#define KMA_SPACES_MAX	       64
#define KMA_SITE_MAX	       512
#define KMA_PAREN_MAX	       512
#define KMA_CACHE_MAX	       48

static inline __m128i load16(const char *p)
{
	return _mm_loadu_si128((const __m128i *)p);
}

static inline unsigned int mask_of(__m128i v, char c)
{
	return _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
}

/* Bytes that are a space or a control character. */
static inline unsigned int mask_blank(__m128i v)
{
	return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ')), v));
}

static inline uint64_t load8(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/* Does the text at @p begin with the string literal @word? */
#define kma_is(p, word) (!memcmp((p), "" word, sizeof(word) - 1))

/* Mask of the bytes that are hexadecimal digits; capital letters do not count. */
static inline unsigned int mask_hex(__m128i v)
{
	__m128i digit = _mm_sub_epi8(v, _mm_set1_epi8('0'));
	__m128i letter = _mm_sub_epi8(v, _mm_set1_epi8('a'));

	digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
	letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
	return _mm_movemask_epi8(_mm_or_si128(digit, letter));
}

/* Value of eight hexadecimal digits, of which the first is the lowest byte of @text. */
static inline uint64_t hex8(uint64_t text)
{
	uint64_t v = __builtin_bswap64(text);

	/* bit 6 distinguishes a letter, whose value is its low four bits plus 9 */
	v = (v & 0x0f0f0f0f0f0f0f0f) + 9 * (v >> 6 & 0x0101010101010101);
	v = (v | v >> 4) & 0x00ff00ff00ff00ff;
	v = (v | v >> 8) & 0x0000ffff0000ffff;
	return (v | v >> 16) & 0xffffffff;
}

static inline bool quick_ends(char c)
{
	return c == ' ' || c == '\n';
}

/* Read a decimal number of 1 to 18 digits, which always fits in 64 bits. */
static inline const char *quick_number(const char *p, uint64_t *ret)
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

static inline const char *quick_spaces(const char *p)
{
	const char *limit = p + KMA_SPACES_MAX;

	while (*p == ' ' && p < limit)
		p++;
	return p;
}

/* For parts that tracefs does not print by default: keep them out of the way of the others. */
#define kma_quick_rare static __attribute__((noinline, cold)) const char *

/* Skip the process number after the task's name, as perf prints it: " 1234" or " 1234/1230". */
kma_quick_rare kma_quick_perf(const char *p)
{
	uint64_t number;

	if (*p != ' ')
		return NULL;
	p = quick_number(quick_spaces(p), &number);
	if (p && *p == '/')
		p = quick_number(p + 1, &number);
	return p ? quick_spaces(p) : NULL;
}

/* Skip the thread group, "(   1234) ". */
kma_quick_rare kma_quick_group(const char *p)
{
	const char *limit = p + KMA_SPACES_MAX;

	for (p++; (unsigned char)(*p - '0') < 10 || *p == ' ' || *p == '-'; p++)
		if (p > limit)
			return NULL;
	return *p == ')' ? quick_spaces(p + 1) : NULL;
}

/* Skip "task-1234    [003] d..1.   12.345678: ". */
static inline const char *quick_prefix(const char *p, uint16_t *cpu)
{
	unsigned int colon, end;
	uint64_t number;
	__m128i task = load16(p);

	if (mask_of(task, '\n'))
		return NULL;
	/* "guest1: task-1234": kma_ftrace_source() has to see the line. */
	if (mask_of(task, ':') << 1 & mask_of(task, ' '))
		return NULL;
	p += KMA_TASK_WIDTH;
	p = *p == '-' ? quick_number(p + 1, &number) : kma_quick_perf(p);
	if (!p)
		return NULL;
	p = quick_spaces(p);
	if (*p != '[') {
		p = *p == '(' ? kma_quick_group(p) : NULL;
		if (!p || *p != '[')
			return NULL;
	}
	p++;
	p = quick_number(p, &number);
	if (!p || *p != ']' || number > UINT16_MAX)
		return NULL;
	*cpu = number;
	colon = mask_of(load16(p), ':') | mask_of(load16(p + 16), ':') << 16;
	end = mask_of(load16(p), '\n') | mask_of(load16(p + 16), '\n') << 16;
	/* the first colon must come before the first newline */
	if (!colon || end & (colon ^ (colon - 1)))
		return NULL;
	p += __builtin_ctz(colon);
	if ((unsigned char)(p[-1] - '0') > 9 || p[1] != ' ')
		return NULL;
	return p + 2;
}

/* Skip "-1234      3d..1.   12us+: " of latency-format. */
kma_quick_rare kma_quick_latency(const char *p, uint16_t *cpu)
{
	uint64_t number;
	const char *flags;

	p = quick_number(p + 1, &number);
	flags = p ? quick_number(quick_spaces(p), &number) : NULL;
	if (!flags || number > UINT16_MAX)
		return NULL;
	*cpu = number;
	for (p = flags; (unsigned char)*p > ' ' && *p != ':'; p++)
		if (p - flags >= KMA_LATENCY_FLAGS_MAX)
			return NULL;
	if (p == flags)
		return NULL;
	p = quick_spaces(p);
	p = quick_number(*p == '-' ? p + 1 : p, &number);
	if (p && kma_is(p, "us") && p[2] != '\n')
		p += 3;
	return p && kma_is(p, ": ") ? p + 2 : NULL;
}

static inline const char *quick_hex(const char *p)
{
	unsigned int digits = __builtin_ctz(~mask_hex(load16(p)));

	return digits ? p + digits : NULL;
}

/* Skip "    1234   3 0 00000001 00000002 [002dba6d] 24.446ms (+0.032ms): " of verbose. */
kma_quick_rare kma_quick_verbose(const char *p, uint16_t *cpu)
{
	const char *limit;
	uint64_t number;

	p = quick_number(quick_spaces(p), &number);
	if (!p || *p != ' ')
		return NULL;
	p = quick_number(quick_spaces(p), &number);
	if (!p || number > UINT16_MAX)
		return NULL;
	*cpu = number;
	for (int i = 0; i < 3; i++) {
		p = *p == ' ' ? quick_hex(quick_spaces(p)) : NULL;
		if (!p)
			return NULL;
	}
	p = kma_is(p, " [") ? quick_hex(p + 2) : NULL;
	if (!p || !kma_is(p, "] "))
		return NULL;
	for (limit = p += 2; *p != ':'; p++)
		if (*p == '\n' || p - limit >= KMA_VERBOSE_TIME_MAX)
			return NULL;
	return p[1] == ' ' ? p + 2 : NULL;
}

/* Skip the prefix that trace options latency-format, verbose or nocontext-info give. */
kma_quick_rare kma_quick_rare_prefix(const char *line, uint16_t *cpu)
{
	*cpu = 0;
	if (*line == 'k')
		return line;
	if (mask_of(load16(line), '\n'))
		return NULL;
	if (line[KMA_LATENCY_TASK_WIDTH] == '-')
		return kma_quick_latency(line + KMA_LATENCY_TASK_WIDTH, cpu);
	return line[KMA_TASK_WIDTH] == ' ' ? kma_quick_verbose(line + KMA_TASK_WIDTH, cpu) : NULL;
}

/* Read the name of any event of the slab allocator and its colon: "kmalloc_node: ". */
static inline const char *quick_name(const char *p, struct kma_ftrace_line *ret)
{
	ret->kind = KMA_KIND_KMALLOC;
	ret->is_free = false;
	if (kma_is(p, "kmem_cache_alloc")) {
		ret->kind = KMA_KIND_CACHE;
		p += strlen("kmem_cache_alloc");
		if (kma_is(p, "_node"))
			p += strlen("_node");
	} else if (kma_is(p, "kmem_cache_free")) {
		ret->kind = KMA_KIND_CACHE;
		ret->is_free = true;
		p += strlen("kmem_cache_free");
	} else if (kma_is(p, "kmalloc")) {
		p += strlen("kmalloc");
		if (kma_is(p, "_node"))
			p += strlen("_node");
	} else if (kma_is(p, "kfree")) {
		ret->is_free = true;
		p += strlen("kfree");
	} else {
		return NULL;
	}
	return kma_is(p, ": ") ? p + 2 : NULL;
}

/* Skip "(f+0x1) ", which trace-cmd and perf print before the fields. */
static inline const char *quick_paren(const char *p)
{
	const char *limit = p + KMA_PAREN_MAX - 16;
	unsigned int blank;

	while (!(blank = mask_blank(load16(p)))) {
		p += 16;
		if (p > limit)
			return NULL;
	}
	p += __builtin_ctz(blank);
	return *p == ' ' && p[-1] == ')' ? p + 1 : NULL;
}

/* Read one of the four most frequent names and its colon, as tracefs prints them: "kmalloc: ". */
static inline const char *quick_event(const char *p, struct kma_ftrace_line *ret)
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

/* Accept a call site that is a bare address, "c104dd2f "; @p is at the space after it. */
kma_quick_rare kma_quick_address(const char *p, struct kma_ftrace_line *ret)
{
	unsigned int other = ~mask_hex(load16(ret->site));

	ret->site_len = p - ret->site;
	ret->address = true;
	/* all bytes must be digits */
	return ret->site_len && (unsigned int)__builtin_ctz(other) == ret->site_len ? p + 1 : NULL;
}

/* Read "call_site=sym+0x1/0x2 [module] ". */
static inline const char *quick_site(const char *p, struct kma_ftrace_line *ret)
{
	unsigned int blank, plus = 0;
	const char *limit;

	if (!kma_is(p, "call_site="))
		return NULL;
	p += strlen("call_site=");
	ret->site = p;
	limit = p + KMA_SITE_MAX - 2 * 16;
	for (;; p += 16) {
		__m128i v = load16(p);

		if (p > limit)
			return NULL;
		blank = mask_blank(v);
		plus |= mask_of(v, '+') & (blank ? blank ^ (blank - 1) : ~0U);
		if (blank)
			break;
	}
	p += __builtin_ctz(blank);
	if (*p != ' ')
		return NULL;
	ret->address = false;
	if (!plus)
		return p[1] == '[' ? NULL : kma_quick_address(p, ret);
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

/* Read "kmalloc:      (f+0x1) call_site=f+0x1 " or "     kmem:kmalloc: call_site=f+0x1 ". */
kma_quick_rare kma_quick_padded(const char *p, struct kma_ftrace_line *ret)
{
	const char *name, *end;

	p = quick_spaces(p);
	if (kma_is(p, "kmem:"))
		p += strlen("kmem:");
	p = quick_name(p, ret);
	if (!p)
		return NULL;
	p = quick_spaces(p);
	name = p + 1;
	if (*p == '(')
		p = quick_paren(p);
	end = p;
	p = p ? quick_site(p, ret) : NULL;
	/* the address has a symbol */
	if (p && ret->address && name[-1] == '(') {
		size_t len = (const char *)memchr(name, ')', end - name) - name;

		if (!memchr(name, '+', len))
			return p;
		ret->site = name;
		ret->site_len = len;
		ret->address = false;
	}
	return p;
}

/* Read "ptr=ffff888012345678", "ptr=0xffff888012345678" or "ptr=d0000000". */
static inline const char *quick_ptr(const char *p, struct kma_ftrace_line *ret)
{
	unsigned int hex, digits;

	if (!kma_is(p, "ptr="))
		return NULL;
	p += strlen("ptr=");
	hex = mask_hex(load16(p));
	if ((hex & 3) == 1 && p[1] == 'x' && *p == '0') {
		p += 2;
		hex = mask_hex(load16(p));
	}
	if (hex == 0xffff && quick_ends(p[16])) {
		ret->ptr = hex8(load8(p)) << 32 | hex8(load8(p + 8));
		ret->hashed = ret->ptr && !(ret->ptr >> 32);
		return p + 16;
	}
	digits = __builtin_ctz(~hex);
	if (!digits || !quick_ends(p[digits]))
		return NULL;
	ret->hashed = false;
	ret->ptr = digits < 8 ? 0 : hex8(load8(p));
	for (unsigned int i = digits < 8 ? 0 : 8; i < digits; i++)
		ret->ptr = ret->ptr << 4 | ((p[i] & 15) + 9 * (p[i] >> 6));
	return p + digits;
}

/* Read " bytes_req=1 bytes_alloc=8"; the name of a cache may come first. */
static inline const char *quick_sizes(const char *p, struct kma_ftrace_line *ret)
{
	ret->cache_len = 0;
	if (kma_is(p, " name=")) {
		const char *limit = p + KMA_CACHE_MAX;
		unsigned int blank, equal;

		/* other events have no such field */
		if (ret->kind != KMA_KIND_CACHE)
			return NULL;
		p += strlen(" name=");
		ret->cache = p;
		for (;; p += 16) {
			__m128i v = load16(p);

			blank = mask_blank(v);
			equal = mask_of(v, '=') & (blank ? blank ^ (blank - 1) : ~0U);
			if (equal || p > limit)
				return NULL;
			if (blank)
				break;
		}
		p += __builtin_ctz(blank);
		ret->cache_len = p - ret->cache;
		ret->has |= KMA_FTRACE_HAS_CACHE;
	}
	if (!kma_is(p, " bytes_req="))
		return NULL;
	p = quick_number(p + strlen(" bytes_req="), &ret->req);
	if (!p || !kma_is(p, " bytes_alloc="))
		return NULL;
	p = quick_number(p + strlen(" bytes_alloc="), &ret->alloc);
	return p && quick_ends(*p) && ret->alloc >= ret->req ? p : NULL;
}

const char *kma_ftrace_quick(const char *line, struct kma_ftrace_line *ret)
{
	const char *event = quick_prefix(line, &ret->cpu), *p;

	if (!event)
		event = kma_quick_rare_prefix(line, &ret->cpu);
	if (!event)
		return NULL;
	p = quick_event(event, ret);
	if (p)
		p = quick_site(p, ret);
	if (!p)
		p = kma_quick_padded(event, ret);
	if (!p)
		return NULL;
	p = quick_ptr(p, ret);
	if (!p)
		return NULL;
	ret->what = KMA_FTRACE_EVENT;
	ret->has = KMA_FTRACE_HAS_SITE | KMA_FTRACE_HAS_PTR;
	ret->lost = 0;
	if (ret->is_free) {
		ret->req = ret->alloc = ret->cache_len = 0;
		return p;
	}
	ret->has |= KMA_FTRACE_HAS_REQ | KMA_FTRACE_HAS_ALLOC;
	return quick_sizes(p, ret);
}

#else

const char *kma_ftrace_quick(const char *line, struct kma_ftrace_line *ret)
{
	(void)line;
	(void)ret;
	return NULL;
}

#endif
