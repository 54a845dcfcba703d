/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PFMON_EXPORT_SVG_SCRIPT_H
#define PFMON_EXPORT_SVG_SCRIPT_H

extern const char svg_script[];

#endif /* PFMON_EXPORT_SVG_SCRIPT_H */
