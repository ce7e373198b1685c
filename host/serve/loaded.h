/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loaded.h - the functions of libmicrohttpd and GnuTLS that the server uses. Both libraries are
 * loaded when the server starts.
 */
#ifndef KMA_SERVE_LOADED_H
#define KMA_SERVE_LOADED_H

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <microhttpd.h>

#include "lib/library.h"

/* clang-format off */
#define KMA_MHD_FUNCTIONS(F) \
	F(MHD, add_response_header) F(MHD, basic_auth_get_username_password) \
	F(MHD, create_response_from_buffer) \
	F(MHD, create_response_from_buffer_with_free_callback) F(MHD, destroy_response) \
	F(MHD, free) F(MHD, get_connection_info) F(MHD, get_daemon_info) F(MHD, get_timeout) \
	F(MHD, lookup_connection_value) F(MHD, queue_basic_auth_fail_response) \
	F(MHD, queue_response) F(MHD, run) F(MHD, start_daemon) F(MHD, stop_daemon)
/* clang-format on */

/* clang-format off */
#define KMA_TLS_FUNCTIONS(F) \
	F(gnutls, certificate_get_peers) F(gnutls, certificate_verify_peers2) \
	F(gnutls, hash_fast) F(gnutls, memcmp) F(gnutls, x509_crt_deinit) \
	F(gnutls, x509_crt_get_expiration_time) F(gnutls, x509_crt_import) \
	F(gnutls, x509_crt_init)
/* clang-format on */

/* MHD_NAME() is kma_mhd.NAME(). */
struct kma_mhd {
	KMA_MHD_FUNCTIONS(KMA_LIBRARY_POINTER)
};

/* gnutls_NAME() is kma_tls.NAME(). */
struct kma_tls {
	KMA_TLS_FUNCTIONS(KMA_LIBRARY_POINTER)
};

extern struct kma_mhd kma_mhd;
extern struct kma_tls kma_tls;

/* Loads both libraries, before any other function of the server is called. */
struct kma_err *kma_serve_load(void);

#endif /* KMA_SERVE_LOADED_H */
