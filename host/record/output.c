// SPDX-License-Identifier: GPL-2.0-only
/*
 * output.c - the output of a log.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/file.h"
#include "output.h"
#include "pack.h"

#define KMA_OUTPUT_RESCUE_S 10 /* seconds that the end without memory waits for another lane */
#define KMA_OUTPUT_PIPE	    (1U << 20) /* bytes of a pipe; the limit for unprivileged users */
#define KMA_OUTPUT_FRAME    (1U << 20) /* bytes of a frame before compression */
#define KMA_OUTPUT_PARTS    1024       /* parts of one writev(2), IOV_MAX of Linux */

struct kma_output {
	pthread_mutex_t lock;
	char *name;
	struct kma_outfile *file;
	int fd;
	int dir; /* directory of a regular file, for fsync(2); otherwise -1 */
	bool regular;
	off_t begin;	  /* offset of the first byte of the output in a regular file */
	uint64_t bytes;	  /* bytes that were written completely */
	int failed;	  /* errno of the first failed write; 0: none failed */
	bool zstd;	  /* the output is compressed */
	const char *kept; /* name of the temporary file if it could not be renamed, owned by @file */
};

struct kma_lane {
	struct kma_output *out;
	struct kma_pack *pack;	     /* NULL: not compressed */
	char *frame;		     /* bytes of the frame that is not complete */
	size_t in_frame, frame_room; /* bytes in @frame; allocated bytes */
	size_t limit;		     /* the frame ends when it has this many bytes */
	bool hurry;		     /* frames are stored without compression */
};

/* Sync the directory. File systems that do not support this are ignored. */
static void output_sync_dir(const struct kma_output *out)
{
	if (out->dir >= 0 && fsync(out->dir))
		return;
}

/* Sync the directory, so that a reset of the machine does not lose the name of the file. */
static void output_open_dir(struct kma_output *out)
{
	int dir = kma_outfile_dir(out->file);
	struct stat st;

	out->regular = !fstat(out->fd, &st) && S_ISREG(st.st_mode);
	if (!out->regular)
		return;
	/* The output may be added to a file, such as the standard output of "record -o - >>FILE". */
	if (dir < 0)
		out->begin = fcntl(out->fd, F_GETFL) & O_APPEND ? st.st_size :
								  lseek(out->fd, 0, SEEK_CUR);
	else
		out->dir = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	output_sync_dir(out);
}

struct kma_err *kma_output_open(const char *path, bool zstd, struct kma_output **ret)
{
	struct kma_outfile *file;
	struct kma_output *out;
	struct kma_err *err;

	if (zstd && !kma_pack_available())
		return kma_err_create(NULL, 0, "--zstd: this program was built without zstd");
	err = kma_outfile_create(path, KMA_OUTFILE_PRIVATE, &file);
	if (err)
		return err;
	out = kma_xcalloc(1, sizeof(*out));
	pthread_mutex_init(&out->lock, NULL);
	out->name = kma_xstrdup(strcmp(path, "-") ? path : "standard output");
	out->file = file;
	out->zstd = zstd;
	out->dir = -1;
	out->fd = fileno(kma_outfile_stream(out->file));
	/*
	 * A pipe of 64 KiB would make the writer wait after each 64 KiB. Other files refuse this.
	 */
	fcntl(out->fd, F_SETPIPE_SZ, KMA_OUTPUT_PIPE);
	output_open_dir(out);
	*ret = out;
	return NULL;
}

void kma_output_destroy(struct kma_output *out)
{
	if (!out)
		return;
	kma_outfile_destroy(out->file);
	if (out->dir >= 0)
		close(out->dir);
	free(out->name);
	pthread_mutex_destroy(&out->lock);
	free(out);
}

/* Skip the first @done bytes of the parts. */
static struct iovec *output_skip(struct iovec *part, size_t *nr, size_t done)
{
	for (; *nr && done >= part->iov_len; part++, (*nr)--)
		done -= part->iov_len;
	if (*nr)
		*part = (struct iovec){ (char *)part->iov_base + done, part->iov_len - done };
	return part;
}

/* Write all parts. If that fails and the output is a file, remove the bytes of this call. Needs no memory. */
static void output_put(struct kma_output *out, struct iovec *part, size_t nr)
{
	uint64_t len = 0;
	struct stat st;
	ssize_t n;

	for (size_t i = 0; i < nr; i++)
		len += part[i].iov_len;
	for (part = output_skip(part, &nr, 0); !out->failed && nr;
	     part = output_skip(part, &nr, n > 0 ? n : 0)) {
		n = writev(out->fd, part, nr < KMA_OUTPUT_PARTS ? nr : KMA_OUTPUT_PARTS);
		if (n > 0 || (n < 0 && errno == EINTR))
			continue;
		out->failed = n ? errno : ENOSPC;
		if (!fstat(out->fd, &st) && S_ISREG(st.st_mode) &&
		    ftruncate(out->fd, out->begin + out->bytes))
			out->failed = errno;
	}
	if (!out->failed)
		out->bytes += len;
}

