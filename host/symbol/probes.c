// SPDX-License-Identifier: GPL-2.0-only
/*
 * probes.c - the arguments of the module's probes beside those of a kernel's trace events.
 *
 * Both are lists of C declarations. The module's are text. The kernel's come from BTF, which has
 * "long unsigned int" where a person writes "unsigned long". So a type is compared as a set of
 * words and a number of stars: no type of these lists has a star between qualifiers.
 *
 * An argument that the kernel's event has at another place is a difference even if all types are
 * the same: kmalloc(bytes_req, bytes_alloc) has two of type size_t. A name that the kernel's list
 * lacks is not one: the kernel may have renamed its argument, and only the test that the module
 * runs when it is loaded can tell.
 */
#include <ctype.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btf.h"
#include "elf.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/file.h"
#include "probes.h"

/* More arguments than any trace event has (a register holds each, or the stack does). */
#define KMA_PROBE_ARGS	32
#define KMA_PROBE_WORDS 16

const char *const kma_probe_verdicts[KMA_PROBE_NR_VERDICTS] = {
	[KMA_PROBE_SAME] = "same",
	[KMA_PROBE_RENAMED] = "renamed",
	[KMA_PROBE_DIFFERS] = "differs",
	[KMA_PROBE_MISSING] = "missing",
};

/* A part of a text. */
struct kma_probe_word {
	const char *str;
	size_t len;
};

/* One declaration, cut into its words. */
struct kma_probe_arg {
	struct kma_probe_word text, name, words[KMA_PROBE_WORDS];
	size_t nr, stars;
};

static bool probe_word_is(struct kma_probe_word a, struct kma_probe_word b)
{
	return a.len == b.len && !memcmp(a.str, b.str, a.len);
}

/* Cut a declaration. Words for the compiler ("__percpu", "__attribute__((x))") are left out. */
static struct kma_probe_arg probe_cut(const char *str, size_t len)
{
	struct kma_probe_arg arg = { .text = { str, len } };
	size_t depth = 0;

	for (size_t i = 0; i < len; i++) {
		struct kma_probe_word word = { str + i, 0 };

		depth += str[i] == '(';
		if (depth) {
			depth -= str[i] == ')';
			continue;
		}
		arg.stars += str[i] == '*';
		while (i + word.len < len &&
		       (isalnum((unsigned char)word.str[word.len]) || word.str[word.len] == '_'))
			word.len++;
		if (!word.len)
			continue;
		i += word.len - 1;
		if (strncmp(word.str, "__", 2) && arg.nr < KMA_PROBE_WORDS)
			arg.words[arg.nr++] = word;
	}
	if (arg.nr)
		arg.name = arg.words[--arg.nr];
	return arg;
}

static bool probe_has_text(const struct kma_probe_arg *arg, const char *text)
{
	for (size_t i = 0; i < arg->nr; i++)
		if (probe_word_is(arg->words[i], (struct kma_probe_word){ text, strlen(text) }))
			return true;
	return false;
}

/* Is a word in the list? "long", "short" and "unsigned" imply "int". */
static bool probe_has(const struct kma_probe_arg *arg, struct kma_probe_word word)
{
	for (size_t i = 0; i < arg->nr; i++)
		if (probe_word_is(arg->words[i], word))
			return true;
	return probe_word_is(word, (struct kma_probe_word){ "int", 3 }) &&
	       (probe_has_text(arg, "long") || probe_has_text(arg, "short") ||
		probe_has_text(arg, "unsigned"));
}

static bool probe_same_type(const struct kma_probe_arg *a, const struct kma_probe_arg *b)
{
	if (a->stars != b->stars)
		return false;
	for (size_t i = 0; i < a->nr; i++)
		if (!probe_has(b, a->words[i]))
			return false;
	for (size_t i = 0; i < b->nr; i++)
		if (!probe_has(a, b->words[i]))
			return false;
	return true;
}

/* Cut a list of declarations at its commas; more than fit are not looked at. */
static size_t probe_args(const struct kma_strbuf *list, struct kma_probe_arg *args)
{
	const char *at = list->str ?: "";
	size_t nr = 0;

	while (*at && nr < KMA_PROBE_ARGS) {
		size_t len = strcspn(at, ",");

		args[nr++] = probe_cut(at, len);
		at += len;
		at += strspn(at, ", ");
	}
	return nr;
}

/* Index of an argument of that name; @nr if there is none. */
static size_t probe_find(const struct kma_probe_arg *args, size_t nr, struct kma_probe_word name)
{
	size_t i = 0;

	while (i < nr && !probe_word_is(args[i].name, name))
		i++;
	return i;
}

