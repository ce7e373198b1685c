// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-check.c - kmem-account check: check an event log, as kmemtrace_check did. --kernel
 * compares what the module needs with a kernel (probes).
 *
 * The log is read as for a report. The findings of the reader are added up by kind, and the first
 * ones are listed with their offsets in the decompressed file. Nothing is repaired.
 */
#include <ctype.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd.h"
#include "input/input.h"
#include "input/progress.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/err.h"
#include "lib/escape.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/sheet.h"
#include "lib/strbuf.h"
#include "lib/unpack.h"
#include "log/log.h"
#include "open/open.h"
#include "open/refuse.h"
#include "rows.h"
#include "symbol/btf.h"
#include "symbol/elf.h"

/*
 * Check --kernel: does the module fit the kernel?
 *
 * The module tests its probes itself when it is loaded (module/source/selftest.c), but cannot make
 * the events of reclaim, compaction and OOM, and a refusal comes only then. This check reads two
 * files, so it can run before a kernel is installed on a fleet.
 */

/*
 * The arguments of the module's probes compared with those of a kernel's trace events.
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

struct kma_btf;

enum kma_probe_verdict {
	KMA_PROBE_SAME,
	KMA_PROBE_RENAMED, /* the types are the same; an argument has a name that the module lacks */
	KMA_PROBE_DIFFERS, /* an argument has another type, or is in another place */
	KMA_PROBE_MISSING, /* the kernel does not have the event */
	KMA_PROBE_NR_VERDICTS,
};

/* An event to which the module attaches a probe. */
struct kma_probe_event {
	char *event; /* "kfree" */
	struct kma_strbuf
		module; /* arguments of the probe, without the first: "unsigned long call_site" */
	struct kma_strbuf kernel; /* those of the kernel's event; empty if it is missing */
	struct kma_strbuf first;  /* sentence about the first difference; empty if there is none */
	enum kma_probe_verdict verdict;
};

struct kma_probes {
	char *release; /* the kernel that the module was compiled for; NULL if it does not say */
	struct kma_probe_event *events; /* in the order of the file */
	size_t nr, room;
};

/* More arguments than any trace event has (a register holds each, or the stack does). */
#define KMA_PROBE_ARGS	32
#define KMA_PROBE_WORDS 16

