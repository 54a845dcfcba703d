// SPDX-License-Identifier: GPL-2.0
/*
 * scope [N] - C++: a region ends with its scope, by an exception as well; and a session that
 * closes itself. Try it with PERFMON_REGIONS=scope.json.
 */
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

#include <perfmon_events.h>
#include <perfmon_regions.h>

#include "loop.h"

struct closer {
	void operator()(perfmon_event_list *events) const { perfmon_events_free(events); }
	void operator()(perfmon_session *session) const { perfmon_session_close(session); }
};

using events_ptr = std::unique_ptr<perfmon_event_list, closer>;
using session_ptr = std::unique_ptr<perfmon_session, closer>;

/* The counts of what @work does, in the events' order. */
template<typename Work> static std::vector<uint64_t> count(const char *list, Work work)
{
	events_ptr events(perfmon_events(list));
	session_ptr session(perfmon_session_open(events.get(), 0));

	if (!session || perfmon_session_start(session.get()))
		throw std::runtime_error(perfmon_error());
	work();
	perfmon_session_stop(session.get());

	std::vector<uint64_t> counts(perfmon_events_count(events.get()));
	if (perfmon_session_read(session.get(), counts.data(), counts.size()))
		throw std::runtime_error(perfmon_error());
	return counts;
}

static void step(unsigned long n, bool fails)
{
	perfmon::region region("step");

	loop(n);
	if (fails)
		throw std::runtime_error("this step fails");
}

int main(int argc, char **argv)
{
	const unsigned long n = argc > 1 ? std::strtoul(argv[1], nullptr, 0) : 1000000;

	try {
		/* A thread has one session: either its own, or that of its regions. */
		if (!std::getenv("PERFMON_REGIONS"))
			for (uint64_t value : count("instructions:u,branches:u", [n] { loop(n); }))
				std::cout << value << '\n';
		perfmon::region region("all");
		step(n, false);
		step(n, true);
	} catch (const std::exception &error) {
		std::cerr << "scope: " << error.what() << '\n';
	}
	return 0;
}
