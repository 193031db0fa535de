/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE

#include "wax_process.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* 0: not asked yet. */
static _Thread_local uint64_t my_kernel_id __attribute__((tls_model("initial-exec")));

static bool is_forked;

uint64_t wax_process_current_thread(void) {
  if (!my_kernel_id) my_kernel_id = (uint64_t)syscall(SYS_gettid);
  return my_kernel_id;
}

bool wax_process_is_main_thread(void) { return gettid() == getpid(); }

double wax_process_thread_milliseconds(void) {
  struct timespec time = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

bool wax_process_is_forked_child(void) { return __atomic_load_n(&is_forked, __ATOMIC_RELAXED); }

void wax_process_has_forked(void) {
  my_kernel_id = 0;
  __atomic_store_n(&is_forked, true, __ATOMIC_RELAXED);
}

const char *wax_process_environment(const char *name) { return secure_getenv(name); }
