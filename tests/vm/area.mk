# SPDX-License-Identifier: GPL-2.0
vm/suspend-cflags := -static
