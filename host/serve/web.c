// SPDX-License-Identifier: GPL-2.0-only
/*
 * web.c - an HTTP server for a few pages.
 *
 * Each listening socket has a daemon of libmicrohttpd without a thread. The loop below waits for
 * all of them with one poll(2).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "auth.h"
#include "lib/cleanup.h"
#include "lib/say.h"
#include "loaded.h"
#include "web.h"

/* Clients of a socket; from KMA_WEB_FULL on, the oldest one is dropped for each new one. */
#define KMA_WEB_CLIENTS 256
#define KMA_WEB_FULL	192
#define KMA_WEB_MEMORY	4096 /* bytes for the headers of a request */
#define KMA_WEB_SECONDS 30   /* without a byte, after which a client is dropped */
#define KMA_WEB_PAUSE	1000 /* ms of one wait, after which timeouts are checked */

struct kma_web;

/* A client, in a ring in the order of their arrival. */
struct kma_web_client {
	struct kma_web_client *next, *prev;
	int fd;
};

/* A socket and its clients. */
struct kma_web_side {
	struct kma_web *web;
	const struct kma_listener *listener;
	struct MHD_Daemon *daemon;
	struct kma_web_client clients; /* head of the ring */
	unsigned int nr_clients;
};

struct kma_web {
	const struct kma_webconfig *config;
	kma_web_fn answer;
	void *arg;
	char host[256]; /* name of this machine */
	struct kma_web_side sides[KMA_LISTEN_MAX];
	unsigned int nr;
};

/*
 * Drop the oldest client if there are too many. Only shutdown(2) is called: the daemon sees the end
 * of the stream and closes it. The kernel then frees what the client has not read, because with a
 * linger time of 0 it does not wait for that.
 */
static void web_make_room(struct kma_web_side *side)
{
	struct kma_web_client *oldest = side->clients.next;
	const struct linger discard = { .l_onoff = 1, .l_linger = 0 };

	if (side->nr_clients < KMA_WEB_FULL || oldest == &side->clients)
		return;
	setsockopt(oldest->fd, SOL_SOCKET, SO_LINGER, &discard, sizeof(discard));
	shutdown(oldest->fd, SHUT_RDWR);
	/* Remove it from the ring, so that the next one that is dropped is another client. */
	oldest->prev->next = oldest->next;
	oldest->next->prev = oldest->prev;
	oldest->next = oldest->prev = oldest;
	side->nr_clients--;
}

static void web_came(struct kma_web_side *side, struct MHD_Connection *connection, void **ret)
{
	const union MHD_ConnectionInfo *info =
		kma_mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct kma_web_client *client = calloc(1, sizeof(*client));

	*ret = client;
	if (!client || !info)
		return;
	client->fd = info->connect_fd;
	client->next = &side->clients;
	client->prev = side->clients.prev;
	client->prev->next = client;
	side->clients.prev = client;
	side->nr_clients++;
	web_make_room(side);
}

static void web_went(struct kma_web_side *side, struct kma_web_client *client)
{
	if (!client)
		return;
	if (client->next && client->next != client) {
		client->prev->next = client->next;
		client->next->prev = client->prev;
		side->nr_clients--;
	}
	free(client);
}

static void web_notify(void *arg, struct MHD_Connection *connection, void **context,
		       enum MHD_ConnectionNotificationCode code)
{
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		web_came(arg, connection, context);
	else
		web_went(arg, *context);
}

