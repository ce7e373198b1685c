// SPDX-License-Identifier: GPL-2.0-only
/*
 * input.c - the source of a reader's bytes.
 *
 * A plain file is mapped, and a block is a piece of the map. Pieces that were read are released, so
 * that a large file does not appear as memory of the program. All other inputs (pipes, /proc,
 * compressed files) go through a buffer: read(2), then decompression if needed. The bytes after the
 * last line's end move to the front before the next block.
 *
 * If another program truncates a mapped file, the kernel sends SIGBUS. The size is checked before
 * each block. For the time in between, the handler of the signal knows the file by lib/atend.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"
#include "lib/alloc.h"
#include "lib/atend.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/unpack.h"

#define KMA_HEAD_LEN  (64U << 10)  /* bytes by which readers recognise an input */
#define KMA_MAP_BLOCK (4U << 20)   /* largest block of a mapped file, in bytes */
#define KMA_RAW_LEN   (256U << 10) /* bytes of the buffer for compressed bytes */
#define KMA_WAIT_MS   500	   /* after which a waiting thread checks for kma_input_stop() */

struct kma_input {
	char *name;
	const char *path;    /* result of kma_input_path(); NULL: it was not called */
	char fd_path[32];    /* buffer for @path */
	int fd, temp_fd;     /* the input; the file of kma_input_path(); -1: none */
	uint64_t size, done; /* bytes of the file, and consumed bytes of it; for the progress */
	void (*watch)(const struct kma_input *input, void *arg);
	void *watch_arg;
	struct kma_interval interval;
	bool (*filter)(void *arg, unsigned int line, char *text);
	void *filter_arg;
	struct kma_reports *reports; /* see kma_input_set_reports() */
	unsigned int unended;	     /* number of a last line without line end */
	bool name_may_be_cut;	     /* at the end of that line */
	uint64_t page_size;	     /* see kma_input_set_page_size() */
	bool tasks;		     /* the tasks of a log are distinguished */
	bool cgroups;		     /* the cgroups of an event log are distinguished */

	/* A mapped file, or bytes in memory: */
	const char *map;	    /* NULL: the input is read through the buffer */
	size_t map_len, pos, block; /* its bytes; start of the next block; largest block */
	bool unmap;		    /* it is a mapped file */

	/* All other inputs: */
	struct kma_unpack *unpack; /* NULL: the input is not compressed */
	char *raw;		   /* compressed bytes; also the first bytes of any input */
	size_t raw_start, raw_end; /* bytes of @raw that were read and not yet decompressed */
	char *buf;		   /* content: KMA_BUF_LEN bytes */
	size_t start, end;	   /* bytes of @buf that were not yet consumed */
	bool raw_eof, eof;	   /* the end of the file, and of the content, was reached */
	struct kma_err *cut;	   /* the compressed file is truncated; NULL: it is not, so far */
	bool cut_allowed;	   /* see kma_input_allow_truncated() */
};

#define KMA_BUF_LEN ((size_t)KMA_INPUT_LINE_MAX + KMA_HEAD_LEN)

static atomic_bool stopped;

void kma_input_stop(void)
{
	/* Relaxed, because no other data depend on it. */
	atomic_store_explicit(&stopped, true, memory_order_relaxed);
}

bool kma_input_stopped(void)
{
	return atomic_load_explicit(&stopped, memory_order_relaxed);
}

void kma_input_set_interval(struct kma_input *input, const struct kma_interval *interval)
{
	input->interval = *interval;
}

void kma_input_set_tasks(struct kma_input *input, bool tasks)
{
	input->tasks = tasks;
}

void kma_input_set_cgroups(struct kma_input *input, bool cgroups)
{
	input->cgroups = cgroups;
}

void kma_input_set_filter(struct kma_input *input,
			  bool (*fn)(void *arg, unsigned int line, char *text), void *arg)
{
	input->filter = fn;
	input->filter_arg = arg;
}

void kma_input_set_reports(struct kma_input *input, struct kma_reports *reports)
{
	input->reports = reports;
}

