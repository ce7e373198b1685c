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

/*
 * Count the runs of shrinkers, and give shrinkers the names that are in the log.
 */

#define KMA_LAT_NAMES	  16384 /* slots of the table */
#define KMA_LAT_MAX_NAMES (KMA_LAT_NAMES / 2)
#define KMA_LAT_NAME_LEN  96 /* bytes of a name, including the NUL; longer ones are cut */

/* The names of an address. */
struct lat_named {
	uint64_t address;				     /* 0: the slot is free */
	char first[KMA_LAT_NAME_LEN], now[KMA_LAT_NAME_LEN]; /* the first and the current name */
};

struct kma_lat_names {
	unsigned int nr; /* used slots */
	bool unused;	 /* rows must be renamed: there is a new first name */
	struct lat_named table[KMA_LAT_NAMES];
};

/*
 * Get the text that identifies a shrinker.
 * @args: arguments of its event
 *
 * Return: function and address, which are before ": nid".
 */
static struct kma_lat_text lat_shrinker(const struct kma_lat_text *args)
{
	const char *end = args->str + args->len, *colon = args->str;

	while ((colon = memchr(colon, ':', end - colon)) && ++colon < end)
		if (*colon == ' ')
			return (struct kma_lat_text){ args->str, colon - 1 - args->str };
	return *args;
}

/*
 * Read an address.
 * @text: hexadecimal digits, perhaps after 0x
 *
 * Return: the address; 0 if the text is not an address.
 */
static uint64_t lat_address(const struct kma_lat_text *text)
{
	const char *p = text->str, *end = p + text->len;
	uint64_t address = 0;

	if (end - p > 2 && p[0] == '0' && p[1] == 'x')
		p += 2;
	if (p == end || end - p > 16)
		return 0;
	for (; p < end; p++) {
		char c = *p | 0x20;

		if (*p >= '0' && *p <= '9')
			address = address << 4 | (*p - '0');
		else if (c >= 'a' && c <= 'f')
			address = address << 4 | (c - 'a' + 10);
		else
			return 0;
	}
	return address;
}

/* The slot of an address, or the free one where it belongs. The table is never full. */
static struct lat_named *lat_named(struct kma_lat_names *names, uint64_t address)
{
	uint64_t i = (address ^ address >> 29) * 0x9e3779b97f4a7c15ULL >> 32;

	for (;; i++) {
		struct lat_named *named = &names->table[i % KMA_LAT_NAMES];

		if (!named->address || named->address == address)
			return named;
	}
}

static void lat_name_copy(char *to, const struct kma_lat_text *name)
{
	size_t len = name->len < KMA_LAT_NAME_LEN ? name->len : KMA_LAT_NAME_LEN - 1;

	memcpy(to, name->str, len);
	to[len] = '\0';
}

/*
 * Set the name of a shrinker from now on.
 * @lat: the analysis
 * @address: address of the shrinker
 * @name: name of its directory in debugfs
 */
static void lat_name_shrinker(struct kma_lat *lat, uint64_t address,
			      const struct kma_lat_text *name)
{
	struct lat_named *named;

	if (!address || !name->len)
		return;
	if (!lat->names)
		lat->names = kma_xcalloc(1, sizeof(*lat->names));
	named = lat_named(lat->names, address);
	if (!named->address && lat->names->nr == KMA_LAT_MAX_NAMES) {
		lat->sums.losses[KMA_LAT_NO_ROOM]++;
		return;
	}
	if (!named->address) {
		lat->names->nr++;
		lat->names->unused = true;
		named->address = address;
		lat_name_copy(named->first, name);
	}
	lat_name_copy(named->now, name);
	/* The cached rows may be those of the previous name. */
	memset(lat->known, 0, sizeof(lat->known));
}

/* The text after the last blank. */
static struct kma_lat_text lat_last_word(const struct kma_lat_text *text)
{
	const char *blank = memrchr(text->str, ' ', text->len);
	struct kma_lat_text word = *text;

	if (blank) {
		word.str = blank + 1;
		word.len = text->str + text->len - word.str;
	}
	return word;
}

