// SPDX-License-Identifier: GPL-2.0-only
/*
 * place.c - the file of the code at an address, and the offset in that file.
 */
#include <linux/buildid.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/rcupdate.h>

#include <asm/sections.h>

#include "caller/place.h"

static int kma_place_file(char *buf, const char *file, const char *init,
			  unsigned long offset, const unsigned char *id)
{
	if (!id)
		return sprintf(buf, "%s\t%s0x%lx\t-\t", file, init, offset);
	return sprintf(buf, "%s\t%s0x%lx\t%*phN\t", file, init, offset,
		       BUILD_ID_SIZE_MAX, id);
}

#ifdef CONFIG_MODULES
/* Return the length of the text; 0 if the address is not in a module. */
static int kma_place_module(char *buf, unsigned long addr)
{
	const unsigned char *id = NULL;
	const struct module *mod;
	bool init;

	guard(rcu)();
	mod = __module_address(addr);
	if (!mod)
		return 0;
#ifdef CONFIG_STACKTRACE_BUILD_ID
	id = mod->build_id;
#endif
	init = within_module_init(addr, mod);
	addr -= (unsigned long)mod->mem[init ? MOD_INIT_TEXT : MOD_TEXT].base;
	return kma_place_file(buf, mod->name, init ? "init:" : "", addr, id);
}
#else
static int kma_place_module(char *buf, unsigned long addr)
{
	return 0;
}
#endif

void kma_place_print(unsigned long addr, char buf[KMA_PLACE_LEN])
{
	const unsigned char *id = NULL;
	int len = kma_place_module(buf, addr);

#if IS_ENABLED(CONFIG_STACKTRACE_BUILD_ID) || IS_ENABLED(CONFIG_VMCORE_INFO)
	id = vmlinux_build_id;
#endif
	if (!len)
		len = kma_place_file(buf, "vmlinux", "", addr - (unsigned long)_stext, id);
	sprint_symbol(buf + len, addr);
}
