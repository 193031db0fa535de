/* SPDX-License-Identifier: MIT */

/* Threads that block SIGILL. The kernel ends a program in which such a thread traps. The C library
 * blocks all signals for a moment while it starts a thread or ends one: then it is looked again.
 * Threads that the kernel has in the program, such as workers of io_uring, block all of them for
 * good, and never run its code. */

#define _GNU_SOURCE

#include "code.h"

#if WAX_RUNTIME_CPU_SUPPORTED

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_LOOKS 50
#define BETWEEN_LOOKS 1000000 /* ns */

/* The value behind a name at the beginning of a line; NULL: there is none. */
static const char *find(const char *status, const char *name) {
  const char *found = strstr(status, name);
  return found ? found + strlen(name) : NULL;
}

static bool says_blocked(const char *status) {
  const char *state = find(status, "\nState:\t"), *blocked = find(status, "\nSigBlk:\t");
  if (!state || !blocked || *state == 'Z' || *state == 'X') return false;
  return strtoull(blocked, NULL, 16) >> (SIGILL - 1) & 1;
}

/* One of a thread's files. False: the thread is gone. */
static bool read_of(int tasks, const char *thread, const char *name, char *status, size_t most) {
  char path[64];
  if (snprintf(path, sizeof path, "%.32s/%s", thread, name) >= (int)sizeof path) return false;
  int file = openat(tasks, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  size_t size = 0;
  for (;;) {
    ssize_t got = read(file, status + size, most - 1 - size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += (size_t)got;
  }
  close(file);
  status[size] = 0;
  return size > 0;
}

/* PF_IO_WORKER, PF_USER_WORKER and PF_KTHREAD of the kernel's sched.h. */
#define FLAGS_OF_KERNEL (0x10ul | 0x4000ul | 0x200000ul)

/* The flags are the seventh of the words that follow a thread's name. */
static bool is_of_kernel(int tasks, const char *thread) {
  char text[1024];
  if (!read_of(tasks, thread, "stat", text, sizeof text)) return true;
  const char *at = strrchr(text, ')');
  for (int i = 0; at && i < 7; i++) at = strchr(at + 1, ' ');
  return at && (strtoul(at, NULL, 10) & FLAGS_OF_KERNEL);
}

static bool blocks(int tasks, const char *thread, char *status, size_t most) {
  return read_of(tasks, thread, "status", status, most) && says_blocked(status) &&
         !is_of_kernel(tasks, thread);
}

static void note(const char *thread, const char *status) {
  char name[64] = "";
  const char *found = find(status, "Name:\t");
  if (found) snprintf(name, sizeof name, "%.*s", (int)strcspn(found, "\n"), found);
  wax_runtime_refuse_thread(atoi(thread), name);
}

static wax_runtime_claim look(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) {
    wax_runtime_refuse_number(errno);
    return WAX_RUNTIME_CLAIM_CODE_THREADS;
  }
  wax_runtime_claim outcome = WAX_RUNTIME_CLAIM_OK;
  const struct dirent *thread;
  while (outcome == WAX_RUNTIME_CLAIM_OK && (thread = readdir(tasks))) {
    char status[8192];
    if (thread->d_name[0] == '.') continue;
    if (!blocks(dirfd(tasks), thread->d_name, status, sizeof status)) continue;
    note(thread->d_name, status);
    outcome = WAX_RUNTIME_CLAIM_CODE_SIGNAL_BLOCKED;
  }
  closedir(tasks);
  return outcome;
}

wax_runtime_claim wax_runtime_code_check_threads(void) {
  wax_runtime_claim outcome = look();
  for (int i = 1; i < MOST_LOOKS && outcome == WAX_RUNTIME_CLAIM_CODE_SIGNAL_BLOCKED; i++) {
    nanosleep(&(struct timespec){.tv_nsec = BETWEEN_LOOKS}, NULL);
    outcome = look();
  }
  return outcome;
}

#endif
