/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd-scan.h - the command scan, for the two programs that have it.
 *
 * Locking: one thread.
 */
#ifndef KMA_CLI_CMD_SCAN_H
#define KMA_CLI_CMD_SCAN_H

/**
 * kma_scan_main() - scan the running kernel, and write a file
 * @argc: number of @argv
 * @argv: the command's name, and its arguments
 *
 * Return: the exit status.
 */
int kma_scan_main(int argc, char **argv);

#endif /* KMA_CLI_CMD_SCAN_H */
