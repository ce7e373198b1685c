#compdef kmem-account trace_analyze trace_analyze.py
# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of zsh for kmem-account and trace_analyze. Commands and options are taken from the
# program's own --help, as in completion.bash, so they are always up to date.

# _kmem_account_rows EXPRESSION COMMAND...: "word:text" of the lines of a help text
_kmem_account_rows() {
	"${@:2}" --help 2>/dev/null | sed -nE "$1"
}

_kmem_account() {
	local -a rows command
	local program=$words[1]

	command=($program)
	if [[ ${program:t} == kmem-account ]]; then
		if (( CURRENT == 2 )); then
			rows=("${(@f)$(_kmem_account_rows '/^Commands:/,/^$/s/^  ([a-z-]+) +(.*)/\1:\2/p' $program)}")
			rows+=('--help:show the commands' '--version:show the version')
			_describe 'command' rows
			return
		fi
		command+=($words[2])
	fi
	if [[ $words[2] == db ]] && (( CURRENT == 3 )); then
		compadd list show delete import
	elif [[ $PREFIX == -* ]]; then
		rows=("${(@f)$(_kmem_account_rows 's/:/\\:/g; s/^ +(-.,)? *(--[a-z.-]+)( [^ ]+)?( +(.*))?$/\2:\5/p' $command)}")
		_describe -o 'option' rows
	elif [[ $words[CURRENT-1] == --format ]]; then
		if [[ $words[2] == timeline ]]; then compadd csv json; else compadd table csv json; fi
	else
		_files
	fi
}

_kmem_account "$@"
