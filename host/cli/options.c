// SPDX-License-Identifier: GPL-2.0-only
/*
 * options.c - the table of options, and the rules for combinations of options.
 *
 * A row of the table has the commands, the type and the member of an option; an option with several
 * meanings has a row for each. lib/option.h reads command lines by the table and prints the help.
 * Then kma_options_check() applies the rules that depend on values or on several options.
 */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "lib/cleanup.h"
#include "lib/option.h"
#include "model/leak.h"
#include "lib/unpack.h"
#include "open/open.h"
#include "option-rules.h"
#include "options.h"
#include "rows.h"
#include "session/options.h"

#define KMA_OPT(m)		  offsetof(struct kma_options, m)
#define KMA_OPT_TO(kind, m)	  KMA_OPTION_TO(kind, struct kma_options, m)
#define KMA_OPT_TO_NAME(m, array) KMA_OPTION_TO_NAME(struct kma_options, m, array)
#define KMA_SECONDS_MAX		  KMA_OPTION_SECONDS_MAX

/* clang-format off */
static const struct kma_option kma_options_table[] = {
	{ "file", 'f', .arg = "ACCOUNT", .forms = KMA_BOTH, KMA_OPT_TO(TEXT, account), .excludes = KMA_OPTION_ARGUMENTS,
	  .help = "read this account, log or DB file (its content tells which);\n"
		  "- is the standard input" },
	{ "file", 'f', .arg = "LOG", .forms = KMA_READS, KMA_OPT_TO(TEXT, account), .excludes = KMA_OPTION_ARGUMENTS,
	  .help = "read this event log of the module, as record writes it; - is the\n"
		  "standard input" },
	{ "db-file", .arg = "FILE[@LABEL]", .forms = KMA_CMD_DIFF, KMA_OPT_TO(TEXT, db_file),
	  .help = "read a snapshot of a DB file (without LABEL the newest)" },
	{ "db-file", .arg = "FILE[@LABEL]", .forms = KMA_BOTH, KMA_OPT_TO(TEXT, db_file),
	  .excludes = KMA_OPTION_ARGUMENTS " file",
	  .help = "read a snapshot of a DB file (without LABEL the newest)" },
	{ "save-db", .arg = "FILE[@LABEL]", .forms = KMA_SHOWN, KMA_OPT_TO(TEXT, save_db),
	  .help = "add the input to a DB file as a snapshot" },
	{ "kernel", 'k', .arg = "DIR", .forms = KMA_KERNELS, KMA_OPT_TO(TEXT, kernel.tree), .excludes = "modules inlines",
	  .help = "find source files in this built kernel tree (System.map, *.o)" },
	{ "vmlinux", .arg = "FILE", .forms = KMA_KERNELS, KMA_OPT_TO(TEXT, kernel.vmlinux),
	  .help = "find source files by this vmlinux with debugging information. A vmlinux\n"
		  "without it, a System.map or kallsyms gives names only. With -k: use\n"
		  "FILE instead of the vmlinux of the tree" },
	{ "modules", .arg = "DIR", .forms = KMA_KERNELS, KMA_OPT_TO(TEXT, kernel.modules), .needs = "vmlinux",
	  .help = "with --vmlinux: directory of the modules with debugging\n"
		  "information (default: where packages install the modules of FILE)" },
	{ "inlines", .arg = "MODE", .forms = KMA_KERNELS, KMA_OPT_TO_NAME(kernel.inlines, kma_inlines_modes), .needs = "vmlinux",
	  .help = "with --vmlinux: charge the bytes of an inlined function to the function\n"
		  "that contains it (outer, default) or to itself (inner), or name both\n"
		  "(both)" },
	{ "maintainers", .arg = "FILE", .forms = KMA_TABLES | KMA_CMD_TIMELINE | KMA_CHARTS, KMA_OPT_TO(TEXT, kernel.maintainers),
	  .help = "for --by subsystem, and for a page: MAINTAINERS of the kernel\n"
		  "(default: that of the tree of -k)" },
	{ "force", .forms = KMA_KERNELS, KMA_OPT_TO(FLAG, kernel.force), .needs = "kernel vmlinux",
	  .help = "use a kernel and modules of another build than the input" },
	{ "by", .arg = "KEY", .forms = KMA_CMD_REPORT | KMA_CMD_DIFF | KMA_CMD_TIMELINE, .type = KMA_OPTION_OWN, .convert = kma_options_keys, KMA_OPTION_NAMES(kma_keys),
	  .member = KMA_OPT(by), .given = KMA_OPT(has_by), .min = KMA_KEYS_IN_ROWS,
	  .help = "show a row for each caller, file, dir (default), line, function,\n"
		  "module, subsystem, stack, cache, kind, cgroup, node, task (of a log) or\n"
		  "root (of a scan); or for each combination of several, with commas, as\n"
		  "cgroup,module,caller. Without source files the default is caller" },
	{ "slabinfo", .arg = "FILE", .forms = KMA_CMD_REPORT, KMA_OPT_TO(TEXT, slabinfo), .needs = "by",
	  /* memory of other kinds would be shown as allocated before the account started */
	  .excludes = "malloc cache pages percpu through",
	  .help = "for --by cache: /proc/slabinfo of the machine; shows what was\n"
		  "allocated before the account started" },
	{ "slab", .arg = "DIR", .forms = KMA_CMD_REPORT, KMA_OPT_TO(TEXT, slab), .needs = "by",
	  .help = "for --by cache: /sys/kernel/slab of the machine, or a copy of its\n"
		  "symbolic links (cp -P); shows all names of merged caches" },
	{ "skip", .arg = "LIST", .forms = KMA_SHOWN, .type = KMA_OPTION_OWN, .convert = kma_options_helpers, .member = KMA_OPT(stacks.skip),
	  .help = "of an input with stacks: charge allocations of these helper functions\n"
		  "to their callers; LIST is names separated by commas, and the name\n"
		  "default stands for the usual helpers" },
	{ "through", .arg = "FUNCTION", .forms = KMA_SHOWN, .type = KMA_OPTION_OWN, .convert = kma_options_helpers, .member = KMA_OPT(stacks.through),
	  .help = "of an input with stacks: show only allocations with FUNCTION on the stack" },
	{ "by", .arg = "KEY", .forms = KMA_CMD_DIFF_TREES, KMA_OPT_TO_NAME(key, kma_footprint_bys),
	  .help = "of built trees: show a row for each dir (default), file,\n"
		  "subsystem, object, symbol, section or module" },
	{ "by", .arg = "KEY", .forms = KMA_CHARTS, .type = KMA_OPTION_OWN, .convert = kma_options_keys, KMA_OPTION_NAMES(kma_keys),
	  .member = KMA_OPT(by), .given = KMA_OPT(has_by), .min = KMA_KEYS_IN_TREE,
	  .help = "divide the chart by dir (default: directories and files), by another\n"
		  "key of report, or by several, outermost first, as cgroup,module,dir.\n"
		  "stack goes from the outermost function to the call site, callers from\n"
		  "the call site to its callers. module, cache and subsystem (needs\n"
		  "--maintainers or -k) alone have directories below them. cgroup and\n"
		  "node need a snapshot with groups (an event log has cgroups, too), task\n"
		  "a log, root a file of scan. An HTML page starts with KEY and can\n"
		  "switch to other keys of the input" },
	{ "branch", 'b', .arg = "BRANCH", .forms = KMA_SHOWN | KMA_CMD_TIMELINE | KMA_SIZES, KMA_OPT_TO(TEXT, branch),
	  .help = "show only this directory or file (fs, fs/ext4)" },
	{ "kernel", 'k', .arg = "DIR", .forms = KMA_CMD_STATIC, KMA_OPT_TO(TEXT, kernel.tree),
	  .help = "built kernel tree (*.o, .*.cmd) to show (default: the current directory)" },
	{ "vmlinux", .arg = "FILE", .forms = KMA_CMD_STATIC, KMA_OPT_TO(TEXT, kernel.vmlinux), .excludes = "kernel image",
	  .help = "show this vmlinux by its debugging information, without a tree" },
	{ "modules", .arg = "DIR", .forms = KMA_CMD_STATIC, KMA_OPT_TO(TEXT, kernel.modules), .needs = "vmlinux",
	  .help = "with --vmlinux: show the modules with debugging information below\n"
		  "DIR, too" },
	{ "kernel-package", .arg = "DIR", .forms = KMA_CMD_STATIC, KMA_OPT_TO(TEXT, package), .excludes = "kernel vmlinux image",
	  .help = "show vmlinux and modules of the debug package that was unpacked in\n"
		  "DIR (/ for an installed one)" },
	{ "image", .forms = KMA_SIZES, KMA_OPT_TO(FLAG, image),
	  .help = "of built trees: show the exact sizes in vmlinux, without modules, and\n"
		  "what the linker merged, left out and added" },
	{ "by", .arg = "KEY", .forms = KMA_CMD_STATIC, KMA_OPT_TO_NAME(key, kma_footprint_bys),
	  .help = "show a row for each dir (default), file, subsystem, object,\n"
		  "symbol, section or module" },
	{ "attr", 'a', .arg = "ATTR", .forms = KMA_CMD_STATIC, .type = KMA_OPTION_OWN, .convert = kma_options_metric, KMA_OPTION_NAMES(kma_metrics),
	  .member = KMA_OPT(attr), .given = KMA_OPT(has_attr), .min = KMA_IMAGE_METRICS,
	  .help = "show static (default), text, rodata, data, bss, init or other" },
	{ "attr", 'a', .arg = "ATTR", .forms = KMA_SHOWN, .type = KMA_OPTION_OWN, .convert = kma_options_metric, KMA_OPTION_NAMES(kma_metrics),
	  .member = KMA_OPT(attr), .given = KMA_OPT(has_attr),
	  .help = "show current_dynamic (default), requested, waste, allocs or frees, or\n"
		  "retained of a scan; or as in the account: total, req, slack, alloc,\n"
		  "free" },
	{ "attr", 'a', .arg = "ATTR", .forms = KMA_CMD_DIFF_TREES, .type = KMA_OPTION_OWN, .convert = kma_options_metric, KMA_OPTION_NAMES(kma_metrics),
	  .member = KMA_OPT(attr), .given = KMA_OPT(has_attr), .min = KMA_IMAGE_METRICS,
	  .help = "of built trees: show static (default), text, rodata, data, bss,\n"
		  "init or other" },
	{ "attr", 'a', .arg = "ATTR", .forms = KMA_CMD_EXPORT, .type = KMA_OPTION_OWN, .convert = kma_options_metric, KMA_OPTION_NAMES(kma_metrics),
	  .member = KMA_OPT(attr), .given = KMA_OPT(has_attr),
	  .help = "folded: write current_dynamic (default), requested, waste, objects,\n"
		  "allocs or frees" },
	{ "only", .arg = "RULE", .forms = KMA_SELECTS, .type = KMA_OPTION_OWN, .convert = kma_options_only_rule, .member = KMA_OPT(only),
	  .help = "show only call sites with KEY=PATTERN, as module=ext4, dir=fs,mm or\n"
		  "function='*alloc*'; KEY is one of --by. Or COLUMN>NUMBER, COLUMN<NUMBER,\n"
		  "as 'live>1M'. All rules have to hold" },
	{ "not", .arg = "RULE", .forms = KMA_SELECTS, .type = KMA_OPTION_OWN, .convert = kma_options_not_rule, .member = KMA_OPT(only),
	  .help = "leave out what --only RULE would show" },
	{ "malloc", .forms = KMA_CHOOSES, KMA_OPT_TO(BITS, kinds), .min = 1 << KMA_KIND_KMALLOC,
	  .help = "show only allocations by kmalloc; --cache, --pages, --percpu can be added" },
	{ "cache", .forms = KMA_CHOOSES, KMA_OPT_TO(BITS, kinds), .min = 1 << KMA_KIND_CACHE,
	  .help = "show only allocations from caches; --malloc, --pages, --percpu can be added" },
	{ "pages", .forms = KMA_CHOOSES, KMA_OPT_TO(BITS, kinds), .min = 1 << KMA_KIND_PAGE,
	  .help = "show only pages; --malloc, --cache and --percpu can be added" },
	{ "percpu", .forms = KMA_CHOOSES, KMA_OPT_TO(BITS, kinds), .min = 1 << KMA_KIND_PERCPU,
	  .help = "show only per-CPU memory; --malloc, --cache and --pages can be added" },
	{ "sort", 0, 'o', .arg = "KEY", .forms = KMA_CMD_REPORT | KMA_CMD_STATIC, .type = KMA_OPTION_OWN,
	  .convert = kma_options_metric, KMA_OPTION_NAMES(kma_metrics), .member = KMA_OPT(sort), .given = KMA_OPT(has_sort),
	  .help = "sort the rows by this ATTR (default: that of -a)" },
	{ "columns", .arg = "ATTR,...", .forms = KMA_CMD_REPORT | KMA_CMD_STATIC, .type = KMA_OPTION_OWN,
	  .convert = kma_options_columns, KMA_OPTION_NAMES(kma_metrics), .member = KMA_OPT(columns), .given = KMA_OPT(has_columns),
	  .help = "show these columns of a table, or all; csv and json have all" },
	{ "top", .arg = "N", .forms = KMA_TABLES | KMA_CMD_TIMELINE, KMA_OPT_TO(COUNT, top),
	  .min = 1, .max = 1000000000, .unit = "rows",
	  .help = "show the first N rows, and combine the others into one" },
	{ "top", .arg = "N", .forms = KMA_CMD_LEAKS, KMA_OPT_TO(COUNT, top),
	  .min = 1, .max = 1000000000, .unit = "rows",
	  .help = "show the first N rows, and the number of the others (default: 20 in a\n"
		  "table)" },
	{ "format", .arg = "FORMAT", .forms = KMA_TABLES | KMA_CMD_LEAKS,
	  .given = KMA_OPT(has_format), KMA_OPT_TO_NAME(format, kma_format_names),
	  .help = "write a table (default), csv or json" },
	{ "format", .arg = "FORMAT", .forms = KMA_CMD_TIMELINE,
	  .given = KMA_OPT(has_format), KMA_OPT_TO_NAME(format, kma_format_names),
	  .min = KMA_FORMAT_CSV,
	  .help = "write csv (default) or json" },
	{ "csv-safe", .forms = KMA_TABLES | KMA_READS | KMA_CMD_LEAKS, KMA_OPT_TO(FLAG, csv_safe),
	  .help = "with --format csv: keep spreadsheets from reading names as formulas" },
	{ "all", .forms = KMA_CMD_REPORT | KMA_CMD_STATIC, KMA_OPT_TO(FLAG, all), .excludes = "top",
	  .help = "show all rows and columns on a terminal, not only those that fit" },
	{ "all", .forms = KMA_DIFFS | KMA_CMD_LEAKS, KMA_OPT_TO(FLAG, all),
	  .help = "show all rows and columns on a terminal, not only those that fit" },
	{ "bytes", .forms = KMA_TABLES | KMA_CMD_LEAKS, KMA_OPT_TO(FLAG, bytes),
	  .help = "show plain numbers in a table instead of KiB and MiB" },
	{ "output", 'O', .arg = "FILE", .forms = KMA_TABLES | KMA_READS | KMA_CMD_LEAKS | KMA_CMD_EXPORT, KMA_OPT_TO(TEXT, output),
	  .help = "write to FILE, created or replaced when the output is complete" },
	{ "floor", .arg = "BYTES", .forms = KMA_DIFFS, KMA_OPT_TO(SIZE, floor), .max = INT64_MAX,
	  .help = "combine rows that changed by less than BYTES (default 1: unchanged rows)" },
	{ "fail-above", .arg = "BYTES", .forms = KMA_DIFFS, KMA_OPT_TO(SIZE, fail_above),
	  .given = KMA_OPT(has_fail_above), .max = INT64_MAX,
	  .help = "exit with status 3 if the total grew by more than BYTES" },
	{ "interval", .arg = "S", .forms = KMA_CMD_LEAKS, KMA_OPT_TO(TIME, every), .min = 1, .max = KMA_SECONDS_MAX,
	  .scale = KMA_OPTION_SECOND, .unit = "seconds",
	  .help = "assume that the inputs are S seconds apart, in the order given\n"
		  "(default: use the time in the snapshot, or else of the file)" },
	{ "floor", .arg = "BYTES", .forms = KMA_CMD_LEAKS, KMA_OPT_TO(SIZE, floor), .max = INT64_MAX,
	  .help = "ignore growth of up to BYTES an hour (default 4096)" },
	{ "available", .arg = "BYTES", .forms = KMA_CMD_LEAKS, KMA_OPT_TO(SIZE, available), .max = INT64_MAX,
	  .help = "estimate when a leak exhausts BYTES of memory (for example MemAvailable)" },
	{ "fail-on", .arg = "VERDICT", .forms = KMA_CMD_LEAKS, .given = KMA_OPT(has_fail_on),
	  KMA_OPT_TO_NAME(fail_on, kma_leak_verdicts),
	  .help = "exit with status 3 if a call site has this verdict: leak, growing,\n"
		  "filling, cache, too-early, falling or plateau" },
	{ "workload", .arg = "CMD", .forms = KMA_CMD_LEAKS, KMA_OPT_TO(TEXT, workload), .excludes = "interval from to",
	  .help = "run CMD in a shell repeatedly, sample the running kernel (or INPUT)\n"
		  "between the runs, and judge the call sites by these samples" },
	{ "samples", 'n', .arg = "N", .forms = KMA_CMD_LEAKS, KMA_OPT_TO(COUNT, samples), .needs = "workload",
	  .min = KMA_LEAK_MIN_SAMPLES, .max = 100000, .unit = "samples",
	  .help = "for --workload: take N samples (default 36); between two samples, CMD\n"
		  "runs twice on average" },
	{ "probe", .forms = KMA_CMD_LEAKS, KMA_OPT_TO(FLAG, probe), .needs = "workload",
	  .help = "for --workload: drop the kernel's caches before each sample, so that\n"
		  "caches do not look like leaks" },
	{ "scan", .arg = "FILE", .forms = KMA_CMD_LEAKS, KMA_OPT_TO(TEXT, scan),
	  /* a scan has no cgroups, and its objects need not be of a workload */
	  .excludes = "by workload prometheus",
	  .help = "take FILE of kmem-account scan as evidence: a call site with lost\n"
		  "objects is a leak, and the reasons of others name what holds them" },
	{ "prometheus", .arg = "URL", .forms = KMA_CMD_LEAKS, KMA_OPT_TO(TEXT, prometheus), .excludes = "workload interval",
	  .help = "judge the series of kmem-account serve that the Prometheus server at\n"
		  "URL has stored (default: the last day; see --from and --to)" },
	{ "match", .arg = "LABELS", .forms = KMA_CMD_LEAKS, KMA_OPT_TO(TEXT, match), .needs = "prometheus",
	  .help = "for --prometheus: take the series of one machine, for example\n"
		  "'instance=\"host:9770\"'" },
	{ "render", 'r', .arg = "FILE", .forms = KMA_DRAWN | KMA_CMD_TIMELINE | KMA_CMD_LEAKS, .type = KMA_OPTION_OWN, .convert = kma_options_picture, .member = KMA_OPT(render),
	  .help = "draw FILE.svg, .png, .pdf or .html; may be given several times" },
	{ "chart", .arg = "KIND", .forms = KMA_DRAWS, KMA_OPT_TO_NAME(chart, kma_chart_names), .needs = "render",
	  .help = "with -r: draw rings (default), treemap, icicle or flame" },
	{ "depth", .arg = "N", .forms = KMA_TABLES | KMA_CMD_TIMELINE, KMA_OPT_TO(COUNT, depth),
	  .min = 1, .max = 64, .unit = "levels",
	  .help = "with --by dir: add directories below N levels to those above" },
	{ "depth", .arg = "N", .forms = KMA_CHARTS, KMA_OPT_TO(COUNT, levels),
	  .min = 1, .max = 24, .unit = "levels",
	  .help = "draw N levels (default 5; flame: 24)" },
	{ "width", .arg = "PX", .forms = KMA_PICTURED, KMA_OPT_TO(COUNT, width), .needs = "render",
	  .min = 400, .max = 8000, .unit = "pixels",
	  .help = "width of the picture in pixels (default 1600)" },
	{ "theme", .arg = "THEME", .forms = KMA_PICTURED, KMA_OPT_TO_NAME(theme, kma_themes), .needs = "render",
	  .help = "colours: light (default), dark, or print with little ink" },
	{ "max-nodes", .arg = "N", .forms = KMA_DRAWN, KMA_OPT_TO(COUNT, max_nodes),
	  .min = 1, .max = 10000000, .unit = "nodes",
	  .help = "limit an HTML page to N nodes, merging the smallest (default 50000)" },
	{ "plain", .forms = KMA_DRAWN, KMA_OPT_TO(FLAG, plain),
	  .help = "do not compress the data of an HTML page (for old browsers)" },
	{ "source-url", .arg = "TEMPLATE", .forms = KMA_DRAWN, .type = KMA_OPTION_OWN, .convert = kma_options_source_url, .member = KMA_OPT(source_url),
	  .help = "link the lines of an HTML page to a source browser, by an address\n"
		  "with {file} and {line} in it (default: no links)" },
	{ "title", .arg = "TEXT", .forms = KMA_PICTURED, KMA_OPT_TO(TEXT, title), .needs = "render",
	  .help = "heading of the picture" },
	{ "points", .arg = "N", .forms = KMA_CMD_TIMELINE, KMA_OPT_TO(COUNT, points),
	  .min = 2, .max = 100000, .unit = "samples",
	  .help = "show N to 2*N samples, or all if there are fewer (default 250)" },
	{ "points", .arg = "N", .forms = KMA_CHARTS, .given = KMA_OPT(has_points), KMA_OPT_TO(COUNT, points),
	  .min = 2, .max = 10000, .unit = "samples",
	  .help = "of a history: take about N samples into an HTML page (default 48)" },
	{ "by", .arg = "KEY", .forms = KMA_CMD_LEAKS,
	  KMA_OPTION_TO_FIRST_NAMES(struct kma_options, groups, kma_grouped_names, KMA_GROUPED_NODE),
	  .excludes = "workload prometheus",
	  .help = "cgroup: judge each call site of each cgroup by itself (default: caller)" },
	{ "by", .arg = "KEY", .forms = KMA_CMD_EXPORT,
	  KMA_OPTION_TO_FIRST_NAMES(struct kma_options, groups, kma_grouped_names, KMA_GROUPED_ROOT),
	  .help = "show the memory of each cgroup or NUMA node, or of each task of a log:\n"
		  "cgroup, node or task (default: caller). Metrics get a separate family\n"
		  "for these groups, pprof samples a label, and flame graphs a root frame" },
	{ "roots", .arg = "WHAT", .forms = KMA_CMD_EXPORT, .given = KMA_OPT(has_roots), KMA_OPT_TO_NAME(roots, kma_roots_names),
	  .help = "folded, speedscope: frames above the functions: dir (default: directories\n"
		  "and file), module or none; with none, show whole stacks if the account\n"
		  "has stacks" },
	{ "keep-wrappers", .forms = KMA_CMD_EXPORT, KMA_OPT_TO(FLAG, keep_wrappers),
	  .help = "pprof, folded, speedscope: show kzalloc() and related functions, too" },
	{ "top", .arg = "N", .forms = KMA_CMD_EXPORT, KMA_OPT_TO(COUNT, top),
	  .min = 1, .max = 1000000, .unit = "sites",
	  .help = "prometheus, openmetrics: write series for each of the N largest call\n"
		  "sites, and for all others together (default 50)" },
	{ "from", .arg = "S", .forms = KMA_LOGS, KMA_OPT_TO(TIME, interval.from),
	  .given = KMA_OPT(interval.is), .max = KMA_SECONDS_MAX, .scale = KMA_OPTION_SECOND, .unit = "seconds",
	  .help = "of an event log: count from S seconds after its beginning" },
	{ "to", .arg = "S", .forms = KMA_LOGS, KMA_OPT_TO(TIME, interval.to),
	  .given = KMA_OPT(has_to), .max = KMA_SECONDS_MAX, .scale = KMA_OPTION_SECOND, .unit = "seconds",
	  .help = "of an event log: count up to S seconds after its beginning" },
	{ "from", .arg = "TIME", .forms = KMA_CMD_LEAKS, KMA_OPT_TO(TEXT, past_from),
	  .help = "of a history, and with --prometheus: use the samples from TIME on, for\n"
		  "example 09:00, -6h or \"yesterday 14:00\" (default: the last day)" },
	{ "to", .arg = "TIME", .forms = KMA_CMD_LEAKS, KMA_OPT_TO(TEXT, past_to),
	  .help = "of a history, and with --prometheus: use the samples up to TIME\n"
		  "(default: the newest)" },
	{ "from", .arg = "TIME", .forms = KMA_CMD_TIMELINE | KMA_CHARTS, KMA_OPT_TO(TEXT, past_from),
	  .help = "of an event log: start TIME seconds after its beginning; of a history:\n"
		  "start at TIME, for example 09:00, -6h or \"yesterday 14:00\" (default: a\n"
		  "day before the newest sample)" },
	{ "to", .arg = "TIME", .forms = KMA_CMD_TIMELINE | KMA_CHARTS, KMA_OPT_TO(TEXT, past_to),
	  .help = "of an event log: end TIME seconds after its beginning; of a history: end\n"
		  "at TIME (default: the newest sample)" },
	{ "from", .arg = "TIME", .forms = KMA_CMD_DIFF, KMA_OPT_TO(TEXT, past_from),
	  .help = "of a history DIR: BEFORE is the first sample from TIME on, for example\n"
		  "09:00, -6h or \"yesterday 14:00\" (default: a day before the newest sample)" },
	{ "to", .arg = "TIME", .forms = KMA_CMD_DIFF, KMA_OPT_TO(TEXT, past_to),
	  .help = "of a history DIR: AFTER is the last sample up to TIME (default: the\n"
		  "newest sample)" },
	{ "accept-unread", .forms = KMA_CMD_REPORT, KMA_OPT_TO(FLAG, accept_unread),
	  .help = "exit with status 0 even if more than 1 % of the event lines of a log of\n"
		  "ftrace were not understood" },
	{ "max-input", .arg = "BYTES", .forms = KMA_KERNELS | KMA_READS, .type = KMA_OPTION_SIZE,
	  .variable = &kma_unpack_most, .min = 1, .max = INT64_MAX,
	  .help = "refuse a compressed input of more than BYTES (default: 4 GiB or a\n"
		  "thousand times its compressed size, whichever is larger)" },
	{ "quiet", 'q', .forms = KMA_ALL, KMA_OPT_TO(FLAG, quiet),
	  .help = "show no progress on the terminal while a large input is read" },
	KMA_OPTION_END
};
/* clang-format on */