/* Apply the first name of each address to the runs before it, too. */
static void lat_name_rows(struct kma_lat *lat)
{
	const struct kma_lat_row **rows;
	size_t nr;

	if (!lat->names || !lat->names->unused)
		return;
	lat->names->unused = false;
	memset(lat->known, 0, sizeof(lat->known));
	rows = kma_lat_rows_sorted(lat->rows, KMA_LAT_OF_SHRINKER, KMA_LAT_OF_SHRINKER, &nr);
	for (size_t i = 0; i < nr; i++) {
		struct kma_lat_text text = { rows[i]->text, rows[i]->len };
		struct kma_lat_text word = lat_last_word(&text);
		uint64_t address = lat_address(&word);
		const struct lat_named *named = lat_named(lat->names, address ?: 1);
		char both[KMA_LAT_MAX_TEXT + KMA_LAT_NAME_LEN];
		int len;

		if (!address || !named->address)
			continue;
		len = snprintf(both, sizeof(both), "%.*s%s", (int)(word.str - text.str), text.str,
			       named->first);
		kma_lat_rows_rename(lat->rows, (struct kma_lat_row *)rows[i],
				    (struct kma_lat_text){ both, len });
	}
	free(rows);
}

/*
 * Find the rows of "super_cache_scan+0x0/0x1b0 00000000deadbeef": that of its function, and that of
 * its function with its name or, if it has none, the address.
 */
static void lat_find_shrinker(struct kma_lat *lat, const struct kma_lat_text *shrinker,
			      struct kma_lat_row **by_name, struct kma_lat_row **by_both)
{
	struct kma_lat_text name = { shrinker->str, 0 }, word = lat_last_word(shrinker);
	uint64_t address = lat->names ? lat_address(&word) : 0;
	char both[KMA_LAT_MAX_TEXT + KMA_LAT_NAME_LEN];
	int len;

	while (name.len < shrinker->len && name.len < KMA_LAT_MAX_TEXT - 32 &&
	       !strchr("+ ", name.str[name.len]))
		name.len++;
	*by_name = kma_lat_rows_get(lat->rows, KMA_LAT_OF_SHRINKER_NAME, name);
	if (address) {
		const struct lat_named *named = lat_named(lat->names, address);

		if (named->address)
			word = (struct kma_lat_text){ named->now, strlen(named->now) };
	} else if (word.len > 24) {
		word.len = 24;
	}
	len = snprintf(both, sizeof(both), "%.*s %.*s", (int)name.len, name.str, (int)word.len,
		       word.str);
	*by_both = kma_lat_rows_get(lat->rows, KMA_LAT_OF_SHRINKER,
				    (struct kma_lat_text){ both, len });
}

/*
 * Count one run of a shrinker.
 * @lat: the analysis
 * @shrinker: from lat_shrinker()
 * @ns: duration of the run
 */
static void lat_count_shrinker(struct kma_lat *lat, const struct kma_lat_text *shrinker,
			       uint64_t ns)
{
	size_t len = shrinker->len;
	struct kma_lat_known *known =
		&lat->known[(len ? (unsigned char)shrinker->str[len - 1] +
					     7 * (unsigned char)*shrinker->str :
				   0) %
			    KMA_LAT_KNOWN];

	if (len > sizeof(known->text) || known->len != len || !known->by_name ||
	    memcmp(known->text, shrinker->str, len)) {
		lat_find_shrinker(lat, shrinker, &known->by_name, &known->by_both);
		known->len = len;
		memcpy(known->text, shrinker->str, len < sizeof(known->text) ? len : 0);
	}
	kma_lat_stat_add(&known->by_name->stat, ns);
	kma_lat_stat_add(&known->by_both->stat, ns);
}

/*
 * Find the call site that waited.
 *
 * If rows are by site, a wait that has ended is not counted at once, because its stack may follow.
 * It is held in its task (kma_lat_task.ended). The next line of the task that is not a stack, or
 * the end of its stack, settles it.
 */

/*
 * Find the caller of an allocating function.
 * @lat: the analysis
 * @task: the task; its stored stack is used up
 * @line: the end of the function
 *
 * Return: the site, valid until the next stack; empty if unknown.
 */
static struct kma_lat_text lat_site(const struct kma_lat *lat, struct kma_lat_task *task,
				    const struct kma_lat_line *line)
{
	struct kma_lat_text site = { task->site.str, task->site.len };
	bool timed = task->site_has_time && line->has_time;

	/* The stack belongs to this call. Times are rounded to microseconds: tolerate one. */
	if (site.len && (!timed || task->site_time + line->duration + 1000 >= line->time)) {
		task->site.len = 0;
		return site;
	}
	for (unsigned int up = 0; kma_lat_task_function(task, up, &site); up++)
		if (!lat->opts.allocator || !lat->opts.allocator(site.str, site.len))
			return site;
	return (struct kma_lat_text){ "", 0 };
}