static const char *web_header(struct MHD_Connection *connection, const char *name)
{
	return kma_mhd.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result web_say(struct MHD_Connection *connection, unsigned int status,
			       const char *sentence)
{
	enum MHD_Result result;
	struct MHD_Response *response;

	response = kma_mhd.create_response_from_buffer(strlen(sentence), (void *)sentence,
						       MHD_RESPMEM_PERSISTENT);
	if (!response)
		return MHD_NO;
	kma_mhd.add_response_header(response, "Content-Type", "text/plain; charset=utf-8");
	if (status == MHD_HTTP_UNAUTHORIZED)
		result = kma_mhd.queue_basic_auth_fail_response(connection, "kmem-account",
								response);
	else
		result = kma_mhd.queue_response(connection, status, response);
	kma_mhd.destroy_response(response);
	return result;
}

/*
 * Is the Host header an address or a name of this machine? A page of another site can make the
 * browser of a local user send requests here, by a name that resolves to loopback (DNS rebinding).
 * The Host header then has that name.
 */
static bool web_host_is_ours(const struct kma_web *web, const char *host)
{
	static const char local[] = "localhost";
	char name[256], address[16];
	size_t len;

	if (!host)
		return true;
	if (*host == '[')
		return true;
	len = strcspn(host, ":");
	if (len >= sizeof(name))
		return false;
	memcpy(name, host, len);
	name[len] = '\0';
	if (inet_pton(AF_INET, name, address) == 1 || !strcasecmp(name, web->host))
		return true;
	if (len < strlen(local) || strcasecmp(name + len - strlen(local), local))
		return false;
	return len == strlen(local) || name[len - strlen(local) - 1] == '.';
}

/* Has the client a certificate of the CA that is valid now? @ret_given: it has sent any. */
static bool web_verified(struct MHD_Connection *connection, const struct kma_webconfig *config,
			 bool *ret_given)
{
	const union MHD_ConnectionInfo *info;
	unsigned int status = 0, nr = 0;

	*ret_given = false;
	if (!config->client_ca)
		return false;
	info = kma_mhd.get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
	if (!info || !info->tls_session || !kma_tls.certificate_get_peers(info->tls_session, &nr))
		return false;
	*ret_given = nr;
	return nr && !kma_tls.certificate_verify_peers2(info->tls_session, &status) && !status;
}

/* Check the user. Return 0, or the status and the sentence of the refusal. */
static unsigned int web_user(struct MHD_Connection *connection, const struct kma_webconfig *config,
			     const char **ret_sentence)
{
	char *password = NULL, *name;
	enum kma_auth auth;

	if (!config->nr_users)
		return 0;
	name = kma_mhd.basic_auth_get_username_password(connection, &password);
	auth = name && password ? kma_auth_check(config, name, password) : KMA_AUTH_WRONG;
	if (password)
		explicit_bzero(password, strlen(password));
	kma_mhd.free(name);
	kma_mhd.free(password);
	*ret_sentence = auth == KMA_AUTH_LATER ? "too many wrong passwords; try again later\n" :
						 "a user and a password are needed\n";
	return auth == KMA_AUTH_OK    ? 0 :
	       auth == KMA_AUTH_LATER ? MHD_HTTP_TOO_MANY_REQUESTS :
					MHD_HTTP_UNAUTHORIZED;
}

/* Check a request, like web_user(). @ret_trusted: the client has authenticated itself. */
static unsigned int web_refuse(const struct kma_web_side *side, struct MHD_Connection *connection,
			       const char *method, const char **ret_sentence, bool *ret_trusted)
{
	const struct kma_webconfig *config = side->web->config;
	bool given, verified = web_verified(connection, config, &given);
	unsigned int status;

	if (strcmp(method, "GET") && strcmp(method, "HEAD")) {
		*ret_sentence = "only GET and HEAD are answered\n";
		return MHD_HTTP_METHOD_NOT_ALLOWED;
	}
	if (side->listener->names && !web_host_is_ours(side->web, web_header(connection, "Host"))) {
		*ret_sentence = "the Host header is neither an address nor this machine\n";
		return MHD_HTTP_MISDIRECTED_REQUEST;
	}
	if ((config->client_auth == KMA_CLIENT_VERIFY && !verified) || (given && !verified)) {
		*ret_sentence = "a valid client certificate is needed\n";
		return MHD_HTTP_FORBIDDEN;
	}
	status = web_user(connection, config, ret_sentence);
	*ret_trusted = config->nr_users || verified || side->listener->guarded;
	return status;
}

/* Does a list like "gzip, deflate;q=0.5" have the word, without the refusal q=0? */
static bool web_accepts(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = list; p; p = strchr(p, ',')) {
		p += strspn(p, ", ");
		if (!strncasecmp(p, word, len) && strchr(",; ", p[len]))
			return strncmp(p + len, ";q=0", 4) || p[len + 4] == '.';
	}
	return false;
}

