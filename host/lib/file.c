// SPDX-License-Identifier: GPL-2.0-only
/*
 * file.c - read and write whole files. file.h has the design.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "cleanup.h"
#include "escape.h"
#include "file.h"
#include "name.h"

/* Bytes that are read of a pipe or device; lists of symbols have less than a tenth. */
#define KMA_FILE_ENDLESS (256 << 20)

/* Time that another process has to open a pipe for writing. */
#define KMA_FILE_WRITER_S 5

/* The inputs of the command, the oldest replaced first. */
static struct {
	dev_t dev;
	ino_t ino;
} kma_inputs[KMA_FILE_INPUTS];

static unsigned int inputs_nr; /* inputs that were registered; only their last ones are kept */

struct kma_outfile {
	bool terminal;	      /* the file is a terminal: control characters are replaced */
	FILE *stream;	      /* NULL after the commit */
	char *path;	      /* as given, for messages; NULL for the standard output */
	char *kept;	      /* the temporary file that stays, see kma_outfile_keep() */
	struct kma_name name; /* unused for the standard output */
};

static bool file_is_input(const struct stat *st)
{
	for (size_t i = 0; i < KMA_FILE_INPUTS; i++)
		if (kma_inputs[i].ino == st->st_ino && kma_inputs[i].dev == st->st_dev)
			return true;
	return false;
}

void kma_file_reads(const struct stat *st)
{
	unsigned int slot;

	if (!S_ISREG(st->st_mode) || file_is_input(st))
		return;
	slot = __atomic_fetch_add(&inputs_nr, 1, __ATOMIC_RELAXED) % KMA_FILE_INPUTS;
	kma_inputs[slot].dev = st->st_dev;
	kma_inputs[slot].ino = st->st_ino;
}

static void file_close(int *fd)
{
	close(*fd);
	*fd = -1;
}

static struct kma_err *file_error(const char *path)
{
	const int why = errno;
	struct kma_err *err = kma_err_create_kind(KMA_ERR_NOT_READABLE, path, 0, "cannot open: %s",
						  strerror(why));

	errno = why;
	return err;
}

static bool file_may_open(const struct stat *st, enum kma_file_kind kind)
{
	return S_ISREG(st->st_mode) || (kind == KMA_FILE_OR_PIPE && S_ISFIFO(st->st_mode));
}

static struct kma_err *file_refuse(const char *path, const struct stat *st)
{
	const char *what = "a device, not a file";

	if (S_ISFIFO(st->st_mode))
		what = "a pipe; copy it to a regular file";
	else if (S_ISDIR(st->st_mode))
		what = "a directory, not a file";
	else if (S_ISSOCK(st->st_mode))
		what = "a socket, not a file";
	errno = EINVAL;
	return kma_err_create_kind(KMA_ERR_NOT_READABLE, path, 0, "cannot read: %s", what);
}

/* Does a pipe that can be read have a process that may write to it? Takes nothing out of it. */
static bool file_has_writer(int fd)
{
	ssize_t n;
	int to[2];

	if (pipe2(to, O_CLOEXEC))
		return true; /* The read will wait. */
	n = tee(fd, to[1], 1, SPLICE_F_NONBLOCK);
	close(to[0]);
	close(to[1]);
	return n;
}

/* A pipe that was opened without waiting reads as empty until a process has opened its other end. */
static bool file_wait_for_writer(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	return poll(&pfd, 1, KMA_FILE_WRITER_S * 1000) || file_has_writer(fd);
}

struct kma_err *kma_file_open(int dir, const char *path, enum kma_file_kind kind, int *fd,
			      struct stat *ret)
{
	struct stat st;

	*fd = -1;
	/* To open a pipe or a device, even for a moment, may have an effect on it. */
	if (fstatat(dir, path, &st, 0))
		return file_error(path);
	if (!file_may_open(&st, kind))
		return file_refuse(path, &st);
	*fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (*fd < 0)
		return file_error(path);
	/* The name may be another file's by now. */
	if (fstat(*fd, &st) || !file_may_open(&st, kind)) {
		file_close(fd);
		return file_refuse(path, &st);
	}
	if (S_ISFIFO(st.st_mode) && !file_wait_for_writer(*fd)) {
		file_close(fd);
		return kma_err_create_kind(
			KMA_ERR_NOT_READABLE, path, 0,
			"cannot read: no process has opened this pipe for writing within %d s",
			KMA_FILE_WRITER_S);
	}
	fcntl(*fd, F_SETFL, 0);
	if (ret)
		*ret = st;
	return NULL;
}

struct kma_err *kma_file_stream(const char *path, enum kma_file_kind kind, FILE **ret)
{
	struct kma_err *err;
	int fd;

	*ret = NULL;
	err = kma_file_open(AT_FDCWD, path, kind, &fd, NULL);
	if (err)
		return err;
	*ret = kma_xmem(fdopen(fd, "r"));
	return NULL;
}

static struct kma_err *file_read_all(FILE *f, const char *name, char **ret, size_t *len)
{
	_cleanup_free_ char *buf = NULL;
	size_t alloc = 0, n = 0, most = SIZE_MAX;
	struct stat st;

