# SPDX-License-Identifier: GPL-2.0-or-later
# The machine and devices of the perfmon guest on POWER, and no others.

CONFIG_PSERIES=y
# The machine's code needs these.
CONFIG_USB=y
CONFIG_NVDIMM=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_9P=y
CONFIG_VIRTIO_RNG=y
CONFIG_VIRTIO_SERIAL=y
