# SPDX-License-Identifier: GPL-2.0
# Settings of the ABI tests alone: see tests/Makefile. Not gcc-multilib: no cross compiler can be
# installed beside that. All it has is a link to the kernel's headers, for which 32-bit programs
# search one more directory.
abi-needs := @abi
m32	:= -m32 -idirafter /usr/include/x86_64-linux-gnu
abi-not	:= compat32 suspend
abi-extra := $(bin)/abi/compat32 $(bin)/abi/suspend

# A 32-bit program, with a 32-bit harness.
names	+= abi/compat32
$(bin)/abi/compat32: abi-extra-flags := $(m32) -static

# A program that needs no file system, for suspend.sh.
$(bin)/abi/suspend: abi-extra-flags := -static

$(abi-extra): $(bin)/abi/%: $(top)/tests/abi/%.c $(top)/tests/harness.c \
		$(wildcard $(top)/tests/abi/*.h) $(wildcard $(top)/tests/*.h) \
		$(top)/include/uapi/perfmon.h $(top)/tests/abi/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      build/bin/tests/abi/$*"
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(abi-extra-flags) -o $@ $(filter %.c,$^)
