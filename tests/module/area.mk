# SPDX-License-Identifier: GPL-2.0
# A program that only security.sh runs, in a guest of the distribution's kernel.
module-needs	:= libbpf-dev
module-not	:= security
module-extra	:= $(bin)/module/security

$(module-extra): $(top)/tests/module/security.c $(harness-object) \
		$(wildcard $(top)/tests/abi/*.h) $(top)/tests/module/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $(filter %.c %.o,$^) -lbpf
