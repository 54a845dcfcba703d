# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # $top comes from the caller
#
# Sourced by scripts that compile much. Where ccache is installed, compilers go through it: the
# results of all compilations of this user in any checkout are in its cache, which is outside the
# checkout (CCACHE_DIR, usually ~/.cache/ccache) and safe to delete. Without it nothing changes.
# Names in the checkout are relative for ccache, so that all checkouts share one cache.
if [ -d /usr/lib/ccache ] && [ -z "${CCACHE_DISABLE-}" ]; then
	export PATH=/usr/lib/ccache:$PATH
	export CCACHE_BASEDIR=$top CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=time_macros,locale
	export CCACHE_IGNOREOPTIONS='-fmacro-prefix-map=*'
fi
