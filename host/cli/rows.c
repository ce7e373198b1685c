// SPDX-License-Identifier: GPL-2.0-only
/*
 * rows.c - convert values of options that several commands have, and that are neither numbers nor
 * names of a list: metrics, pictures, lists of functions, addresses of source browsers.
 */
#include <stdbool.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/strbuf.h"
#include "model/helpers.h"
#include "rows.h"
#include "session/options.h"
#include "view/picture.h"

/*
 * Tests a template of the addresses of lines in a source browser, which the script of the page fills
 * in (lines.js). The scheme has to be http or https. The host has to be part of the template: {file}
 * comes after the slash that follows the host, so that no name of an input can change the host.
 */
static bool source_url_valid(const char *url)
{
	static const char *const schemes[] = { "https://", "http://" };
	const char *host = NULL, *path;

	for (size_t i = 0; i < ARRAY_SIZE(schemes) && !host; i++)
		if (!strncmp(url, schemes[i], strlen(schemes[i])))
			host = url + strlen(schemes[i]);
	path = host ? host + strcspn(host, "/?#{") : NULL;
	if (!host || path == host || *path != '/' || !strstr(path, "{file}"))
		return false;
	for (; *url; url++)
		if (*url <= ' ' || *url >= 0x7f || strchr("\"'<>\\^`|", *url))
			return false;
	return true;
}

/* Error for an unknown metric. Of a row with a set of metrics, min, it lists these. */
static struct kma_err *no_metric(const struct kma_option_given *given, const char *name)
{
	return kma_option_no_name(given, name, given->option->min ?: UINT64_MAX, "");
}

struct kma_err *kma_options_metric(const struct kma_option_given *given, void *member)
{
	return kma_metric_find(given->value, member) ? NULL : no_metric(given, given->value);
}

struct kma_err *kma_options_columns(const struct kma_option_given *given, void *member)
{
	_cleanup_free_ char *unknown = NULL;

	kma_metric_find_set(given->value, member, &unknown);
	return unknown ? no_metric(given, unknown) : NULL;
}

struct kma_err *kma_options_keys(const struct kma_option_given *given, void *member)
{
	unsigned int valid = given->option->min;
	struct kma_keys *keys = member;
	const char *why = kma_keys_parse(given->value, keys);

	if (why && *why)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: %s '%s': %s",
					   given->command, given->name, given->value, why);
	if (!why && !(kma_keys_set(keys) & ~valid))
		return NULL;
	return kma_option_no_name(given, given->value, valid, "; or several, with commas");
}

static struct kma_err *add_rule(const struct kma_option_given *given, struct kma_only *only,
				bool negated)
{
	const char *why = kma_only_add(only, given->value, negated);

	if (!why)
		return NULL;
	if (!*why)
		return kma_option_invalid(
			given,
			"KEY=PATTERN with a key of --by, or COLUMN>NUMBER or COLUMN<NUMBER with a column of the report");
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: %s '%s': %s", given->command,
				   given->name, given->value, why);
}

struct kma_err *kma_options_only_rule(const struct kma_option_given *given, void *member)
{
	return add_rule(given, member, false);
}

struct kma_err *kma_options_not_rule(const struct kma_option_given *given, void *member)
{
	return add_rule(given, member, true);
}

struct kma_err *kma_options_picture(const struct kma_option_given *given, void *member)
{
	struct kma_outputs *outputs = member;
	const struct kma_picture *picture;
	struct kma_err *err;

	if (outputs->nr == KMA_MAX_OUTPUTS)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "%s: %s is given more than %d times", given->command,
					   given->name, KMA_MAX_OUTPUTS);
	err = kma_picture_for(given->value, &picture);
	if (err)
		return err;
	outputs->list[outputs->nr].path = given->value;
	outputs->list[outputs->nr++].picture = picture;
	outputs->pages += !picture->draw;
	return NULL;
}

struct kma_err *kma_options_helpers(const struct kma_option_given *given, void *member)
{
	const char **list = member;

