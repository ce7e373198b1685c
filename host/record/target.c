// SPDX-License-Identifier: GPL-2.0-only
/*
 * target.c - the recorded machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../module/uapi/kmem_account.h"
#include "../../module/uapi/version.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/module-files.h"
#include "log-files.h"
#include "target.h"

#define KMA_TARGET_PARAMS 2
#define KMA_TARGET_NOTE	  256 /* bytes of the file for the next recorder */

/* Parameters that a recording may change. */
static const char *const target_params[KMA_TARGET_PARAMS] = { "subbufs", "subbuf_size" };

struct kma_target {
	char *root;
	char *debugfs;			 /* where debugfs is mounted, including the root */
	char path[PATH_MAX];		 /* the path that was made last */
	char old[KMA_TARGET_PARAMS][32]; /* values of the parameters before; "": unchanged */
	char boot[40];			 /* ID of this boot */
	unsigned long long load;	 /* of the module, see target_identify() */
	bool mounted;			 /* this program, or a killed recorder, mounted debugfs */
	bool traced;			 /* this program mounted tracefs */
	int note;			 /* the locked file; -1: no directory for it */
	bool note_own;			 /* it has nothing of a killed recorder that was not read */
	bool logged;			 /* "log on" was written: there are buffers to free */
	unsigned long long log;		 /* identifies the log, target_log() */
	bool logging;			 /* @logged, and "log off" was not written yet */
	unsigned long long left; /* the log of a killed recorder, with unread data; 0: none */
};

static const char *target_path(struct kma_target *target, const char *path)
{
	snprintf(target->path, sizeof(target->path), "%s%s", target->root, path);
	return target->path;
}

static const char *target_param(struct kma_target *target, const char *name)
{
	snprintf(target->path, sizeof(target->path), "%s/sys/module/kmem_account/parameters/%s",
		 target->root, name);
	return target->path;
}

const char *kma_target_trace(struct kma_target *target, const char *name)
{
	snprintf(target->path, sizeof(target->path), "%s/kmem_account/trace%s%s", target->debugfs,
		 *name ? "/" : "", name);
	return target->path;
}

const char *kma_target_tracing(struct kma_target *target)
{
	static const char usual[] = "/sys/kernel/tracing";

	/* Not the directory below debugfs, which the kernel mounts by itself and never unmounts. */
	if (access(target_path(target, "/sys/kernel/tracing/instances"), F_OK) &&
	    !mount("tracefs", target_path(target, usual), "tracefs", 0, NULL))
		target->traced = true;
	return target_path(target, usual);
}

/* Write with one write(2), because the kernel takes the text as a whole. */
static struct kma_err *target_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));
	struct kma_err *err = NULL;

	if (n < 0)
		err = kma_err_create(
			path, 0, "cannot write '%s': %s%s", text, strerror(errno),
			errno == ENOMEM ?
				"; the buffers exceed the free memory or the module's max_memory= (the kernel log has the figures); use fewer sub-buffers (--subbufs N)" :
				"");
	if (fd >= 0)
		close(fd);
	return err;
}

static bool target_read(const char *path, char *to, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, to, room - 1);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return false;
	to[n] = '\0';
	to[strcspn(to, "\n")] = '\0';
	return true;
}

struct kma_err *kma_target_control(struct kma_target *target, const char *word)
{
	struct kma_err *err;

	err = target_write(target_path(target, KMA_FILE_ACCOUNT), word);
	if (err)
		return err;
	if (!strcmp(word, "log off"))
		target->logging = false;
	return NULL;
}

/*
 * A module that is loaded again gets a new directory in sysfs. The inode number is not used again
 * within a boot (kernfs increments it), unlike the numbers of procfs.
 */
static void target_identify(struct kma_target *target)
{
	const char *path = target_path(target, "/proc/sys/kernel/random/boot_id");
	struct stat st;

	if (!target_read(path, target->boot, sizeof(target->boot)) || !*target->boot)
		strcpy(target->boot, "-");
	if (!stat(target_path(target, "/sys/module/kmem_account"), &st))
		target->load = st.st_ino;
}

/*
 * The file with the settings to restore. It is locked while its recorder lives. Without a directory
 * for it, nothing can be restored after a SIGKILL, but everything else works.
 */
static struct kma_err *target_lock(struct kma_target *target)
{
	const char *path = target_path(target, "/run/kmem-account.record");
	struct stat st = { 0 };

