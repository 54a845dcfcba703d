// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon.h by itself, twice: it needs nothing before it and can be included again. This form of
 * comment is the only one that all C dialects since C89 have.
 */
#include <perfmon.h>
#include <perfmon.h>

int uses_of_all_structures(pfarg_ctx_t *ctx, pfarg_pmc_t *pmc, pfarg_pmd_t *pmd,
			   pfarg_start_t *start, pfarg_load_t *load, pfarg_setdesc_t *setdesc,
			   pfarg_setinfo_t *setinfo, pfarg_pmcinfo_t *pmcinfo,
			   pfarg_pmdinfo_t *pmdinfo, pfarg_config_t *config, pfm_msg_t *msg);

int uses_of_all_structures(pfarg_ctx_t *ctx, pfarg_pmc_t *pmc, pfarg_pmd_t *pmd,
			   pfarg_start_t *start, pfarg_load_t *load, pfarg_setdesc_t *setdesc,
			   pfarg_setinfo_t *setinfo, pfarg_pmcinfo_t *pmcinfo,
			   pfarg_pmdinfo_t *pmdinfo, pfarg_config_t *config, pfm_msg_t *msg)
{
	pfm_uuid_t uuid = { 0 };

	ctx->ctx_smpl_buf_id[0] = uuid[0];
	pmc->reg_value = pmd->reg_value + start->start_set + setdesc->set_flags;
	load->load_pid = ctx->ctx_fd;
	return pmcinfo->reg_num + pmdinfo->reg_num + setinfo->set_id + config->cf_pad[0] +
	       (int)msg->pfm_ovfl_msg.msg_active_set + (int)msg->msg_type +
	       PFM_REG_HAS_ERROR(pmc->reg_flags) + PFM_SET_HAS_ERROR(setinfo->set_flags);
}
