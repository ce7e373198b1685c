// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-file.c - the file of an event log: header and chunks. log-file.h has the design.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "log-file.h"

/* Upper limit of plausible numbers of CPUs; more than any kernel has. */
#define KMA_LOG_CPUS_MAX   65536
#define KMA_LOG_HEADER_MAX (64U << 20)

void kma_log_report(const struct kma_log_file *file, enum kma_log_what what, uint32_t cpu,
		    uint64_t pos, uint64_t number)
{
	const struct kma_log_finding finding = { what, cpu, pos, number };
	uint64_t *sum = &file->sums->what[what];

	if (__builtin_add_overflow(*sum, number, sum))
		*sum = UINT64_MAX;
	file->sums->times[what]++;
	if (file->found)
		file->found(file->arg, &finding);
}

void kma_log_build_id(char *to, const unsigned char *id, unsigned int len)
{
	static const char digits[] = "0123456789abcdef";

	for (unsigned int i = 0; i < len && i < 20; i++) {
		*to++ = digits[id[i] >> 4];
		*to++ = digits[id[i] & 15];
	}
	*to = '\0';
}

/* Smallest length of the header's fields in each version, in bytes. */
static size_t log_fixed_len(unsigned int version)
{
	return version == KMA_LOG_VERSION_NS ? offsetof(struct kma_log_header, rate) :
					       sizeof(struct kma_log_header);
}

/* Check the magic, and find the byte order. */
static struct kma_err *log_order(struct kma_log_file *file)
{
	const uint16_t one = 1;
	bool little = *(const unsigned char *)&one;
	uint32_t order;

	if (file->len < strlen(KMA_LOG_MAGIC) ||
	    memcmp(file->map, KMA_LOG_MAGIC, strlen(KMA_LOG_MAGIC)))
		return kma_err_create(file->name, 0, "not an event log");
	if (file->len < log_fixed_len(KMA_LOG_VERSION_NS))
		return kma_err_create(file->name, 0, "truncated in the header");
	order = KMA_LOG_GET32(file->map, kma_log_header, order, false);
	file->swap = order != KMA_LOG_ORDER;
	if (file->swap && __builtin_bswap32(order) != KMA_LOG_ORDER)
		return kma_err_create(file->name, 0, "invalid header: byte order is 0x%08x", order);
	file->head.big_endian = little == file->swap;
	return NULL;
}

static void log_read_header(struct kma_log_file *file)
{
	const struct kma_log_header *raw = (const struct kma_log_header *)file->map;
	struct kma_log_head *head = &file->head;
	bool swap = file->swap;

	head->version = KMA_LOG_GET16(raw, kma_log_header, version, swap);
	head->header_len = KMA_LOG_GET32(raw, kma_log_header, header_len, swap);
	head->word_bits = file->map[offsetof(struct kma_log_header, word_bits)];
	head->page_shift = file->map[offsetof(struct kma_log_header, page_shift)];
	head->clock = file->map[offsetof(struct kma_log_header, clock)];
	head->kinds = file->map[offsetof(struct kma_log_header, kinds)];
	head->nr_cpus = KMA_LOG_GET32(raw, kma_log_header, nr_cpus, swap);
	head->bounds = file->map[offsetof(struct kma_log_header, bounds)];
	head->totals = file->map[offsetof(struct kma_log_header, totals)];
	head->contexts = file->map[offsetof(struct kma_log_header, contexts)];
	head->nr_nodes = KMA_LOG_GET32(raw, kma_log_header, nr_nodes, swap);
	head->wall = KMA_LOG_GET64(raw, kma_log_header, wall, swap);
	head->stext = KMA_LOG_GET64(raw, kma_log_header, stext, swap);
	head->etext = KMA_LOG_GET64(raw, kma_log_header, etext, swap);
	kma_log_build_id(head->build_id, file->map + offsetof(struct kma_log_header, build_id),
			 file->map[offsetof(struct kma_log_header, build_id_len)]);
	memcpy(head->release, file->map + offsetof(struct kma_log_header, release), 64);
	memcpy(head->machine, file->map + offsetof(struct kma_log_header, machine), 32);
}

