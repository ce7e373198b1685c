// SPDX-License-Identifier: GPL-2.0-only
/*
 * The child that reads a trace.dat and the parent that books, with any formats of
 * events, symbols and records. Of the libraries libtraceevent is real and parses the
 * formats; what libtracecmd would find in a file comes from the run's bytes. (It crashes
 * on damaged files, which is why there is a child: fuzz-all.sh has whole files.)
 *
 * Bytes: flags, formats (a byte for each that says what is wrong with it), a length of
 * text and symbols, then records: CPU, kind, time since the last one, length, bytes.
 */
#include <event-parse.h>
#include <stdio.h>
#include <trace-cmd.h>

#include "lib/cleanup.h"

#include "fuzz-dat.h"

#define KMA_FUZZ_CPUS	 3
#define KMA_FUZZ_RECORDS 2000
#define KMA_FUZZ_BLOCKS	 64
#define KMA_FUZZ_SYMBOLS 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct kma_fuzz_bytes kma_fuzz_rest;
static struct tep_handle *kma_fuzz_tep, *kma_fuzz_sound; /* of this run; kept for all */
static char kma_fuzz_symbols[KMA_FUZZ_SYMBOLS];
static size_t kma_fuzz_symbols_len;
static bool kma_fuzz_tasks; /* are told apart */
static int kma_fuzz_instances;

/* The records of each stream: of a buffer and a CPU. */
static struct kma_fuzz_queue {
	struct tep_record *records[KMA_FUZZ_RECORDS];
	size_t nr, taken;
} kma_fuzz_queues[2][KMA_FUZZ_CPUS];

/* What fuzz-alloc.h keeps: few blocks that grow. */
static void *kma_fuzz_blocks[KMA_FUZZ_BLOCKS];

static void **kma_fuzz_block(void *p)
{
	for (size_t i = 0; i < KMA_FUZZ_BLOCKS; i++)
		if (kma_fuzz_blocks[i] == p)
			return &kma_fuzz_blocks[i];
	abort();
}

void *kma_fuzz_calloc(size_t nr, size_t size);
void *kma_fuzz_realloc(void *p, size_t size);
void kma_fuzz_free(void *p);
void *kma_fuzz_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset);

void *kma_fuzz_calloc(size_t nr, size_t size)
{
	return *kma_fuzz_block(NULL) = calloc(nr, size);
}

void *kma_fuzz_realloc(void *p, size_t size)
{
	void **block = kma_fuzz_block(p);

	return *block = realloc(p, size);
}

void kma_fuzz_free(void *p)
{
	if (p)
		*kma_fuzz_block(p) = NULL;
	free(p);
}

void *kma_fuzz_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	void *block = *kma_fuzz_block(NULL) = malloc(len);

	(void)at;
	(void)prot;
	(void)flags;
	if (pread(fd, block, len, offset) != (ssize_t)len)
		abort();
	return block;
}

/* What trace-cmd record has found; sizes and offsets as in a 64-bit kernel's. */
static const struct kma_fuzz_field {
	const char *text;
	uint8_t offset, size;
} kma_fuzz_fields[][5] = {
	{ { "unsigned long call_site", 8, 8 },
	  { "const void * ptr", 16, 8 },
	  { "size_t bytes_req", 24, 8 },
	  { "size_t bytes_alloc", 32, 8 },
	  { "int accounted", 40, 4 } },
	{ { "unsigned long call_site", 8, 8 }, { "const void * ptr", 16, 8 } },
	{ { "unsigned long pfn", 8, 8 },
	  { "unsigned int order", 16, 4 },
	  { "int migratetype", 20, 4 } },
	{ { "unsigned long call_site", 8, 8 },
	  { "size_t size", 16, 8 },
	  { "void * ptr", 24, 8 },
	  { "size_t bytes_alloc", 32, 8 } },
	{ { "void * ptr", 8, 8 } },
	{ { "int size", 8, 4 }, { "unsigned long caller[]", 12, 0 } },
};