/*
 * Count the held wait of a task, now that its site is known.
 * @lat: the analysis
 * @task: the task; it may have no held wait
 * @site: the site; NULL: unknown
 */
static void lat_settle(struct kma_lat *lat, struct kma_lat_task *task,
		       const struct kma_lat_text *site)
{
	static const struct kma_lat_text none = { "", 0 };

	if (!task->ended.set)
		return;
	task->ended.set = false;
	kma_lat_count(lat, task->ended.cause, task, site ?: &none, task->ended.took);
}

/* Functions that charge memory to a cgroup and may then reach its limit. */
static bool lat_charges(const struct kma_lat_text *name)
{
	static const struct kma_lat_text charges[] = {
		KMA_LAT_NAME("try_charge"),
		KMA_LAT_NAME("try_charge_memcg"),
		KMA_LAT_NAME("charge_memcg"),
		KMA_LAT_NAME("__mem_cgroup_charge"),
		KMA_LAT_NAME("mem_cgroup_charge"),
		KMA_LAT_NAME("mem_cgroup_try_charge"),
		KMA_LAT_NAME("mem_cgroup_try_charge_delay"),
		KMA_LAT_NAME("mem_cgroup_charge_hugetlb"),
		KMA_LAT_NAME("mem_cgroup_swapin_charge_page"),
		KMA_LAT_NAME("mem_cgroup_swapin_charge_folio"),
		KMA_LAT_NAME("mem_cgroup_charge_skmem"),
		KMA_LAT_NAME("mem_cgroup_sk_charge"),
		KMA_LAT_NAME("obj_cgroup_charge"),
		KMA_LAT_NAME("obj_cgroup_charge_pages"),
		KMA_LAT_NAME("obj_cgroup_charge_account"),
		KMA_LAT_NAME("__memcg_kmem_charge"),
		KMA_LAT_NAME("__memcg_kmem_charge_page"),
		KMA_LAT_NAME("__memcg_kmem_charge_memcg"),
		KMA_LAT_NAME("memcg_charge_slab"),
		KMA_LAT_NAME("memcg_slab_pre_alloc_hook"),
		KMA_LAT_NAME("__memcg_slab_post_alloc_hook"),
		KMA_LAT_NAME("reclaim_high"),
	};
	const char *dot = memchr(name->str, '.', name->len);
	struct kma_lat_text plain = { name->str, dot ? (size_t)(dot - name->str) : name->len };

	for (size_t i = 0; i < ARRAY_SIZE(charges); i++)
		if (kma_lat_same(&plain, &charges[i]))
			return true;
	return false;
}

/*
 * Start to read the lines of a stack.
 * @lat: the analysis
 * @task: the task of the stack
 * @line: its heading
 */
static void lat_stack_begin(struct kma_lat *lat, struct kma_lat_task *task,
			    const struct kma_lat_line *line)
{
	if (lat->opts.by != KMA_LAT_BY_SITE)
		return;
	lat->stack = (struct kma_lat_reading){ .task = task };
	task->site.len = 0;
	task->site_has_time = line->has_time;
	task->site_time = line->time;
}

/*
 * Read the next frame of the stack.
 * @lat: the analysis
 * @frame: function, offset, module
 */
static void lat_stack_frame(struct kma_lat *lat, const struct kma_lat_text *frame)
{
	struct kma_lat_reading *stack = &lat->stack;
	struct kma_lat_text name = { frame->str, 0 };
	bool allocates;

	if (!stack->task || stack->found)
		return;
	while (name.len < frame->len && !strchr("+ ", name.str[name.len]))
		name.len++;
	allocates = kma_lat_allocates(&name) || lat_charges(&name);
	stack->allocates |= allocates;
	if (!stack->allocates || allocates ||
	    (lat->opts.allocator && lat->opts.allocator(name.str, name.len)))
		return;
	stack->found = true;
	kma_lat_keep(&stack->task->site, frame->str, frame->len);
}

/*
 * End the stack, and settle the wait that it belongs to.
 * @lat: the analysis; no stack need have begun
 */
