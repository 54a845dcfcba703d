// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2 as a module: pausing the NMI watchdog, by its switch kernel.nmi_watchdog, as an
 * administrator would: no function for that is exported. Meanwhile the switch reads 0.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/completion.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/perfmon_host.h>
#include <linux/printk.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#define PFM_WATCHDOG_SWITCH	"/proc/sys/kernel/nmi_watchdog"

/* Return: 1 if the switch was on, 0 if not, or -errno. */
static int pfm_watchdog_set(char to)
{
	char now = '0', line[] = { to, '\n' };
	struct file *file;
	loff_t pos = 0;
	ssize_t n;

	file = filp_open(PFM_WATCHDOG_SWITCH, O_RDWR, 0);
	if (IS_ERR(file))
		return PTR_ERR(file) == -ENOENT ? 0 : PTR_ERR(file);
	n = kernel_read(file, &now, 1, &pos);
	pos = 0;
	if (n == 1 && now != to)
		n = kernel_write(file, line, sizeof(line), &pos);
	fput(file);
	if (n < 0)
		return n;
	return now == '1';
}

/**
 * struct pfm_watchdog_job - A pause, which a kernel thread makes.
 * @work: makes the pause; the caller may have no right to
 * @done: the pause is made
 * @ran: result of pfm_watchdog_set()
 * @over: the pause is made, or the caller does not wait any more
 * @refs: one of the caller and one of the work
 */
struct pfm_watchdog_job {
	struct work_struct	work;
	struct completion	done;
	int			ran;
	atomic_t		over;
	refcount_t		refs;
};

/* The watchdog ran at the last pause. */
static bool pfm_watchdog_ran;

/*
 * One job after the other, so that each leaves the switch in its final state. The module stays
 * until its work is done, also if no caller waits for that any more.
 */
static struct workqueue_struct *pfm_watchdog_queue;

/**
 * pfm_watchdog_init() - Get ready for pauses.
 *
 * Return: 0 or -ENOMEM.
 */
int __init pfm_watchdog_init(void)
{
	pfm_watchdog_queue = alloc_ordered_workqueue("perfmon", 0);
	return pfm_watchdog_queue ? 0 : -ENOMEM;
}

/**
 * pfm_watchdog_exit() - Undo pfm_watchdog_init().
 */
void pfm_watchdog_exit(void)
{
	destroy_workqueue(pfm_watchdog_queue);
}

static void pfm_watchdog_job_put(struct pfm_watchdog_job *job)
{
	if (refcount_dec_and_test(&job->refs))
		kfree(job);
}

static void pfm_watchdog_work(struct work_struct *work)
{
	struct pfm_watchdog_job *job = container_of(work, struct pfm_watchdog_job, work);

	job->ran = pfm_watchdog_set('0');
	if (atomic_xchg(&job->over, 1) && job->ran > 0)
		pfm_watchdog_set('1');
	complete(&job->done);
	pfm_watchdog_job_put(job);
}

/**
 * lockup_detector_nmi_pause() - Make the NMI watchdog give its counters back.
 * @users: not used here
 *
 * Return: 1 if it ran, 0 if not; -EINTR when the caller is being killed; another errno.
 *
 * Context: may sleep.
 */
int lockup_detector_nmi_pause(unsigned int (*users)(void))
{
	struct pfm_watchdog_job *job = kzalloc(sizeof(*job), GFP_KERNEL);
	int ret;

	if (!job)
		return -ENOMEM;
	INIT_WORK(&job->work, pfm_watchdog_work);
	init_completion(&job->done);
	refcount_set(&job->refs, 2);
	queue_work(pfm_watchdog_queue, &job->work);
	ret = wait_for_completion_killable(&job->done);
	if (ret && !atomic_xchg(&job->over, 1))
		ret = -EINTR;
	else
		ret = job->ran;
	pfm_watchdog_job_put(job);
	pfm_watchdog_ran = ret > 0;
	return ret;
}

/**
 * lockup_detector_nmi_resume() - Undo lockup_detector_nmi_pause(), if the watchdog ran.
 *
 * Return: true if it runs again.
 *
 * Context: a thread of the kernel; may sleep.
 */
bool lockup_detector_nmi_resume(void)
{
	int ret;

	if (!pfm_watchdog_ran)
		return false;
	ret = pfm_watchdog_set('1');
	if (ret < 0)
		pr_err("cannot switch the NMI watchdog on again (%d): sysctl kernel.nmi_watchdog=1\n",
		       ret);
	return ret >= 0;
}