	if (!kma_helpers_valid(given->value))
		return kma_option_invalid(given, "names of functions separated by commas");
	*list = given->value;
	return NULL;
}

struct kma_err *kma_options_source_url(const struct kma_option_given *given, void *member)
{
	if (!source_url_valid(given->value))
		return kma_option_invalid(
			given,
			"https:// or http://, a host, and a path with {file} in it, without blanks and quotes");
	*(const char **)member = given->value;
	return NULL;
}

struct kma_err *kma_options_refused(const struct kma_option_given *given, void *member)
{
	(void)member;
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
				   "%s: unknown option %s; see kmem-account %s --help",
				   given->command, given->name, given->command);
}

bool kma_text_wanted(const struct kma_text_options *text, const struct kma_chart_options *chart)
{
	return !chart->render.nr || text->has_format || text->output;
}

void kma_text_begin(const struct kma_text_options *text, const char *name, struct kma_doc *doc,
		    struct kma_strbuf *out)
{
	*doc = (struct kma_doc){ .bytes = text->bytes, .csv_safe = text->csv_safe };
	kma_doc_begin(doc, text->format, name, 1, out);
	kma_doc_fit(doc, !text->all && !text->output);
}

static struct kma_err *refuse(const char *command, const char *sentence)
{
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: %s", command, sentence);
}

struct kma_err *kma_interval_check(const char *command, struct kma_interval *interval)
{
	interval->is |= interval->ends;
	if (interval->ends && interval->to <= interval->from)
		return refuse(command, "--to is not after --from");
	return NULL;
}

/* Sets the rows that the rules need. An account has rows by one kind of group. */
static struct kma_err *check_only(struct kma_load_options *load)
{
	enum kma_grouped groups = kma_keys_groups(&load->by) ?: load->groups;
	unsigned int keys = kma_only_keys(&load->only);

	for (enum kma_key_id id; (id = kma_keys_grouped(keys)) != KMA_NR_KEYS;
	     keys &= ~(1U << id)) {
		if ((groups && groups != kma_keys[id].groups) ||
		    kma_keys_need(&load->by, KMA_KEY_NEEDS_STACKS))
			return kma_err_create_kind(
				KMA_ERR_USAGE, NULL, 0,
				"%s: --by and a rule by %s: no input knows two of stack, cgroup, node, task and root of the same object",
				load->command, kma_keys[id].name);
		groups = load->groups = kma_keys[id].groups;
		if (load->drawn && kma_keys_groups(&load->by))
			load->kernel.by = &load->by;
	}
	return NULL;
}

struct kma_err *kma_load_check(struct kma_load_options *load)
{
	bool stacks = kma_keys_need(&load->by, KMA_KEY_NEEDS_STACKS);
	bool through = load->stacks.skip || load->stacks.through;
	enum kma_grouped groups = kma_keys_groups(&load->by);
	struct kma_kernel_query *kernel = &load->kernel;
	struct kma_err *err = check_only(load);

	if (!err)
		err = kma_interval_check(load->command, &load->interval);
	if (err)
		return err;
	/* A chart makes its tree of the account as read; see session/groupings.h. */
	load->stacks.each = stacks && (!load->drawn || through);
	if (groups && (!load->drawn || groups == KMA_GROUPED_TASK))
		load->groups = groups;
	if (load->drawn && groups == KMA_GROUPED_TASK)
		kernel->by = &load->by;
	if ((groups || load->groups) && through)
		return refuse(
			load->command,
			"--skip and --through cannot be used with rows or rules by cgroup, node, task or root");
	if (load->drawn && !kma_keys_are(&load->by, KMA_KEY_DIR) && load->branch)
		return refuse(load->command, "-b needs --by dir");

