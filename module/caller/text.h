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
 *
 * Contexts: process, may sleep, unless stated.
 */
#ifndef KMA_TEXT_H
#define KMA_TEXT_H

#include <linux/kallsyms.h>
#include <linux/types.h>

#define KMA_BUILD_ID_MAX	20	/* bytes: SHA-1; others are shorter */
#define KMA_BUILD_ID_LEN	(2 * KMA_BUILD_ID_MAX + 1)

/* The code of vmlinux or of a module. */
struct kma_text {
	unsigned long at;		/* first address; 0 if unknown */
	size_t size;			/* bytes; for vmlinux up to the end of its symbols */
	u8 id[KMA_BUILD_ID_MAX];	/* build ID */
	u8 id_len;			/* bytes of @id; 0 if unknown */
};

struct module;

/* Find the addresses and the build ID of vmlinux. Unknown values are printed as "-". */
void kma_text_init(void);

void kma_text_vmlinux(struct kma_text *text);

/* Of a module that the caller keeps loaded. One that is not in sysfs yet has no build ID. */
void kma_text_module(struct module *mod, struct kma_text *text);

/* The addresses of its init code, which is not removed yet. Context: a module notifier. */
void kma_text_module_init(struct module *mod, struct kma_text *text);

/*
 * Call a function for each module that is loaded. The caller holds a lock that the module notifier
 * takes, so no module is unloaded meanwhile. Return: an upper bound of their number, also if @fn is
 * NULL; or -ENOMEM.
 */
int kma_text_each_module(void (*fn)(struct module *mod, void *arg), void *arg);

/*
 * Call a function for each symbol in the text of a module that the caller keeps loaded, without its
 * init code.
 */
void kma_text_each_name(struct module *mod,
			void (*fn)(unsigned long addr, const char *name, void *arg), void *arg);

/* Code and static data of this module; 0 if it is built in, as part of vmlinux. */
size_t kma_text_own_bytes(void);

/* As %pS prints it. False if the address has no symbol. Any context. */
bool kma_text_symbol(unsigned long addr, char symbol[KSYM_SYMBOL_LEN]);

/*
 * Search for the start of the text of vmlinux; 0 if the kernel has no symbols. @symbol is a buffer.
 */
unsigned long kma_text_start(char symbol[KSYM_SYMBOL_LEN]);

/*
 * The start of the text of vmlinux, 0 if unknown; and its build ID in hexadecimal digits, "-" if
 * unknown.
 */
unsigned long kma_text_vmlinux_at(void);
const char *kma_text_vmlinux_id(void);

/*
 * The module of this name whose code contains the address, or NULL. The caller must put its
 * kobject.
 */
struct module *kma_text_module_get(const char *name, unsigned long addr);

/* Set @id to the build ID of a module in sysfs, in hexadecimal digits; unchanged if it has none. */
void kma_text_module_id(struct module *mod, char id[KMA_BUILD_ID_LEN]);

#endif /* KMA_TEXT_H */
