// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch-source.c - the input of watch and of a workload of leaks.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/module-files.h"
#include "model/moment.h"
#include "reader/reader.h"
#include "open/refuse.h"
#include "watch-source.h"

#define KMA_WATCH_SLABS	  "/sys/kernel/slab"
#define KMA_WATCH_LIST	  "/proc/modules"
#define KMA_WATCH_BOOT_ID "/proc/sys/kernel/random/boot_id"

struct kma_err *kma_watch_source_init(struct kma_watch_source *source, const char *path)
{
	static const char *const paths[] = { KMA_FILE_SNAPSHOT, KMA_FILE_ACCOUNT };
	struct kma_err *err = path ? kma_refuse_live(path) : NULL;
	int code = 0;

	*source = (struct kma_watch_source){ .path = path };
	if (err)
		return err;
	if (path && access(path, R_OK))
		return kma_err_create(path, 0, "cannot read: %s", strerror(errno));
	for (size_t i = 0; i < ARRAY_SIZE(paths) && !source->path; i++) {
		if (!access(paths[i], R_OK))
			source->path = paths[i];
		else if (errno != ENOENT || !code)
			code = errno;
	}
	if (source->path)
		return NULL;
	return kma_err_create(KMA_FILE_SNAPSHOT, 0, "cannot read: %s%s", strerror(code),
			      code == ENOENT ? "; load the module kmem_account, or use -f FILE" :
					       "");
}

/*
 * Appends the names of the modules that are loaded, each followed by a blank. False if they cannot
 * be read.
 */
static bool watch_modules(struct kma_strbuf *list)
{
	_cleanup_fclose_ FILE *f = fopen(KMA_WATCH_LIST, "re");
	char name[64], rest[4096];

	while (f && fscanf(f, "%63s", name) == 1) {
		kma_strbuf_printf(list, "%s ", name);
		if (!fgets(rest, sizeof(rest), f))
			break;
	}
	return f;
}

/* The same for the slab caches that the kernel flags as reclaimable. */
static bool watch_reclaimable(struct kma_strbuf *list)
{
	_cleanup_dir_ DIR *dir = opendir(KMA_WATCH_SLABS);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		_cleanup_fclose_ FILE *f = NULL;
		char path[512];

		if (entry->d_name[0] == '.' || entry->d_name[0] == ':')
			continue;
		snprintf(path, sizeof(path), KMA_WATCH_SLABS "/%s/reclaim_account", entry->d_name);
		f = fopen(path, "re");
		if (!f || fgetc(f) != '1')
			continue;
		for (const char *p = entry->d_name; *p; p++)
			kma_strbuf_printf(list, "%c", *p == ' ' ? '_' : *p);
		kma_strbuf_puts(list, " ");
	}
	return dir;
}

/*
 * Adds a moment to an account that has none. Its generation is counted here: the number of
 * allocations decreases only if a new account was started.
 */
static void watch_moment(struct kma_watch_source *source, struct kma_account *account)
{
	_cleanup_fclose_ FILE *f = fopen(KMA_WATCH_BOOT_ID, "re");
	uint64_t allocs = kma_account_total(account)->allocs;
	struct kma_moment moment;
	char boot[64] = "-";

	if (f && fscanf(f, "%63s", boot) != 1)
		strcpy(boot, "-");
	source->generation += allocs < source->allocs;
	source->allocs = allocs;
	moment = (struct kma_moment){ .boot = boot,
				      .up = kma_clock(CLOCK_BOOTTIME),
				      .time = kma_clock(CLOCK_REALTIME),
				      .generation = source->generation };
	kma_moment_keep(account, &moment);
}

/* @keep: the list of before, which counts if it is not empty; NULL: none. */
static void watch_list(struct kma_account *account, const char *note,
		       bool (*make)(struct kma_strbuf *list), struct kma_strbuf *keep)
{
	_cleanup_strbuf_ struct kma_strbuf own = { 0 };
	struct kma_strbuf *list = keep ?: &own;

	if (kma_account_note(account, note) || (!list->len && !make(list)))
		return;
	kma_account_put_note(account, note, list->str ?: "");
}

struct kma_err *kma_watch_source_read(struct kma_watch_source *source, struct kma_account **ret)
{
	struct kma_err *err = kma_reader_read_file(source->path, ret);
	struct kma_moment moment;

	if (err)
		return err;
	if (!kma_moment_of(*ret, &moment))
		watch_moment(source, *ret);
	watch_list(*ret, KMA_NOTE_MODULES, watch_modules, NULL);
	watch_list(*ret, KMA_NOTE_RECLAIMABLE, watch_reclaimable,
		   source->list_once ? &source->reclaimable : NULL);
	return NULL;
}

void kma_watch_source_deinit(struct kma_watch_source *source)
{
	kma_strbuf_deinit(&source->reclaimable);
}
