// SPDX-License-Identifier: GPL-2.0-only
/*
 * top-keys.c - the keys of top's screen.
 *
 * The table kma_top_bindings has a row for each key. A row has a function that changes the state,
 * or a prompt that the key opens. The help shows the texts of the same table. An open prompt gets
 * all keys: Enter uses the typed text, Esc discards it. The help covers the rows, so a key other
 * than those of help and quit closes the help and has no other effect.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "top-keys.h"

size_t kma_top_cursor(const struct kma_top_state *state, const struct kma_top_rows *rows)
{
	for (size_t i = 0; i < rows->nr && *state->chosen; i++)
		if (rows->rows[i].kind == state->chosen_kind &&
		    !strncmp(rows->rows[i].key, state->chosen, sizeof(state->chosen) - 1))
			return i;
	return 0;
}

static void top_choose(struct kma_top_state *state, const struct kma_top_rows *rows, size_t i)
{
	const struct kma_top_row *row;

	if (!rows->nr)
		return;
	row = &rows->rows[i < rows->nr ? i : rows->nr - 1];
	snprintf(state->chosen, sizeof(state->chosen), "%s", row->key);
	state->chosen_kind = row->kind;
}

/* Moves the cursor by @by rows. */
static void top_move(struct kma_top_state *state, const struct kma_top_rows *rows, long by)
{
	long at = (long)kma_top_cursor(state, rows) + by;

	top_choose(state, rows, at < 0 ? 0 : at);
}

static void top_say(struct kma_top_state *state, const char *message)
{
	snprintf(state->message, sizeof(state->message), "%s", message);
}

static void top_up(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	top_move(state, rows, -1);
}

static void top_down(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	top_move(state, rows, 1);
}

/* In the details the keys of pages scroll; kma_top_draw() keeps the last line on the screen. */
static void top_page_up(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	if (state->details)
		state->scrolled -= state->scrolled < state->page ? state->scrolled : state->page;
	else
		top_move(state, rows, -(long)state->page);
}

static void top_page_down(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	if (state->details)
		state->scrolled += state->page;
	else
		top_move(state, rows, state->page);
}

static void top_home(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	top_choose(state, rows, 0);
}

static void top_end(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	top_choose(state, rows, rows->nr);
}

static void top_open(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	const struct kma_top_row *row = rows->nr ? &rows->rows[kma_top_cursor(state, rows)] : NULL;

	if (row && row->has_children && !row->is_open)
		kma_strbuf_printf(&state->open, "%s%s\n", state->open.len ? "" : "\n", row->key);
}

/* Closes the directory of the cursor, or goes to the one above. */
static void top_close(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	size_t at = kma_top_cursor(state, rows), len;
	const struct kma_top_row *row = rows->nr ? &rows->rows[at] : NULL;
	char *found;

	if (!row || !state->tree)
		return;
	if (!row->is_open) {
		for (size_t i = at; i-- && row->depth;)
			if (rows->rows[i].depth < row->depth) {
				top_choose(state, rows, i);
				return;
			}
		return;
	}
	len = strlen(row->key);
	for (found = strstr(state->open.str, row->key); found; found = strstr(found + 1, row->key))
		if (found[-1] == '\n' && found[len] == '\n')
			break;
	if (!found)
		return;
	memmove(found, found + len + 1, strlen(found + len + 1) + 1);
	state->open.len -= len + 1;
}

static void top_next_sort(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	do
		state->sort = (state->sort + 1) % KMA_TOP_NR_COLUMNS;
	while (!kma_top_has_column(state, state->sort) && state->sort != KMA_TOP_LIVE);
}

static void top_reverse(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	state->reversed = !state->reversed;
}

/* Sorts by live bytes if the new rows do not have the column by which they were sorted. */
static void top_keep_sort(struct kma_top_state *state)
{
	if (!kma_top_has_column(state, state->sort))
		state->sort = KMA_TOP_LIVE;
}

/* The keys in the order in which the key g takes them. */
static const enum kma_key_id order[] = {
	KMA_KEY_CALLER, KMA_KEY_LINE,	   KMA_KEY_FUNCTION, KMA_KEY_FILE,   KMA_KEY_DIR,
	KMA_KEY_MODULE, KMA_KEY_SUBSYSTEM, KMA_KEY_CACHE,    KMA_KEY_CGROUP,
};

