# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of bash for kmem-account and trace_analyze. Commands and options are taken from the
# program's own --help, and words from "kmem-account --words", which prints the table that the
# program reads the command line by. So they are always up to date.

# _kmem_account_options COMMAND...: long and short options in a help text
_kmem_account_options() {
	"$@" --help 2>/dev/null | sed -nE 's/^ +(-[A-Za-z0-9],)? +(--[a-z.-]+).*/\1 \2/p' | tr ', ' '\n\n'
}

_kmem_account_commands() {
	"$1" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'
}

_kmem_account() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=
	local -a command=("$1")

	# bash splits "--by=file" into three words
	if [ "$cur" = = ]; then
		cur=
	elif [ "$prev" = = ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	COMPREPLY=()
	if [ "${1##*/}" = kmem-account ]; then
		if [ "$COMP_CWORD" -eq 1 ]; then
			words="$(_kmem_account_commands "$1") help --help --version"
		elif [ "${COMP_WORDS[1]}" = help ]; then
			[ "$COMP_CWORD" -gt 2 ] || words=$(_kmem_account_commands "$1")
		elif [[ $prev == -* ]]; then
			words=$("$1" --words "${COMP_WORDS[1]}" "$prev" 2>/dev/null)
		elif [ "$COMP_CWORD" -eq 2 ]; then
			words=$("$1" --words "${COMP_WORDS[1]}" 2>/dev/null)
		fi
		command+=("${COMP_WORDS[1]}")
	elif [[ $prev == -* ]]; then
		words=$("$1" --words trace-analyze "$prev" 2>/dev/null)
	fi
	if [[ $cur == -* ]] && { [ -z "$words" ] || [ "$COMP_CWORD" -gt 1 ]; }; then
		words=$(_kmem_account_options "${command[@]}")
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	# nothing: the names of files, by the option of complete below
}

complete -o default -F _kmem_account kmem-account trace_analyze trace_analyze.py
