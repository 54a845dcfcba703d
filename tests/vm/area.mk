# SPDX-License-Identifier: GPL-2.0
# suspend.sh runs this program, as a guest's only command.
vm-not		:= suspend late_lock
vm-suspend	:= $(bin)/vm/suspend
vm-late		:= $(bin)/vm/late_lock.so
vm-extra	:= $(vm-suspend) $(vm-late)

$(vm-suspend): $(top)/tests/vm/suspend.c $(harness-object) $(top)/tests/harness.h \
		$(top)/tests/resident.h $(top)/tests/vm/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -static -o $@ $(filter %.c %.o,$^)

# idle.sh preloads it.
$(vm-late): $(top)/tests/vm/late_lock.c $(top)/tests/vm/area.mk | packages
	@mkdir -p $(@D)
	@echo "  CC      $(@:$(top)/%=%)"
	@$(CC) $(CFLAGS) -shared -fPIC -o $@ $<
