/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * webconfig.h - the configuration file of exporter-toolkit (web-config.yml), as far as this
 * server has what it configures: TLS, client certificates, users. It is a subset of YAML:
 * two levels of "key: value". A key that is not known is an error, as there.
 */
#ifndef KMA_SERVE_WEBCONFIG_H
#define KMA_SERVE_WEBCONFIG_H

#include <stddef.h>

#include "lib/err.h"

/* client_auth_type, in the order of its strictness. */
enum kma_client_auth {
	KMA_CLIENT_NONE,
	KMA_CLIENT_REQUEST,
	KMA_CLIENT_ANY,	     /* any certificate */
	KMA_CLIENT_IF_GIVEN, /* one of the CA, if there is one */
	KMA_CLIENT_VERIFY,   /* one of the CA */
	KMA_NR_CLIENT_AUTHS,
};

struct kma_web_user {
	char *name, *hash;
};

/* Zero is a configuration with nothing. */
struct kma_webconfig {
	char *cert_file, *key_file, *client_ca_file; /* NULL: not given */
	char *cert, *key, *client_ca;		     /* their contents */
	enum kma_client_auth client_auth;
	unsigned int min_version; /* of TLS: 12 or 13 */
	struct kma_web_user *users;
	size_t nr_users;
};

/**
 * kma_webconfig_read() - read a configuration file and the files that it names
 * @path: the file; names in it are relative to its directory
 * @ret: zero; to be given to kma_webconfig_deinit() in any case
 *
 * Return: NULL or an error: unknown key, file that cannot be read, expired certificate, hash
 * that is not bcrypt.
 */
struct kma_err *kma_webconfig_read(const char *path, struct kma_webconfig *ret);

/**
 * kma_webconfig_deinit() - free it; keys are overwritten
 * @config: empty afterwards
 */
void kma_webconfig_deinit(struct kma_webconfig *config);

#endif /* KMA_SERVE_WEBCONFIG_H */
