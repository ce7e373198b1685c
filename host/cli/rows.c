// SPDX-License-Identifier: GPL-2.0-only
/*
 * rows.c - convert values of options that several commands have, and that are neither numbers nor
 * names of a list: metrics, pictures, lists of functions, addresses of source browsers.
 */
#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/strbuf.h"
#include "model/helpers.h"
#include "rows.h"
#include "session/options.h"
#include "view/page/source-url.h"
#include "view/picture.h"

/*
 * Error for an unknown metric: @name, which is the value or one of its names. It lists the metrics
 * of the row's min, which is a set; 0: all.
 */
static struct kma_err *kma_options_no_metric(const struct kma_option_given *given, const char *name)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };
	struct kma_option_given one = *given;
	unsigned int rest = given->option->min ?: (1U << KMA_NR_METRICS) - 1;

	for (unsigned int id; rest; rest &= rest - 1) {
		id = __builtin_ctz(rest);
		kma_strbuf_printf(&names, "%s%s",
				  names.len ? rest & (rest - 1) ? ", " : " or " : "",
				  kma_metrics[id].name);
	}
	one.value = name;
	return kma_option_invalid(&one, "%s", names.str);
}

struct kma_err *kma_options_metric(const struct kma_option_given *given, void *member)
{
	return kma_metric_find(given->value, member) ? NULL :
						       kma_options_no_metric(given, given->value);
}

struct kma_err *kma_options_columns(const struct kma_option_given *given, void *member)
{
	_cleanup_free_ char *unknown = NULL;

	kma_metric_find_set(given->value, member, &unknown);
	return unknown ? kma_options_no_metric(given, unknown) : NULL;
}

struct kma_err *kma_options_keys(const struct kma_option_given *given, void *member)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };
	unsigned int valid = given->option->min;
	struct kma_keys *keys = member;
	const char *why = kma_keys_parse(given->value, keys);

	if (why && *why)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: %s '%s': %s",
					   given->command, given->name, given->value, why);
	if (!why && !(kma_keys_set(keys) & ~valid))
		return NULL;
	for (unsigned int id = 0; id < KMA_NR_KEYS; id++)
		if (valid >> id & 1)
			kma_strbuf_printf(&names, "%s%s",
					  !names.len	    ? "" :
					  valid >> (id + 1) ? ", " :
							      " or ",
					  kma_keys[id].name);
	return kma_option_invalid(given, "%s; or several, with commas", names.str);
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
	if (!kma_source_url_valid(given->value))
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

struct kma_err *kma_interval_check(const char *command, struct kma_interval *interval)
{
	interval->is |= interval->ends;
	if (interval->ends && interval->to <= interval->from)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: --to is not after --from",
					   command);
	return NULL;
}

void kma_text_begin(const struct kma_text_options *text, const char *name, struct kma_doc *doc,
		    struct kma_strbuf *out)
{
	*doc = (struct kma_doc){ .bytes = text->bytes, .csv_safe = text->csv_safe };
	kma_doc_begin(doc, text->format, name, 1, out);
	kma_doc_fit(doc, !text->all && !text->output);
}
