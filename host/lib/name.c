// SPDX-License-Identifier: GPL-2.0-only
/*
 * name.c - the name of an output file. name.h has the design.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "alloc.h"
#include "atend.h"
#include "name.h"

/* Names that are tried for a temporary file. */
#define KMA_NAME_TRIES 100

static struct kma_err *name_failed(const struct kma_name *name, int code)
{
	return kma_err_create(name->path, 0, "cannot write: %s", strerror(code));
}

static bool name_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Bytes of a path before the last component, with the slash. */
static int name_dir_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 - path : 0;
}

/* Open the directory of @path, which is @len bytes long, and store the last component. */
static struct kma_err *name_open_dir(struct kma_name *name, const char *path)
{
	int len = name_dir_len(path);
	char *dir = len ? kma_xstrndup(path, len) : kma_xstrdup(".");

	free(name->base);
	if (name->dir >= 0)
		close(name->dir);
	name->dir = -1;
	name->base = kma_xstrdup(path + len);
	name->dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(dir);
	return name->dir < 0 ? name_failed(name, errno) : NULL;
}

/* Is the file that was opened the one that has the name in the directory? */
static bool name_is_there(const struct kma_name *name)
{
	struct stat st;

	return !fstatat(name->dir, name->base, &st, AT_SYMLINK_NOFOLLOW) &&
	       name_is_same(&st, &name->st);
}

/*
 * Was the file reached by a link of /proc to an open file? Kernels before 5.6 do not tell. The
 * file is then taken for one with a usual name.
 */
static bool name_is_magic(const struct kma_name *name)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS };
	int fd = syscall(SYS_openat2, AT_FDCWD, name->path, &how, sizeof(how));

	if (fd >= 0)
		close(fd);
	return fd < 0 && errno == ELOOP;
}

/* The path of an open file, by /proc. */
static char *name_path_of(int fd)
{
	char link[32], path[PATH_MAX];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path));
	return len > 0 && len < (ssize_t)sizeof(path) && *path == '/' ? kma_xstrndup(path, len) :
									NULL;
}

static bool name_is_sticky(const struct kma_name *name, struct stat *dir)
{
	return !fstat(name->dir, dir) && (dir->st_mode & S_ISVTX);
}

/* Anybody can create a file in a sticky directory and wait for another user to write to it. */
static struct kma_err *name_check_owner(const struct kma_name *name, const struct stat *st)
{
	struct stat dir;

	if (!name_is_sticky(name, &dir) || st->st_uid == geteuid())
		return NULL;
	/* The owner of the directory can replace each file in it anyway. */
	if (!S_ISREG(st->st_mode) && (S_ISCHR(st->st_mode) || st->st_uid == dir.st_uid))
		return NULL;
	return kma_err_create(
		name->path, 0,
		"cannot write: the file belongs to another user, and its directory is sticky; use another name");
}

/* The directory of a file that a link points to, by the path that the kernel has for the file. */
static struct kma_err *name_follow(struct kma_name *name)
{
	char *real = name_path_of(name->file);
	struct kma_err *err = real ? name_open_dir(name, real) : name_failed(name, ENOENT);

	free(real);
	if (err)
		return err;
	return name_is_there(name) ?
		       NULL :
		       kma_err_create(
			       name->path, 0,
			       "cannot write: cannot find the directory of the link's target");
}

/* The file does not exist. A link to nothing is refused: its target may be of another's choice. */
static struct kma_err *name_open_new(struct kma_name *name)
{
	struct kma_err *err = name_open_dir(name, name->path);
	struct stat st;

	if (err)
		return err;
	if (!*name->base)
		return name_failed(name, *name->path ? EISDIR : ENOENT);
	if (fstatat(name->dir, name->base, &st, AT_SYMLINK_NOFOLLOW))
		return NULL;
	return kma_err_create(name->path, 0, "cannot write: a symbolic link to a missing file");
}

/* The file exists: set the directory, or -1 if the file is written in place. */
static struct kma_err *name_open_old(struct kma_name *name)
{
	struct kma_err *err = name_open_dir(name, name->path);

	if (err)
		return err;
	name->linked = !name_is_there(name);
	if (!name->linked) {
		err = name_check_owner(name, &name->st);
		if (err || S_ISREG(name->st.st_mode))
			return err;
	} else if (S_ISREG(name->st.st_mode) && !name_is_magic(name)) {
		err = name_follow(name);
		return err ?: name_check_owner(name, &name->st);
	}
	close(name->dir);
	name->dir = -1;
	return NULL;
}

struct kma_err *kma_name_open(const char *path, struct kma_name *name)
{
	*name = (struct kma_name){ .path = path, .dir = -1 };
	name->file = open(path, O_PATH | O_CLOEXEC);
	if (name->file < 0)
		return errno == ENOENT ? name_open_new(name) : name_failed(name, errno);
	if (fstat(name->file, &name->st))
		return name_failed(name, errno);
	if (S_ISDIR(name->st.st_mode))
		return name_failed(name, EISDIR);
	return name_open_old(name);
}

struct kma_err *kma_name_in_place(const struct kma_name *name, int *fd)
{
	int append = S_ISREG(name->st.st_mode) ? O_APPEND : 0;
	struct stat st;

