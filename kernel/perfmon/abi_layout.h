/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the layout of the interface's structures, pinned.
 *
 * Included by the kernel and, with -m32, -m64, as C and as C++, by a test.
 * These numbers are the ABI: programs were compiled with them.
 */
#define PFM_SIZE(type, size) \
	static_assert(sizeof(type) == (size), #type)
#define PFM_OFFSET(type, member, off) \
	static_assert(offsetof(type, member) == (off), #type "." #member)

PFM_SIZE(pfarg_ctx_t, 32);
PFM_OFFSET(pfarg_ctx_t, ctx_flags, 0);
PFM_OFFSET(pfarg_ctx_t, ctx_fd, 4);
PFM_OFFSET(pfarg_ctx_t, ctx_smpl_buf_id, 8);
PFM_OFFSET(pfarg_ctx_t, ctx_smpl_buf_size, 24);

PFM_SIZE(pfarg_pmc_t, 104);
PFM_OFFSET(pfarg_pmc_t, reg_num, 0);
PFM_OFFSET(pfarg_pmc_t, reg_set, 2);
PFM_OFFSET(pfarg_pmc_t, reg_flags, 4);
PFM_OFFSET(pfarg_pmc_t, reg_value, 8);
PFM_OFFSET(pfarg_pmc_t, reg_reset_pmds, 16);
PFM_OFFSET(pfarg_pmc_t, reg_smpl_pmds, 56);
PFM_OFFSET(pfarg_pmc_t, reg_smpl_eventid, 96);

PFM_SIZE(pfarg_pmd_t, 64);
PFM_OFFSET(pfarg_pmd_t, reg_num, 0);
PFM_OFFSET(pfarg_pmd_t, reg_set, 2);
PFM_OFFSET(pfarg_pmd_t, reg_flags, 4);
PFM_OFFSET(pfarg_pmd_t, reg_value, 8);
PFM_OFFSET(pfarg_pmd_t, reg_long_reset, 16);
PFM_OFFSET(pfarg_pmd_t, reg_short_reset, 24);
PFM_OFFSET(pfarg_pmd_t, reg_last_reset_val, 32);
PFM_OFFSET(pfarg_pmd_t, reg_ovflsw_thres, 40);
PFM_OFFSET(pfarg_pmd_t, reg_random_mask, 48);
PFM_OFFSET(pfarg_pmd_t, reg_random_seed, 56);
PFM_OFFSET(pfarg_pmd_t, reg_pad, 60);

PFM_SIZE(pfarg_start_t, 2);
PFM_OFFSET(pfarg_start_t, start_set, 0);

PFM_SIZE(pfarg_load_t, 8);
PFM_OFFSET(pfarg_load_t, load_pid, 0);
PFM_OFFSET(pfarg_load_t, load_set, 4);
PFM_OFFSET(pfarg_load_t, load_pad, 6);

PFM_SIZE(pfarg_setdesc_t, 24);
PFM_OFFSET(pfarg_setdesc_t, set_id, 0);
PFM_OFFSET(pfarg_setdesc_t, set_id_next, 2);
PFM_OFFSET(pfarg_setdesc_t, set_flags, 4);
PFM_OFFSET(pfarg_setdesc_t, set_timeout, 8);

PFM_SIZE(pfarg_setinfo_t, 88);
PFM_OFFSET(pfarg_setinfo_t, set_id, 0);
PFM_OFFSET(pfarg_setinfo_t, set_id_next, 2);
PFM_OFFSET(pfarg_setinfo_t, set_flags, 4);
PFM_OFFSET(pfarg_setinfo_t, set_switch_pmds, 8);
PFM_OFFSET(pfarg_setinfo_t, set_runs, 48);
PFM_OFFSET(pfarg_setinfo_t, set_timeout, 56);
PFM_OFFSET(pfarg_setinfo_t, set_act_duration, 72);

PFM_SIZE(pfarg_pmcinfo_t, 32);
PFM_OFFSET(pfarg_pmcinfo_t, reg_num, 0);
PFM_OFFSET(pfarg_pmcinfo_t, reg_type, 2);
PFM_OFFSET(pfarg_pmcinfo_t, reg_flags, 4);
PFM_OFFSET(pfarg_pmcinfo_t, reg_def_value, 8);
PFM_OFFSET(pfarg_pmcinfo_t, reg_rsvd_mask, 16);
PFM_OFFSET(pfarg_pmcinfo_t, reg_index, 24);

PFM_SIZE(pfarg_pmdinfo_t, 32);
PFM_OFFSET(pfarg_pmdinfo_t, reg_num, 0);
PFM_OFFSET(pfarg_pmdinfo_t, reg_type, 2);
PFM_OFFSET(pfarg_pmdinfo_t, reg_flags, 4);
PFM_OFFSET(pfarg_pmdinfo_t, reg_def_value, 8);
PFM_OFFSET(pfarg_pmdinfo_t, reg_rsvd_mask, 16);
PFM_OFFSET(pfarg_pmdinfo_t, reg_index, 24);

PFM_SIZE(pfarg_config_t, 120);
PFM_OFFSET(pfarg_config_t, cf_version, 0);
PFM_OFFSET(pfarg_config_t, cf_flags, 4);
PFM_OFFSET(pfarg_config_t, cf_impl_pmcs, 8);
PFM_OFFSET(pfarg_config_t, cf_impl_pmds, 48);
PFM_OFFSET(pfarg_config_t, cf_sys_gid, 88);
PFM_OFFSET(pfarg_config_t, cf_thread_gid, 92);
PFM_OFFSET(pfarg_config_t, cf_arg_size_max, 96);
PFM_OFFSET(pfarg_config_t, cf_smpl_buf_size_max, 104);
PFM_OFFSET(pfarg_config_t, cf_counter_width, 112);
PFM_OFFSET(pfarg_config_t, cf_pad, 114);

PFM_SIZE(pfm_msg_t, 48);
PFM_OFFSET(pfm_ovfl_msg_t, msg_type, 0);
PFM_OFFSET(pfm_ovfl_msg_t, msg_active_set, 4);
PFM_OFFSET(pfm_ovfl_msg_t, msg_pad, 6);
PFM_OFFSET(pfm_ovfl_msg_t, msg_ovfl_pmds, 8);

#ifdef _UAPI_PERFMON_DEFAULT_SMPL_H
PFM_SIZE(pfm_default_smpl_arg_t, 16);
PFM_OFFSET(pfm_default_smpl_arg_t, buf_size, 0);
PFM_OFFSET(pfm_default_smpl_arg_t, buf_flags, 8);
PFM_OFFSET(pfm_default_smpl_arg_t, buf_pad, 12);

PFM_SIZE(pfm_default_smpl_hdr_t, 40);
PFM_OFFSET(pfm_default_smpl_hdr_t, hdr_count, 0);
PFM_OFFSET(pfm_default_smpl_hdr_t, hdr_cur_offs, 8);
PFM_OFFSET(pfm_default_smpl_hdr_t, hdr_overflows, 16);
PFM_OFFSET(pfm_default_smpl_hdr_t, hdr_buf_size, 24);
PFM_OFFSET(pfm_default_smpl_hdr_t, hdr_version, 32);
PFM_OFFSET(pfm_default_smpl_hdr_t, hdr_flags, 36);

PFM_SIZE(pfm_default_smpl_entry_t, 40);
PFM_OFFSET(pfm_default_smpl_entry_t, pid, 0);
PFM_OFFSET(pfm_default_smpl_entry_t, tid, 4);
PFM_OFFSET(pfm_default_smpl_entry_t, ovfl_pmd, 8);
PFM_OFFSET(pfm_default_smpl_entry_t, set, 10);
PFM_OFFSET(pfm_default_smpl_entry_t, cpu, 12);
PFM_OFFSET(pfm_default_smpl_entry_t, pad, 14);
PFM_OFFSET(pfm_default_smpl_entry_t, last_reset_val, 16);
PFM_OFFSET(pfm_default_smpl_entry_t, tstamp, 24);
PFM_OFFSET(pfm_default_smpl_entry_t, ip, 32);
#endif

#ifdef _UAPI_PERFMON_COMPACT_SMPL_H
PFM_SIZE(pfm_compact_smpl_arg_t, 16);
PFM_OFFSET(pfm_compact_smpl_arg_t, buf_size, 0);
PFM_OFFSET(pfm_compact_smpl_arg_t, buf_block_size, 8);
PFM_OFFSET(pfm_compact_smpl_arg_t, buf_flags, 12);

PFM_SIZE(pfm_compact_smpl_hdr_t, 128);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_count, 0);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_cur_offs, 8);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_overflows, 16);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_buf_size, 24);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_version, 32);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_flags, 36);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_block_size, 40);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_blocks_offs, 44);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_blocks, 48);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_earlier, 56);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_block_offs, 64);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_block_end, 72);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_sample_max, 80);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_num_pmds, 84);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_last_values, 86);
PFM_OFFSET(pfm_compact_smpl_hdr_t, hdr_last, 88);

