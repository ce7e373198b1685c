// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-bundle.c - kmem-account bundle: one file for a bug report.
 *
 * A bundle is the module's snapshot with more sections (Documentation/format/snapshot.rst): files
 * of the machine that show the other uses of its memory, its kernel and its modules, on request a
 * scan of its heap, and the last day of its history. Readers skip sections that they do not know,
 * so every command can open a bundle as an account.
 *
 * The snapshot is copied line by line; its numbers are not changed. On request, kernel addresses
 * and the paths of cgroups are removed from each line. If a file of the machine cannot be read,
 * its section has the error, and a warning is printed.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../module/uapi/version.h"
#include "cmd.h"
#include "heap/scan-format.h"
#include "heap/scan-read.h"
#include "lib/clock.h"
#include "store/history.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/module-files.h"
#include "lib/option.h"
#include "lib/say.h"
#include "reader/sites.h"
#include "open/past.h"
#include "rows.h"
#include "watch-source.h"

#define KMA_BUNDLE_FIRST "kmem_account snapshot "
#define KMA_BUNDLE_END	 KMA_SECTION "end"
#define KMA_BUNDLE_PATHS "# id\tpath" /* first line of the paths in the section cgroups */

/* Files of the machine, below --root, with the names of their sections. */
static const struct {
	const char *section, *path;
} bundle_files[] = {
	{ "version", "proc/version" },	    { "meminfo", "proc/meminfo" },
	{ "slabinfo", "proc/slabinfo" },    { "zoneinfo", "proc/zoneinfo" },
	{ "vmstat", "proc/vmstat" },	    { "modules", "proc/modules" },
	{ "account", "proc/kmem_account" },
};

/* Directory of the history that the systemd unit of kmem-account watch records. */
#define KMA_BUNDLE_HISTORY "/var/lib/kmem-account"
#define KMA_BUNDLE_HOUR	   (3600 * KMA_NS_PER_S)
#define KMA_BUNDLE_OLD	   (24 * KMA_BUNDLE_HOUR) /* such a history is worth a warning */

struct kma_bundle_args {
	const char *source, *output, *root, *history, *scan;
	bool no_addresses, redact;
};

#define KMA_ARGS struct kma_bundle_args

/* clang-format off */
static const struct kma_option bundle_options[] = {
	{ "file", 'f', .arg = "FILE", TO(TEXT, source),
	  .help = "take this snapshot of the module\n"
		  "(default " KMA_FILE_SNAPSHOT ")" },
	{ "output", 'O', .arg = "FILE", TO(TEXT, output),
	  .help = "write to FILE (default kmem-account.bundle); - is the standard output" },
	{ "no-addresses", TO(FLAG, no_addresses),
	  .help = "write 0 in place of each address of the kernel" },
	{ "redact", TO(FLAG, redact),
	  .help = "write an id in place of each path of a cgroup" },
	{ "history", .arg = "DIR", TO(TEXT, history),
	  .help = "add the last day of this history of kmem-account watch\n"
		  "(default " KMA_BUNDLE_HISTORY ", if it is there)" },
	{ "scan", .arg = "FILE", TO(TEXT, scan),
	  .help = "add this file of kmem-account scan, for lost and why" },
	{ "root", .arg = "DIR", TO(TEXT, root),
	  .help = "directory of proc and sys, for tests (default /)" },
	KMA_OPTION_END
};
/* clang-format on */

/* Is a word an address of the kernel: 16 digits from ffff on, or after "0x" 8 digits from 8 on? */
static bool bundle_is_address(const char *word, size_t len, bool prefixed)
{
	if (len == 16)
		return !strncmp(word, "ffff", 4);
	return prefixed && len == 8 && *word >= '8';
}

/* Copies a line with "0" for each address. Longer runs of digits, such as build IDs, stay. */
static void bundle_hide(const char *line, size_t len, struct kma_strbuf *out)
{
	for (size_t i = 0; i < len;) {
		bool prefixed = i >= 2 && line[i - 1] == 'x' && line[i - 2] == '0';
		bool begins = !i || prefixed || !isalnum((unsigned char)line[i - 1]);
		size_t word = 0;

		while (i + word < len && isxdigit((unsigned char)line[i + word]))
			word++;
		if (word && begins && bundle_is_address(line + i, word, prefixed) &&
		    (i + word == len || !isalnum((unsigned char)line[i + word]))) {
			kma_strbuf_puts(out, "0");
			i += word;
			continue;
		}
		word += !word;
		kma_strbuf_add(out, line + i, word);
		i += word;
	}
}

static void bundle_line(const struct kma_bundle_args *args, const char *line, size_t len,
			struct kma_strbuf *out)
{
	if (args->no_addresses)
		bundle_hide(line, len, out);
	else
		kma_strbuf_add(out, line, len);
	kma_strbuf_puts(out, "\n");
}

