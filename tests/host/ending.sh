#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What is left when the program is ended: by a signal while a file is not complete, by
# somebody who cuts a file while it is read, by missing memory.  A library that is loaded before the others
# does that to it at the one moment that matters, so that no test waits and hopes.
set -euo pipefail
# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$work"

cat >at.c <<'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * AT_ACCOUNT=FILE is the file /proc/kmem_account of a module.  When the module's age is on, memory
 * is missing.
 */
static int lacking;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);

void *malloc(size_t size)
{
	return lacking ? NULL : __libc_malloc(size);
}

void *calloc(size_t nr, size_t size)
{
	return lacking ? NULL : __libc_calloc(nr, size);
}

ssize_t write(int fd, const void *from, size_t len)
{
	ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");

	if (getenv("AT_ACCOUNT") && len == 6 && !memcmp(from, "age on", len))
		lacking = 1;
	return real(fd, from, len);
}

static const char *at_account(const char *path)
{
	return getenv("AT_ACCOUNT") && !strcmp(path, "/proc/kmem_account") ? getenv("AT_ACCOUNT") :
									      path;
}

int fstatat64(int dir, const char *path, struct stat64 *st, int flags)
{
	int (*real)(int, const char *, struct stat64 *, int) = dlsym(RTLD_NEXT, "fstatat64");

	return real(dir, at_account(path), st, flags);
}

/* AT_SIGNAL=N: comes when all is written, and nothing has its name yet */
static void at_rename(void)
{
	if (getenv("AT_SIGNAL"))
		kill(getpid(), atoi(getenv("AT_SIGNAL")));
}

int rename(const char *from, const char *to)
{
	int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");

	at_rename();
	return real(from, to);
}

int renameat2(int a, const char *from, int b, const char *to, unsigned int flags)
{
	int (*real)(int, const char *, int, const char *, unsigned int) =
		dlsym(RTLD_NEXT, "renameat2");

	at_rename();
	return real(a, from, b, to, flags);
}

int renameat(int a, const char *from, int b, const char *to)
{
	int (*real)(int, const char *, int, const char *) = dlsym(RTLD_NEXT, "renameat");

	at_rename();
	return real(a, from, b, to);
}

/* AT_PIPE=N: comes when a pipe is read for the first time */
ssize_t read(int fd, void *to, size_t len)
{
	ssize_t (*real)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
	ssize_t ret = real(fd, to, len);
	static int seen;

	if (getenv("AT_PIPE") && !seen && lseek(fd, 0, SEEK_CUR) < 0) {
		seen = 1;
		kill(getpid(), atoi(getenv("AT_PIPE")));
	}
	return ret;
}

/* AT_MAP=N: comes when an event log is about to be mapped */
int open(const char *path, int flags, ...)
{
	int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, int) : 0;
	va_end(ap);
	if (getenv("AT_MAP") && !strncmp(path, "/proc/self/fd/", 14))
		kill(getpid(), atoi(getenv("AT_MAP")));
	return real(at_account(path), flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int openat(int dir, const char *path, int flags, ...)
{
	int (*real)(int, const char *, int, ...) = dlsym(RTLD_NEXT, "openat");
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, int) : 0;
	va_end(ap);
	if (getenv("AT_MAP") && !strncmp(path, "/proc/self/fd/", 14))
		kill(getpid(), atoi(getenv("AT_MAP")));
	return real(dir, at_account(path), flags, mode);
}

int openat64(int dir, const char *path, int flags, ...) __attribute__((alias("openat")));

/* AT_CUT=PATH: after its size was looked at for the second time: at the open, and before the read */
static void at_fstat(ino_t inode)
{
	static int seen;
	struct stat cut;

	if (getenv("AT_CUT") && !stat(getenv("AT_CUT"), &cut) && cut.st_ino == inode &&
	    ++seen == 2 && truncate(getenv("AT_CUT"), 0))
		abort();
}

int fstat(int fd, struct stat *st)
{
	int (*real)(int, struct stat *) = dlsym(RTLD_NEXT, "fstat");
	int ret = real(fd, st);

	at_fstat(st->st_ino);
	return ret;
}

/* what _FILE_OFFSET_BITS=64 makes of it */
int fstat64(int fd, struct stat64 *st)
{
	int (*real)(int, struct stat64 *) = dlsym(RTLD_NEXT, "fstat64");
	int ret = real(fd, st);

	at_fstat(st->st_ino);
	return ret;
}
EOF
"${CC:-gcc}" -shared -fPIC -o at.so at.c

printf '100 10 90 7/3 a+0x1/0x2\n50 5 45 4/2 b+0x1/0x2\n' | tr / ' ' |
	awk '{ print $1, $2, $3, $4, $5, $6 "/" $7 "/" $8 }' | sed 's,\(+0x1\)/0x2/,\1/0x2,' >rows
