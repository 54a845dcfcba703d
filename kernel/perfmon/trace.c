// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the functions behind the trace events. The fields that an event shows of a context
 * are read here, once the event is enabled: a file with an event includes
 * <trace/events/perfmon.h>.
 */
#include "context.h"
#include "event_set.h"
#include "set_switch.h"

#define CREATE_TRACE_POINTS
#include <trace/events/perfmon.h>
