// SPDX-License-Identifier: GPL-2.0-only
/*
 * latency.c - analyse how long allocations wait, and for what.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "count.h"
#include "function.h"
#include "latency.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "quick.h"
#include "share.h"
#include "shrinker.h"
#include "site.h"

/* A tracepoint may be this much older than the duration of its function (an interrupt between). */
#define KMA_LAT_SLOP 100000 /* ns */

/* Bytes at the start of a file in which its type must show, after a header and notes. */
#define KMA_LAT_PROBE 8192

/* What an event means for its task. */
enum kma_lat_role {
	KMA_LAT_POINT, /* only shown */
	KMA_LAT_BEGIN, /* begins a wait of its cause */
	KMA_LAT_END,   /* ends it */
	/* without a cause */
	KMA_LAT_SWITCHED,	 /* one task leaves a CPU, another one gets it */
	KMA_LAT_INTERRUPT_BEGIN, /* of an interrupt or a softirq */
	KMA_LAT_INTERRUPT_END,
	/* lines that kma_tracefs_names() writes; without a cause */
	KMA_LAT_OPENED, /* address of a shrinker */
	KMA_LAT_NAMED,	/* its name */
	KMA_LAT_LISTED, /* the list of names is complete */
};

static const struct kma_lat_event {
	struct kma_lat_text name;
	enum kma_lat_role role;
	enum kma_lat_cause cause;
	enum kma_lat_slot slot; /* the line is kept for its function; NR_SLOTS: it is not */
} kma_lat_events[] = {
	{ KMA_LAT_NAME("mm_shrink_slab_start"), KMA_LAT_BEGIN, KMA_LAT_SHRINK, KMA_LAT_NR_SLOTS },
	{ KMA_LAT_NAME("mm_shrink_slab_end"), KMA_LAT_END, KMA_LAT_SHRINK, KMA_LAT_NR_SLOTS },
	{ KMA_LAT_NAME("mm_vmscan_lru_shrink_inactive"), KMA_LAT_POINT, KMA_LAT_RECLAIM,
	  KMA_LAT_INACTIVE },
	{ KMA_LAT_NAME("mm_compaction_begin"), KMA_LAT_BEGIN, KMA_LAT_COMPACT,
	  KMA_LAT_COMPACT_BEGIN },
	{ KMA_LAT_NAME("mm_compaction_end"), KMA_LAT_END, KMA_LAT_COMPACT, KMA_LAT_COMPACT_END },
	{ KMA_LAT_NAME("mm_compaction_try_to_compact_pages"), KMA_LAT_POINT, KMA_LAT_COMPACT,
	  KMA_LAT_TRY_COMPACT },
	{ KMA_LAT_NAME("mm_vmscan_direct_reclaim_begin"), KMA_LAT_BEGIN, KMA_LAT_RECLAIM,
	  KMA_LAT_RECLAIM_BEGIN },
	{ KMA_LAT_NAME("mm_vmscan_direct_reclaim_end"), KMA_LAT_END, KMA_LAT_RECLAIM,
	  KMA_LAT_RECLAIM_END },
	{ KMA_LAT_NAME("mm_vmscan_memcg_reclaim_begin"), KMA_LAT_BEGIN, KMA_LAT_MEMCG,
	  KMA_LAT_MEMCG_BEGIN },
	{ KMA_LAT_NAME("mm_vmscan_memcg_reclaim_end"), KMA_LAT_END, KMA_LAT_MEMCG,
	  KMA_LAT_MEMCG_END },
	{ KMA_LAT_NAME("sched_switch"), KMA_LAT_SWITCHED, 0, KMA_LAT_NR_SLOTS },
	{ KMA_LAT_NAME("irq_handler_entry"), KMA_LAT_INTERRUPT_BEGIN, 0, KMA_LAT_NR_SLOTS },
	{ KMA_LAT_NAME("irq_handler_exit"), KMA_LAT_INTERRUPT_END, 0, KMA_LAT_NR_SLOTS },
	{ KMA_LAT_NAME("softirq_entry"), KMA_LAT_INTERRUPT_BEGIN, 0, KMA_LAT_NR_SLOTS },
	{ KMA_LAT_NAME("softirq_exit"), KMA_LAT_INTERRUPT_END, 0, KMA_LAT_NR_SLOTS },
	{ KMA_LAT_NAME("kma_open"), KMA_LAT_OPENED, 0, KMA_LAT_NR_SLOTS },
	{ KMA_LAT_NAME("kma_shrinker"), KMA_LAT_NAMED, 0, KMA_LAT_NR_SLOTS },
	{ KMA_LAT_NAME("kma_shrinkers"), KMA_LAT_LISTED, 0, KMA_LAT_NR_SLOTS },
};

