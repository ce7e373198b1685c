/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * selftest.h - check at load that each probe gets the arguments that it was compiled for.
 *
 * The compiler checks the list of arguments of a probe against the headers of one kernel. A
 * kernel with module versions also loads a module that was built for another release, and the
 * checksum of a tracepoint does not cover the arguments of its event. A probe would then
 * dereference a number, or count one as a size.
 *
 * So the module makes one event of each kind itself, and compares every argument with what it
 * knows, as a number. The probes of the test have the lists of arguments of the account's probes.
 * The kprobes and the ftrace callback of the account call kma_selftest_see(). A mismatch refuses
 * the load.
 *
 * The module cannot make events of reclaim, compaction and OOM kills. Their probes are attached
 * only in the release that the module was built for (kma_probe_built_for()).
 *
 * Never done here: dereferencing an argument; looking at events of other tasks or of interrupts.
 */
#ifndef KMA_SELFTEST_H
#define KMA_SELFTEST_H

#include <linux/types.h>

/*
 * Compare the arguments of all events that parameter events names; with @untraced, those of the
 * kprobes and of the callback of late.h as well. The kprobes then stay attached for the account,
 * and kma_untraced_unregister() detaches them.
 *
 * Context: process, may sleep; before the files of the module exist.
 *
 * Return: 0; -ENODEV, with a line in the kernel log, if an argument is not what it should be;
 * -ENOMEM; or the error of a tracepoint that refused a probe.
 */
int kma_selftest(bool untraced);

#endif /* KMA_SELFTEST_H */
