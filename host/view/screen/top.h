/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top.h - the data and the view state of top's screen.
 *
 * Two pure functions use them: kma_top_draw() (top-draw.h) makes a grid from both, and
 * kma_top_key() (top-keys.h) computes the next view state from a key. Neither reads a file, a
 * clock or a terminal. Actions that only the caller can do (read again, write a file, end) are
 * requests in the state.
 *
 * The cursor stays on its row, not on its line: if rows move, the view follows.
 */
#ifndef KMA_VIEW_SCREEN_TOP_H
#define KMA_VIEW_SCREEN_TOP_H

#include "grid.h"
#include "lib/strbuf.h"
#include "top-rows.h"

/* Keys that are not characters. */
enum {
	KMA_TOP_KEY_UP = 0x110000,
	KMA_TOP_KEY_DOWN,
	KMA_TOP_KEY_LEFT,
	KMA_TOP_KEY_RIGHT,
	KMA_TOP_KEY_PAGE_UP,
	KMA_TOP_KEY_PAGE_DOWN,
	KMA_TOP_KEY_HOME,
	KMA_TOP_KEY_END,
	KMA_TOP_KEY_ENTER,
	KMA_TOP_KEY_ESCAPE,
	KMA_TOP_KEY_BACKSPACE,
};

/* The purpose of the text that is being typed at the prompt. */
enum kma_top_prompt {
	KMA_TOP_PROMPT_NONE,
	KMA_TOP_PROMPT_SEARCH,
	KMA_TOP_PROMPT_FILTER,
	KMA_TOP_PROMPT_INTERVAL,
	KMA_TOP_PROMPT_SAVE,
	KMA_TOP_PROMPT_TIME,
	KMA_TOP_NR_PROMPTS,
};

#define KMA_TOP_TYPED	    128
#define KMA_TOP_CHOSEN	    1024
#define KMA_TOP_INTERVAL_NS 1000000000ULL
#define KMA_TOP_MIN_NS	    100000000ULL
#define KMA_TOP_MAX_NS	    3600000000000ULL

/* The view state. All zero, with an interval, is a valid start. */
struct kma_top_state {
	enum kma_top_group group;
	enum kma_top_column_id sort;
	bool has_files;	  /* groups that need files can be chosen */
	bool has_caches;  /* the same for slab caches */
	bool has_cgroups; /* the same for cgroups */
	unsigned int metrics, cgroup_metrics;
	bool reversed, tree, paused, help, details;
	bool replay; /* samples of a history are shown: steps and jumps are possible */
	uint64_t interval_ns;
	char filter[KMA_TOP_TYPED], search[KMA_TOP_TYPED];
	struct kma_strbuf open; /* tree: as in struct kma_top_query */
	enum kma_top_prompt prompt;
	char typed[KMA_TOP_TYPED];
	char chosen[KMA_TOP_CHOSEN]; /* key of the row of the cursor; "": the first row */
	size_t first;		     /* row at the top of the list */
	size_t page;		     /* rows that the last screen had */
	size_t scrolled;	     /* lines of the details above the screen */
	char message[KMA_TOP_TYPED + 64];
	/* requests; the caller clears them */
	bool quit, rebase, save; /* @save: to the file @typed */
	int step;		 /* this many samples later; less than 0: earlier */
	bool jump;		 /* to the sample of the time @typed */
};

/**
 * kma_top_by_cgroup() - are the rows cgroups?
 * @state: the view state
 *
 * Return: true if they are.
 */
static inline bool kma_top_by_cgroup(const struct kma_top_state *state)
{
	return state->group == KMA_TOP_BY_CGROUP && !state->tree;
}

/**
 * kma_top_metrics() - get what the columns of the rows may need
 * @state: the view state
 *
 * Return: bits of metrics and of the other needs of columns. Cgroups have neither peaks nor ages.
 * Rows that are not a place in the code have no directory.
 */
static inline unsigned int kma_top_metrics(const struct kma_top_state *state)
{
	unsigned int metrics = kma_top_by_cgroup(state) ? state->cgroup_metrics : state->metrics;
	bool files = state->has_files && !state->tree && kma_top_groups[state->group].is_place;

	return (metrics & ((1U << KMA_TOP_FILES) - 1)) | (unsigned int)files << KMA_TOP_FILES |
	       1U << KMA_TOP_ALWAYS;
}

/**
 * kma_top_has_column() - have the rows a column?
 * @state: the view state
 * @id: the column
 *
 * Return: true if they have it.
 */
static inline bool kma_top_has_column(const struct kma_top_state *state, enum kma_top_column_id id)
{
	return kma_top_metrics(state) >> kma_top_columns[id].needs & 1;
}

/**
 * kma_top_query_of() - get how a view state groups, selects and orders the rows
 * @state: the view state, which has to live as long as the query
 *
 * Return: the query.
 */
static inline struct kma_top_query kma_top_query_of(const struct kma_top_state *state)
{
	return (struct kma_top_query){
		.group = state->group,
		.sort = state->sort,
		.reversed = state->reversed,
		.tree = state->tree,
		.filter = state->filter,
		.open = state->open.str ?: "",
	};
}

/**
 * kma_top_has_group() - can rows be grouped so?
 * @state: the view state
 * @group: the group
 *
 * Return: true if the account has what the group needs.
 */
static inline bool kma_top_has_group(const struct kma_top_state *state, enum kma_top_group group)
{
	const bool has[KMA_TOP_NR_NEEDS] = {
		[KMA_TOP_NEEDS_NOTHING] = true,
		[KMA_TOP_NEEDS_FILES] = state->has_files,
		[KMA_TOP_NEEDS_CACHES] = state->has_caches,
		[KMA_TOP_NEEDS_CGROUPS] = state->has_cgroups,
	};

	return has[kma_top_groups[group].needs];
}

/* Memory of the machine, bytes; a line of /proc/meminfo that is missing is 0. */
struct kma_top_memory {
	uint64_t total, free, anonymous, cache, slab, page_tables, stacks, percpu;
};

/* The data that the screen shows. */
struct kma_top_facts {
	const struct kma_rates *rates;
	const struct kma_rates *cgroups; /* by call site and cgroup, if the state has_cgroups */
	const char *source;		 /* file that is read */
	const char *release;		 /* of the kernel; "" if it is not known */
	const char *clock;		 /* time of day of the last account: "12:30:01" */
	const char *time;		 /* the same with the date: "2026-11-24T12:30:01+0100" */
	uint64_t read_ns;		 /* duration of reading it */
	struct kma_top_memory memory;	 /* total is 0: another machine's account */
	uint64_t losses[KMA_NR_LOSSES];
	const char *trouble; /* why the last account could not be read; NULL: it was read */
	bool wide;	     /* the terminal has characters beyond ASCII */
};

/**
 * kma_top_rates_of() - get the numbers that the rows are made of
 * @facts: the data
 * @state: the view state
 *
 * Return: those by call site and cgroup if the rows are cgroups, else those by call site.
 */
static inline const struct kma_rates *kma_top_rates_of(const struct kma_top_facts *facts,
						       const struct kma_top_state *state)
{
	return kma_top_by_cgroup(state) ? facts->cgroups : facts->rates;
}

#endif /* KMA_VIEW_SCREEN_TOP_H */
