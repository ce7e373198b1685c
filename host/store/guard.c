// SPDX-License-Identifier: GPL-2.0-only
/*
 * guard.c - limits what SQLite may spend on a file.
 */
#include <stdlib.h>
#include <time.h>

#include "guard.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/clock.h"

#define KMA_GUARD_UNIT	 100000000U /* bytes of a file for which the next two are allowed */
#define KMA_GUARD_NS	 10000000000ULL
#define KMA_GUARD_MEMORY 512000000ULL
#define KMA_GUARD_OPS	 10000 /* steps of SQLite's machine between two looks at the clock */

/* Far above what the statements of this program and the tables of its files need. */
static const struct {
	int what, most;
} kma_guard_limits[] = {
	{ SQLITE_LIMIT_LENGTH, 256 << 20 },
	{ SQLITE_LIMIT_SQL_LENGTH, 1 << 20 },
	{ SQLITE_LIMIT_COLUMN, 1000 },
	{ SQLITE_LIMIT_EXPR_DEPTH, 100 },
	{ SQLITE_LIMIT_COMPOUND_SELECT, 20 },
	{ SQLITE_LIMIT_VDBE_OP, 1000000 },
	{ SQLITE_LIMIT_FUNCTION_ARG, 100 },
	{ SQLITE_LIMIT_ATTACHED, 0 },
	{ SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000 },
	{ SQLITE_LIMIT_TRIGGER_DEPTH, 10 },
	{ SQLITE_LIMIT_WORKER_THREADS, 0 },
};

/* SQLite calls this; it ends the statement if the result is not 0. */
static int kma_guard_progress(void *arg)
{
	const struct kma_guard *guard = arg;

	return guard->began &&
	       guard->spent + (kma_clock(CLOCK_THREAD_CPUTIME_ID) - guard->began) > guard->limit;
}

void kma_guard_reset(struct kma_guard *guard)
{
	if (guard)
		guard->spent = 0;
}

void kma_guard_enter(struct kma_guard *guard)
{
	if (guard)
		guard->began = kma_clock(CLOCK_THREAD_CPUTIME_ID);
}

void kma_guard_leave(struct kma_guard *guard)
{
	if (!guard)
		return;
	guard->spent += kma_clock(CLOCK_THREAD_CPUTIME_ID) - guard->began;
	guard->began = 0;
}

/* Allow the memory of this file, unless that of a larger one is allowed. */
static void kma_guard_memory(uint64_t bytes)
{
	uint64_t now = sqlite3_hard_heap_limit64(-1);

	if (now < bytes)
		sqlite3_hard_heap_limit64(bytes);
}

struct kma_guard *kma_guard_create(sqlite3 *sql, uint64_t size)
{
	uint64_t units = size / KMA_GUARD_UNIT + 1;
	struct kma_guard *guard = kma_xcalloc(1, sizeof(*guard));

	guard->limit = units * KMA_GUARD_NS;
	for (size_t i = 0; i < ARRAY_SIZE(kma_guard_limits); i++)
		sqlite3_limit(sql, kma_guard_limits[i].what, kma_guard_limits[i].most);
	sqlite3_progress_handler(sql, KMA_GUARD_OPS, kma_guard_progress, guard);
	kma_guard_memory(units * KMA_GUARD_MEMORY);
	return guard;
}