/* Share the body: a slow client may still read its answer when the next client gets a newer one. */
static struct MHD_Response *web_response(const struct kma_web_answer *answer)
{
	struct kma_body *body = answer->body;
	struct MHD_Response *response;

	if (!body)
		return kma_mhd.create_response_from_buffer(
			strlen(answer->sentence), (void *)answer->sentence, MHD_RESPMEM_MUST_COPY);
	response = kma_mhd.create_response_from_buffer_with_free_callback(body->len, body->bytes,
									  kma_body_put_bytes);
	if (response)
		kma_body_get(body);
	return response;
}

static enum MHD_Result web_send(struct MHD_Connection *connection,
				const struct kma_web_answer *answer)
{
	struct MHD_Response *response = web_response(answer);
	enum MHD_Result result;
	char file[128];

	if (!response)
		return MHD_NO;
	kma_mhd.add_response_header(response, "Content-Type", answer->type);
	kma_mhd.add_response_header(response, "X-Content-Type-Options", "nosniff");
	kma_mhd.add_response_header(response, "Content-Security-Policy",
				    "default-src 'none'; style-src 'unsafe-inline'");
	if (answer->gzip)
		kma_mhd.add_response_header(response, "Content-Encoding", "gzip");
	if (answer->file) {
		snprintf(file, sizeof(file), "attachment; filename=\"%s\"", answer->file);
		kma_mhd.add_response_header(response, "Content-Disposition", file);
	}
	result = kma_mhd.queue_response(connection, answer->status, response);
	kma_mhd.destroy_response(response);
	return result;
}

static enum MHD_Result web_handle(void *arg, struct MHD_Connection *connection, const char *url,
				  const char *method, const char *version, const char *upload,
				  size_t *upload_len, void **context)
{
	static int seen;
	struct kma_web_side *side = arg;
	struct kma_web_answer answer = { .status = MHD_HTTP_OK, .type = "text/plain" };
	struct kma_web_request request = { .path = url };
	const char *encodings, *sentence = "";
	unsigned int status;

	(void)version;
	(void)upload;
	/* The first call has only the headers. A body is read and ignored. */
	if (!*context) {
		*context = &seen;
		return MHD_YES;
	}
	if (*upload_len) {
		*upload_len = 0;
		return MHD_YES;
	}
	status = web_refuse(side, connection, method, &sentence, &request.trusted);
	if (status)
		return web_say(connection, status, sentence);
	encodings = web_header(connection, "Accept-Encoding");
	request.accept = web_header(connection, "Accept") ?: "";
	request.gzip = encodings && web_accepts(encodings, "gzip");
	side->web->answer(side->web->arg, &request, &answer);
	return web_send(connection, &answer);
}

/* Drop the library's own messages, which are about single connections. */
static void web_quiet(void *arg, const char *format, va_list args)
{
	(void)arg;
	(void)format;
	(void)args;
}

static struct MHD_Daemon *web_start(struct kma_web_side *side)
{
	const struct kma_webconfig *config = side->web->config;
	const char *priorities = config->min_version > 12 ?
					 "SECURE128:-VERS-ALL:+VERS-TLS1.3" :
					 "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";
	struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, config->cert },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, config->key },
		{ MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)priorities },
		{ config->client_ca ? MHD_OPTION_HTTPS_MEM_TRUST : MHD_OPTION_END, 0,
		  config->client_ca },
		{ MHD_OPTION_END, 0, NULL },
	};

	if (!config->cert)
		tls[0] = tls[4];
	return kma_mhd.start_daemon(
		MHD_USE_EPOLL | MHD_USE_ERROR_LOG | (config->cert ? MHD_USE_TLS : 0), 0, NULL, NULL,
		web_handle, side, MHD_OPTION_EXTERNAL_LOGGER, web_quiet, NULL,
		MHD_OPTION_LISTEN_SOCKET, side->listener->fd, MHD_OPTION_CONNECTION_LIMIT,
		KMA_WEB_CLIENTS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)KMA_WEB_MEMORY,
		MHD_OPTION_CONNECTION_TIMEOUT, KMA_WEB_SECONDS, MHD_OPTION_NOTIFY_CONNECTION,
		web_notify, side, MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
}

