// SPDX-License-Identifier: GPL-2.0-only
/*
 * latency.c - analyse how long allocations wait, and for what. The rules are two tables, functions
 * and events.
 *
 * The time of an allocation is divided among its causes. Each wait that has ended is stored with its
 * task ("past"); when an allocating function ends, the waits that began during it are its causes. A
 * run of a shrinker is inside a reclaim and counts as KMA_LAT_IN_SHRINK only: it is subtracted from
 * the reclaim that contains it. Time off the CPU and interrupts count only outside other waits. A
 * task stores at most KMA_LAT_MAX_PAST waits. If there are more, the older half is dropped, and its
 * time becomes part of the rest. Tracepoints have whole microseconds, so the sum of parts may exceed
 * the whole; it is then limited to the whole.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "latency.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/line-cursor.h"
#include "lib/map.h"

#define MAX_NAMES 8192
#define NAME_LEN  96 /* bytes of a name, including the NUL; longer ones are cut */

/* The names of a shrinker: the first one and the current one. */
struct named {
	uint64_t address;
	char first[NAME_LEN], now[NAME_LEN];
};

/* The stack that is being read, frame by frame. */
struct reading {
	struct kma_lat_task *task; /* task of the stack; NULL: no stack is being read */
	bool allocates, found;	   /* a frame so far allocates or charges; the site was found */
};

struct kma_lat {
	struct kma_lat_options opts;
	struct kma_lat_tasks *tasks;
	struct kma_lat_rows *rows;
	struct kma_lat_sums sums;
	uint64_t gaps[KMA_LAT_MAX_CPUS], all_gaps; /* times that events of a CPU were lost; sum */
	struct reading stack;
	struct kma_map addresses; /* of shrinkers whose names are in the log */
	struct named *names;	  /* by number of @addresses */
	uint32_t room;		  /* elements of @names */
	bool unused;		  /* rows must be renamed: there is a new first name */
	bool closing;		  /* nothing is counted any more: there may be no memory for it */
};

static void keep(struct kma_strbuf *to, const char *line, size_t len)
{
	to->len = 0;
	kma_strbuf_add(to, line, len);
}

const char *const kma_lat_by_names[KMA_LAT_NR_BY] = {
	"cause", "shrinker", "function", "task", "order", "gfp", "node", "site",
};

const char *const kma_lat_cause_names[KMA_LAT_NR_CAUSES] = {
	"allocation", "direct_reclaim", "memcg_reclaim", "compaction", "shrink",
};

const char *const kma_lat_loss_names[KMA_LAT_NR_LOSSES] = {
	[KMA_LAT_LOST_EVENTS] = "lost_events",
	[KMA_LAT_LOST_GAPS] = "lost_gaps",
	[KMA_LAT_NOT_READ] = "lines_not_understood",
	[KMA_LAT_NO_END] = "begins_without_end",
	[KMA_LAT_NO_BEGIN] = "ends_without_begin",
	[KMA_LAT_OVER_GAP] = "pairs_over_lost_events",
	[KMA_LAT_BACKWARDS] = "pairs_backwards",
	[KMA_LAT_NO_TIME] = "pairs_without_time",
	[KMA_LAT_NO_NAME] = "functions_without_name",
	[KMA_LAT_NO_DURATION] = "functions_without_duration",
	[KMA_LAT_CUT] = "cut_lines",
	[KMA_LAT_NO_ROOM] = "shrinker_names_without_room",
};

const char *const kma_lat_loss_titles[KMA_LAT_NR_LOSSES] = {
	[KMA_LAT_LOST_EVENTS] = "events were lost by the kernel",
	[KMA_LAT_LOST_GAPS] = "times the kernel lost events without reporting how many",
	[KMA_LAT_NOT_READ] = "lines were not recognised",
	[KMA_LAT_NO_END] = "begin events have no end event",
	[KMA_LAT_NO_BEGIN] = "end events have no begin event",
	[KMA_LAT_OVER_GAP] =
		"begin/end pairs have lost events between begin and end and are not timed",
	[KMA_LAT_BACKWARDS] = "begin/end pairs end before they begin and are not timed",
	[KMA_LAT_NO_TIME] =
		"begin/end pairs have no times (needs the trace option funcgraph-abstime)",
	[KMA_LAT_NO_NAME] = "functions have no name (needs the trace option funcgraph-tail)",
	[KMA_LAT_NO_DURATION] =
		"functions have no duration (needs the trace option funcgraph-duration)",
	[KMA_LAT_CUT] = "line at the end is truncated",
	[KMA_LAT_NO_ROOM] = "names of shrinkers did not fit into the table",
};