/*
 * Decides what diff compares: kernels, if an argument is a directory and none is a history, or if
 * all are built trees or debug files; else accounts. The reader of accounts reports a wrong pair.
 */
static unsigned int kma_options_choose(char *const *args, int nr, const char **ret_refusal)
{
	bool tree = false, past = false;
	int kernels = 0;

	for (int i = 0; i < nr; i++) {
		enum kma_series_kind kind = kma_open_kind(args[i]);

		past |= kind == KMA_SERIES_HISTORY;
		tree |= kind == KMA_SERIES_DIR;
		kernels += kind == KMA_SERIES_HISTORY || kind == KMA_SERIES_DIR ||
			   kind == KMA_SERIES_ELF;
	}
	if (!past && (tree || (nr && kernels == nr))) {
		*ret_refusal = "cannot be used with built trees";
		return KMA_CMD_DIFF_TREES;
	}
	*ret_refusal = "needs two built trees";
	return KMA_CMD_DIFF;
}

static void kma_options_default(const struct kma_cmd *cmd, struct kma_options *ret)
{
	*ret = (struct kma_options){
		.command = cmd->name,
		.by = KMA_BY(KMA_KEY_DIR),
		.drawn = cmd->bits & KMA_CHARTS,
		.key = KMA_FOOTPRINT_DIR,
		.format = cmd->bits & KMA_CMD_TIMELINE ? KMA_FORMAT_CSV : KMA_FORMAT_TABLE,
		.sizes = cmd->bits & KMA_BOTH ? KMA_SIZES_IF_ASKED : KMA_SIZES_NEVER,
		.chart = cmd->chart,
		.width = 1600,
		.points = cmd->bits & KMA_CHARTS ? 48 : 250,
		.floor = cmd->bits & KMA_CMD_LEAKS ? KMA_LEAK_FLOOR : 1,
	};
}