static void probe_compare(struct kma_probe_event *e)
{
	struct kma_probe_arg module[KMA_PROBE_ARGS], kernel[KMA_PROBE_ARGS];
	size_t nr = probe_args(&e->module, module), has = probe_args(&e->kernel, kernel);

	for (size_t i = 0; i < nr && i < has; i++) {
		bool moved = !probe_word_is(module[i].name, kernel[i].name) &&
			     probe_find(kernel, has, module[i].name) < has;

		if (!moved && probe_same_type(&module[i], &kernel[i])) {
			if (!probe_word_is(module[i].name, kernel[i].name))
				e->verdict = KMA_PROBE_RENAMED;
			continue;
		}
		e->verdict = KMA_PROBE_DIFFERS;
		kma_strbuf_printf(&e->first, "argument %zu: %.*s in the module, %.*s in the kernel",
				  i + 1, (int)module[i].text.len, module[i].text.str,
				  (int)kernel[i].text.len, kernel[i].text.str);
		return;
	}
	if (nr == has)
		return;
	e->verdict = KMA_PROBE_DIFFERS;
	kma_strbuf_printf(&e->first, "%zu arguments in the module, %zu in the kernel", nr, has);
}

/* Write the arguments of the kernel's event, without the first, as C does. */
static void probe_kernel(const struct kma_btf *btf, struct kma_probe_event *e)
{
	_cleanup_strbuf_ struct kma_strbuf name = { 0 };
	struct kma_btf_param param;
	uint32_t proto;

	kma_strbuf_printf(&name, "__traceiter_%s", e->event);
	proto = kma_btf_function(btf, name.str);
	if (!proto) {
		e->verdict = KMA_PROBE_MISSING;
		kma_strbuf_puts(&e->first, "the kernel does not have this event");
		return;
	}
	for (unsigned int i = 1; kma_btf_param(btf, proto, i, &param); i++) {
		kma_strbuf_puts(&e->kernel, i > 1 ? ", " : "");
		kma_btf_text(btf, param.type, &e->kernel);
		if (e->kernel.str && e->kernel.str[e->kernel.len - 1] != '*')
			kma_strbuf_puts(&e->kernel, " ");
		kma_strbuf_puts(&e->kernel, *param.name ? param.name : "?");
	}
	probe_compare(e);
}

/* Take "kfree(void *data, unsigned long call_site, ...)". */
static void probe_take(const struct kma_btf *btf, const char *text, struct kma_probes *ret)
{
	size_t name = strcspn(text, "("), len = strlen(text), first;
	struct kma_probe_event *e;

	kma_array_room(ret->events, ret->nr, ret->room);
	e = &ret->events[ret->nr++];
	*e = (struct kma_probe_event){ .event = kma_xstrndup(text, name) };
	/* The first argument is the probe's own, which no event has. */
	first = name + strcspn(text + name, ",)");
	first += text[first] == ',';
	first += strspn(text + first, " ");
	if (first < len)
		kma_strbuf_add(&e->module, text + first, len - first - (text[len - 1] == ')'));
	probe_kernel(btf, e);
}

/* Take all of .modinfo: texts "TAG=VALUE", each with a zero byte behind it. */
static void probe_modinfo(const char *at, size_t len, const struct kma_btf *btf,
			  struct kma_probes *ret)
{
	for (const char *end = at + len; at < end; at += strlen(at) + 1) {
		if (!memchr(at, 0, end - at))
			break;
		if (!strncmp(at, "event=", 6))
			probe_take(btf, at + 6, ret);
		else if (!strncmp(at, "vermagic=", 9) && !ret->release)
			ret->release = kma_xstrndup(at + 9, strcspn(at + 9, " "));
	}
}

static void probe_section(Elf *elf, const struct kma_btf *btf, struct kma_probes *ret)
{
	Elf_Scn *scn = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr hdr;
		const char *name;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &hdr))
			continue;
		name = elf_strptr(elf, strings, hdr.sh_name);
		if (!name || strcmp(name, ".modinfo"))
			continue;
		data = elf_rawdata(scn, NULL);
		if (data && data->d_buf) {
			probe_modinfo(data->d_buf, data->d_size, btf, ret);
			return;
		}
	}
}

struct kma_err *kma_probes_read(const char *path, const char *file, const struct kma_btf *btf,
				struct kma_probes *ret)
{
	struct kma_err *err;
	struct stat st;
	Elf *elf;
	int fd;

	err = kma_file_open(AT_FDCWD, file, KMA_FILE_REGULAR, &fd, &st);
	if (err)
		return err;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		err = kma_elf_refuse(fd, path);
	else if (kma_elf_is_truncated(elf, (uint64_t)st.st_size))
		err = kma_elf_truncated(path);
	else
		probe_section(elf, btf, ret);
	if (!err && !ret->nr)
		err = kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, path, 0,
			"not a kmem_account.ko, or one of an older version: it has no list of its events");
	elf_end(elf);
	close(fd);
	return err;
}

void kma_probes_destroy(struct kma_probes *probes)
{
	for (size_t i = 0; i < probes->nr; i++) {
		free(probes->events[i].event);
		kma_strbuf_deinit(&probes->events[i].module);
		kma_strbuf_deinit(&probes->events[i].kernel);
		kma_strbuf_deinit(&probes->events[i].first);
	}
	free(probes->events);
	free(probes->release);
}