static const char *const probe_verdicts[KMA_PROBE_NR_VERDICTS] = {
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

/* Take all of .modinfo: texts "TAG=VALUE", each with a zero byte after it. */
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

/* Compare the probes of a module with the events of a kernel. */
static struct kma_err *probes_read(const char *path, const char *file, const struct kma_btf *btf,
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

static void probes_destroy(struct kma_probes *probes)
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

enum {
	KMA_MODULE_FIT_EVENT,
	KMA_MODULE_FIT_VERDICT,
	KMA_MODULE_FIT_FIRST,
	KMA_MODULE_FIT_MODULE,
	KMA_MODULE_FIT_KERNEL,
};

static const struct kma_sheet_column module_fit_columns[] = {
	[KMA_MODULE_FIT_EVENT] = { .name = "event", .title = "EVENT" },
	[KMA_MODULE_FIT_VERDICT] = { .name = "verdict", .title = "VERDICT" },
	[KMA_MODULE_FIT_FIRST] = { .name = "difference", .title = "FIRST DIFFERENCE" },
	[KMA_MODULE_FIT_MODULE] = { .name = "module" },
	[KMA_MODULE_FIT_KERNEL] = { .name = "kernel" },
};

static void module_fit_cell(const void *arg, size_t row, size_t column, struct kma_cell *ret)
{
	const struct kma_probe_event *e = &((const struct kma_probes *)arg)->events[row];

	switch (column) {
	case KMA_MODULE_FIT_EVENT:
		ret->text = e->event;
		break;
	case KMA_MODULE_FIT_VERDICT:
		ret->text = probe_verdicts[e->verdict];
		break;
	case KMA_MODULE_FIT_FIRST:
		ret->text = e->first.str;
		break;
	case KMA_MODULE_FIT_MODULE:
		ret->text = e->module.str;
		break;
	case KMA_MODULE_FIT_KERNEL:
		ret->text = e->kernel.str;
		break;
	}
	ret->none = !ret->text;
}

static size_t module_fit_count(const struct kma_probes *probes, enum kma_probe_verdict verdict)
{
	size_t nr = 0;

	for (size_t i = 0; i < probes->nr; i++)
		nr += probes->events[i].verdict == verdict;
	return nr;
}

static void module_fit_sentence(const struct kma_probes *probes, size_t bad, struct kma_doc *doc)
{
	size_t renamed = module_fit_count(probes, KMA_PROBE_RENAMED);

	if (bad)
		kma_doc_line(doc, "The module does not fit this kernel. Build it for this kernel.");
	else if (renamed)
		kma_doc_line(
			doc,
			"All types match, but the kernel has other names for some arguments. The module tests them when it is loaded.");
	else
		kma_doc_line(doc, "The module fits this kernel.");
}

static void module_fit_text(const struct kma_probes *probes, const char *module, const char *btf,
			    size_t bad, const struct kma_text_options *opts, struct kma_strbuf *out)
{
	const struct kma_sheet sheet = { .name = "events",
					 .columns = module_fit_columns,
					 .nr_columns = ARRAY_SIZE(module_fit_columns),
					 .style = KMA_JSON_SPACED,
					 .cell = module_fit_cell,
					 .arg = probes,
					 .rows = probes->nr };
	struct kma_doc doc;

	kma_text_begin(opts, "kmem-account check --kernel", &doc, out);
	kma_doc_text(&doc, "module", "module", module);
	kma_doc_text(&doc, "built_for", "built for", probes->release ?: "unknown");
	kma_doc_text(&doc, "btf", "kernel", btf);
	if (kma_doc_table(&doc))
		kma_strbuf_puts(out, "\n");
	kma_sheet_write(&sheet, &doc);
	module_fit_sentence(probes, bad, &doc);
	kma_doc_end(&doc);
}

/* Find the module of the running kernel, where DKMS and packages install one. */
static struct kma_err *module_fit_installed(char *path, size_t size)
{
	static const char *const folders[] = { "updates/dkms", "updates", "extra",
					       "kernel/mm/kmem_account" };
	static const char *const ends[] = { "", ".xz", ".zst", ".gz" };
	struct utsname name;

	uname(&name);
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(ends); k++) {
			snprintf(path, size, "/lib/modules/%s/%s/kmem_account.ko%s", name.release,
				 folders[i], ends[k]);
			if (!access(path, F_OK))
				return NULL;
		}
	}
	return kma_err_create_kind(
		KMA_ERR_USAGE, NULL, 0,
		"check: no kmem_account.ko is installed for %s; name the file of the module",
		name.release);
}

static struct kma_err *module_fit_read(const char *module, const char *btf_path,
				       struct kma_probes *ret)
{
	_cleanup_btf_ struct kma_btf *btf = NULL;
	struct kma_input *input = NULL;
	const char *file;
	struct kma_err *err;

	err = kma_btf_read(btf_path, &btf) ?: kma_input_open(module, &input);
	if (!err)
		err = kma_input_path(input, &file) ?:
			      probes_read(kma_input_name(input), file, btf, ret);
	kma_input_close(input);
	return err;
}

/*
 * Compares a module (NULL: the installed one of the running kernel) with the types of a kernel
 * (NULL: of the running one), and writes what was found. Returns the exit status: KMA_EXIT_DATA
 * if an event differs or is missing.
 */
static int check_kernel(const char *module, const char *btf, const struct kma_text_options *opts)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_probes probes = { 0 };
	char installed[256];
	size_t bad = 0;
	struct kma_err *err;

	err = module ? NULL : module_fit_installed(installed, sizeof(installed));
	module = module ?: installed;
	btf = btf ?: KMA_BTF_VMLINUX;
	err = err ?: module_fit_read(module, btf, &probes);
	if (!err) {
		bad = module_fit_count(&probes, KMA_PROBE_DIFFERS) +
		      module_fit_count(&probes, KMA_PROBE_MISSING);
		module_fit_text(&probes, module, btf, bad, opts, &text);
		err = kma_outfile_write(opts->output, &text);
	}
	probes_destroy(&probes);
	if (err)
		return kma_fail_kind(err);
	return bad ? KMA_EXIT_DATA : KMA_EXIT_OK;
}

struct check_args {
	const char *input; /* the log; of --kernel: the module, NULL is the installed one */
	const char *btf;   /* types of the kernel; NULL: those of the running kernel */
	struct kma_text_options text;
	bool kernel, quiet;
};

