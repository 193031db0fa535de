/* SPDX-License-Identifier: MIT */

/* Describe mode: a program that links the engine writes its patch points to a pipe and ends, before
 * its `main`, if whoever started it asks for that in the environment. */

#ifndef WAX_PROCESS_DESCRIBE_H
#define WAX_PROCESS_DESCRIBE_H

/* Writes the patch points to `descriptor`. Defined by what links the whole engine; tools look for
 * this symbol before they start a program in describe mode. */
void waxwing_describe(int descriptor) __attribute__((weak));

#endif