static void kma_lat_no_end(struct kma_lat *lat, enum kma_lat_cause cause)
{
	lat->sums.losses[KMA_LAT_NO_END]++;
	lat->sums.no_end[cause]++;
}

static void kma_lat_forget(void *arg, struct kma_lat_task *task)
{
	kma_lat_settle(arg, task, NULL);
	for (unsigned int i = 0; i < task->nr_open; i++)
		kma_lat_no_end(arg, task->open[i].cause);
}

struct kma_lat *kma_lat_create(const struct kma_lat_options *opts)
{
	struct kma_lat *lat = kma_xcalloc(1, sizeof(*lat));

	lat->opts = *opts;
	lat->tasks = kma_lat_tasks_create(kma_lat_forget, lat);
	lat->rows = kma_lat_rows_create();
	return lat;
}

void kma_lat_destroy(struct kma_lat *lat)
{
	if (!lat)
		return;
	kma_lat_tasks_destroy(lat->tasks);
	kma_lat_rows_destroy(lat->rows);
	free(lat->names);
	free(lat);
}

const struct kma_lat_sums *kma_lat_sums(const struct kma_lat *lat)
{
	return &lat->sums;
}

const struct kma_lat_rows *kma_lat_rows(const struct kma_lat *lat)
{
	return lat->rows;
}

static void kma_lat_show(struct kma_lat *lat, const char *line, size_t len)
{
	if (lat->opts.show)
		lat->opts.show(lat->opts.arg, line, len);
}

static void kma_lat_begin(struct kma_lat *lat, const struct kma_lat_event *event,
			  struct kma_lat_task *task, const struct kma_lat_line *line,
			  const struct kma_lat_text *text)
{
	struct kma_lat_open *open;

	/*
	 * A task has at most one reclaim and one compaction at a time, so an open one was not
	 * ended.
	 */
	for (unsigned int i = task->nr_open; i-- > 0;) {
		if (event->cause == KMA_LAT_SHRINK || task->open[i].cause != event->cause)
			continue;
		kma_lat_no_end(lat, event->cause);
		kma_lat_task_close(task, i);
	}
	if (task->nr_open == KMA_LAT_MAX_OPEN) {
		kma_lat_no_end(lat, task->open[0].cause);
		kma_lat_task_close(task, 0);
	}
	open = &task->open[task->nr_open++];
	kma_lat_keep(&open->line, text->str, text->len);
	open->cause = event->cause;
	open->has_time = line->has_time;
	open->time = line->time;
	open->cpu = line->cpu;
	open->losses = lat->gaps[line->cpu];
	open->all_losses = lat->all_gaps;
	open->args = line->args.str - text->str;
	open->args_len = line->args.len;
	open->shrinker_len = kma_lat_shrinker(&line->args).len;
}

/* The newest open wait of a cause; for runs of shrinkers, of the same shrinker. -1: none. */
static int kma_lat_find(const struct kma_lat_task *task, const struct kma_lat_event *event,
			const struct kma_lat_line *line)
{
	bool shrinks = event->cause == KMA_LAT_SHRINK;
	struct kma_lat_text ended = { 0 };

	if (shrinks)
		ended = kma_lat_shrinker(&line->args);
	for (int i = task->nr_open - 1; i >= 0; i--) {
		const struct kma_lat_open *open = &task->open[i];

		if (open->cause == event->cause &&
		    (!shrinks || (open->shrinker_len == ended.len &&
				  !memcmp(open->line.str + open->args, ended.str, ended.len))))
			return i;
	}
	return -1;
}

