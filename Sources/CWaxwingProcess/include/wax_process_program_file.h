/* SPDX-License-Identifier: MIT */

/* The file of a program. */

#ifndef WAX_PROCESS_PROGRAM_FILE_H
#define WAX_PROCESS_PROGRAM_FILE_H

#include <stdbool.h>

/* Whether a process of this program has more rights than its user: set-user-ID, set-group-ID or
 * file capabilities. The loader ignores LD_PRELOAD there; see ld.so(8), "Secure-execution mode". */
bool wax_process_file_gives_rights(const char *path);

#endif
