// SPDX-License-Identifier: GPL-2.0-only
/*
 * terminal.c - show a grid on a terminal, by ncursesw.
 *
 * Ctrl-Z is handled here. ncurses would ignore SIGTSTP while it writes the screen, so a Ctrl-Z at
 * such a moment would be lost. ncurses does not install its own handler if there is one before
 * newterm(). SIGTSTP is blocked except in ppoll() of terminal_wait(); the kernel keeps the
 * signal pending until then. The handler sets a flag, and terminal_suspend() stops the program.
 *
 * The kernel's terminal keeps its output at Ctrl-C and Ctrl-Z (noqiflush()). By default it would
 * discard the output, but pty_flush_buffer() of Linux does not wake a writer that waits for space.
 * The write would then wait until the other side of a pseudo-terminal reads something, which is
 * for ever if the other side has read everything.
 */
#define NCURSES_WIDECHAR 1

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/atend.h"
#include "lib/cleanup.h"
#include "terminal.h"
#include "view/screen/top.h"

struct kma_terminal_screen {
	SCREEN *screen;
	struct termios modes;		   /* of the shell */
	FILE *keys;			   /* the standard input, or /dev/tty */
	attr_t styles[KMA_GRID_NR_STYLES]; /* attributes of each style */
	short pairs[KMA_GRID_NR_STYLES];   /* pair of colours of each style; 0: the terminal's */
	struct sigaction stop;		   /* of SIGTSTP, before the screen was opened */
	sigset_t mask;			   /* blocked signals before the screen was opened */
};

static int kma_terminal_stop_requested;

static const struct {
	attr_t attrs;
	short colour; /* less than 0: the terminal's own */
} kma_terminal_styles[KMA_GRID_NR_STYLES] = {
	[KMA_GRID_PLAIN] = { A_NORMAL, -1 },
	[KMA_GRID_TITLE] = { A_REVERSE, -1 },
	[KMA_GRID_BOLD] = { A_BOLD, -1 },
	[KMA_GRID_FAINT] = { A_DIM, -1 },
	[KMA_GRID_CHOSEN] = { A_REVERSE | A_BOLD, -1 },
	[KMA_GRID_RISING] = { A_NORMAL, COLOR_RED },
	[KMA_GRID_FALLING] = { A_NORMAL, COLOR_GREEN },
	[KMA_GRID_ALARM] = { A_BOLD, COLOR_YELLOW },
};

static const struct {
	int curses;
	unsigned int key;
} kma_terminal_keys[] = {
	{ KEY_UP, KMA_TOP_KEY_UP },
	{ KEY_DOWN, KMA_TOP_KEY_DOWN },
	{ KEY_LEFT, KMA_TOP_KEY_LEFT },
	{ KEY_RIGHT, KMA_TOP_KEY_RIGHT },
	{ KEY_PPAGE, KMA_TOP_KEY_PAGE_UP },
	{ KEY_NPAGE, KMA_TOP_KEY_PAGE_DOWN },
	{ KEY_HOME, KMA_TOP_KEY_HOME },
	{ KEY_END, KMA_TOP_KEY_END },
	{ KEY_ENTER, KMA_TOP_KEY_ENTER },
	{ '\n', KMA_TOP_KEY_ENTER },
	{ '\r', KMA_TOP_KEY_ENTER },
	{ '\033', KMA_TOP_KEY_ESCAPE },
	{ KEY_BACKSPACE, KMA_TOP_KEY_BACKSPACE },
	{ '\b', KMA_TOP_KEY_BACKSPACE },
	{ '\177', KMA_TOP_KEY_BACKSPACE },
};