/* Functions that the analysis treats specially, in all kernels. */
struct function {
	struct kma_lat_text name;
	bool allocates;	    /* its duration is that of an allocation */
	unsigned int slots; /* its tracepoints, bits 1 << enum kma_lat_slot, shown in this order */
};

static const struct function functions[] = {
	{ KMA_LAT_NAME("try_to_free_pages"), false,
	  1 << KMA_LAT_RECLAIM_BEGIN | 1 << KMA_LAT_RECLAIM_END },
	{ KMA_LAT_NAME("try_to_free_mem_cgroup_pages"), false,
	  1 << KMA_LAT_MEMCG_BEGIN | 1 << KMA_LAT_MEMCG_END },
	{ KMA_LAT_NAME("compact_zone"), false,
	  1 << KMA_LAT_COMPACT_BEGIN | 1 << KMA_LAT_COMPACT_END },
	{ KMA_LAT_NAME("try_to_compact_pages"), false, 1 << KMA_LAT_TRY_COMPACT },
	{ KMA_LAT_NAME("shrink_inactive_list"), false, 1 << KMA_LAT_INACTIVE },
	{ KMA_LAT_NAME("__alloc_pages_nodemask"), true, (1 << KMA_LAT_NR_SLOTS) - 1 },
	{ KMA_LAT_NAME("__alloc_pages"), true, (1 << KMA_LAT_NR_SLOTS) - 1 },
	{ KMA_LAT_NAME("__alloc_pages_noprof"), true, (1 << KMA_LAT_NR_SLOTS) - 1 },
	{ KMA_LAT_NAME("__alloc_frozen_pages_noprof"), true, (1 << KMA_LAT_NR_SLOTS) - 1 },
};

/* A function's name without suffixes of the compiler, such as .isra.0. */
static struct kma_lat_text without_suffix(const struct kma_lat_text *name)
{
	const char *dot = memchr(name->str, '.', name->len);

	return (struct kma_lat_text){ name->str, dot ? (size_t)(dot - name->str) : name->len };
}

static const struct function *function_find(const struct kma_lat_text *name)
{
	const struct kma_lat_text plain = without_suffix(name);

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (kma_lat_same(&plain, &functions[i].name))
			return &functions[i];
	return NULL;
}

const char *const kma_lat_share_names[KMA_LAT_NR_SHARES] = {
	"direct_reclaim", "memcg_reclaim", "shrink", "compaction", "waiting", "interrupts", "rest",
};

/* The shares whose tracepoints the log may lack, and their causes. */
static const struct {
	enum kma_lat_cause cause;
	const char *needs;
} recorded[KMA_LAT_NR_SHARES] = {
	[KMA_LAT_IN_RECLAIM] = { KMA_LAT_RECLAIM, "vmscan:mm_vmscan_direct_reclaim_*" },
	[KMA_LAT_IN_SHRINK] = { KMA_LAT_SHRINK, "vmscan:mm_shrink_slab_*" },
	[KMA_LAT_IN_COMPACT] = { KMA_LAT_COMPACT, "compaction:mm_compaction_*" },
};

/* Has the log a tracepoint of any cause? */
static bool has_events(const struct kma_lat_sums *sums)
{
	for (unsigned int i = 0; i < KMA_LAT_NR_CAUSES; i++)
		if (sums->events[i])
			return true;
	return false;
}

const char *kma_lat_share_needs(const struct kma_lat_sums *sums, enum kma_lat_share share)
{
	enum kma_lat_cause cause = recorded[share].cause;

	if (!recorded[share].needs)
		return NULL;
	/* a function that has the tracepoint ran, but the tracepoint is missing */
	if (!has_events(sums) || (!sums->events[cause] && sums->functions[cause]))
		return recorded[share].needs;
	return sums->timed ? NULL : "the trace option funcgraph-abstime";
}

bool kma_lat_share_known(const struct kma_lat_sums *sums, enum kma_lat_share share)
{
	if (kma_lat_share_needs(sums, share))
		return false;
	switch (share) {
	case KMA_LAT_IN_MEMCG:
		return sums->causes[KMA_LAT_MEMCG].calls;
	case KMA_LAT_IN_WAIT:
		return sums->switches;
	case KMA_LAT_IN_INTERRUPT:
		return sums->interrupts;
	default:
		return true;
	}
}

