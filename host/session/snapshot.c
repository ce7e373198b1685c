// SPDX-License-Identifier: GPL-2.0
/*
 * snapshot.c - accounts from any input, a DB file among them, and into a DB file.
 * An input is recognised by its content; FILE@LABEL chooses in a DB file, which may
 * also come packed, or through a pipe.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "db/load.h"
#include "db/probe.h"
#include "db/save.h"
#include "db/snapshot.h"
#include "input/input.h"
#include "lib/cleanup.h"
#include "model/account.h"
#include "model/filter.h"
#include "input/progress.h"
#include "reader/reader.h"
#include "lib/say.h"
#include "snapshot.h"

static const char kma_interrupted[] = "interrupted; this is what was read until then";

void kma_warn_account(const struct kma_account *account)
{
	const char *warning;

	for (size_t i = 0; (warning = kma_account_warning(account, i)); i++)
		kma_warn("%s: %s", kma_account_name(account), warning);
}

bool kma_warn_stopped(const struct kma_input *input)
{
	if (kma_input_stopped())
		kma_warn("%s: %s", kma_input_name(input), kma_interrupted);
	return kma_input_stopped();
}

/* A DB file that SQLite cannot open by name: from a pipe, or packed. */
static struct kma_err *kma_load_copy(struct kma_input *input, const struct kma_db_ref *ref,
				     struct kma_loaded *ret)
{
	struct kma_db_ref copy = { .label = ref->label };
	struct kma_err *err;
	const char *path;

	err = kma_input_path(input, &path);
	if (err)
		return err;
	copy.path = (char *)path;
	return kma_db_load(&copy, kma_input_name(input), &ret->snapshot, &ret->account);
}

/* The input may still be a DB file, once it is unpacked. */
static struct kma_err *kma_load_any(const struct kma_options *opts, const struct kma_db_ref *ref,
				    struct kma_input *input, struct kma_loaded *ret)
{
	struct kma_err *err;
	const char *head;
	size_t len;

	err = kma_input_head(input, &head, &len);
	if (err)
		return err;
	if (kma_db_probe(head, len) && opts->interval.is)
		return kma_err_create(kma_input_name(input), 0,
				      "is a DB file: --from and --to are for event logs");
	if (kma_db_probe(head, len))
		return kma_load_copy(input, ref, ret);
	if (ref->label)
		return kma_err_create(kma_input_name(input), 0,
				      "is not a DB file, so it has no snapshot '%s'", ref->label);
	if (opts->db_file)
		return kma_err_create(kma_input_name(input), 0, "is not a DB file");
	return kma_reader_read(input, &ret->account);
}

static struct kma_err *kma_load_input(const struct kma_options *opts, const struct kma_db_ref *ref,
				      struct kma_loaded *ret)
{
	struct kma_progress progress;
	struct kma_input *input;
	struct kma_err *err;

	err = kma_input_open(ref->path, &input);
	if (err)
		return err;
	/* From here on Ctrl-C ends the input, not the program. */
	kma_input_set_interval(input, &opts->interval);
	kma_progress_begin(&progress, input, opts->quiet);
	err = kma_load_any(opts, ref, input, ret);
	kma_progress_end(&progress);
	/* A warning of the account: it goes into a DB file as well. */
	if (!err && kma_input_stopped())
		err = kma_account_warn(ret->account, "%s", kma_interrupted);
	kma_input_close(input);
	return err;
}

static struct kma_err *kma_load_kinds(const struct kma_options *opts, struct kma_loaded *ret)
{
	unsigned int kinds = opts->malloc << KMA_KIND_KMALLOC | opts->cache << KMA_KIND_CACHE |
			     opts->pages << KMA_KIND_PAGE | opts->percpu << KMA_KIND_PERCPU;
	struct kma_account *part;
	struct kma_err *err;

	if (!kinds)
		return NULL;
	err = kma_account_filter(ret->account, kinds, &part);
	if (err)
		return err;
	ret->whole = ret->account;
	ret->account = part;
	kma_warn_account(part);
	return NULL;
}

struct kma_err *kma_load_account(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_db_ref ref;
	struct kma_err *err;

	err = kma_db_ref_parse(opts->db_file ?: opts->account, &ref);
	if (!err && kma_db_is_file(ref.path) && !opts->interval.is)
		err = kma_db_load(&ref, NULL, &ret->snapshot, &ret->account);
	else if (!err)
		err = kma_load_input(opts, &ref, ret);
	kma_db_ref_deinit(&ref);
	if (err)
		return err;
	kma_warn_account(ret->account);
	return kma_load_kinds(opts, ret);
}

/* What is saved beside the account. Texts belong to others. */
static void kma_describe(const struct kma_loaded *loaded, struct kma_snapshot *ret, char *host,
			 size_t size)
{
	const struct kma_account *account = loaded->whole ?: loaded->account;
	const char *release = kma_release(loaded);

	if (gethostname(host, size))
		*host = '\0';
	host[size - 1] = '\0';
	*ret = (struct kma_snapshot){
		.time = time(NULL),
		.host = *host ? host : NULL,
		.input = (char *)kma_account_name(account),
		.release = *release ? (char *)release : NULL,
		.build_id = (char *)kma_account_note(account, KMA_NOTE_BUILD_ID),
	};
}

struct kma_err *kma_save_account(const char *file, const struct kma_loaded *loaded)
{
	const struct kma_account *account = loaded->whole ?: loaded->account;
	struct kma_snapshot snapshot = loaded->snapshot;
	struct kma_db_ref ref;
	struct kma_err *err;
	char host[256];

	if (!snapshot.id)
		kma_describe(loaded, &snapshot, host, sizeof(host));
	err = kma_db_ref_parse(file, &ref);
	if (!err) {
		if (ref.label)
			snapshot.label = ref.label;
		err = kma_db_save(ref.path, &snapshot, account);
	}
	kma_db_ref_deinit(&ref);
	return err;
}
