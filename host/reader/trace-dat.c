// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace-dat.c - reader of trace.dat, the output of trace-cmd record: versions 6 and 7.
 *
 * A child process reads the file with libtracecmd (trace/trace-dat-child.c) and passes on events
 * through a ring in shared memory; trace/trace-dat.h describes how the two work together. This file
 * is the parent: it checks all data of the child and counts the events.
 *
 * libtracecmd crashes on corrupt files. A child that ends without its last slot is an error like
 * any other. A child that loops is ended by its own timer of CPU time. The parent waits for a slot
 * for KMA_DAT_WAIT_MS at a time, and then looks whether the child still runs.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "funcgraph.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/child.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "lib/program.h"
#include "model/ledger.h"
#include "paste.h"
#include "reader.h"
#include "trace/ftrace-stack.h"
#include "trace/trace-dat-child.h"
#include "trace/trace-dat.h"

#define KMA_DAT_WAIT_MS 200
#define PAGE_MIN	4096
#define PAGE_MAX	(1 << 20)

struct kma_dat {
	struct kma_input *input;
	const char *name;
	uint64_t page; /* bytes of a page of the machine that recorded it; 0: none is stated */
	char compressor[32]; /* name of the compression of version 7; "" for version 6 */
	struct kma_shmring *ring;
	pid_t child;
	int status;   /* exit status of the child, once @child is 0 */
	uint64_t seq; /* number of the next slot */
	struct kma_intern *intern;
	struct kma_ledger *ledger;
	uint32_t *sites; /* numbers in @intern by the child's numbers */
	uint32_t nr_sites, alloc_sites;
	struct kma_dat_sums sums;
};

/* The string that begins at @pos, terminated within the head; NULL if it is not. */
static const char *dat_string(const char *head, size_t len, size_t *pos)
{
	const char *text = head + *pos;
	const char *nul = *pos < len ? memchr(text, '\0', len - *pos) : NULL;

	if (!nul)
		return NULL;
	*pos += nul + 1 - text;
	return text;
}

/* Read the version and, from 7 on, the compression, which is named if the library refuses it. */
static struct kma_err *dat_header(struct kma_dat *dat, const char *head, size_t len)
{
	size_t pos = strlen(KMA_DAT_MAGIC);
	const char *version = dat_string(head, len, &pos), *compressor;

	if (!version)
		return kma_err_create(dat->name, 0, "truncated in the header");
	if (strcmp(version, "6") && strcmp(version, "7"))
		return kma_err_create(dat->name, 0,
				      "unsupported trace.dat version %.10s (supported: 6, 7)",
				      version);
	/* byte order, size of long, size of a page */
	if (pos + 1 + 1 + 4 > len)
		return kma_err_create(dat->name, 0, "truncated in the header");
	for (size_t i = 0; i < 4; i++)
		dat->page |= (uint64_t)(unsigned char)head[pos + 2 + i]
			     << 8 * (head[pos] ? 3 - i : i);
	if (dat->page < PAGE_MIN || dat->page > PAGE_MAX || dat->page & (dat->page - 1))
		dat->page = 0;
	pos += 1 + 1 + 4;
	if (!strcmp(version, "6"))
		return NULL;
	compressor = dat_string(head, len, &pos);
	if (!compressor)
		return kma_err_create(dat->name, 0, "truncated in the header");
	snprintf(dat->compressor, sizeof(dat->compressor), "%s", compressor);
	return NULL;
}

static struct kma_err *dat_start(struct kma_dat *dat)
{
	struct kma_err *err;
	const char *path;

	err = kma_input_path(dat->input, &path);
	if (err)
		return err;
	err = kma_shmring_create(sizeof(struct kma_dat_slot), KMA_DAT_SLOTS, &dat->ring);
	if (err)
		return err;
	dat->child = kma_child_fork();
	if (!dat->child) {
		kma_dat_child(path, dat->ring, kma_input_tasks(dat->input),
			      kma_input_page_size(dat->input) ?:
				      dat->page		      ?:
								PAGE_MIN);
		_exit(0);
	}
	if (dat->child > 0)
		return NULL;
	dat->child = 0;
	return kma_err_create(dat->name, 0, "cannot start a process to read it: %s",
			      strerror(errno));
}

static void dat_reap(struct kma_dat *dat, int flags)
{
	pid_t pid;

	if (!dat->child)
		return;
	do {
		pid = waitpid(dat->child, &dat->status, flags);
	} while (pid < 0 && errno == EINTR);
	if (pid)
		dat->child = 0;
}

