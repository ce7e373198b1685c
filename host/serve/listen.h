/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * listen.h - the sockets that a server listens on: TCP, UNIX, or given by systemd.
 */
#ifndef KMA_SERVE_LISTEN_H
#define KMA_SERVE_LISTEN_H

#include <stdbool.h>

#include "lib/err.h"

#define KMA_LISTEN_MAX 16

struct kma_listener {
	const char *name; /* as given, for messages */
	char *path;	  /* of a UNIX socket that we made, to be removed; or NULL */
	int fd;
	bool local;   /* no other machine reaches it: loopback, or UNIX */
	bool guarded; /* UNIX, and its mode keeps other users out */
	bool names;   /* TCP on loopback: a browser may be led here by a name (DNS) */
};

struct kma_listeners {
	struct kma_listener list[KMA_LISTEN_MAX];
	unsigned int nr;
};

/**
 * kma_listen_open() - listen on an address
 * @listeners: gets one more
 * @address: "127.0.0.1:9770", "[::1]:9770", ":9770" for all, "unix:/run/kma.sock"; stays with
 *	the caller
 *
 * A UNIX socket has mode 0660. One of that name on which no process listens is replaced.
 *
 * Return: NULL or an error: the address is invalid (KMA_ERR_USAGE), or in use.
 */
struct kma_err *kma_listen_open(struct kma_listeners *listeners, const char *address);

/**
 * kma_listen_systemd() - take the sockets that systemd has opened
 * @listeners: gets them
 *
 * Return: NULL or an error: there is none.
 */
struct kma_err *kma_listen_systemd(struct kma_listeners *listeners);

/**
 * kma_listen_close() - close all, and remove UNIX sockets that we made
 * @listeners: empty afterwards
 */
void kma_listen_close(struct kma_listeners *listeners);

#endif /* KMA_SERVE_LISTEN_H */
