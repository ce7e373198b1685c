# SPDX-License-Identifier: GPL-2.0-only
#
# What people type.  `make help` lists it all; kbuild reads Kbuild, not this.
# Everything made goes below $(O); the network is used only where a package or a
# stock kernel is not there yet.

O ?= out
PREFIX ?= /usr/local
DESTDIR ?=
KDIR ?=

# quiet by default, like kbuild; V=1 shows the commands
ifeq ($(V),)
Q := @
say = @printf '  %-7s %s\n' $(1) '$(2)'
else
Q :=
say = @:
endif

# make itself hands what was typed (V, W, C, ACCEL, SMP, SUITES) to the scripts

.PHONY: all host record-static man module kmod demo check check-all soak bench fuzz format patches check-patches \
	dist deb rpm install install-dkms uninstall-dkms install-host install-module uninstall uninstall-host uninstall-module \
	clean clean-cache help

all: host module ## the host program and the module (the default)

host: ## the host program, out/host/kmem-account
	$(Q)scripts/setup.sh build pictures
	$(Q)scripts/space.sh '$(O)' 32
	$(Q)$(MAKE) --no-print-directory -C host O=$(abspath $(O))/host

record-static: ## record and scan alone, without libraries: out/host/kmem-account-record
	$(Q)scripts/setup.sh build static
	$(Q)$(MAKE) --no-print-directory -C host O=$(abspath $(O))/host record-static