/* Wait for the next slot; NULL if the child has ended and left none. */
static const struct kma_dat_slot *dat_take(struct kma_dat *dat)
{
	const struct kma_dat_slot *slot;
	bool gone;

	do {
		/*
		 * Test first whether the child has ended: slots that it pushed before can then
		 * still be read.
		 */
		gone = !dat->child;
		slot = kma_shmring_take(dat->ring, gone ? 0 : KMA_DAT_WAIT_MS);
		if (kma_input_stopped())
			kma_shmring_stop(dat->ring);
		if (!slot)
			dat_reap(dat, WNOHANG);
	} while (!slot && !gone);
	return slot;
}

static struct kma_err *dat_damaged(const struct kma_dat *dat)
{
	uint64_t events = dat->ledger ? kma_ledger_booked(dat->ledger) : 0;
	char behind[64] = "";

	/* The child cannot say so itself: its standard error is that of a library that talks much. */
	if (!dat->child && WIFEXITED(dat->status) && WEXITSTATUS(dat->status) == KMA_EXIT_DATA)
		kma_atend_no_memory();
	if (events)
		snprintf(behind, sizeof(behind), " (after %" PRIu64 " events)", events);
	if (!dat->child && WIFSIGNALED(dat->status) && WTERMSIG(dat->status) == SIGPROF)
		return kma_err_create(dat->name, 0,
				      "corrupt: reading it exceeded the CPU time limit%s", behind);
	return kma_err_create(dat->name, 0, "corrupt: libtracecmd cannot read it%s", behind);
}

static struct kma_err *dat_refused(const struct kma_dat *dat, const struct kma_dat_slot *slot)
{
	uint32_t len = slot->len < KMA_DAT_TEXT ? slot->len : KMA_DAT_TEXT;

	if (*dat->compressor && strcmp(dat->compressor, "zstd") && strcmp(dat->compressor, "none"))
		return kma_err_create(
			dat->name, 0,
			"compressed with %s, which this libtracecmd cannot read; rewrite it on the machine that recorded it: trace-cmd convert -i FILE -o NEW --compression none",
			dat->compressor);
	return kma_err_create(dat->name, 0, "cannot read: %.*s", (int)strnlen(slot->text, len),
			      slot->text);
}

static void dat_grow(struct kma_dat *dat)
{
	kma_array_room(dat->sites, dat->nr_sites, dat->alloc_sites);
}

/* Number the new sites of a slot. */
static struct kma_err *dat_take_sites(struct kma_dat *dat, const struct kma_dat_slot *slot)
{
	uint32_t len = slot->len, nr = slot->sites;
	const char *p = slot->text, *end;

	if (len > KMA_DAT_TEXT || nr > KMA_DAT_MAX_SITES - dat->nr_sites)
		return dat_damaged(dat);
	for (end = p + len; nr; nr--) {
		const char *nul = p < end ? memchr(p + 1, '\0', end - p - 1) : NULL;

		if (!nul || (unsigned char)*p >= KMA_NR_KINDS)
			return dat_damaged(dat);
		dat_grow(dat);
		dat->sites[dat->nr_sites++] =
			kma_intern(dat->intern, (unsigned char)*p, p + 1, nul - p - 1);
		p = nul + 1;
	}
	return NULL;
}

static struct kma_err *dat_take_events(struct kma_dat *dat, const struct kma_dat_slot *slot)
{
	struct kma_event events[KMA_DAT_EVENTS];
	uint32_t nr = slot->nr;

	if (nr > KMA_DAT_EVENTS)
		return dat_damaged(dat);
	/* Check a copy: the child could change the slot after the check. */
	memcpy(events, slot->events, nr * sizeof(*events));
	for (uint32_t i = 0; i < nr; i++) {
		if (events[i].kind >= KMA_NR_KINDS ||
		    (events[i].site != KMA_DAT_REST && events[i].site >= dat->nr_sites))
			return dat_damaged(dat);
		events[i].site = events[i].site == KMA_DAT_REST ? KMA_INTERN_REST :
								  dat->sites[events[i].site];
	}
	kma_ledger_book(dat->ledger, events, nr);
	return NULL;
}

static struct kma_err *dat_read_slots(struct kma_dat *dat)
{
	const struct kma_dat_slot *slot;
	struct kma_err *err = NULL;
	uint32_t what;

	for (;;) {
		slot = dat_take(dat);
		if (!slot || slot->seq != dat->seq++)
			return dat_damaged(dat);
		what = slot->what;
		if (what == KMA_DAT_FAIL)
			return dat_refused(dat, slot);
		err = dat_take_sites(dat, slot) ?: dat_take_events(dat, slot);
		if (err)
			return err;
		dat->sums = slot->sums;
		kma_input_set_done(dat->input, slot->done);
		if (what == KMA_DAT_END)
			return NULL;
		kma_shmring_pop(dat->ring);
	}
}