static const struct {
	const char *system, *name;
	unsigned int fields;
} kma_fuzz_events[] = {
	{ "kmem", "kmalloc", 0 },
	{ "kmem", "kmalloc_node", 0 },
	{ "kmem", "kfree", 1 },
	{ "kmem", "kmem_cache_alloc", 0 },
	{ "kmem", "kmem_cache_alloc_node", 0 },
	{ "kmem", "kmem_cache_free", 1 },
	{ "kmem", "mm_page_alloc", 2 },
	{ "kmem", "mm_page_free", 2 },
	{ "percpu", "percpu_alloc_percpu", 3 },
	{ "percpu", "percpu_free_percpu", 4 },
	{ "ftrace", "kernel_stack", 5 },
	{ "sched", "sched_switch", 4 },
};

#define KMA_FUZZ_NR_EVENTS ARRAY_SIZE(kma_fuzz_events)

/* One format; @wrong is 0 for a sound one, else a field, and what it is like. */
static void kma_fuzz_format(struct kma_fuzz_bytes *bytes, unsigned int i, uint8_t wrong)
{
	uint16_t offset = 0, size = 0;
	char text[2048];
	int len;

	if (wrong) {
		offset = kma_fuzz_u16(bytes);
		size = kma_fuzz_byte(bytes);
	}
	len = snprintf(text, sizeof(text),
		       "name: %s\nID: %u\nformat:\n"
		       "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		       "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n",
		       kma_fuzz_events[i].name, i + 1);
	for (unsigned int f = 0; f < 5; f++) {
		const struct kma_fuzz_field *field = &kma_fuzz_fields[kma_fuzz_events[i].fields][f];
		bool bent = wrong && f == (wrong & 7);

		if (!field->text || (wrong & 128 && bent))
			continue;
		len += snprintf(text + len, sizeof(text) - len,
				"\tfield:%s;\toffset:%u;\tsize:%u;\tsigned:0;\n", field->text,
				bent ? offset : field->offset, bent ? size : field->size);
	}
	len += snprintf(text + len, sizeof(text) - len, "\nprint fmt: \"\"\n");
	tep_parse_event(kma_fuzz_tep, text, len, kma_fuzz_events[i].system);
}

static void kma_fuzz_record(struct kma_fuzz_bytes *bytes, uint64_t *time)
{
	uint8_t where = kma_fuzz_byte(bytes), kind = kma_fuzz_byte(bytes);
	struct kma_fuzz_queue *queue = &kma_fuzz_queues[where >> 7][(where & 127) % KMA_FUZZ_CPUS];
	struct tep_record *record = calloc(1, sizeof(*record));
	uint16_t id = kind;

	if (!record)
		abort();
	*time += kma_fuzz_byte(bytes);
	record->ts = *time;
	record->size = record->record_size = kma_fuzz_byte(bytes);
	record->cpu = where;
	if (kind & 128)
		record->missed_events = (int8_t)kma_fuzz_byte(bytes);
	/* Of its own size, so that a byte too far is seen. */
	record->data = malloc(record->size);
	if (!record->data)
		abort();
	kma_fuzz_take(bytes, record->data, record->size);
	id = (kind & 127) % (KMA_FUZZ_NR_EVENTS + 2);
	memcpy(record->data, &id, record->size < 2 ? record->size : 2);
	queue->records[queue->nr++] = record;
}

struct tracecmd_input *__wrap_tracecmd_open(const char *file, int flags);
struct tep_handle *__wrap_tracecmd_get_tep(struct tracecmd_input *handle);
int __wrap_tracecmd_buffer_instances(struct tracecmd_input *handle);
struct tracecmd_input *__wrap_tracecmd_buffer_instance_handle(struct tracecmd_input *h, int i);
struct tep_record *__wrap_tracecmd_read_data(struct tracecmd_input *handle, int cpu);
void __wrap_tracecmd_free_record(struct tep_record *record);
void __wrap_tep_print_funcs(struct tep_handle *tep);

/* A handle is the queues of its buffer. */
struct tracecmd_input *__wrap_tracecmd_open(const char *file, int flags)
{
	(void)file;
	(void)flags;
	return (struct tracecmd_input *)kma_fuzz_queues[0];
}

struct tep_handle *__wrap_tracecmd_get_tep(struct tracecmd_input *handle)
{
	(void)handle;
	return kma_fuzz_tep;
}

