// SPDX-License-Identifier: GPL-2.0-only
/*
 * The child that makes text of a trace.dat, record by record, and who reads the text: with any
 * records and tasks, and with formats that lack fields, or have them somewhere else.
 * libtraceevent is real and parses formats and prints events; what libtracecmd would find in a
 * file comes from the run's bytes. Records are longer than what formats speak of: to look
 * beyond them is the library's own fault, which is why there is a child.
 *
 * What is looked for besides faults of memory: a record is one line or more, whole ones; an
 * entry or exit of a function with a name is read as just that, with its times.
 *
 * Bytes: a flag, that formats have faults; if so, for each format what is wrong with it, and the
 * task's name; then records: kind, CPU, time since the last one, events lost, length, bytes.
 */
#include "trace/trace-text.c"

#include "latency/latency.h"

#include "fuzz-bytes.h"

#define KMA_FUZZ_RECORD 512 /* bytes, more than any field is at */
#define KMA_FUZZ_FUNCS	3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
struct tep_handle *__wrap_tracecmd_get_tep(struct tracecmd_input *handle);

static struct tep_handle *kma_fuzz_tep, *kma_fuzz_sound; /* of this run; kept for all */

/* As 6.1 has them; the first fields of what takes them from records. */
static const struct {
	const char *system, *name, *fields[5], *print;
} kma_fuzz_formats[] = {
	{ "ftrace",
	  "funcgraph_entry",
	  { "unsigned long func;\toffset:8;\tsize:8", "int depth;\toffset:16;\tsize:4" },
	  "\"--> %ps (%d)\", (void *)REC->func, REC->depth" },
	{ "ftrace",
	  "funcgraph_exit",
	  { "unsigned long func;\toffset:8;\tsize:8", "int depth;\toffset:16;\tsize:4",
	    "unsigned long long calltime;\toffset:24;\tsize:8",
	    "unsigned long long rettime;\toffset:32;\tsize:8" },
	  "\"<-- %ps (%d)\", (void *)REC->func, REC->depth" },
	{ "vmscan",
	  "mm_shrink_slab_start",
	  { "struct shrinker * shr;\toffset:8;\tsize:8", "void * shrink;\toffset:16;\tsize:8",
	    "int nid;\toffset:24;\tsize:4" },
	  "\"%pS %p: nid: %d objects\", REC->shrink, REC->shr, REC->nid" },
	{ "vmscan",
	  "mm_vmscan_direct_reclaim_end",
	  { "unsigned long nr_reclaimed;\toffset:8;\tsize:8" },
	  "\"nr_reclaimed=%lu\", REC->nr_reclaimed" },
	{ "a_system_of_no_name", "an_event_with_a_name_of_more_than_a_column", { NULL }, "\"\"" },
};

#define KMA_FUZZ_NR ARRAY_SIZE(kma_fuzz_formats)

struct tep_handle *__wrap_tracecmd_get_tep(struct tracecmd_input *handle)
{
	(void)handle;
	return kma_fuzz_tep;
}

/* @wrong: 0 for a sound one, else a field that is missing, or elsewhere. */
static void kma_fuzz_format(struct kma_fuzz_bytes *bytes, unsigned int i, uint8_t wrong)
{
	char text[2048];
	int len;

	len = snprintf(text, sizeof(text),
		       "name: %s\nID: %u\nformat:\n"
		       "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		       "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n",
		       kma_fuzz_formats[i].name, i + 1);
	for (unsigned int f = 0; f < 5 && kma_fuzz_formats[i].fields[f]; f++) {
		const char *field = kma_fuzz_formats[i].fields[f];
		bool bent = wrong && f == (wrong & 7);

		if (bent && wrong & 128)
			continue;
		if (bent)
			len += snprintf(text + len, sizeof(text) - len,
					"\tfield:%.*s;\toffset:%u;\tsize:%u;\tsigned:0;\n",
					(int)strcspn(field, ";"), field, kma_fuzz_byte(bytes),
					1 << (kma_fuzz_byte(bytes) & 3));
		else
			len += snprintf(text + len, sizeof(text) - len, "\tfield:%s;\tsigned:0;\n",
					field);
	}
	len += snprintf(text + len, sizeof(text) - len, "\nprint fmt: %s\n",
			kma_fuzz_formats[i].print);
	tep_parse_event(kma_fuzz_tep, text, len, kma_fuzz_formats[i].system);
}

static struct tep_handle *kma_fuzz_alloc(struct kma_fuzz_bytes *bytes, bool faults, bool *sound)
{
	static const char *const functions[KMA_FUZZ_FUNCS] = { "__alloc_pages",
							       "compact_zone.isra.0",
							       "try_to_free_pages" };
	char comm[17] = "a task";