/* The keys after those of the rows; after the last key those that the user named, if they are several. */
static struct kma_keys next_keys(const struct kma_top_state *state)
{
	const struct kma_keys by = kma_top_keys(state);
	size_t i = 0;

	if (by.nr > 1)
		return KMA_BY(order[0]);
	while (i < ARRAY_SIZE(order) && order[i] != by.list[0])
		i++;
	if (i + 1 < ARRAY_SIZE(order))
		return KMA_BY(order[i + 1]);
	return state->own.nr > 1 ? state->own : KMA_BY(order[0]);
}

static void top_group(struct kma_top_state *state, const struct kma_keys *by)
{
	state->by = *by;
	*state->chosen = '\0';
	/* A rule may be about what the new rows lack. */
	if (state->only.nr)
		kma_top_set_filter(state, state->filter);
	top_keep_sort(state);
}

static void top_next_group(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	struct kma_keys by = state->by;

	(void)rows;
	if (state->tree) {
		state->tree = false;
		top_keep_sort(state);
		return;
	}
	do {
		by = next_keys(state);
		state->by = by;
	} while (!kma_top_has_keys(state, &by));
	top_group(state, &by);
}

/* The column or the key of item @i of the open menu; -1 after the last one. */
static int menu_choice(const struct kma_top_state *state, size_t i)
{
	bool sort = state->menu == KMA_TOP_MENU_SORT;

	for (size_t n = 0; n < (sort ? KMA_TOP_NR_COLUMNS : ARRAY_SIZE(order)); n++) {
		int id = sort ? (int)n : (int)order[n];
		bool there = sort ? kma_top_has_column(state, id) :
				    kma_top_has_keys(state, &KMA_BY(id));

		if (there && !i--)
			return id;
	}
	return -1;
}

const char *kma_top_menu_item(const struct kma_top_state *state, size_t i,
			      char title[KMA_TOP_TITLE])
{
	int id = menu_choice(state, i);

	if (id < 0)
		return NULL;
	return state->menu == KMA_TOP_MENU_SORT ? kma_top_columns[id].title :
						  kma_top_title(id, title);
}

static void menu_open(struct kma_top_state *state, enum kma_top_menu menu)
{
	const struct kma_keys by = kma_top_keys(state);
	int chosen = menu == KMA_TOP_MENU_SORT ? (int)state->sort : (int)by.list[0];
	int id;

	state->help = state->details = false;
	state->menu = menu;
	state->item = 0;
	for (size_t i = 0; (id = menu_choice(state, i)) >= 0; i++)
		if (id == chosen)
			state->item = i;
}

static void top_sort_menu(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	menu_open(state, KMA_TOP_MENU_SORT);
}

static void top_group_menu(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	menu_open(state, KMA_TOP_MENU_GROUP);
}

static void menu_take(struct kma_top_state *state)
{
	int id = menu_choice(state, state->item);

	if (state->menu == KMA_TOP_MENU_SORT) {
		state->sort = id;
	} else {
		state->tree = false;
		top_group(state, &KMA_BY(id));
	}
	state->menu = KMA_TOP_MENU_NONE;
}

/* Any other key closes the menu. */
static void menu_key(struct kma_top_state *state, unsigned int key)
{
	size_t last = 0;

	while (menu_choice(state, last + 1) >= 0)
		last++;
	if (key == KMA_TOP_KEY_UP || key == 'k')
		state->item -= state->item > 0;
	else if (key == KMA_TOP_KEY_DOWN || key == 'j')
		state->item += state->item < last;
	else if (key == KMA_TOP_KEY_HOME || key == KMA_TOP_KEY_PAGE_UP)
		state->item = 0;
	else if (key == KMA_TOP_KEY_END || key == KMA_TOP_KEY_PAGE_DOWN)
		state->item = last;
	else if (key == KMA_TOP_KEY_ENTER)
		menu_take(state);
	else
		state->menu = KMA_TOP_MENU_NONE;
}

static void top_tree(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	if (!state->has_files) {
		top_say(state, "directories need a kernel: start with -k DIR or --vmlinux FILE");
		return;
	}
	state->tree = !state->tree;
	*state->chosen = '\0';
	top_keep_sort(state);
}

static void top_details(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	state->details = !state->details;
	state->scrolled = 0;
}

