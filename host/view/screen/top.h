/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top.h - the data and the view state of top's screen.
 *
 * Two pure functions use them: kma_top_draw() (top-draw.h) makes a grid from both, and
 * kma_top_key() (top-keys.h) computes the next view state from a key. Neither reads a file, a
 * clock or a terminal. Actions that only the caller can do (read again, write a file, end) are
 * requests in the state.
 *
 * The cursor is the key and kind of a row, not a line number: if rows move, the view follows.
 */
#ifndef KMA_VIEW_SCREEN_TOP_H
#define KMA_VIEW_SCREEN_TOP_H

#include "grid.h"
#include "lib/strbuf.h"
#include "model/unread.h"
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
	KMA_TOP_KEY_CLICK, /* of the mouse; kma_top_click() has its place */
	KMA_TOP_KEY_SORT,  /* + enum kma_top_column_id: a click on the heading */
	KMA_TOP_KEY_F0 = KMA_TOP_KEY_SORT + 32, /* + N: the function key FN */
};

/* A function key: its number, its effect as a key, its word at the foot of the screen. */
struct kma_top_function {
	unsigned int nr, key;
	const char *word;
};

#define KMA_TOP_FUNCTIONS 7
extern const struct kma_top_function kma_top_functions[KMA_TOP_FUNCTIONS];

/* A list that covers the rows, of which one item is chosen. */
enum kma_top_menu {
	KMA_TOP_MENU_NONE,
	KMA_TOP_MENU_SORT,  /* columns */
	KMA_TOP_MENU_GROUP, /* keys */
};

/* A part of a line of the screen on which a click is a key. */
struct kma_top_spot {
	size_t x, y, width;
	unsigned int key;
};

#define KMA_TOP_SPOTS 24

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

#define KMA_TOP_TYPED	    128		     /* bytes of a typed text with its zero */
#define KMA_TOP_CHOSEN	    1024	     /* bytes of the key of the cursor with its zero */
#define KMA_TOP_INTERVAL_NS 1000000000ULL    /* default interval */
#define KMA_TOP_MIN_NS	    100000000ULL     /* shortest interval */
#define KMA_TOP_MAX_NS	    3600000000000ULL /* longest interval */

/* The view state. All zero, with an interval, is a valid start. */
struct kma_top_state {
	struct kma_keys by;  /* none: call sites */
	struct kma_keys own; /* several keys that the user named, for the key g */
	enum kma_top_column_id sort;
	bool has_files;	  /* files are known: groups that need them can be chosen */
	bool has_caches;  /* the account has slab caches */
	bool has_cgroups; /* the account has cgroups */
	bool has_owners;  /* subsystems of files are known */
	bool has_types;	  /* types of objects were looked for */
	unsigned int metrics, cgroup_metrics; /* sets of metrics, and of KMA_TOP_AGES */
	/* order is reversed; rows are directories below directories; nothing is read; */
	/* the help or the details are shown in place of the rows */
	bool reversed, tree, paused, help, details;
	bool replay; /* samples of a history are shown: steps and jumps are possible */
	uint64_t interval_ns;
	char filter[KMA_TOP_TYPED], search[KMA_TOP_TYPED]; /* "": none */
	struct kma_only only;	     /* the rules of the filter; none: it is a text */
	char rules[KMA_TOP_TYPED];   /* their texts */
	struct kma_strbuf open;	     /* open directories, as in struct kma_top_query */
	enum kma_top_prompt prompt;  /* what is being typed */
	char typed[KMA_TOP_TYPED];   /* the text at the prompt */
	char chosen[KMA_TOP_CHOSEN]; /* key of the row of the cursor; "": the first row */
	enum kma_kind chosen_kind;   /* kind of that row */
	size_t first;		     /* index of the first row on the screen */
	size_t page;		     /* number of rows of the last screen */
	enum kma_top_menu menu;	     /* the open menu */
	size_t item;		     /* its chosen item */
	/* where clicks act on the last screen: the line of the first row, or item; other places */
	size_t top, nr_spots;
	struct kma_top_spot spots[KMA_TOP_SPOTS];
	size_t scrolled;		  /* number of lines of the details above the screen */
	char message[KMA_TOP_TYPED + 64]; /* for the user; "": none */
	/* requests of keys; the caller clears them */
	bool quit, rebase, save; /* end; set the baseline; write the rows to the file @typed */
	int step;		 /* number of samples later; less than 0: earlier */
	bool jump;		 /* go to the sample of the time @typed */
};

