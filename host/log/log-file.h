/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-file.h - the file of an event log (module/uapi/kmem_account.h): its header, and the positions
 * of each CPU's bytes in it. Only for log*.c.
 *
 *	header | MODULE records | chunk | chunk | ...	chunk: magic, CPU, length, bytes
 *
 * A chunk has bytes of the stream of one CPU, or of the text of the log. The recorder writes the
 * chunks as they come, so those of a CPU are anywhere in the file. The mapped file is walked once,
 * from the head of one chunk to that of the next, and the result is a list of extents for each CPU:
 * 16 bytes for each chunk, or for each run of adjacent chunks. The bytes of streams are not read
 * here.
 *
 * A head is valid if the file ends, or another head starts, at the end of its chunk. Bytes after a
 * corrupt head are skipped up to the next valid head, and are reported.
 *
 * All findings, here and in the streams, go through kma_log_report(), which adds them up and passes
 * them to a function of the caller.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LOG_LOG_FILE_H
#define KMA_LOG_LOG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../module/uapi/kmem_account.h"
#include "input/input.h"
#include "lib/err.h"
#include "log-found.h"
#include "log-item.h"
#include "log-ticks.h"

/* Contiguous bytes of the file. */
struct kma_log_extent {
	uint64_t pos; /* position in the file */
	uint64_t len; /* bytes */
};

/* Extents of one CPU, or of the text, in the order of the file. */
struct kma_log_extents {
	struct kma_log_extent *all;
	size_t nr, room;
};

struct kma_log_file {
	const char *name; /* for messages */
	const unsigned char *map;
	size_t len;	  /* bytes of @map */
	bool unmap, swap; /* @map has to be unmapped; the byte order is not that of this machine */
	struct kma_log_head head;
	struct kma_log_ticks ticks;
	struct kma_log_extents *cpus;	/* by CPU, head.nr_cpus of them */
	struct kma_log_extents symbols; /* the text of the log */
	kma_log_found_fn *found;	/* called for each finding; or NULL */
	void *arg;			/* passed to @found */
	struct kma_log_sums *sums;
};

/*
 * Checks the first bytes of an input of which nothing was consumed, because copying a pipe to a
 * file may take long. NULL if it may be an event log, or is empty.
 */
struct kma_err *kma_log_file_probe(struct kma_input *input);

/*
 * Reads the header, and finds the chunks. @file is zeroed except for name, map, len, found, arg and
 * sums. It is an error if the file is not a log, has an unsupported version, or an invalid header.
 */
struct kma_err *kma_log_file_open(struct kma_log_file *file);

/*
 * Frees the lists of extents, also after an error of kma_log_file_open(). The caller unmaps the
 * file.
 */
void kma_log_file_close(struct kma_log_file *file);

/*
 * @cpu is KMA_LOG_NO_CPU for a finding that concerns no single CPU, @pos a position in the file.
 * @number: see enum kma_log_what.
 */
void kma_log_report(const struct kma_log_file *file, enum kma_log_what what, uint32_t cpu,
		    uint64_t pos, uint64_t number);

/*
 * Writes hexadecimal digits to KMA_LOG_BUILD_ID_MAX bytes. Of @len, the number of known bytes,
 * those above 20 are ignored.
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

/*
 * Read a member of a struct of the format at @p, which need not be aligned. @swap: swap its bytes.
 */
#define KMA_LOG_GET16(p, type, member, swap) \
	kma_log_u16((const char *)(p) + offsetof(struct type, member), swap)
#define KMA_LOG_GET32(p, type, member, swap) \
	kma_log_u32((const char *)(p) + offsetof(struct type, member), swap)
#define KMA_LOG_GET64(p, type, member, swap) \
	kma_log_u64((const char *)(p) + offsetof(struct type, member), swap)

#endif /* KMA_LOG_LOG_FILE_H */
