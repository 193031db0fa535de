/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE

#include <dirent.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "torture_probe.h"

#define FRAMES 64

uint64_t torture_thread(void) { return (uint64_t)syscall(SYS_gettid); }

static void write_stack(int signal) {
  (void)signal;
  void *frames[FRAMES];
  char line[64];
  int length = snprintf(line, sizeof line, "thread %ld\n", syscall(SYS_gettid));
  if (write(STDERR_FILENO, line, (size_t)length) < 0) return;
  backtrace_symbols_fd(frames, backtrace(frames, FRAMES), STDERR_FILENO);
}

void torture_prepare_dump(void) {
  void *frames[1];
  backtrace(frames, 1); /* loads what it needs, which a signal handler must not */
  struct sigaction action = {.sa_handler = write_stack, .sa_flags = SA_RESTART};
  sigaction(SIGUSR2, &action, NULL);
}

/* One after the other, so that the stacks do not mix. */
void torture_dump_threads(void) {
  DIR *threads = opendir("/proc/self/task");
  if (!threads) return;
  for (struct dirent *thread; (thread = readdir(threads));) {
    long id = atol(thread->d_name);
    if (id <= 0) continue;
    syscall(SYS_tgkill, getpid(), id, SIGUSR2);
    usleep(200000);
  }
  closedir(threads);
}