/* Is the time between two events valid? If not, count the reason. */
static bool kma_lat_sound(struct kma_lat *lat, const struct kma_lat_open *open,
			  const struct kma_lat_line *line)
{
	bool gap = open->cpu == line->cpu ? open->losses != lat->gaps[line->cpu] :
					    open->all_losses != lat->all_gaps;
	bool timed = open->has_time && line->has_time;
	enum kma_lat_loss loss = gap	? KMA_LAT_OVER_GAP :
				 !timed ? KMA_LAT_NO_TIME :
					  KMA_LAT_BACKWARDS;

	if (!gap && timed && line->time >= open->time)
		return true;
	lat->sums.losses[loss]++;
	return false;
}

static void kma_lat_finish(struct kma_lat *lat, const struct kma_lat_event *event,
			   struct kma_lat_task *task, const struct kma_lat_line *line,
			   const struct kma_lat_text *text)
{
	struct kma_lat_text shrinker, args;
	struct kma_lat_open *open;
	uint64_t ns;
	int i = kma_lat_find(task, event, line);

	if (i < 0) {
		lat->sums.losses[KMA_LAT_NO_BEGIN]++;
		return;
	}
	kma_lat_task_close(task, i);
	open = &task->open[task->nr_open];
	if (!kma_lat_sound(lat, open, line))
		return;
	ns = line->time - open->time;
	args = (struct kma_lat_text){ open->line.str + open->args, open->args_len };
	kma_lat_share_ended(task, event->cause, open->time, ns);
	if (lat->opts.by == KMA_LAT_BY_SITE)
		task->ended = (struct kma_lat_ended){ true, event->cause, ns };
	else
		kma_lat_count(lat, event->cause, task, &args, ns);
	if (event->cause != KMA_LAT_SHRINK)
		return;
	shrinker = (struct kma_lat_text){ args.str, open->shrinker_len };
	kma_lat_count_shrinker(lat, &shrinker, ns);
	if (ns <= lat->opts.threshold)
		return;
	kma_lat_show(lat, open->line.str, open->line.len);
	kma_lat_show(lat, text->str, text->len);
}

static const struct kma_lat_event *kma_lat_event_find(const struct kma_lat_line *line)
{
	for (size_t i = 0; line->what == KMA_LAT_EVENT && i < ARRAY_SIZE(kma_lat_events); i++)
		if (kma_lat_same(&line->name, &kma_lat_events[i].name))
			return &kma_lat_events[i];
	return NULL;
}

/* A line of kma_tracefs_names(). A name follows the address of its shrinker in the same task. */
static void kma_lat_names_event(struct kma_lat *lat, enum kma_lat_role role,
				struct kma_lat_task *task, const struct kma_lat_line *line)
{
	struct kma_lat_text value;

	if (role == KMA_LAT_OPENED) {
		kma_lat_value(&line->args, "shrinker=", &value);
		task->opened = kma_lat_address(&value);
		return;
	}
	if (role == KMA_LAT_NAMED) {
		kma_lat_name_shrinker(lat, task->opened, &line->args);
	} else {
		kma_lat_name_rows(lat);
		lat->sums.lists++;
	}
	task->opened = 0;
}

/* The next task's number: "next_pid=12"; in trace-cmd's text "comm:12 [120]" after the arrow. */
static bool kma_lat_next_pid(const struct kma_lat_text *args, unsigned int *ret)
{
	static const char arrow[] = "==> ";
	struct kma_lat_text value = { "", 0 }, rest = *args, found;
	const char *at, *end;

	*ret = 0;
	/* The last one counts: the names of both tasks come before it, and may contain the same. */
	for (; kma_lat_value(&rest, "next_pid=", &found); value = found) {
		rest.len -= found.str - rest.str;
		rest.str = found.str;
	}
	if (!value.len) {
		at = memmem(args->str, args->len, arrow, sizeof(arrow) - 1);
		end = at ? memmem(at, args->str + args->len - at, " [", 2) : NULL;
		at = end ? memrchr(at, ':', end - at) : NULL;
		if (!at)
			return false;
		value = (struct kma_lat_text){ at + 1, end - at - 1 };
	}
	for (size_t i = 0; i < value.len && value.str[i] >= '0' && value.str[i] <= '9'; i++)
		*ret = *ret * 10 + (value.str[i] - '0');
	return value.len && *value.str >= '0' && *value.str <= '9';
}