/* Read the rate of the clock. A log of version 1 has no such field: its times are ns. */
static struct kma_err *log_read_clock(struct kma_log_file *file)
{
	uint64_t start = KMA_LOG_GET64(file->map, kma_log_header, start, file->swap);
	struct kma_log_head *head = &file->head;
	uint64_t mono;

	head->start = start;
	head->rate = 1000000000;
	if (head->version == KMA_LOG_VERSION_NS)
		return NULL;
	head->rate = KMA_LOG_GET64(file->map, kma_log_header, rate, file->swap);
	if (!head->rate)
		return kma_err_create(file->name, 0, "invalid header: clock rate is 0");
	mono = KMA_LOG_GET64(file->map, kma_log_header, mono, file->swap);
	kma_log_ticks_init(&file->ticks, start, mono, head->rate);
	head->start = mono;
	return NULL;
}

/* Check the fields that are needed to read the rest of the file. */
static struct kma_err *log_check_header(const struct kma_log_file *file)
{
	unsigned int fixed = KMA_LOG_GET16(file->map, kma_log_header, fixed_len, file->swap);
	const struct kma_log_head *head = &file->head;

	if (head->version != KMA_LOG_VERSION && head->version != KMA_LOG_VERSION_NS)
		return kma_err_create(file->name, 0,
				      "unsupported event log version %u (supported: %d, %d)",
				      head->version, KMA_LOG_VERSION_NS, KMA_LOG_VERSION);
	if (fixed < log_fixed_len(head->version) || fixed > head->header_len ||
	    head->header_len % 8 || head->header_len > KMA_LOG_HEADER_MAX)
		return kma_err_create(
			file->name, 0,
			"invalid header: the fields take %u bytes, the header %u bytes", fixed,
			head->header_len);
	if (head->header_len > file->len)
		return kma_err_create(file->name, 0, "truncated in the header");
	if (head->word_bits != 32 && head->word_bits != 64)
		return kma_err_create(file->name, 0, "invalid header: word size is %u bits",
				      head->word_bits);
	if (head->page_shift < 12 || head->page_shift > 18)
		return kma_err_create(file->name, 0, "invalid header: page size is 2^%u bytes",
				      head->page_shift);
	if (!head->nr_cpus || head->nr_cpus > KMA_LOG_CPUS_MAX)
		return kma_err_create(file->name, 0, "invalid header: number of CPUs is %u",
				      head->nr_cpus);
	return NULL;
}

/*
 * Is there the head of a chunk at @pos, by its magic and CPU? log_is_linked() checks its
 * length.
 */
static bool log_is_chunk(const struct kma_log_file *file, uint64_t pos, uint32_t *magic,
			 uint32_t *cpu, uint64_t *len)
{
	const unsigned char *p = file->map + pos;

	if (file->len - pos < sizeof(struct kma_log_chunk))
		return false;
	*magic = KMA_LOG_GET32(p, kma_log_chunk, magic, file->swap);
	*cpu = KMA_LOG_GET32(p, kma_log_chunk, cpu, file->swap);
	*len = KMA_LOG_GET64(p, kma_log_chunk, len, file->swap);
	return *magic == KMA_LOG_SYMBOLS_MAGIC ||
	       (*magic == KMA_LOG_CHUNK_MAGIC && *cpu < file->head.nr_cpus);
}

/* Does a chunk with @len bytes end at the end of the file, or where another chunk begins? */
static bool log_is_linked(const struct kma_log_file *file, uint64_t pos, uint64_t len)
{
	uint64_t left = file->len - pos - sizeof(struct kma_log_chunk), end;
	uint32_t magic, cpu;

	if (len >= left)
		return len == left;
	end = pos + sizeof(struct kma_log_chunk) + len;
	/* Only the head of the last chunk can be truncated. */
	return file->len - end < sizeof(struct kma_log_chunk) ||
	       log_is_chunk(file, end, &magic, &cpu, &len);
}

