/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * auth.h - users and their passwords.
 */
#ifndef KMA_SERVE_AUTH_H
#define KMA_SERVE_AUTH_H

#include "webconfig.h"

enum kma_auth {
	KMA_AUTH_OK,
	KMA_AUTH_WRONG,
	KMA_AUTH_LATER, /* too many wrong passwords in this second */
};

/**
 * kma_auth_check() - is it the password of a user?
 * @config: the users
 * @name: of the user
 * @password: as sent
 *
 * A bcrypt takes a tenth of a second, so the last right answer is kept (as a hash of both texts),
 * and wrong passwords are refused without a look when there are too many. An unknown user takes as
 * long as a known one.
 *
 * Return: see above.
 */
enum kma_auth kma_auth_check(const struct kma_webconfig *config, const char *name,
			     const char *password);

#endif /* KMA_SERVE_AUTH_H */
