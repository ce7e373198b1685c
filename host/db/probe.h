/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe.h - recognises SQLite files.
 */
#ifndef KMA_DB_PROBE_H
#define KMA_DB_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes at the beginning that tell it. */
#define KMA_DB_MAGIC_LEN 16

/**
 * kma_db_probe() - check for the header of an SQLite file
 * @head: first bytes of a file
 * @len: how many, 16 or more
 *
 * Return: true for any SQLite file; kma_db_load() checks whether it is a DB file of this program.
 */
bool kma_db_probe(const char *head, size_t len);

/**
 * kma_db_is_file() - is there an SQLite file of that name?
 * @path: the name
 *
 * Return: true for a regular file that begins as one, ours or not.
 */
bool kma_db_is_file(const char *path);

#endif /* KMA_DB_PROBE_H */
