// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event logs of the module: their file, streams, merging and names. Any bytes give events in
 * the order of time, and findings that lie within the file.
 */
#include <stdlib.h>

#include "log/log.h"

static void kma_fuzz_found(void *arg, const struct kma_log_finding *finding)
{
	if (finding->what >= KMA_LOG_NR_WHATS || finding->pos > *(size_t *)arg)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct kma_log_item *item;
	struct kma_log_site site;
	struct kma_log *log = NULL;
	uint64_t last = 0, events = 0;
	struct kma_err *err;

	err = kma_log_open_memory("fuzz", data, size, kma_fuzz_found, &size, &log);
	if (!err == !log)
		abort();
	while (log && kma_log_next(log, &item)) {
		if (item->time < last || item->pos >= size ||
		    item->cpu >= kma_log_head(log)->nr_cpus)
			abort();
		last = item->time;
		if (item->type <= KMA_LOG_ITEM_FREE && events++ < 1000)
			kma_log_site(log, item->site, &site);
	}
	kma_log_close(log);
	kma_err_destroy(err);
	return 0;
}
