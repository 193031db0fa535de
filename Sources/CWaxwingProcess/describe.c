/* SPDX-License-Identifier: MIT */

/* Describe mode: `waxwing points PROGRAM` starts the program with WAXWING_DESCRIBE=N in its
 * environment, N being a pipe. A constructor notices it, and none of the program's own `main` runs.
 */

#define _GNU_SOURCE

#include "wax_process_describe.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The pipe's descriptor; -1: the variable names none, and means nothing. */
static int described_pipe(const char *text) {
  char *end = NULL;
  long number = strtol(text, &end, 10);
  struct stat status;
  if (end == text || *end != 0 || number < 3 || number > 1 << 20) return -1;
  if (fstat((int)number, &status) != 0 || !S_ISFIFO(status.st_mode)) return -1;
  int flags = fcntl((int)number, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) return -1;
  return (int)number;
}

int wax_process_take_described_pipe(void) {
  /* Not for programs that run with more rights than who started them. */
  const char *text = secure_getenv("WAXWING_DESCRIBE");
  if (!text) return -1;
  int descriptor = described_pipe(text);
  unsetenv("WAXWING_DESCRIBE");
  return descriptor;
}

__attribute__((constructor)) static void waxwing_describe_if_asked(void) {
  if (&waxwing_describes_later || !waxwing_describe) return;
  int descriptor = wax_process_take_described_pipe();
  if (descriptor < 0) return;
  waxwing_describe(descriptor);
  _exit(0);
}
