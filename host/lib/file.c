// SPDX-License-Identifier: GPL-2.0-only
/*
 * file.c - read and write whole files. file.h has the design.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atend.h"
#include "cleanup.h"
#include "escape.h"
#include "file.h"

/* Bytes that are read of a pipe or device; lists of symbols have less than a tenth. */
#define KMA_FILE_ENDLESS (256 << 20)

/* Symbolic links that a name may have, the limit of Linux. */
#define KMA_LINKS_MAX 40

/* The inputs of the command, the oldest replaced first. */
static struct {
	dev_t dev;
	ino_t ino;
} kma_inputs[KMA_FILE_INPUTS];

static unsigned int kma_inputs_nr; /* inputs that were registered; only their last ones are kept */

struct kma_outfile {
	bool terminal; /* the file is a terminal: control characters are replaced */
	bool kept;     /* the temporary file stays, see kma_outfile_keep() */
	FILE *stream;  /* NULL after the commit */
	char *path;    /* as given, for messages; NULL for the standard output */
	char *target;  /* final name, after resolving links */
	char *temp;    /* name until the commit; NULL if the file is written in place */
};

static bool kma_file_is_input(const struct stat *st)
{
	for (size_t i = 0; i < KMA_FILE_INPUTS; i++)
		if (kma_inputs[i].ino == st->st_ino && kma_inputs[i].dev == st->st_dev)
			return true;
	return false;
}

void kma_file_reads(const struct stat *st)
{
	unsigned int slot;

	if (!S_ISREG(st->st_mode) || kma_file_is_input(st))
		return;
	slot = __atomic_fetch_add(&kma_inputs_nr, 1, __ATOMIC_RELAXED) % KMA_FILE_INPUTS;
	kma_inputs[slot].dev = st->st_dev;
	kma_inputs[slot].ino = st->st_ino;
}

static struct kma_err *kma_file_read_all(FILE *f, const char *name, char **ret, size_t *len)
{
	_cleanup_free_ char *buf = NULL;
	size_t alloc = 0, n = 0, most = SIZE_MAX;
	struct stat st;

	/* A device such as /dev/zero has no end. */
	if (!fstat(fileno(f), &st) && !S_ISREG(st.st_mode))
		most = KMA_FILE_ENDLESS;
	for (;;) {
		size_t got;

		/* The size of files in /proc is stated as 0, so the file is read to its end. */
		if (alloc - n < 2) {
			size_t more = alloc ? alloc * 2 : 1 << 16;
			char *bigger = realloc(buf, more);

			if (!bigger)
				return &kma_enomem;
			buf = bigger;
			alloc = more;
		}
		got = fread(buf + n, 1, alloc - n - 1, f);
		n += got;
		if (n > most)
			return kma_err_create_kind(
				KMA_ERR_NOT_READABLE, name, 0,
				"the data exceed %d MiB; copy them to a regular file",
				KMA_FILE_ENDLESS >> 20);
		if (!got)
			break;
	}
	if (ferror(f))
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, name, 0, "cannot read: %s",
					   strerror(errno));
	buf[n] = '\0';
	*ret = buf;
	*len = n;
	buf = NULL;
	return NULL;
}

struct kma_err *kma_file_slurp(const char *path, char **ret, size_t *len)
{
	_cleanup_fclose_ FILE *f = NULL;

	if (!strcmp(path, "-"))
		return kma_file_read_all(stdin, "standard input", ret, len);
	f = fopen(path, "re");
	if (!f)
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, path, 0, "cannot open: %s",
					   strerror(errno));
	return kma_file_read_all(f, path, ret, len);
}

struct kma_err *kma_file_slurp_regular(const char *path, char **ret, size_t *len)
{
	_cleanup_fclose_ FILE *f = NULL;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	f = fd < 0 ? NULL : fdopen(fd, "r");
	if (!f) {
		struct kma_err *err = kma_err_create_kind(KMA_ERR_NOT_READABLE, path, 0,
							  "cannot open: %s", strerror(errno));

		if (fd >= 0)
			close(fd);
		return err;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, path, 0,
					   "cannot read: not a regular file");
	return kma_file_read_all(f, path, ret, len);
}

/* Give a file the mode that open() would have given: mkostemp() gives 0600. */
static void kma_file_set_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(fd, 0666 & ~mask))
		return; /* Some file systems have no modes. */
}