	/* A pipe may have no end, and the standard input may be /dev/zero. */
	if (!fstat(fileno(f), &st) && !S_ISREG(st.st_mode))
		most = KMA_FILE_ENDLESS;
	for (;;) {
		size_t got;

		/* The size of files in /proc is stated as 0, so the file is read to its end. */
		if (alloc - n < 2) {
			size_t more = alloc ? alloc * 2 : 1 << 16;
			char *bigger = kma_xrealloc(buf, more, 1);

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
	struct kma_err *err;

	if (!strcmp(path, "-"))
		return file_read_all(stdin, "standard input", ret, len);
	err = kma_file_stream(path, KMA_FILE_OR_PIPE, &f);
	return err ?: file_read_all(f, path, ret, len);
}

struct kma_err *kma_file_slurp_regular(const char *path, char **ret, size_t *len)
{
	_cleanup_fclose_ FILE *f = NULL;
	struct kma_err *err = kma_file_stream(path, KMA_FILE_REGULAR, &f);

	return err ?: file_read_all(f, path, ret, len);
}

const char *kma_file_scratch_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

struct kma_err *kma_file_scratch(const char *name, int *fd)
{
	_cleanup_free_ char *path = NULL;

	path = kma_xasprintf("%s/kmem-account.XXXXXX", kma_file_scratch_dir());
	*fd = mkostemp(path, O_CLOEXEC);
	if (*fd < 0)
		return kma_err_create(
			name, 0,
			"cannot create a temporary file in '%s': %s; set TMPDIR to another directory",
			kma_file_scratch_dir(), strerror(errno));
	unlink(path);
	return NULL;
}

/* The directory of a name, and the name in it. */
static const char *file_split(const char *path, struct stat *dir)
{
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *name = slash ? kma_xstrndup(path, slash + 1 - path) : kma_xstrdup(".");

	if (!name || stat(name, dir))
		return NULL;
	return slash ? slash + 1 : path;
}

bool kma_file_same(const char *a, const char *b)
{
	const char *name_a, *name_b;
	struct stat st, other;

	if (!strcmp(a, "-") || !strcmp(b, "-"))
		return false;
	if (!stat(a, &st))
		return S_ISREG(st.st_mode) && !stat(b, &other) && st.st_ino == other.st_ino &&
		       st.st_dev == other.st_dev;
	/* The first one does not exist: compare the directories and the names. */
	name_a = file_split(a, &st);
	name_b = file_split(b, &other);
	return name_a && name_b && !strcmp(name_a, name_b) && st.st_ino == other.st_ino &&
	       st.st_dev == other.st_dev;
}

/* Refuses to replace an input of the command, which could not be read again. */
static struct kma_err *outfile_spares(const struct kma_outfile *out)
{
	struct stat st;

	if (out->name.dir >= 0 ? fstatat(out->name.dir, out->name.base, &st, AT_SYMLINK_NOFOLLOW) :
				 fstat(out->name.file, &st))
		return NULL;
	if (!file_is_input(&st))
		return NULL;
	return kma_err_create_kind(
		KMA_ERR_USAGE, out->path, 0,
		"cannot write: the command also uses this file; write to another file");
}

static struct kma_err *outfile_open(struct kma_outfile *out, enum kma_outfile_access access)
{
	struct kma_err *err = kma_name_open(out->path, &out->name);
	int fd;

	if (err)
		return err;
	err = outfile_spares(out);
	if (err)
		return err;
	err = out->name.dir < 0 ? kma_name_in_place(&out->name, &fd) :
				  kma_name_temp(&out->name, access == KMA_OUTFILE_PRIVATE, &fd);
	if (err)
		return err;
	out->stream = kma_xmem(fdopen(fd, "w"));
	out->terminal = isatty(fd);
	return NULL;
}

struct kma_err *kma_outfile_create(const char *path, enum kma_outfile_access access,
				   struct kma_outfile **ret)
{
	struct kma_outfile *out = kma_xcalloc(1, sizeof(*out));
	struct kma_err *err;

	if (!path || !strcmp(path, "-")) {
		out->stream = stdout;
		out->terminal = isatty(STDOUT_FILENO);
		*ret = out;
		return NULL;
	}
	out->path = kma_xstrdup(path);
	err = outfile_open(out, access);
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
	kma_name_close(&out->name);
	free(out->kept);
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
	fwrite(shown.str ?: "", 1, shown.len, out->stream);
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
	if (!out->name.temp)
		return NULL;
	/* The input may have been opened after the output. */
	err = outfile_spares(out);
	return err ?: kma_name_commit(&out->name, NULL);
}

const char *kma_outfile_keep(struct kma_outfile *out)
{
	if (out->name.temp && !out->kept)
		out->kept = kma_name_keep(&out->name);
	return out->kept;
}

int kma_outfile_dir(const struct kma_outfile *out)
{
	return out->name.path ? out->name.dir : -1;
}

struct kma_err *kma_outfile_write_as(const char *path, enum kma_outfile_access access,
				     const struct kma_strbuf *text)
{
	struct kma_outfile *out;
	struct kma_err *err;

	err = kma_outfile_create(path, access, &out);
	if (err)
		return err;
	kma_outfile_text(out, text->str ?: "", text->len);
	err = kma_outfile_commit(out);
	kma_outfile_destroy(out);
	return err;
}

struct kma_err *kma_outfile_write(const char *path, const struct kma_strbuf *text)
{
	return kma_outfile_write_as(path, KMA_OUTFILE_USUAL, text);
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

bool kma_file_pread(int fd, void *buf, size_t len, uint64_t off)
{
	char *to = buf;

	while (len) {
		ssize_t got;

		if (off > INT64_MAX)
			return false;
		got = pread(fd, to, len, off);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		off += got;
		len -= got;
	}
	return true;
}
