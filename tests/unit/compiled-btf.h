/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compiled-btf.h - the compiler's BTF of declarations.
 */
#ifndef KMA_TEST_COMPILED_BTF_H
#define KMA_TEST_COMPILED_BTF_H

#include <stdio.h>
#include <stdlib.h>

#include "symbol/btf.h"

/*
 * @used: definitions that use the declared types, because the compiler leaves out what no code uses.
 * NULL with expectations that failed.
 */
static struct kma_btf *compiled_btf(const char *declared, const char *used)
{
	char dir[] = "/tmp/kma-btf-XXXXXX", path[64], command[512];
	struct kma_btf *btf = NULL;
	FILE *f;

	if (!mkdtemp(dir))
		return NULL;
	snprintf(path, sizeof(path), "%s/t.c", dir);
	f = fopen(path, "w");
	if (f) {
		fprintf(f, "%s\n%s\n", declared, used);
		fclose(f);
	}
	snprintf(command, sizeof(command),
		 "cd %s && gcc -gbtf -c t.c && objcopy -O binary -j .BTF --set-section-flags .BTF=alloc t.o t.btf",
		 dir);
	EXPECT(!system(command));
	snprintf(path, sizeof(path), "%s/t.btf", dir);
	EXPECT(!kma_btf_read(path, &btf));
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	EXPECT(!system(command));
	return btf;
}

#endif /* KMA_TEST_COMPILED_BTF_H */
