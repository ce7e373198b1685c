/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target.h - the recorded machine: its debugfs, the module's parameters and control file.
 *
 * Every change is undone by kma_target_close(). Before a setting is changed, its old value is
 * stored in the file /run/kmem-account.record, so that the next kma_target_open() restores it after
 * a SIGKILL. The file identifies the boot and the load of the module, because another load has its
 * own parameters. It also identifies the log, which older recorders ended by it. Without a
 * directory for the file, nothing can be restored after a SIGKILL, but everything else works.
 *
 * The log of a killed recorder is never ended unread, because its buffers contain events that exist
 * nowhere else. kma_target_left() reports such a log, and kma_target_begin() takes it over if
 * permitted. The file stays until then.
 *
 * These functions never load the module, and never switch the account on or off.
 *
 * Locking: none; one thread. The file is locked (flock(2)), so two recorders cannot run at the same
 * time.
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
 * kma_target_open() - find the module and debugfs, and restore what a killed recorder has changed
 * @root: where /proc, /sys and /run are: "" for this machine
 * @ret: the target
 *
 * Mounts debugfs if it is not mounted.
 *
 * Return: NULL, or an error: the module is not loaded, a privilege is missing, the kernel hides
 * addresses from all readers, or another recorder runs. If the event log exists and cannot be read,
 * the error is of kind KMA_ERR_NOT_READABLE, and nothing was changed.
 */
struct kma_err *kma_target_open(const char *root, struct kma_target **ret);

/**
 * kma_target_close() - free the log's buffers, and restore all settings
 * @target: from kma_target_open(); NULL is fine
 *
 * Return: NULL or the first error; all steps are attempted.
 */
struct kma_err *kma_target_close(struct kma_target *target);

/*
 * Switch the log off, and restore the other settings, while other threads use the target. Events
 * that were not read stay in the buffers for the next recorder. The program has to end.
 */
void kma_target_rescue(const struct kma_target *target);

/**
 * kma_target_get() - get the value of a parameter of the module
 * @target: the target
 * @name: name of the parameter
 *
 * Return: the value; 0 if it cannot be read.
 */
uint64_t kma_target_get(struct kma_target *target, const char *name);

/**
 * kma_target_set() - change a parameter of the module
 * @target: the target
 * @name: name of the parameter
 * @value: the new value; the old one is stored for kma_target_close()
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
 * kma_target_may_begin() - test whether kma_target_begin() would succeed
 * @target: the target
 * @attach: as for kma_target_begin()
 *
 * Called before long preparations, so that they are not made in vain.
 *
 * Return: NULL, or the error that kma_target_begin() would return.
 */
struct kma_err *kma_target_may_begin(struct kma_target *target, bool attach);

/**
 * kma_target_begin() - switch the log on, or take over an existing log
 * @target: the target
 * @attach: take over the log that is on, or has unread data
 *
 * From here on kma_target_close() switches the log off, and frees its buffers.
 *
 * Return: NULL, or an error: without @attach, a log is on or has unread data; with @attach, there
 * is no such log. If a file of the log cannot be opened, whether it has unread data is unknown: the
 * error is of kind KMA_ERR_NOT_READABLE, and nothing was changed.
 */
struct kma_err *kma_target_begin(struct kma_target *target, bool attach);

/**
 * kma_target_end() - switch off the log that kma_target_begin() began, and free its buffers
 * @target: the target; without such a log nothing is done
 *
 * Unread data in the buffers are lost. Another log may begin afterwards.
 *
 * Return: NULL or the first error; all steps are attempted.
 */
struct kma_err *kma_target_end(struct kma_target *target);

/**
 * kma_target_leave() - leave the log that kma_target_begin() took over to the next recorder
 * @target: the target
 *
 * Its buffers stay, with their unread data, and kma_target_left() reports the log again.
 */
void kma_target_leave(struct kma_target *target);

/**
 * kma_target_control() - write a command to the module's control file
 * @target: the target
 * @word: the command, such as "flush"
 */
struct kma_err *kma_target_control(struct kma_target *target, const char *word);

/**
 * kma_target_trace() - get the path of a file of the log
 * @target: the target
 * @name: name below trace/; "" for the directory
 *
 * Return: the path, valid until the next call of a function of this file.
 */
const char *kma_target_trace(struct kma_target *target, const char *name);

/**
 * kma_target_symbols() - get the kernel's symbols of code, as in /proc/kallsyms
 * @target: the target
 * @modules: only the symbols of modules
 * @ret: the lines are appended; none if the kernel hides addresses
 */
void kma_target_symbols(const struct kma_target *target, bool modules, struct kma_strbuf *ret);

/**
 * kma_target_versions() - get the versions of the recorder and of the module, as text of a log
 * @target: the target
 * @ret: appended: lines "#recorder 0.1" and, if the kernel shows the module's, "#module 0.1"
 */
void kma_target_versions(const struct kma_target *target, struct kma_strbuf *ret);

/**
 * kma_target_tracing() - get the directory of tracefs
 * @target: the target
 *
 * Mounts tracefs if it is not mounted; kma_target_close() then unmounts it.
 *
 * Return: the path, valid until the next call of a function of this file.
 */
const char *kma_target_tracing(struct kma_target *target);

/**
 * kma_target_nodes() - get the CPUs of each NUMA node, as text of a log
 * @target: the target
 * @ret: appended: lines "#node 0 0-3,8"
 */
void kma_target_nodes(const struct kma_target *target, struct kma_strbuf *ret);

/**
 * kma_target_totals() - get the module's counts for each CPU, as text of a log
 * @target: the target
 * @ret: appended: lines "#total CPU RECORDS LOST NMI", and "#end N" with the number of lines
 */
void kma_target_totals(struct kma_target *target, struct kma_strbuf *ret);

/**
 * kma_target_sums() - get the sums of the module's counts
 * @target: the target
 * @records: records of all CPUs, including the lost ones
 * @lost: records that were lost
 *
 * Return: false if the module does not report them.
 */
bool kma_target_sums(struct kma_target *target, uint64_t *records, uint64_t *lost);

#endif /* KMA_RECORD_TARGET_H */
