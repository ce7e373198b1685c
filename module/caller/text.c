// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c - addresses and build IDs of the code of vmlinux and of modules.
 *
 * The design is in text.h.
 */
#include <linux/elf.h>
#include <linux/kernel.h>
#include <linux/kernfs.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "caller/text.h"
#include "compat/hex.h"
#include "compat/module.h"
#include "compat/sysfs.h"

#define KMA_NOTE_BUILD_ID	3	/* NT_GNU_BUILD_ID */

static unsigned long kma_vmlinux_text;	/* 0: not known */
static char kma_vmlinux_id[KMA_BUILD_ID_LEN] = "-";

unsigned long kma_text_vmlinux_at(void)
{
	return kma_vmlinux_text;
}

const char *kma_text_vmlinux_id(void)
{
	return kma_vmlinux_id;
}

/* Print the build ID in @size bytes of ELF notes. */
static void kma_note_find(const char *notes, size_t size, char id[KMA_BUILD_ID_LEN])
{
	size_t at = 0;

	while (at + sizeof(struct elf64_note) <= size) {
		const struct elf64_note *note = (const struct elf64_note *)(notes + at);
		const char *name = (const char *)(note + 1);
		const char *desc = name + ALIGN((size_t)note->n_namesz, 4);

		at = desc - notes + ALIGN((size_t)note->n_descsz, 4);
		if (at > size)
			return;
		if (note->n_type != KMA_NOTE_BUILD_ID ||
		    note->n_namesz != sizeof("GNU") ||
		    memcmp(name, "GNU", sizeof("GNU")) ||
		    note->n_descsz > KMA_BUILD_ID_MAX)
			continue;
		snprintf(id, KMA_BUILD_ID_LEN, "%*phN", (int)note->n_descsz,
			 desc);
		return;
	}
}

/* Read the notes in the sysfs file @name in directory @dir of @kobj. */
static void kma_notes_read(struct kobject *kobj, struct kernfs_node *dir,
			   const char *name, char id[KMA_BUILD_ID_LEN])
{
	struct kernfs_node *kn = dir ? kernfs_find_and_get(dir, name) : NULL;
	char *buf = kzalloc(PAGE_SIZE, GFP_KERNEL);

	if (kn && buf && kernfs_type(kn) == KERNFS_FILE) {
		struct bin_attribute *attr = kn->priv;
		ssize_t size = kma_sysfs_read(kobj, attr, buf,
					      min_t(size_t, attr->size, PAGE_SIZE));

		if (size > 0)
			kma_note_find(buf, size, id);
	}
	kfree(buf);
	kernfs_put(kn);
}

void kma_text_module_id(struct module *mod, char id[KMA_BUILD_ID_LEN])
{
	struct kobject *kobj = &mod->mkobj.kobj;
	struct kernfs_node *dir = kernfs_find_and_get(kobj->sd, "notes");

	kma_notes_read(kobj, dir, ".note.gnu.build-id", id);
	kernfs_put(dir);
}

/* Find the directory of all modules, whose variable is not exported. */
static struct kset *kma_modules(void)
{
#ifdef MODULE
	return THIS_MODULE->mkobj.kobj.kset;
#else
	return module_kset;
#endif
}

static struct module *kma_kobject_module(struct kobject *kobj)
{
	return container_of(kobj, struct module_kobject, kobj)->mod;
}

/*
 * Store the first @max modules of /sys/module in @to; the caller puts each of them. Built-in
 * code also has directories there, which are skipped. Returns the number of modules.
 */
static size_t kma_modules_get(struct kobject **to, size_t max)
{
	struct kset *all = kma_modules();
	struct kobject *kobj;
	size_t n = 0;

	if (!all)
		return 0;
	spin_lock(&all->list_lock);
	list_for_each_entry(kobj, &all->list, entry) {
		if (!kma_kobject_module(kobj))
			continue;
		if (n < max)
			to[n] = kobject_get_unless_zero(kobj);
		n++;
	}
	spin_unlock(&all->list_lock);
	return n;
}

bool kma_text_symbol(unsigned long addr, char symbol[KSYM_SYMBOL_LEN])
{
	sprint_symbol(symbol, addr);
	return strncmp(symbol, "0x", 2);
}