static struct kma_err *web_open(struct kma_web *web, const struct kma_listener *listener,
				struct pollfd *ret)
{
	struct kma_web_side *side = &web->sides[web->nr];
	const union MHD_DaemonInfo *info;

	*side = (struct kma_web_side){ .web = web, .listener = listener };
	side->clients.next = side->clients.prev = &side->clients;
	errno = 0;
	side->daemon = web_start(side);
	if (!side->daemon)
		return kma_err_create(
			listener->name, 0, "cannot start the HTTP server: %s",
			web->config->cert ?
				"the key does not match the certificate, or is corrupt" :
			errno ? strerror(errno) :
				"libmicrohttpd gives no reason");
	web->nr++;
	info = kma_mhd.get_daemon_info(side->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	*ret = (struct pollfd){ .fd = info ? info->epoll_fd : -1, .events = POLLIN };
	return NULL;
}

static struct kma_err *web_loop(struct kma_web *web, struct pollfd *fds)
{
	for (;;) {
		int wait = KMA_WEB_PAUSE;

		for (unsigned int i = 0; i < web->nr; i++) {
			MHD_UNSIGNED_LONG_LONG ms;

			kma_mhd.run(web->sides[i].daemon);
			if (kma_mhd.get_timeout(web->sides[i].daemon, &ms) == MHD_YES &&
			    ms < (unsigned int)wait)
				wait = ms;
		}
		if (poll(fds, web->nr, wait) < 0 && errno != EINTR)
			return kma_err_create(NULL, 0, "serve: cannot wait for requests: %s",
					      strerror(errno));
	}
}

/* Says where the server listens, and who may read what there. */
static void web_announce(const struct kma_listeners *listeners, const struct kma_webconfig *config)
{
	for (unsigned int i = 0; i < listeners->nr; i++) {
		const struct kma_listener *listener = &listeners->list[i];
		bool certificate = config->client_auth == KMA_CLIENT_VERIFY;
		const char *who = config->nr_users  ? "its users, with a password" :
				  certificate	    ? "clients with a certificate" :
				  listener->guarded ? "the owner and the group of the socket" :
				  listener->local   ? "all users of this machine" :
						      "everyone who reaches it";
		bool http = strncmp(listener->name, "unix:", strlen("unix:")) &&
			    strchr(listener->name, ':');

		/* ":9770" is two sockets */
		if (i && !strcmp(listener->name, listeners->list[i - 1].name))
			continue;
		kma_warn(
			"serve: listening on %s%s%s: metrics%s for %s%s",
			!http	     ? "" :
			config->cert ? "https://" :
				       "http://",
			*listener->name == ':' ? "*" : "", listener->name,
			config->nr_users || certificate || listener->guarded ? " and profiles" : "",
			who,
			config->nr_users || certificate || listener->guarded ?
				"" :
			config->client_ca ?
				"; profiles for clients with a certificate" :
				"; no profiles: these need users or client certificates (--web.config.file), or a UNIX socket");
	}
}

struct kma_err *kma_web_run(const struct kma_listeners *listeners,
			    const struct kma_webconfig *config, kma_web_fn answer, void *arg)
{
	struct kma_web web = { .config = config, .answer = answer, .arg = arg };
	struct pollfd fds[KMA_LISTEN_MAX];
	struct kma_err *err = NULL;

	/* A client that disconnects while it is answered must not end the program. */
	signal(SIGPIPE, SIG_IGN);
	if (gethostname(web.host, sizeof(web.host) - 1))
		web.host[0] = '\0';
	for (unsigned int i = 0; i < listeners->nr && !err; i++)
		err = web_open(&web, &listeners->list[i], &fds[i]);
	if (!err) {
		web_announce(listeners, config);
		err = web_loop(&web, fds);
	}
	for (unsigned int i = 0; i < web.nr; i++)
		kma_mhd.stop_daemon(web.sides[i].daemon);
	return err;
}