static struct kma_err *kma_options_refuse(const struct kma_options *opts, const char *sentence)
{
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: %s", opts->command, sentence);
}

/* Sets opts->asks_tree if a requested metric needs a built tree; refuses it without a tree. */
static struct kma_err *kma_options_tree(struct kma_options *opts)
{
	const unsigned int columns = opts->columns == KMA_METRICS_ALL ? 0 : opts->columns;
	const struct {
		const char *name;
		unsigned int metrics;
	} asked[] = {
		{ "-a", opts->has_attr ? 1U << opts->attr & KMA_TREE_METRICS : 0 },
		{ "--sort", opts->has_sort ? 1U << opts->sort & KMA_TREE_METRICS : 0 },
		{ "--columns", columns & KMA_TREE_METRICS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(asked); i++) {
		if (!asked[i].metrics)
			continue;
		opts->asks_tree = true;
		if (!opts->kernel.tree)
			return kma_err_create_kind(
				KMA_ERR_USAGE, NULL, 0,
				"%s: %s %s needs -k DIR, a built kernel tree; 'kmem-account static --vmlinux FILE' shows the sizes of a vmlinux",
				opts->command, asked[i].name,
				kma_metrics[__builtin_ctz(asked[i].metrics)].name);
	}
	return NULL;
}

/* Refuses options that have no effect on a built tree without an account. */
static struct kma_err *kma_options_no_account(const struct kma_options *opts)
{
	const struct {
		bool given;
		const char *name;
	} vain[] = {
		{ opts->save_db, "--save-db" },
		{ opts->kinds & 1U << KMA_KIND_KMALLOC, "--malloc" },
		{ opts->kinds & 1U << KMA_KIND_CACHE, "--cache" },
		{ opts->kinds & 1U << KMA_KIND_PAGE, "--pages" },
		{ opts->kinds & 1U << KMA_KIND_PERCPU, "--percpu" },
		{ opts->only.nr, "--only or --not" },
		{ opts->past_from || (opts->interval.is && !opts->has_to), "--from" },
		{ opts->past_to || opts->has_to, "--to" },
	};

