/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-file.h - the file of an event log (module/uapi/kmem_account.h): its header, and the position
 * of each CPU's bytes in it. Only for log*.c.
 *
 * The file is mapped and walked once, from the head of one chunk to that of the next; no byte of
 * the streams is touched. A corrupt head loses the bytes up to the next valid head. A head is valid
 * if the file ends, or another head starts, at the position that it gives.
 *
 * All findings, here and in the streams, are passed to one function of the caller.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LOG_LOG_FILE_H
#define KMA_LOG_LOG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../module/uapi/kmem_account.h"
#include "lib/err.h"
#include "log-found.h"
#include "log-item.h"
#include "log-ticks.h"

/* Some bytes of the file. */
struct kma_log_extent {
	uint64_t pos;
	uint64_t len;
};

/* Extents of one CPU, or of the symbols, in the order of the file. */
struct kma_log_extents {
	struct kma_log_extent *all;
	size_t nr, room;
};

struct kma_log_file {
	const char *name;
	const unsigned char *map;
	size_t len;
	bool unmap, swap; /* the file's byte order is not this machine's */
	struct kma_log_head head;
	struct kma_log_ticks ticks;
	struct kma_log_extents *cpus; /* head.nr_cpus of them */
	struct kma_log_extents symbols;
	kma_log_found_fn *found;
	void *arg;
	struct kma_log_sums *sums;
};

/**
 * kma_log_file_open() - read the header, find the chunks
 * @file: zeroed but for name, map, len, found, arg and sums
 *
 * Return: NULL; or an error: not a log, an unsupported version, or an invalid header.
 */
struct kma_err *kma_log_file_open(struct kma_log_file *file);

/**
 * kma_log_file_close() - free what was found; the map is the caller's
 * @file: as opened
 */
void kma_log_file_close(struct kma_log_file *file);

/**
 * kma_log_report() - report a finding
 * @file: the file
 * @what: kind of the finding
 * @cpu: CPU of the stream; KMA_LOG_NO_CPU: none
 * @pos: position in the file
 * @number: see enum kma_log_what
 */
void kma_log_report(const struct kma_log_file *file, enum kma_log_what what, uint32_t cpu,
		    uint64_t pos, uint64_t number);

/**
 * kma_log_build_id() - a build ID in hex
 * @to: KMA_LOG_BUILD_ID_MAX bytes
 * @id: 20 bytes
 * @len: bytes of it that are known
 */
void kma_log_build_id(char *to, const unsigned char *id, unsigned int len);

static inline uint16_t kma_log_u16(const void *p, bool swap)
{
	uint16_t v;

	__builtin_memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t kma_log_u32(const void *p, bool swap)
{
	uint32_t v;

	__builtin_memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t kma_log_u64(const void *p, bool swap)
{
	uint64_t v;

	__builtin_memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

/* A member of a struct of the format at @p, in this machine's byte order. */
#define KMA_LOG_GET16(p, type, member, swap) \
	kma_log_u16((const char *)(p) + offsetof(struct type, member), swap)
#define KMA_LOG_GET32(p, type, member, swap) \
	kma_log_u32((const char *)(p) + offsetof(struct type, member), swap)
#define KMA_LOG_GET64(p, type, member, swap) \
	kma_log_u64((const char *)(p) + offsetof(struct type, member), swap)

#endif /* KMA_LOG_LOG_FILE_H */
