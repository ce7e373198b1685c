// SPDX-License-Identifier: GPL-2.0-only
/*
 * A built kernel tree: an object, the image that was linked from it, the linker's
 * map, what kbuild keeps of its commands, the objects of a module, MAINTAINERS. A run
 * has a tree of its own.
 *
 * Whatever the files hold, bytes are neither lost nor made: all sections of the object are
 * in the tree of owners, by directory and by symbol alike.
 *
 * Bytes: the lengths of all parts but the last, then the parts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/linked.h"
#include "lib/cleanup.h"
#include "tree/footprint.h"
#include "tree/maintainers.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The parts, and what else is in the tree. */
static const struct {
	const char *path, *text; /* NULL: a part of the run */
} kma_fuzz_files[] = {
	{ "vmlinux.map", NULL },
	{ "fs/.built-in.a.cmd", NULL },
	{ "fs/m.mod", NULL },
	{ "MAINTAINERS", NULL },
	{ "fs/a.o", NULL },
	{ "vmlinux", NULL },
	{ "fs/.a.o.cmd", "cmd_fs/a.o := gcc\n\nsource_fs/a.o := fs/a.c\n" },
	{ ".vmlinux.o.cmd", "cmd_vmlinux.o := ld -r -o vmlinux.o --whole-archive vmlinux.a\n" },
	{ ".vmlinux.a.cmd",
	  "cmd_vmlinux.a := rm -f vmlinux.a; ar cDPrST vmlinux.a ./built-in.a\n" },
	{ ".built-in.a.cmd",
	  "cmd_built-in.a := printf \"./%s \" fs/built-in.a | xargs ar cDPrST built-in.a\n" },
};

#define KMA_FUZZ_PARTS 6

static const char *const kma_fuzz_folders[] = { "", "fs" };

static char kma_fuzz_dir[64];

static const char *kma_fuzz_path(const char *file)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", kma_fuzz_dir, file);
	return path;
}

static void kma_fuzz_remove(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_fuzz_files); i++)
		unlink(kma_fuzz_path(kma_fuzz_files[i].path));
	for (size_t i = ARRAY_SIZE(kma_fuzz_folders); i--;)
		rmdir(kma_fuzz_path(kma_fuzz_folders[i]));
}

static void kma_fuzz_write(const char *file, const void *data, size_t size)
{
	_cleanup_fclose_ FILE *f = fopen(kma_fuzz_path(file), "we");

	if (!f || fwrite(data, 1, size, f) != size)
		abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	snprintf(kma_fuzz_dir, sizeof(kma_fuzz_dir), "%s/kma-fuzz-%d",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", (int)getpid());
	for (size_t i = 0; i < ARRAY_SIZE(kma_fuzz_folders); i++)
		if (mkdir(kma_fuzz_path(kma_fuzz_folders[i]), 0700))
			abort();
	for (size_t i = KMA_FUZZ_PARTS; i < ARRAY_SIZE(kma_fuzz_files); i++)
		kma_fuzz_write(kma_fuzz_files[i].path, kma_fuzz_files[i].text,
			       strlen(kma_fuzz_files[i].text));
	return atexit(kma_fuzz_remove);
}

static void kma_fuzz_parts(const uint8_t *data, size_t size)
{
	const uint8_t *lengths = data;
	size_t head = 2 * (KMA_FUZZ_PARTS - 1);

	data += head;
	size -= head;
	for (size_t i = 0; i < KMA_FUZZ_PARTS; i++) {
		size_t len = i + 1 == KMA_FUZZ_PARTS ? size :
						       lengths[2 * i] | lengths[2 * i + 1] << 8;

		if (len > size)
			len = size;
		kma_fuzz_write(kma_fuzz_files[i].path, data, len);
		data += len;
		size -= len;
	}
}

/* Static bytes of a tree of owners. */
static uint64_t kma_fuzz_sum(const struct kma_footprint *fp, enum kma_footprint_key key)
{
	struct kma_footprint what = *fp;
	struct kma_node *root = NULL;
	struct kma_err *err;
	uint64_t sum;

	what.by = &kma_footprint_bys[key];
	err = kma_footprint_tree(&what, &root);
	if (err)
		abort();
	sum = kma_metrics[KMA_STATIC].get(root->values);
	kma_node_destroy(root);
	return sum;
}

static void kma_fuzz_sums(const struct kma_static *st, const struct kma_linked *image)
{
	const struct kma_footprint fp = { .st = st, .image = image };
	uint64_t sum = kma_fuzz_sum(&fp, KMA_FOOTPRINT_DIR);

	for (enum kma_footprint_key key = 0; key < KMA_NR_FOOTPRINT_KEYS; key++)
		if (kma_fuzz_sum(&fp, key) != sum)
			abort();
	/* The image is all there is. */
	if (image && sum != image->size)
		abort();
}

static void kma_fuzz_owners(void)
{
	struct kma_maintainers *list = NULL;
	struct kma_err *err = kma_maintainers_create(kma_fuzz_path("MAINTAINERS"), &list);

	if (!err == !list)
		abort();
	if (list) {
		kma_maintainers_owner(list, "fs/a.c");
		kma_maintainers_owner(list, "drivers/net/ethernet/intel/e1000/e1000_main.c");
	}
	kma_err_destroy(err);
	kma_maintainers_destroy(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kma_objects *objects = NULL;
	struct kma_linked *image = NULL;
	struct kma_static *st = NULL;
	struct kma_err *err;

	if (size < 2 * (KMA_FUZZ_PARTS - 1))
		return -1;
	kma_fuzz_parts(data, size);
	err = kma_objects_create(kma_fuzz_dir, &objects);
	if (!err)
		err = kma_static_read(objects, true, &st);
	/* Damaged files in it are counted: they are no errors. */
	if (err)
		abort();
	kma_fuzz_sums(st, NULL);
	err = kma_linked_create(kma_fuzz_dir, st, &image);
	if (!err == !image)
		abort();
	if (image)
		kma_fuzz_sums(st, image);
	kma_err_destroy(err);
	kma_linked_destroy(image);
	kma_static_destroy(st);
	kma_objects_destroy(objects);
	kma_fuzz_owners();
	return 0;
}
