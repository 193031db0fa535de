/* SPDX-License-Identifier: MIT */

/* Describe mode: a program that links the engine writes its patch points to a pipe and ends, before
 * its `main`, if whoever started it asks for that in the environment. */

#ifndef WAX_PROCESS_DESCRIBE_H
#define WAX_PROCESS_DESCRIBE_H

/* Writes the patch points to `descriptor`. Defined by what links the whole engine; tools look for
 * this symbol before they start a program in describe mode. */
void waxwing_describe(int descriptor) __attribute__((weak));

/* Defined by an engine that is loaded before the program's constructors have run: it describes the
 * program later by itself, and takes the pipe for that. */
extern const char waxwing_describes_later __attribute__((weak));

/* The pipe that the environment names, which is taken out of it; -1: it names none. */
int wax_process_take_described_pipe(void);

#endif