	if (opts->has_attr && !opts->asks_tree)
		return kma_options_refuse(
			opts,
			"no account given; without one, only static attributes are available (-a static)");
	for (size_t i = 0; i < ARRAY_SIZE(vain); i++)
		if (vain[i].given)
			return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
						   "%s: %s needs an account; use -f FILE",
						   opts->command, vain[i].name);
	return NULL;
}

/* Sets the input of a command with one: the argument, -f, or the account of this machine. */
static struct kma_err *kma_options_input(const struct kma_cmd *cmd, struct kma_options *opts)
{
	bool both = cmd->bits & KMA_BOTH;
	struct kma_err *err;

	if (cmd->nr_args != 1 && !(cmd->bits & KMA_CHARTS))
		return NULL;
	opts->account = opts->nr_args ? opts->args[0] : opts->account;
	err = both ? kma_options_tree(opts) : NULL;
	if (err || opts->account || opts->db_file)
		return err;
	if (both && opts->kernel.tree)
		return kma_options_no_account(opts);
	return both ? kma_open_own_or_refuse(cmd->name, &opts->account) :
		      kma_options_refuse(opts, "no log given; use -f FILE");
}

/* Rules for rows by subsystem, which need MAINTAINERS, and for --depth. */
static struct kma_err *kma_options_owners(const struct kma_cmd *cmd, struct kma_options *opts)
{
	bool sizes = opts->trees || cmd->bits & KMA_CMD_STATIC;
	bool owners = sizes ? opts->key == KMA_FOOTPRINT_SUBSYSTEM :
			      (kma_keys_set(&opts->by) | kma_only_keys(&opts->only)) >>
					      KMA_KEY_SUBSYSTEM &
				      1;

