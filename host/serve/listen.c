// SPDX-License-Identifier: GPL-2.0-only
/*
 * listen.c - the sockets that a server listens on.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/atend.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "listen.h"

#define KMA_LISTEN_BACKLOG 1024
#define KMA_LISTEN_UNIX	   "unix:"
/* Descriptor of the first socket from systemd, sd_listen_fds(3). */
#define KMA_LISTEN_FIRST 3

/*
 * Bytes of an answer that the kernel buffers for a client that does not read, and ms until it drops
 * such a client. Without a limit the kernel buffers the whole answer: 454 MB for 1,000 such clients
 * and an answer of 600 KB.
 */
#define KMA_LISTEN_UNSENT    (64 * 1024)
#define KMA_LISTEN_UNSENT_MS 30000

/* Set the limits; the sockets of clients inherit them. UNIX sockets have a limit of their own. */
static void listen_bound(int fd)
{
	int bytes = KMA_LISTEN_UNSENT;
	unsigned int ms = KMA_LISTEN_UNSENT_MS;

	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof(ms));
}

/* Find out who can connect to a socket that listens already. */
static void listen_look(struct kma_listener *listener)
{
	struct sockaddr_storage addr = { 0 };
	const struct sockaddr_in *in = (const struct sockaddr_in *)&addr;
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&addr;
	const struct sockaddr_un *un = (const struct sockaddr_un *)&addr;
	socklen_t len = sizeof(addr);
	struct stat st;

	if (getsockname(listener->fd, (struct sockaddr *)&addr, &len))
		return;
	switch (addr.ss_family) {
	case AF_INET:
		listener->names = ntohl(in->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
		break;
	case AF_INET6:
		listener->names = IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
		break;
	case AF_UNIX:
		listener->local = true;
		listener->guarded = *un->sun_path && !stat(un->sun_path, &st) &&
				    !(st.st_mode & 0007);
		break;
	}
	listener->local |= listener->names;
}

static struct kma_err *listen_failed(const char *name, const char *what)
{
	return kma_err_create(name, 0, "cannot %s: %s%s", what, strerror(errno),
			      errno == EADDRINUSE ? "; another process uses the address" : "");
}

static void listen_add(struct kma_listeners *listeners, const char *name, int fd, char *path)
{
	struct kma_listener *listener = &listeners->list[listeners->nr++];

	*listener = (struct kma_listener){ .name = name, .fd = fd, .path = path };
	listen_look(listener);
	listen_bound(fd);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* Does a process listen on this UNIX socket? If so, it is left alone. */
static bool listen_answers(const struct sockaddr_un *addr)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool answers = fd >= 0 && !connect(fd, (const struct sockaddr *)addr, sizeof(*addr));

	if (fd >= 0)
		close(fd);
	return answers;
}

/* Listen on a UNIX socket. Its mode is set by umask, so it is in force before a client can come. */
static struct kma_err *listen_unix(struct kma_listeners *listeners, const char *name)
{
	const char *path = name + strlen(KMA_LISTEN_UNIX);
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct kma_err *err = NULL;
	struct stat st;
	mode_t mask;
	int fd;

	if (!*path || strlen(path) >= sizeof(addr.sun_path))
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "serve: invalid path in '%s' (expected 1 to %zu bytes)",
					   name, sizeof(addr.sun_path) - 1);
	memcpy(addr.sun_path, path, strlen(path) + 1);
	if (!lstat(path, &st) && S_ISSOCK(st.st_mode) && !listen_answers(&addr)) {
		if (st.st_uid != geteuid())
			return kma_err_create(
				name, 0,
				"cannot listen: the socket belongs to another user; use another path");
		unlink(path);
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	mask = umask(0117);
	if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof(addr)) ||
	    listen(fd, KMA_LISTEN_BACKLOG))
		err = listen_failed(name, "listen");
	umask(mask);
	if (err) {
		if (fd >= 0)
			close(fd);
		return err;
	}
	kma_atend_unlink(AT_FDCWD, path);
	listen_add(listeners, name, fd, strdup(path));
	return NULL;
}