static void terminal_colours(struct kma_terminal_screen *screen)
{
	const char *plain = getenv("NO_COLOR");
	bool colours = !(plain && *plain) && has_colors() && start_color() != ERR &&
		       use_default_colors() != ERR;

	for (short i = 0; i < KMA_GRID_NR_STYLES; i++) {
		screen->styles[i] = kma_terminal_styles[i].attrs;
		if (!colours || kma_terminal_styles[i].colour < 0)
			continue;
		init_pair(i, kma_terminal_styles[i].colour, -1);
		screen->pairs[i] = i;
	}
}

static void terminal_on_stop(int sig)
{
	__atomic_store_n(&kma_terminal_stop_requested, sig, __ATOMIC_RELAXED);
}

/* Blocks and handles SIGTSTP. If it was ignored (a shell without job control), it stays so. */
static void terminal_take_stop(struct kma_terminal_screen *screen)
{
	struct sigaction stop = { .sa_handler = terminal_on_stop };
	sigset_t block;

	sigemptyset(&block);
	sigaddset(&block, SIGTSTP);
	sigprocmask(SIG_BLOCK, &block, &screen->mask);
	sigaction(SIGTSTP, NULL, &screen->stop);
	if (screen->stop.sa_handler != SIG_IGN)
		sigaction(SIGTSTP, &stop, NULL);
}

/* Text of the terminal's type that ends a mode, or "". */
static const char *terminal_text(const char *name)
{
	const char *text = tigetstr(name);

	return text && text != (char *)-1 ? text : "";
}

/* If memory is missing, or a mapped file becomes shorter, the program ends without endwin(). */
static void terminal_register(struct kma_terminal_screen *screen)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%s%s", terminal_text("rmcup"), terminal_text("cnorm"),
		 terminal_text("rmkx"));
	kma_atend_terminal(STDOUT_FILENO, &screen->modes, text);
}

/* Restores SIGTSTP. A pending Ctrl-Z stops the program here; the terminal is restored already. */
static void terminal_restore_stop(const struct kma_terminal_screen *screen)
{
	sigaction(SIGTSTP, &screen->stop, NULL);
	sigprocmask(SIG_SETMASK, &screen->mask, NULL);
}

/* Restores the terminal and stops the program; returns when it is continued. */
static void terminal_suspend(struct kma_terminal_screen *screen)
{
	__atomic_store_n(&kma_terminal_stop_requested, 0, __ATOMIC_RELAXED);
	endwin();
	kma_atend_terminal(-1, NULL, NULL);
	terminal_restore_stop(screen);
	raise(SIGTSTP);
	terminal_take_stop(screen);
	/* the user may have changed the modes; SIGWINCH went to the shell during the stop */
	def_shell_mode();
	tcgetattr(STDOUT_FILENO, &screen->modes);
	terminal_register(screen);
	raise(SIGWINCH);
}

static void terminal_free(struct kma_terminal_screen *screen)
{
	terminal_restore_stop(screen);
	if (screen->keys != stdin)
		fclose(screen->keys);
	free(screen);
}

struct kma_err *kma_terminal_open(struct kma_terminal_screen **ret)
{
	struct kma_terminal_screen *screen = kma_xcalloc(1, sizeof(*screen));
	const char *type = getenv("TERM"), *cup;

	screen->keys = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "re");
	if (!screen->keys) {
		free(screen);
		return kma_err_create(NULL, 0,
				      "top: the standard input is not a terminal; use -b for text");
	}
	terminal_take_stop(screen);
	tcgetattr(STDOUT_FILENO, &screen->modes);
	/* Esc alone is a key if no other byte follows within 25 ms: sequences arrive at once */
	set_escdelay(25);
	screen->screen = newterm(NULL, stdout, screen->keys);
	if (!screen->screen) {
		terminal_free(screen);
		return kma_err_create(
			NULL, 0, "top: unknown terminal type '%s'; set TERM or use -b", type ?: "");
	}
	set_term(screen->screen);
	/* For a type such as "dumb", ncurses would print all rows on one line. */
	cup = tigetstr("cup");
	if (!cup || cup == (char *)-1) {
		/* newterm() has changed the modes of the terminal, and delscreen() leaves them so */
		reset_shell_mode();
		delscreen(screen->screen);
		terminal_free(screen);
		return kma_err_create(
			NULL, 0,
			"top: terminal type '%s' cannot move the cursor; set TERM or use -b",
			type ?: "");
	}
	cbreak();
	noecho();
	nonl();
	noqiflush();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	/* a press is an event at once: no wait for a second click */
	mouseinterval(0);
	mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	terminal_colours(screen);
	terminal_register(screen);
	*ret = screen;
	return NULL;
}

