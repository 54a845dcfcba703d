/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Regions of a program, counted: the events of each thread between a begin and its end. For C
 * and C++ programs; see perfmon_region_begin(3).
 *
 * Nothing happens unless the program runs with PERFMON_REGIONS=FILE, which is written as it
 * exits: text, or JSON if the name ends in ".json"; "-" is the standard error. PERFMON_EVENTS
 * lists the counted events, by default cycles,instructions. PERFMON_REGIONS_PER_THREAD=1 shows
 * each thread in the report, not only their sum.
 */
#ifndef PERFMON_REGIONS_H
#define PERFMON_REGIONS_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A region begins in this thread, within the open one, or ends: the latest that is
 * open. @name is copied. Return 0, or -1 with errno and perfmon_error(); the program need not
 * check, because the report shows errors.
 */
int perfmon_region_begin(const char *name);
int perfmon_region_end(const char *name);

#ifdef __cplusplus
}

namespace perfmon {

/* A region that ends with its scope. */
class region {
public:
	explicit region(const char *name) : name_(name) { perfmon_region_begin(name_); }
	~region() { perfmon_region_end(name_); }
	region(const region &) = delete;
	region &operator=(const region &) = delete;

private:
	const char *name_;
};

} /* namespace perfmon */
#endif

#endif /* PERFMON_REGIONS_H */