struct kma_reports *kma_input_reports(const struct kma_input *input)
{
	return input->reports;
}

void kma_input_set_page_size(struct kma_input *input, uint64_t bytes)
{
	input->page_size = bytes;
}

uint64_t kma_input_page_size(const struct kma_input *input)
{
	return input->page_size;
}

void kma_input_set_unended(struct kma_input *input, unsigned int line, bool name)
{
	input->unended = line;
	input->name_may_be_cut = name;
}

unsigned int kma_input_unended(const struct kma_input *input, bool *name)
{
	*name = input->name_may_be_cut;
	return input->unended;
}

bool kma_input_filter(const struct kma_input *input, unsigned int line, char *text)
{
	return !input->filter || input->filter(input->filter_arg, line, text);
}

bool kma_input_cgroups(const struct kma_input *input)
{
	return input->cgroups;
}

bool kma_input_tasks(const struct kma_input *input)
{
	return input->tasks;
}

const struct kma_interval *kma_input_interval(const struct kma_input *input)
{
	return &input->interval;
}

static struct kma_err *input_error(const struct kma_input *input, const char *what)
{
	return kma_err_create_kind(KMA_ERR_NOT_READABLE, input->name, 0, "cannot %s: %s", what,
				   strerror(errno));
}

/*
 * Wait for bytes or for a stop. The wait has a time limit, because kma_input_stop() may be called
 * between the check and poll(2).
 */
static struct kma_err *input_wait(struct kma_input *input)
{
	struct pollfd p = { .fd = input->fd, .events = POLLIN };
	int ret;

	while (!kma_input_stopped()) {
		ret = poll(&p, 1, KMA_WAIT_MS);
		if (ret > 0)
			return NULL;
		if (ret < 0 && errno != EINTR)
			return input_error(input, "read");
		if (input->watch)
			input->watch(input, input->watch_arg);
	}
	return NULL;
}

/* Read the available bytes; *got is 0 at the end of the file, and after a stop. */
static struct kma_err *input_read(struct kma_input *input, char *to, size_t room, size_t *got)
{
	struct kma_err *err;
	ssize_t n;

	*got = 0;
	do {
		err = input_wait(input);
		if (err || kma_input_stopped())
			return err;
		n = read(input->fd, to, room);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	if (n < 0)
		return input_error(input, "read");
	*got = n;
	input->done += n;
	return NULL;
}

/* Read more compressed bytes, or set raw_eof. */
static struct kma_err *input_fill_raw(struct kma_input *input)
{
	struct kma_err *err;
	size_t got;

	memmove(input->raw, input->raw + input->raw_start, input->raw_end - input->raw_start);
	input->raw_end -= input->raw_start;
	input->raw_start = 0;
	err = input_read(input, input->raw + input->raw_end, KMA_RAW_LEN - input->raw_end, &got);
	input->raw_end += got;
	input->raw_eof = !got;
	return err;
}

/*
 * Decompress until the buffer has more bytes, or set eof. The content of a truncated file ends
 * where its data end: input_buf_block() returns the error, unless a reader allows the end.
 */
static struct kma_err *input_fill_unpacked(struct kma_input *input)
{
	struct kma_unpack_io io = { .out = input->buf + input->end,
				    .out_len = KMA_BUF_LEN - input->end };
	struct kma_err *err;
	size_t was;

