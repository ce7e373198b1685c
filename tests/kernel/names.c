// SPDX-License-Identifier: GPL-2.0-only
/*
 * names.c - objects of the kernel whose names are known, for names.sh.
 *
 *	names plant N		N dentries in five patterns, of which 40 % are negative
 *	names storm FILE	rename, unlink and make some of these until FILE is there
 *	names hold FILE		make tasks, sockets, BPF objects, network namespaces and unlinked files, and keep them;
 *				FILE is made when all are there
 *	names pins DIR N FILE	make N cgroups below DIR for each of several ways to hold one, hold and remove them;
 *				FILE gets the name of each, and what holds it as kmem-account says it
 *
 * Negative dentries are kept by ext4, which is mounted at /mnt/disk; the others are in the root file
 * system.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define DISK "/mnt/disk"

/* Of 100 dentries: those with and those without a file. names.py has the same numbers. */
static const struct {
	const char *dir;
	int positive, negative;
} patterns[] = {
	{ DISK "/run", 10, 30 }, { "/tmp/cache", 25, 0 }, { "/tmp/log", 15, 0 },
	{ DISK "/by-uuid", 2, 10 }, { "/tmp/sessions", 8, 0 },
};

/* The name of file @i of a pattern. */
static void name_of(char *name, size_t size, int pattern, unsigned int i)
{
	unsigned long long x = i * 0x9e3779b97f4a7c15ULL + 0x123456789ULL, y = x * 0xd1342543de82ef95ULL;
	const char *dir = patterns[pattern].dir;

	switch (pattern) {
	case 0:
		snprintf(name, size, "%s/ipmi_exporter-%u", dir, i);
		break;
	case 1:
		snprintf(name, size, "%s/%016llx%016llx", dir, x, y);
		break;
	case 2:
		snprintf(name, size, "%s/app.%u.log", dir, i);
		break;
	case 3:
		snprintf(name, size, "%s/%08llx-%04llx-%04llx-%04llx-%012llx", dir, x >> 32, x >> 16 & 0xffff,
			 x & 0xffff, y >> 48, y & 0xffffffffffff);
		break;
	default:
		snprintf(name, size, "%s/user%u-session%u", dir, i % 7, i);
	}
}

static void make(const char *name)
{
	int fd = open(name, O_CREAT | O_WRONLY, 0600);

	if (fd < 0)
		err(1, "%s", name);
	close(fd);
}

static void plant(unsigned int nr)
{
	struct stat st;
	char name[256];

	for (unsigned int p = 0; p < sizeof(patterns) / sizeof(*patterns); p++) {
		unsigned int positive = nr / 100 * patterns[p].positive;
		unsigned int all = positive + nr / 100 * patterns[p].negative;

		if (mkdir(patterns[p].dir, 0700))
			err(1, "%s", patterns[p].dir);
		for (unsigned int i = 0; i < all; i++) {
			name_of(name, sizeof(name), p, i);
			if (i < positive)
				make(name);
			else if (!stat(name, &st))
				errx(1, "%s is there", name);
		}
	}
}

/* Each pattern keeps as many dentries with a file, and as many without one. */
static void storm(const char *stop)
{
	char name[256], other[256];
	unsigned long turns = 0;

	for (; access(stop, F_OK); turns++) {
		unsigned int i = turns % 100;

		name_of(name, sizeof(name), 0, i);
		name_of(other, sizeof(other), 0, 5000000 + i);
		if (rename(name, other) || rename(other, name))
			err(1, "rename %s", name);
		name_of(name, sizeof(name), 2, i);
		name_of(other, sizeof(other), 2, 5000000 + i);
		if (rename(name, other) || rename(other, name) || unlink(name))
			err(1, "rename %s", name);
		make(name);
		name_of(name, sizeof(name), 3, i);
		if (unlink(name))
			err(1, "unlink %s", name);
		make(name);
	}
	printf("%lu turns\n", turns);
}

/* A child with a name, which stops, ends or waits, maybe in a network namespace of its own. */
static void child(const char *name, char how)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid)
		return;
	prctl(PR_SET_NAME, name);
	if (how == 'N' && unshare(CLONE_NEWNET))
		err(1, "unshare");
	if (how == 'Z')
		_exit(0);
	if (how == 'T')
		raise(SIGSTOP);
	for (;;)
		pause();
}

/* A socket at a port of 127.0.0.1 that others may have, too. */
static int bound(int type, int port)
{
	struct sockaddr_in addr = { AF_INET, htons(port), { htonl(INADDR_LOOPBACK) }, { 0 } };
	int fd = socket(AF_INET, type, 0), one = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one)) ||
	    bind(fd, (struct sockaddr *)&addr, sizeof(addr)) || (type == SOCK_STREAM && listen(fd, 100)))
		err(1, "port %d", port);
	return fd;
}

