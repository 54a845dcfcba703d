# SPDX-License-Identifier: GPL-2.0
module-needs	:= @module
module/security-ldlibs := -lbpf
