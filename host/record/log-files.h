/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-files.h - the files of the event log in debugfs: access to them, and unread data.
 *
 * The module creates the directory kmem_account/trace/ with "log on" and removes it with
 * "log free". A file that cannot be opened is an error, not an empty file: its buffer may contain
 * events that exist nowhere else, and "log on" frees the buffers.
 */
#ifndef KMA_RECORD_LOG_FILES_H
#define KMA_RECORD_LOG_FILES_H

#include <stdbool.h>

#include "lib/err.h"

/**
 * kma_log_files_readable() - check that a file of the event log can be opened
 * @path: the file
 *
 * Return: NULL; or an error of kind KMA_ERR_NOT_READABLE. If the kernel refuses because a
 * capability is missing (EPERM), the error names the capabilities.
 */
struct kma_err *kma_log_files_readable(const char *path);

/**
 * kma_log_files_busy() - test whether an event log is on or has unread data
 * @dir: the directory trace/; it need not exist
 * @busy: true if the log is on, or a CPU has unread data; false after an error
 *
 * The files are opened, but nothing is read from them.
 *
 * Return: NULL, or an error of kind KMA_ERR_NOT_READABLE if the directory, its header or the file
 * of a CPU cannot be opened. Then it is unknown whether there is unread data.
 */
struct kma_err *kma_log_files_busy(const char *dir, bool *busy);

#endif /* KMA_RECORD_LOG_FILES_H */
