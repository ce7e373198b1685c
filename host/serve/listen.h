/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * listen.h - the sockets that a server listens on: TCP sockets, UNIX sockets, or sockets from
 * systemd.
 */
#ifndef KMA_SERVE_LISTEN_H
#define KMA_SERVE_LISTEN_H

#include <stdbool.h>

#include "lib/err.h"

#define KMA_LISTEN_MAX 16 /* sockets */

struct kma_listener {
	const char *name; /* the address as given, for messages */
	char *path;	  /* of a UNIX socket that this program created, to be removed; or NULL */
	int fd;
	bool local;   /* other machines cannot connect: loopback, or UNIX */
	bool guarded; /* UNIX, and its mode does not let other users connect */
	bool names;   /* TCP on loopback: a browser can be led here by a name (DNS rebinding) */
};

struct kma_listeners {
	struct kma_listener list[KMA_LISTEN_MAX];
	unsigned int nr;
};

/*
 * Adds the sockets of an address, which must live as long as @listeners: "127.0.0.1:9770",
 * "[::1]:9770", ":9770" for all, "unix:/run/kma.sock". A UNIX socket has mode 0660; an existing one
 * is replaced if no process listens on it. It is an error if the address is invalid
 * (KMA_ERR_USAGE), or in use.
 */
struct kma_err *kma_listen_open(struct kma_listeners *listeners, const char *address);

/*
 * Takes the sockets that systemd has opened (sd_listen_fds(3)); it is an error if there are none.
 */
struct kma_err *kma_listen_systemd(struct kma_listeners *listeners);

/* Removes UNIX sockets that this program created, too. */
void kma_listen_close(struct kma_listeners *listeners);

#endif /* KMA_SERVE_LISTEN_H */