	opts->kernel.owners = owners;
	/* A page can show subsystems if they are known. A file that the user named has to exist. */
	opts->kernel.owners_if_there = opts->render.pages;
	opts->kernel.owners |= opts->kernel.owners_if_there && opts->kernel.maintainers;
	if (opts->kernel.maintainers && !opts->kernel.owners)
		return kma_options_refuse(
			opts, "--maintainers needs --by subsystem, or a page (-r FILE.html)");
	if (owners && !sizes && !opts->kernel.maintainers && !opts->kernel.tree)
		return kma_options_refuse(opts,
					  "--by subsystem needs --maintainers FILE, or -k DIR");
	if (opts->depth && (sizes ? opts->key != KMA_FOOTPRINT_DIR :
				    !kma_keys_have(&opts->by, KMA_KEY_DIR) &&
					    !kma_keys_have(&opts->by, KMA_KEY_CGROUP)))
		return kma_options_refuse(opts, sizes ? "--depth needs --by dir" :
							"--depth needs --by dir or --by cgroup");
	return NULL;
}

static struct kma_err *kma_options_pictures(const struct kma_cmd *cmd, struct kma_options *opts)
{
	unsigned int pages = opts->render.pages;

	if (cmd->bits & KMA_CHARTS && opts->nr_args > 1 && pages < opts->render.nr)
		return kma_options_refuse(
			opts,
			"several inputs need -r FILE.html and cannot be combined with other pictures");
	if (cmd->bits & KMA_CHARTS && opts->nr_args > 1 && opts->save_db)
		return kma_options_refuse(opts, "--save-db takes one input");
	if (cmd->bits & KMA_CHARTS && !opts->render.nr)
		return kma_options_refuse(opts,
					  "no picture given; use -r FILE.svg, .png, .pdf or .html");
	if (!pages && (opts->max_nodes || opts->plain))
		return kma_options_refuse(opts, "--max-nodes and --plain need -r FILE.html");
	if (!pages && opts->source_url)
		return kma_options_refuse(opts, "--source-url needs -r FILE.html");
	/* A page shows all sizes, so the static ones are loaded if the tree is there. */
	if (cmd->bits & KMA_CHARTS && pages == opts->render.nr)
		opts->sizes = KMA_SIZES_IF_THERE;
	return NULL;
}