PFM_SIZE(pfm_compact_smpl_block_t, 72);
PFM_OFFSET(pfm_compact_smpl_block_t, block_magic, 0);
PFM_OFFSET(pfm_compact_smpl_block_t, block_count, 4);
PFM_OFFSET(pfm_compact_smpl_block_t, block_bytes, 8);
PFM_OFFSET(pfm_compact_smpl_block_t, block_reserved, 12);
PFM_OFFSET(pfm_compact_smpl_block_t, block_number, 16);
PFM_OFFSET(pfm_compact_smpl_block_t, block_first, 24);
PFM_OFFSET(pfm_compact_smpl_block_t, block_base, 32);
#endif

#ifdef _UAPI_PERFMON_HIST_SMPL_H
PFM_SIZE(pfm_hist_smpl_arg_t, 16);
PFM_OFFSET(pfm_hist_smpl_arg_t, buf_size, 0);
PFM_OFFSET(pfm_hist_smpl_arg_t, buf_flags, 8);
PFM_OFFSET(pfm_hist_smpl_arg_t, buf_ip_shift, 12);
PFM_OFFSET(pfm_hist_smpl_arg_t, buf_num_values, 14);

PFM_SIZE(pfm_hist_smpl_hdr_t, 192);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_count, 0);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_other_count, 8);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_other_periods, 16);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_other_values, 24);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_used, 152);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_buf_size, 160);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_slots, 168);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_slot_size, 172);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_version, 176);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_flags, 180);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_ip_shift, 184);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_num_values, 186);
PFM_OFFSET(pfm_hist_smpl_hdr_t, hdr_reserved, 188);

