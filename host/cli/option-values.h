/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option-values.h - check and convert values of options that are neither numbers nor names of a
 * list.
 *
 * Each function is the convert() of rows of type KMA_OPTION_OWN. It stores the value and returns
 * NULL, or an error of kind KMA_ERR_USAGE that states the valid values; texts are not copied.
 */
#ifndef KMA_CLI_OPTION_VALUES_H
#define KMA_CLI_OPTION_VALUES_H

#include "lib/option.h"

/**
 * kma_options_metric() - convert the name of a metric
 * @given: the option; min of its row is the set of the metrics that the error lists, 0: all
 * @member: enum kma_metric_id
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_options_metric(const struct kma_option_given *given, void *member);

/**
 * kma_options_columns() - convert names of metrics separated by commas, or "all"
 * @given: the option, as for kma_options_metric()
 * @member: unsigned int, a set of metrics
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_options_columns(const struct kma_option_given *given, void *member);

/**
 * kma_options_picture() - add a picture or page to those that are drawn
 * @given: the option; its value is a file whose name ends with the format
 * @member: struct kma_outputs
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_options_picture(const struct kma_option_given *given, void *member);

/**
 * kma_options_helpers() - check a list of functions separated by commas
 * @given: the option
 * @member: const char *
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_options_helpers(const struct kma_option_given *given, void *member);

/**
 * kma_options_source_url() - check the address of a source browser
 * @given: the option
 * @member: const char *
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_options_source_url(const struct kma_option_given *given, void *member);

#endif /* KMA_CLI_OPTION_VALUES_H */
