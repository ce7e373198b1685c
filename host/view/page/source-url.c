// SPDX-License-Identifier: GPL-2.0-only
/*
 * source-url.c - check the template of the addresses of lines in a source browser.
 */
#include <string.h>

#include "lib/cleanup.h"
#include "source-url.h"

bool kma_source_url_valid(const char *url)
{
	static const char *const schemes[] = { "https://", "http://" };
	const char *host = NULL, *path;

	for (size_t i = 0; i < ARRAY_SIZE(schemes) && !host; i++)
		if (!strncmp(url, schemes[i], strlen(schemes[i])))
			host = url + strlen(schemes[i]);
	path = host ? host + strcspn(host, "/?#{") : NULL;
	if (!host || path == host || *path != '/' || !strstr(path, "{file}"))
		return false;
	for (; *url; url++)
		if (*url <= ' ' || *url >= 0x7f || strchr("\"'<>\\^`|", *url))
			return false;
	return true;
}
