# SPDX-License-Identifier: GPL-2.0
# suspend.sh runs this program, as a guest's only command.
vm-not		:= suspend
vm-extra	:= $(bin)/vm/suspend

$(vm-extra): $(top)/tests/vm/suspend.c $(harness-object) $(top)/tests/harness.h \
		$(top)/tests/resident.h $(top)/tests/vm/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -static -o $@ $(filter %.c %.o,$^)