void kma_terminal_close(struct kma_terminal_screen *screen)
{
	if (!screen)
		return;
	endwin();
	kma_atend_terminal(-1, NULL, NULL);
	delscreen(screen->screen);
	terminal_free(screen);
}

void kma_terminal_blank(const struct kma_terminal_screen *screen, struct kma_grid *grid)
{
	int lines, columns;

	(void)screen;
	getmaxyx(stdscr, lines, columns);
	kma_grid_init(grid, columns > 0 ? columns : 1, lines > 0 ? lines : 1);
}

void kma_terminal_show(struct kma_terminal_screen *screen, const struct kma_grid *grid)
{
	for (size_t i = 0; i < grid->columns * grid->lines; i++) {
		const struct kma_grid_cell *cell = &grid->cells[i];
		const wchar_t text[2] = { cell->text };
		cchar_t out;

		setcchar(&out, text, screen->styles[cell->style], screen->pairs[cell->style], NULL);
		mvadd_wch(i / grid->columns, i % grid->columns, &out);
	}
	refresh();
}

/* Waits for a key or a signal. Returns as poll(); -1 with EINTR after a suspension. */
static int terminal_wait(struct kma_terminal_screen *screen, struct pollfd *p, int ms)
{
	const struct timespec wait = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };
	int ready = ppoll(p, 1, ms < 0 ? NULL : &wait, &screen->mask);

	if (__atomic_load_n(&kma_terminal_stop_requested, __ATOMIC_RELAXED)) {
		terminal_suspend(screen);
		errno = EINTR;
		return -1;
	}
	return ready;
}

/* The key of an event of the mouse; 0: none. The wheel is the buttons 4 and 5. */
static unsigned int terminal_mouse(size_t *x, size_t *y)
{
	MEVENT event;

	if (getmouse(&event) != OK || event.x < 0 || event.y < 0)
		return 0;
	*x = event.x;
	*y = event.y;
	return event.bstate & BUTTON4_PRESSED ? KMA_TOP_KEY_UP :
	       event.bstate & BUTTON5_PRESSED ? KMA_TOP_KEY_DOWN :
	       event.bstate & BUTTON1_PRESSED ? KMA_TOP_KEY_CLICK :
						0;
}

bool kma_terminal_key(struct kma_terminal_screen *screen, int ms, unsigned int *ret, size_t *x,
		      size_t *y)
{
	struct pollfd p = { .fd = fileno(screen->keys), .events = POLLIN };
	int key = getch();

	*ret = 0;
	if (key == ERR) {
		int ready = terminal_wait(screen, &p, ms);

		/* a signal may report a new size, which getch() returns as a key */
		if (!ready || (ready < 0 && errno != EINTR))
			return !ready;
		key = getch();
		if (key == ERR && ready > 0)
			return !(p.revents & (POLLHUP | POLLERR | POLLNVAL));
	}
	for (size_t i = 0; i < ARRAY_SIZE(kma_terminal_keys); i++)
		if (key == kma_terminal_keys[i].curses)
			*ret = kma_terminal_keys[i].key;
	if (key == KEY_MOUSE)
		*ret = terminal_mouse(x, y);
	if (key > KEY_F0 && key <= KEY_F(12))
		*ret = KMA_TOP_KEY_F0 + (key - KEY_F0);
	if (!*ret && key >= ' ' && key <= '~')
		*ret = key;
	return true;
}
