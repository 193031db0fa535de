/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "heap_probe.h"

#include <sys/wait.h>
#include <unistd.h>

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

int heap_probe_in_child(int (*body)(void *), void *context) {
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    alarm(30);
    _exit(body(context));
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
