// SPDX-License-Identifier: GPL-2.0-only
/*
 * check-kernel.c - check --kernel: does the module fit the kernel?
 *
 * The module tests its probes itself when it is loaded (module/source/selftest.c), but cannot make
 * the events of reclaim, compaction and OOM, and a refusal comes only then. This check reads two
 * files, so it can run before a kernel is installed on a fleet.
 */
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "check-kernel.h"
#include "input/input.h"
#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/sheet.h"
#include "symbol/btf.h"
#include "symbol/probes.h"

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
		ret->text = kma_probe_verdicts[e->verdict];
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
			      kma_probes_read(kma_input_name(input), file, btf, ret);
	kma_input_close(input);
	return err;
}

int kma_check_kernel(const char *module, const char *btf, const struct kma_text_options *opts)
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
	kma_probes_destroy(&probes);
	if (err)
		return kma_fail_kind(err);
	return bad ? KMA_EXIT_DATA : KMA_EXIT_OK;
}