	kma_unpack_limit(input->unpack, input->size);
	do {
		if (input->raw_start == input->raw_end && !input->raw_eof) {
			err = input_fill_raw(input);
			if (err)
				return err;
		}
		/* An end that a stop causes is not the end of the compressed data. */
		if (kma_input_stopped()) {
			input->eof = true;
			return NULL;
		}
		io.in = input->raw + input->raw_start;
		io.in_len = was = input->raw_end - input->raw_start;
		io.in_last = input->raw_eof;
		err = kma_unpack_step(input->unpack, &io);
		if (err && io.truncated) {
			input->cut = err;
			input->eof = true;
			return NULL;
		}
		if (err)
			return err;
		input->raw_start = input->raw_end - io.in_len;
		if (io.out > input->buf + input->end)
			break;
		/* The decompressor needs more bytes than the buffer has: read more. */
		if (io.in_len == was && was && !input->raw_eof) {
			err = input_fill_raw(input);
			if (err)
				return err;
		}
		input->eof = input->raw_eof && io.in_len == was;
	} while (!input->eof);
	input->end = io.out - input->buf;
	return NULL;
}

/* Read more bytes into the buffer, which has free space; or set eof. */
static struct kma_err *input_fill(struct kma_input *input)
{
	struct kma_err *err;
	size_t got;

	if (input->unpack)
		return input_fill_unpacked(input);
	err = input_read(input, input->buf + input->end, KMA_BUF_LEN - input->end, &got);
	input->end += got;
	input->eof = !got;
	return err;
}

/*
 * Map a regular file that is not empty, from its current position. False if the input cannot be
 * mapped and has to be read: a pipe, or a file of /proc, whose size is 0.
 */
static bool input_map(struct kma_input *input, const struct stat *st)
{
	off_t pos = lseek(input->fd, 0, SEEK_CUR);
	void *map;

	if (!S_ISREG(st->st_mode) || pos < 0 || pos >= st->st_size)
		return false;
	map = mmap(NULL, st->st_size, PROT_READ, MAP_PRIVATE, input->fd, 0);
	if (map == MAP_FAILED)
		return false;
	madvise(map, st->st_size, MADV_SEQUENTIAL);
	kma_atend_map(map, st->st_size, input->name);
	input->map = map;
	input->map_len = st->st_size;
	input->pos = pos;
	input->block = KMA_MAP_BLOCK;
	input->unmap = true;
	return true;
}

static void input_unmap(struct kma_input *input)
{
	if (input->unmap) {
		kma_atend_unmap(input->map);
		munmap((void *)input->map, input->map_len);
	}
	input->map = NULL;
	input->unmap = false;
}

/*
 * Read enough bytes to recognise a compressed input. If it is not compressed, these bytes are the
 * start of the content.
 */
static struct kma_err *input_sniff(struct kma_input *input)
{
	struct kma_err *err = NULL;

	while (!err && !input->raw_eof && input->raw_end < KMA_UNPACK_MAGIC_MAX)
		err = input_fill_raw(input);
	if (err)
		return err;
	input->unpack = kma_unpack_create(input->name, input->raw, input->raw_end);
	if (input->unpack)
		return NULL;
	memcpy(input->buf, input->raw, input->raw_end);
	input->end = input->raw_end;
	input->eof = input->raw_eof;
	return NULL;
}

static struct kma_err *input_begin(struct kma_input *input, const struct stat *st)
{
	kma_file_reads(st);
	if (S_ISREG(st->st_mode))
		input->size = st->st_size;
	if (input_map(input, st)) {
		input->unpack = kma_unpack_create(input->name, input->map + input->pos,
						  input->map_len - input->pos);
		if (!input->unpack)
			return NULL;
		input_unmap(input);
	}
	input->raw = kma_xmalloc(KMA_RAW_LEN);
	input->buf = kma_xmalloc(KMA_BUF_LEN);
	return input->unpack ? NULL : input_sniff(input);
}

static struct kma_input *input_create(const char *name)
{
	struct kma_input *input = kma_xcalloc(1, sizeof(*input));

	input->fd = input->temp_fd = -1;
	input->name = kma_xstrdup(name);
	return input;
}

/* Takes an open file, of which @st is known, or NULL. */
static struct kma_err *input_take(const char *name, int fd, struct stat *st, struct kma_input **ret)
{
	struct kma_input *input = input_create(name);
	struct kma_err *err = NULL;
	struct stat own;