static struct kma_err *listen_invalid(const char *address, const char *why)
{
	return kma_err_create_kind(
		KMA_ERR_USAGE, NULL, 0,
		"serve: invalid address '%s'%s%s (expected HOST:PORT, :PORT or unix:PATH)", address,
		*why ? ": " : "", why);
}

static struct kma_err *listen_one(struct kma_listeners *listeners, const char *name,
				  const struct addrinfo *info)
{
	struct kma_err *err = NULL;
	int fd, on = 1;

	if (listeners->nr == KMA_LISTEN_MAX)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "serve: more than %d addresses to listen on",
					   KMA_LISTEN_MAX);
	fd = socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC, info->ai_protocol);
	if (fd < 0)
		return listen_failed(name, "listen");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	/* ":9770" is two sockets, one for each protocol. */
	if (info->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (bind(fd, info->ai_addr, info->ai_addrlen) || listen(fd, KMA_LISTEN_BACKLOG))
		err = listen_failed(name, "listen");
	if (!err) {
		listen_add(listeners, name, fd, NULL);
		return NULL;
	}
	close(fd);
	return err;
}

static struct kma_err *listen_tcp(struct kma_listeners *listeners, const char *name)
{
	_cleanup_free_ char *host = NULL;
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
	const char *colon = strrchr(name, ':');
	struct addrinfo *infos;
	struct kma_err *err = NULL;
	size_t len;
	char *end;
	int code;

	if (!colon || !colon[1] || strtoul(colon + 1, &end, 10) > 65535 || *end)
		return listen_invalid(name, "");
	len = colon - name;
	host = *name == '[' && len > 1 && name[len - 1] == ']' ? kma_xstrndup(name + 1, len - 2) :
								 kma_xstrndup(name, len);
	code = getaddrinfo(*host ? host : NULL, colon + 1, &hints, &infos);
	if (code)
		return listen_invalid(name, gai_strerror(code));
	for (const struct addrinfo *info = infos; info && !err; info = info->ai_next) {
		err = listen_one(listeners, name, info);
		/* On a machine without IPv6, ":PORT" listens on all of IPv4. */
		if (err && !*host && info->ai_family == AF_INET6 && errno == EAFNOSUPPORT) {
			kma_err_destroy(err);
			err = NULL;
		}
	}
	freeaddrinfo(infos);
	return err;
}

struct kma_err *kma_listen_open(struct kma_listeners *listeners, const char *address)
{
	if (listeners->nr == KMA_LISTEN_MAX)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "serve: more than %d addresses to listen on",
					   KMA_LISTEN_MAX);
	if (!strncmp(address, KMA_LISTEN_UNIX, strlen(KMA_LISTEN_UNIX)))
		return listen_unix(listeners, address);
	return listen_tcp(listeners, address);
}

struct kma_err *kma_listen_systemd(struct kma_listeners *listeners)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
	long nr = fds ? strtol(fds, NULL, 10) : 0;

	if (!pid || strtol(pid, NULL, 10) != getpid() || nr < 1)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"serve: --web.systemd-socket: systemd has given no socket; start the socket unit");
	if (nr > KMA_LISTEN_MAX)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "serve: more than %d addresses to listen on",
					   KMA_LISTEN_MAX);
	for (int i = 0; i < nr; i++) {
		fcntl(KMA_LISTEN_FIRST + i, F_SETFD, FD_CLOEXEC);
		listen_add(listeners, "socket of systemd", KMA_LISTEN_FIRST + i, NULL);
	}
	return NULL;
}

void kma_listen_close(struct kma_listeners *listeners)
{
	for (unsigned int i = 0; i < listeners->nr; i++) {
		struct kma_listener *listener = &listeners->list[i];

		close(listener->fd);
		if (listener->path) {
			unlink(listener->path);
			kma_atend_keep(AT_FDCWD, listener->path);
		}
		free(listener->path);
	}
	listeners->nr = 0;
}
