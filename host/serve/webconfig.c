// SPDX-License-Identifier: GPL-2.0-only
/*
 * webconfig.c - read the configuration file of exporter-toolkit.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "loaded.h"
#include "webconfig.h"

static const char *const client_auths[KMA_NR_CLIENT_AUTHS] = {
	[KMA_CLIENT_NONE] = "NoClientCert",
	[KMA_CLIENT_REQUEST] = "RequestClientCert",
	[KMA_CLIENT_ANY] = "RequireAnyClientCert",
	[KMA_CLIENT_IF_GIVEN] = "VerifyClientCertIfGiven",
	[KMA_CLIENT_VERIFY] = "RequireAndVerifyClientCert",
};

/* Keys of tls_server_config that name a file. */
static const struct {
	const char *key;
	size_t member;
} kma_webconfig_files[] = {
	{ "cert_file", offsetof(struct kma_webconfig, cert_file) },
	{ "key_file", offsetof(struct kma_webconfig, key_file) },
	{ "client_ca_file", offsetof(struct kma_webconfig, client_ca_file) },
};

/* Keys of tls_server_config, for a message. */
static const char webconfig_keys[] =
	"cert_file, key_file, client_ca_file, client_auth_type or min_version";

/* One line of the file. */
struct kma_webconfig_line {
	const char *path;
	unsigned int line;
	bool indented;	   /* it belongs to the section before */
	char *key, *value; /* without quotes and comments; @value is "" for an empty value */
};

static struct kma_err *webconfig_client_auth(const struct kma_webconfig_line *in,
					     struct kma_webconfig *ret)
{
	for (unsigned int i = 0; i < KMA_NR_CLIENT_AUTHS; i++)
		if (!strcmp(client_auths[i], in->value)) {
			ret->client_auth = i;
			return NULL;
		}
	return kma_err_create(in->path, in->line,
			      "invalid client_auth_type '%s' (expected %s, %s, %s, %s or %s)",
			      in->value, client_auths[0], client_auths[1], client_auths[2],
			      client_auths[3], client_auths[4]);
}

static struct kma_err *webconfig_version(const struct kma_webconfig_line *in,
					 struct kma_webconfig *ret)
{
	if (strcmp(in->value, "TLS12") && strcmp(in->value, "TLS13"))
		return kma_err_create(in->path, in->line,
				      "invalid min_version '%s' (expected TLS12 or TLS13)",
				      in->value);
	ret->min_version = strcmp(in->value, "TLS12") ? 13 : 12;
	return NULL;
}

static struct kma_err *webconfig_tls(const struct kma_webconfig_line *in, struct kma_webconfig *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_webconfig_files); i++) {
		char **member = (char **)((char *)ret + kma_webconfig_files[i].member);
		const char *slash = strrchr(in->path, '/');
		int dir = slash && *in->value != '/' ? slash + 1 - in->path : 0;

		if (strcmp(kma_webconfig_files[i].key, in->key))
			continue;
		free(*member);
		*member = kma_xasprintf("%.*s%s", dir, in->path, in->value);
		return NULL;
	}
	if (!strcmp(in->key, "client_auth_type"))
		return webconfig_client_auth(in, ret);
	if (!strcmp(in->key, "min_version"))
		return webconfig_version(in, ret);
	return kma_err_create(in->path, in->line, "unknown key '%s' (expected %s)", in->key,
			      webconfig_keys);
}

static struct kma_err *webconfig_user(const struct kma_webconfig_line *in,
				      struct kma_webconfig *ret)
{
	struct kma_web_user *users;

	/* A bcrypt hash is "$2y$10$" and 53 characters. */
	if (strncmp(in->value, "$2", 2) || strlen(in->value) != 60)
		return kma_err_create(in->path, in->line,
				      "password of '%s' is not a bcrypt hash; use htpasswd -nB",
				      in->key);
	users = kma_xrealloc(ret->users, (ret->nr_users + 1) * sizeof(*users), 1);
	ret->users = users;
	users[ret->nr_users] = (struct kma_web_user){ .name = kma_xstrdup(in->key),
						      .hash = kma_xstrdup(in->value) };
	ret->nr_users++;
	return NULL;
}

static const struct {
	const char *name;
	struct kma_err *(*take)(const struct kma_webconfig_line *in, struct kma_webconfig *ret);
} kma_webconfig_sections[] = {
	{ "tls_server_config", webconfig_tls },
	{ "basic_auth_users", webconfig_user },
};