static void top_pause(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	state->paused = !state->paused;
}

static void top_baseline(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	state->rebase = true;
	top_say(state, "CHANGE counts from now on");
}

/* Checks whether there are other samples to go to. If not, the message says how to get them. */
static bool top_may_go(struct kma_top_state *state)
{
	if (!state->replay)
		top_say(state, "there are no earlier samples: start with --replay DIR");
	return state->replay;
}

static void top_earlier(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	state->step = top_may_go(state) ? -1 : 0;
}

static void top_later(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	state->step = top_may_go(state) ? 1 : 0;
}

static void top_ask_time(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	if (!top_may_go(state))
		return;
	state->prompt = KMA_TOP_PROMPT_TIME;
	*state->typed = '\0';
}

static void top_help_page(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	state->help = !state->help;
}

static void top_quit(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	state->quit = true;
}

/* Is a rule about what the rows have? If not, the message says so. */
static bool top_may_select(struct kma_top_state *state, const struct kma_only_rule *rule)
{
	const struct kma_keys by = KMA_BY(rule->key);

	if (rule->op != '=' && state->metrics >> rule->metric & 1)
		return true;
	if (rule->op == '=' && KMA_TOP_KEYS >> rule->key & 1 && kma_top_has_keys(state, &by) &&
	    (rule->key != KMA_KEY_CGROUP || kma_top_by_cgroup(state)))
		return true;
	snprintf(state->message, sizeof(state->message), "the rows have no %s",
		 rule->op == '=' ? kma_keys[rule->key].what : kma_metrics[rule->metric].what);
	return false;
}

/*
 * Reads rules with blanks between them; "!" stands for --not. Returns false if the text has none, or if
 * one is invalid, which the message says.
 */
static bool top_read_rules(struct kma_top_state *state, const char *text)
{
	struct kma_only *only = &state->only;
	char *rest = state->rules, *word;

	only->nr = 0;
	snprintf(state->rules, sizeof(state->rules), "%s", text);
	while ((word = strsep(&rest, " "))) {
		bool negated = *word == '!';
		const char *why = *word ? kma_only_add(only, word + negated, negated) : NULL;

		/* any other text is looked for in the rows */
		if (why && !*why && !only->nr)
			return true;
		if (why)
			snprintf(state->message, sizeof(state->message), "'%.60s': %.120s", word,
				 *why ? why : "a rule is KEY=PATTERN, or COLUMN>NUMBER");
		if (why || (*word && !top_may_select(state, &only->rules[only->nr - 1])))
			return false;
	}
	return true;
}

bool kma_top_set_filter(struct kma_top_state *state, const char *text)
{
	_cleanup_free_ char *copy = kma_xstrdup(text);
	bool valid = top_read_rules(state, copy);

	if (!valid)
		state->only.nr = 0;
	snprintf(state->filter, sizeof(state->filter), "%s", valid ? copy : "");
	return valid;
}

/* Closes the details or the help; if neither is open, removes the filter. */
static void top_escape(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	(void)rows;
	if (state->help || state->details)
		state->help = state->details = false;
	else
		kma_top_set_filter(state, "");
}

static void top_find(struct kma_top_state *state, const struct kma_top_rows *rows, size_t from)
{
	if (!*state->search)
		return;
	for (size_t n = 0; n < rows->nr; n++) {
		size_t i = (from + n) % rows->nr;

		if (strcasestr(rows->rows[i].key, state->search)) {
			top_choose(state, rows, i);
			return;
		}
	}
	snprintf(state->message, sizeof(state->message), "no row contains '%s'", state->search);
}

static void top_find_next(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	top_find(state, rows, kma_top_cursor(state, rows) + 1);
}