/* Store a wait that has ended (enum kma_lat_cause, KMA_LAT_OFF_CPU or KMA_LAT_INTERRUPT). */
static void share_ended(struct kma_lat_task *task, unsigned int cause, uint64_t begin,
			uint64_t took)
{
	if (task->nr_past == KMA_LAT_MAX_PAST) {
		task->nr_past /= 2;
		memmove(task->past, task->past + KMA_LAT_MAX_PAST - task->nr_past,
			task->nr_past * sizeof(*task->past));
	}
	task->past[task->nr_past++] = (struct kma_lat_past){ cause, begin, took };
}

/* The share of each cause. */
static const enum kma_lat_share shares_of[] = {
	[KMA_LAT_ALLOC] = KMA_LAT_IN_REST,	    [KMA_LAT_RECLAIM] = KMA_LAT_IN_RECLAIM,
	[KMA_LAT_MEMCG] = KMA_LAT_IN_MEMCG,	    [KMA_LAT_COMPACT] = KMA_LAT_IN_COMPACT,
	[KMA_LAT_SHRINK] = KMA_LAT_IN_SHRINK,	    [KMA_LAT_OFF_CPU] = KMA_LAT_IN_WAIT,
	[KMA_LAT_INTERRUPT] = KMA_LAT_IN_INTERRUPT,
};

/*
 * Find the reclaim that contains a run of a shrinker. The reclaim ends after the run, so it is a
 * later entry of the past. Return KMA_LAT_IN_REST if there is none.
 */
static enum kma_lat_share share_around(const struct kma_lat_task *task, unsigned int i)
{
	const struct kma_lat_past *inner = &task->past[i];

	for (i++; i < task->nr_past; i++) {
		unsigned int cause = task->past[i].cause;

		if ((cause == KMA_LAT_RECLAIM || cause == KMA_LAT_MEMCG) &&
		    task->past[i].begin <= inner->begin)
			return shares_of[cause];
	}
	return KMA_LAT_IN_REST;
}

/* Divide the time of an allocation that has ended; its waits are removed from the past. */
static void share_add(struct kma_lat_sums *sums, struct kma_lat_task *task,
		      const struct kma_lat_line *line)
{
	uint64_t parts[KMA_LAT_NR_SHARES] = { 0 }, left = line->duration;
	struct kma_lat_past earlier[KMA_LAT_MAX_PAST];
	unsigned int nr_earlier = 0;

	/* "f();" has the time of its start, and contains no wait. */
	bool within = line->has_time && line->what == KMA_LAT_EXIT;

	for (unsigned int i = 0; i < task->nr_past && within; i++) {
		const struct kma_lat_past *past = &task->past[i];

		/*
		 * One microsecond of tolerance: a time that was rounded down may seem to be
		 * earlier. An earlier wait may belong to an allocation that contains this one.
		 */
		if (past->begin + line->duration + 1000 < line->time) {
			earlier[nr_earlier++] = *past;
			continue;
		}
		parts[shares_of[past->cause]] += past->took;
		if (past->cause == KMA_LAT_SHRINK)
			parts[share_around(task, i)] -= past->took;
	}
	if (within) {
		memcpy(task->past, earlier, nr_earlier * sizeof(*earlier));
		task->nr_past = nr_earlier;
	}
	for (unsigned int i = 0; i < KMA_LAT_IN_REST; i++) {
		/*
		 * The part is negative if a run of a shrinker began within its reclaim and ended
		 * after it.
		 */
		if (parts[i] > INT64_MAX)
			parts[i] = 0;
		parts[i] = parts[i] < left ? parts[i] : left;
		left -= parts[i];
		sums->shares[i] += parts[i];
	}
	sums->shares[KMA_LAT_IN_REST] += left;
}

/* Count one duration in a row. */
static void row_add(struct kma_lat *lat, unsigned int of, struct kma_lat_text text, uint64_t ns)
{
	kma_lat_stat_add(&kma_lat_rows_get(lat->rows, of, text)->stat, ns);
}

/* Rows by an argument of the event: the text before the value. */
static const char *const by_keys[KMA_LAT_NR_BY] = {
	[KMA_LAT_BY_ORDER] = "order=",
	[KMA_LAT_BY_GFP] = "gfp_flags=",
	[KMA_LAT_BY_NODE] = "nid: ",
};

/*
 * Count one wait of a cause. @args: the arguments of its begin event, empty if there is none; if rows
 * are by site, the site.
 */