account_of rows >account
mkdir to

# ended SIGNAL OUTPUT COMMAND...: by that signal; beside OUTPUT there is what there was
ended() {
	local sig=$1 output=$2 got=0
	shift 2

	ls -A to >before
	# a check that runs in the background was started with SIGINT ignored
	LD_PRELOAD=$PWD/at.so AT_SIGNAL=$sig env --default-signal=HUP,INT,TERM,QUIT,PIPE,ALRM,XCPU \
		"$program" "$@" >stdout 2>stderr || got=$?
	[ "$got" -eq $((128 + sig)) ] || { echo "exit $got"; cat stderr; return 1; }
	ls -A to >after; diff before after || return
	[ ! -e "to/$output" ] || [ "$(cat "to/$output")" = old ]
}

by_signals() {
	local sig

	for sig in 1 2 3 13 14 15 24; do
		rm -f to/*
		ended "$sig" report report account -O to/report || return
		ended "$sig" db report account -O stays --save-db to/db || return
		ended "$sig" db db import to/db account || return
		echo old >to/report
		ended "$sig" report report account -O to/report || return
	done
	# without a signal the library does nothing
	rm -f to/*
	LD_PRELOAD=$PWD/at.so "$program" report account -O to/report && [ "$(ls -A to)" = report ]
}

# nohup(1): who ignores SIGHUP is not ended by it
ignored() {
	rm -f to/*
	(trap '' HUP; LD_PRELOAD=$PWD/at.so AT_SIGNAL=1 "$program" report account -O to/report) &&
		[ "$(ls -A to)" = report ]
}

# cut COMMAND...: of which $cut is an argument
cut_short() {
	local got=0

	cp account "$cut"
	LD_PRELOAD=$PWD/at.so AT_CUT=$PWD/$cut "$program" "$@" >stdout 2>stderr || got=$?
	if [ "$got" -ne 1 ] || [ -s stdout ] || [ -s "$cut" ]; then
		echo "exit $got"
		cat stdout stderr
		return 1
	fi
	printf 'kmem-account: %s: became shorter while it was read\n' "$said" | diff - stderr
}

cut_while_read() {
	local cut=short said=short

	cut_short report short || return
	rm -f to/*
	cut_short report short -O to/report && [ -z "$(ls -A to)" ] || return
	# a name is no command to the terminal
	cut=$'esc\e[31m' said='esc?[31m'
	cut_short report "$cut"
}

links() {
	rm -rf to/* elsewhere && mkdir elsewhere
	echo old >elsewhere/file
	ln -s ../elsewhere/file to/relative
	ln -s "$PWD/elsewhere/file" to/absolute
	ln -s "$PWD/elsewhere/new" to/dangling
	ln -s relative to/chain
	ln -s loop to/loop
	ln -s /dev/null to/null
	"$program" report account >expected
	for name in relative absolute chain; do
		"$program" report account -O "to/$name" && [ -L "to/$name" ] || return
		diff expected "to/$name" || return
		echo old >elsewhere/file
	done
	"$program" report account -O to/null && [ -L to/null ] && [ -c to/null ] || return
	[ "$(ls -A elsewhere)" = file ] || { ls -A elsewhere; return 1; }
	if "$program" report account -O to/dangling 2>stderr; then return 1; fi
	grep -qx 'kmem-account: to/dangling: cannot write: a symbolic link to a missing file' stderr && [ ! -e elsewhere/new ] || return
	if "$program" report account -O to/loop 2>stderr; then return 1; fi
	grep -q '^kmem-account: to/loop: cannot write: Too many levels' stderr && [ -L to/loop ]
}

# An event log in a pipe is copied to a temporary file. The message names its directory. What is no
# event log is not copied.
no_temporary_file() {
	local code=0

	"$here/log-make.py" --events 200 piped.log piped.csv || return
	TMPDIR=$PWD/nosuch "$program" objects - <account >stdout 2>stderr || code=$?
	[ $code = 1 ] && grep -qx 'kmem-account: standard input: not an event log' stderr || return
	code=0
	grep '' account | TMPDIR=$PWD/nosuch "$program" check - >stdout 2>stderr || code=$?
	[ $code = 1 ] && grep -qx 'kmem-account: standard input: not an event log' stderr || return
	code=0
	tail -c +1 piped.log | cat | TMPDIR=$PWD/nosuch "$program" objects - >stdout 2>stderr || code=$?
	[ $code = 1 ] && [ ! -s stdout ] || return
	grep -q "^kmem-account: standard input: cannot create a temporary file in '$PWD/nosuch': No such .*; set TMPDIR to another directory$" stderr ||
		{ cat stderr; return 1; }
	tail -c +1 piped.log | cat | "$program" objects - >stdout 2>stderr && [ -s stdout ] || return
}

# Missing memory: one sentence, status 1, and beside the output there is what there was. With less
# than the account needs, at whichever place memory is missing.
no_memory() {
	local limit code

	rm -rf to && mkdir to && echo old >to/report
	awk 'BEGIN { for (i = 0; i < 300000; i++) print 100, 10, 90, 7, 3, "name_" i "+0x1/0x2" }' >rows
	account_of rows >large
	for limit in 100000 150000 200000 300000; do
		code=0
		(ulimit -v "$limit"; exec "$program" report large -O to/report) >stdout 2>stderr || code=$?
		echo 'kmem-account: out of memory' | diff - stderr || return
		if [ $code != 1 ] || [ -s stdout ] || [ "$(ls -A to)" != report ] || [ "$(cat to/report)" != old ]; then
			echo "limit $limit: exit $code"
			ls -A to
			return 1
		fi
	done
	"$program" report large -O to/report 2>stderr && [ "$(cat to/report)" != old ]
}

# The module's switch age does not stay on when memory is missing.
no_memory_age() {
	local code=0

	echo '# switches: none' >module
	AT_ACCOUNT=$PWD/module LD_PRELOAD=$PWD/at.so "$program" lost --workload true >stdout 2>stderr || code=$?
	echo 'kmem-account: out of memory' | diff - stderr || return
	if [ $code != 1 ] || [ "$(head -c 7 module)" != 'age off' ]; then
		echo "exit $code"
		cat module
		return 1
	fi
}

# A disk of its own, that is full.
full_scratch() {
	mkdir -p tiny
	# shellcheck disable=SC2016 # for the other shell
	PROGRAM=$program unshare -m sh -c 'mount -t tmpfs -o size=64k none tiny && head -c 65536 /dev/zero >tiny/fill
		cat piped.log | TMPDIR=tiny "$PROGRAM" check - 2>stderr; [ $? = 1 ] && [ "$(ls tiny)" = fill ]' || return
	grep -q "standard input: cannot copy to a temporary file in 'tiny': No space left on device; set TMPDIR" stderr
}

# A stream that is closed does not become a file: a warning would be written into the output.
closed_streams() {
	local code=0 log=$data/logs/slab-6.1.log.xz

	rm -rf to && mkdir to
	"$program" latency -t 1 -f "$log" -O to/want 2>stderr && grep -q 'no slow call' stderr || return
	"$program" latency -t 1 -f "$log" -O to/got 2>&- && cmp to/want to/got || return
	"$program" latency -t 1 -f "$log" -O to/got <&- >&- 2>&- && cmp to/want to/got || return
	"$program" report account -O to/want && "$program" report account -O to/got <&- >&- 2>&- && cmp to/want to/got || return
	# it still fails to write or read them
	"$program" report account 2>stderr >&- || code=$?
	[ $code = 1 ] && grep -q 'standard output: cannot write: Bad file descriptor' stderr || return
	code=0
	"$program" report - 2>stderr <&- || code=$?
	[ $code = 1 ] && grep -q 'standard input: cannot .*: Bad file descriptor' stderr
}

# kept FILE COMMAND...: refuses to write, and FILE stays as it is
kept() {
	local file=$1 code=0
	shift

	cp "$file" to/copy
	"$program" "$@" >stdout 2>stderr || code=$?
	if [ $code = 0 ] || ! cmp "$file" to/copy || ! grep -q 'the command also uses this file; write to another file$' stderr; then
		echo "$*: exit $code"
		cat stderr
		return 1
	fi
}

# An output does not replace an input, by whatever name, nor a DB file that the command has saved to.
inputs_stay() {
	rm -rf to && mkdir to
	cp account input
	ln -s "$PWD/input" to/link
	"$here/log-make.py" --events 200 input.log input.csv || return
	"$program" report input --save-db input.db >/dev/null || return
	kept input report input -O input || return
	kept input report input -O to/link || return
	kept input diff account input -O ./input || return
	kept input serve input --textfile input || return
	kept input trace-analyze -f input -c input || return
	kept input.db report input.db -O input.db || return
	kept input.db db list input.db -O input.db || return
	kept input.log timeline input.log -O input.log || return
	cp "$data/trace-dat/kmem-6.1.dat" input.dat
	kept input.dat report input.dat -O input.dat || return
	cp "$data/readers/snapshot-cgroups-6.1" input.snapshot
	kept input.snapshot bundle -f input.snapshot -O input.snapshot || return
	rm -rf history
	"$program" watch -f input.snapshot -n 1 history >/dev/null 2>&1 || return
	set -- history/*.kmh
	kept "$1" report history -O "$1" || return
	"$program" report input.db --save-db input.db@again -O to/report || return
	# a later input of many
	kept input leaks account input -O input
}

# same NAME NAME COMMAND...: refuses the outputs NAME, and writes neither
same() {
	local code=0 one=$1 other=$2
	shift 2

	rm -f "$one" "$other"
	"$program" "$@" >stdout 2>stderr || code=$?
	if [ $code != 2 ] || [ -e "$one" ] || ! grep -qE "'$one' and -[a-z] '$other' are the same file; use another name for one of them$" stderr; then
		echo "$*: exit $code"
		cat stderr
		return 1
	fi
}

outputs_apart() {
	rm -rf to && mkdir to
	ln -s x.svg to/link
	same to/x.svg ./to/x.svg treemap account -r to/x.svg -r ./to/x.svg || return
	same to/x.svg to/../to/x.svg leaks account account -O to/x.svg -r to/../to/x.svg || return
	same to/a to/a trace-analyze -f account -c to/a -l to/a || return
	same to/x.png to/x.png trace-analyze -f account -c to/x.png -r to/x || return
	# pipes and terminals take several outputs, and names in two directories differ
	"$program" trace-analyze -f account -c - -l - >to/out && grep -q '^current bytes allocated' to/out || return
	"$program" trace-analyze -f account -c /dev/null -l /dev/null || return
	"$program" treemap account -r to/x.svg -r x.svg && [ -s to/x.svg ] && [ -s x.svg ]
}

# who calls it trace_analyze is answered by trace_analyze
called_by() {
	ln -sf "$program" trace_analyze
	if ./trace_analyze -f nosuch 2>stderr; then return 1; fi
	grep -q '^trace_analyze: nosuch: cannot open' stderr || { cat stderr; return 1; }
	cp account short
	AT_CUT=$PWD/short LD_PRELOAD=$PWD/at.so ./trace_analyze -f short 2>stderr && return 1
	grep -q '^trace_analyze: short: became shorter while it was read$' stderr ||
		{ cat stderr; return 1; }
}

# A trace.dat comes through a pipe from a process that has more to say than that holds.
stops_reading() {
	LD_PRELOAD=$PWD/at.so AT_PIPE=2 timeout -k 1 600 env --default-signal=INT \
		"$program" latency -t 134 -f "$data/trace-dat/lost-6.12.dat" --format json >stdout 2>stderr ||
		{ echo "exit $?"; cat stderr; return 1; }
	grep -q '"lines": [1-9]' stdout
}

# Of an event log that is read in part that is said, and kept with a snapshot; a log that was
# not read is not sound.
stops_log() {
	local command want code said='kmem-account: long.log: interrupted; the output covers only the input read before that'

	"$here/log-make.py" --events 20000 long.log long.csv || return 1
	for command in report check objects timeline; do
		want=0 code=0
		[ $command != check ] || want=1
		LD_PRELOAD=$PWD/at.so AT_MAP=2 env --default-signal=INT \
			"$program" $command long.log >stdout 2>stderr || code=$?
		if [ $code != $want ] || [ ! -s stdout ] || [ "$(grep -cxF "$said" stderr)" != 1 ]; then
			echo "$command: exit $code"
			cat stderr
			return 1
		fi
	done
	rm -f part.db
	LD_PRELOAD=$PWD/at.so AT_MAP=2 env --default-signal=INT "$program" db import part.db long.log account 2>stderr
	cat stderr
	[ "$("$program" db list part.db --format csv | wc -l)" = 2 ] || return 1
	"$program" db show part.db | grep '^warning: interrupted' >/dev/null
}

ktap_plan 14
ktap "ended by a signal, no file is left that is not complete" by_signals
ktap "a signal that is ignored" ignored
ktap "a file that is cut while it is read" cut_while_read
ktap "Ctrl-C while a trace.dat is read" stops_reading
ktap "Ctrl-C while an event log is read" stops_log
ktap "an output that is a link" links
ktap "standard streams that are closed" closed_streams
ktap "a pipe that needs a temporary file" no_temporary_file
if unshare -m true 2>/dev/null; then
	ktap "a temporary file on a full disk" full_scratch
else
	ktap_skip "a temporary file on a full disk" "no mount namespace of its own is allowed"
fi
ktap "an output that is an input" inputs_stay
ktap "two outputs with one name" outputs_apart
ktap "messages bear the name of the link" called_by
ktap "missing memory leaves no incomplete file" no_memory
ktap "missing memory leaves no age on" no_memory_age
ktap_end