#define KMA_ARGS struct check_args

/* clang-format off */
static const struct kma_option options[] = {
	KMA_ROW_LOG(input),
	{ "kernel", 'k', TO(FLAG, kernel), .excludes = "file top",
	  .help = "check that the module fits the running kernel: the arguments of its\n"
		  "probes beside those of the kernel's trace events" },
	{ "btf", .arg = "FILE", TO(TEXT, btf), .needs = "kernel",
	  .help = "with --kernel: types of the kernel, a copy of its /sys/kernel/btf/vmlinux" },
	KMA_ROW_TOP_OF("20", text),
	KMA_ROW_FORMAT(text),
	KMA_ROW_CSV_SAFE(text.csv_safe),
	KMA_ROW_ALL(text.all, NULL),
	KMA_ROW_OUTPUT(text.output),
	KMA_ROWS_END(quiet),
};
/* clang-format on */

/* Findings that are listed without --top: in a table, in csv and json. */
#define KMA_CHECK_SHOWN	 20
#define KMA_CHECK_LISTED 10000

struct kma_check {
	const char *name; /* of the log */
	const struct kma_log_head *head;
	const struct kma_log_sums *sums;
	bool stopped;		     /* by Ctrl-C: the rest of the log was not checked */
	struct kma_log_finding *all; /* the first findings, at most @most */
	size_t nr, room, most;	     /* of @all: length, allocated length, limit */
	uint64_t found;		     /* number of all findings */
	struct kma_log_finding first[KMA_LOG_NR_WHATS]; /* first finding of each kind */
	uint64_t values[KMA_LOG_NR_VALUES];		/* invalid values by kind */
	const char *no_end; /* sentence about a missing end of the log, while it is written */
};

static void check_found(void *arg, const struct kma_log_finding *finding)
{
	struct kma_check *check = arg;

	check->found++;
	if (check->nr < check->most) {
		kma_array_room(check->all, check->nr, check->room);
		check->all[check->nr++] = *finding;
	}
	if (!check->first[finding->what].pos)
		check->first[finding->what] = *finding;
	if (finding->what == KMA_LOG_BAD_VALUE && finding->number < KMA_LOG_NR_VALUES)
		check->values[finding->number]++;
}

/* Number to show for a kind: the number of findings, or the sum of their numbers. */
static uint64_t check_number(const struct kma_check *check, enum kma_log_what what)
{
	return what == KMA_LOG_BAD_VALUE ? check->sums->times[what] : check->sums->what[what];
}

enum {
	KMA_CHECK_FINDING,
	KMA_CHECK_CPU,
	KMA_CHECK_OFFSET,
	KMA_CHECK_NUMBER,
	KMA_CHECK_WHAT,
	KMA_CHECK_OFFSET_SHOWN,
	KMA_CHECK_CPU_SHOWN,
	KMA_CHECK_WHAT_SHOWN,
};

/* Columns of the list. Those without a title are for programs, those without a name for people. */
static const struct kma_sheet_column check_columns[] = {
	[KMA_CHECK_FINDING] = { .name = "finding" },
	[KMA_CHECK_CPU] = { .name = "cpu", .kind = KMA_CELL_COUNT },
	[KMA_CHECK_OFFSET] = { .name = "offset", .kind = KMA_CELL_COUNT },
	[KMA_CHECK_NUMBER] = { .name = "number", .kind = KMA_CELL_COUNT },
	[KMA_CHECK_WHAT] = { .name = "what", .csv_only = true },
	[KMA_CHECK_OFFSET_SHOWN] = { .title = "OFFSET",
				     .kind = KMA_CELL_HEX,
				     .left = true,
				     .width = 14 },
	[KMA_CHECK_CPU_SHOWN] = { .title = "CPU", .kind = KMA_CELL_COUNT, .width = 5 },
	[KMA_CHECK_WHAT_SHOWN] = { .title = "WHAT" },
};

static const char *check_sentence(const struct kma_check *check,
				  const struct kma_log_finding *finding, struct kma_cell *cell)
{
	if (finding->what == KMA_LOG_NO_END)
		return check->no_end;
	kma_log_finding_sentence(finding, cell->scratch, sizeof(cell->scratch));
	return cell->scratch;
}

