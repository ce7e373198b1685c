// SPDX-License-Identifier: GPL-2.0-only
/*
 * child.c - a child process for a library that crashes on corrupt files.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "child.h"

pid_t kma_child_fork(void)
{
	const struct rlimit no_core = { 0 };
	pid_t parent = getpid(), pid = fork();
	int null;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	null = open("/dev/null", O_RDWR);
	signal(SIGINT, SIG_IGN);
	setrlimit(RLIMIT_CORE, &no_core);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	return 0;
}
