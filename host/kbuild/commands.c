// SPDX-License-Identifier: GPL-2.0-only
/*
 * commands.c - read the commands in kbuild's .cmd files.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/notes.h"
#include "symbol/srcpath.h"

/* A list of names, each allocated. */
struct kma_names {
	char **list;
	size_t nr;
	size_t alloc;
};

struct kma_archives {
	struct kma_names objects;  /* in the order of the linker */
	struct kma_names archives; /* in the order in which they were followed */
};

/* Bytes of a .cmd file that are read first. Few commands are longer. */
#define KMA_CMD_HEAD 8192

/*
 * Nesting of archives that is followed. A directory has one archive, and paths are not that deep.
 */
#define KMA_MAX_NESTED 64

/* Read the beginning of a file, in few calls: a tree has thousands. */
static struct kma_err *read_head(const char *path, char *head, size_t size, size_t *len)
{
	struct kma_err *err;
	ssize_t n = 0;
	int fd;

	*len = 0;
	err = kma_file_open(AT_FDCWD, path, KMA_FILE_REGULAR, &fd, NULL);
	if (err)
		return err;
	while (*len < size && (n = read(fd, head + *len, size - *len)) > 0)
		*len += n;
	if (n < 0)
		err = kma_err_create_kind(KMA_ERR_NOT_READABLE, path, 0, "cannot read: %s",
					  strerror(errno));
	close(fd);
	return err;
}

/* The value after "source_..."; in a part of a file, only if a space follows it. */
static char *find_source(const char *text, bool whole)
{
	const char *line = !strncmp(text, "source_", 7) ? text : strstr(text, "\nsource_");
	const char *value = line ? strstr(line, ":= ") : NULL;
	size_t len;

	if (!value)
		return NULL;
	value += 3;
	len = strcspn(value, " \t\r\n");
	return value[len] || whole ? kma_xstrndup(value, len) : NULL;
}

struct kma_err *kma_cmd_source(const char *cmd_path, char **ret)
{
	/* The line follows the command, and thousands of headers may follow the line. */
	_cleanup_free_ char *text = NULL;
	char head[KMA_CMD_HEAD + 1];
	struct kma_err *err;
	size_t len;

	*ret = NULL;
	err = read_head(cmd_path, head, KMA_CMD_HEAD, &len);
	if (err)
		return err;
	head[len] = '\0';
	/* Kbuild ends each line. A truncated file would look like that of a linked object. */
	if (len < KMA_CMD_HEAD && (!strstr(head, ":= ") || head[len - 1] != '\n'))
		return kma_err_create_kind(KMA_ERR_DAMAGED, cmd_path, 0,
					   len ? "truncated in the command" : "the file is empty");
	*ret = find_source(head, len < KMA_CMD_HEAD);
	if (*ret || len < KMA_CMD_HEAD)
		return NULL;
	err = kma_file_slurp_regular(cmd_path, &text, &len);
	if (err)
		return err;
	*ret = find_source(text, true);
	return NULL;
}

static void names_deinit(struct kma_names *names)
{
	for (size_t i = 0; i < names->nr; i++)
		free(names->list[i]);
	free(names->list);
}

static void names_add(struct kma_names *names, const char *name)
{
	kma_array_room(names->list, names->nr, names->alloc);
	names->list[names->nr++] = kma_xstrdup(name);
}

static bool names_have(const struct kma_names *names, const char *name)
{
	for (size_t i = 0; i < names->nr; i++)
		if (!strcmp(names->list[i], name))
			return true;
	return false;
}

/* The path of a .cmd file: for "fs/built-in.a" it is "DIR/fs/.built-in.a.cmd". */
static char *path_of_cmd(const char *dir, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	return kma_xasprintf("%s/%.*s.%s.cmd", dir, (int)(base - path), path, base);
}

/* Read the command, which is the rest of the first line after ":= ". */
static struct kma_err *cmd_read(const char *dir, const char *path, char **ret)
{
	_cleanup_free_ char *file = path_of_cmd(dir, path), *text = NULL;
	struct kma_err *err;
	const char *begin;
	struct stat st;
	size_t len;

	*ret = NULL;
	if (lstat(file, &st) && errno == ENOENT)
		return NULL;
	err = kma_file_slurp_regular(file, &text, &len);
	if (err)
		return err;
	begin = strstr(text, ":= ");
	if (!begin || !strchr(begin, '\n'))
		return kma_err_create_kind(KMA_ERR_DAMAGED, file, 0,
					   begin ? "truncated in the command" :
						   "corrupt: no command in this file");
	begin += 3;
	*ret = kma_xstrndup(begin, strcspn(begin, "\n"));
	return NULL;
}

/* The prefix of the names in "printf "fs/%s " open.o ...", which is "fs/". */
static char *cmd_prefix(const char *command)
{
	const char *begin = strstr(command, "printf \""), *end;

	if (!begin)
		return NULL;
	begin += strlen("printf \"");
	end = strstr(begin, "%s");
	return end ? kma_xstrndup(begin, end - begin) : NULL;
}