/* Cell of the last row in csv, which has the number of findings that are not listed. */
static void check_not_listed(const struct kma_check *check, size_t column, struct kma_cell *ret)
{
	ret->none = column != KMA_CHECK_FINDING && column != KMA_CHECK_NUMBER;
	ret->text = column == KMA_CHECK_FINDING ? "[not listed]" : NULL;
	ret->number = check->found - check->nr;
}

static void check_cell(const void *arg, size_t row, size_t column, struct kma_cell *ret)
{
	const struct kma_check *check = arg;
	const struct kma_log_finding *finding = &check->all[row];

	if (row >= check->nr) {
		check_not_listed(check, column, ret);
		return;
	}
	switch (column) {
	case KMA_CHECK_FINDING:
		ret->text = kma_log_what_names[finding->what];
		break;
	case KMA_CHECK_CPU:
	case KMA_CHECK_CPU_SHOWN:
		ret->number = finding->cpu;
		ret->none = finding->cpu == KMA_LOG_NO_CPU;
		break;
	case KMA_CHECK_OFFSET:
	case KMA_CHECK_OFFSET_SHOWN:
		ret->number = finding->pos;
		break;
	case KMA_CHECK_NUMBER:
		ret->number = finding->number;
		break;
	case KMA_CHECK_WHAT:
	case KMA_CHECK_WHAT_SHOWN:
		ret->text = check_sentence(check, finding, ret);
		break;
	}
}

static void check_list(const struct kma_check *check, struct kma_doc *doc)
{
	bool more = check->found > check->nr && doc->format == KMA_FORMAT_CSV;
	const struct kma_sheet sheet = { .name = "list",
					 .columns = check_columns,
					 .nr_columns = ARRAY_SIZE(check_columns),
					 .style = KMA_JSON_SPACED,
					 .cell = check_cell,
					 .arg = check,
					 .rows = check->nr + more };

	kma_sheet_write(&sheet, doc);
}

/* A line that describes the log for people. */
static void check_title(const struct kma_check *check, struct kma_strbuf *out)
{
	const struct kma_log_head *head = check->head;

	kma_escape_plain(out, check->name);
	kma_strbuf_puts(out, ": ");
	kma_escape_plain(out, head->release);
	kma_strbuf_puts(out, ", ");
	kma_escape_plain(out, head->machine);
	kma_strbuf_printf(out, ", %u bits, %s-endian, %u CPUs, %.3f s\n", head->word_bits,
			  head->big_endian ? "big" : "little", head->nr_cpus,
			  (check->sums->last - check->sums->first) / 1e9);
}

static void check_head(const struct kma_check *check, struct kma_doc *doc)
{
	const struct kma_log_sums *sums = check->sums;

	if (kma_doc_table(doc))
		check_title(check, kma_doc_table(doc));
	kma_doc_text(doc, "input", NULL, check->name);
	kma_doc_text(doc, "kernel_release", NULL, check->head->release);
	kma_doc_number(doc, "allocations", "allocations", sums->records[0]);
	kma_doc_number(doc, "frees", "frees", sums->records[1]);
	kma_doc_number(doc, "other_records", "other records", sums->others);
	kma_doc_number(doc, "unknown_records", "records of unknown types", sums->unknown);
	kma_doc_number(doc, "findings", "findings", check->found);
}

static const struct kma_sheet_column check_sums_columns[] = {
	{ .title = "FINDING", .width = 16, .gap = 1 },
	{ .title = "TIMES", .kind = KMA_CELL_COUNT, .width = 12, .gap = 1 },
	{ .title = "NUMBER", .kind = KMA_CELL_COUNT, .width = 16 },
	{ .title = "FIRST AT", .kind = KMA_CELL_HEX, .left = true },
};

static void check_sums_table(const struct kma_check *check, struct kma_doc *doc)
{
	struct kma_sheet sheet;

	kma_sheet_init(&sheet, NULL, NULL, check_sums_columns, ARRAY_SIZE(check_sums_columns));
	for (unsigned int what = 0; what < KMA_LOG_NR_WHATS; what++) {
		if (!check->sums->times[what])
			continue;
		kma_sheet_text(&sheet, kma_log_what_names[what]);
		kma_sheet_number(&sheet, check->sums->times[what]);
		kma_sheet_number(&sheet, check_number(check, what));
		kma_sheet_number(&sheet, check->first[what].pos);
	}
	kma_sheet_write(&sheet, doc);
	kma_sheet_deinit(&sheet);
}