static void lat_stack_end(struct kma_lat *lat)
{
	static const struct kma_lat_text no_alloc = KMA_LAT_NAME(KMA_LAT_NO_ALLOC);
	struct kma_lat_task *task = lat->stack.task;
	struct kma_lat_text site = no_alloc;

	if (!task)
		return;
	if (lat->stack.found)
		site = (struct kma_lat_text){ task->site.str, task->site.len };
	lat->stack.task = NULL;
	lat_settle(lat, task, &site);
}

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

static const struct lat_event {
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

static void lat_no_end(struct kma_lat *lat, enum kma_lat_cause cause)
{
	lat->sums.losses[KMA_LAT_NO_END]++;
	lat->sums.no_end[cause]++;
}

static void lat_forget(void *arg, struct kma_lat_task *task)
{
	const struct kma_lat *lat = arg;

	if (lat->closing)
		return;
	lat_settle(arg, task, NULL);
	for (unsigned int i = 0; i < task->nr_open; i++)
		lat_no_end(arg, task->open[i].cause);
}

struct kma_lat *kma_lat_create(const struct kma_lat_options *opts)
{
	struct kma_lat *lat = kma_xcalloc(1, sizeof(*lat));

	lat->opts = *opts;
	lat->tasks = kma_lat_tasks_create(lat_forget, lat);
	lat->rows = kma_lat_rows_create();
	return lat;
}

void kma_lat_destroy(struct kma_lat *lat)
{
	if (!lat)
		return;
	lat->closing = true;
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

static void lat_show(struct kma_lat *lat, const char *line, size_t len)
{
	if (lat->opts.show)
		lat->opts.show(lat->opts.arg, line, len);
}

static void lat_begin(struct kma_lat *lat, const struct lat_event *event, struct kma_lat_task *task,
		      const struct kma_lat_line *line, const struct kma_lat_text *text)
{
	struct kma_lat_open *open;

	/*
	 * A task has at most one reclaim and one compaction at a time, so an open one was not
	 * ended.
	 */
	for (unsigned int i = task->nr_open; i-- > 0;) {
		if (event->cause == KMA_LAT_SHRINK || task->open[i].cause != event->cause)
			continue;
		lat_no_end(lat, event->cause);
		kma_lat_task_close(task, i);
	}
	if (task->nr_open == KMA_LAT_MAX_OPEN) {
		lat_no_end(lat, task->open[0].cause);
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
	open->shrinker_len = lat_shrinker(&line->args).len;
}

/* The newest open wait of a cause; for runs of shrinkers, of the same shrinker. -1: none. */
static int lat_find(const struct kma_lat_task *task, const struct lat_event *event,
		    const struct kma_lat_line *line)
{
	bool shrinks = event->cause == KMA_LAT_SHRINK;
	struct kma_lat_text ended = { 0 };

	if (shrinks)
		ended = lat_shrinker(&line->args);
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
static bool lat_sound(struct kma_lat *lat, const struct kma_lat_open *open,
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

static void lat_finish(struct kma_lat *lat, const struct lat_event *event,
		       struct kma_lat_task *task, const struct kma_lat_line *line,
		       const struct kma_lat_text *text)
{
	struct kma_lat_text shrinker, args;
	struct kma_lat_open *open;
	uint64_t ns;
	int i = lat_find(task, event, line);

	if (i < 0) {
		lat->sums.losses[KMA_LAT_NO_BEGIN]++;
		return;
	}
	kma_lat_task_close(task, i);
	open = &task->open[task->nr_open];
	if (!lat_sound(lat, open, line))
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
	lat_count_shrinker(lat, &shrinker, ns);
	if (ns <= lat->opts.threshold)
		return;
	lat_show(lat, open->line.str, open->line.len);
	lat_show(lat, text->str, text->len);
}

static const struct lat_event *lat_event_find(const struct kma_lat_line *line)
{
	for (size_t i = 0; line->what == KMA_LAT_EVENT && i < ARRAY_SIZE(kma_lat_events); i++)
		if (kma_lat_same(&line->name, &kma_lat_events[i].name))
			return &kma_lat_events[i];
	return NULL;
}

/* A line of kma_tracefs_names(). A name follows the address of its shrinker in the same task. */
static void lat_names_event(struct kma_lat *lat, enum kma_lat_role role, struct kma_lat_task *task,
			    const struct kma_lat_line *line)
{
	struct kma_lat_text value;

	if (role == KMA_LAT_OPENED) {
		kma_lat_value(&line->args, "shrinker=", &value);
		task->opened = lat_address(&value);
		return;
	}
	if (role == KMA_LAT_NAMED) {
		lat_name_shrinker(lat, task->opened, &line->args);
	} else {
		lat_name_rows(lat);
		lat->sums.lists++;
	}
	task->opened = 0;
}

/* The next task's number: "next_pid=12"; in trace-cmd's text "comm:12 [120]" after the arrow. */
static bool lat_next_pid(const struct kma_lat_text *args, unsigned int *ret)
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
static bool lat_under_way(const struct kma_lat *lat, const struct kma_lat_task *task)
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
static void lat_switched(struct kma_lat *lat, struct kma_lat_task *task,
			 const struct kma_lat_line *line)
{
	struct kma_lat_line next = { .what = KMA_LAT_EVENT, .has_pid = true };
	struct kma_lat_off *off = &task->off;

	lat->sums.switches++;
	off->set = line->has_time && line->has_pid && line->pid && !lat_under_way(lat, task);
	off->time = line->time;
	off->all_losses = lat->all_gaps;
	if (!lat_next_pid(&line->args, &next.pid) || !next.pid)
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
static void lat_interrupted(struct kma_lat *lat, enum kma_lat_role role, struct kma_lat_task *task,
			    const struct kma_lat_line *line)
{
	struct kma_lat_off *in = &task->interrupt;

	lat->sums.interrupts += role == KMA_LAT_INTERRUPT_END;
	if (!line->has_time || !line->has_pid || !line->pid)
		return;
	if (in->all_losses != lat->all_gaps)
		*in = (struct kma_lat_off){ .all_losses = lat->all_gaps };
	if (role == KMA_LAT_INTERRUPT_BEGIN) {
		if (!in->depth++) {
			in->set = !lat_under_way(lat, task);
			in->time = line->time;
		}
		return;
	}
	if (!in->depth || --in->depth)
		return;
	if (in->set && in->time <= line->time)
		kma_lat_share_ended(task, KMA_LAT_INTERRUPT, in->time, line->time - in->time);
}

static void lat_event(struct kma_lat *lat, struct kma_lat_task *task,
		      const struct kma_lat_line *line, const struct kma_lat_text *text)
{
	const struct lat_event *event = lat_event_find(line);
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
		lat_begin(lat, event, task, line, text);
	else if (event->role == KMA_LAT_END)
		lat_finish(lat, event, task, line, text);
	else if (event->role == KMA_LAT_SWITCHED)
		lat_switched(lat, task, line);
	else if (event->role == KMA_LAT_INTERRUPT_BEGIN || event->role == KMA_LAT_INTERRUPT_END)
		lat_interrupted(lat, event->role, task, line);
	else if (event->role != KMA_LAT_POINT)
		lat_names_event(lat, event->role, task, line);
}

/* Show the kept tracepoints of a function's call; older ones do not belong to it. */
static void lat_slots(struct kma_lat *lat, struct kma_lat_task *task, unsigned int slots,
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
		lat_show(lat, kept->line.str, kept->line.len);
	}
}

static void lat_unset(struct kma_lat_task *task, unsigned int slots)
{
	for (unsigned int i = 0; i < KMA_LAT_NR_SLOTS; i++)
		if (slots >> i & 1)
			task->kept[i].set = false;
}

static void lat_allocated(struct kma_lat *lat, struct kma_lat_task *task,
			  const struct kma_lat_line *line)
{
	struct kma_lat_text site = { "", 0 };

	if (lat->opts.by == KMA_LAT_BY_SITE)
		site = lat_site(lat, task, line);
	kma_lat_share_add(&lat->sums, task, line);
	kma_lat_count(lat, KMA_LAT_ALLOC, task, &site, line->duration);
}

/* Count the call of a function for the causes whose tracepoints it has. */
static void lat_called(struct kma_lat_sums *sums, const struct kma_lat_function *function)
{
	sums->functions[KMA_LAT_RECLAIM] += function->slots >> KMA_LAT_RECLAIM_BEGIN & 1;
	sums->functions[KMA_LAT_COMPACT] += function->slots >> KMA_LAT_COMPACT_BEGIN & 1;
}

/* A function has ended: if it was slow, show it after its tracepoints. */
static void lat_ended(struct kma_lat *lat, struct kma_lat_task *task, struct kma_lat_line *line,
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
		lat_called(&lat->sums, function);
	if (function && slow && !function->allocates)
		lat_slots(lat, task, function->slots, line);
	else if (function)
		lat_unset(task, function->slots);
	if (function && function->allocates)
		lat_allocated(lat, task, line);
	if (!slow)
		return;
	kma_lat_row_add(lat, KMA_LAT_OF_FUNCTION, line->name, line->duration);
	lat_show(lat, text->str, text->len);
}

static void lat_entered(struct kma_lat_task *task, const struct kma_lat_line *line)
{
	const struct kma_lat_function *function = kma_lat_function_find(&line->name);

	kma_lat_task_push(task, &line->name);
	if (function)
		lat_unset(task, function->slots);
	if (function && function->allocates)
		task->site.len = 0;
}

/* Events were lost. Waits that began before may have ended in the gap, so they are not timed. */
static void lat_lost(struct kma_lat *lat, struct kma_lat_task *task,
		     const struct kma_lat_line *line)
{
	lat->sums.losses[KMA_LAT_LOST_EVENTS] += line->lost;
	lat->sums.losses[KMA_LAT_LOST_GAPS] += !line->lost;
	lat->gaps[line->cpu]++;
	lat->all_gaps++;
	kma_lat_task_clear(task);
}

static void lat_span(struct kma_lat_sums *sums, uint64_t time)
{
	if (!sums->has_time || time < sums->first)
		sums->first = time;
	if (!sums->has_time || time > sums->last)
		sums->last = time;
	sums->has_time = true;
}

/* Handle one line. @limit: end of the bytes that may be read. */
static void lat_line(struct kma_lat *lat, const struct kma_lat_text *text, const char *limit)
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
		lat_stack_frame(lat, &line.name);
	else
		lat_stack_end(lat);
	if (line.what <= KMA_LAT_NOTHING)
		return;
	lat->sums.read++;
	if (line.what == KMA_LAT_FRAME)
		return;
	if (line.has_time)
		lat_span(&lat->sums, line.time);
	task = kma_lat_tasks_get(lat->tasks, &line);
	if (line.what != KMA_LAT_STACK)
		lat_settle(lat, task, NULL);
	if (line.what == KMA_LAT_STACK)
		lat_stack_begin(lat, task, &line);
	else if (line.what == KMA_LAT_EVENT)
		lat_event(lat, task, &line, text);
	else if (line.what == KMA_LAT_ENTRY)
		lat_entered(task, &line);
	else if (line.what == KMA_LAT_LOST)
		lat_lost(lat, task, &line);
	else if (line.what != KMA_LAT_SWITCH)
		lat_ended(lat, task, &line, text);
}

void kma_lat_text(struct kma_lat *lat, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *nl = memchr(text, '\n', end - text);
		struct kma_lat_text line = { text, (nl ?: end) - text };

		if (nl)
			lat_line(lat, &line, end);
		else
			lat->sums.losses[KMA_LAT_CUT]++;
		text = nl ? nl + 1 : end;
	}
}

void kma_lat_end(struct kma_lat *lat)
{
	lat_stack_end(lat);
	lat_name_rows(lat);
	kma_lat_tasks_destroy(lat->tasks);
	lat->tasks = NULL;
	lat->tasks = kma_lat_tasks_create(lat_forget, lat);
}

bool kma_lat_is_log(const char *text, size_t len, bool *calls)
{
	const char *end = text + (len < KMA_LAT_PROBE ? len : KMA_LAT_PROBE), *nl;
	bool events = false;

	*calls = false;
	for (; text < end && (nl = memchr(text, '\n', end - text)); text = nl + 1) {
		const struct lat_event *event;
		struct kma_lat_line line;

		kma_lat_parse(text, nl - text, &line);
		*calls = line.what == KMA_LAT_ENTRY || line.what == KMA_LAT_EXIT ||
			 line.what == KMA_LAT_LEAF;
		if (*calls)
			return true;
		event = lat_event_find(&line);
		/* Switches of tasks and interrupts are in other logs, too. */
		events |= event &&
			  (event->role < KMA_LAT_SWITCHED || event->role > KMA_LAT_INTERRUPT_END);
	}
	return events;
}