static const struct kma_top_binding {
	unsigned int key, other; /* @other: a second key with the same effect; 0: none */
	const char *keys;	 /* text in the help; NULL: the line above describes the key */
	const char *what;
	void (*act)(struct kma_top_state *state, const struct kma_top_rows *rows);
	enum kma_top_prompt prompt; /* for a key without @act */
} kma_top_bindings[] = {
	{ KMA_TOP_KEY_UP, 'k', "Up, Down", "move the cursor; PgUp, PgDn, Home, End move it further",
	  top_up, 0 },
	{ KMA_TOP_KEY_DOWN, 'j', NULL, NULL, top_down, 0 },
	{ KMA_TOP_KEY_PAGE_UP, 0, NULL, NULL, top_page_up, 0 },
	{ KMA_TOP_KEY_PAGE_DOWN, 0, NULL, NULL, top_page_down, 0 },
	{ KMA_TOP_KEY_HOME, 0, NULL, NULL, top_home, 0 },
	{ KMA_TOP_KEY_END, 0, NULL, NULL, top_end, 0 },
	{ '/', '\\', "F4 /", "filter: a text, or rules (module=ext4 !cache=k* live>1M)", NULL,
	  KMA_TOP_PROMPT_FILTER },
	{ 'f', 0, "F3 f", "find a row; n finds the next one", NULL, KMA_TOP_PROMPT_SEARCH },
	{ 'n', 0, NULL, NULL, top_find_next, 0 },
	{ KMA_TOP_KEY_F0 + 6, 0, "F6", "menu of the columns to sort by", top_sort_menu, 0 },
	{ 's', 0, "s", "sort by the next column", top_next_sort, 0 },
	{ 'I', 0, "I", "reverse the order", top_reverse, 0 },
	{ KMA_TOP_KEY_F0 + 2, 0, "F2", "menu of what a row is: call site, file, module, cache ...",
	  top_group_menu, 0 },
	{ 'g', 0, "g", "the next of them", top_next_group, 0 },
	{ 't', 0, "F5 t", "tree of directories and call sites; Right opens, Left closes", top_tree,
	  0 },
	{ KMA_TOP_KEY_RIGHT, 0, NULL, NULL, top_open, 0 },
	{ KMA_TOP_KEY_LEFT, 0, NULL, NULL, top_close, 0 },
	{ KMA_TOP_KEY_ENTER, 0, "Enter", "details of the row of the cursor; PgDn, PgUp show more",
	  top_details, 0 },
	{ ' ', 0, "Space", "pause; all other keys still work", top_pause, 0 },
	{ ',', 0, ", .", "with --replay: previous and next sample", top_earlier, 0 },
	{ '.', 0, NULL, NULL, top_later, 0 },
	{ ':', 0, ":", "with --replay: go to a time, for example 14:00 or -1h", top_ask_time, 0 },
	{ 'b', 0, "b", "baseline: CHANGE counts from now on", top_baseline, 0 },
	{ 'd', 0, "d", "change the interval", NULL, KMA_TOP_PROMPT_INTERVAL },
	{ 'w', 0, "w", "write the rows to a CSV file", NULL, KMA_TOP_PROMPT_SAVE },
	{ KMA_TOP_KEY_ESCAPE, 0, "Esc", "close the help or the details, then remove the filter",
	  top_escape, 0 },
	{ 'h', '?', "F1 h ?", "this help", top_help_page, 0 },
	{ 'q', 0, "F10 q", "quit", top_quit, 0 },
	{ KMA_TOP_KEY_CLICK, 0, "Mouse",
	  "click a row (again: open it), a heading, a key; wheel: move", NULL, 0 },
};

const struct kma_top_function kma_top_functions[KMA_TOP_FUNCTIONS] = {
	{ 1, 'h', "Help" },  { 2, KMA_TOP_KEY_F0 + 2, "Group" },
	{ 3, 'f', "Find" },  { 4, '/', "Filter" },
	{ 5, 't', "Tree" },  { 6, KMA_TOP_KEY_F0 + 6, "Sort" },
	{ 10, 'q', "Quit" },
};

const char *kma_top_help(size_t i, const char **what)
{
	for (size_t n = 0; n < ARRAY_SIZE(kma_top_bindings); n++)
		if (kma_top_bindings[n].keys && !i--) {
			*what = kma_top_bindings[n].what;
			return kma_top_bindings[n].keys;
		}
	return NULL;
}

static void top_set_interval(struct kma_top_state *state)
{
	char *end;
	double seconds = strtod(state->typed, &end);

	if (end == state->typed || *end || !(seconds * 1e9 >= KMA_TOP_MIN_NS) ||
	    !(seconds * 1e9 <= KMA_TOP_MAX_NS)) {
		top_say(state, "the interval must be 0.1 to 3600 seconds");
		return;
	}
	state->interval_ns = seconds * 1e9;
}

