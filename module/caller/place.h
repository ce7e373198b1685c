/* SPDX-License-Identifier: GPL-2.0 */
/*
 * place.h - in which file, and where in it, the code at an address is.
 *
 * An address says nothing to another machine, or after the next boot. The file
 * (vmlinux or a module), the offset in its text and its build ID do: a host
 * that has the file finds the line. Where the kernel does not tell them:
 *
 *  text of vmlinux  _stext is not exported. It is the lowest address for which
 *                   the kernel knows a symbol, and is searched once.
 *  a module         is found by its name among the children of /sys/module, as
 *                   find_module() is not exported either.
 *  build IDs        are read from the notes that sysfs shows, through the same
 *                   functions; module.build_id depends on the configuration.
 */
#ifndef KMA_PLACE_H
#define KMA_PLACE_H

#include <linux/kallsyms.h>
#include <linux/types.h>

/* A symbol; a module's name, an offset and a build ID; three tabs. */
#define KMA_PLACE_LEN	(KSYM_SYMBOL_LEN + 128)

/**
 * struct kma_place_text - where the code of vmlinux or of a module is
 * @at: its first address; 0 if it is not known
 * @size: bytes; of vmlinux to the end of its symbols
 * @id: build ID
 * @id_len: bytes of that, 0 if it is not known
 */
struct kma_place_text {
	unsigned long at;
	size_t size;
	u8 id[20];
	u8 id_len;
};

struct module;

/**
 * kma_place_init() - learn where vmlinux lies
 *
 * What cannot be learnt prints as "-" later.
 *
 * Context: process, may sleep.
 */
void kma_place_init(void);

/**
 * kma_place_print() - describe an address
 * @addr: the address
 * @buf: set to "FILE\tOFFSET\tBUILD-ID\tSYMBOL"; what is unknown is "-"
 * @held: the caller is a module notifier: also a module that goes is whole
 *
 * Context: process, may sleep; a module that is not going yet cannot go
 * meanwhile, as its notifier waits for the caller.
 */
void kma_place_print(unsigned long addr, char buf[KMA_PLACE_LEN], bool held);

/**
 * kma_place_vmlinux() - where vmlinux is
 * @text: what is known
 *
 * Context: process, may sleep.
 */
void kma_place_vmlinux(struct kma_place_text *text);

/**
 * kma_place_module() - where a module is
 * @mod: the module, which does not go meanwhile
 * @text: what is known; there is no build ID before it is in sysfs
 *
 * Context: process, may sleep.
 */
void kma_place_module(struct module *mod, struct kma_place_text *text);

/**
 * kma_place_init_text() - where the code of a module is that goes after its init
 * @mod: the module, whose init has not run or just has
 * @text: what is known
 *
 * Context: a module notifier.
 */
void kma_place_init_text(struct module *mod, struct kma_place_text *text);

/**
 * kma_place_each_module() - call a function for each module that is loaded
 * @fn: the function
 * @arg: handed to it
 *
 * Context: process, may sleep; a notifier of modules that go is held off.
 * Return: more than their number, also without a function; or -ENOMEM.
 */
int kma_place_each_module(void (*fn)(struct module *mod, void *arg), void *arg);

/**
 * kma_place_own_bytes() - what the code and static data of this module take
 *
 * Return: bytes; 0 if it is built in, where it is a part of vmlinux.
 */
size_t kma_place_own_bytes(void);

#endif /* KMA_PLACE_H */
