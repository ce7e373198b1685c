/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * holdings-make.h - make the holdings of a file.
 */
#ifndef KMA_IMAGE_HOLDINGS_MAKE_H
#define KMA_IMAGE_HOLDINGS_MAKE_H

#include "holdings.h"

/**
 * kma_holdings_make() - find out what each source file holds of a file
 * @image: a linked kernel or a module, with debugging information
 * @module: it is a module
 * @ret: the block, to be freed by the caller
 *
 * Return: NULL; or an error that names the file: damaged.
 */
struct kma_err *kma_holdings_make(const struct kma_image *image, bool module,
				  struct kma_holdings **ret);

#endif /* KMA_IMAGE_HOLDINGS_MAKE_H */