	for (int own = STDOUT_FILENO; own <= STDERR_FILENO; own++) {
		if (fstat(own, &st) || !name_is_same(&st, &name->st))
			continue;
		*fd = fcntl(own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		return *fd < 0 ? name_failed(name, errno) : NULL;
	}
	*fd = open(name->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | append);
	if (*fd < 0)
		return name_failed(name, errno);
	if (!fstat(*fd, &st) && name_is_same(&st, &name->st))
		return NULL;
	close(*fd);
	return kma_err_create(name->path, 0, "cannot write: the file was replaced meanwhile");
}

static bool name_is_own(const struct kma_name *name)
{
	return name->file >= 0 && name->st.st_uid == geteuid();
}

/* Replace the rights of the group by those of all others. */
static mode_t name_no_group(mode_t mode)
{
	return (mode & ~070) | (mode & 07) << 3;
}

struct kma_err *kma_name_private(const struct kma_name *name)
{
	char path[32];

	if (!(name->st.st_mode & 0077))
		return NULL;
	/* fchmod() takes no descriptor of O_PATH */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", name->file);
	return chmod(path, name->st.st_mode & 0700) ?
		       kma_err_create(
			       name->path, 0,
			       "cannot take the access of other users from this file, as it gets addresses of the kernel: %s",
			       strerror(errno)) :
		       NULL;
}

/*
 * The mode to create the temporary file with; the kernel applies umask. It is never wider than the
 * final mode, because a descriptor that somebody gets now stays valid.
 */
static mode_t name_first_mode(const struct kma_name *name, bool private)
{
	if (private || name_is_own(name))
		return 0600;
	return name->file >= 0 ? name_no_group(name->st.st_mode & 0666) : 0666;
}

/* Give the temporary file the mode and the group of the caller's own file. */
static void name_set_mode(const struct kma_name *name, int fd, bool private)
{
	mode_t mode = name->st.st_mode & (private ? 0600 : 0777);
	struct stat st;

	if (fstat(fd, &st))
		return;
	if (name->st.st_gid != st.st_gid && fchown(fd, -1, name->st.st_gid))
		mode = name_no_group(mode);
	if (fchmod(fd, mode))
		return; /* Some file systems have no modes. */
}

/* Replace the last six letters of the name by random ones. */
static void name_draw(char *temp)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	char *at = temp + strlen(temp) - 6;
	uint8_t bytes[6];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		memset(bytes, 0, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		at[i] = letters[bytes[i] % (sizeof(letters) - 1)];
}

struct kma_err *kma_name_temp(struct kma_name *name, bool private, int *fd)
{
	mode_t mode = name_first_mode(name, private);
	sigset_t all, old;
	int code = 0;

	name->temp = kma_xasprintf("%s.XXXXXX", name->base);
	/* Signals are blocked between the creation of the file and its registration. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	for (int i = 0; i < KMA_NAME_TRIES; i++) {
		name_draw(name->temp);
		*fd = openat(name->dir, name->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		code = errno;
		if (*fd >= 0 || code != EEXIST)
			break;
	}
	if (*fd >= 0)
		kma_atend_unlink(name->dir, name->temp);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (*fd < 0) {
		free(name->temp);
		name->temp = NULL;
		return name_failed(name, code);
	}
	if (name_is_own(name))
		name_set_mode(name, *fd, private);
	return NULL;
}

/* Forget the temporary file, which has its name now or is removed. */
static void name_forget(struct kma_name *name)
{
	kma_atend_keep(name->dir, name->temp);
	free(name->temp);
	name->temp = NULL;
}

struct kma_err *kma_name_commit(struct kma_name *name, bool *there)
{
	struct kma_err *err = NULL;
	struct stat st;

	/* A file that was created meanwhile. */
	if (!fstatat(name->dir, name->base, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode))
		err = name_check_owner(name, &st);
	if (err)
		return err;
	if (there) {
		*there = false;
		if (!renameat2(name->dir, name->temp, name->dir, name->base, RENAME_NOREPLACE)) {
			name_forget(name);
			return NULL;
		}
		*there = errno == EEXIST;
		if (*there)
			return NULL;
		/* A file system that cannot rename without replacing reports EINVAL. */
		if (errno != EINVAL)
			return name_failed(name, errno);
	}
	if (renameat(name->dir, name->temp, name->dir, name->base))
		return name_failed(name, errno);
	name_forget(name);
	return NULL;
}

/* The path of a file in the directory, without symbolic links. */
static char *name_path_in(const struct kma_name *name, const char *base)
{
	char *dir = name_path_of(name->dir), *ret;

	if (!dir || asprintf(&ret, "%s/%s", strcmp(dir, "/") ? dir : "", base) < 0)
		ret = NULL;
	free(dir);
	return ret;
}

char *kma_name_keep(struct kma_name *name)
{
	char *ret;

	if (name->linked)
		ret = name_path_in(name, name->temp);
	else if (asprintf(&ret, "%.*s%s", name_dir_len(name->path), name->path, name->temp) < 0)
		ret = NULL;
	name_forget(name);
	return ret;
}

char *kma_name_real(const struct kma_name *name)
{
	return name_path_in(name, name->base);
}

struct kma_err *kma_name_beside(const struct kma_name *name, const char *suffix)
{
	_cleanup_free_ char *base = NULL;
	struct stat st, dir;

	base = kma_xasprintf("%s%s", name->base, suffix);
	if (fstatat(name->dir, base, &st, AT_SYMLINK_NOFOLLOW) || st.st_uid == geteuid() ||
	    !name_is_sticky(name, &dir))
		return NULL;
	return kma_err_create(name->path, 0,
			      "'%s' beside it belongs to another user, and the directory is sticky",
			      base);
}

void kma_name_close(struct kma_name *name)
{
	if (!name->path)
		return;
	if (name->temp) {
		unlinkat(name->dir, name->temp, 0);
		name_forget(name);
	}
	if (name->dir >= 0)
		close(name->dir);
	if (name->file >= 0)
		close(name->file);
	free(name->base);
	*name = (struct kma_name){ 0 };
}
