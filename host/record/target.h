/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target.h - the recorded machine: its debugfs, the module's parameters and control file. Before a
 * setting is changed, its old value is stored in a file, and kma_target_close() restores it. After
 * a SIGKILL the next kma_target_open() finds the file and restores the parameters. The file
 * identifies the load of the module, because another load has its own parameters. It also
 * identifies the log, for older recorders, which ended that log.
 *
 * The log of a killed recorder is never ended unread, because its buffers contain events that exist
 * nowhere else. kma_target_left() reports such a log, and kma_target_begin() takes it over if
 * permitted. The file stays until then.
 *
 * These functions never load the module, and never switch the account on or off.
 *
 * Locking: none; one thread. The file is locked, so two recorders cannot run at the same time.
 */
#ifndef KMA_RECORD_TARGET_H
#define KMA_RECORD_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"
#include "lib/strbuf.h"

struct kma_target;

/**
 * kma_target_open() - find the module and debugfs, restore what a killed recorder changed
 * @root: where /proc, /sys and /run are: "" for this machine
 * @ret: the target
 *
 * Mounts debugfs if it is not.
 *
 * Return: NULL; or an error: no module, no right, another recorder runs.
 */
struct kma_err *kma_target_open(const char *root, struct kma_target **ret);

/**
 * kma_target_close() - free the log's buffers, and restore all settings
 * @target: from kma_target_open(); NULL is fine
 *
 * Return: NULL or the first error; all steps are attempted.
 */
struct kma_err *kma_target_close(struct kma_target *target);

/**
 * kma_target_get() - get the value of a parameter of the module
 * @target: the target
 * @name: of the parameter
 *
 * Return: the value; 0: it cannot be read.
 */
uint64_t kma_target_get(struct kma_target *target, const char *name);

/**
 * kma_target_set() - change a parameter of the module
 * @target: the target
 * @name: of the parameter
 * @value: to write
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_target_set(struct kma_target *target, const char *name, unsigned long value);

/**
 * kma_target_left() - test for unread data of a killed recorder
 * @target: the target
 *
 * Return: true if the existing log is the one in the file of that recorder, and was not read to its
 * end; false for a log that another program has switched on.
 */
bool kma_target_left(const struct kma_target *target);

/**
 * kma_target_may_begin() - could kma_target_begin() begin?
 * @target: the target
 * @attach: as for kma_target_begin()
 *
 * So that what takes long before it is not done without effect.
 *
 * Return: as kma_target_begin().
 */
struct kma_err *kma_target_may_begin(struct kma_target *target, bool attach);

/**
 * kma_target_begin() - switch the log on
 * @target: the target
 * @attach: take the one that is on, or was not read yet
 *
 * From here on kma_target_close() ends the log, and releases its buffers.
 *
 * Return: NULL; or an error: there is such a log, or with @attach there is none.
 */
struct kma_err *kma_target_begin(struct kma_target *target, bool attach);

/**
 * kma_target_end() - switch off the log that kma_target_begin() began, and free its buffers
 * @target: the target; without such a log nothing is done
 *
 * What is unread in the buffers is gone. Another log may begin.
 *
 * Return: NULL or the first error; all is tried.
 */
struct kma_err *kma_target_end(struct kma_target *target);

/**
 * kma_target_leave() - leave the log that kma_target_begin() took, for the next recorder
 * @target: the target
 *
 * Its buffers stay, with what was not read, and kma_target_left() says so again.
 */
void kma_target_leave(struct kma_target *target);

/**
 * kma_target_control() - tell the module something
 * @target: the target
 * @word: for its control file
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_target_control(struct kma_target *target, const char *word);

/**
 * kma_target_trace() - name of a file of the log
 * @target: the target
 * @name: below trace/, "" for the folder
 *
 * Return: a name, until the next call.
 */
const char *kma_target_trace(struct kma_target *target, const char *name);

/**
 * kma_target_readable() - check that a file of the event log can be opened
 * @path: the file
 *
 * Return: NULL; or an error that names the capabilities that are needed, if they are missing.
 */
struct kma_err *kma_target_readable(const char *path);

/**
 * kma_target_symbols() - the kernel's symbols of code, as in /proc/kallsyms
 * @target: the target
 * @modules: those of modules alone
 * @ret: appended to; nothing where addresses are hidden
 */
void kma_target_symbols(const struct kma_target *target, bool modules, struct kma_strbuf *ret);

/**
 * kma_target_versions() - the versions of the recorder and of the loaded module, as text of a log
 * @target: the target
 * @ret: appended to: lines "#recorder 0.1" and, if the kernel shows the module's, "#module 0.1"
 */
void kma_target_versions(const struct kma_target *target, struct kma_strbuf *ret);

/**
 * kma_target_tracing() - directory of tracefs
 * @target: the target
 *
 * Mounts it if it is not. kma_target_close() unmounts it then.
 *
 * Return: a name, until the next call.
 */
const char *kma_target_tracing(struct kma_target *target);

/**
 * kma_target_nodes() - which CPUs are of which node
 * @target: the target
 * @ret: appended to: lines "#node 0 0-3,8"
 */
void kma_target_nodes(const struct kma_target *target, struct kma_strbuf *ret);

/**
 * kma_target_totals() - what the module has counted for each CPU, as text of a log
 * @target: the target
 * @ret: appended to: lines "#total CPU RECORDS LOST NMI", and "#end N" with their number
 */
void kma_target_totals(struct kma_target *target, struct kma_strbuf *ret);

/**
 * kma_target_sums() - what the module has counted
 * @target: the target
 * @records: that it has logged or lost, of all CPUs
 * @lost: of these, lost
 *
 * Return: false when it does not say.
 */
bool kma_target_sums(struct kma_target *target, uint64_t *records, uint64_t *lost);

#endif /* KMA_RECORD_TARGET_H */
