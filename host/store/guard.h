/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * guard.h - limits what SQLite may spend on a file, which may be foreign: the sizes of values and
 * statements, the time of a statement, and the memory.
 *
 * A statement may spend 10 s of a CPU in SQLite, and SQLite may use 512 MB, for each 100 MB begun
 * of the file. The time of the caller between two rows does not count. SQLite has one limit of
 * memory for the whole program, so that of the largest file counts.
 *
 * Locking: none here. A guard belongs to the thread of its connection.
 */
#ifndef KMA_STORE_GUARD_H
#define KMA_STORE_GUARD_H

#include <sqlite3.h>
#include <stdint.h>

#include "lib/err.h"

struct kma_guard {
	uint64_t limit; /* ns of the CPU that a statement may spend in SQLite */
	uint64_t spent; /* ns that the statement has spent before @began */
	uint64_t began; /* the thread's CPU time when SQLite was called, in ns; 0: it does not run */
};

/**
 * kma_guard_create() - limit a connection
 * @sql: the connection
 * @size: bytes of the file
 *
 * Return: the guard; free() it after the connection was closed.
 */
struct kma_guard *kma_guard_create(sqlite3 *sql, uint64_t size);

/* A new statement begins; NULL: the connection has no guard, also below. */
void kma_guard_reset(struct kma_guard *guard);

/* SQLite is about to run. */
void kma_guard_enter(struct kma_guard *guard);

/* SQLite has returned. */
void kma_guard_leave(struct kma_guard *guard);

#endif /* KMA_STORE_GUARD_H */
