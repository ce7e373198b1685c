// SPDX-License-Identifier: GPL-2.0-only
/*
 * quick.c - read lines of function_graph in their usual form, with a time, a CPU, a task and a
 * column for the duration:
 *
 *	  155.119537 |   0)    bash-1234  | ! 134.500 us  |  } // try_to_free_pages
 *
 * (the comment is one of C). Each function reads one part of a line and returns the position after
 * it, or NULL if the line does not have that part there. Such a line is left to line.c, so this
 * file may refuse a valid line but never reads one differently. The line is read once, from left to
 * right, and nothing is copied. The newline after the line ends every search, so no step tests for
 * the end of the line.
 */
#include <endian.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "quick.h"

/* Digits of a number; with this limit no test for an overflow is needed. */
#define KMA_LAT_QUICK_DIGITS 9

#define KMA_LAT_LITTLE_ENDIAN (BYTE_ORDER == LITTLE_ENDIAN)

/* The characters of function names, as in line.c. */
static const bool kma_lat_quick_chars[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true,
	['.'] = true,	      ['$'] = true,	    [':'] = true,
};

/* Copying this is faster than the code that compilers make of an initialiser. */
static const struct kma_lat_line kma_lat_quick_none;

static inline bool kma_lat_quick_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/*
 * Sixteen bytes are tested at a time if that many can be read; bytes after the line belong to the
 * next line. Machines other than x86 test single bytes.
 */
#ifdef __SSE2__

static inline __m128i kma_lat_load16(const char *p)
{
	return _mm_loadu_si128((const __m128i *)p);
}

/* Bytes that are @low or one of the next @nr - 1 values. */
static inline __m128i kma_lat_range(__m128i v, char low, char nr)
{
	v = _mm_sub_epi8(v, _mm_set1_epi8(low));
	return _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(nr - 1)), v);
}

static inline unsigned int kma_lat_no_spaces(__m128i v)
{
	return _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(' '))) ^ 0xffff;
}

static inline unsigned int kma_lat_no_names(__m128i v)
{
	__m128i letter = kma_lat_range(_mm_or_si128(v, _mm_set1_epi8(0x20)), 'a', 26);
	__m128i digit = kma_lat_range(v, '0', 11); /* and the colon */
	__m128i rest = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('_')),
				    _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('.')),
						 _mm_cmpeq_epi8(v, _mm_set1_epi8('$'))));

	return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(letter, digit), rest)) ^ 0xffff;
}

/* Bytes that are a bar or a newline. */
static inline unsigned int kma_lat_bars(__m128i v)
{
	return _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('|')),
					      _mm_cmpeq_epi8(v, _mm_set1_epi8('\n'))));
}

/* Skip to the first byte in the mask, or to where fewer than sixteen bytes can be read. */
static __attribute__((always_inline)) inline const char *
kma_lat_skip(const char *p, const char *limit, unsigned int (*mask_of)(__m128i v))
{
	for (; limit - p >= 16; p += 16) {
		unsigned int mask = mask_of(kma_lat_load16(p));

		if (mask)
			return p + __builtin_ctz(mask);
	}
	return p;
}

#else

#define kma_lat_skip(p, limit, mask_of) ((void)(limit), (p))

#endif

static const char *kma_lat_quick_spaces(const char *p, const char *limit)
{
	p = kma_lat_skip(p, limit, kma_lat_no_spaces);
	while (*p == ' ')
		p++;
	return p;
}

static const char *kma_lat_quick_name_end(const char *p, const char *limit)
{
	p = kma_lat_skip(p, limit, kma_lat_no_names);
	while (kma_lat_quick_chars[(unsigned char)*p])
		p++;
	return p;
}

static const char *kma_lat_quick_bar(const char *p, const char *limit)
{
	p = kma_lat_skip(p, limit, kma_lat_bars);
	while (*p != '|' && *p != '\n')
		p++;
	return p;
}

/* Read digits and return their end; NULL if there are none or too many. */
static const char *kma_lat_quick_number(const char *p, uint64_t *ret)
{
	const char *from = p;
	uint64_t value = 0;

	for (; kma_lat_quick_digit(*p); p++) {
		if (p - from == KMA_LAT_QUICK_DIGITS)
			return NULL;
		value = value * 10 + (*p - '0');
	}
	*ret = value;
	return p > from ? p : NULL;
}

/* Convert six digits in one step. @word: eight bytes from the first digit on, little-endian. */
static inline bool kma_lat_quick_six(uint64_t word, uint64_t *ret)
{
	const uint64_t digits = 0x303030303030, high = 0xf0f0f0f0f0f0;
	uint64_t v = word & 0xffffffffffff;

	/* A byte is a digit if its upper four bits are 3, and are still 3 after 6 was added. */
	if ((v & high) != digits || ((v + 0x060606060606) & high) != digits)
		return false;
	v = (v - digits) << 16;
	v = (v * 10 + (v >> 8)) & 0x00ff00ff00ff00ff;
	v = (v * 100 + (v >> 16)) & 0x0000ffff0000ffff;
	*ret = (v * 10000 + (v >> 32)) & 0xffffffff;
	return true;
}

/* Skip ".119537", the microseconds of a time. */
static const char *kma_lat_quick_us(const char *dot, const char *limit, uint64_t *ret)
{
	const char *p;
	uint64_t word;

	if (limit - dot > 8 && KMA_LAT_LITTLE_ENDIAN) {
		memcpy(&word, dot + 1, sizeof(word));
		return kma_lat_quick_six(word, ret) ? dot + 7 : NULL;
	}
	p = kma_lat_quick_number(dot + 1, ret);
	return p && p - dot == 7 ? p : NULL;
}

