/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lto.h - owners of the code of a kernel with link-time optimisation. Its objects contain no code,
 * but debugging information has the source file of each function and variable.
 *
 * The bytes of a symbol of the image are charged to the object of that source file, as a section of
 * it. Nothing is guessed: a symbol without debugging information, one of a file that no such object
 * was made from, and what lies between symbols stay in "[link-time optimisation]".
 */
#ifndef KMA_IMAGE_LTO_H
#define KMA_IMAGE_LTO_H

#include "kbuild/static.h"
#include "vmlinux.h"

/**
 * kma_lto_book() - give sections of the image to objects without code
 * @path: the image
 * @priv: the same; what finds an owner is added to what of its sections has one
 * @st: the objects; those that are for link-time optimisation and hold nothing get
 *	sections, and pieces of these
 *
 * Return: NULL or an error. That there is no debugging information, or that it cannot be
 * read, is none.
 */
struct kma_err *kma_lto_book(const char *path, struct kma_vmlinux *priv, struct kma_static *st);

#endif /* KMA_IMAGE_LTO_H */