static struct kma_err *kma_options_outputs(const struct kma_options *opts)
{
	struct kma_option_output list[KMA_MAX_OUTPUTS + 1] = { { "-O", opts->output } };

	for (unsigned int i = 0; i < opts->render.nr; i++)
		list[i + 1] = (struct kma_option_output){ "-r", opts->render.list[i].path };
	return kma_option_outputs(opts->command, list, opts->render.nr + 1);
}

/* Sets the rows that the rules need. An account has rows by one kind of group. */
static struct kma_err *kma_options_only(struct kma_options *opts)
{
	unsigned int keys = kma_only_keys(&opts->only);
	enum kma_grouped groups = kma_keys_groups(&opts->by) ?: opts->groups;

	if (opts->only.nr && opts->asks_tree)
		return kma_options_refuse(opts,
					  "--only and --not select call sites, not static sizes");
	for (enum kma_key_id id = 0; id < KMA_NR_KEYS; id++) {
		if (!(keys >> id & 1) || !kma_keys[id].groups)
			continue;
		if ((groups && groups != kma_keys[id].groups) ||
		    kma_keys_need(&opts->by, KMA_KEY_NEEDS_STACKS))
			return kma_err_create_kind(
				KMA_ERR_USAGE, NULL, 0,
				"%s: --by and a rule by %s: no input knows two of stack, cgroup, node, task and root of the same object",
				opts->command, kma_keys[id].name);
		groups = opts->groups = kma_keys[id].groups;
		if (opts->drawn && kma_keys_groups(&opts->by))
			opts->kernel.by = &opts->by;
	}
	return NULL;
}