/* Is a wait in progress? One whose end event may be lost does not count. */
static bool kma_lat_under_way(const struct kma_lat *lat, const struct kma_lat_task *task)
{
	for (unsigned int i = 0; i < task->nr_open; i++)
		if (task->open[i].all_losses == lat->all_gaps)
			return true;
	return false;
}

/*
 * Handle a switch of tasks: note when a task leaves its CPU, and count that time when it returns.
 * While a wait is in progress, its time is charged to its cause, whether the task is on a CPU or
 * not. An idle task does not wait for anything.
 */
static void kma_lat_switched(struct kma_lat *lat, struct kma_lat_task *task,
			     const struct kma_lat_line *line)
{
	struct kma_lat_line next = { .what = KMA_LAT_EVENT, .has_pid = true };
	struct kma_lat_off *off = &task->off;

	lat->sums.switches++;
	off->set = line->has_time && line->has_pid && line->pid && !kma_lat_under_way(lat, task);
	off->time = line->time;
	off->all_losses = lat->all_gaps;
	if (!kma_lat_next_pid(&line->args, &next.pid) || !next.pid)
		return;
	task = kma_lat_tasks_get(lat->tasks, &next);
	off = &task->off;
	if (off->set && line->has_time && off->all_losses == lat->all_gaps &&
	    off->time <= line->time)
		kma_lat_share_ended(task, KMA_LAT_OFF_CPU, off->time, line->time - off->time);
	off->set = false;
}

/*
 * Handle the start or end of an interrupt, which is charged to the task that it interrupts. If an
 * interrupt interrupts a softirq, only the outer one counts. If one of the two events may be lost,
 * the interrupt is not timed.
 */
static void kma_lat_interrupted(struct kma_lat *lat, enum kma_lat_role role,
				struct kma_lat_task *task, const struct kma_lat_line *line)
{
	struct kma_lat_off *in = &task->interrupt;

	lat->sums.interrupts += role == KMA_LAT_INTERRUPT_END;
	if (!line->has_time || !line->has_pid || !line->pid)
		return;
	if (in->all_losses != lat->all_gaps)
		*in = (struct kma_lat_off){ .all_losses = lat->all_gaps };
	if (role == KMA_LAT_INTERRUPT_BEGIN) {
		if (!in->depth++) {
			in->set = !kma_lat_under_way(lat, task);
			in->time = line->time;
		}
		return;
	}
	if (!in->depth || --in->depth)
		return;
	if (in->set && in->time <= line->time)
		kma_lat_share_ended(task, KMA_LAT_INTERRUPT, in->time, line->time - in->time);
}

static void kma_lat_event(struct kma_lat *lat, struct kma_lat_task *task,
			  const struct kma_lat_line *line, const struct kma_lat_text *text)
{
	const struct kma_lat_event *event = kma_lat_event_find(line);
	struct kma_lat_kept *kept;

	if (!event)
		return;
	if (event->role <= KMA_LAT_END) {
		lat->sums.events[event->cause]++;
		lat->sums.timed |= line->has_time;
	}
	if (event->slot < KMA_LAT_NR_SLOTS) {
		kept = &task->kept[event->slot];
		kept->set = true;
		kept->has_time = line->has_time;
		kept->time = line->time;
		kma_lat_keep(&kept->line, text->str, text->len);
		/* An older end event does not belong to this begin event. */
		if (event->role == KMA_LAT_BEGIN)
			task->kept[event->slot + 1].set = false;
	}
	if (event->role == KMA_LAT_BEGIN)
		kma_lat_begin(lat, event, task, line, text);
	else if (event->role == KMA_LAT_END)
		kma_lat_finish(lat, event, task, line, text);
	else if (event->role == KMA_LAT_SWITCHED)
		kma_lat_switched(lat, task, line);
	else if (event->role == KMA_LAT_INTERRUPT_BEGIN || event->role == KMA_LAT_INTERRUPT_END)
		kma_lat_interrupted(lat, event->role, task, line);
	else if (event->role != KMA_LAT_POINT)
		kma_lat_names_event(lat, event->role, task, line);
}