	kma_fuzz_tep = tep_alloc();
	if (!kma_fuzz_tep)
		abort();
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(kma_fuzz_tep, 8);
	for (unsigned int i = 0; i < KMA_FUZZ_NR; i++) {
		uint8_t wrong = faults ? kma_fuzz_byte(bytes) : 0;

		*sound &= !wrong;
		if (wrong != 255)
			kma_fuzz_format(bytes, i, wrong);
	}
	for (unsigned int i = 0; i < KMA_FUZZ_FUNCS; i++)
		tep_register_function(kma_fuzz_tep, (char *)functions[i], 0x1000 * (i + 1), NULL);
	if (faults)
		kma_fuzz_take(bytes, comm, sizeof(comm) - 1);
	for (size_t i = 0; comm[i]; i++)
		comm[i] = comm[i] == '\n' ? ' ' : comm[i];
	tep_register_comm(kma_fuzz_tep, comm, 7);
	return kma_fuzz_tep;
}

/* Sound ones are made once, which is most of what a run takes. Returns whether they are. */
static bool kma_fuzz_set_up(struct kma_fuzz_bytes *bytes)
{
	bool faults = kma_fuzz_byte(bytes) & 1, sound = true;

	if (faults || !kma_fuzz_sound)
		kma_fuzz_tep = kma_fuzz_alloc(bytes, faults, &sound);
	else
		kma_fuzz_tep = kma_fuzz_sound;
	if (!faults)
		kma_fuzz_sound = kma_fuzz_tep;
	return sound;
}

/* An entry or exit is one, and nothing is lost on its way. */
static void kma_fuzz_look(const char *text, const uint8_t *data, bool leaves)
{
	struct kma_lat_line line;
	uint64_t func, from, to;

	memcpy(&func, data + 8, 8);
	memcpy(&from, data + 24, 8);
	memcpy(&to, data + 32, 8);
	kma_lat_parse(text, strlen(text) - 1, &line);
	if (line.what != (leaves ? KMA_LAT_EXIT : KMA_LAT_ENTRY))
		abort();
	if (func % 0x1000 || !func || func > KMA_FUZZ_FUNCS * 0x1000)
		return;
	if (!line.name.len || !line.has_pid || line.pid != 7)
		abort();
	/* What takes longer than a century is none of it. */
	if (leaves && to - from < 1ULL << 61 && (!line.has_duration || line.duration != to - from))
		abort();
}

/* One record, made to text; the text is added to @all. */
static void kma_fuzz_record(struct kma_fuzz_bytes *bytes, bool sound, uint64_t *time, FILE *all)
{
	uint8_t kind = kma_fuzz_byte(bytes), len;
	struct tep_record record = { .cpu = kma_fuzz_byte(bytes) };
	uint8_t *data = calloc(1, KMA_FUZZ_RECORD);
	uint16_t id = (kind & 15) % (KMA_FUZZ_NR + 2);
	int32_t pid = kind & 16 ? 8 : 7;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!data || !out)
		abort();
	*time += (uint64_t)kma_fuzz_byte(bytes) << (kind >> 4);
	record.ts = *time;
	record.missed_events = kind & 32 ? (int8_t)kma_fuzz_byte(bytes) : 0;
	len = kma_fuzz_byte(bytes);
	kma_fuzz_take(bytes, data, len);
	memcpy(data, &id, 2);
	memcpy(data + 4, &pid, 4);
	/* Mostly a function that is known. */
	if (kind & 64)
		memcpy(data + 8, &(uint64_t){ 0x1000 * (1 + len % KMA_FUZZ_FUNCS) }, 8);
	record.data = data;
	record.size = record.record_size = KMA_FUZZ_RECORD;
	if (text_record(NULL, &record, 0, out) || fclose(out) || !size ||
	    text[size - 1] != '\n')
		abort();
	if (sound && pid == 7 && (id == 1 || id == 2) && !record.missed_events)
		kma_fuzz_look(text, data, id == 2);
	fwrite(text, 1, size, all);
	free(text);
	free(data);
}

/* The lines as "kmem-account latency" reads them: each is a line, none is cut. */
static void kma_fuzz_read(const char *text, size_t size)
{
	struct kma_lat_options opts = { .threshold = 1000 };
	struct kma_lat *lat = kma_lat_create(&opts);
	uint64_t lines = 0;

	for (const char *p = text; (p = memchr(p, '\n', text + size - p)); p++)
		lines++;
	kma_lat_text(lat, text, size);
	kma_lat_end(lat);
	if (kma_lat_sums(lat)->lines != lines || kma_lat_sums(lat)->losses[KMA_LAT_CUT])
		abort();
	kma_lat_destroy(lat);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kma_fuzz_bytes bytes = { data, size };
	bool sound = kma_fuzz_set_up(&bytes);
	uint64_t time = 0;
	char *text = NULL;
	size_t len = 0;
	FILE *all = open_memstream(&text, &len);

	if (!all)
		abort();
	while (bytes.left)
		kma_fuzz_record(&bytes, sound, &time, all);
	if (fclose(all))
		abort();
	kma_fuzz_read(text, len);
	free(text);
	if (kma_fuzz_tep != kma_fuzz_sound)
		tep_free(kma_fuzz_tep);
	return 0;
}
