// SPDX-License-Identifier: GPL-2.0
/*
 * shim.c - what of the shim is not a macro.
 */
#define _GNU_SOURCE
#include "shim.h"

extern char __start_shim_percpu[], __stop_shim_percpu[];

void *high_memory = (void *)(1ul << 40);
__thread int shim_cpu;
__thread bool shim_nmi;
ptrdiff_t shim_cpu_offset[SHIM_CPUS];
long shim_fail_at;

void shim_init(void)
{
	size_t size = __stop_shim_percpu - __start_shim_percpu;
	static char *copies;
	int cpu;

	if (copies)
		return;
	size = (size + 63) & ~63ul;
	copies = aligned_alloc(64, size * (SHIM_CPUS - 1));
	memset(copies, 0, size * (SHIM_CPUS - 1));
	for (cpu = 1; cpu < SHIM_CPUS; cpu++)
		shim_cpu_offset[cpu] = copies + (cpu - 1) * size - __start_shim_percpu;
}

void *shim_alloc(size_t n, size_t align)
{
	void *p;

	if (shim_fail_at < 0 || (shim_fail_at && !--shim_fail_at))
		return NULL;
	if (posix_memalign(&p, align < 8 ? 8 : align, n ?: 1))
		return NULL;
	return memset(p, 0, n);
}

char *shim_strdup(const char *s)
{
	char *copy = shim_alloc(strlen(s) + 1, 8);

	return copy ? strcpy(copy, s) : NULL;
}

int sprint_symbol(char *buf, unsigned long addr)
{
	return sprintf(buf, "sym_%lx+0x0/0x10", addr);
}

bool sysfs_streq(const char *a, const char *b)
{
	size_t n = strlen(b);

	if (n && b[n - 1] == '\n')
		n--;
	return strlen(a) == n && !memcmp(a, b, n);
}

void sort_r(void *base, size_t n, size_t size,
	    int (*cmp)(const void *, const void *, const void *),
	    void *swap, const void *arg)
{
	(void)swap;
	qsort_r(base, n, size, (int (*)(const void *, const void *, void *))cmp, (void *)arg);
}

void seq_printf(struct seq_file *m, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	m->buf = realloc(m->buf, m->len + n + 1);
	va_start(ap, fmt);
	vsnprintf(m->buf + m->len, n + 1, fmt, ap);
	va_end(ap);
	m->len += n;
}
