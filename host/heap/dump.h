/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump.h - the memory of a kernel in a dump of an x86-64 machine.
 *
 * VMCOREINFO, which the kernel has written, says where its page tables and its table of pages are.
 * The pages that a scan leaves out are chosen as in kcore.h, by the flags in struct page.
 *
 * Locking: as in target.h.
 */
#ifndef KMA_HEAP_DUMP_H
#define KMA_HEAP_DUMP_H

#include "target.h"

/*
 * @vmcore is as in dump-file.h; @kallsyms has symbols of the same boot, in the format of
 * /proc/kallsyms. @ret is set to the kernel also after an error: a file cannot be read, is corrupt,
 * is of another boot, or of a kernel that is not supported.
 */
struct kma_err *kma_dump_open(const char *vmcore, const char *kallsyms,
			      struct kma_heap_target *ret);

#endif /* KMA_HEAP_DUMP_H */