static bool cmd_is_input(const char *word)
{
	size_t len = strlen(word);

	return len > 2 && (!strcmp(word + len - 2, ".o") || !strcmp(word + len - 2, ".a"));
}

static void cmd_words(char *command, const char *path, const char *prefix, struct kma_names *names)
{
	char *save = NULL;

	for (char *word = strtok_r(command, " \t;", &save); word;
	     word = strtok_r(NULL, " \t;", &save)) {
		_cleanup_free_ char *name = NULL;

		if (prefix && !strcmp(word, "|"))
			break; /* the command that xargs runs follows */
		if (!cmd_is_input(word) || *word == '-' || *word == '$')
			continue;
		name = kma_xasprintf("%s%s", prefix ?: "", word);
		kma_srcpath_normalise(name);
		/*
		 * "rm -f fs/built-in.a; printf ...": skip the output, with and without the prefix.
		 */
		if (strcmp(name, path) && !(prefix && !strcmp(word, path)))
			names_add(names, name);
	}
}

struct kma_err *kma_cmd_inputs(const char *dir, const char *path, char ***ret)
{
	_cleanup_(names_deinit) struct kma_names names = { 0 };
	_cleanup_free_ char *command = NULL, *prefix = NULL;
	struct kma_err *err;
	size_t bytes = 0;
	char *text;

	*ret = NULL;
	err = cmd_read(dir, path, &command);
	if (err || !command)
		return err;
	prefix = cmd_prefix(command);
	cmd_words(command, path, prefix, &names);
	for (size_t i = 0; i < names.nr; i++)
		bytes += strlen(names.list[i]) + 1;
	*ret = kma_xmalloc((names.nr + 1) * sizeof(**ret) + bytes);
	text = (char *)(*ret + names.nr + 1);
	for (size_t i = 0; i < names.nr; i++) {
		(*ret)[i] = text;
		text = stpcpy(text, names.list[i]) + 1;
	}
	(*ret)[names.nr] = NULL;
	return NULL;
}

/* Get the inputs of an archive of the tree. It must have a .cmd file. */
static struct kma_err *archives_inputs(const char *dir, const char *path, size_t depth, char ***ret,
				       struct kma_gaps *gaps)
{
	_cleanup_free_ char *name = NULL;
	struct kma_err *err;

	err = kma_cmd_inputs(dir, path, ret);
	/* Kernels before 6.1 keep no command of vmlinux.o, and a compiler's library has none. */
	if (!err && !*ret && depth && *path != '/') {
		name = kma_xasprintf("%s/%s", dir, path);
		err = kma_err_create_kind(KMA_ERR_NOT_READABLE, name, 0,
					  "the .cmd file that lists its members is missing");
	}
	return kma_gaps_note(gaps, KMA_GAP_ARCHIVE, err);
}

/*
 * Add the objects of one archive, and of the archives in it. @known is set to false if a command is
 * missing. The others are read anyway, to count all that are missing.
 */
static struct kma_err *archives_follow(struct kma_archives *archives, const char *dir,
				       const char *path, size_t depth, bool *known,
				       struct kma_gaps *gaps)
{
	_cleanup_free_ char **inputs = NULL;
	struct kma_err *err;

	err = archives_inputs(dir, path, depth, &inputs, gaps);
	if (err)
		return err;
	*known &= inputs && depth < KMA_MAX_NESTED;
	for (size_t i = 0; inputs && depth < KMA_MAX_NESTED && inputs[i]; i++) {
		bool archive = inputs[i][strlen(inputs[i]) - 1] == 'a';

		if (!archive) {
			names_add(&archives->objects, inputs[i]);
		} else if (!names_have(&archives->archives, inputs[i])) {
			names_add(&archives->archives, inputs[i]);
			err = archives_follow(archives, dir, inputs[i], depth + 1, known, gaps);
			if (err)
				return err;
		}
	}
	return NULL;
}

struct kma_err *kma_archives_read(const char *dir, struct kma_archives **ret, struct kma_gaps *gaps)
{
	struct kma_archives *archives = kma_xcalloc(1, sizeof(*archives));
	struct kma_err *err;
	bool known = true;

	*ret = NULL;
	err = archives_follow(archives, dir, "vmlinux.o", 0, &known, gaps);
	if (err || !known || !archives->objects.nr) {
		kma_archives_destroy(archives);
		return err;
	}
	*ret = archives;
	return NULL;
}

void kma_archives_destroy(struct kma_archives *archives)
{
	if (!archives)
		return;
	names_deinit(&archives->objects);
	names_deinit(&archives->archives);
	free(archives);
}

char *const *kma_archives_list(const struct kma_archives *archives, size_t *nr)
{
	*nr = archives->objects.nr;
	return archives->objects.list;
}
