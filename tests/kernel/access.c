// SPDX-License-Identifier: GPL-2.0-only
/*
 * access.c - try the module's files with another identity.
 *
 *	access as WHO [+CAP...] -- COMMAND...	run COMMAND as WHO
 *	access open r|w|rw FILE			"ok", or the error's name
 *	access read FILE			open FILE, read all of it
 *	access cat FILE				the same, and print what was read instead
 *						of "ok"
 *	access write FILE TEXT			open FILE for writing, write TEXT
 *	access fdread FD			read the inherited FD from its begin
 *	access fdwrite FD TEXT			write TEXT to the inherited FD
 *	access pass r|w|rw FILE FD -- COMMAND...	open FILE here, send it to a child
 *						through a socket, run COMMAND there
 *						with the file as FD
 *	access readers N FILE -- COMMAND...	open FILE N times, print how often that
 *						succeeded and the first error, run
 *						COMMAND while the files are open
 *
 * A COMMAND that begins with /access is this program.
 *
 * WHO is a row of @identities below. A capability is a word of @caps. All of the
 * above print one line and exit with 0 if everything succeeded, with 1 if the kernel
 * refused something, with 2 if the program itself cannot do what was asked for: a test
 * that wants a refusal asks for the line or for the status 1.
 *
 * The system calls are raw: the program is linked statically and without libcap.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY	65534

#ifndef CAP_PERFMON
#define CAP_PERFMON	38
#endif

#define BIT(cap) (UINT64_C(1) << (cap))

static const struct {
	const char *name;
	unsigned int cap;
} caps[] = {
	{ "chown", CAP_CHOWN },
	{ "dac_override", CAP_DAC_OVERRIDE },
	{ "dac_read_search", CAP_DAC_READ_SEARCH },
	{ "perfmon", CAP_PERFMON },
	{ "sys_admin", CAP_SYS_ADMIN },
	{ "sys_module", CAP_SYS_MODULE },
	{ "syslog", CAP_SYSLOG },
};

/* What Docker leaves to root of a container. */
#define DOCKER_CAPS							\
	(BIT(CAP_CHOWN) | BIT(CAP_DAC_OVERRIDE) | BIT(CAP_FSETID) |	\
	 BIT(CAP_FOWNER) | BIT(CAP_MKNOD) | BIT(CAP_NET_RAW) |		\
	 BIT(CAP_SETGID) | BIT(CAP_SETUID) | BIT(CAP_SETFCAP) |		\
	 BIT(CAP_SETPCAP) | BIT(CAP_NET_BIND_SERVICE) |			\
	 BIT(CAP_SYS_CHROOT) | BIT(CAP_KILL) | BIT(CAP_AUDIT_WRITE))

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *fmt, ...)
{
	int error = errno;
	va_list args;

	va_start(args, fmt);
	fputs("access: ", stderr);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fprintf(stderr, ": %s\n", strerror(error));
	exit(2);
}

/* The name of an errno that the tests ask for; its text for another one. */
static const char *error_name(int error)
{
	switch (error) {
	case EPERM: return "EPERM";
	case EACCES: return "EACCES";
	case EBUSY: return "EBUSY";
	case EINVAL: return "EINVAL";
	case EIO: return "EIO";
	case EMFILE: return "EMFILE";
	case ENOENT: return "ENOENT";
	case ENOMEM: return "ENOMEM";
	}
	return strerror(error);
}

/* Print the result of a step, and return the exit status that says the same. */
static int result(int error)
{
	puts(error ? error_name(error) : "ok");
	return !!error;
}

static void set_caps(uint64_t set)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};

	for (int i = 0; i < 2; i++)
		data[i].effective = data[i].permitted = data[i].inheritable = set >> 32 * i;
	if (syscall(SYS_capset, &header, data))
		die("capset");
}

/* Without them the kernel gives nothing back at an exec(), not even to user 0. */
static void bound_caps(uint64_t set)
{
	for (int cap = 0; prctl(PR_CAPBSET_READ, cap) >= 0; cap++)
		if (!(set & BIT(cap)) && prctl(PR_CAPBSET_DROP, cap))
			die("drop capability %d", cap);
}

static void write_file(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die("%s", name);
	close(fd);
}