/* Uses the text that was typed at the prompt, and closes the prompt. */
static void top_enter(struct kma_top_state *state, const struct kma_top_rows *rows)
{
	switch (state->prompt) {
	case KMA_TOP_PROMPT_SEARCH:
		snprintf(state->search, sizeof(state->search), "%s", state->typed);
		top_find(state, rows, kma_top_cursor(state, rows));
		break;
	case KMA_TOP_PROMPT_FILTER:
		kma_top_set_filter(state, state->typed);
		break;
	case KMA_TOP_PROMPT_INTERVAL:
		top_set_interval(state);
		break;
	case KMA_TOP_PROMPT_SAVE:
		state->save = *state->typed;
		break;
	case KMA_TOP_PROMPT_TIME:
		state->jump = *state->typed;
		break;
	default:
		break;
	}
	state->prompt = KMA_TOP_PROMPT_NONE;
}

static void top_type(struct kma_top_state *state, const struct kma_top_rows *rows, unsigned int key)
{
	size_t len = strlen(state->typed);

	if (key == KMA_TOP_KEY_ENTER)
		top_enter(state, rows);
	else if (key == KMA_TOP_KEY_ESCAPE)
		state->prompt = KMA_TOP_PROMPT_NONE;
	else if (key == KMA_TOP_KEY_BACKSPACE && len)
		state->typed[len - 1] = '\0';
	else if (key >= ' ' && key <= '~' && len + 1 < sizeof(state->typed))
		snprintf(state->typed + len, sizeof(state->typed) - len, "%c", (char)key);
}

/* A click on a heading: sorts by it, or reverses the order. */
static void top_sort_by(struct kma_top_state *state, enum kma_top_column_id id)
{
	state->reversed = state->sort == id && !state->reversed;
	state->sort = id;
}

void kma_top_click(struct kma_top_state *state, const struct kma_top_rows *rows, size_t x, size_t y)
{
	size_t at = y - state->top;

	for (size_t i = 0; i < state->nr_spots; i++) {
		const struct kma_top_spot *spot = &state->spots[i];

		if (y == spot->y && x >= spot->x && x < spot->x + spot->width) {
			kma_top_key(state, rows, spot->key);
			return;
		}
	}
	if (y < state->top || state->prompt || state->help || state->details)
		return;
	if (state->menu) {
		if (menu_choice(state, at) < 0)
			return;
		state->item = at;
		menu_take(state);
	} else if (at < state->page && state->first + at < rows->nr) {
		const struct kma_top_row *row = &rows->rows[state->first + at];

		if (kma_top_cursor(state, rows) != state->first + at)
			top_choose(state, rows, state->first + at);
		else
			kma_top_key(state, rows,
				    row->is_open      ? KMA_TOP_KEY_LEFT :
				    row->has_children ? KMA_TOP_KEY_RIGHT :
							KMA_TOP_KEY_ENTER);
	}
}

/* The key whose effect a function key has. */
static unsigned int function_of(unsigned int key)
{
	for (size_t i = 0; i < KMA_TOP_FUNCTIONS; i++)
		if (key == KMA_TOP_KEY_F0 + kma_top_functions[i].nr)
			return kma_top_functions[i].key;
	return key;
}

void kma_top_key(struct kma_top_state *state, const struct kma_top_rows *rows, unsigned int key)
{
	key = function_of(key);
	*state->message = '\0';
	if (state->prompt) {
		top_type(state, rows, key);
		return;
	}
	if (state->menu) {
		menu_key(state, key);
		return;
	}
	if (key >= KMA_TOP_KEY_SORT && key < KMA_TOP_KEY_SORT + KMA_TOP_NR_COLUMNS) {
		top_sort_by(state, key - KMA_TOP_KEY_SORT);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(kma_top_bindings); i++) {
		const struct kma_top_binding *binding = &kma_top_bindings[i];

		if (key != binding->key && (!binding->other || key != binding->other))
			continue;
		/* the help covers the rows: any key but these two leaves the help first */
		if (state->help && binding->act != top_help_page && binding->act != top_quit) {
			state->help = false;
			return;
		}
		if (binding->act) {
			binding->act(state, rows);
		} else if (binding->prompt) {
			state->prompt = binding->prompt;
			*state->typed = '\0';
		}
		return;
	}
}
