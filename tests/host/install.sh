#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The files that `make install-host` installs and `make uninstall-host` removes, and the
# completions of bash, fish and zsh. (The module: tests/setup/module.sh.)
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

top=$(cd "$here/../.." && pwd)
share=$work/usr/share
PATH=$work/usr/bin:$PATH

installed() {
	# it builds the static recorder, as the suite log-record may do at the same time
	flock "$out/host.lock" \
		make -s -C "$top" O="$(cd "$out" && pwd)" DESTDIR="$work" PREFIX=/usr install-host >/dev/null
	(cd "$work" && find usr -type f -o -type l) | sort >have
	diff - have <<-'EOF'
		usr/bin/kmem-account
		usr/bin/kmem-account-record
		usr/bin/trace_analyze
		usr/bin/trace_analyze.py
		usr/share/bash-completion/completions/kmem-account
		usr/share/bash-completion/completions/trace_analyze
		usr/share/fish/vendor_completions.d/kmem-account.fish
		usr/share/fish/vendor_completions.d/trace_analyze.fish
		usr/share/kmem-account/known.rules
		usr/share/man/man1/kmem-account-bundle.1
		usr/share/man/man1/kmem-account-check.1
		usr/share/man/man1/kmem-account-db.1
		usr/share/man/man1/kmem-account-diff.1
		usr/share/man/man1/kmem-account-doctor.1
		usr/share/man/man1/kmem-account-export.1
		usr/share/man/man1/kmem-account-flame.1
		usr/share/man/man1/kmem-account-icicle.1
		usr/share/man/man1/kmem-account-latency.1
		usr/share/man/man1/kmem-account-leaks.1
		usr/share/man/man1/kmem-account-lost.1
		usr/share/man/man1/kmem-account-names.1
		usr/share/man/man1/kmem-account-objects.1
		usr/share/man/man1/kmem-account-record.1
		usr/share/man/man1/kmem-account-report.1
		usr/share/man/man1/kmem-account-rings.1
		usr/share/man/man1/kmem-account-scan.1
		usr/share/man/man1/kmem-account-serve.1
		usr/share/man/man1/kmem-account-static.1
		usr/share/man/man1/kmem-account-table.1
		usr/share/man/man1/kmem-account-timeline.1
		usr/share/man/man1/kmem-account-top.1
		usr/share/man/man1/kmem-account-treemap.1
		usr/share/man/man1/kmem-account-types.1
		usr/share/man/man1/kmem-account-watch.1
		usr/share/man/man1/kmem-account-where.1
		usr/share/man/man1/kmem-account-why.1
		usr/share/man/man1/kmem-account.1
		usr/share/man/man1/trace_analyze.1
		usr/share/zsh/site-functions/_kmem-account
	EOF
	[ "$(kmem-account --version)" = "$("$program" --version)" ]
	trace_analyze --help | grep '^Usage: trace_analyze ' >/dev/null
	kmem-account-record --help | grep '^Usage: kmem-account-record ' >/dev/null
	! ldd usr/bin/kmem-account-record || return 1
}

# Exactly these files: another one in each directory stays, and so do the directories.
uninstalled() {
	local dir

	find usr -type d | sort >dirs
	while read -r dir; do touch "$dir/other"; done <dirs
	find usr ! -type d | grep '/other$' | sort >before
	make -s -C "$top" O="$(cd "$out" && pwd)" DESTDIR="$work" PREFIX=/usr uninstall-host >/dev/null
	find usr ! -type d | sort | diff before -
	find usr -type d | sort | diff dirs -
}

# The page of the program has 200 lines at most, and each command with the words of the help.
pages() {
	local page=$share/man/man1/kmem-account.1 source=$top/Documentation/man/kmem-account.1.rst

	grep -q '^\.TH "\?KMEM-ACCOUNT"\? "\?1"\? ' "$page"
	"$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]* .*\)/\1/p' | grep -v '^trace-analyze ' | sed 's/  */ /; s/\.$//' >helped
	[ "$(wc -l <helped)" -ge 4 ]
	sed -n '/^COMMANDS$/,/^DB FILES$/s/^\t\([a-z-]*\) */\1 /p' "$source" >paged
	diff helped paged
	sed 's/ .*//' helped >commands
	[ "$(wc -l <"$source")" -le 200 ]
}

# options_of COMMAND: the options in its help, short and long, one in a line
options_of() {
	"$program" "$1" --help | grep -oE '^ +(-[a-zA-Z], *)?--[a-z-]+' | grep -oE -- '--?[a-zA-Z][a-z-]*' | sort -u
}

