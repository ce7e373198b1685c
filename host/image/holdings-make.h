/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * holdings-make.h - compute the holdings of a file.
 */
#ifndef KMA_IMAGE_HOLDINGS_MAKE_H
#define KMA_IMAGE_HOLDINGS_MAKE_H

#include "holdings.h"

/**
 * kma_holdings_make() - compute the bytes of each source file in a linked file
 * @image: a linked kernel or a module, with debugging information
 * @module: true if @image is a module
 * @ret: the block, to be freed by free()
 *
 * Return: NULL; or an error that names the file: corrupt.
 */
struct kma_err *kma_holdings_make(const struct kma_image *image, bool module,
				  struct kma_holdings **ret);

#endif /* KMA_IMAGE_HOLDINGS_MAKE_H */
