// SPDX-License-Identifier: GPL-2.0-only
/*
 * build-id.c - the build ID of a file.
 */
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "build-id.h"
#include "lib/cleanup.h"
#include "lib/file.h"

void kma_build_id_set(const void *bytes, size_t len, char build_id[KMA_BUILD_ID_CHARS])
{
	static const char hex[] = "0123456789abcdef";
	const uint8_t *id = bytes;

	memset(build_id, 0, KMA_BUILD_ID_CHARS);
	for (size_t i = 0; i < len && len <= KMA_BUILD_ID_MAX; i++) {
		build_id[2 * i] = hex[id[i] >> 4];
		build_id[2 * i + 1] = hex[id[i] & 15];
	}
}

/* A note is a header of three words, a name and a description, each padded to a word. */
void kma_build_id_running(char build_id[KMA_BUILD_ID_CHARS])
{
	_cleanup_free_ char *notes = NULL;
	size_t len = 0, at = 0;

	memset(build_id, 0, KMA_BUILD_ID_CHARS);
	kma_err_destroy(kma_file_slurp_regular("/sys/kernel/notes", &notes, &len));
	while (notes && len - at > sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note;
		size_t name, end;

		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		end = name + ((note.n_namesz + 3ULL) & ~3ULL) + ((note.n_descsz + 3ULL) & ~3ULL);
		if (end > len)
			break;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(notes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU))) {
			kma_build_id_set(notes + name + sizeof(ELF_NOTE_GNU), note.n_descsz,
					 build_id);
			break;
		}
		at = end;
	}
}
