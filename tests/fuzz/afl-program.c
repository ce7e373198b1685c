// SPDX-License-Identifier: GPL-2.0-only
/*
 * The whole program for AFL++: what it does with a file, by several commands, each as
 * main() gets it from the shell. Not only must it not crash: it ends with a status that
 * it has a meaning for; if it fails, it says so in one sentence, on stderr, and leaves no
 * file, not even a part of one; if not, it leaves those that it was asked for. Anything
 * else is an abort(3), which AFL takes for a crash.
 *
 *	afl-program FILE		also shows again what AFL has found
 *
 * All runs share a folder, which is emptied by each: they come one after the other.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "lib/cleanup.h"
#include "lib/say.h"

#define KMA_AFL_ARGS 8
#define KMA_AFL_FILE "@@"

/* host/cli/main.c, whose main() has this name here. */
int kma_main(int argc, char **argv);

static const struct kma_afl_run {
	const char *args[KMA_AFL_ARGS];
	const char *makes; /* NULL: standard output */
	bool judges;	   /* a damaged log is shown, and fails because it cannot be judged */
} kma_afl_runs[] = {
	{ { "report", KMA_AFL_FILE, "--format", "csv" }, NULL },
	{ { "rings", KMA_AFL_FILE, "-r", "out.svg" }, "out.svg" },
	{ { "report", KMA_AFL_FILE, "--format", "json", "-O", "out", "--save-db", "out.db" },
	  "out.db" },
	{ { "diff", KMA_AFL_FILE, KMA_AFL_FILE, "--fail-above", "1" }, NULL, true },
};

static FILE *kma_afl_say;     /* the real stderr */
static bool kma_afl_readable; /* a command was content with the file */

static void kma_afl_fault(const char *const *args, const char *what)
{
	fprintf(kma_afl_say, "%s: %s\n", args[0], what);
	fflush(kma_afl_say);
	abort();
}

/* Removes what is in the folder; how many files there were but those two. */
static size_t kma_afl_empty(void)
{
	DIR *dir = opendir(".");
	struct dirent *entry;
	size_t nr = 0;

	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		nr += strcmp(entry->d_name, "stdout") && strcmp(entry->d_name, "stderr");
		unlink(entry->d_name);
	}
	closedir(dir);
	return nr;
}

static size_t kma_afl_size(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_size;
}

/* Lines of stderr, each of which is ours; 0 if one is not. */
static unsigned int kma_afl_lines(void)
{
	_cleanup_fclose_ FILE *f = NULL;
	static const char ours[] = "kmem-account: ";
	static char line[65536];
	unsigned int nr = 0;

	f = fopen("stderr", "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, ours, sizeof(ours) - 1) || !strchr(line, '\n'))
			return 0;
		nr++;
	}
	return nr;
}

static void kma_afl_run(const struct kma_afl_run *run, char *file)
{
	const char *const *args = run->args;
	char *argv[KMA_AFL_ARGS + 2] = { "kmem-account" };
	unsigned int lines;
	int argc, status;
	bool made;

	for (argc = 1; argc <= KMA_AFL_ARGS && args[argc - 1]; argc++)
		argv[argc] = strcmp(args[argc - 1], KMA_AFL_FILE) ? (char *)args[argc - 1] : file;
	if (!freopen("stdout", "w", stdout) || !freopen("stderr", "w", stderr))
		kma_afl_fault(args, "no folder to work in");
	status = kma_main(argc, argv);
	fflush(stdout);
	fflush(stderr);
	if (status < 0 || status > KMA_EXIT_THRESHOLD || status == KMA_EXIT_USAGE)
		kma_afl_fault(args, "another exit status");
	kma_afl_readable |= status == KMA_EXIT_OK;
	made = kma_afl_size(run->makes ?: "stdout");
	if (status == KMA_EXIT_OK && !made)
		kma_afl_fault(args, "all is well, and there is no output");
	if (status == KMA_EXIT_DATA) {
		/* What can be read may have findings before there is nothing to draw. */
		lines = kma_afl_lines();
		if (!lines || (lines > 1 && !kma_afl_readable))
			kma_afl_fault(args, "a failure that is not said in one line");
		if (kma_afl_size("stdout") && !run->judges)
			kma_afl_fault(args, "a failure that leaves output");
	}
	if (kma_afl_empty() && status == KMA_EXIT_DATA)
		kma_afl_fault(args, "a failure that leaves a file");
}

int main(int argc, char **argv)
{
	_cleanup_free_ char *file = argc == 2 ? realpath(argv[1], NULL) : NULL;
	char dir[] = "/tmp/kma-afl-XXXXXX";

	kma_afl_say = fdopen(dup(STDERR_FILENO), "w");
	if (argc != 2 || !kma_afl_say)
		return 2;
	/* The file is not there yet when AFL starts us for the first time. */
	if (!file)
		file = strdup(argv[1]);
	if (!getenv("KMA_AFL_DIR")) {
		if (!mkdtemp(dir) || chdir(dir))
			return 2;
	} else if (chdir(getenv("KMA_AFL_DIR"))) {
		return 2;
	}
	__AFL_INIT();
	kma_afl_empty();
	for (size_t i = 0; i < ARRAY_SIZE(kma_afl_runs); i++)
		kma_afl_run(&kma_afl_runs[i], file);
	if (!getenv("KMA_AFL_DIR"))
		rmdir(dir);
	return 0;
}