/* Split a line; remove quotes, comments and blanks. False if nothing is left. */
static bool webconfig_split(char *line, struct kma_webconfig_line *ret)
{
	char *p = line + strspn(line, " "), *colon, *end;

	if (!*p || *p == '#' || !strcmp(p, "---"))
		return false;
	ret->indented = p > line;
	ret->key = p;
	colon = strchr(p, ':');
	ret->value = colon ? colon + 1 + strspn(colon + 1, " ") : NULL;
	if (!colon)
		return true;
	*colon = '\0';
	if (*ret->value == '"' || *ret->value == '\'') {
		end = strchr(ret->value + 1, *ret->value);
		ret->value++;
	} else {
		end = *ret->value == '#' ? ret->value : strstr(ret->value, " #");
	}
	if (end)
		*end = '\0';
	end = ret->value + strlen(ret->value);
	while (end > ret->value && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return true;
}

static struct kma_err *webconfig_parse(const char *path, char *text, struct kma_webconfig *ret)
{
	struct kma_webconfig_line in = { .path = path };
	size_t section = ARRAY_SIZE(kma_webconfig_sections);
	struct kma_err *err = NULL;
	char *line;

	while (!err && (line = strsep(&text, "\n"))) {
		in.line++;
		if (!webconfig_split(line, &in))
			continue;
		if (!in.value)
			return kma_err_create(path, in.line, "expected 'key: value', found '%s'",
					      in.key);
		if (in.indented && section < ARRAY_SIZE(kma_webconfig_sections)) {
			err = kma_webconfig_sections[section].take(&in, ret);
			continue;
		}
		for (section = 0; section < ARRAY_SIZE(kma_webconfig_sections); section++)
			if (!strcmp(kma_webconfig_sections[section].name, in.key))
				break;
		if (in.indented || section == ARRAY_SIZE(kma_webconfig_sections))
			return kma_err_create(
				path, in.line,
				"unknown key '%s' (expected tls_server_config or basic_auth_users)",
				in.key);
	}
	return err;
}

static struct kma_err *webconfig_slurp(const char *path, char **ret)
{
	size_t len;

	return path ? kma_file_slurp(path, ret, &len) : NULL;
}

/*
 * Refuse an expired certificate: each scrape would fail, with a message that is hard to understand.
 */
static struct kma_err *webconfig_date(const struct kma_webconfig *config)
{
	const gnutls_datum_t data = { .data = (unsigned char *)config->cert,
				      .size = strlen(config->cert) };
	struct kma_err *err = NULL;
	gnutls_x509_crt_t cert;
	char date[32];
	struct tm tm;
	time_t until;

	if (kma_tls.x509_crt_init(&cert))
		kma_atend_no_memory();
	if (kma_tls.x509_crt_import(cert, &data, GNUTLS_X509_FMT_PEM)) {
		err = kma_err_create(config->cert_file, 0, "not a certificate (PEM)");
	} else {
		until = kma_tls.x509_crt_get_expiration_time(cert);
		if (until < time(NULL) && gmtime_r(&until, &tm)) {
			strftime(date, sizeof(date), "%Y-%m-%d", &tm);
			err = kma_err_create(config->cert_file, 0,
					     "the certificate expired on %s; renew it", date);
		}
	}
	kma_tls.x509_crt_deinit(cert);
	return err;
}

static struct kma_err *webconfig_check(const char *path, struct kma_webconfig *config)
{
	struct kma_err *err;

	if (!config->cert_file != !config->key_file)
		return kma_err_create(path, 0, "cert_file and key_file must be given together");
	if (config->client_ca_file && !config->cert_file)
		return kma_err_create(path, 0, "client_ca_file needs cert_file");
	if (config->client_auth >= KMA_CLIENT_IF_GIVEN && !config->client_ca_file)
		return kma_err_create(path, 0, "client_auth_type %s needs client_ca_file",
				      client_auths[config->client_auth]);
	if (config->client_auth && config->client_auth < KMA_CLIENT_IF_GIVEN)
		return kma_err_create(path, 0,
				      "client_auth_type %s is not supported: it verifies nothing",
				      client_auths[config->client_auth]);
	err = webconfig_slurp(config->cert_file, &config->cert);
	err = err ?: webconfig_slurp(config->key_file, &config->key);
	err = err ?: webconfig_slurp(config->client_ca_file, &config->client_ca);
	return err || !config->cert ? err : webconfig_date(config);
}

struct kma_err *kma_webconfig_read(const char *path, struct kma_webconfig *ret)
{
	_cleanup_free_ char *text = NULL;
	struct kma_err *err;
	size_t len;

	ret->min_version = 12;
	err = kma_file_slurp(path, &text, &len);
	if (err)
		return err;
	err = webconfig_parse(path, text, ret);
	return err ?: webconfig_check(path, ret);
}

void kma_webconfig_deinit(struct kma_webconfig *config)
{
	if (config->key)
		explicit_bzero(config->key, strlen(config->key));
	for (size_t i = 0; i < config->nr_users; i++) {
		free(config->users[i].name);
		free(config->users[i].hash);
	}
	free(config->users);
	free(config->cert_file);
	free(config->key_file);
	free(config->client_ca_file);
	free(config->cert);
	free(config->key);
	free(config->client_ca);
	*config = (struct kma_webconfig){ 0 };
}
