# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The counts of the programs of known.S: one thread, processes, threads. Source it.
# shellcheck disable=SC2034 # so these are used elsewhere

loops=100000
one_insns=$((4 * loops + 5)) one_branches=$((loops + 1))
procs_insns=$((4 * one_insns + 42)) procs_branches=$((4 * one_branches + 12))
threads_insns=$((4 * one_insns + 24)) threads_branches=$((4 * one_branches + 9))
