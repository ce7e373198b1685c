// SPDX-License-Identifier: GPL-2.0-only
/*
 * hide.c - replaces addresses in a text.
 */
#include <linux/build_bug.h>
#include <linux/ctype.h>
#include <linux/string.h>

#include "guard/hide.h"

/* An address of the kernel has 16 digits; an offset in a function or a file has fewer. */
#ifdef CONFIG_64BIT
#define KMA_ADDRESS_DIGITS	12
#define KMA_ADDRESS_HIDDEN	"[no symbol]"
#else
#define KMA_ADDRESS_DIGITS	8
#define KMA_ADDRESS_HIDDEN	"[nosymbol]"	/* as long as an address */
#endif

void kma_hide_addresses(char *text, bool shown)
{
	static const char hidden[] = KMA_ADDRESS_HIDDEN;

	/* hidden must not be longer than the shortest address */
	BUILD_BUG_ON(sizeof(hidden) > sizeof("0x") + KMA_ADDRESS_DIGITS);
	while (!shown && (text = strstr(text, "0x"))) {
		char *end = text + 2;

		while (isxdigit(*end))
			end++;
		if (end - text - 2 < KMA_ADDRESS_DIGITS) {
			text = end;
			continue;
		}
		memcpy(text, hidden, sizeof(hidden) - 1);
		text += sizeof(hidden) - 1;
		memmove(text, end, strlen(end) + 1);
	}
}
