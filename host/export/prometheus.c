// SPDX-License-Identifier: GPL-2.0-only
/*
 * prometheus.c - write an account as the text of one scrape. The largest call sites are picked, and
 * their counters are those of the account. (A server keeps its picks from scrape to scrape.)
 */
#include "export.h"
#include "lib/cleanup.h"
#include "places.h"
#include "series.h"

#define KMA_PROMETHEUS_SITES 50

/* Finds the kind of groups of the rows; some rows may be in no group. */
static enum kma_grouped kind_of_groups(const struct kma_export *export)
{
	const struct kma_site *sites;
	size_t nr = 0;

	sites = export->groups ? kma_account_sites(export->groups, &nr) : NULL;
	for (size_t i = 0; i < nr; i++)
		if (sites[i].grouped)
			return sites[i].grouped;
	return KMA_GROUPED_NOT;
}

static struct kma_err *write_text(const struct kma_export *export, bool openmetrics,
				  struct kma_strbuf *out)
{
	_cleanup_(kma_places_deinit) struct kma_export_sites sites = { 0 };
	struct kma_picks picks = { .max = export->top ?: KMA_PROMETHEUS_SITES };
	struct kma_picks groups = { .by = kind_of_groups(export) };
	struct kma_err *err;

	err = kma_places_find(export->account, export->source, export->hide_addresses, &sites);
	if (err)
		return err;
	kma_picks_update(&picks, &sites);
	groups.max = groups.by == KMA_GROUPED_NODE ? KMA_PICKS_NODES : picks.max;
	if (groups.by)
		kma_picks_update_groups(&groups, export->groups);
	kma_series_write(export, &sites, &picks, groups.by ? &groups : NULL, NULL, openmetrics,
			 out);
	kma_picks_deinit(&groups);
	kma_picks_deinit(&picks);
	return NULL;
}

static struct kma_err *write_prometheus(const struct kma_export *export, struct kma_strbuf *out)
{
	return write_text(export, false, out);
}

static struct kma_err *write_openmetrics(const struct kma_export *export, struct kma_strbuf *out)
{
	return write_text(export, true, out);
}

const struct kma_export_format kma_export_prometheus = {
	.name = "prometheus",
	.what = "metrics, the text format 0.0.4 of Prometheus",
	.series = true,
	.write = write_prometheus,
};

const struct kma_export_format kma_export_openmetrics = {
	.name = "openmetrics",
	.what = "metrics, the text format 1.0.0 of OpenMetrics",
	.series = true,
	.write = write_openmetrics,
};
