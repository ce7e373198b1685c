// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-source.c - the source file that a .cmd file names.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cmd-source.h"
#include "lib/cleanup.h"
#include "lib/file.h"

/* Bytes of a .cmd file that are looked at first; few commands are longer. */
#define KMA_CMD_HEAD 8192

/* As much of a file as fits, in few calls: a tree has thousands. A FIFO is empty. */
static struct kma_err *kma_read_head(const char *path, char *head, size_t size, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct kma_err *err = NULL;
	ssize_t n = 0;

	*len = 0;
	if (fd < 0)
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, path, 0, "cannot open: %s",
					   strerror(errno));
	while (*len < size && (n = read(fd, head + *len, size - *len)) > 0)
		*len += n;
	if (n < 0)
		err = kma_err_create_kind(KMA_ERR_NOT_READABLE, path, 0, "cannot read: %s",
					  strerror(errno));
	close(fd);
	return err;
}

/* The text after "source_..."; in a part of a file, only if a space follows. */
static char *kma_find_source(const char *text, bool whole)
{
	const char *line = !strncmp(text, "source_", 7) ? text : strstr(text, "\nsource_");
	const char *value = line ? strstr(line, ":= ") : NULL;
	size_t len;

	if (!value)
		return NULL;
	value += 3;
	len = strcspn(value, " \t\r\n");
	return value[len] || whole ? strndup(value, len) : NULL;
}

struct kma_err *kma_cmd_source(const char *cmd_path, char **ret)
{
	/* This line follows the command; thousands of headers follow it. */
	_cleanup_free_ char *text = NULL;
	char head[KMA_CMD_HEAD + 1];
	struct kma_err *err;
	size_t len;

	*ret = NULL;
	err = kma_read_head(cmd_path, head, KMA_CMD_HEAD, &len);
	if (err)
		return err;
	head[len] = '\0';
	/* Kbuild ends each line. Without its last lines it looks like that of a linked object. */
	if (len < KMA_CMD_HEAD && (!strstr(head, ":= ") || head[len - 1] != '\n'))
		return kma_err_create_kind(KMA_ERR_DAMAGED, cmd_path, 0,
					   len ? "truncated in the command" : "the file is empty");
	*ret = kma_find_source(head, len < KMA_CMD_HEAD);
	if (*ret || len < KMA_CMD_HEAD)
		return NULL;
	err = kma_file_slurp_regular(cmd_path, &text, &len);
	if (!err)
		*ret = kma_find_source(text, true);
	return err;
}
