/* SPDX-License-Identifier: MIT */
#include "heap_probe.h"

#include <malloc.h>

size_t heap_probe_bytes(void) {
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}
