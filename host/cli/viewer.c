// SPDX-License-Identifier: GPL-2.0-only
/*
 * viewer.c - open a file with a program of the desktop.
 */
#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "viewer.h"

#define KMA_VIEWER_WORDS 16

/* Programs of desktops, in the form of $BROWSER. */
static const char kma_viewers[] = "xdg-open:gio open:kde-open:open";

/* Runs a program and waits for it; true if it exists and succeeds. */
static bool kma_viewer_run(char **argv)
{
	int status;
	pid_t pid;

	if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ))
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Tries one program of the list: words separated by spaces; %s is the file, else it is appended. */
static bool kma_viewer_try(char *command, const char *path)
{
	char *argv[KMA_VIEWER_WORDS + 2], *save = NULL, *word;
	bool placed = false;
	size_t nr = 0;

	for (word = strtok_r(command, " ", &save); word && nr < KMA_VIEWER_WORDS;
	     word = strtok_r(NULL, " ", &save)) {
		bool here = !strcmp(word, "%s");

		argv[nr++] = here ? (char *)path : word;
		placed |= here;
	}
	if (!nr)
		return false;
	if (!placed)
		argv[nr++] = (char *)path;
	argv[nr] = NULL;
	return kma_viewer_run(argv);
}

struct kma_err *kma_viewer_open(const char *path)
{
	_cleanup_strbuf_ struct kma_strbuf list = { 0 };
	const char *browser = getenv("BROWSER");
	char *save = NULL, *command;

	kma_strbuf_printf(&list, "%s:%s", browser ?: "", kma_viewers);
	for (command = strtok_r(list.str, ":", &save); command;
	     command = strtok_r(NULL, ":", &save))
		if (kma_viewer_try(command, path))
			return NULL;
	return kma_err_create(path, 0,
			      "no program found that opens this file (tried $BROWSER and %s)",
			      kma_viewers);
}
