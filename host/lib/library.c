// SPDX-License-Identifier: GPL-2.0-only
/*
 * library.c - load a shared library when it is needed.
 */
#include <dlfcn.h>

#include "cleanup.h"
#include "library.h"

struct kma_err *kma_library_load(const struct kma_library *library)
{
	void *handle = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(library->files) && library->files[i] && !handle; i++)
		handle = dlopen(library->files[i], RTLD_NOW);
	if (!handle)
		return kma_err_create(NULL, 0, "cannot load %s: %s; install %s", library->name,
				      dlerror(), library->packages);
	for (size_t i = 0; i < library->nr; i++) {
		library->pointers[i] = dlsym(handle, library->functions[i]);
		if (!library->pointers[i])
			return kma_err_create(NULL, 0, "%s lacks the function %s", library->name,
					      library->functions[i]);
	}
	return NULL;
}
