/* SPDX-License-Identifier: GPL-2.0 */
/* Verb X is in X/X.c. Each gets its own name in argv[0] and returns the exit status. */
#ifndef PFMON_VERBS_H
#define PFMON_VERBS_H

int verb_stat(int argc, char **argv);
int verb_record(int argc, char **argv);
int verb_report(int argc, char **argv);
int verb_annotate(int argc, char **argv);
int verb_top(int argc, char **argv);
int verb_diff(int argc, char **argv);
int verb_script(int argc, char **argv);
int verb_export(int argc, char **argv);
int verb_list(int argc, char **argv);
int verb_info(int argc, char **argv);
int verb_test(int argc, char **argv);

#endif /* PFMON_VERBS_H */