# Each command has a page of its own: all sections, the options of the help and no others, and the
# exit status 3 only where an option makes it.
command_pages() {
	local command page part threshold

	while read -r command; do
		page=$share/man/man1/kmem-account-$command.1
		[ -e "$page" ] || { echo "no page for $command"; return 1; }
		sed 's/\\-/-/g' "$page" >plain
		for part in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES 'EXIT STATUS' 'SEE ALSO'; do
			grep -qE "^\.SH \"?$part\"?$" plain || { echo "$page: no $part"; return 1; }
		done
		options_of "$command" >options
		awk '/^\.SH/ { on = /OPTIONS/ } on && term && /^(\.B )?\\fB-/; { term = /^\.TP/ }' plain | sed 's/\\f.//g' |
			grep -oE -- '(^|[ ,])--?[a-zA-Z][a-z-]*' | tr -d ' ,' | sort -u >in_page
		diff options in_page || { echo "$page: other options than the help"; return 1; }
		threshold=$("$program" "$command" --help | grep -c 'exit with status 3' || true)
		[ "$(grep -c '3 a threshold was exceeded' plain)" -eq "$threshold" ] ||
			{ echo "$page: exit status 3"; return 1; }
	done <commands
}

# Each example in a help names a command and options that exist: with --help behind it the program
# checks their names and does nothing.
examples() {
	local command line words

	while read -r command; do
		"$program" "$command" --help | sed -n '1,/^Examples:/d; s/^  //p' >lines
		[ -s lines ] || { echo "$command: no examples"; return 1; }
		while read -r line; do
			# of a pipeline or a list, the part that runs the program here
			while [[ $line =~ \'[^\']*\' ]]; do line=${line/"${BASH_REMATCH[0]}"/WORD}; done
			words=$(grep -oE '(^|[|&] )kmem-account [^|&>]*' <<<"$line" | tail -n 1 | sed 's/^[|&] //' || true)
			[ -n "$words" ] || continue
			words=${words% -- *}
			# shellcheck disable=SC2086 # words of a command line
			"$program" ${words#kmem-account} --help >shown 2>error ||
				{ echo "$line"; cat error; return 1; }
			grep -q "^Usage: kmem-account " shown || { echo "$line"; return 1; }
		done <lines
	done <commands
}

# complete WORDS...: what is offered for the last of them
offered() {
	bash -c '
		. "$1"
		shift
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_kmem_account "$1"
		printf "%s\n" "${COMPREPLY[@]}"' - "$share/bash-completion/completions/kmem-account" "$@"
}

completion() {
	offered kmem-account rep | diff - <(echo report)
	offered kmem-account db s | diff - <(echo show)
	offered kmem-account report --floo | diff - <(echo)
	offered kmem-account report --vm | diff - <(echo --vmlinux)
	offered kmem-account diff --fl | diff - <(echo --floor)
	offered kmem-account report --format j | diff - <(echo json)
	offered kmem-account timeline --format t | diff - <(echo)
	offered trace_analyze --rings-f | diff - <(echo --rings-file)
	offered trace_analyze -a tot | diff - <(echo total_dynamic)
	offered trace_analyze -k linux -o '' | diff - <(printf '%s\n' current_dynamic total_dynamic alloc_count free_count waste)
	offered trace_analyze --order-by = fre | diff - <(echo free_count)
	offered trace_analyze.py -a sta | diff - <(echo static)
	offered trace_analyze -f kmem | diff - <(echo)
	offered kmem-account report kmem | diff - <(echo)
	offered kmem-account he | diff - <(echo help)
	offered kmem-account help rep | diff - <(echo report)
	offered kmem-account report --by su | diff - <(echo subsystem)
	# as bash splits --by=su
	offered kmem-account report --by = su | diff - <(echo subsystem)
	offered kmem-account report -a requ | diff - <(echo requested)
	offered kmem-account latency --by shr | diff - <(echo shrinker)
	offered kmem-account export spee | diff - <(echo speedscope)
	offered kmem-account export pprof spee | diff - <(echo)
}

# The words for the value of an option are those that the program names when it refuses another
# value; and each option whose value is not free has words.
words() {
	local command option trees word pairs=0

	mkdir -p tree-1 tree-2
	while read -r command; do
		"$program" "$command" --help >help.txt
		for option in $(options_of "$command"); do
			"$program" --words "$command" "$option" | sort -u >words
			if [ ! -s words ]; then
				! grep -qE -- "$option (KEY|ATTR|FORMAT|THEME|VERDICT|MODE|TABLE|WHAT|KIND)\b" help.txt ||
					{ echo "$command $option: no words"; return 1; }
				continue
			fi
			pairs=$((pairs + 1))
			# diff has other words for built trees
			for trees in '' 'tree-1 tree-2'; do
				# shellcheck disable=SC2086 # two words or none
				"$program" "$command" "$option" nosuch $trees 2>&1 || :
			done |
				sed -nE 's/; or several, with commas//; s/.*\(expected (.*)\)$/\1/p' | sed 's/ or /, /; s/, /\n/g' | sort -u >expected
			diff expected words || { echo "$command $option"; return 1; }
		done
	done < <(grep -v '^trace-analyze$' commands)
	# each word of trace_analyze is one of its help, and is accepted
	"$program" trace-analyze --help >help.txt
	for option in -a -o; do
		"$program" --words trace-analyze $option >words
		[ "$(wc -l <words)" = 5 ] || return 1
		while read -r word; do
			"$program" trace-analyze $option "$word" -k tree-1 -f nosuch 2>said || :
			if ! grep -q 'nosuch: cannot open' said || ! grep -qw -- "$word" help.txt; then
				echo "trace-analyze $option $word"
				return 1
			fi
		done <words
	done
	echo "$pairs options with words"
	[ "$pairs" -ge 40 ]
}

# Fish, asked for what it completes: "word<tab>text"
fish_offers() {
	fish --no-config -c "source $share/fish/vendor_completions.d/kmem-account.fish
		complete -C '$1'" | cut -f 1
}

completion_fish() {
	fish_offers 'kmem-account rep' | diff - <(echo report)
	fish_offers 'kmem-account db sh' | grep -x show
	fish_offers 'kmem-account report --vm' | diff - <(echo --vmlinux)
	fish_offers 'kmem-account --ver' | diff - <(echo --version)
	fish_offers 'kmem-account help rep' | diff - <(echo report)
	fish_offers 'kmem-account report --by su' | diff - <(echo subsystem)
	fish_offers 'kmem-account export spee' | diff - <(echo speedscope)
	fish --no-config -c "source $share/fish/vendor_completions.d/trace_analyze.fish
		complete -C 'trace_analyze --rings-f'
		complete -C 'trace_analyze -a sta'
		complete -C 'trace_analyze --order-by fre'" | cut -f 1 | diff - <(printf '%s\n' --rings-file static free_count)
}

# zsh_offers WORD...: what the functions of completion get for the last of the words
zsh_offers() {
	zsh -f -c '
		compdef() { : }
		_describe() { local list=${@[-1]}; print -rl -- ${(P)list} }
		compadd() { print -rl -- $@ }
		_files() { print files }
		words=("${@:2}") CURRENT=$(($# - 1)) PREFIX=${@[-1]}
		. $1' zsh "$share/zsh/site-functions/_kmem-account" "$@"
}

completion_zsh() {
	zsh -n "$share/zsh/site-functions/_kmem-account"
	sed -n 1p "$share/zsh/site-functions/_kmem-account" | grep -x '#compdef kmem-account trace_analyze trace_analyze.py'
	zsh_offers kmem-account '' >offers
	"$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' >commands
	sed 's/:.*//' offers | grep -v '^--' | diff <(cat commands; echo help) -
	zsh_offers kmem-account help '' | sed 's/:.*//' | diff commands -
	zsh_offers kmem-account report --v | grep '^--vmlinux:.'
	zsh_offers kmem-account db '' | diff - <(printf '%s\n' list show delete import)
	zsh_offers kmem-account export '' | grep -x speedscope
	zsh_offers kmem-account report --by '' | grep -x cgroup
	zsh_offers kmem-account report --format '' | diff - <(printf '%s\n' table csv json)
	zsh_offers kmem-account report kmem | diff - <(echo files)
	zsh_offers trace_analyze --r | grep '^--rings-file:.'
	zsh_offers trace_analyze -a '' | sort | diff - <(printf '%s\n' current current_dynamic static total_dynamic waste)
	zsh_offers trace_analyze -f kmem | diff - <(echo files)
}

cd "$work"
ktap_plan 9
ktap "what is installed" installed
ktap "the pages" pages
ktap "a page for each command" command_pages
ktap "examples of the help" examples
ktap "completion" completion
ktap "the words of options" words
ktap "completion by fish" completion_fish
ktap "completion by zsh" completion_zsh
ktap "what is uninstalled" uninstalled
ktap_end
