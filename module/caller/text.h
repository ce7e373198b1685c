/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.h - where the code of vmlinux and of each module lies, and its build ID.
 *
 * Where the kernel does not tell modules:
 *
 *  text of vmlinux  _stext is not exported. It is the lowest address for which
 *                   the kernel knows a symbol, and is searched once.
 *  a module         is found by its name among the children of /sys/module, as
 *                   find_module() is not exported either.
 *  build IDs        are read from the notes that sysfs shows, through the same
 *                   functions; module.build_id depends on the configuration.
 */
#ifndef KMA_TEXT_H
#define KMA_TEXT_H

#include <linux/kallsyms.h>
#include <linux/types.h>

#define KMA_BUILD_ID_MAX	20	/* bytes: SHA-1; others are shorter */
#define KMA_BUILD_ID_LEN	(2 * KMA_BUILD_ID_MAX + 1)

/**
 * struct kma_text - where the code of vmlinux or of a module is
 * @at: its first address; 0 if it is not known
 * @size: bytes; of vmlinux to the end of its symbols
 * @id: build ID
 * @id_len: bytes of that, 0 if it is not known
 */
struct kma_text {
	unsigned long at;
	size_t size;
	u8 id[KMA_BUILD_ID_MAX];
	u8 id_len;
};

struct module;

/**
 * kma_text_init() - learn where vmlinux lies
 *
 * What cannot be learnt prints as "-" later.
 *
 * Context: process, may sleep.
 */
void kma_text_init(void);

/**
 * kma_text_vmlinux() - where vmlinux is
 * @text: what is known
 *
 * Context: process, may sleep.
 */
void kma_text_vmlinux(struct kma_text *text);

/**
 * kma_text_module() - where a module is
 * @mod: the module, which does not go meanwhile
 * @text: what is known; there is no build ID before it is in sysfs
 *
 * Context: process, may sleep.
 */
void kma_text_module(struct module *mod, struct kma_text *text);

/**
 * kma_text_module_init() - where the code of a module is that goes after its init
 * @mod: the module, whose init has not run or just has
 * @text: what is known
 *
 * Context: a module notifier.
 */
void kma_text_module_init(struct module *mod, struct kma_text *text);

/**
 * kma_text_each_module() - call a function for each module that is loaded
 * @fn: the function
 * @arg: handed to it
 *
 * Context: process, may sleep; a notifier of modules that go is held off.
 * Return: more than their number, also without a function; or -ENOMEM.
 */
int kma_text_each_module(void (*fn)(struct module *mod, void *arg), void *arg);

/**
 * kma_text_own_bytes() - what the code and static data of this module take
 *
 * Return: bytes; 0 if it is built in, where it is a part of vmlinux.
 */
size_t kma_text_own_bytes(void);

/**
 * kma_text_symbol() - the symbol of an address
 * @addr: the address
 * @symbol: set to it, as %pS prints it
 *
 * Context: any.
 * Return: false if the address has none.
 */
bool kma_text_symbol(unsigned long addr, char symbol[KSYM_SYMBOL_LEN]);

/**
 * kma_text_vmlinux_at() - where the text of vmlinux begins
 *
 * Return: the address; 0 if it is not known.
 */
unsigned long kma_text_vmlinux_at(void);

/**
 * kma_text_vmlinux_id() - the build ID of vmlinux
 *
 * Return: hexadecimal digits, or "-".
 */
const char *kma_text_vmlinux_id(void);

/**
 * kma_text_module_get() - the module in which an address lies
 * @name: of the module
 * @addr: the address
 *
 * Context: process, may sleep.
 * Return: the module, whose kobject the caller must put; NULL if there is none of
 * this name, or @addr is not in its code.
 */
struct module *kma_text_module_get(const char *name, unsigned long addr);

/**
 * kma_text_module_id() - the build ID of a module
 * @mod: the module, which is in sysfs
 * @id: set to hexadecimal digits; unchanged if the module has none
 *
 * Context: process, may sleep.
 */
void kma_text_module_id(struct module *mod, char id[KMA_BUILD_ID_LEN]);

#endif /* KMA_TEXT_H */
