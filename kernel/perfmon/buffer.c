// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: memory for samples: whose account it is on, and who may map it.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/perfmon_compat.h>
#include <linux/resource.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/vmalloc.h>
#include "perfmon.h"

/* All buffers together, against cf_smpl_buf_size_max. */
static atomic64_t pfm_buffer_total = ATOMIC64_INIT(0);

/**
 * pfm_memlock_charge() - Put pages on the account of a context's creator.
 * @ctx: the context
 * @pages: how many
 *
 * The account is that of locked pages of the user, shared with perf_events.
 *
 * Return: 0; -ENOMEM above RLIMIT_MEMLOCK, without CAP_IPC_LOCK.
 */
int pfm_memlock_charge(struct pfm_context *ctx, unsigned long pages)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	unsigned long sum = atomic_long_add_return(pages, &ctx->user->locked_vm);

	if (sum <= limit || capable(CAP_IPC_LOCK))
		return 0;
	atomic_long_sub(pages, &ctx->user->locked_vm);
	return -ENOMEM;
}

/**
 * pfm_memlock_uncharge() - Undo pfm_memlock_charge().
 * @ctx: the context
 * @pages: how many
 */
void pfm_memlock_uncharge(struct pfm_context *ctx, unsigned long pages)
{
	atomic_long_sub(pages, &ctx->user->locked_vm);
}

static int pfm_buffer_total_charge(u64 size)
{
	u64 max = pfm_limits_get().smpl_buf_size_max;

	if (size <= max && (u64)atomic64_add_return(size, &pfm_buffer_total) <= max)
		return 0;
	if (size <= max)
		atomic64_sub(size, &pfm_buffer_total);
	return -ENOMEM;
}

/**
 * pfm_buffer_alloc() - Allocate a context's sampling buffer, all zeroes.
 * @ctx: the context
 * @size: bytes; rounded up to whole pages
 *
 * Return: 0; -ENOMEM when it is too large, for the machine or for a limit.
 */
int pfm_buffer_alloc(struct pfm_context *ctx, u64 size)
{
	unsigned long pages;
	int err;

	/* What is far too large must not become small when it is rounded up. */
	if (size > SIZE_MAX / 2 || size > (u64)totalram_pages() << PAGE_SHIFT)
		return -ENOMEM;
	size = PAGE_ALIGN(size);
	pages = size >> PAGE_SHIFT;
	err = pfm_buffer_total_charge(size);
	if (err)
		return err;
	err = pfm_memlock_charge(ctx, pages);
	if (err)
		goto uncharge_total;
	ctx->buf = vmalloc_user(size);
	if (!ctx->buf) {
		err = -ENOMEM;
		goto uncharge;
	}
	ctx->buf_size = size;
	ctx->buf_pages = pages;
	return 0;

uncharge:
	pfm_memlock_uncharge(ctx, pages);
uncharge_total:
	atomic64_sub(size, &pfm_buffer_total);
	return err;
}

/**
 * pfm_buffer_free() - Free a context's sampling buffer, if it has one.
 * @ctx: the context; nobody maps the buffer any more
 *
 * Context: may sleep.
 */
void pfm_buffer_free(struct pfm_context *ctx)
{
	if (!ctx->buf)
		return;
	vfree(ctx->buf);
	pfm_memlock_uncharge(ctx, ctx->buf_pages);
	atomic64_sub(ctx->buf_size, &pfm_buffer_total);
}

/* The first mapping of a file in an address space whose lock is held. */
static struct vm_area_struct *pfm_find_mapping(struct mm_struct *mm, struct file *file)
{
	VMA_ITERATOR(vmi, mm, 0);
	struct vm_area_struct *vma;

	for_each_vma(vmi, vma) {
		if (vma->vm_file == file)
			return vma;
	}
	return NULL;
}

/**
 * pfm_buffer_mmap() - Map a context's sampling buffer.
 * @ctx: the context
 * @file: its file
 * @vma: where to
 *
 * Return: 0; -EINVAL when there is no buffer, or anything but all of it, shared
 * and just readable, was asked for; -EBUSY when the process has mapped it already.
 *
 * Context: mmap_lock held for writing.
 */
int pfm_buffer_mmap(struct pfm_context *ctx, struct file *file, struct vm_area_struct *vma)
{
	/* mlockall() asks for a lock on everything; on a buffer there is nothing to lock. */
	unsigned long flags = vma->vm_flags & ~(vma->vm_mm->def_flags & VM_LOCKED);

	if (!ctx->buf || vma->vm_pgoff || vma->vm_end - vma->vm_start != ctx->buf_size)
		return -EINVAL;
	if (!(flags & VM_SHARED) || !(flags & VM_READ) ||
	    (flags & (VM_WRITE | VM_EXEC | VM_LOCKED | VM_GROWSDOWN)))
		return -EINVAL;
	if (pfm_find_mapping(vma->vm_mm, file))
		return -EBUSY;
	/* It stays what it is: mprotect() and mremap() change nothing of that. */
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP, VM_MAYWRITE | VM_MAYEXEC);
	return remap_vmalloc_range(vma, ctx->buf, 0);
}

/**
 * pfm_buffer_unmap() - Unmap a context's sampling buffer from this process.
 * @file: the context's file
 *
 * Context: may sleep; the caller has an address space of its own, or none.
 */
void pfm_buffer_unmap(struct file *file)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;

	if (!mm)
		return;
	mmap_write_lock(mm);
	/* A part of it may have been unmapped before: then there may be two. */
	while ((vma = pfm_find_mapping(mm, file))) {
		if (do_munmap(mm, vma->vm_start, vma->vm_end - vma->vm_start, NULL))
			break;
	}
	mmap_write_unlock(mm);
}
