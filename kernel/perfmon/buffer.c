// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: memory for samples: allocation, mapping, release.
 *
 * A buffer is behind a file of its own, which has no descriptor. The context and each mapping
 * hold a reference to that file: so a mapping does not keep the context alive, and mappings
 * stay valid when the context is gone.
 */
#include <linux/anon_inodes.h>
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/perfmon_compat.h>
#include <linux/perfmon_fmt.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "buffer.h"
#include "config.h"
#include "context.h"
#include "memory.h"

/**
 * struct pfm_buffer - A sampling buffer.
 * @data: its pages
 * @size: bytes, whole pages
 * @user: the user to whose account the pages are charged
 */
struct pfm_buffer {
	void			*data;
	size_t			size;
	struct user_struct	*user;
};

/* Bytes of all buffers, limited by cf_smpl_buf_size_max. */
static atomic64_t pfm_buffer_total = ATOMIC64_INIT(0);

static int pfm_buffer_total_charge(u64 size)
{
	u64 max = pfm_limits_get().smpl_buf_size_max;

	if (size <= max && (u64)atomic64_add_return(size, &pfm_buffer_total) <= max)
		return 0;
	if (size <= max)
		atomic64_sub(size, &pfm_buffer_total);
	return -ENOMEM;
}

static void pfm_buffer_destroy(struct pfm_buffer *buffer)
{
	vfree(buffer->data);
	pfm_memlock_uncharge(buffer->user, buffer->size >> PAGE_SHIFT);
	atomic64_sub(buffer->size, &pfm_buffer_total);
	free_uid(buffer->user);
	kfree(buffer);
}

/* Neither the context nor an address space uses the buffer any more. */
static int pfm_buffer_release(struct inode *inode, struct file *file)
{
	pfm_buffer_destroy(file->private_data);
	return 0;
}

static const struct file_operations pfm_buffer_ops = {
	.owner		= THIS_MODULE,
	.release	= pfm_buffer_release,
};

/* Allocate zeroed pages, charged to @user and to the total. */
static struct pfm_buffer *pfm_buffer_make(struct user_struct *user, size_t size)
{
	unsigned long pages = size >> PAGE_SHIFT;
	struct pfm_buffer *buffer;
	int err;

	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	if (!buffer)
		return ERR_PTR(-ENOMEM);
	err = pfm_buffer_total_charge(size);
	if (err)
		goto free;
	err = pfm_memlock_charge(user, pages);
	if (err)
		goto uncharge_total;
	err = -ENOMEM;
	/* A buffer too large for the memory cgroup is an error, not a reason to kill in it. */
	buffer->data = __vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_RETRY_MAYFAIL |
				       __GFP_NOWARN);
	if (!buffer->data)
		goto uncharge;
	buffer->size = size;
	buffer->user = get_uid(user);
	return buffer;

uncharge:
	pfm_memlock_uncharge(user, pages);
uncharge_total:
	atomic64_sub(size, &pfm_buffer_total);
free:
	kfree(buffer);
	return ERR_PTR(err);
}

/**
 * pfm_buffer_alloc() - Allocate a context's sampling buffer, all zeroes.
 * @ctx: the context
 * @size: bytes; rounded up to whole pages
 *
 * Return: 0; -ENOMEM when it is too large, for the machine or for a limit; -ENFILE.
 */
int pfm_buffer_alloc(struct pfm_context *ctx, u64 size)
{
	struct pfm_buffer *buffer;
	struct file *file;

	/* A size near the end of the type would become small when it is rounded up. */
	if (size > (u64)totalram_pages() << PAGE_SHIFT)
		return -ENOMEM;
	buffer = pfm_buffer_make(ctx->user, PAGE_ALIGN(size));
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	file = anon_inode_getfile("[perfmon]", &pfm_buffer_ops, buffer, O_RDONLY);
	if (IS_ERR(file)) {
		pfm_buffer_destroy(buffer);
		return PTR_ERR(file);
	}
	ctx->buf_file = file;
	ctx->buf = buffer->data;
	ctx->buf_size = buffer->size;
	return 0;
}

/**
 * pfm_buffer_put() - Drop a context's reference to its sampling buffer, if it has one.
 * @ctx: the context
 *
 * The buffer is freed with its last mapping.
 */
void pfm_buffer_put(struct pfm_context *ctx)
{
	if (ctx->buf_file)
		fput(ctx->buf_file);
}

/* A page is mapped when it is touched, for the first time or after an madvise(). */
static vm_fault_t pfm_buffer_fault(struct vm_fault *vmf)
{
	const struct pfm_buffer *buffer = vmf->vma->vm_file->private_data;

	if (vmf->pgoff >= buffer->size >> PAGE_SHIFT)
		return VM_FAULT_SIGBUS;
	vmf->page = vmalloc_to_page(buffer->data + (vmf->pgoff << PAGE_SHIFT));
	get_page(vmf->page);
	return 0;
}

static const struct vm_operations_struct pfm_buffer_vm_ops = {
	.fault		= pfm_buffer_fault,
};

/* True if an address space, whose lock is held, has a mapping of @file with this @may_write. */
static bool pfm_is_mapped(struct mm_struct *mm, struct file *file, bool may_write)
{
	VMA_ITERATOR(vmi, mm, 0);
	struct vm_area_struct *vma;

	for_each_vma(vmi, vma) {
		if (vma->vm_file == file && !!(vma->vm_flags & VM_MAYWRITE) == may_write)
			return true;
	}
	return false;
}

/* True if the mapping is of the reader's page: the last page, in a format that has one. */
static bool pfm_is_readers(const struct pfm_context *ctx, const struct vm_area_struct *vma)
{
	return ctx->fmt && (ctx->fmt->fmt_flags & PFM_FMTFL_READER) && vma->vm_pgoff &&
	       vma->vm_pgoff == (ctx->buf_size >> PAGE_SHIFT) - 1 &&
	       vma->vm_end - vma->vm_start == PAGE_SIZE;
}

/**
 * pfm_buffer_mmap() - Map a context's sampling buffer.
 * @ctx: the context
 * @vma: the mapping
 *
 * Return: 0; -EINVAL when there is no buffer, or the mapping is neither of the whole buffer,
 * shared and read-only, nor of the reader's page of a format that has one; -EBUSY when the
 * process has this mapping already.
 *
 * Context: mmap_lock held for writing.
 */
int pfm_buffer_mmap(struct pfm_context *ctx, struct vm_area_struct *vma)
{
	/* mlockall() sets VM_LOCKED on every mapping; a buffer has nothing to lock. */
	unsigned long flags = vma->vm_flags & ~(vma->vm_mm->def_flags & VM_LOCKED);
	bool readers = pfm_is_readers(ctx, vma);

	if (!ctx->buf)
		return -EINVAL;
	if (!readers && (vma->vm_pgoff || vma->vm_end - vma->vm_start != ctx->buf_size))
		return -EINVAL;
	if (!(flags & VM_SHARED) || !(flags & VM_READ) ||
	    (flags & (VM_EXEC | VM_LOCKED)) || (!readers && (flags & VM_WRITE)))
		return -EINVAL;
	if (pfm_is_mapped(vma->vm_mm, ctx->buf_file, readers))
		return -EBUSY;
	/* mprotect() and mremap() must not change these properties. */
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP,
		     VM_MAYEXEC | (readers ? 0 : VM_MAYWRITE));
	vma->vm_ops = &pfm_buffer_vm_ops;
	vma_set_file(vma, ctx->buf_file);
	return 0;
}