static void count(struct kma_lat *lat, enum kma_lat_cause cause, const struct kma_lat_task *task,
		  const struct kma_lat_text *args, uint64_t ns)
{
	const char *key = by_keys[lat->opts.by];
	struct kma_lat_text text = { "", 0 };
	char name[KMA_LAT_COMM + 16];

	kma_lat_stat_add(&lat->sums.causes[cause], ns);
	if (lat->opts.by < KMA_LAT_BY_TASK)
		return;
	if (lat->opts.by == KMA_LAT_BY_SITE)
		text = *args;
	if (lat->opts.by == KMA_LAT_BY_TASK && task->has_pid) {
		text.len = snprintf(name, sizeof(name), "%s-%u", task->comm, task->pid);
		text.str = name;
	}
	if (key && !kma_lat_value(args, key, &text) && lat->opts.by == KMA_LAT_BY_GFP)
		kma_lat_value(args, "gfp_flags ", &text);
	if (!text.len)
		text = (struct kma_lat_text)KMA_LAT_NAME(KMA_LAT_UNKNOWN);
	row_add(lat, KMA_LAT_OF_BY + cause, text, ns);
}

/*
 * Count the runs of shrinkers, and give shrinkers the names that are in the log.
 */

/* The text that identifies a shrinker in its event: function and address, before ": nid". */
static struct kma_lat_text shrinker_of(const struct kma_lat_text *args)
{
	const char *end = args->str + args->len, *colon = args->str;

	while ((colon = memchr(colon, ':', end - colon)) && ++colon < end)
		if (*colon == ' ')
			return (struct kma_lat_text){ args->str, colon - 1 - args->str };
	return *args;
}

/* Read hexadecimal digits, perhaps after 0x; 0 if the text is not an address. */
static uint64_t address_of(const struct kma_lat_text *text)
{
	struct kma_line_cursor cur = { text->str, text->str + text->len };
	uint64_t address;

	kma_pass(&cur, "0x");
	return kma_number(&cur, 16, &address) && cur.p == cur.end ? address : 0;
}

/* The names of an address; NULL if it has none. */
static struct named *named_find(const struct kma_lat *lat, uint64_t address)
{
	uint32_t number = kma_map_find(&lat->addresses, kma_map_number(address), i,
				       lat->names[i].address == address);

	return number == KMA_MAP_NONE ? NULL : &lat->names[number];
}

static void name_copy(char *to, const struct kma_lat_text *name)
{
	size_t len = name->len < NAME_LEN ? name->len : NAME_LEN - 1;

	memcpy(to, name->str, len);
	to[len] = '\0';
}

/* Set the name of a shrinker from now on: that of its directory in debugfs. */
static void name_shrinker(struct kma_lat *lat, uint64_t address, const struct kma_lat_text *name)
{
	struct named *named = named_find(lat, address);

	if (!address || !name->len)
		return;
	if (!named && lat->addresses.nr == MAX_NAMES) {
		lat->sums.losses[KMA_LAT_NO_ROOM]++;
		return;
	}
	if (!named) {
		uint32_t number = kma_map_add(&lat->addresses, kma_map_number(address));

		kma_array_room(lat->names, number, lat->room);
		named = &lat->names[number];
		named->address = address;
		name_copy(named->first, name);
		lat->unused = true;
	}
	name_copy(named->now, name);
}

/* The text after the last blank. */
static struct kma_lat_text last_word(const struct kma_lat_text *text)
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
static void name_rows(struct kma_lat *lat)
{
	_cleanup_free_ const struct kma_lat_row **rows = NULL;
	size_t nr;

	if (!lat->unused)
		return;
	lat->unused = false;
	rows = kma_lat_rows_sorted(lat->rows, KMA_LAT_OF_SHRINKER, KMA_LAT_OF_SHRINKER, &nr);
	for (size_t i = 0; i < nr; i++) {
		struct kma_lat_text text = { rows[i]->text, rows[i]->len };
		struct kma_lat_text word = last_word(&text);
		const struct named *named = named_find(lat, address_of(&word));
		char both[KMA_LAT_MAX_TEXT + NAME_LEN];
		int len;

		if (!named)
			continue;
		len = snprintf(both, sizeof(both), "%.*s%s", (int)(word.str - text.str), text.str,
			       named->first);
		kma_lat_rows_rename(lat->rows, (struct kma_lat_row *)rows[i],
				    (struct kma_lat_text){ both, len });
	}
}

/*
 * Count one run of a shrinker, "super_cache_scan+0x0/0x1b0 00000000deadbeef", in two rows: that of its
 * function, and that of its function with its name or, if it has none, the address.
 */
