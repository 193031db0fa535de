/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "heap_probe.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>

size_t heap_probe_bytes(void) {
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

size_t heap_probe_stack_left(void) {
  pthread_attr_t attributes;
  void *lowest = NULL;
  size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return (uintptr_t)__builtin_frame_address(0) - (uintptr_t)lowest;
}