struct module *kma_text_module_get(const char *name, unsigned long addr)
{
	struct kset *all = kma_modules();
	struct kobject *kobj = all ? kset_find_obj(all, name) : NULL;
	struct module *mod;

	if (!kobj)
		return NULL;
	mod = kma_kobject_module(kobj);
	if (mod && within_module(addr, mod))
		return mod;
	kobject_put(kobj);
	return NULL;
}

/* Every address of vmlinux from _stext on has a symbol; addresses just below have none. */
unsigned long kma_text_start(char symbol[KSYM_SYMBOL_LEN])
{
	unsigned long addr = (unsigned long)sprint_symbol, step;

	if (!kma_text_symbol(addr, symbol))
		addr = 0;
	for (step = SZ_64K; addr && step; step /= 2)
		while (kma_text_symbol(addr - step, symbol) && !strchr(symbol, '['))
			addr -= step;
	return addr;
}

void __init kma_text_init(void)
{
	char *symbol = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);

	if (symbol)
		kma_vmlinux_text = kma_text_start(symbol);
	kfree(symbol);
	kma_notes_read(kernel_kobj, kernel_kobj->sd, "notes", kma_vmlinux_id);
}

/* All addresses of vmlinux up to its end have symbols. */
static unsigned long kma_find_end(unsigned long text)
{
	unsigned long addr = text, step;
	char *symbol = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);

	if (!symbol)
		return text;
	for (step = SZ_64K; addr && step; step /= 2)
		while (kma_text_symbol(addr + step, symbol) && !strchr(symbol, '['))
			addr += step;
	kfree(symbol);
	return addr + !!addr;
}

static void kma_id_set(struct kma_text *text, const char id[KMA_BUILD_ID_LEN])
{
	size_t len = strlen(id) / 2;

	text->id_len = len && !hex2bin(text->id, id, len) ? len : 0;
}

void kma_text_vmlinux(struct kma_text *text)
{
	*text = (struct kma_text){
		.at = kma_vmlinux_text,
		.size = kma_find_end(kma_vmlinux_text) - kma_vmlinux_text,
	};
	kma_id_set(text, kma_vmlinux_id);
}

void kma_text_module(struct module *mod, struct kma_text *text)
{
	char id[KMA_BUILD_ID_LEN] = "";

	*text = (struct kma_text){
		.at = kma_module_text(mod), .size = kma_module_text_size(mod),
	};
	if (mod->mkobj.kobj.sd)
		kma_text_module_id(mod, id);
	kma_id_set(text, id);
}

void kma_text_module_init(struct module *mod, struct kma_text *text)
{
	kma_text_module(mod, text);
	text->at = kma_module_init_text(mod);
	text->size = kma_module_init_text_size(mod);
}

int kma_text_each_module(void (*fn)(struct module *mod, void *arg), void *arg)
{
	size_t max = kma_modules_get(NULL, 0) + 16, n;
	struct kobject **kobjs;

	if (!fn)
		return max;
	kobjs = kvcalloc(max, sizeof(*kobjs), GFP_KERNEL);
	if (!kobjs)
		return -ENOMEM;
	n = min(kma_modules_get(kobjs, max), max);
	while (n--) {
		struct module *mod;

		if (!kobjs[n])
			continue;
		mod = kma_kobject_module(kobjs[n]);
		if (READ_ONCE(mod->state) != MODULE_STATE_GOING)
			fn(mod, arg);
		kobject_put(kobjs[n]);
	}
	kvfree(kobjs);
	return max;
}

void kma_text_each_name(struct module *mod,
			void (*fn)(unsigned long addr, const char *name, void *arg), void *arg)
{
#if defined(CONFIG_KALLSYMS) && defined(CONFIG_MODULES)
	const struct mod_kallsyms *all = &mod->core_kallsyms;
	unsigned int i;

	for (i = 0; i < all->num_symtab; i++) {
		typeof(*all->symtab) *symbol = &all->symtab[i];

		cond_resched();
		if (symbol->st_shndx != SHN_UNDEF &&
		    symbol->st_value - kma_module_text(mod) < kma_module_text_size(mod))
			fn(symbol->st_value, all->strtab + symbol->st_name, arg);
	}
#endif
}

size_t kma_text_own_bytes(void)
{
#ifdef MODULE
	return kma_module_bytes(THIS_MODULE);
#else
	return 0;
#endif
}