	/* A page can show subsystems if they are known. A file that the user named has to exist. */
	kernel->owners =
		(kma_keys_set(&load->by) | kma_only_keys(&load->only)) >> KMA_KEY_SUBSYSTEM & 1;
	if (kernel->owners && !kernel->maintainers && !kernel->tree)
		return refuse(load->command, "subsystems need --maintainers FILE, or -k DIR");
	kernel->types = (kma_keys_set(&load->by) | kma_only_keys(&load->only)) >> KMA_KEY_TYPE & 1;
	kernel->owners_if_there = load->page;
	kernel->owners |= load->page && kernel->maintainers;
	if (kernel->maintainers && !kernel->owners)
		return refuse(load->command,
			      "--maintainers needs --by subsystem, or a page (-r FILE.html)");
	if (load->depth && !kma_keys_have(&load->by, KMA_KEY_DIR) &&
	    !kma_keys_have(&load->by, KMA_KEY_CGROUP))
		return refuse(load->command, "--depth needs --by dir or --by cgroup");
	return NULL;
}

struct kma_err *kma_load_asks(struct kma_load_options *load, const char *option,
			      unsigned int metrics)
{
	metrics &= KMA_TREE_METRICS;
	if (!metrics)
		return NULL;
	load->asks_tree = true;
	if (!load->kernel.tree)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"%s: %s %s needs -k DIR, a built kernel tree; 'kmem-account static --vmlinux FILE' shows the sizes of a vmlinux",
			load->command, option, kma_metrics[__builtin_ctz(metrics)].name);
	if (load->only.nr)
		return refuse(load->command,
			      "--only and --not select call sites, not static sizes");
	return NULL;
}

struct kma_err *kma_load_own(struct kma_load_options *load)
{
	const struct {
		bool given;
		const char *name;
	} vain[] = {
		{ load->save_db, "--save-db" },
		{ load->kinds & 1U << KMA_KIND_KMALLOC, "--malloc" },
		{ load->kinds & 1U << KMA_KIND_CACHE, "--cache" },
		{ load->kinds & 1U << KMA_KIND_PAGE, "--pages" },
		{ load->kinds & 1U << KMA_KIND_PERCPU, "--percpu" },
		{ load->only.nr, "--only or --not" },
		{ load->interval.is && !load->interval.ends, "--from" },
		{ load->interval.ends, "--to" },
	};

	if (load->account || load->db_file)
		return NULL;
	if (!load->kernel.tree)
		return kma_open_own_or_refuse(load->command, &load->account);
	/* A built tree is shown without an account: refuse what has no effect. */
	if (load->has_attr && !load->asks_tree)
		return refuse(
			load->command,
			"no account given; without one, only static attributes are available (-a static)");
	for (size_t i = 0; i < ARRAY_SIZE(vain); i++)
		if (vain[i].given)
			return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
						   "%s: %s needs an account; use -f FILE",
						   load->command, vain[i].name);
	return NULL;
}

struct kma_err *kma_pictures_check(const char *command, const struct kma_chart_options *chart,
				   const char *output)
{
	struct kma_option_output list[KMA_MAX_OUTPUTS + 1] = { { "-O", output } };

	for (unsigned int i = 0; i < chart->render.nr; i++)
		list[i + 1] = (struct kma_option_output){ "-r", chart->render.list[i].path };
	if (!chart->render.pages && (chart->max_nodes || chart->plain))
		return refuse(command, "--max-nodes and --plain need -r FILE.html");
	if (!chart->render.pages && chart->source_url)
		return refuse(command, "--source-url needs -r FILE.html");
	return kma_option_outputs(command, list, chart->render.nr + 1);
}

struct kma_err *kma_sizes_check(const char *command, struct kma_sizes_options *sizes,
				unsigned long depth, bool page)
{
	sizes->kernel.owners_if_there = page;
	if (sizes->kernel.maintainers && sizes->key != KMA_FOOTPRINT_SUBSYSTEM && !page)
		return refuse(command,
			      "--maintainers needs --by subsystem, or a page (-r FILE.html)");
	if (depth && sizes->key != KMA_FOOTPRINT_DIR)
		return refuse(command, "--depth needs --by dir");
	return NULL;
}