static int connected(int type, int port)
{
	struct sockaddr_in addr = { AF_INET, htons(port), { htonl(INADDR_LOOPBACK) }, { 0 } };
	int fd = socket(AF_INET, type, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		err(1, "connect");
	return fd;
}

static void bpf_map(const char *name, unsigned int type)
{
	union bpf_attr attr = { .map_type = type, .key_size = 4, .value_size = 8, .max_entries = 10 };

	strcpy(attr.map_name, name);
	if (syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr)) < 0)
		err(1, "%s", name);
}

/* A program that returns 0. */
static void bpf_prog(const char *name)
{
	static const struct bpf_insn code[] = { { .code = BPF_ALU64 | BPF_MOV | BPF_K }, { .code = BPF_JMP | BPF_EXIT } };
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .insn_cnt = 2,
				.insns = (unsigned long)code, .license = (unsigned long)"GPL" };

	strcpy(attr.prog_name, name);
	if (syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr)) < 0)
		err(1, "%s", name);
}

static void hold(const char *ready)
{
	char name[64];
	int fds[2], fd;

	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "sleeper-%d", i);
		child(name, i < 37 ? 'S' : 'N');
		child("stopper", i % 2 ? 'T' : 'Z');
	}
	for (int i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "/tmp/gone-%d", i);
		make(name);
		fd = open(name, O_RDONLY);
		if (fd < 0 || unlink(name))
			err(1, "%s", name);
	}
	for (int i = 0; i < 30; i++) {
		bound(SOCK_STREAM, 4001);
		connected(SOCK_STREAM, 4001);
		bound(SOCK_DGRAM, 4002);
		if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fds))
			err(1, "socketpair");
	}
	for (int i = 0; i < 70; i++) {
		snprintf(name, sizeof(name), "of_pod_%d", i);
		bpf_map(name, i % 2 ? BPF_MAP_TYPE_HASH : BPF_MAP_TYPE_ARRAY);
		bpf_prog(name);
	}
	bound(SOCK_DGRAM, 4003);
	fd = connected(SOCK_DGRAM, 4003);
	for (int i = 0; i < 100; i++)
		if (send(fds[0], name, 8, MSG_DONTWAIT) != 8 && i < 10)
			err(1, "send");
	for (int i = 0; i < 100; i++)
		if (send(fd, name, 8, 0) != 8)
			err(1, "send");
	make(ready);
	for (;;)
		pause();
}

#define PINS_DISK DISK "/pins"
#define PINS_TMP  "/tmp/pins"
#define PINS_PORT 5000

/* Join a cgroup, whose directory is given. */
static void join(const char *cgroup)
{
	char name[256];
	int fd;

	snprintf(name, sizeof(name), "%s/cgroup.procs", cgroup);
	fd = open(name, O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1)
		err(1, "%s", name);
	close(fd);
}

static void send_fd(int to, int fd)
{
	char control[CMSG_SPACE(sizeof(fd))] = { 0 }, byte = 0;
	struct iovec text = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &text, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&msg);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	if (sendmsg(to, &msg, 0) != 1)
		err(1, "sendmsg");
}

/* The descriptor stays open in this process. */
static void receive_fd(int from)
{
	char control[CMSG_SPACE(sizeof(int))], byte;
	struct iovec text = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &text, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };

	if (recvmsg(from, &msg, 0) != 1)
		err(1, "recvmsg");
}

/* A new file in a directory: a page, and what is left of it. */
static void make_file(const char *dir, const char *name, off_t left)
{
	static const char text[4096] = "page";
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
	if (fd < 0 || write(fd, text, sizeof(text)) != sizeof(text) || ftruncate(fd, left))
		err(1, "%s", path);
	close(fd);
}

/* What becomes of the process that plants: it ends, it stays a zombie, or it leaves the cgroup and stays. */
enum after { ENDS, ZOMBIE, LEAVES };

enum pin { ON_EXT4, ON_TMPFS, INODE, ANON, SWAPPED, SOCKET, TASK, NAMESPACE, UNKNOWN, NR_PINS };

/* kmem-account says @said, and then @at and the name, or the port. */
static const struct {
	const char *name;
	enum after after;
	const char *said, *at;
} pin_kinds[NR_PINS] = {
	[ON_EXT4] = { "onext", ENDS, "page of ext4 vdb ", PINS_DISK "/" },
	[ON_TMPFS] = { "ontmpfs", ENDS, "page of tmpfs ", PINS_TMP "/" },
	[INODE] = { "inode", ENDS, "inode of ext4 vdb ", PINS_DISK "/" },
	[ANON] = { "anon", LEAVES, "anonymous page", NULL },
	[SWAPPED] = { "swapped", LEAVES, "page in swap", NULL },
	[SOCKET] = { "socket", ENDS, "socket TCP inet listen ", NULL },
	[TASK] = { "task", ZOMBIE, "task ", "" },
	[NAMESPACE] = { "namespace", LEAVES, "cgroup namespace", NULL },
	[UNKNOWN] = { "unknown", ENDS, "nothing that was found", NULL },
};

