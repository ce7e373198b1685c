// SPDX-License-Identifier: GPL-2.0-only
/*
 * serve-source.c - the account that serve serves, read at most once a second.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "input/input.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/notes.h"
#include "lib/say.h"
#include "model/regroup.h"
#include "reader/reader.h"
#include "serve-source.h"

#define KMA_SERVE_OWN	"own bytes:"
#define KMA_SERVE_FRESH 1000000000ULL /* ns for which an account is not read again */

static uint64_t kma_serve_source_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void kma_serve_source_forget(struct kma_serve_source *source)
{
	kma_places_deinit(&source->sites);
	kma_account_destroy(source->groups);
	source->groups = NULL;
	kma_account_destroy(source->account);
	source->account = NULL;
	free(source->trouble);
	source->trouble = NULL;
}

/* Returns the memory of the module itself in bytes, from its file stats; -1 if unknown. */
static int64_t kma_serve_source_own(const char *path)
{
	_cleanup_free_ char *text = NULL;
	struct kma_err *err;
	const char *line;
	size_t len;

	err = kma_file_slurp_regular(path, &text, &len);
	line = err ? NULL : strstr(text, "\n" KMA_SERVE_OWN);
	kma_err_destroy(err);
	return line ? strtoll(line + strlen("\n" KMA_SERVE_OWN), NULL, 10) : -1;
}

static struct kma_err *kma_serve_source_input(const char *path, struct kma_account **ret)
{
	struct kma_input *input;
	struct kma_err *err;

	err = kma_input_open(path, &input);
	if (err)
		return err;
	err = kma_reader_read(input, ret);
	kma_input_close(input);
	return err;
}

/* Searches for the kernel at the first read, and prints the notes. */
static struct kma_err *kma_serve_source_kernel(struct kma_serve_source *source)
{
	struct kma_notes notes = { 0 };
	struct kma_err *err;

	if (source->has_kernel)
		return NULL;
	err = kma_kernel_find(source->query, source->account, &notes, &source->kernel);
	for (const char *note = NULL; (note = kma_notes_next(&notes, note));)
		kma_warn("%s", note);
	kma_notes_deinit(&notes);
	source->has_kernel = !err;
	return err;
}

/* Makes the rows by group. Missing groups are not an error; they are reported once. */
static struct kma_err *kma_serve_source_groups(struct kma_serve_source *source)
{
	struct kma_err *err;

	if (!source->by)
		return NULL;
	err = kma_regroup(source->account, source->by, &source->groups);
	if (!err && source->groups)
		kma_picks_update_groups(&source->group_picks, source->groups);
	if (!err || !kma_err_is(err, KMA_ERR_NOT_FOUND)) {
		source->told = false;
		return err;
	}
	if (!source->told)
		kma_warn("serve: %s", err->message);
	source->told = true;
	kma_err_destroy(err);
	return NULL;
}

static struct kma_err *read_parts(struct kma_serve_source *source)
{
	struct kma_err *err;

	err = kma_serve_source_input(source->path, &source->account);
	if (err)
		return err;
	err = kma_serve_source_kernel(source);
	if (err)
		return err;
	err = kma_places_find(source->account, source->kernel.source, true, &source->sites);
	if (err)
		return err;
	kma_picks_update(&source->picks, &source->sites);
	return kma_serve_source_groups(source);
}

struct kma_err *kma_serve_source_read(struct kma_serve_source *source)
{
	uint64_t begin = kma_serve_source_now(), allocs = source->picks.allocs;
	struct timespec wall;
	struct kma_err *err;

	kma_serve_source_forget(source);
	err = read_parts(source);
	source->read_at = kma_serve_source_now();
	source->own.seconds = (source->read_at - begin) / 1e9;
	if (!err && source->picks.allocs < allocs && !clock_gettime(CLOCK_REALTIME, &wall))
		source->own.created = wall.tv_sec + wall.tv_nsec / 1e9;
	source->own.bytes = err ? -1 : kma_serve_source_own(source->stats);
	source->own.failures += !!err;
	return err;
}

bool kma_serve_source_refresh(struct kma_serve_source *source)
{
	_cleanup_free_ char *before = NULL;
	struct kma_err *err;

	if (source->read_at && kma_serve_source_now() - source->read_at < KMA_SERVE_FRESH)
		return false;
	before = source->trouble ? kma_xstrdup(source->trouble) : NULL;
	err = kma_serve_source_read(source);
	if (!err)
		return true;
	kma_serve_source_forget(source);
	source->trouble = kma_err_text(err);
	if (source->trouble && (!before || strcmp(before, source->trouble)))
		kma_warn("%s", source->trouble);
	kma_err_destroy(err);
	return true;
}

/* The release of an account of this machine without a release is that of the running kernel. */
struct kma_export kma_serve_source_export(const struct kma_serve_source *source)
{
	const char *release = kma_account_note(source->account, KMA_NOTE_RELEASE);
	const char *build_id = kma_account_note(source->account, KMA_NOTE_BUILD_ID);
	bool here = !strncmp(source->path, "/proc/", 6) || !strncmp(source->path, "/sys/", 5);

	return (struct kma_export){
		.account = source->account,
		.groups = source->groups,
		.source = source->kernel.source,
		.release = release	?:
				   here ? source->here.release :
					  "",
		.build_id = build_id ?: "",
		.hide_addresses = true,
	};
}

void kma_serve_source_open(struct kma_serve_source *source)
{
	source->own = (struct kma_series_own){
		.seconds = -1, .created = -1, .bytes = -1, .requests = -1
	};
	uname(&source->here);
}

void kma_serve_source_close(struct kma_serve_source *source)
{
	kma_serve_source_forget(source);
	kma_picks_deinit(&source->picks);
	kma_picks_deinit(&source->group_picks);
	kma_kernel_deinit(&source->kernel);
}
