/* SPDX-License-Identifier: MIT
 *
 * What malloc has given out, for tests that look for leaks.
 */
#ifndef HEAP_PROBE_H
#define HEAP_PROBE_H

#include <stddef.h>

/* Bytes in use, of all threads. */
size_t heap_probe_bytes(void);

#endif