	do {
		if (target->note >= 0)
			close(target->note);
		target->note = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (target->note < 0)
			return NULL;
		if (flock(target->note, LOCK_EX | LOCK_NB)) {
			close(target->note);
			target->note = -1;
			return kma_err_create(
				path, 0, "locked by another 'kmem-account record'; end that first");
		}
		/* Its recorder may have ended and unlinked the file in between. */
	} while (!fstat(target->note, &st) && !st.st_nlink);
	target->note_own = !st.st_size;
	return NULL;
}

/* Identify the current log: the time it was switched on, ns since 1970; 1 if unknown. */
static unsigned long long target_log(struct kma_target *target)
{
	_cleanup_fclose_ FILE *f = NULL;
	struct kma_log_header header;

	if (target->debugfs)
		f = fopen(kma_target_trace(target, "header"), "re");
	if (!f || fread(&header, sizeof(header), 1, f) != 1 || !header.wall)
		return 1;
	return header.wall;
}

/* Write the file for the next recorder, before anything is changed. */
static struct kma_err *target_note(struct kma_target *target)
{
	char text[KMA_TARGET_NOTE];
	int len;

	if (target->note < 0)
		return NULL;
	len = snprintf(text, sizeof(text), "%s %llu %llu %d", target->boot, target->load,
		       target->logged ? target->log : target->left, target->mounted);
	for (unsigned int i = 0; i < KMA_TARGET_PARAMS; i++)
		len += snprintf(text + len, sizeof(text) - len, " %s",
				*target->old[i] ? target->old[i] : "-");
	if (ftruncate(target->note, 0) || pwrite(target->note, text, len, 0) != len)
		return kma_err_create(target_path(target, "/run/kmem-account.record"), 0,
				      "cannot write: %s", strerror(errno));
	return NULL;
}

uint64_t kma_target_get(struct kma_target *target, const char *name)
{
	char text[32];

	if (!target_read(target_param(target, name), text, sizeof(text)))
		return 0;
	return strtoull(text, NULL, 10);
}

struct kma_err *kma_target_set(struct kma_target *target, const char *name, unsigned long value)
{
	struct kma_err *err = NULL;
	char text[24];

	for (unsigned int i = 0; i < KMA_TARGET_PARAMS; i++) {
		if (strcmp(target_params[i], name) || *target->old[i])
			continue;
		if (!target_read(target_param(target, name), target->old[i],
				 sizeof(target->old[i])))
			return kma_err_create(target->path, 0, "cannot read: %s", strerror(errno));
		err = target_note(target);
	}
	snprintf(text, sizeof(text), "%lu", value);
	return err ? err : target_write(target_param(target, name), text);
}

static void first_error(struct kma_err **first, struct kma_err *err)
{
	if (*first)
		kma_err_destroy(err);
	else
		*first = err;
}

struct kma_err *kma_target_end(struct kma_target *target)
{
	struct kma_err *first = NULL;

	if (target->logging)
		first_error(&first, kma_target_control(target, "log off"));
	if (target->logged)
		first_error(&first, kma_target_control(target, "log free"));
	target->logging = target->logged = false;
	return first;
}

void kma_target_leave(struct kma_target *target)
{
	if (target->logged)
		target->left = target->log;
	target->logging = target->logged = false;
}

static struct kma_err *target_put_back(struct kma_target *target)
{
	struct kma_err *first = kma_target_end(target);

	for (unsigned int i = 0; i < KMA_TARGET_PARAMS; i++)
		if (*target->old[i])
			first_error(&first, target_write(target_param(target, target_params[i]),
							 target->old[i]));
	if (target->traced && umount(target_path(target, "/sys/kernel/tracing")))
		first_error(&first,
			    kma_err_create(target->path, 0, "cannot unmount: %s", strerror(errno)));
	target->traced = false;
	if (target->mounted && umount(target->debugfs))
		first_error(&first, kma_err_create(target->debugfs, 0, "cannot unmount: %s",
						   strerror(errno)));
	return first;
}

/* The next recorder must know that a log with unread data is that of this recorder. */
static void end_note(struct kma_target *target)
{
	if (target->note >= 0 && target->left)
		kma_err_destroy(target_note(target));
	else if (target->note >= 0 && target->note_own)
		unlink(target_path(target, "/run/kmem-account.record"));
}

void kma_target_rescue(const struct kma_target *target)
{
	/* The paths of another thread stay as they are. */
	struct kma_target own = *target;

	if (own.logging)
		kma_err_destroy(kma_target_control(&own, "log off"));
	kma_target_leave(&own);
	kma_err_destroy(target_put_back(&own));
	end_note(&own);
}

struct kma_err *kma_target_close(struct kma_target *target)
{
	struct kma_err *err;

	if (!target)
		return NULL;
	err = target_put_back(target);
	end_note(target);
	if (target->note >= 0)
		close(target->note);
	free(target->debugfs);
	free(target->root);
	free(target);
	return err;
}

