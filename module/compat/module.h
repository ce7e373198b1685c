/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * module.h - addresses and sizes of a module's memory.
 */
#ifndef KMA_COMPAT_MODULE_H
#define KMA_COMPAT_MODULE_H

#include <linux/module.h>

#ifndef KMA_MODULE_LAYOUT

static inline unsigned long kma_module_text(const struct module *mod)
{
	return (unsigned long)mod->mem[MOD_TEXT].base;
}

static inline unsigned long kma_module_init_text(const struct module *mod)
{
	return (unsigned long)mod->mem[MOD_INIT_TEXT].base;
}

static inline size_t kma_module_text_size(const struct module *mod)
{
	return mod->mem[MOD_TEXT].size;
}

static inline size_t kma_module_init_text_size(const struct module *mod)
{
	return mod->mem[MOD_INIT_TEXT].size;
}

static inline size_t kma_module_bytes(const struct module *mod)
{
	size_t bytes = 0;

	for_each_mod_mem_type(type)
		bytes += mod->mem[type].size;
	return bytes;
}

#else

/*
 * Before v6.4, commit ac3b43283923 ("module: replace module_layout with
 * module_memory"), a module has two blocks of memory, which begin with the text. The kernel
 * frees the second block after init.
 */
static inline unsigned long kma_module_text(const struct module *mod)
{
	return (unsigned long)mod->core_layout.base;
}

static inline unsigned long kma_module_init_text(const struct module *mod)
{
	return (unsigned long)mod->init_layout.base;
}

static inline size_t kma_module_text_size(const struct module *mod)
{
	return mod->core_layout.text_size;
}

static inline size_t kma_module_init_text_size(const struct module *mod)
{
	return mod->init_layout.text_size;
}

static inline size_t kma_module_bytes(const struct module *mod)
{
	return mod->core_layout.size + mod->init_layout.size;
}

#endif

#endif /* KMA_COMPAT_MODULE_H */
