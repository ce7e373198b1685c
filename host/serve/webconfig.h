/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * webconfig.h - read the configuration file of exporter-toolkit (web-config.yml), as far as this
 * server supports it: TLS, client certificates, users.
 *
 * The file is read as a subset of YAML: two levels of "key: value". An unknown key is an error, as
 * in exporter-toolkit. A setting that would verify nothing is refused.
 */
#ifndef KMA_SERVE_WEBCONFIG_H
#define KMA_SERVE_WEBCONFIG_H

#include <stddef.h>

#include "lib/err.h"

/* client_auth_type, by strictness. */
enum kma_client_auth {
	KMA_CLIENT_NONE,
	KMA_CLIENT_REQUEST,  /* not supported */
	KMA_CLIENT_ANY,	     /* any certificate; not supported */
	KMA_CLIENT_IF_GIVEN, /* if the client sends one, it must be of the CA */
	KMA_CLIENT_VERIFY,   /* the client must send one of the CA */
	KMA_NR_CLIENT_AUTHS,
};

struct kma_web_user {
	char *name, *hash; /* @hash: bcrypt, 60 characters */
};

/* A zeroed configuration has no TLS and no users. */
struct kma_webconfig {
	char *cert_file, *key_file, *client_ca_file; /* NULL: not given */
	char *cert, *key, *client_ca;		     /* contents of these files (PEM) */
	enum kma_client_auth client_auth;
	unsigned int min_version; /* lowest version of TLS: 12 or 13 */
	struct kma_web_user *users;
	size_t nr_users;
};

/*
 * Reads a file, and the files that it names, relative to its directory. @ret is zeroed before, and
 * needs kma_webconfig_deinit() also after an error: an unknown key, a file that cannot be read, an
 * expired certificate, or a hash that is not bcrypt.
 */
struct kma_err *kma_webconfig_read(const char *path, struct kma_webconfig *ret);

/* The key is overwritten. */
void kma_webconfig_deinit(struct kma_webconfig *config);

#endif /* KMA_SERVE_WEBCONFIG_H */