struct kma_err *kma_file_temp(const char *path, char **ret, int *fd)
{
	sigset_t all, old;
	char *name;

	if (asprintf(&name, "%s.XXXXXX", path) < 0)
		return &kma_enomem;
	/* Signals are blocked between the creation of the file and its registration. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	*fd = mkostemp(name, O_CLOEXEC);
	if (*fd >= 0)
		kma_atend_unlink(name);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (*fd < 0) {
		free(name);
		return kma_err_create(path, 0, "cannot write: %s", strerror(errno));
	}
	kma_file_set_mode(*fd);
	*ret = name;
	return NULL;
}

const char *kma_file_scratch_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

struct kma_err *kma_file_scratch(const char *name, int *fd)
{
	_cleanup_free_ char *path = NULL;

	if (asprintf(&path, "%s/kmem-account.XXXXXX", kma_file_scratch_dir()) < 0) {
		path = NULL;
		return &kma_enomem;
	}
	*fd = mkostemp(path, O_CLOEXEC);
	if (*fd < 0)
		return kma_err_create(
			name, 0,
			"cannot create a temporary file in '%s': %s; set TMPDIR to another directory",
			kma_file_scratch_dir(), strerror(errno));
	unlink(path);
	return NULL;
}

/* Path to which a symbolic link points; relative links start at the directory of the link. */
static char *kma_file_link(const char *path)
{
	const char *slash = strrchr(path, '/');
	char to[PATH_MAX], *ret;
	ssize_t len;

	len = readlink(path, to, sizeof(to));
	if (len < 0 || len == sizeof(to))
		return NULL;
	if (*to == '/' || !slash)
		return strndup(to, len);
	if (asprintf(&ret, "%.*s%.*s", (int)(slash + 1 - path), path, (int)len, to) < 0)
		return NULL;
	return ret;
}

/* The name after resolving all links, even if the file does not exist. */
static struct kma_err *kma_file_target(const char *path, char **ret)
{
	char *name = strdup(path);
	struct stat st;

	for (int links = 0; name && !lstat(name, &st) && S_ISLNK(st.st_mode); links++) {
		char *to = links < KMA_LINKS_MAX ? kma_file_link(name) : NULL;

		free(name);
		if (links >= KMA_LINKS_MAX)
			return kma_err_create(path, 0, "cannot write: %s", strerror(ELOOP));
		name = to;
	}
	*ret = name;
	return name ? NULL : &kma_enomem;
}

bool kma_file_same(const char *a, const char *b)
{
	_cleanup_free_ char *x = NULL, *y = NULL, *dir_x = NULL, *dir_y = NULL;
	const char *slash_x, *slash_y;
	struct stat st, other;
	struct kma_err *err;

	if (!strcmp(a, "-") || !strcmp(b, "-"))
		return false;
	if (!stat(a, &st))
		return S_ISREG(st.st_mode) && !stat(b, &other) && st.st_ino == other.st_ino &&
		       st.st_dev == other.st_dev;
	/* The first one does not exist: compare the directories and the names. */
	err = kma_file_target(a, &x) ?: kma_file_target(b, &y);
	if (err) {
		kma_err_destroy(err);
		return false;
	}
	slash_x = strrchr(x, '/');
	slash_y = strrchr(y, '/');
	if (strcmp(slash_x ? slash_x + 1 : x, slash_y ? slash_y + 1 : y))
		return false;
	dir_x = slash_x ? strndup(x, slash_x + 1 - x) : strdup(".");
	dir_y = slash_y ? strndup(y, slash_y + 1 - y) : strdup(".");
	return dir_x && dir_y && !stat(dir_x, &st) && !stat(dir_y, &other) &&
	       st.st_ino == other.st_ino && st.st_dev == other.st_dev;
}

/* Refuses to replace an input of the command, which could not be read again. */
static struct kma_err *kma_outfile_spares(const struct kma_outfile *out)
{
	struct stat st;

	if (stat(out->target, &st) || !kma_file_is_input(&st))
		return NULL;
	return kma_err_create_kind(
		KMA_ERR_USAGE, out->path, 0,
		"cannot write: the command also uses this file; write to another file");
}

static struct kma_err *kma_outfile_open(struct kma_outfile *out)
{
	struct kma_err *err;
	struct stat st;
	int fd;