/* Writes "17<TAB>/cgroup-17" for "17<TAB>/pods/a". The root "/" identifies nothing and stays. */
static void bundle_path(const char *line, size_t len, struct kma_strbuf *out)
{
	size_t id = strcspn(line, "\t\n");

	if (id >= len || (len == id + 2 && line[id + 1] == '/'))
		kma_strbuf_add(out, line, len);
	else
		kma_strbuf_printf(out, "%.*s\t/cgroup-%.*s", (int)id, line, (int)id, line);
	kma_strbuf_puts(out, "\n");
}

static bool bundle_begins(const char *line, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(line, with, strlen(with));
}

/* Copies the snapshot without its last line, which ends the bundle. */
static struct kma_err *bundle_snapshot(const struct kma_bundle_args *args, const char *path,
				       struct kma_strbuf *out)
{
	_cleanup_free_ char *text = NULL;
	bool paths = false, end = false;
	struct kma_err *err;
	const char *line;
	struct stat st;
	size_t len;

	if (kma_file_is_dir(path))
		return kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, path, 0,
			"a directory; -f needs a snapshot of the module; --history takes a history");
	err = kma_file_slurp(path, &text, &len);
	if (err)
		return err;
	if (!stat(path, &st))
		kma_file_reads(&st);
	if (strncmp(text, KMA_BUNDLE_FIRST, strlen(KMA_BUNDLE_FIRST)))
		return kma_err_create(path, 1, "not a snapshot of the module; use -f %s",
				      KMA_FILE_SNAPSHOT);
	for (line = text; *line && !end; line += len + 1) {
		len = strcspn(line, "\n");
		if (!line[len])
			break;
		end = bundle_begins(line, len, KMA_BUNDLE_END) && len == strlen(KMA_BUNDLE_END);
		if (end)
			break;
		if (bundle_begins(line, len, KMA_SECTION))
			paths = false;
		if (bundle_begins(line, len, KMA_SECTION "bundle"))
			return kma_err_create(
				path, 0, "already a bundle; -f needs a snapshot of the module");
		if (args->redact && paths)
			bundle_path(line, len, out);
		else
			bundle_line(args, line, len, out);
		paths |= bundle_begins(line, len, KMA_BUNDLE_PATHS);
	}
	return end ? NULL : kma_err_create(path, 0, "truncated: no line '" KMA_BUNDLE_END "'");
}

#define KMA_BUNDLE_BOOT "boot_id"

/* Gets the line of the snapshot that has its boot, after the name; NULL: the boot is not known. */
static const char *bundle_boot(const struct kma_strbuf *snapshot)
{
	static const char key[] = "\n" KMA_BUNDLE_BOOT ": ";
	const char *line = snapshot->str ? strstr(snapshot->str, key) : NULL;

	return line ? line + strlen(key) : NULL;
}

/* Warns if the snapshot is not of the boot whose files are added. Unknown boots may be the same. */
static void bundle_check_boot(const struct kma_bundle_args *args, const char *path,
			      const struct kma_strbuf *snapshot)
{
	_cleanup_free_ char *name = NULL, *here = NULL;
	const char *there = bundle_boot(snapshot);
	size_t len;

	if (!there)
		return;
	name = kma_xasprintf("%s/proc/sys/kernel/random/boot_id", args->root ?: "");
	kma_err_destroy(kma_file_slurp_regular(name, &here, &len));
	if (here && strncmp(there, here, strcspn(here, "\n")))
		kma_warn(
			"bundle: %s is of another machine or boot, but the files of proc are of this one",
			path);
}

/* Adds a file of the machine as a section. A line that looks like the start of one is indented. */
static void bundle_section(const struct kma_bundle_args *args, const char *section,
			   const char *path, struct kma_strbuf *out)
{
	_cleanup_free_ char *name = NULL, *text = NULL;
	struct kma_err *err;
	size_t len;

	kma_strbuf_printf(out, KMA_SECTION "%s\n", section);
	name = kma_xasprintf("%s/%s", args->root ?: "", path);
	err = kma_file_slurp_regular(name, &text, &len);
	if (err) {
		kma_strbuf_printf(out, "error: %s\n", err->message);
		kma_warn("bundle: %s: %s; the bundle contains this error instead of the file", name,
			 err->message);
		kma_err_destroy(err);
		return;
	}
	for (const char *line = text; *line;) {
		len = strcspn(line, "\n");
		if (bundle_begins(line, len, KMA_SECTION))
			kma_strbuf_puts(out, " ");
		bundle_line(args, line, len, out);
		line += len + !!line[len];
	}
}

/* Warns if a scan is not of the boot of the snapshot. */
static void bundle_check_scan(const struct kma_bundle_args *args, const struct kma_scan *scan,
			      const struct kma_strbuf *snapshot)
{
	const char *one = scan->account ? kma_account_note(scan->account, KMA_BUNDLE_BOOT) : NULL;
	const char *other = bundle_boot(snapshot);
	size_t len = one ? strlen(one) : 0;

	if (one && other && (strncmp(other, one, len) || other[len] != '\n'))
		kma_warn("bundle: %s is of another machine or boot than the snapshot", args->scan);
}