/* Move a page to swap. /proc/self/pagemap says in bit 62 that it is there. */
static void swap_out(char *page)
{
	int fd = open("/proc/self/pagemap", O_RDONLY);
	uint64_t entry = 0;

	for (int i = 0; i < 100 && !(entry >> 62 & 1); i++) {
		if (madvise(page, 4096, MADV_PAGEOUT) ||
		    pread(fd, &entry, sizeof(entry), (uintptr_t)page / 4096 * sizeof(entry)) != sizeof(entry))
			err(1, "swap");
		usleep(100000);
	}
	if (!(entry >> 62 & 1))
		errx(1, "a page stays in memory");
	close(fd);
}

/* In a process that is in the cgroup. */
static void plant_pin(enum pin kind, const char *name, int port, int to)
{
	char *page;

	switch (kind) {
	case ON_EXT4:
		make_file(PINS_DISK, name, 4096);
		break;
	case ON_TMPFS:
		make_file(PINS_TMP, name, 4096);
		break;
	case INODE:
		make_file(PINS_DISK, name, 0);
		break;
	case ANON:
	case SWAPPED:
		page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page == MAP_FAILED)
			err(1, "mmap");
		*page = 1;
		if (kind == SWAPPED)
			swap_out(page);
		break;
	case SOCKET:
		send_fd(to, bound(SOCK_STREAM, port));
		break;
	case TASK:
		prctl(PR_SET_NAME, name);
		break;
	case NAMESPACE:
		if (unshare(CLONE_NEWCGROUP))
			err(1, "unshare");
		break;
	default:
		break;
	}
}

/* Count in a cgroup, which kmem-account does not find. */
static void pin_unknown(const char *cgroup)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
					.config = PERF_COUNT_SW_CPU_CLOCK };
	int fd = open(cgroup, O_RDONLY);

	if (fd < 0 || syscall(SYS_perf_event_open, &attr, fd, 0, -1, PERF_FLAG_PID_CGROUP) < 0)
		err(1, "perf_event_open");
	close(fd);
}

/* Make a cgroup, have a process plant something in it, and remove it. */
static void pin(const char *dir, enum pin kind, const char *name, int port, const int pair[2])
{
	enum after after = pin_kinds[kind].after;
	char cgroup[256];
	siginfo_t info;
	pid_t pid;

	snprintf(cgroup, sizeof(cgroup), "%s/%s", dir, name);
	if (mkdir(cgroup, 0700))
		err(1, "%s", cgroup);
	if (kind == UNKNOWN)
		pin_unknown(cgroup);
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		join(cgroup);
		plant_pin(kind, name, port, pair[1]);
		if (after != LEAVES)
			_exit(0);
		snprintf(cgroup, sizeof(cgroup), "%s/..", dir);
		join(cgroup);
		raise(SIGSTOP);
		_exit(0);
	}
	if (waitid(P_PID, pid, &info, WEXITED | WSTOPPED | (after == ZOMBIE ? WNOWAIT : 0)) ||
	    info.si_code != (after == LEAVES ? CLD_STOPPED : CLD_EXITED) || (after != LEAVES && info.si_status))
		errx(1, "%s was not planted", name);
	if (kind == SOCKET)
		receive_fd(pair[0]);
	if (rmdir(cgroup))
		err(1, "rmdir %s", cgroup);
}

static void pins(const char *dir, int nr, const char *truth)
{
	char name[64], made[256];
	int pair[2];
	FILE *f;

	snprintf(made, sizeof(made), "%s.made", truth);
	f = fopen(made, "w");
	if (!f || mkdir(PINS_DISK, 0700) || mkdir(PINS_TMP, 0700) ||
	    socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		err(1, "%s", truth);
	for (int i = 0; i < nr; i++) {
		for (enum pin kind = 0; kind < NR_PINS; kind++) {
			if (kind == SWAPPED && access(DISK "/swap", F_OK))
				continue;
			/* Without digits, so that each has a row. */
			snprintf(name, sizeof(name), "%s-%c%c", pin_kinds[kind].name, 'a' + i / 26, 'a' + i % 26);
			pin(dir, kind, name, PINS_PORT + i, pair);
			fprintf(f, "%s/%s\t%s", dir, name, pin_kinds[kind].said);
			if (kind == SOCKET)
				fprintf(f, "%d:0", PINS_PORT + i);
			if (pin_kinds[kind].at)
				fprintf(f, "%s%s%s", pin_kinds[kind].at, name, kind == TASK ? " Z" : "");
			fputc('\n', f);
		}
	}
	if (fclose(f) || rename(made, truth))
		err(1, "%s", truth);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "plant"))
		plant(atoi(argv[2]));
	else if (argc == 3 && !strcmp(argv[1], "storm"))
		storm(argv[2]);
	else if (argc == 3 && !strcmp(argv[1], "hold"))
		hold(argv[2]);
	else if (argc == 5 && !strcmp(argv[1], "pins"))
		pins(argv[2], atoi(argv[3]), argv[4]);
	else
		return 2;
	return 0;
}
