/* SPDX-License-Identifier: MIT */

/* A file that says that the process ended as it was meant to. */

#ifndef WAX_PROCESS_EXIT_MARKER_H
#define WAX_PROCESS_EXIT_MARKER_H

#include <stdbool.h>

/* Makes `name` in the folder when the process ends with exit(0), or of a signal that it took as a
 * request to end (exit codes 130 and 143). Takes no lock and allocates nothing. Not in children
 * that were forked. Replaces an earlier folder; -1: none. */
void wax_process_mark_clean_at_exit(int folder, const char *name);

/* Makes it now. False: errno. */
bool wax_process_mark_clean(void);

#endif
