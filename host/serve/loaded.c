// SPDX-License-Identifier: GPL-2.0-only
/*
 * loaded.c - load libmicrohttpd and GnuTLS.
 */
#include "loaded.h"

struct kma_mhd kma_mhd;
struct kma_tls kma_tls;

static const char *const mhd_names[] = { KMA_MHD_FUNCTIONS(KMA_LIBRARY_NAME) };
static const char *const tls_names[] = { KMA_TLS_FUNCTIONS(KMA_LIBRARY_NAME) };

static const struct kma_library mhd_library = {
	"libmicrohttpd",
	{ "libmicrohttpd.so.12" },
	"libmicrohttpd12 or libmicrohttpd",
	KMA_LIBRARY_FUNCTIONS(kma_mhd, mhd_names),
};

/* libmicrohttpd uses the same file, so that both know the same sessions. */
static const struct kma_library tls_library = {
	"GnuTLS",
	{ "libgnutls.so.30" },
	"libgnutls30 or gnutls",
	KMA_LIBRARY_FUNCTIONS(kma_tls, tls_names),
};

struct kma_err *kma_serve_load(void)
{
	struct kma_err *err = kma_library_load(&mhd_library);

	return err ?: kma_library_load(&tls_library);
}
