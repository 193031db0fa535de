/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE

#include "wax_process_exit_marker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int clean_folder = -1;
static char clean_name[64];
static pid_t clean_process;

bool wax_process_mark_clean(void) {
  int folder = __atomic_load_n(&clean_folder, __ATOMIC_ACQUIRE);
  if (folder < 0 || clean_process != getpid()) {
    errno = EBADF;
    return false;
  }
  int file = openat(folder, clean_name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return false;
  close(file);
  return true;
}

static void at_exit(int status, void *unused) {
  (void)unused;
  if (status == 0 || status == 130 || status == 143) (void)wax_process_mark_clean();
}

void wax_process_mark_clean_at_exit(int folder, const char *name) {
  static bool is_registered;
  __atomic_store_n(&clean_folder, -1, __ATOMIC_RELEASE);
  if (folder < 0) return;
  strncpy(clean_name, name, sizeof clean_name - 1);
  clean_process = getpid();
  __atomic_store_n(&clean_folder, folder, __ATOMIC_RELEASE);
  if (!is_registered) is_registered = on_exit(at_exit, NULL) == 0;
}