static void count_shrinker(struct kma_lat *lat, const struct kma_lat_text *shrinker, uint64_t ns)
{
	struct kma_lat_text name = { shrinker->str, 0 }, word = last_word(shrinker);
	uint64_t address = lat->addresses.nr ? address_of(&word) : 0;
	const struct named *named = address ? named_find(lat, address) : NULL;
	char both[KMA_LAT_MAX_TEXT + NAME_LEN];
	int len;

	while (name.len < shrinker->len && name.len < KMA_LAT_MAX_TEXT - 32 &&
	       !strchr("+ ", name.str[name.len]))
		name.len++;
	if (named)
		word = (struct kma_lat_text){ named->now, strlen(named->now) };
	else if (!address && word.len > 24)
		word.len = 24;
	len = snprintf(both, sizeof(both), "%.*s %.*s", (int)name.len, name.str, (int)word.len,
		       word.str);
	row_add(lat, KMA_LAT_OF_SHRINKER_NAME, name, ns);
	row_add(lat, KMA_LAT_OF_SHRINKER, (struct kma_lat_text){ both, len }, ns);
}

/*
 * Find the call site that waited.
 *
 * If rows are by site, a wait that has ended is not counted at once, because its stack may follow.
 * It is held in its task (kma_lat_task.ended). The next line of the task that is not a stack, or
 * the end of its stack, settles it.
 */

/*
 * The caller of an allocating function that has ended, valid until the next stack; empty if unknown.
 * The stored stack of the task is used up.
 */
