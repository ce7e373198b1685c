// SPDX-License-Identifier: GPL-2.0-only
/*
 * auth.c - check users and their passwords.
 */
#include <crypt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "auth.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "loaded.h"

#define KMA_AUTH_WRONG_MAX 5  /* in a second */
#define KMA_AUTH_DIGEST	   32 /* bytes of a SHA-256 */
#define KMA_AUTH_COST	   4  /* where a hash of bcrypt has its cost: two digits */
#define KMA_AUTH_COST_LEN  2

/* Hash of a random password that was not kept; its cost is replaced by those of the users. */
static const char auth_nobody[] = "$2y$10$kmemaccountnobodyhas1ugMv3w7RNb6/AdfKgyqdPWMj33g5wU3q";

/* Digest of the last correct user and password. */
static unsigned char auth_last[KMA_AUTH_DIGEST];
static bool auth_has_last;

static bool auth_digest(const char *hash, const char *name, const char *password,
			unsigned char ret[KMA_AUTH_DIGEST])
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	kma_strbuf_add(&text, hash, strlen(hash) + 1);
	kma_strbuf_add(&text, name, strlen(name) + 1);
	kma_strbuf_add(&text, password, strlen(password) + 1);
	return !kma_tls.hash_fast(GNUTLS_DIG_SHA256, text.str, text.len, ret);
}

/* Were there too many wrong passwords in this second? @wrong: count one more. */
static bool auth_many(bool wrong)
{
	static time_t second;
	static unsigned int count;
	time_t now = time(NULL);

	if (now != second)
		count = 0;
	second = now;
	count += wrong;
	return count >= KMA_AUTH_WRONG_MAX;
}

static bool auth_bcrypt(const char *hash, const char *password)
{
	_cleanup_free_ struct crypt_data *data = calloc(1, sizeof(*data));
	const char *got = data ? crypt_r(password, hash, data) : NULL;

	return got && strlen(got) == strlen(hash) && !kma_tls.memcmp(got, hash, strlen(hash));
}

/* Compares two names in constant time: by their digests. False also if GnuTLS makes none. */
static bool auth_same(const char *a, const char *b)
{
	unsigned char one[KMA_AUTH_DIGEST], two[KMA_AUTH_DIGEST];

	return auth_digest("", a, "", one) && auth_digest("", b, "", two) &&
	       !kma_tls.memcmp(one, two, sizeof(one));
}

static bool auth_costs_as(const char *hash, const char *other)
{
	return !strncmp(hash + KMA_AUTH_COST, other + KMA_AUTH_COST, KMA_AUTH_COST_LEN);
}

/*
 * Check the password by one hash of each cost that any user has: by that of the user, or of nobody.
 * So the time does not depend on the name. @hash: of the user; NULL: unknown.
 */
static bool auth_right(const struct kma_webconfig *config, const char *hash, const char *password)
{
	bool right = false, seen;

	for (size_t i = 0; i < config->nr_users; i++) {
		const char *cost = config->users[i].hash;
		char nobody[sizeof(auth_nobody)];
		bool own = hash && auth_costs_as(hash, cost), same;

		seen = false;
		for (size_t k = 0; k < i && !seen; k++)
			seen = auth_costs_as(config->users[k].hash, cost);
		if (seen)
			continue;
		memcpy(nobody, auth_nobody, sizeof(nobody));
		memcpy(nobody + KMA_AUTH_COST, cost + KMA_AUTH_COST, KMA_AUTH_COST_LEN);
		same = auth_bcrypt(own ? hash : nobody, password);
		right |= own && same;
	}
	return right;
}

enum kma_auth kma_auth_check(const struct kma_webconfig *config, const char *name,
			     const char *password)
{
	unsigned char digest[KMA_AUTH_DIGEST];
	const char *hash = NULL;

	for (size_t i = 0; i < config->nr_users; i++)
		if (auth_same(config->users[i].name, name))
			hash = config->users[i].hash;
	if (!auth_digest(hash ?: auth_nobody, name, password, digest))
		return KMA_AUTH_LATER;
	if (hash && auth_has_last && !kma_tls.memcmp(digest, auth_last, sizeof(digest)))
		return KMA_AUTH_OK;
	if (auth_many(false))
		return KMA_AUTH_LATER;
	if (!auth_right(config, hash, password)) {
		auth_many(true);
		return KMA_AUTH_WRONG;
	}
	memcpy(auth_last, digest, sizeof(digest));
	auth_has_last = true;
	return KMA_AUTH_OK;
}