/* The keys of the rows. */
static inline struct kma_keys kma_top_keys(const struct kma_top_state *state)
{
	return state->tree  ? KMA_BY(KMA_KEY_DIR) :
	       state->by.nr ? state->by :
			      KMA_BY(KMA_KEY_CALLER);
}

static inline bool kma_top_by_cgroup(const struct kma_top_state *state)
{
	return kma_keys_have(&state->by, KMA_KEY_CGROUP) && !state->tree;
}

/*
 * The data that the rows have: bits of metrics, KMA_TOP_AGES, KMA_TOP_FILES and KMA_TOP_ALWAYS,
 * which are the needs of columns. Cgroups have neither peaks nor ages. Rows that are not a place in
 * the code have no directory.
 */
static inline unsigned int kma_top_metrics(const struct kma_top_state *state)
{
	unsigned int metrics = kma_top_by_cgroup(state) ? state->cgroup_metrics : state->metrics;
	const struct kma_keys by = kma_top_keys(state);
	bool files = state->has_files && kma_keys_set(&by) & KMA_TOP_PLACES &&
		     !kma_keys_have(&by, KMA_KEY_DIR);

	return (metrics & ((1U << KMA_TOP_FILES) - 1)) | (unsigned int)files << KMA_TOP_FILES |
	       1U << KMA_TOP_ALWAYS;
}

/* Do the rows have the data that the column needs? */
static inline bool kma_top_has_column(const struct kma_top_state *state, enum kma_top_column_id id)
{
	return kma_top_metrics(state) >> kma_top_columns[id].needs & 1;
}

/* The query refers to the view state, which has to live as long. */
static inline struct kma_top_query kma_top_query_of(const struct kma_top_state *state)
{
	return (struct kma_top_query){
		.by = kma_top_keys(state),
		.sort = state->sort,
		.reversed = state->reversed,
		.tree = state->tree,
		.filter = state->filter,
		.only = &state->only,
		.open = state->open.str ?: "",
	};
}

/* Does the account have the data that keys need? */
static inline bool kma_top_has_keys(const struct kma_top_state *state, const struct kma_keys *by)
{
	return (state->has_files || !kma_keys_need(by, KMA_KEY_NEEDS_FILES)) &&
	       (state->has_caches || !kma_keys_need(by, KMA_KEY_NEEDS_CACHES)) &&
	       (state->has_types || !kma_keys_need(by, KMA_KEY_NEEDS_TYPES)) &&
	       (state->has_cgroups || !kma_keys_need(by, KMA_KEY_NEEDS_GROUPS)) &&
	       (state->has_owners || !kma_keys_have(by, KMA_KEY_SUBSYSTEM));
}

/* Memory of the machine in bytes, from lines of /proc/meminfo; a missing line is 0. */
struct kma_top_memory {
	uint64_t total, free, anonymous, cache, slab, page_tables, stacks, percpu;
};

/* The data that the screen shows. */
struct kma_top_facts {
	const struct kma_rates *rates;
	const struct kma_rates *cgroups; /* by call site and cgroup, if the state has_cgroups */
	const char *source;		 /* file that is read */
	const char *release;		 /* of the kernel; "" if it is unknown */
	const char *clock;		 /* time of day of the last account: "12:30:01" */
	const char *time;		 /* the same with the date: "2026-11-24T12:30:01+0100" */
	uint64_t read_ns;		 /* duration of reading it */
	struct kma_top_memory memory;	 /* total is 0: another machine's account */
	uint64_t losses[KMA_NR_LOSSES];
	struct kma_unread unread; /* event lines that the account lacks */
	const char *trouble;	  /* why the last account could not be read; NULL: it was read */
	bool wide;		  /* the terminal has characters beyond ASCII */
};

static inline const struct kma_rates *kma_top_rates_of(const struct kma_top_facts *facts,
						       const struct kma_top_state *state)
{
	return kma_top_by_cgroup(state) ? facts->cgroups : facts->rates;
}

#endif /* KMA_VIEW_SCREEN_TOP_H */