/* Skip "  155.119537 |   0) ". */
static const char *kma_lat_quick_place(const char *p, const char *limit, struct kma_lat_line *ret)
{
	uint64_t seconds, us, cpu;
	const char *dot;

	dot = kma_lat_quick_number(kma_lat_quick_spaces(p, limit), &seconds);
	if (!dot || *dot != '.')
		return NULL;
	p = kma_lat_quick_us(dot, limit, &us);
	if (!p || p[0] != ' ' || p[1] != '|')
		return NULL;
	p = kma_lat_quick_number(kma_lat_quick_spaces(p + 2, limit), &cpu);
	if (!p || *p != ')' || cpu >= KMA_LAT_MAX_CPUS)
		return NULL;
	ret->has_time = ret->has_cpu = true;
	ret->time = seconds * 1000000000 + us * 1000;
	ret->cpu = cpu;
	return kma_lat_quick_spaces(p + 1, limit);
}

/* Skip "bash-1234  |". A text that begins otherwise may be a duration. */
static const char *kma_lat_quick_task(const char *p, const char *limit, struct kma_lat_line *ret)
{
	const char *from = p, *last, *digits;
	uint64_t pid;

	if ((unsigned char)((*p | 0x20) - 'a') > 25 && !(p[0] == '<' && p[1] == 'i'))
		return NULL;
	p = kma_lat_quick_bar(p, limit);
	if (*p != '|')
		return NULL;
	for (last = p; last[-1] == ' '; last--)
		;
	for (digits = last; digits > from && kma_lat_quick_digit(digits[-1]); digits--)
		;
	if (digits - from < 2 || digits[-1] != '-' || kma_lat_quick_number(digits, &pid) != last)
		return NULL;
	ret->has_pid = true;
	ret->pid = pid;
	ret->comm = (struct kma_lat_text){ from, digits - 1 - from };
	return p + 1;
}

/* Skip " ! 134.500 us  |", or blanks and the bar. */
static const char *kma_lat_quick_duration(const char *p, const char *limit,
					  struct kma_lat_line *ret)
{
	static const unsigned int units[] = { 1000, 100, 10, 1 };
	uint64_t whole, rest = 0;
	const char *dot;

	p = kma_lat_quick_spaces(p, limit);
	if (*p == '|')
		return p + 1;
	if (*p == '!' || *p == '#' || *p == '+' || *p == '*' || *p == '@' || *p == '$')
		p = kma_lat_quick_spaces(p + 1, limit);
	p = kma_lat_quick_number(p, &whole);
	if (!p)
		return NULL;
	dot = p;
	if (*p == '.') {
		p = kma_lat_quick_number(p + 1, &rest);
		if (!p || p - dot > 4)
			return NULL;
		rest *= units[p - dot - 1];
	}
	p = kma_lat_quick_spaces(p, limit);
	if (p[0] != 'u' || p[1] != 's')
		return NULL;
	p = kma_lat_quick_spaces(p + 2, limit);
	if (*p != '|')
		return NULL;
	ret->has_duration = true;
	ret->duration = whole * 1000 + rest;
	return p + 1;
}

/* Read an event, after the start of its comment: "mm_compaction_begin: zone_start=0x1 ...". */
static inline bool kma_lat_quick_event(const char *p, const char *end, const char *limit,
				       struct kma_lat_line *ret)
{
	const char *from = kma_lat_quick_spaces(p, limit);

	/* kma_lat_quick_name_end() also skips colons: the name ends at the first one. */
	p = kma_lat_quick_name_end(from, limit);
	p = memchr(from, ':', p - from);
	if (!p || p == from || end - p < 3 || end[-2] != '*' || end[-1] != '/')
		return false;
	ret->what = KMA_LAT_EVENT;
	ret->name = (struct kma_lat_text){ from, p - from };
	end -= 2;
	for (p++; p < end && (*p == ' ' || *p == '\t'); p++)
		;
	while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	ret->args = (struct kma_lat_text){ p, end - p };
	return true;
}

/* Read "} // name" (the comment is one of C), after the bracket, or a bare "}". */
static inline bool kma_lat_quick_exit(const char *p, const char *end, const char *limit,
				      struct kma_lat_line *ret)
{
	ret->what = KMA_LAT_EXIT;
	if (p == end)
		return true;
	if (p[0] != ' ' || p[1] != '/' || p[2] != '*' || p[3] != ' ')
		return false;
	ret->name.str = p + 4;
	ret->name.len = kma_lat_quick_name_end(p + 4, limit) - (p + 4);
	return ret->name.len > 0;
}

bool kma_lat_quick(const char *line, size_t len, const char *limit, struct kma_lat_line *ret)
{
	const char *p, *end = line + len;

	*ret = kma_lat_quick_none;
	p = kma_lat_quick_place(line, limit, ret);
	p = p ? kma_lat_quick_task(p, limit, ret) : NULL;
	p = p ? kma_lat_quick_duration(p, limit, ret) : NULL;
	if (!p)
		return false;
	p = kma_lat_quick_spaces(p, limit);
	if (*p == '}')
		return kma_lat_quick_exit(p + 1, end, limit, ret);
	if (*p == '/')
		return p[1] == '*' && kma_lat_quick_event(p + 2, end, limit, ret);
	ret->name.str = p;
	p = kma_lat_quick_name_end(p, limit);
	ret->name.len = p - ret->name.str;
	if (!ret->name.len || *p != '(')
		return false;
	ret->what = ret->has_duration || memchr(p, ';', end - p) ? KMA_LAT_LEAF : KMA_LAT_ENTRY;
	return true;
}
