# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of fish for kmem-account and trace_analyze. Commands and options are taken from the
# program's own --help, as in completion.bash, so they are always up to date.

# "word<tab>text" of each command
function __kmem_account_commands
	set -l words (commandline -opc)
	$words[1] --help 2>/dev/null | sed -nE '/^Commands:/,/^$/s/^  ([a-z-]+) +(.*)/\1\t\2/p'
end

# "--option<tab>text" of the command on the command line
function __kmem_account_options
	set -l words (commandline -opc)
	set -l program $words[1]
	if string match -q -- '*kmem-account' $program; and set -q words[2]
		set program $program $words[2]
	end
	$program --help 2>/dev/null |
		sed -nE 's/^ +(-.,)? *(--[a-z.-]+)( [^ ]+)?( +(.*))?$/\2\t\5/p'
end

function __kmem_account_is_first
	test (count (commandline -opc)) -eq 1
end

complete -c kmem-account -n __kmem_account_is_first -f -a '(__kmem_account_commands)'
complete -c kmem-account -n __kmem_account_is_first -l help -d 'show the commands'
complete -c kmem-account -n __kmem_account_is_first -l version -d 'show the version'
complete -c kmem-account -n '__fish_seen_subcommand_from db; and test (count (commandline -opc)) -eq 2' \
	-f -a 'list show delete import'
complete -c kmem-account -n 'not __kmem_account_is_first; and string match -q -- "-*" (commandline -ct)' \
	-f -a '(__kmem_account_options)'
for name in trace_analyze trace_analyze.py
	complete -c $name -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__kmem_account_options)'
end