/* User and group, real and effective, with no more than capabilities @set. */
static void become(unsigned int real, unsigned int effective, uint64_t set)
{
	if (prctl(PR_SET_KEEPCAPS, 1) || setgroups(0, NULL) ||
	    setresgid(real, effective, effective) || setresuid(real, effective, effective))
		die("user %u", effective);
	/* execve() takes the ambient ones: the program that it runs has no file capabilities */
	set_caps(set);
	for (int cap = 0; cap < 64; cap++)
		if (set & BIT(cap) && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0))
			die("raise capability %d", cap);
}

static void be_root(uint64_t set)
{
	(void)set;
}

static void be_nobody(uint64_t set)
{
	become(NOBODY, NOBODY, set);
}

/* %pK wants the real and the effective user to be the same. */
static void be_split(uint64_t set)
{
	become(NOBODY - 1, NOBODY, set);
}

/*
 * Further namespaces, with a /proc of the process IDs there. The parent waits: it is the
 * child that is in the namespace of process IDs. Returns in the child.
 */
static void contain(void)
{
	int status;
	pid_t pid;

	if (unshare(CLONE_NEWNS | CLONE_NEWPID))
		die("unshare");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid) {
		if (waitpid(pid, &status, 0) != pid)
			die("wait");
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
	}
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("proc", "/proc", "proc", 0, NULL))
		die("mount /proc");
}

/* Root with a container's capabilities; Docker's /sys is read-only. */
static void be_container(uint64_t set)
{
	contain();
	if (mount(NULL, "/sys", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL))
		die("mount /sys");
	bound_caps(DOCKER_CAPS | set);
	set_caps(DOCKER_CAPS | set);
}

/* Root of a namespace that maps itself to an unprivileged user. */
static void be_userns(uint64_t set)
{
	become(NOBODY, NOBODY, set);
	/* a process whose user changed is owned by root, and so are the files below */
	if (prctl(PR_SET_DUMPABLE, 1) || unshare(CLONE_NEWUSER))
		die("unshare");
	write_file("/proc/self/setgroups", "deny");
	write_file("/proc/self/uid_map", "0 65534 1");
	write_file("/proc/self/gid_map", "0 65534 1");
	contain();
}

/* The same of a namespace in which user 0 is the system's user 0, who owns the files. */
static void be_owner(uint64_t set)
{
	(void)set;
	if (unshare(CLONE_NEWUSER))
		die("unshare");
	write_file("/proc/self/uid_map", "0 0 1");
	write_file("/proc/self/setgroups", "deny");
	write_file("/proc/self/gid_map", "0 0 1");
	contain();
}

static const struct {
	const char *name;
	void (*be)(uint64_t set);
} identities[] = {
	{ "root", be_root },
	{ "nobody", be_nobody },
	{ "split", be_split },
	{ "container", be_container },
	{ "userns", be_userns },
	{ "owner", be_owner },
};

static uint64_t cap_of(const char *name)
{
	for (size_t i = 0; i < sizeof(caps) / sizeof(*caps); i++)
		if (!strcmp(name, caps[i].name))
			return BIT(caps[i].cap);
	errno = EINVAL;
	die("capability '%s'", name);
}

static int dispatch(int argc, char **argv);

/*
 * This program is called, not executed: execve() takes the ambient capabilities of a user
 * whose real and effective IDs are not the same.
 */
static int run(char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	if (!strcmp(argv[0], "/access"))
		return dispatch(argc, argv);
	execvp(argv[0], argv);
	die("%s", argv[0]);
}

static int cmd_as(int argc, char **argv)
{
	uint64_t set = 0;
	int i;

	for (i = 1; i < argc && argv[i][0] == '+'; i++)
		set |= cap_of(argv[i] + 1);
	if (i + 1 >= argc || strcmp(argv[i], "--"))
		return 2;
	for (size_t k = 0; k < sizeof(identities) / sizeof(*identities); k++) {
		if (strcmp(argv[0], identities[k].name))
			continue;
		identities[k].be(set);
		return run(argv + i + 1);
	}
	errno = EINVAL;
	die("identity '%s'", argv[0]);
}

static int open_as(const char *mode, const char *name)
{
	int flags = !strcmp(mode, "rw") ? O_RDWR : *mode == 'w' ? O_WRONLY : O_RDONLY;

	return open(name, flags | O_CLOEXEC);
}

static int cmd_open(int argc, char **argv)
{
	(void)argc;
	return result(open_as(argv[0], argv[1]) < 0 ? errno : 0);
}

/* All of a file, to @out: a refusal may come with the first read as well. 0, or an errno. */
static int copy(int fd, FILE *out)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0)
		if (out && fwrite(buf, 1, n, out) != (size_t)n)
			die("write");
	return n < 0 ? errno : 0;
}