/* Find the next valid head at or after @pos; returns the file's length if there is none. */
static uint64_t log_find_chunk(const struct kma_log_file *file, uint64_t pos)
{
	static const uint32_t kinds[] = { KMA_LOG_CHUNK_MAGIC, KMA_LOG_SYMBOLS_MAGIC };
	uint64_t best = file->len;

	for (unsigned int i = 0; i < 2; i++) {
		uint32_t raw = file->swap ? __builtin_bswap32(kinds[i]) : kinds[i], magic, cpu;
		uint64_t at = pos, len;

		while (at < best) {
			const unsigned char *p = memmem(file->map + at, best - at, &raw, 4);

			if (!p)
				break;
			at = p - file->map;
			if (log_is_chunk(file, at, &magic, &cpu, &len) &&
			    log_is_linked(file, at, len)) {
				best = at;
				break;
			}
			at++;
		}
	}
	return best;
}

static void log_add_extent(struct kma_log_extents *to, uint64_t pos, uint64_t len)
{
	if (!len)
		return;
	/* Adjacent bytes become one extent. */
	if (to->nr && to->all[to->nr - 1].pos + to->all[to->nr - 1].len == pos) {
		to->all[to->nr - 1].len += len;
		return;
	}
	kma_array_room(to->all, to->nr, to->room);
	to->all[to->nr++] = (struct kma_log_extent){ pos, len };
}

/* Add the chunk whose head is at *pos, or report corrupt bytes; move *pos to the next head. */
static void log_take_chunk(struct kma_log_file *file, uint64_t *pos)
{
	uint64_t body = *pos + sizeof(struct kma_log_chunk), len, left, next;
	uint32_t magic, cpu;

	if (!log_is_chunk(file, *pos, &magic, &cpu, &len)) {
		next = log_find_chunk(file, *pos + 1);
		if (next == file->len && next - *pos < sizeof(struct kma_log_chunk))
			kma_log_report(file, KMA_LOG_CUT, KMA_LOG_NO_CPU, *pos,
				       sizeof(struct kma_log_chunk) - (next - *pos));
		else
			kma_log_report(file, KMA_LOG_BAD_CHUNK, KMA_LOG_NO_CPU, *pos, next - *pos);
		*pos = next;
		return;
	}
	left = file->len - body;
	next = body + len;
	if (!log_is_linked(file, *pos, len)) {
		/* Either the length or the next head is corrupt. */
		uint64_t found = log_find_chunk(file, body);

		if (len > left && found == file->len) {
			kma_log_report(file, KMA_LOG_CUT, cpu, file->len, len - left);
			next = found;
		} else if (len > left || found < next) {
			kma_log_report(file, KMA_LOG_BAD_CHUNK, KMA_LOG_NO_CPU, *pos,
				       sizeof(struct kma_log_chunk));
			next = found;
		}
	}
	len = next - body;
	*pos = next;
	log_add_extent(magic == KMA_LOG_SYMBOLS_MAGIC ? &file->symbols : &file->cpus[cpu], body,
		       len);
}

struct kma_err *kma_log_file_probe(struct kma_input *input)
{
	size_t magic = strlen(KMA_LOG_MAGIC), len;
	struct kma_err *err;
	const char *head;

	err = kma_input_peek(input, magic, &head, &len);
	if (err || !len || (len >= magic && !memcmp(head, KMA_LOG_MAGIC, magic)))
		return err;
	return kma_err_create(kma_input_name(input), 0, "not an event log");
}

struct kma_err *kma_log_file_open(struct kma_log_file *file)
{
	struct kma_err *err;
	uint64_t pos;

	err = log_order(file);
	if (err)
		return err;
	log_read_header(file);
	err = log_check_header(file);
	if (err)
		return err;
	err = log_read_clock(file);
	if (err)
		return err;
	file->cpus = kma_xcalloc(file->head.nr_cpus, sizeof(*file->cpus));
	for (pos = file->head.header_len; pos < file->len;)
		log_take_chunk(file, &pos);
	return NULL;
}

void kma_log_file_close(struct kma_log_file *file)
{
	for (uint32_t i = 0; file->cpus && i < file->head.nr_cpus; i++)
		free(file->cpus[i].all);
	free(file->cpus);
	free(file->symbols.all);
}