/* Is a log on, or does it have unread data? Without debugfs there is no file of a log. */
static struct kma_err *target_busy(struct kma_target *target, bool *busy)
{
	*busy = false;
	return target->debugfs ? kma_log_files_busy(kma_target_trace(target, ""), busy) : NULL;
}

/*
 * Read the file of a killed recorder, and restore the parameters. Values of another load of the
 * module, or of another boot, no longer apply.
 *
 * The log stays on or off, because its buffers have unread events. The time at which it was
 * switched on identifies it.
 */
static struct kma_err *target_repair(struct kma_target *target)
{
	char note[KMA_TARGET_NOTE], boot[40], old[KMA_TARGET_PARAMS][32];
	struct kma_err *err = NULL;
	unsigned long long load, log;
	int mounted;
	ssize_t len;

	len = target->note < 0 ? 0 : pread(target->note, note, sizeof(note) - 1, 0);
	target->note_own = true;
	if (len <= 0)
		return NULL;
	note[len] = '\0';
	if (sscanf(note, "%39s %llu %llu %d %31s %31s", boot, &load, &log, &mounted, old[0],
		   old[1]) != 6 ||
	    strcmp(boot, target->boot))
		return NULL;
	if (load == target->load) {
		for (unsigned int i = 0; i < KMA_TARGET_PARAMS; i++)
			if (strcmp(old[i], "-"))
				strcpy(target->old[i], old[i]);
		err = target_put_back(target);
		memset(target->old, 0, sizeof(target->old));
		/* target_find() tests whether that log still exists. */
		if (log > 1)
			target->left = log;
	}
	/* If the killed recorder has mounted debugfs, this one unmounts it at its end. */
	target->mounted = mounted;
	return err;
}

/* Find debugfs in /proc/mounts. If it is not there, it is not mounted yet. */
static void target_debugfs(struct kma_target *target)
{
	_cleanup_fclose_ FILE *f = fopen(target_path(target, "/proc/mounts"), "re");
	char line[PATH_MAX + 64], where[PATH_MAX], kind[64];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %4095s %63s", where, kind) == 2 && !strcmp(kind, "debugfs")) {
			target->debugfs = kma_xasprintf("%s%s", target->root, where);
			return;
		}
}

static struct kma_err *target_mount(struct kma_target *target)
{
	static const char usual[] = "/sys/kernel/debug";

	if (target->debugfs)
		return NULL;
	target->mounted = false;
	target->debugfs = kma_xasprintf("%s%s", target->root, usual);
	if (mount("debugfs", target->debugfs, "debugfs", 0, NULL))
		return kma_err_create(target->debugfs, 0, "cannot mount debugfs: %s",
				      strerror(errno));
	target->mounted = true;
	return target_note(target);
}

bool kma_target_left(const struct kma_target *target)
{
	return target->left;
}

struct kma_err *kma_target_may_begin(struct kma_target *target, bool attach)
{
	struct kma_err *err;
	bool busy;

	err = target_busy(target, &busy);
	if (err)
		return err;
	if (!attach && busy)
		return kma_err_create(
			kma_target_trace(target, ""), 0,
			"the event log is on or has unread data; record it with --attach, or discard it with 'log free'");
	if (attach && !busy)
		return kma_err_create(kma_target_trace(target, ""), 0,
				      "--attach: the event log is off and has no unread data");
	return NULL;
}

struct kma_err *kma_target_begin(struct kma_target *target, bool attach)
{
	struct kma_err *err = kma_target_may_begin(target, attach);

	if (err)
		return err;
	target->logged = target->logging = true;
	target->left = 0;
	target->log = attach ? target_log(target) : 1;
	err = target_note(target);
	if (err || attach)
		return err;
	err = kma_target_control(target, "log on");
	if (err)
		return err;
	target->log = target_log(target);
	return target_note(target);
}

/*
 * Refuse before anything is changed: under these settings the module gives no event log to any
 * reader, because the log contains addresses (module/guard/access.h).
 */
static struct kma_err *target_addresses(struct kma_target *target)
{
	const char *path = target_path(target, "/proc/sys/kernel/kptr_restrict");
	char text[80];

	if (target_read(path, text, sizeof(text)) && *text > '1')
		return kma_err_create(
			path, 0,
			"is %s, which hides addresses from all readers, and an event log contains addresses; set it to 0 or 1 while you record",
			text);
	path = target_path(target, "/sys/kernel/security/lockdown");
	if (target_read(path, text, sizeof(text)) && strstr(text, "[confidentiality]"))
		return kma_err_create(
			path, 0,
			"is 'confidentiality', which hides addresses from all readers, and an event log contains addresses; record after a boot without it");
	return NULL;
}