	input->fd = fd;
	if (!st) {
		st = &own;
		err = fstat(fd, st) ? input_error(input, "open") : NULL;
	}
	err = err ?: input_begin(input, st);
	if (err) {
		kma_input_close(input);
		return err;
	}
	*ret = input;
	return NULL;
}

struct kma_err *kma_input_open(const char *path, struct kma_input **ret)
{
	struct kma_err *err;
	struct stat st;
	int fd;

	if (!strcmp(path, "-"))
		return input_take("standard input", STDIN_FILENO, NULL, ret);
	err = kma_file_open(AT_FDCWD, path, KMA_FILE_OR_PIPE, &fd, &st);
	return err ?: input_take(path, fd, &st, ret);
}

struct kma_err *kma_input_pipe(const char *name, int fd, struct kma_input **ret)
{
	return input_take(name, fd, NULL, ret);
}

struct kma_err *kma_input_memory(const char *name, const char *bytes, size_t len, size_t block,
				 struct kma_input **ret)
{
	struct kma_input *input = input_create(name);

	input->map = bytes;
	input->map_len = input->size = len;
	input->block = block ? block : KMA_MAP_BLOCK;
	*ret = input;
	return NULL;
}

void kma_input_close(struct kma_input *input)
{
	if (!input)
		return;
	input_unmap(input);
	kma_unpack_destroy(input->unpack);
	if (input->fd > STDIN_FILENO)
		close(input->fd);
	if (input->temp_fd >= 0)
		close(input->temp_fd);
	if (input->cut)
		kma_err_destroy(input->cut);
	free(input->raw);
	free(input->buf);
	free(input->name);
	free(input);
}

const char *kma_input_name(const struct kma_input *input)
{
	return input->name;
}

void kma_input_allow_truncated(struct kma_input *input)
{
	input->cut_allowed = true;
}

bool kma_input_is_truncated(const struct kma_input *input)
{
	return input && input->cut;
}

struct kma_err *kma_input_truncation(struct kma_input *input)
{
	struct kma_err *err = input->cut;

	input->cut = NULL;
	return err;
}

struct kma_err *kma_input_peek(struct kma_input *input, size_t least, const char **head,
			       size_t *len)
{
	struct kma_err *err = NULL;

	if (input->map) {
		*head = input->map + input->pos;
		*len = input->map_len - input->pos;
	} else {
		while (!err && !input->eof && input->end < least)
			err = input_fill(input);
		if (!err && !input->end)
			err = kma_input_truncation(input);
		*head = input->buf;
		*len = input->end;
	}
	if (least < KMA_HEAD_LEN)
		least = KMA_HEAD_LEN;
	if (*len > least)
		*len = least;
	return err;
}

struct kma_err *kma_input_head(struct kma_input *input, const char **head, size_t *len)
{
	return kma_input_peek(input, KMA_HEAD_LEN, head, len);
}

bool kma_input_text(const struct kma_input *input, const char **text, size_t *len)
{
	if (!input->map)
		return false;
	*text = input->map + input->pos;
	*len = input->map_len - input->pos;
	return true;
}

/* The next block of a mapped file, or of bytes in memory. */
static struct kma_err *input_map_block(struct kma_input *input, const char **text, size_t *len)
{
	const char *from = input->map + input->pos, *nl;
	size_t left = input->map_len - input->pos;
	struct stat st;

	if (input->unmap) {
		size_t page = sysconf(_SC_PAGESIZE), passed = input->pos / page * page;
		size_t keep = passed < 2 * input->block ? passed : 2 * input->block;

		if (fstat(input->fd, &st) || (uint64_t)st.st_size < input->map_len)
			return kma_err_create_kind(KMA_ERR_DAMAGED, input->name, 0,
						   "the file became shorter while it was read");
		/* Release the pages that were read, except the page that both blocks share. */
		if (keep)
			madvise((void *)(input->map + passed - keep), keep, MADV_DONTNEED);
	}
	if (left > input->block) {
		size_t most = input->block;

		nl = memrchr(from, '\n', most);
		/* Blocks in memory may be shorter than a line. */
		if (!nl && most < KMA_INPUT_LINE_MAX) {
			most = left < KMA_INPUT_LINE_MAX ? left : KMA_INPUT_LINE_MAX;
			nl = memchr(from, '\n', most);
		}
		left = nl ? (size_t)(nl + 1 - from) : most;
	}
	*text = from;
	*len = left;
	input->pos += left;
	input->done = input->pos;
	return NULL;
}

/*
 * The next block of an input that is read through the buffer: up to the last line end in the
 * buffer.
 */
static struct kma_err *input_buf_block(struct kma_input *input, const char **text, size_t *len)
{
	struct kma_err *err = NULL;
	const char *nl = NULL;
	size_t seen;

