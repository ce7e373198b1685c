/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lto.h - find the objects of code in a kernel with link-time optimisation.
 *
 * The objects of such a kernel contain no code, but the debugging information of the image has the
 * source file of each function and variable. The bytes of a symbol of the image are charged to the
 * object that was compiled from this file; the object gets a section for them. Nothing is guessed:
 * symbols without debugging information, symbols of a file without such an object, and the bytes
 * between symbols stay in the row "[link-time optimisation]".
 */
#ifndef KMA_IMAGE_LTO_H
#define KMA_IMAGE_LTO_H

#include "kbuild/static.h"
#include "vmlinux.h"

/**
 * kma_lto_book() - charge symbols of the image to objects without code
 * @path: path of the image
 * @priv: the image; the charged bytes are added to @priv->filled
 * @st: the objects; those for link-time optimisation that have no sections get sections and pieces
 *
 * Return: NULL or an error. Missing debugging information is not an error; if it cannot be read,
 * this is counted in the gaps of @st.
 */
struct kma_err *kma_lto_book(const char *path, struct kma_vmlinux *priv, struct kma_static *st);

#endif /* KMA_IMAGE_LTO_H */