static struct kma_err *output_put_locked(struct kma_output *out, struct iovec *parts, size_t nr)
{
	int failed;

	pthread_mutex_lock(&out->lock);
	output_put(out, parts, nr);
	/* All lanes report the same error, so the first one is stored. */
	failed = out->failed;
	pthread_mutex_unlock(&out->lock);
	/* Not under the lock: without memory, kma_output_rescue() takes it. */
	return failed ? kma_err_create(out->name, 0, "cannot write: %s", strerror(failed)) : NULL;
}

struct kma_err *kma_output_sync(struct kma_output *out)
{
	int failed;

	if (!out->regular || !fdatasync(out->fd))
		return NULL;
	failed = errno;
	pthread_mutex_lock(&out->lock);
	out->failed = out->failed ?: failed;
	pthread_mutex_unlock(&out->lock);
	return kma_err_create(out->name, 0, "cannot write: %s", strerror(failed));
}

struct kma_err *kma_output_say_kept(const struct kma_output *out, struct kma_err *err)
{
	struct kma_err *ret;

	if (!out->kept || !err)
		return err;
	ret = kma_err_create_kind(err->kind, err->file, err->line,
				  "%s; the recorded data are in %s", err->message, out->kept);
	kma_err_destroy(err);
	return ret;
}

struct kma_err *kma_output_commit(struct kma_output *out)
{
	struct kma_err *err, *second;

	if (out->failed && !out->bytes)
		return NULL;
	err = kma_output_sync(out);
	second = kma_outfile_commit(out->file);
	/* The file cannot get its name. What was recorded exists nowhere else. */
	if (second)
		out->kept = kma_outfile_keep(out->file);
	output_sync_dir(out);
	if (err)
		kma_err_destroy(second);
	return err ?: second;
}

void kma_output_rescue(struct kma_output *out)
{
	struct timespec until;

	/*
	 * Another lane may be writing, for ever if nobody reads the pipe. The lock is kept: no lane may
	 * write to another file that gets this descriptor.
	 */
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += KMA_OUTPUT_RESCUE_S;
	if (!pthread_mutex_timedlock(&out->lock, &until) && out->bytes &&
	    kma_outfile_stream(out->file))
		kma_err_destroy(kma_outfile_commit(out->file));
}

uint64_t kma_output_bytes(struct kma_output *out)
{
	uint64_t bytes;

	pthread_mutex_lock(&out->lock);
	bytes = out->bytes;
	pthread_mutex_unlock(&out->lock);
	return bytes;
}

struct kma_lane *kma_lane_create(struct kma_output *out)
{
	struct kma_lane *lane = kma_xcalloc(1, sizeof(*lane));

	lane->out = out;
	lane->limit = KMA_OUTPUT_FRAME;
	if (out->zstd)
		lane->pack = kma_pack_create();
	return lane;
}

void kma_lane_destroy(struct kma_lane *lane)
{
	if (!lane)
		return;
	kma_pack_destroy(lane->pack);
	free(lane->frame);
	free(lane);
}

void kma_lane_limit(struct kma_lane *lane, size_t len)
{
	lane->limit = len;
}

void kma_lane_hurry(struct kma_lane *lane, bool hurry)
{
	lane->hurry = hurry;
}

struct kma_err *kma_lane_end(struct kma_lane *lane)
{
	struct iovec whole = { lane->frame, lane->in_frame }, *parts = &whole;
	struct kma_err *err = NULL;
	const void *packed;
	size_t nr = 1;

	if (!lane->in_frame)
		return NULL;
	if (lane->pack && lane->hurry) {
		kma_pack_store(lane->pack, lane->frame, lane->in_frame, &parts, &nr);
	} else if (lane->pack) {
		err = kma_pack_frame(lane->pack, lane->frame, lane->in_frame, &packed,
				     &whole.iov_len);
		whole.iov_base = (void *)packed;
	}
	lane->in_frame = 0;
	return err ? err : output_put_locked(lane->out, parts, nr);
}

char *kma_lane_room(struct kma_lane *lane, size_t len)
{
	size_t most = lane->limit + len;

	if (lane->frame_room < lane->in_frame + len) {
		most = most < lane->in_frame + len ? lane->in_frame + len : most;
		lane->frame = kma_xrealloc(lane->frame, most, 1);
		lane->frame_room = most;
	}
	return lane->frame + lane->in_frame;
}

struct kma_err *kma_lane_add(struct kma_lane *lane, size_t len)
{
	lane->in_frame += len;
	return lane->pack && lane->in_frame < lane->limit ? NULL : kma_lane_end(lane);
}

struct kma_err *kma_lane_write(struct kma_lane *lane, const void *bytes, size_t len)
{
	struct iovec whole = { (void *)bytes, len };

	if (!lane->pack)
		return output_put_locked(lane->out, &whole, 1);
	memcpy(kma_lane_room(lane, len), bytes, len);
	return kma_lane_add(lane, len);
}