static struct kma_lat_text site_of(const struct kma_lat *lat, struct kma_lat_task *task,
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

/* Count the held wait of a task, if it has one. @site: NULL if unknown. */
static void settle(struct kma_lat *lat, struct kma_lat_task *task, const struct kma_lat_text *site)
{
	static const struct kma_lat_text none = { "", 0 };

	if (!task->ended.set)
		return;
	task->ended.set = false;
	count(lat, task->ended.cause, task, site ?: &none, task->ended.took);
}

/* Functions that charge memory to a cgroup and may then reach its limit. */
static bool charges(const struct kma_lat_text *name)
{
	static const struct kma_lat_text names[] = {
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
	const struct kma_lat_text plain = without_suffix(name);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (kma_lat_same(&plain, &names[i]))
			return true;
	return false;
}

static void stack_begin(struct kma_lat *lat, struct kma_lat_task *task,
			const struct kma_lat_line *line)
{
	if (lat->opts.by != KMA_LAT_BY_SITE)
		return;
	lat->stack = (struct reading){ .task = task };
	task->site.len = 0;
	task->site_has_time = line->has_time;
	task->site_time = line->time;
}

static void stack_frame(struct kma_lat *lat, const struct kma_lat_text *frame)
{
	struct reading *stack = &lat->stack;
	struct kma_lat_text name = { frame->str, 0 };
	const struct function *function;
	bool allocates;

	if (!stack->task || stack->found)
		return;
	while (name.len < frame->len && !strchr("+ ", name.str[name.len]))
		name.len++;
	function = function_find(&name);
	allocates = (function && function->allocates) || charges(&name);
	stack->allocates |= allocates;
	if (!stack->allocates || allocates ||
	    (lat->opts.allocator && lat->opts.allocator(name.str, name.len)))
		return;
	stack->found = true;
	keep(&stack->task->site, frame->str, frame->len);
}

/* End the stack, if one has begun, and settle the wait that it belongs to. */
static void stack_end(struct kma_lat *lat)
{
	static const struct kma_lat_text no_alloc = KMA_LAT_NAME(KMA_LAT_NO_ALLOC);
	struct kma_lat_task *task = lat->stack.task;
	struct kma_lat_text site = no_alloc;

	if (!task)
		return;
	if (lat->stack.found)
		site = (struct kma_lat_text){ task->site.str, task->site.len };
	lat->stack.task = NULL;
	settle(lat, task, &site);
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

static const struct event {
	struct kma_lat_text name;
	enum kma_lat_role role;
	enum kma_lat_cause cause;
	enum kma_lat_slot slot; /* the line is kept for its function; NR_SLOTS: it is not */
} events[] = {
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

static void no_end(struct kma_lat *lat, enum kma_lat_cause cause)
{
	lat->sums.losses[KMA_LAT_NO_END]++;
	lat->sums.no_end[cause]++;
}

static void forget(void *arg, struct kma_lat_task *task)
{
	const struct kma_lat *lat = arg;

	if (lat->closing)
		return;
	settle(arg, task, NULL);
	for (unsigned int i = 0; i < task->nr_open; i++)
		no_end(arg, task->open[i].cause);
}

struct kma_lat *kma_lat_create(const struct kma_lat_options *opts)
{
	struct kma_lat *lat = kma_xcalloc(1, sizeof(*lat));

	lat->opts = *opts;
	lat->tasks = kma_lat_tasks_create(forget, lat);
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
	kma_map_free(&lat->addresses);
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

static void show(struct kma_lat *lat, const char *line, size_t len)
{
	if (lat->opts.show)
		lat->opts.show(lat->opts.arg, line, len);
}

static void begin(struct kma_lat *lat, const struct event *event, struct kma_lat_task *task,
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
		no_end(lat, event->cause);
		kma_lat_task_close(task, i);
	}
	if (task->nr_open == KMA_LAT_MAX_OPEN) {
		no_end(lat, task->open[0].cause);
		kma_lat_task_close(task, 0);
	}
	open = &task->open[task->nr_open++];
	keep(&open->line, text->str, text->len);
	open->cause = event->cause;
	open->has_time = line->has_time;
	open->time = line->time;
	open->cpu = line->cpu;
	open->losses = lat->gaps[line->cpu];
	open->all_losses = lat->all_gaps;
	open->args = line->args.str - text->str;
	open->args_len = line->args.len;
	open->shrinker_len = shrinker_of(&line->args).len;
}

/* The newest open wait of a cause; for runs of shrinkers, of the same shrinker. -1: none. */
static int find_open(const struct kma_lat_task *task, const struct event *event,
		     const struct kma_lat_line *line)
{
	bool shrinks = event->cause == KMA_LAT_SHRINK;
	struct kma_lat_text ended = { 0 };

	if (shrinks)
		ended = shrinker_of(&line->args);
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
static bool sound(struct kma_lat *lat, const struct kma_lat_open *open,
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

static void finish(struct kma_lat *lat, const struct event *event, struct kma_lat_task *task,
		   const struct kma_lat_line *line, const struct kma_lat_text *text)
{
	struct kma_lat_text shrinker, args;
	struct kma_lat_open *open;
	uint64_t ns;
	int i = find_open(task, event, line);

	if (i < 0) {
		lat->sums.losses[KMA_LAT_NO_BEGIN]++;
		return;
	}
	kma_lat_task_close(task, i);
	open = &task->open[task->nr_open];
	if (!sound(lat, open, line))
		return;
	ns = line->time - open->time;
	args = (struct kma_lat_text){ open->line.str + open->args, open->args_len };
	share_ended(task, event->cause, open->time, ns);
	if (lat->opts.by == KMA_LAT_BY_SITE)
		task->ended = (struct kma_lat_ended){ true, event->cause, ns };
	else
		count(lat, event->cause, task, &args, ns);
	if (event->cause != KMA_LAT_SHRINK)
		return;
	shrinker = (struct kma_lat_text){ args.str, open->shrinker_len };
	count_shrinker(lat, &shrinker, ns);
	if (ns <= lat->opts.threshold)
		return;
	show(lat, open->line.str, open->line.len);
	show(lat, text->str, text->len);
}

static const struct event *event_find(const struct kma_lat_line *line)
{
	for (size_t i = 0; line->what == KMA_LAT_EVENT && i < ARRAY_SIZE(events); i++)
		if (kma_lat_same(&line->name, &events[i].name))
			return &events[i];
	return NULL;
}

/* A line of kma_tracefs_names(). A name follows the address of its shrinker in the same task. */
static void names_event(struct kma_lat *lat, enum kma_lat_role role, struct kma_lat_task *task,
			const struct kma_lat_line *line)
{
	struct kma_lat_text value;

	if (role == KMA_LAT_OPENED) {
		kma_lat_value(&line->args, "shrinker=", &value);
		task->opened = address_of(&value);
		return;
	}
	if (role == KMA_LAT_NAMED) {
		name_shrinker(lat, task->opened, &line->args);
	} else {
		name_rows(lat);
		lat->sums.lists++;
	}
	task->opened = 0;
}

/* The next task's number: "next_pid=12"; in trace-cmd's text "comm:12 [120]" after the arrow. */
static bool switched_to(const struct kma_lat_text *args, unsigned int *ret)
{
	static const char arrow[] = "==> ";
	struct kma_lat_text value = { "", 0 }, rest = *args, found;
	struct kma_line_cursor cur;
	const char *at, *end;
	uint64_t pid;

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
	cur = (struct kma_line_cursor){ value.str, value.str + value.len };
	if (!kma_number(&cur, 10, &pid))
		return false;
	*ret = pid;
	return true;
}

/* Is a wait in progress? One whose end event may be lost does not count. */
static bool under_way(const struct kma_lat *lat, const struct kma_lat_task *task)
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
static void switched(struct kma_lat *lat, struct kma_lat_task *task,
		     const struct kma_lat_line *line)
{
	struct kma_lat_line next = { .what = KMA_LAT_EVENT, .has_pid = true };
	struct kma_lat_off *off = &task->off;

	lat->sums.switches++;
	off->set = line->has_time && line->has_pid && line->pid && !under_way(lat, task);
	off->time = line->time;
	off->all_losses = lat->all_gaps;
	if (!switched_to(&line->args, &next.pid) || !next.pid)
		return;
	task = kma_lat_tasks_get(lat->tasks, &next);
	off = &task->off;
	if (off->set && line->has_time && off->all_losses == lat->all_gaps &&
	    off->time <= line->time)
		share_ended(task, KMA_LAT_OFF_CPU, off->time, line->time - off->time);
	off->set = false;
}

/*
 * Handle the start or end of an interrupt, which is charged to the task that it interrupts. If an
 * interrupt interrupts a softirq, only the outer one counts. If one of the two events may be lost,
 * the interrupt is not timed.
 */
static void interrupted(struct kma_lat *lat, enum kma_lat_role role, struct kma_lat_task *task,
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
			in->set = !under_way(lat, task);
			in->time = line->time;
		}
		return;
	}
	if (!in->depth || --in->depth)
		return;
	if (in->set && in->time <= line->time)
		share_ended(task, KMA_LAT_INTERRUPT, in->time, line->time - in->time);
}

static void event(struct kma_lat *lat, struct kma_lat_task *task, const struct kma_lat_line *line,
		  const struct kma_lat_text *text)
{
	const struct event *event = event_find(line);
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
		keep(&kept->line, text->str, text->len);
		/* An older end event does not belong to this begin event. */
		if (event->role == KMA_LAT_BEGIN)
			task->kept[event->slot + 1].set = false;
	}
	if (event->role == KMA_LAT_BEGIN)
		begin(lat, event, task, line, text);
	else if (event->role == KMA_LAT_END)
		finish(lat, event, task, line, text);
	else if (event->role == KMA_LAT_SWITCHED)
		switched(lat, task, line);
	else if (event->role == KMA_LAT_INTERRUPT_BEGIN || event->role == KMA_LAT_INTERRUPT_END)
		interrupted(lat, event->role, task, line);
	else if (event->role != KMA_LAT_POINT)
		names_event(lat, event->role, task, line);
}

/* Show the kept tracepoints of a function's call; older ones do not belong to it. */
static void show_slots(struct kma_lat *lat, struct kma_lat_task *task, unsigned int slots,
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
		show(lat, kept->line.str, kept->line.len);
	}
}

static void unset(struct kma_lat_task *task, unsigned int slots)
{
	for (unsigned int i = 0; i < KMA_LAT_NR_SLOTS; i++)
		if (slots >> i & 1)
			task->kept[i].set = false;
}

static void allocated(struct kma_lat *lat, struct kma_lat_task *task,
		      const struct kma_lat_line *line)
{
	struct kma_lat_text site = { "", 0 };

	if (lat->opts.by == KMA_LAT_BY_SITE)
		site = site_of(lat, task, line);
	share_add(&lat->sums, task, line);
	count(lat, KMA_LAT_ALLOC, task, &site, line->duration);
}

/* Count the call of a function for the causes whose tracepoints it has. */
static void called(struct kma_lat_sums *sums, const struct function *function)
{
	sums->functions[KMA_LAT_RECLAIM] += function->slots >> KMA_LAT_RECLAIM_BEGIN & 1;
	sums->functions[KMA_LAT_COMPACT] += function->slots >> KMA_LAT_COMPACT_BEGIN & 1;
}

/* A function has ended: if it was slow, show it after its tracepoints. */
static void ended(struct kma_lat *lat, struct kma_lat_task *task, struct kma_lat_line *line,
		  const struct kma_lat_text *text)
{
	const struct function *function;
	bool slow;

	if (line->what == KMA_LAT_EXIT && !kma_lat_task_pop(task, &line->name)) {
		lat->sums.losses[KMA_LAT_NO_NAME]++;
		return;
	}
	if (!line->has_duration) {
		lat->sums.losses[KMA_LAT_NO_DURATION]++;
		return;
	}
	function = function_find(&line->name);
	slow = line->duration >= lat->opts.threshold;
	if (function && !function->allocates)
		called(&lat->sums, function);
	if (function && slow && !function->allocates)
		show_slots(lat, task, function->slots, line);
	else if (function)
		unset(task, function->slots);
	if (function && function->allocates)
		allocated(lat, task, line);
	if (!slow)
		return;
	row_add(lat, KMA_LAT_OF_FUNCTION, line->name, line->duration);
	show(lat, text->str, text->len);
}

static void entered(struct kma_lat_task *task, const struct kma_lat_line *line)
{
	const struct function *function = function_find(&line->name);

	kma_lat_task_push(task, &line->name);
	if (function)
		unset(task, function->slots);
	if (function && function->allocates)
		task->site.len = 0;
}

/* Events were lost. Waits that began before may have ended in the gap, so they are not timed. */
static void lost_events(struct kma_lat *lat, struct kma_lat_task *task,
			const struct kma_lat_line *line)
{
	lat->sums.losses[KMA_LAT_LOST_EVENTS] += line->lost;
	lat->sums.losses[KMA_LAT_LOST_GAPS] += !line->lost;
	lat->gaps[line->cpu]++;
	lat->all_gaps++;
	task->depth = 0;
}

static void extend_span(struct kma_lat_sums *sums, uint64_t time)
{
	if (!sums->has_time || time < sums->first)
		sums->first = time;
	if (!sums->has_time || time > sums->last)
		sums->last = time;
	sums->has_time = true;
}

static void read_line(struct kma_lat *lat, const struct kma_lat_text *text)
{
	struct kma_lat_task *task;
	struct kma_lat_line line;

	lat->sums.lines++;
	kma_lat_parse(text->str, text->len, &line);
	if (line.what == KMA_LAT_BAD) {
		lat->sums.first_bad = lat->sums.first_bad ?: lat->sums.lines;
		lat->sums.losses[KMA_LAT_NOT_READ]++;
	}
	if (line.what == KMA_LAT_FRAME)
		stack_frame(lat, &line.name);
	else
		stack_end(lat);
	if (line.what <= KMA_LAT_NOTHING)
		return;
	lat->sums.read++;
	if (line.what == KMA_LAT_FRAME)
		return;
	if (line.has_time)
		extend_span(&lat->sums, line.time);
	task = kma_lat_tasks_get(lat->tasks, &line);
	if (line.what != KMA_LAT_STACK)
		settle(lat, task, NULL);
	if (line.what == KMA_LAT_STACK)
		stack_begin(lat, task, &line);
	else if (line.what == KMA_LAT_EVENT)
		event(lat, task, &line, text);
	else if (line.what == KMA_LAT_ENTRY)
		entered(task, &line);
	else if (line.what == KMA_LAT_LOST)
		lost_events(lat, task, &line);
	else if (line.what != KMA_LAT_SWITCH)
		ended(lat, task, &line, text);
}

void kma_lat_text(struct kma_lat *lat, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *nl = memchr(text, '\n', end - text);
		struct kma_lat_text line = { text, (nl ?: end) - text };

		if (nl)
			read_line(lat, &line);
		else
			lat->sums.losses[KMA_LAT_CUT]++;
		text = nl ? nl + 1 : end;
	}
}

void kma_lat_end(struct kma_lat *lat)
{
	stack_end(lat);
	name_rows(lat);
	kma_lat_tasks_destroy(lat->tasks);
	lat->tasks = NULL;
	lat->tasks = kma_lat_tasks_create(forget, lat);
}

bool kma_lat_is_log(const char *text, size_t len, bool *calls)
{
	const char *end = text + (len < KMA_LAT_PROBE ? len : KMA_LAT_PROBE), *nl;
	bool found = false;

	*calls = false;
	for (; text < end && (nl = memchr(text, '\n', end - text)); text = nl + 1) {
		const struct event *event;
		struct kma_lat_line line;

		kma_lat_parse(text, nl - text, &line);
		*calls = line.what == KMA_LAT_ENTRY || line.what == KMA_LAT_EXIT ||
			 line.what == KMA_LAT_LEAF;
		if (*calls)
			return true;
		event = event_find(&line);
		/* Switches of tasks and interrupts are in other logs, too. */
		found |= event &&
			 (event->role < KMA_LAT_SWITCHED || event->role > KMA_LAT_INTERRUPT_END);
	}
	return found;
}