/* Adds a scan. Its addresses are also in texts of digits, from which they are not removed. */
static struct kma_err *bundle_scan(const struct kma_bundle_args *args, struct kma_strbuf *out)
{
	_cleanup_(kma_scan_deinit) struct kma_scan scan = { 0 };
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_err *err;

	if (!args->scan)
		return NULL;
	err = kma_scan_load(args->scan, &scan, &text);
	if (!err && args->no_addresses && scan.secret)
		err = kma_err_create(
			args->scan, 0,
			"--no-addresses cannot remove what is in this scan; make one without --addresses and --content");
	if (!err) {
		bundle_check_scan(args, &scan, out);
		kma_strbuf_puts(out, KMA_SECTION KMA_SCAN_SECTION "\n");
		kma_strbuf_add(out, text.str, text.len);
	}
	if (text.str)
		explicit_bzero(text.str, text.len);
	return err;
}

/*
 * Adds the last day of the history. Its files contain names of cgroups and addresses, so it is left
 * out if these are to be removed.
 */
static struct kma_err *bundle_history(const struct kma_bundle_args *args, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	_cleanup_free_ char *usual = kma_xasprintf("%s" KMA_BUNDLE_HISTORY, args->root ?: "");
	const char *dir = args->history;
	struct kma_notes damage = { 0 };
	struct kma_err *err;
	uint64_t newest;

	if (!dir && !kma_history_is(usual))
		return NULL;
	if (args->no_addresses || args->redact) {
		kma_warn(
			"bundle: the history is left out, because --no-addresses and --redact cannot remove addresses and cgroup paths from its files");
		return NULL;
	}
	kma_strbuf_puts(&text, KMA_SECTION KMA_PACK_SECTION "\n");
	err = kma_history_pack(dir ?: usual, &text, &newest, &damage);
	for (const char *note = NULL; (note = kma_notes_next(&damage, note));)
		kma_warn("bundle: %s", note);
	kma_notes_deinit(&damage);
	if (err && dir)
		return err;
	if (err) {
		kma_warn("bundle: %s: %s; the history is left out", usual, err->message);
		kma_err_destroy(err);
		return NULL;
	}
	if (kma_clock(CLOCK_REALTIME) > newest + KMA_BUNDLE_OLD)
		kma_warn("bundle: the newest sample of the history is %llu hours old",
			 (kma_clock(CLOCK_REALTIME) - newest) / KMA_BUNDLE_HOUR);
	kma_strbuf_add(out, text.str, text.len);
	return NULL;
}

static struct kma_err *bundle_write(const struct kma_bundle_args *args)
{
	_cleanup_strbuf_ struct kma_strbuf out = { 0 };
	_cleanup_free_ char *snapshot = kma_xasprintf("%s%s", args->root ?: "", KMA_FILE_SNAPSHOT);
	struct kma_err *err;

	err = bundle_snapshot(args, args->source ?: snapshot, &out);
	if (err)
		return err;
	bundle_check_boot(args, args->source ?: snapshot, &out);
	kma_strbuf_printf(&out,
			  KMA_SECTION "bundle\nkmem_account bundle 1\nprogram: %s\n"
				      "addresses: %s\ncgroups: %s\n",
			  KMA_VERSION, args->no_addresses ? "removed" : "kept",
			  args->redact ? "removed" : "kept");
	for (size_t i = 0; i < ARRAY_SIZE(bundle_files); i++)
		bundle_section(args, bundle_files[i].section, bundle_files[i].path, &out);
	err = bundle_scan(args, &out) ?: bundle_history(args, &out);
	if (err)
		return err;
	kma_strbuf_puts(&out, KMA_BUNDLE_END "\n");
	return kma_outfile_write_as(args->output, KMA_OUTFILE_PRIVATE, &out);
}

static int bundle_main(int argc, char **argv)
{
	struct kma_bundle_args args = { .output = "kmem-account.bundle" };
	struct kma_err *err;
	int first;

	err = kma_option_read(&kma_cmd_bundle, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	return kma_fail_kind(bundle_write(&args));
}

const struct kma_cmd kma_cmd_bundle = {
	.name = "bundle",
	.usage = "[OPTION...]",
	.about = "Write one file for a bug report: all tables of the module, and files of\n"
		 "/proc about the other memory of the machine. Every command opens it as an\n"
		 "account.",
	.examples = "  kmem-account bundle\n"
		    "  kmem-account bundle --no-addresses --redact -O report.bundle\n"
		    "  ssh target kmem-account bundle -O - >target.bundle\n"
		    "  kmem-account scan -O scan.txt && kmem-account bundle --scan scan.txt\n"
		    "  kmem-account report target.bundle --by cgroup\n"
		    "  kmem-account leaks target.bundle\n",
	.options = bundle_options,
	.width = 19,
	.summary = "Write one file for a bug report, which every command opens.",
	.main = bundle_main,
};