static struct kma_err *kma_options_check(const struct kma_cmd *cmd, struct kma_options *opts)
{
	bool stacks = kma_keys_need(&opts->by, KMA_KEY_NEEDS_STACKS);
	enum kma_grouped groups = kma_keys_groups(&opts->by);
	struct kma_err *err = kma_options_only(opts);

	if (err)
		return err;
	opts->interval.is |= opts->has_to;
	if (opts->has_to && opts->interval.to <= opts->interval.from)
		return kma_options_refuse(opts, "--to is not after --from");
	/* The format of timeline is csv without an option. */
	if (opts->csv_safe && opts->format != KMA_FORMAT_CSV &&
	    (opts->has_format || !(cmd->bits & KMA_CMD_TIMELINE)))
		return kma_options_refuse(opts, "--csv-safe needs --format csv");
	if (cmd->bits & KMA_CMD_REPORT && (opts->slabinfo || opts->slab) &&
	    !kma_keys_have(&opts->by, KMA_KEY_CACHE))
		return kma_options_refuse(opts, "--slabinfo and --slab need --by cache");
	/* A chart makes its tree of the account as read; see session/groupings.h. */
	opts->stacks.each = stacks && (!opts->drawn || opts->stacks.skip || opts->stacks.through);
	if (groups && (!opts->drawn || groups == KMA_GROUPED_TASK))
		opts->groups = groups;
	if (opts->drawn && groups == KMA_GROUPED_TASK)
		opts->kernel.by = &opts->by;
	if ((groups || opts->groups) && (opts->stacks.skip || opts->stacks.through))
		return kma_options_refuse(
			opts,
			"--skip and --through cannot be used with --by cgroup, node, task or root");
	if (opts->drawn && !kma_keys_are(&opts->by, KMA_KEY_DIR) && opts->branch)
		return kma_options_refuse(opts, "-b needs --by dir");
	err = kma_options_outputs(opts) ?: kma_options_owners(cmd, opts);
	return err ?: kma_options_pictures(cmd, opts) ?: kma_options_input(cmd, opts);
}

