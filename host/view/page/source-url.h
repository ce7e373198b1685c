/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source-url.h - the template of the addresses of lines in a source browser (--source-url). The
 * script of the page fills it in (lines.js).
 */
#ifndef KMA_VIEW_PAGE_SOURCE_URL_H
#define KMA_VIEW_PAGE_SOURCE_URL_H

#include <stdbool.h>

/**
 * kma_source_url_valid() - test a template
 * @url: the template
 *
 * The scheme has to be http or https. The host has to be part of the template: {file} comes after
 * the slash that follows the host, so that no name of an input can change the host.
 *
 * Return: true if pages may have links by it.
 */
bool kma_source_url_valid(const char *url);

#endif /* KMA_VIEW_PAGE_SOURCE_URL_H */
