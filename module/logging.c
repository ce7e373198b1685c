// SPDX-License-Identifier: GPL-2.0-only
/*
 * logging.c - turns the event log on and off.
 *
 * The design and the locking are in logging.h.
 */
#include "account/live.h"
#include "log/relay.h"
#include "logging.h"
#include "show/debugfs.h"
#include "source/boot.h"
#include "source/kprobe.h"
#include "source/tracepoint.h"

static bool kma_logging;

static const struct kma_log_sources kma_logging_sources = {
	.wait = kma_probe_synchronize,
	.settle = kma_untraced_settle,
};

static int kma_logging_attach(bool untraced)
{
	int err = kma_probe_register(KMA_FOR_LOG, untraced);

	if (err)
		return err;
	if (untraced)
		kma_untraced_register(KMA_FOR_LOG);
	kma_boot_attach();
	return kma_relay_open();
}

static void kma_logging_detach(void)
{
	kma_probe_unregister(KMA_FOR_LOG);
	kma_untraced_unregister(KMA_FOR_LOG);
	if (!kma_live_is_open())
		kma_boot_detach();
	kma_relay_stop();
}

int kma_logging_start(bool untraced)
{
	int err;

	if (kma_logging)
		return 0;
	err = kma_relay_start(kma_debugfs_folder(), &kma_logging_sources);
	if (err)
		return err;
	err = kma_logging_attach(untraced);
	if (err) {
		kma_logging_detach();
		kma_relay_free();
	}
	kma_logging = !err;
	return err;
}

int kma_logging_stop(void)
{
	if (!kma_logging)
		return 0;
	kma_logging = false;
	kma_relay_shut();
	kma_relay_seal();
	kma_logging_detach();
	return 0;
}

int kma_logging_free(void)
{
	kma_logging_stop();
	kma_relay_free();
	return 0;
}

int kma_logging_flush(void)
{
	if (kma_logging)
		kma_relay_flush();
	return 0;
}

bool kma_logging_is_on(void)
{
	return kma_logging;
}