PFM_SIZE(pfm_hist_smpl_entry_t, 40);
PFM_OFFSET(pfm_hist_smpl_entry_t, count, 0);
PFM_OFFSET(pfm_hist_smpl_entry_t, periods, 8);
PFM_OFFSET(pfm_hist_smpl_entry_t, ip, 16);
PFM_OFFSET(pfm_hist_smpl_entry_t, pid, 24);
PFM_OFFSET(pfm_hist_smpl_entry_t, tid, 28);
PFM_OFFSET(pfm_hist_smpl_entry_t, set, 32);
PFM_OFFSET(pfm_hist_smpl_entry_t, ovfl_pmd, 34);
PFM_OFFSET(pfm_hist_smpl_entry_t, reserved, 36);
#endif

#ifdef _UAPI_PERFMON_RING_SMPL_H
PFM_SIZE(pfm_ring_smpl_arg_t, 16);
PFM_OFFSET(pfm_ring_smpl_arg_t, ring_part_size, 0);
PFM_OFFSET(pfm_ring_smpl_arg_t, ring_parts, 8);
PFM_OFFSET(pfm_ring_smpl_arg_t, ring_flags, 12);

PFM_SIZE(pfm_ring_smpl_hdr_t, 96);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_version, 0);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_flags, 4);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_parts, 8);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_current, 12);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_part_size, 16);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_parts_offs, 24);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_reader_offs, 32);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_sample_max, 40);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_filled, 48);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_freed, 56);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_masked, 64);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_overwritten, 72);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_lost_full, 80);
PFM_OFFSET(pfm_ring_smpl_hdr_t, hdr_refused, 88);

