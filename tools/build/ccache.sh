# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # $top comes from the caller
#
# Sourced by what compiles much. Where ccache is installed, compilers go through it: what any
# checkout of this user has compiled before is taken from its cache, which is outside the
# checkout (CCACHE_DIR, usually ~/.cache/ccache) and safe to delete. Without it nothing
# changes. Names in the checkout are relative for it, so that all checkouts share one cache.
if [ -d /usr/lib/ccache ] && [ -z "${CCACHE_DISABLE-}" ]; then
	export PATH=/usr/lib/ccache:$PATH
	export CCACHE_BASEDIR=$top CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=time_macros,locale
	export CCACHE_IGNOREOPTIONS='-fmacro-prefix-map=*'
fi
