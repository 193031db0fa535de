/* SPDX-License-Identifier: MIT */

/* The look-up at the head of every dynamic function, which is ours: see lookup.c. */

#ifndef WAXWING_LOOKUP_H
#define WAXWING_LOOKUP_H

/* The replacement entry of the function that this thread calls next past its replacement; NULL:
 * none. initial-exec: one instruction, in a shared library too. */
extern _Thread_local const void *waxwing_mark
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

#endif