	if (!stat(out->path, &st) && S_ISDIR(st.st_mode))
		return kma_err_create(out->path, 0, "cannot write: %s", strerror(EISDIR));
	if (!stat(out->path, &st) && !S_ISREG(st.st_mode)) {
		out->stream = fopen(out->path, "we");
		if (!out->stream)
			return kma_err_create(out->path, 0, "cannot write: %s", strerror(errno));
		out->terminal = isatty(fileno(out->stream));
		return NULL;
	}
	err = kma_file_target(out->path, &out->target);
	if (!err)
		err = kma_outfile_spares(out);
	if (!err)
		err = kma_file_temp(out->target, &out->temp, &fd);
	if (err)
		return err;
	out->stream = fdopen(fd, "w");
	if (!out->stream) {
		close(fd);
		return &kma_enomem;
	}
	return NULL;
}

struct kma_err *kma_outfile_create(const char *path, struct kma_outfile **ret)
{
	struct kma_outfile *out = calloc(1, sizeof(*out));
	struct kma_err *err;

	if (!out)
		return &kma_enomem;
	if (!path || !strcmp(path, "-")) {
		out->stream = stdout;
		out->terminal = isatty(STDOUT_FILENO);
		*ret = out;
		return NULL;
	}
	out->path = strdup(path);
	err = out->path ? kma_outfile_open(out) : &kma_enomem;
	if (err) {
		kma_outfile_destroy(out);
		return err;
	}
	*ret = out;
	return NULL;
}

void kma_outfile_destroy(struct kma_outfile *out)
{
	if (!out)
		return;
	if (out->stream && out->stream != stdout)
		fclose(out->stream);
	if (out->temp && !out->kept) {
		unlink(out->temp);
		kma_atend_keep(out->temp);
	}
	free(out->temp);
	free(out->target);
	free(out->path);
	free(out);
}

FILE *kma_outfile_stream(struct kma_outfile *out)
{
	return out->stream;
}

void kma_outfile_text(struct kma_outfile *out, const char *text, size_t len)
{
	_cleanup_strbuf_ struct kma_strbuf raw = { 0 }, shown = { 0 };

	if (!out->terminal) {
		fwrite(text, 1, len, out->stream);
		return;
	}
	/* kma_escape_screen() needs a terminator after the text. */
	kma_strbuf_add(&raw, text, len);
	kma_escape_screen(&shown, raw.str ?: "", raw.len);
	shown.failed |= raw.failed;
	if (kma_strbuf_ok(&shown))
		fwrite(shown.str ?: "", 1, shown.len, out->stream);
	else
		fputs("out of memory\n", out->stream);
}

struct kma_err *kma_outfile_commit(struct kma_outfile *out)
{
	const char *name = out->path ? out->path : "standard output";
	FILE *stream = out->stream;
	struct kma_err *err;
	int bad;

	bad = fflush(stream) || ferror(stream);
	if (stream != stdout)
		bad |= fclose(stream);
	out->stream = NULL;
	if (bad)
		return kma_err_create(name, 0, "cannot write: %s", strerror(errno));
	if (!out->temp)
		return NULL;
	/* The input may have been opened after the output. */
	err = kma_outfile_spares(out);
	if (err)
		return err;
	if (rename(out->temp, out->target))
		return kma_err_create(name, 0, "cannot write: %s", strerror(errno));
	kma_atend_keep(out->temp);
	free(out->temp);
	out->temp = NULL;
	return NULL;
}

const char *kma_outfile_keep(struct kma_outfile *out)
{
	if (out->temp && !out->kept)
		kma_atend_keep(out->temp);
	out->kept = true;
	return out->temp;
}

struct kma_err *kma_outfile_write(const char *path, const struct kma_strbuf *text)
{
	struct kma_outfile *out;
	struct kma_err *err;

	if (!kma_strbuf_ok(text))
		return &kma_enomem;
	err = kma_outfile_create(path, &out);
	if (err)
		return err;
	kma_outfile_text(out, text->str ?: "", text->len);
	err = kma_outfile_commit(out);
	kma_outfile_destroy(out);
	return err;
}

bool kma_file_is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

bool kma_file_is_regular(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}
