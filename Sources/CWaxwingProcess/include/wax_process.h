/* SPDX-License-Identifier: MIT */

/* This process and its threads. */

#ifndef WAX_PROCESS_H
#define WAX_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* The kernel's id of the calling thread. */
uint64_t wax_process_current_thread(void);

bool wax_process_is_main_thread(void);

/* Milliseconds that the calling thread has run. */
double wax_process_thread_milliseconds(void);

/* Whether this process is the child of one in which calls had been overridden: no override is on
 * here, and nothing may wait for locks of other threads. */
bool wax_process_is_forked_child(void);

/* Notes that this process is a child that has just been forked. Called by the thread that is left.
 */
void wax_process_has_forked(void);

/* A variable of the environment; NULL in a process that has more rights than its user. */
const char *wax_process_environment(const char *name);

#endif