PFM_SIZE(pfm_ring_smpl_part_t, 32);
PFM_OFFSET(pfm_ring_smpl_part_t, part_number, 0);
PFM_OFFSET(pfm_ring_smpl_part_t, part_count, 8);
PFM_OFFSET(pfm_ring_smpl_part_t, part_bytes, 16);
PFM_OFFSET(pfm_ring_smpl_part_t, part_laps, 24);

PFM_SIZE(pfm_ring_smpl_reader_t, 8);
PFM_OFFSET(pfm_ring_smpl_reader_t, reader_position, 0);
#endif

#ifdef _UAPI_PERFMON_BRANCH_SMPL_H
PFM_SIZE(pfm_branch_smpl_arg_t, 16);
PFM_OFFSET(pfm_branch_smpl_arg_t, buf_size, 0);
PFM_OFFSET(pfm_branch_smpl_arg_t, buf_flags, 8);
PFM_OFFSET(pfm_branch_smpl_arg_t, buf_depth, 12);
PFM_OFFSET(pfm_branch_smpl_arg_t, buf_pad, 14);

PFM_SIZE(pfm_branch_smpl_hdr_t, 48);
PFM_OFFSET(pfm_branch_smpl_hdr_t, hdr_count, 0);
PFM_OFFSET(pfm_branch_smpl_hdr_t, hdr_cur_offs, 8);
PFM_OFFSET(pfm_branch_smpl_hdr_t, hdr_overflows, 16);
PFM_OFFSET(pfm_branch_smpl_hdr_t, hdr_buf_size, 24);
PFM_OFFSET(pfm_branch_smpl_hdr_t, hdr_version, 32);
PFM_OFFSET(pfm_branch_smpl_hdr_t, hdr_flags, 36);
PFM_OFFSET(pfm_branch_smpl_hdr_t, hdr_depth, 40);
PFM_OFFSET(pfm_branch_smpl_hdr_t, hdr_reserved, 42);

PFM_SIZE(pfm_branch_smpl_entry_t, 48);
PFM_OFFSET(pfm_branch_smpl_entry_t, size, 0);
PFM_OFFSET(pfm_branch_smpl_entry_t, num_values, 4);
PFM_OFFSET(pfm_branch_smpl_entry_t, num_branches, 6);
PFM_OFFSET(pfm_branch_smpl_entry_t, sample, 8);

PFM_SIZE(pfm_branch_smpl_record_t, 24);
PFM_OFFSET(pfm_branch_smpl_record_t, from, 0);
PFM_OFFSET(pfm_branch_smpl_record_t, to, 8);
PFM_OFFSET(pfm_branch_smpl_record_t, flags, 16);
PFM_OFFSET(pfm_branch_smpl_record_t, cycles, 20);
#endif

#ifdef _UAPI_PERFMON_STACK_SMPL_H
PFM_SIZE(pfm_stack_smpl_arg_t, 16);
PFM_OFFSET(pfm_stack_smpl_arg_t, buf_size, 0);
PFM_OFFSET(pfm_stack_smpl_arg_t, buf_flags, 8);
PFM_OFFSET(pfm_stack_smpl_arg_t, buf_depth, 12);
PFM_OFFSET(pfm_stack_smpl_arg_t, buf_pad, 14);

