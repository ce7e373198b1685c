/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * auth.h - check users and their passwords.
 *
 * A check with bcrypt takes about a tenth of a second, and the server has one thread, so the cost
 * is bounded. The last correct user and password are remembered, as a SHA-256 of both and the
 * stored hash, and are accepted without bcrypt. At most KMA_AUTH_WRONG_MAX wrong passwords are
 * checked in a second; then all are refused until the next one. A refusal takes
 * as long for every name, known or not: it checks one hash of each cost that any user has.
 *
 * Passwords are never stored. Names and hashes are compared in constant time.
 *
 * Locking: none; one thread. The state is in static variables of auth.c.
 */
#ifndef KMA_SERVE_AUTH_H
#define KMA_SERVE_AUTH_H

#include "webconfig.h"

enum kma_auth {
	KMA_AUTH_OK,
	KMA_AUTH_WRONG,
	KMA_AUTH_LATER, /* not checked: too many wrong passwords in this second, or GnuTLS failed */
};

/* @name and @password are as sent. */
enum kma_auth kma_auth_check(const struct kma_webconfig *config, const char *name,
			     const char *password);

#endif /* KMA_SERVE_AUTH_H */
