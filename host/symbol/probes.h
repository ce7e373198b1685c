/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probes.h - the arguments of the module's probes beside those of a kernel's trace events.
 *
 * A probe takes what the kernel's headers promised when the module was compiled. The versions of
 * symbols (CONFIG_MODVERSIONS) do not cover the arguments of trace events, so a kernel may load a
 * module whose probes would take one argument for another. The module names the arguments in its
 * section .modinfo ("event=kfree(void *data, unsigned long call_site, const void *ptr)"), and the
 * kernel in its BTF: the function __traceiter_EVENT has the types and the names.
 */
#ifndef KMA_SYMBOL_PROBES_H
#define KMA_SYMBOL_PROBES_H

#include <stddef.h>

#include "lib/err.h"
#include "lib/strbuf.h"

struct kma_btf;

enum kma_probe_verdict {
	KMA_PROBE_SAME,
	KMA_PROBE_RENAMED, /* the types are the same; an argument has a name that the module lacks */
	KMA_PROBE_DIFFERS, /* an argument has another type, or is in another place */
	KMA_PROBE_MISSING, /* the kernel does not have the event */
	KMA_PROBE_NR_VERDICTS,
};

extern const char *const kma_probe_verdicts[KMA_PROBE_NR_VERDICTS];

/* An event to which the module attaches a probe. */
struct kma_probe_event {
	char *event; /* "kfree" */
	struct kma_strbuf
		module; /* arguments of the probe, without the first: "unsigned long call_site" */
	struct kma_strbuf kernel; /* those of the kernel's event; empty if it is missing */
	struct kma_strbuf first;  /* sentence about the first difference; empty if there is none */
	enum kma_probe_verdict verdict;
};

struct kma_probes {
	char *release; /* the kernel that the module was compiled for; NULL if it does not say */
	struct kma_probe_event *events; /* in the order of the file */
	size_t nr, room;
};

/**
 * kma_probes_read() - compare the probes of a module with the events of a kernel
 * @path: name of the module, for messages
 * @file: the module, a regular file that is not compressed
 * @btf: the kernel's types
 * @ret: set to the events; to be freed with kma_probes_destroy() also after an error
 *
 * Return: NULL, or an error that names @path: not an ELF file, damaged, or not our module, or one
 * that was built before the module named its events.
 */
struct kma_err *kma_probes_read(const char *path, const char *file, const struct kma_btf *btf,
				struct kma_probes *ret);

/**
 * kma_probes_destroy() - free the events
 * @probes: may be zeroed
 */
void kma_probes_destroy(struct kma_probes *probes);

#endif /* KMA_SYMBOL_PROBES_H */
