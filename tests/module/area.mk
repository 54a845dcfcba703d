# SPDX-License-Identifier: GPL-2.0
module-needs	:= libbpf-dev
module/security-ldlibs := -lbpf
