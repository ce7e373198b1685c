// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-auth.c - host/serve/auth: a refusal does the same work for every name. The test takes
 * the place of crypt_r() and writes down what was asked of it; it measures no time.
 */
#include <crypt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "serve/auth.h"
#include "serve/loaded.h"

#include "ktap.h"

/* Hashes of three costs; no password gives one of them here. */
#define HASH(cost) "$2y$" cost "$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz01234"

static char asked[64]; /* the costs, in order */

char *crypt_r(const char *phrase, const char *setting, struct crypt_data *data)
{
	strncat(asked, setting, 7);
	/* the right password gives the hash itself */
	snprintf(data->output, sizeof(data->output), "%s",
		 strcmp(phrase, "right") ? "*0" : setting);
	return data->output;
}

static struct kma_web_user users[] = {
	{ "alice", HASH("05") },
	{ "bob", HASH("12") },
	{ "carol", HASH("05") },
	{ "dave", HASH("10") },
};
static const struct kma_webconfig config = { .users = users, .nr_users = ARRAY_SIZE(users) };

static enum kma_auth check(const char *name, const char *password)
{
	asked[0] = '\0';
	return kma_auth_check(&config, name, password);
}

TEST(a_refusal_does_the_same_for_every_name)
{
	static const char *const names[] = { "alice", "bob", "dave", "nobody" };

	REQUIRE(!kma_serve_load());
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		EXPECT_EQ(check(names[i], "wrong"), KMA_AUTH_WRONG);
		EXPECT(!strcmp(asked, "$2y$05$$2y$12$$2y$10$"));
	}
}

TEST(nobody_has_no_right_password)
{
	REQUIRE(!kma_serve_load());
	/* at most five wrong ones are checked in a second */
	EXPECT(check("nobody", "right") != KMA_AUTH_OK);
	EXPECT(check("", "right") != KMA_AUTH_OK);
}

TEST_MAIN()