PFM_SIZE(pfm_stack_smpl_hdr_t, 48);
PFM_OFFSET(pfm_stack_smpl_hdr_t, hdr_count, 0);
PFM_OFFSET(pfm_stack_smpl_hdr_t, hdr_cur_offs, 8);
PFM_OFFSET(pfm_stack_smpl_hdr_t, hdr_overflows, 16);
PFM_OFFSET(pfm_stack_smpl_hdr_t, hdr_buf_size, 24);
PFM_OFFSET(pfm_stack_smpl_hdr_t, hdr_version, 32);
PFM_OFFSET(pfm_stack_smpl_hdr_t, hdr_flags, 36);
PFM_OFFSET(pfm_stack_smpl_hdr_t, hdr_depth, 40);
PFM_OFFSET(pfm_stack_smpl_hdr_t, hdr_reserved, 42);

PFM_SIZE(pfm_stack_smpl_entry_t, 56);
PFM_OFFSET(pfm_stack_smpl_entry_t, size, 0);
PFM_OFFSET(pfm_stack_smpl_entry_t, num_values, 4);
PFM_OFFSET(pfm_stack_smpl_entry_t, kernel_frames, 6);
PFM_OFFSET(pfm_stack_smpl_entry_t, user_frames, 8);
PFM_OFFSET(pfm_stack_smpl_entry_t, chain_flags, 10);
PFM_OFFSET(pfm_stack_smpl_entry_t, reserved, 12);
PFM_OFFSET(pfm_stack_smpl_entry_t, sample, 16);
#endif

#ifdef _UAPI_PERFMON_IBS_SMPL_H
PFM_SIZE(pfm_ibs_smpl_arg_t, 16);
PFM_OFFSET(pfm_ibs_smpl_arg_t, buf_size, 0);
PFM_OFFSET(pfm_ibs_smpl_arg_t, buf_flags, 8);
PFM_OFFSET(pfm_ibs_smpl_arg_t, buf_pad, 12);

PFM_SIZE(pfm_ibs_smpl_hdr_t, 40);
PFM_OFFSET(pfm_ibs_smpl_hdr_t, hdr_count, 0);
PFM_OFFSET(pfm_ibs_smpl_hdr_t, hdr_cur_offs, 8);
PFM_OFFSET(pfm_ibs_smpl_hdr_t, hdr_overflows, 16);
PFM_OFFSET(pfm_ibs_smpl_hdr_t, hdr_buf_size, 24);
PFM_OFFSET(pfm_ibs_smpl_hdr_t, hdr_version, 32);
PFM_OFFSET(pfm_ibs_smpl_hdr_t, hdr_sample_size, 36);

PFM_SIZE(pfm_ibs_smpl_entry_t, 104);
PFM_OFFSET(pfm_ibs_smpl_entry_t, sample, 0);
PFM_OFFSET(pfm_ibs_smpl_entry_t, kind, 40);
PFM_OFFSET(pfm_ibs_smpl_entry_t, valid, 44);
PFM_OFFSET(pfm_ibs_smpl_entry_t, flags, 48);
PFM_OFFSET(pfm_ibs_smpl_entry_t, page_size, 52);
PFM_OFFSET(pfm_ibs_smpl_entry_t, ip, 56);
PFM_OFFSET(pfm_ibs_smpl_entry_t, linear, 64);
PFM_OFFSET(pfm_ibs_smpl_entry_t, physical, 72);
PFM_OFFSET(pfm_ibs_smpl_entry_t, target, 80);
PFM_OFFSET(pfm_ibs_smpl_entry_t, latency, 88);
PFM_OFFSET(pfm_ibs_smpl_entry_t, tlb_latency, 90);
PFM_OFFSET(pfm_ibs_smpl_entry_t, tag_to_retire, 92);
PFM_OFFSET(pfm_ibs_smpl_entry_t, completion_to_retire, 94);
PFM_OFFSET(pfm_ibs_smpl_entry_t, width, 96);
PFM_OFFSET(pfm_ibs_smpl_entry_t, source, 97);
PFM_OFFSET(pfm_ibs_smpl_entry_t, reserved, 98);
#endif

#undef PFM_SIZE
#undef PFM_OFFSET