/* Show the kept tracepoints of a function's call; older ones do not belong to it. */
static void kma_lat_slots(struct kma_lat *lat, struct kma_lat_task *task, unsigned int slots,
			  const struct kma_lat_line *line)
{
	uint64_t span = line->duration + KMA_LAT_SLOP;

	for (unsigned int i = 0; i < KMA_LAT_NR_SLOTS; i++) {
		struct kma_lat_kept *kept = &task->kept[i];

		if (!(slots >> i & 1) || !kept->set)
			continue;
		kept->set = false;
		if (kept->has_time && line->has_time && kept->time + span < line->time)
			continue;
		kma_lat_show(lat, kept->line.str, kept->line.len);
	}
}

static void kma_lat_unset(struct kma_lat_task *task, unsigned int slots)
{
	for (unsigned int i = 0; i < KMA_LAT_NR_SLOTS; i++)
		if (slots >> i & 1)
			task->kept[i].set = false;
}

static void kma_lat_allocated(struct kma_lat *lat, struct kma_lat_task *task,
			      const struct kma_lat_line *line)
{
	struct kma_lat_text site = { "", 0 };

	if (lat->opts.by == KMA_LAT_BY_SITE)
		site = kma_lat_site(lat, task, line);
	kma_lat_share_add(&lat->sums, task, line);
	kma_lat_count(lat, KMA_LAT_ALLOC, task, &site, line->duration);
}

/* Count the call of a function for the causes whose tracepoints it has. */
static void kma_lat_called(struct kma_lat_sums *sums, const struct kma_lat_function *function)
{
	sums->functions[KMA_LAT_RECLAIM] += function->slots >> KMA_LAT_RECLAIM_BEGIN & 1;
	sums->functions[KMA_LAT_COMPACT] += function->slots >> KMA_LAT_COMPACT_BEGIN & 1;
}

/* A function has ended: if it was slow, show it after its tracepoints. */
static void kma_lat_ended(struct kma_lat *lat, struct kma_lat_task *task, struct kma_lat_line *line,
			  const struct kma_lat_text *text)
{
	const struct kma_lat_function *function;
	bool slow;

	if (line->what == KMA_LAT_EXIT && !kma_lat_task_pop(task, &line->name)) {
		lat->sums.losses[KMA_LAT_NO_NAME]++;
		return;
	}
	if (!line->has_duration) {
		lat->sums.losses[KMA_LAT_NO_DURATION]++;
		return;
	}
	function = kma_lat_function_find(&line->name);
	slow = line->duration >= lat->opts.threshold;
	if (function && !function->allocates)
		kma_lat_called(&lat->sums, function);
	if (function && slow && !function->allocates)
		kma_lat_slots(lat, task, function->slots, line);
	else if (function)
		kma_lat_unset(task, function->slots);
	if (function && function->allocates)
		kma_lat_allocated(lat, task, line);
	if (!slow)
		return;
	kma_lat_row_add(lat, KMA_LAT_OF_FUNCTION, line->name, line->duration);
	kma_lat_show(lat, text->str, text->len);
}

static void kma_lat_entered(struct kma_lat_task *task, const struct kma_lat_line *line)
{
	const struct kma_lat_function *function = kma_lat_function_find(&line->name);

	kma_lat_task_push(task, &line->name);
	if (function)
		kma_lat_unset(task, function->slots);
	if (function && function->allocates)
		task->site.len = 0;
}

