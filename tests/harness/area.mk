# SPDX-License-Identifier: GPL-2.0
# Built like a test, but run by harness.sh alone: its tests must fail.
harness-not	:= broken
harness-extra	:= $(bin)/harness/broken

$(bin)/harness/broken: $(top)/tests/harness/broken.c $(harness-object) | packages
	@mkdir -p $(@D)
	@echo "  CC      build/bin/tests/harness/broken"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $(filter %.c %.o,$^)