man_pages := $(patsubst Documentation/man/%.rst,$(O)/man/%,$(wildcard Documentation/man/*.rst))

# Each command but trace-analyze has a page made from its description and from --help.
commands := bundle check db diff doctor export flame icicle latency leaks lost names objects record report rings scan serve static \
	table timeline top treemap types watch where why
command_pages := $(commands:%=$(O)/man/kmem-account-%.1)

man: host ## the manual pages, out/man/
	$(Q)scripts/setup.sh doc
	$(Q)$(MAKE) --no-print-directory $(man_pages) $(command_pages)

$(command_pages): $(O)/man/kmem-account-%.1: $(wildcard Documentation/man/kmem-account/*.rst) scripts/man-command.py $(O)/host/kmem-account
	$(call say,MAN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)scripts/man-command.py $(O)/host/kmem-account Documentation/man/kmem-account $* >$@.rst
	$(Q)rst2man --strict $@.rst $@.tmp
	$(Q)rm $@.rst
	$(Q)mv $@.tmp $@

$(O)/man/%: Documentation/man/%.rst
	$(call say,MAN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)rst2man --strict $< $@.tmp
	$(Q)mv $@.tmp $@

# module.sh itself finds out what is missing: a target has nothing to install
module: ## the module, out/module/RELEASE/module/kmem_account.ko
	$(call say,MODULE,$(O)/module)
	$(Q)scripts/module.sh build '$(KDIR)' $(O)/module Kbuild module >/dev/null

kmod: ## the known-answer test module, out/kmod/RELEASE/kmod/
	$(call say,MODULE,$(O)/kmod)
	$(Q)scripts/module.sh build '$(KDIR)' $(O)/kmod tests/kmod >/dev/null

demo: ## boot Debian's own kernel with the module; its account as report and chart
	$(Q)O=$(O) tests/demo/demo.sh

check: ## the tests that show a fault within minutes, on one stock kernel; SUITES="unit host" runs some
	$(Q)O=$(O) tests/check.sh check

check-all: ## all tests; SUITES=... as for check; LIMIT=SECONDS starts no suite after that time
	$(Q)O=$(O) tests/check.sh all

soak: ## the long forms of the tests in VMs, and kernel matrices: hours; SUITES=... as for check
	$(Q)O=$(O) tests/check.sh soak

bench: ## what module and program cost, beside their peers: out/bench/module.md, host.md, page.md
	$(Q)O=$(O) tests/bench/bench.sh

fuzz: ## fuzz the host program: readers, and all of it (TARGETS=program); SECONDS_EACH=60
	$(Q)scripts/setup.sh build check all
	$(Q)O=$(O) tests/fuzz/run.sh

# The module has the kernel's own style, which checkpatch checks in make check;
# clang-format would undo its columns.
format: ## clang-format over the host's C files
	$(Q)scripts/setup.sh format
	$(Q)git ls-files -co --exclude-standard 'host/*.[ch]' | xargs clang-format -i

patches: ## the patch series, out/patches/vVERSION; VERSIONS="6.1 7.2" for some
	$(Q)scripts/setup.sh patches
	$(Q)scripts/patches.sh make $(O)/patches $(VERSIONS)

check-patches: ## the patch series: they apply, build, boot and account correctly; VERSIONS="6.1"
	$(Q)scripts/setup.sh build demo check all
	$(Q)O=$(O) tests/patches/all.sh $(VERSIONS)

# The installed files, below DESTDIR and PREFIX: install and uninstall both follow these lists.
programs := kmem-account kmem-account-record
links := trace_analyze trace_analyze.py
completions := kmem-account trace_analyze
ZSHDIR ?= share/zsh/site-functions
fish_dir := share/fish/vendor_completions.d
host_files := $(addprefix bin/,$(programs) $(links)) \
	$(addprefix share/man/man1/,$(notdir $(man_pages) $(command_pages))) \
	$(addprefix share/bash-completion/completions/,$(completions)) \
	$(addprefix $(fish_dir)/,$(addsuffix .fish,$(completions))) \
	$(ZSHDIR)/_kmem-account share/kmem-account/known.rules
prefix := $(DESTDIR)$(PREFIX)

install: install-host install-module ## program, recorder, pages, completions, module, below DESTDIR

install-host: host record-static man
	$(call say,INSTALL,$(prefix)/bin/kmem-account)
	$(Q)for program in $(programs); do \
		install -D -m 755 $(O)/host/$$program '$(prefix)'/bin/$$program || exit 1; \
	done
	$(Q)for link in $(links); do \
		ln -sf kmem-account '$(prefix)'/bin/$$link || exit 1; \
	done
	$(Q)for page in $(man_pages) $(command_pages); do \
		install -D -m 644 $$page '$(prefix)'/share/man/man1/$${page##*/} || exit 1; \
	done
	$(Q)for name in $(completions); do \
		install -D -m 644 host/cli/completion.bash \
			'$(prefix)'/share/bash-completion/completions/$$name && \
		install -D -m 644 host/cli/completion.fish \
			'$(prefix)'/$(fish_dir)/$$name.fish || exit 1; \
	done
	$(Q)install -D -m 644 host/cli/completion.zsh '$(prefix)'/$(ZSHDIR)/_kmem-account
	$(Q)install -D -m 644 packaging/rules/known.rules '$(prefix)'/share/kmem-account/known.rules

install-module: module
	$(call say,INSTALL,kmem_account.ko)
	$(Q)scripts/module.sh install '$(KDIR)' $(O)/module '$(DESTDIR)'

install-dkms: ## the module's source and the hooks for new kernels, for DKMS, below DESTDIR
	$(call say,INSTALL,/usr/src/kmem-account)
	$(Q)scripts/dkms.sh install '$(DESTDIR)'

uninstall-dkms: ## remove these files (after dkms remove)
	$(Q)scripts/dkms.sh uninstall '$(DESTDIR)'

uninstall: uninstall-host uninstall-module ## remove what install has installed, nothing else

uninstall-host:
	$(call say,REMOVE,$(prefix)/bin/kmem-account)
	$(Q)for file in $(host_files); do rm -f '$(prefix)'/$$file || exit 1; done

uninstall-module:
	$(call say,REMOVE,kmem_account.ko)
	$(Q)scripts/module.sh uninstall '$(KDIR)' $(O)/module '$(DESTDIR)'

dist: ## the source archive of the commit, the same bytes each time: out/dist/
	$(Q)scripts/dist.sh $(O)/dist

deb: ## Debian packages, each suite built in a clean chroot: out/deb/SUITE/; SUITES="bookworm trixie"
	$(Q)O=$(O) packaging/deb.sh $(SUITES)

rpm: ## rpm packages of the program and the source of the module: out/rpm/
	$(Q)O=$(O) packaging/rpm.sh

clean: ## remove what was made
	$(call say,CLEAN,$(O))
	$(Q)rm -rf $(O)

clean-cache: ## remove the fetched kernels
	$(call say,CLEAN,cache)
	$(Q)rm -rf "$${XDG_CACHE_HOME:-$$HOME/.cache}/kmem-account"

help: ## this text
	@echo 'Targets:'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' Makefile
	@echo 'Variables:'
	@echo '  KDIR=DIR     kernel build tree for the module (the running kernel'\''s headers)'
	@echo '  O=DIR        where everything goes (out)'
	@echo '  V=1 W=1 C=1  commands shown, more warnings, sparse, as in kbuild'
	@echo '  PREFIX=DIR   where install puts the programs (/usr/local); DESTDIR=DIR before it; ZSHDIR=DIR'
	@echo '  D3=DIR       d3-hierarchy (/usr/share/nodejs); CC, PKG_CONFIG'
	@echo '  ACCEL=kvm|tcg  how test guests run (KVM only where a trial boot has worked)'
	@echo '  SMP=N        CPUs of the demo'\''s guest (2)'
	@echo '  PARTS="..."  the parts of bench: cost memory heap uml ... (all; tests/bench/bench.sh)'
	@echo '  VERSIONS="..." the series of patches and check-patches (all)'
	@echo '  SUITES="..." the suites that check, check-all and soak run (all)'
	@echo '  LIMIT=SECONDS check-all and soak start no suite after that time'
	@echo '  SPACE=MEGABYTES check, check-all and soak start no suite while less disk is free (default: 3072)'
	@echo '  UNTIL=SECONDS suites that still run at that time are stopped, and have failed'