static void check_sums_json(const struct kma_check *check, struct kma_json *json)
{
	kma_json_begin(json, "summary", '{', KMA_JSON_LINES);
	for (unsigned int what = 0; what < KMA_LOG_NR_WHATS; what++) {
		if (!check->sums->times[what])
			continue;
		kma_json_begin(json, kma_log_what_names[what], '{', KMA_JSON_SPACED);
		kma_json_number(json, "times", check->sums->times[what]);
		kma_json_number(json, "number", check_number(check, what));
		kma_json_number(json, "first_offset", check->first[what].pos);
		if (what == KMA_LOG_NO_END)
			kma_json_number(json, "last_event_ns", kma_log_last(check->sums));
		kma_json_end(json);
	}
	kma_json_end(json);
}

static void check_table(const struct kma_check *check, struct kma_doc *doc)
{
	if (!check->found)
		return;
	kma_strbuf_puts(doc->out, "\n");
	check_sums_table(check, doc);
	kma_strbuf_puts(doc->out, "\n");
	check_list(check, doc);
	if (check->found > check->nr)
		kma_strbuf_printf(doc->out, "%" PRIu64 " more are not shown; use --top N\n",
				  check->found - check->nr);
}

static void check_text(struct kma_check *check, const struct kma_text_options *opts,
		       struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf no_end = { 0 };
	struct kma_doc doc;

	kma_log_sentence(check->sums, KMA_LOG_NO_END, &no_end);
	check->no_end = no_end.str ?: "";
	kma_text_begin(opts, "kmem-account check", &doc, out);
	check_head(check, &doc);
	if (kma_doc_table(&doc)) {
		check_table(check, &doc);
	} else {
		if (kma_doc_json(&doc))
			check_sums_json(check, kma_doc_json(&doc));
		check_list(check, &doc);
	}
	kma_doc_end(&doc);
	check->no_end = NULL;
}

static struct kma_err *check_read(struct kma_check *check, const struct check_args *args)
{
	_cleanup_close_ struct kma_series *series = NULL;
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const struct kma_log_item *item;
	struct kma_progress progress;
	struct kma_input *input;
	struct kma_log *log = NULL;
	struct kma_err *err;

	err = kma_open(args->input, &series);
	if (err)
		return err;
	err = kma_refuse_no_log(series);
	if (err)
		return err;
	input = series->input;
	kma_progress_begin(&progress, input, args->quiet);
	err = kma_log_open(input, check_found, check, &log);
	while (!err && kma_log_next(log, &item))
		;
	kma_progress_end(&progress);
	if (!err) {
		check->stopped = kma_series_stopped(input);
		check->name = kma_input_name(input);
		check->head = kma_log_head(log);
		check->sums = kma_log_sums(log);
		check_text(check, &args->text, &text);
		err = kma_outfile_write(args->text.output, &text);
	}
	kma_log_close(log);
	return err;
}

static int main_check(int argc, char **argv)
{
	struct check_args args = { 0 };
	struct kma_check check = { 0 };
	struct kma_err *err;
	int first;

	err = kma_option_read(&kma_cmd_check, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.input = argv[first] ?: args.input;
	if (args.kernel)
		return check_kernel(args.input, args.btf, &args.text);
	if (!args.input)
		return kma_fail_kind(kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
							 "check: no log given; use -f FILE"));
	check.most = args.text.top				  ?:
			     args.text.format == KMA_FORMAT_TABLE ? KMA_CHECK_SHOWN :
								    KMA_CHECK_LISTED;
	err = check_read(&check, &args);
	free(check.all);
	if (err)
		return kma_fail_kind(err);
	return check.found || check.stopped ? KMA_EXIT_DATA : KMA_EXIT_OK;
}

const struct kma_cmd kma_cmd_check = {
	.name = "check",
	.usage = "[OPTION...] [-f] LOG | --kernel [MODULE]",
	.about = "Check an event log, or whether the module fits a kernel.",
	.examples = "  kmem-account check kmem.log\n"
		    "  kmem-account check --format csv kmem.log.zst\n"
		    "  kmem-account check --kernel kmem_account.ko\n",
	.options = options,
	.most = 1,
	.main = main_check,
};