struct kma_options_texts {
	char program[48], usage[256], examples[1024];
};

/* The options of a command. @texts: buffers for texts of the set. */
static struct kma_option_set kma_options_set(const struct kma_cmd *cmd,
					     struct kma_options_texts *texts)
{
	snprintf(texts->program, sizeof(texts->program), "kmem-account %s", cmd->name);
	snprintf(texts->usage, sizeof(texts->usage), "[OPTION...]%s%s", *cmd->args ? " " : "",
		 cmd->args);
	snprintf(texts->examples, sizeof(texts->examples), "Examples:\n%s", cmd->examples);
	return (struct kma_option_set){
		.command = cmd->name,
		.program = texts->program,
		.usage = texts->usage,
		.about = cmd->summary,
		.examples = texts->examples,
		.forms = cmd->bits,
		.options = kma_options_table,
		.most = cmd->nr_args,
		.choose = cmd->bits & KMA_CMD_DIFF_TREES ? kma_options_choose : NULL,
	};
}

void kma_options_words(const struct kma_cmd *cmd, const char *name)
{
	struct kma_options_texts texts;
	const struct kma_option_set set = kma_options_set(cmd, &texts);

	kma_option_words(&set, name);
}

struct kma_err *kma_options_parse(const struct kma_cmd *cmd, int argc, char **argv,
				  struct kma_options *ret, bool *ret_help)
{
	struct kma_options_texts texts;
	const struct kma_option_set set = kma_options_set(cmd, &texts);
	const char *refusal;
	struct kma_err *err;
	int first;

	kma_options_default(cmd, ret);
	err = kma_option_read(&set, argc, argv, ret, &first);
	*ret_help = !err && !first;
	if (err || *ret_help)
		return err;
	for (int i = first; i < argc; i++)
		ret->args[ret->nr_args++] = argv[i];
	ret->trees = set.choose &&
		     set.choose(argv + first, argc - first, &refusal) == KMA_CMD_DIFF_TREES;
	return kma_options_check(cmd, ret);
}