	memmove(input->buf, input->buf + input->start, input->end - input->start);
	input->end -= input->start;
	input->start = 0;
	if (kma_input_stopped())
		input->eof = true;
	for (seen = 0; !err; seen = input->end, err = input_fill(input)) {
		nl = memrchr(input->buf + seen, '\n', input->end - seen);
		if (nl || input->eof || input->end == KMA_BUF_LEN)
			break;
	}
	if (err)
		return err;
	if (!input->cut_allowed)
		err = kma_input_truncation(input);
	if (err)
		return err;
	/* After a stop, the rest after the last whole line is not a truncated line of the file. */
	if (!nl && kma_input_stopped())
		input->end = 0;
	input->start = nl ? (size_t)(nl + 1 - input->buf) : input->end;
	*text = input->buf;
	*len = input->start;
	return NULL;
}

struct kma_err *kma_input_block(struct kma_input *input, const char **text, size_t *len)
{
	if (input->watch)
		input->watch(input, input->watch_arg);
	*text = "";
	*len = 0;
	if (input->map)
		return kma_input_stopped() ? NULL : input_map_block(input, text, len);
	return input_buf_block(input, text, len);
}

/* Write the rest of the input to the file @fd. A truncated file without any content is an error. */
static struct kma_err *input_copy(struct kma_input *input, int fd)
{
	bool some = false;
	const char *text;
	size_t len;

	for (;; some = true) {
		struct kma_err *err = kma_input_block(input, &text, &len);

		if (!err && !len && !some)
			err = kma_input_truncation(input);
		if (err || !len)
			return err;
		while (len) {
			ssize_t n = write(fd, text, len);

			if (n < 0 && errno != EINTR)
				return kma_err_create(
					input->name, 0,
					"cannot copy to a temporary file in '%s': %s; set TMPDIR to a directory with more space",
					kma_file_scratch_dir(), strerror(errno));
			text += n > 0 ? n : 0;
			len -= n > 0 ? n : 0;
		}
	}
}

bool kma_input_has_path(const struct kma_input *input)
{
	return input->path;
}

struct kma_err *kma_input_path(struct kma_input *input, const char **ret)
{
	struct kma_err *err;

	if (!input->path && input->unmap && !input->pos) {
		input->path = input->fd_path;
		snprintf(input->fd_path, sizeof(input->fd_path), "/proc/self/fd/%d", input->fd);
	}
	*ret = input->path;
	if (input->path)
		return NULL;
	err = kma_file_scratch(input->name, &input->temp_fd);
	if (err)
		return err;
	err = input_copy(input, input->temp_fd);
	if (err)
		return err;
	if (kma_input_stopped())
		return kma_err_create(input->name, 0,
				      "interrupted while it was copied to a temporary file");
	snprintf(input->fd_path, sizeof(input->fd_path), "/proc/self/fd/%d", input->temp_fd);
	*ret = input->path = input->fd_path;
	return NULL;
}

void kma_input_progress(const struct kma_input *input, uint64_t *done, uint64_t *size)
{
	*done = input->done;
	*size = input->size;
}

void kma_input_set_done(struct kma_input *input, uint64_t done)
{
	input->done = done;
	if (input->watch)
		input->watch(input, input->watch_arg);
}

void kma_input_watch(struct kma_input *input, void (*fn)(const struct kma_input *input, void *arg),
		     void *arg)
{
	input->watch = fn;
	input->watch_arg = arg;
}
