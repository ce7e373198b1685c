// SPDX-License-Identifier: GPL-2.0-only
/*
 * places.c - read the module's snapshot.
 */
#include "input/input.h"
#include "lib/module-files.h"
#include "places.h"
#include "reader/reader.h"

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