static int read_all(int fd)
{
	return result(copy(fd, NULL));
}

static int write_all(int fd, const char *text)
{
	return result(write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : errno);
}

static int cmd_read(int argc, char **argv)
{
	int fd = open_as("r", argv[0]);

	(void)argc;
	return fd < 0 ? result(errno) : read_all(fd);
}

static int cmd_write(int argc, char **argv)
{
	int fd = open_as("w", argv[0]);

	(void)argc;
	return fd < 0 ? result(errno) : write_all(fd, argv[1]);
}

static int cmd_cat(int argc, char **argv)
{
	int fd = open_as("r", argv[0]);
	int error = fd < 0 ? errno : copy(fd, stdout);

	(void)argc;
	return error ? result(error) : 0;
}

static int cmd_fdread(int argc, char **argv)
{
	(void)argc;
	return read_all(atoi(argv[0]));
}

static int cmd_fdwrite(int argc, char **argv)
{
	(void)argc;
	return write_all(atoi(argv[0]), argv[1]);
}

/* One file descriptor in a message of one byte. */
union fd_message {
	char buf[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

static void send_fd(int socket, int fd)
{
	union fd_message control = {};
	struct iovec io = { "", 1 };
	struct msghdr msg = {
		.msg_iov = &io, .msg_iovlen = 1,
		.msg_control = control.buf, .msg_controllen = sizeof(control.buf),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&msg);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	if (sendmsg(socket, &msg, 0) != 1)
		die("sendmsg");
}

static int receive_fd(int socket)
{
	union fd_message control = {};
	char byte;
	struct iovec io = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &io, .msg_iovlen = 1,
		.msg_control = control.buf, .msg_controllen = sizeof(control.buf),
	};
	int fd;

	if (recvmsg(socket, &msg, 0) != 1 || !CMSG_FIRSTHDR(&msg))
		die("recvmsg");
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

/* The child is forked before the file is open: it has it by the message alone. */
static int cmd_pass(int argc, char **argv)
{
	int pair[2], status, fd;
	pid_t pid;

	if (argc < 5 || strcmp(argv[3], "--"))
		return 2;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		die("socketpair");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		fd = receive_fd(pair[1]);
		if (dup2(fd, atoi(argv[2])) < 0)
			die("dup2");
		return run(argv + 4);
	}
	fd = open_as(argv[0], argv[1]);
	if (fd < 0)
		die("%s", argv[1]);
	send_fd(pair[0], fd);
	if (waitpid(pid, &status, 0) != pid)
		die("wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

static int cmd_readers(int argc, char **argv)
{
	int wanted = atoi(argv[0]), n, error = 0;
	struct rlimit limit;

	if (argc < 4 || strcmp(argv[2], "--"))
		return 2;
	/* the hard limit is root's to raise: the guest's is enough */
	if (getrlimit(RLIMIT_NOFILE, &limit))
		die("getrlimit");
	limit.rlim_cur = limit.rlim_max;
	if (limit.rlim_max < (rlim_t)wanted + 16 || setrlimit(RLIMIT_NOFILE, &limit))
		die("setrlimit");
	for (n = 0; n < wanted && !error; n++)
		if (open_as("r", argv[1]) < 0)
			error = errno;
	printf("%d %s\n", n - !!error, error ? error_name(error) : "ok");
	fflush(stdout);
	/* the files stay open here while the command, which has none of them, runs */
	switch (fork()) {
	case -1:
		die("fork");
	case 0:
		return run(argv + 3);
	}
	if (wait(&n) < 0)
		die("wait");
	return WIFEXITED(n) ? WEXITSTATUS(n) : 2;
}

static const struct {
	const char *name;
	int min_args;
	int (*cmd)(int argc, char **argv);
} commands[] = {
	{ "as", 3, cmd_as },
	{ "open", 2, cmd_open },
	{ "read", 1, cmd_read },
	{ "cat", 1, cmd_cat },
	{ "write", 2, cmd_write },
	{ "fdread", 1, cmd_fdread },
	{ "fdwrite", 2, cmd_fdwrite },
	{ "pass", 5, cmd_pass },
	{ "readers", 4, cmd_readers },
};

static int dispatch(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name) && argc - 2 >= commands[i].min_args)
			return commands[i].cmd(argc - 2, argv + 2);
	fputs("access: see the head of access.c\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	return dispatch(argc, argv);
}
