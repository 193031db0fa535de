/* SPDX-License-Identifier: MIT
 *
 * What a program leaves for the one that watches it when a signal ends it: in memory that both have
 * mapped. A program is watched that calls what may trap, such as that of the shell of `waxwing
 * run`.
 */
#ifndef WAX_PROCESS_TRAP_H
#define WAX_PROCESS_TRAP_H

#include <stdbool.h>
#include <stdint.h>

#define WAX_PROCESS_TRAP_FRAMES 64
#define WAX_PROCESS_TRAP_MESSAGE 2048

/*
 *   watching program                         watched program
 *   ----------------                         ---------------
 *   create, start the other    ────────────► watch
 *                                            a signal: signal, frames; shuts its end of the socket
 *   sees the end of the stream ◄────────────
 *   reads /proc/PID/maps, the page
 *   closes the socket          ────────────► ends by the signal
 */
typedef struct wax_process_trap {
  uint32_t signal; /* 0: none has come; written last */
  uint32_t frame_count;
  uint64_t frames[WAX_PROCESS_TRAP_FRAMES]; /* where its functions go on, innermost first */
  uint32_t message_length;
  char message[WAX_PROCESS_TRAP_MESSAGE]; /* what was written last to C's standard error */
} wax_process_trap;

/* A page for a program that is about to be started, which gets the descriptor; NULL: errno. */
wax_process_trap *wax_process_trap_create(int *descriptor);

/* Unmaps a page. */
void wax_process_trap_destroy(wax_process_trap *page);

/* In the program that is watched, once, before it has other threads: signals that end it are
 * written down, and what it writes to C's standard error. `channel` is a socket of the watching
 * program's, which reads nothing more from this one afterwards. From now on it ends when the
 * watching thread does. False: errno, and nothing has changed. */
bool wax_process_trap_watch(int descriptor, int channel);

/* Waits for the end of the process if a signal has begun it on another thread. */
void wax_process_trap_wait(void);

/* Makes C's standard input read no more than what it is asked for, as another process reads the
 * rest. */
void wax_process_read_unbuffered(void);

/* Makes C's standard output write each line at once: a trap loses what is in buffers. */
void wax_process_write_lines(void);

/* Ignores the text on standard error so far: it is no message of a trap. */
void wax_process_trap_forget_message(void);

#endif