/* Events were lost. Waits that began before may have ended in the gap, so they are not timed. */
static void kma_lat_lost(struct kma_lat *lat, struct kma_lat_task *task,
			 const struct kma_lat_line *line)
{
	lat->sums.losses[KMA_LAT_LOST_EVENTS] += line->lost;
	lat->sums.losses[KMA_LAT_LOST_GAPS] += !line->lost;
	lat->gaps[line->cpu]++;
	lat->all_gaps++;
	kma_lat_task_clear(task);
}

static void kma_lat_span(struct kma_lat_sums *sums, uint64_t time)
{
	if (!sums->has_time || time < sums->first)
		sums->first = time;
	if (!sums->has_time || time > sums->last)
		sums->last = time;
	sums->has_time = true;
}

/* Handle one line. @limit: end of the bytes that may be read. */
static void kma_lat_line(struct kma_lat *lat, const struct kma_lat_text *text, const char *limit)
{
	struct kma_lat_task *task;
	struct kma_lat_line line;

	lat->sums.lines++;
	if (!kma_lat_quick(text->str, text->len, limit, &line))
		kma_lat_parse(text->str, text->len, &line);
	if (line.what == KMA_LAT_BAD) {
		lat->sums.first_bad = lat->sums.first_bad ?: lat->sums.lines;
		lat->sums.losses[KMA_LAT_NOT_READ]++;
	}
	if (line.what == KMA_LAT_FRAME)
		kma_lat_stack_frame(lat, &line.name);
	else
		kma_lat_stack_end(lat);
	if (line.what <= KMA_LAT_NOTHING)
		return;
	lat->sums.read++;
	if (line.what == KMA_LAT_FRAME)
		return;
	if (line.has_time)
		kma_lat_span(&lat->sums, line.time);
	task = kma_lat_tasks_get(lat->tasks, &line);
	if (line.what != KMA_LAT_STACK)
		kma_lat_settle(lat, task, NULL);
	if (line.what == KMA_LAT_STACK)
		kma_lat_stack_begin(lat, task, &line);
	else if (line.what == KMA_LAT_EVENT)
		kma_lat_event(lat, task, &line, text);
	else if (line.what == KMA_LAT_ENTRY)
		kma_lat_entered(task, &line);
	else if (line.what == KMA_LAT_LOST)
		kma_lat_lost(lat, task, &line);
	else if (line.what != KMA_LAT_SWITCH)
		kma_lat_ended(lat, task, &line, text);
}

void kma_lat_text(struct kma_lat *lat, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *nl = memchr(text, '\n', end - text);
		struct kma_lat_text line = { text, (nl ?: end) - text };

		if (nl)
			kma_lat_line(lat, &line, end);
		else
			lat->sums.losses[KMA_LAT_CUT]++;
		text = nl ? nl + 1 : end;
	}
}

void kma_lat_end(struct kma_lat *lat)
{
	kma_lat_stack_end(lat);
	kma_lat_name_rows(lat);
	kma_lat_tasks_destroy(lat->tasks);
	lat->tasks = kma_lat_tasks_create(kma_lat_forget, lat);
}

bool kma_lat_is_log(const char *text, size_t len, bool *calls)
{
	const char *end = text + (len < KMA_LAT_PROBE ? len : KMA_LAT_PROBE), *nl;
	bool events = false;

	*calls = false;
	for (; text < end && (nl = memchr(text, '\n', end - text)); text = nl + 1) {
		const struct kma_lat_event *event;
		struct kma_lat_line line;

		kma_lat_parse(text, nl - text, &line);
		*calls = line.what == KMA_LAT_ENTRY || line.what == KMA_LAT_EXIT ||
			 line.what == KMA_LAT_LEAF;
		if (*calls)
			return true;
		event = kma_lat_event_find(&line);
		/* Switches of tasks and interrupts are in other logs, too. */
		events |= event &&
			  (event->role < KMA_LAT_SWITCHED || event->role > KMA_LAT_INTERRUPT_END);
	}
	return events;
}
