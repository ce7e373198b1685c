// SPDX-License-Identifier: GPL-2.0-only
/*
 * place.c - prints the file of the code at an address, and the offset in that file.
 *
 * The design is in place.h.
 */
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "caller/place.h"
#include "caller/text.h"
#include "compat/module.h"

static int kma_print_module(char *buf, const char *name, unsigned long addr, bool held)
{
	struct module *mod = kma_text_module_get(name, addr);
	bool init = mod && within_module_init(addr, mod);
	char id[KMA_BUILD_ID_LEN] = "-";
	int len;

	if (!mod)
		return sprintf(buf, "%s\t-\t-\t", name);
	/* the kernel removes the notes from sysfs after the notifiers have run */
	if (held || READ_ONCE(mod->state) != MODULE_STATE_GOING)
		kma_text_module_id(mod, id);
	addr -= init ? kma_module_init_text(mod) : kma_module_text(mod);
	len = sprintf(buf, "%s\t%s0x%lx\t%s\t", name, init ? "init:" : "",
		      addr, id);
	kobject_put(&mod->mkobj.kobj);
	return len;
}

static int kma_print_vmlinux(char *buf, unsigned long addr)
{
	unsigned long text = kma_text_vmlinux_at();

	if (!text || addr < text)
		return sprintf(buf, "vmlinux\t-\t%s\t", kma_text_vmlinux_id());
	return sprintf(buf, "vmlinux\t0x%lx\t%s\t", addr - text,
		       kma_text_vmlinux_id());
}

/* The module name of "symbol+0x1/0x2 [name]", or NULL for a symbol of vmlinux. */
static char *kma_symbol_module(char *symbol, char name[MODULE_NAME_LEN])
{
	char *open = strrchr(symbol, '['), *close = strrchr(symbol, ']');

	if (!open || !close || close < open)
		return NULL;
	strscpy(name, open + 1, min_t(size_t, close - open, MODULE_NAME_LEN));
	return name;
}

void kma_place_print(unsigned long addr, char buf[KMA_PLACE_LEN], bool held)
{
	char *symbol = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	char name[MODULE_NAME_LEN];
	int len;

	if (!symbol) {
		strscpy(buf, "-\t-\t-\t[no memory for the name]", KMA_PLACE_LEN);
		return;
	}
	if (!kma_text_symbol(addr, symbol))
		len = sprintf(buf, "-\t-\t-\t");
	else if (kma_symbol_module(symbol, name))
		len = kma_print_module(buf, name, addr, held);
	else
		len = kma_print_vmlinux(buf, addr);
	strscpy(buf + len, symbol, KMA_PLACE_LEN - len);
	kfree(symbol);
}