/* Is the log of the killed recorder still there, with unread data? */
static struct kma_err *target_test_left(struct kma_target *target)
{
	struct kma_err *err;
	bool busy;

	if (!target->left)
		return NULL;
	err = target_busy(target, &busy);
	if (err)
		return err;
	if (!busy || target->left != target_log(target))
		target->left = 0;
	return NULL;
}

static struct kma_err *target_find(struct kma_target *target)
{
	bool busy;
	struct kma_err *err = target_addresses(target);

	if (err)
		return err;
	if (access(target_path(target, KMA_FILE_ACCOUNT), W_OK))
		return kma_err_create(target->path, 0, "cannot write: %s%s", strerror(errno),
				      errno == ENOENT ? "; load the module first" : "");
	target_identify(target);
	err = target_lock(target);
	if (err)
		return err;
	target_debugfs(target);
	/* Without access to the log, change nothing: not even what a killed recorder has set. */
	err = target_busy(target, &busy);
	if (err)
		return err;
	err = target_repair(target);
	if (err)
		return err;
	err = target_mount(target);
	return err ?: target_test_left(target);
}

struct kma_err *kma_target_open(const char *root, struct kma_target **ret)
{
	struct kma_target *target = kma_xcalloc(1, sizeof(*target));
	struct kma_err *err;

	target->root = kma_xstrdup(root);
	target->note = -1;
	err = target_find(target);
	if (err) {
		kma_err_destroy(kma_target_close(target));
		return err;
	}
	*ret = target;
	return NULL;
}

void kma_target_symbols(const struct kma_target *target, bool modules, struct kma_strbuf *ret)
{
	_cleanup_free_ char *line = NULL;
	_cleanup_free_ char *path = NULL;
	_cleanup_fclose_ FILE *f = NULL;
	size_t room = 0;
	ssize_t len;

	path = kma_xasprintf("%s/proc/kallsyms", target->root);
	f = fopen(path, "re");
	while (f && (len = getline(&line, &room, f)) > 0) {
		const char *space = strchr(line, ' ');

		/* "0000000000000000 t name": the kernel hides the address. */
		if (!space || strspn(line, "0") == (size_t)(space - line) ||
		    !strchr("tTwWi", space[1]) || (modules && !strchr(line, '[')))
			continue;
		kma_strbuf_add(ret, line, len);
	}
}

void kma_target_versions(const struct kma_target *target, struct kma_strbuf *ret)
{
	char path[PATH_MAX], version[64];

	kma_strbuf_printf(ret, "#recorder %s\n", KMA_VERSION);
	snprintf(path, sizeof(path), "%s/sys/module/kmem_account/version", target->root);
	if (target_read(path, version, sizeof(version)))
		kma_strbuf_printf(ret, "#module %s\n", version);
}

void kma_target_nodes(const struct kma_target *target, struct kma_strbuf *ret)
{
	unsigned int missing = 0;
	char path[PATH_MAX];

	/* Numbers of nodes may have gaps. The list of a large machine may have thousands of bytes. */
	for (unsigned int node = 0; missing < 64; node++) {
		_cleanup_free_ char *list = NULL;
		struct kma_err *err;
		size_t len;

		snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%u/cpulist",
			 target->root, node);
		err = kma_file_slurp(path, &list, &len);
		missing += !!err;
		kma_err_destroy(err);
		if (list)
			kma_strbuf_printf(ret, "#node %u %.*s\n", node, (int)strcspn(list, "\n"),
					  list);
	}
}

void kma_target_totals(struct kma_target *target, struct kma_strbuf *ret)
{
	_cleanup_fclose_ FILE *f = fopen(kma_target_trace(target, "overruns"), "re");
	uint64_t records, lost, nmi;
	unsigned int cpu, nr = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%u %" SCNu64 " %" SCNu64 " %" SCNu64, &cpu, &records, &lost,
			   &nmi) == 4) {
			kma_strbuf_printf(ret, "#total %u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
					  cpu, records, lost, nmi);
			nr++;
		}
	kma_strbuf_printf(ret, "#end %u\n", nr);
}

bool kma_target_sums(struct kma_target *target, uint64_t *records, uint64_t *lost)
{
	_cleanup_fclose_ FILE *f = fopen(kma_target_trace(target, "overruns"), "re");
	uint64_t one, gone;
	char line[128];
	bool any = false;

	*records = *lost = 0;
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*u %" SCNu64 " %" SCNu64, &one, &gone) == 2) {
			*records += one;
			*lost += gone;
			any = true;
		}
	return any;
}
