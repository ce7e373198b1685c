// SPDX-License-Identifier: GPL-2.0-only
/*
 * places.c - read the module's snapshot.
 */
#include <string.h>
#include <sys/utsname.h>

#include "input/input.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/module-files.h"
#include "model/moment.h"
#include "places.h"
#include "reader/reader.h"
#include "symbol/build-id.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

void kma_places_none(struct kma_account **ret)
{
	_cleanup_free_ char *boot = NULL;
	struct kma_moment moment = { .up = kma_clock(CLOCK_BOOTTIME),
				     .time = kma_clock(CLOCK_REALTIME) };
	char build_id[KMA_BUILD_ID_CHARS];
	struct utsname name;
	size_t len;

	*ret = kma_account_create("the running kernel");
	uname(&name);
	kma_account_put_note(*ret, KMA_NOTE_RELEASE, name.release);
	kma_account_put_note(*ret, KMA_NOTE_MACHINE, name.machine);
	kma_build_id_running(build_id);
	if (*build_id)
		kma_account_put_note(*ret, KMA_NOTE_BUILD_ID, build_id);
	kma_err_destroy(kma_file_slurp_regular(BOOT_ID, &boot, &len));
	if (boot)
		boot[strcspn(boot, "\n")] = '\0';
	moment.boot = boot ?: "";
	kma_moment_keep(*ret, &moment);
}

struct kma_err *kma_places_read(struct kma_account **ret)
{
	struct kma_input *input;
	struct kma_err *err = kma_input_open(KMA_FILE_SNAPSHOT, &input);

	if (err)
		return err;
	err = kma_reader_read_as(&kma_reader_snapshot, input, ret);
	kma_input_close(input);
	return err;
}