int __wrap_tracecmd_buffer_instances(struct tracecmd_input *handle)
{
	(void)handle;
	return kma_fuzz_instances;
}

struct tracecmd_input *__wrap_tracecmd_buffer_instance_handle(struct tracecmd_input *h, int i)
{
	(void)h;
	(void)i;
	return (struct tracecmd_input *)kma_fuzz_queues[1];
}

struct tep_record *__wrap_tracecmd_read_data(struct tracecmd_input *handle, int cpu)
{
	struct kma_fuzz_queue *queue = (struct kma_fuzz_queue *)handle + cpu;

	return queue->taken < queue->nr ? queue->records[queue->taken++] : NULL;
}

void __wrap_tracecmd_free_record(struct tep_record *record)
{
	free(record->data);
	free(record);
}

void __wrap_tep_print_funcs(struct tep_handle *tep)
{
	(void)tep;
	fwrite(kma_fuzz_symbols, 1, kma_fuzz_symbols_len, stdout);
}

static void kma_fuzz_child(struct kma_shmring *ring)
{
	kma_dat_child("fuzz", ring, kma_fuzz_tasks, 4096);
}

/* The formats; sound ones are parsed once, which takes longer than all the rest. */
static struct tep_handle *kma_fuzz_formats(struct kma_fuzz_bytes *bytes, bool sound)
{
	if (sound && kma_fuzz_sound)
		return kma_fuzz_sound;
	tep_set_loglevel(TEP_LOG_NONE);
	kma_fuzz_tep = tep_alloc();
	if (!kma_fuzz_tep)
		abort();
	tep_set_cpus(kma_fuzz_tep, KMA_FUZZ_CPUS);
	tep_set_local_bigendian(kma_fuzz_tep, TEP_LITTLE_ENDIAN);
	for (unsigned int i = 0; i < KMA_FUZZ_NR_EVENTS; i++) {
		uint8_t wrong = sound ? 0 : kma_fuzz_byte(bytes);

		if (wrong != 255)
			kma_fuzz_format(bytes, i, wrong);
	}
	if (sound)
		kma_fuzz_sound = kma_fuzz_tep;
	return kma_fuzz_tep;
}

static void kma_fuzz_set_up(struct kma_fuzz_bytes *bytes)
{
	uint8_t flags = kma_fuzz_byte(bytes);
	uint64_t time = 0;

	kma_fuzz_tep = kma_fuzz_formats(bytes, !(flags & 8));
	tep_set_long_size(kma_fuzz_tep, flags & 1 ? 4 : 8);
	tep_set_file_bigendian(kma_fuzz_tep, flags & 2 ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	kma_fuzz_instances = flags >> 2 & 1;
	kma_fuzz_tasks = flags >> 4 & 1;
	kma_fuzz_symbols_len = kma_fuzz_u16(bytes) % KMA_FUZZ_SYMBOLS;
	if (kma_fuzz_symbols_len > bytes->left)
		kma_fuzz_symbols_len = bytes->left;
	kma_fuzz_take(bytes, kma_fuzz_symbols, kma_fuzz_symbols_len);
	for (unsigned int i = 0; bytes->left && i < KMA_FUZZ_RECORDS; i++)
		kma_fuzz_record(bytes, &time);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kma_fuzz_queue *queues = kma_fuzz_queues[0];

	kma_fuzz_rest = (struct kma_fuzz_bytes){ data, size };
	kma_fuzz_set_up(&kma_fuzz_rest);
	kma_fuzz_dat((const uint8_t *)"6\0\0\10\0\20\0\0", 8);
	/* What the child has not read, and what it holds. */
	for (size_t i = 0; i < 2 * KMA_FUZZ_CPUS; i++) {
		while (queues[i].taken < queues[i].nr)
			__wrap_tracecmd_free_record(queues[i].records[queues[i].taken++]);
		queues[i].nr = queues[i].taken = 0;
	}
	for (size_t i = 0; i < KMA_FUZZ_BLOCKS; i++) {
		free(kma_fuzz_blocks[i]);
		kma_fuzz_blocks[i] = NULL;
	}
	if (kma_fuzz_tep != kma_fuzz_sound)
		tep_free(kma_fuzz_tep);
	return 0;
}
