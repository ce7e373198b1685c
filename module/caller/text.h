/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.h - addresses and build IDs of the code of vmlinux and of modules.
 *
 * The kernel exports none of these to modules:
 *
 *  text of vmlinux  _stext is not exported. It is the lowest address with a symbol, and is
 *                   searched for once.
 *  a module         find_module() is not exported. A module is searched for by name among
 *                   the children of /sys/module.
 *  build IDs        read from the notes that sysfs shows, by the functions of sysfs;
 *                   module.build_id depends on the configuration.
 */
#ifndef KMA_TEXT_H
#define KMA_TEXT_H

#include <linux/kallsyms.h>
#include <linux/types.h>

#define KMA_BUILD_ID_MAX	20	/* bytes: SHA-1; others are shorter */
#define KMA_BUILD_ID_LEN	(2 * KMA_BUILD_ID_MAX + 1)

/**
 * struct kma_text - the code of vmlinux or of a module
 * @at: first address; 0 if unknown
 * @size: bytes; for vmlinux up to the end of its symbols
 * @id: build ID
 * @id_len: bytes of @id; 0 if unknown
 */
struct kma_text {
	unsigned long at;
	size_t size;
	u8 id[KMA_BUILD_ID_MAX];
	u8 id_len;
};

struct module;

/*
 * Find the addresses and the build ID of vmlinux. Unknown values are printed as "-".
 * Context: process, may sleep.
 */
void kma_text_init(void);

/**
 * kma_text_vmlinux() - get the addresses and the build ID of vmlinux
 * @text: set to them
 *
 * Context: process, may sleep.
 */
void kma_text_vmlinux(struct kma_text *text);

/**
 * kma_text_module() - get the addresses and the build ID of a module
 * @mod: the module, which the caller keeps loaded
 * @text: set to them; a module that is not in sysfs yet has no build ID
 *
 * Context: process, may sleep.
 */
void kma_text_module(struct module *mod, struct kma_text *text);

/**
 * kma_text_module_init() - get the addresses of the init code of a module
 * @mod: the module, whose init code is not removed yet
 * @text: set to them
 *
 * Context: a module notifier.
 */
void kma_text_module_init(struct module *mod, struct kma_text *text);

/**
 * kma_text_each_module() - call a function for each module that is loaded
 * @fn: the function
 * @arg: passed to @fn
 *
 * Context: process, may sleep; the caller holds a lock that the module notifier takes, so no
 * module is unloaded while this function runs.
 * Return: an upper bound of the number of modules, also if @fn is NULL; or -ENOMEM.
 */
int kma_text_each_module(void (*fn)(struct module *mod, void *arg), void *arg);

/**
 * kma_text_each_name() - call a function for each symbol in the text of a module
 * @mod: the module, which the caller keeps loaded; its init code is left out
 * @fn: the function
 * @arg: passed to @fn
 *
 * Context: process, may sleep.
 */
void kma_text_each_name(struct module *mod,
			void (*fn)(unsigned long addr, const char *name, void *arg), void *arg);

/*
 * Get the size of the code and static data of this module.
 * Return: bytes; 0 if the module is built in, as part of vmlinux.
 */
size_t kma_text_own_bytes(void);

/**
 * kma_text_symbol() - get the symbol of an address
 * @addr: the address
 * @symbol: set to the symbol, as %pS prints it
 *
 * Context: any.
 * Return: false if the address has no symbol.
 */
bool kma_text_symbol(unsigned long addr, char symbol[KSYM_SYMBOL_LEN]);

/**
 * kma_text_start() - search for the start of the text of vmlinux
 * @symbol: a buffer
 *
 * Context: any.
 * Return: the address; 0 if the kernel has no symbols.
 */
unsigned long kma_text_start(char symbol[KSYM_SYMBOL_LEN]);

/* Get the start of the text of vmlinux. Return: the address; 0 if unknown. */
unsigned long kma_text_vmlinux_at(void);

/* Get the build ID of vmlinux. Return: hexadecimal digits; "-" if unknown. */
const char *kma_text_vmlinux_id(void);

/**
 * kma_text_module_get() - find the module that contains an address
 * @name: name of the module
 * @addr: the address
 *
 * Context: process, may sleep.
 * Return: the module, whose kobject the caller must put; NULL if no module has this name, or
 * @addr is not in its code.
 */
struct module *kma_text_module_get(const char *name, unsigned long addr);

/**
 * kma_text_module_id() - get the build ID of a module
 * @mod: the module, which is in sysfs
 * @id: set to hexadecimal digits; unchanged if the module has none
 *
 * Context: process, may sleep.
 */
void kma_text_module_id(struct module *mod, char id[KMA_BUILD_ID_LEN]);

#endif /* KMA_TEXT_H */