/* Findings that do not end the reading. */
static void dat_warn(const struct kma_dat *dat, struct kma_account *account)
{
	const struct {
		uint64_t number;
		const char *one, *many, *sentence;
	} findings[] = {
		{ dat->sums.lost, "event was", "events were",
		  "lost; live bytes may be too high or too low" },
		{ dat->sums.lost_unsaid, "time", "times",
		  "events were lost; the file does not report how many" },
		{ dat->sums.doubled, "event is", "events are",
		  "in another buffer of the file, too, but counted once" },
		{ dat->sums.short_events, "event is", "events are",
		  "shorter than the fields of the format" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(findings); i++)
		if (findings[i].number)
			kma_account_warn(account, "%" PRIu64 " %s %s", findings[i].number,
					 kma_plural(findings[i].number, findings[i].one,
						    findings[i].many),
					 findings[i].sentence);
	if (dat->sums.no_symbols)
		kma_account_warn(account,
				 "no symbols in this file; callers are shown as addresses");
}

/* Warn of frees by another allocator's function, as kma_reader_ftrace does. */
static void dat_wrong(const struct kma_dat *dat, struct kma_account *account)
{
	unsigned int have = kma_account_metrics(account);
	const struct kma_site *sites;
	uint64_t sum = 0;
	size_t nr;

	if (dat->sums.wrong == KMA_DAT_WRONG_LEGAL) {
		kma_account_set_metrics(account, have & ~(1U << KMA_WRONG));
		return;
	}
	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++)
		sum += sites[i].values.wrong;
	if (!sum)
		return;
	kma_account_warn(
		account, "%" PRIu64 " %s freed by another allocator's function%s", sum,
		kma_plural(sum, "object was", "objects were"),
		dat->sums.wrong == KMA_DAT_WRONG_FAULT ? "" : ", which is legal from Linux 6.4 on");
}

static void dat_note(const struct kma_dat *dat, struct kma_account *account)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, dat->sums.other);
	kma_account_put_note(account, "other events", text);
}

static struct kma_err *dat_close(struct kma_dat *dat, struct kma_account *account)
{
	struct kma_err *err;

	for (size_t i = 0; i < KMA_NR_TAKERS; i++) {
		const char *row = kma_input_tasks(dat->input) ? kma_takers[i].row_of_task :
								kma_takers[i].row;

		if (dat->sums.kinds & kma_takers[i].kinds)
			kma_ledger_leave_out(dat->ledger, kma_intern(dat->intern, KMA_KIND_PAGE,
								     row, strlen(row)));
	}
	kma_ledger_lose(dat->ledger, dat->sums.lost);
	kma_ledger_lose(dat->ledger, dat->sums.short_events);
	if (!kma_ledger_booked(dat->ledger))
		return kma_err_create(dat->name, 0,
				      "no events of allocations or frees in this file");
	err = kma_ledger_close(dat->ledger, account);
	if (err)
		return err;
	dat_note(dat, account);
	dat_warn(dat, account);
	if (dat->sums.kinds & 1U << KMA_KIND_PAGE)
		kma_paste_say_page(dat->input, dat->page, account);
	dat_wrong(dat, account);
	return NULL;
}

static void dat_free(struct kma_dat *dat)
{
	/* Nothing that the child could still write is needed. */
	if (dat->child > 0)
		kill(dat->child, SIGKILL);
	dat_reap(dat, 0);
	kma_shmring_destroy(dat->ring);
	kma_ledger_destroy(dat->ledger);
	kma_intern_destroy(dat->intern);
	free(dat->sites);
}

/* *others: it has other events alone, which may have times. */
static struct kma_err *dat_account(struct kma_dat *dat, struct kma_account *account, bool *others)
{
	struct kma_err *err;
	const char *head;
	size_t len;

	err = kma_input_head(dat->input, &head, &len) ?: dat_header(dat, head, len);
	if (err)
		return err;
	dat->intern = kma_intern_new();
	dat->ledger = kma_ledger_create(dat->intern);
	err = dat_start(dat) ?: dat_read_slots(dat);
	if (err)
		return err;
	*others = dat->sums.other && !kma_ledger_booked(dat->ledger);
	return *others ? NULL : dat_close(dat, account);
}

static struct kma_err *dat_read(struct kma_input *input, struct kma_account *account)
{
	struct kma_dat dat = { .input = input, .name = kma_input_name(input) };
	bool others = false;
	struct kma_err *err = dat_account(&dat, account, &others);

	dat_free(&dat);
	return others ? kma_funcgraph_read_dat(input, account) : err;
}

const struct kma_reader_ops kma_reader_trace_dat = {
	.name = "a trace.dat",
	.begins = KMA_DAT_MAGIC,
	.read = dat_read,
};
