/* SPDX-License-Identifier: MIT
 *
 * What malloc has given out, and what is left of a stack.
 */
#ifndef HEAP_PROBE_H
#define HEAP_PROBE_H

#include <stddef.h>

/* Bytes in use, of all threads. */
size_t heap_probe_bytes(void);

/* Bytes of the thread's stack below the caller. A thread may have another one's, which is longer
   than it asked for. */
size_t heap_probe_stack_left(void);

/* Runs `body` on a stack of its own, of so many bytes, as a fibre does. */
void heap_probe_on_fibre(size_t bytes, void (*body)(void *), void *context);

/* Runs `body` on a thread whose stack has so many bytes, and nothing below it. */
void heap_probe_on_thread(size_t bytes, void (*body)(void *), void *context);

/* Runs `body` in a handler of SIGUSR1 that has a stack of its own. */
void heap_probe_in_handler(void (*body)(void *), void *context);

/* Runs `body` in a child of this process and returns its exit status: what `body` has returned; -1:
   the child did not end by itself. */
int heap_probe_in_child(int (*body)(void *), void *context);

#endif
