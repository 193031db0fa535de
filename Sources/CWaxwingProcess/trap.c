/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE

#include "wax_process_trap.h"

#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>

static wax_process_trap *page;
static int watcher = -1;

/* {== The page ====== */

static wax_process_trap *map(int descriptor) {
  void *memory =
      mmap(NULL, sizeof(wax_process_trap), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

wax_process_trap *wax_process_trap_create(int *descriptor) {
  int file = memfd_create("waxwing trap", MFD_CLOEXEC);
  if (file < 0) return NULL;
  wax_process_trap *made = ftruncate(file, sizeof(wax_process_trap)) == 0 ? map(file) : NULL;
  if (!made) {
    int number = errno;
    close(file);
    errno = number;
    return NULL;
  }
  *descriptor = file;
  return made;
}

void wax_process_trap_destroy(wax_process_trap *made) { munmap(made, sizeof *made); }

/* ====== }== */

/* {== Signals ====== */

/* SIGQUIT is the watching program's: it wants to know where the other one is. */
static const int ending[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGQUIT};
#define ENDING_COUNT (sizeof ending / sizeof ending[0])

static struct sigaction before[ENDING_COUNT];

/* The first thread that comes here writes; others wait for the end of the process. */
static int is_written;

/* The frames above the one that the signal has found, which is where the thread was. */
static void write_frames(const ucontext_t *context) {
  void *all[WAX_PROCESS_TRAP_FRAMES];
  int count = backtrace(all, WAX_PROCESS_TRAP_FRAMES);
  uint64_t place = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
  int first = 0;
  while (first < count && (uint64_t)(uintptr_t)all[first] != place) first++;
  if (first == count) first = 0;
  for (int i = first; i < count; i++) page->frames[i - first] = (uint64_t)(uintptr_t)all[i];
  page->frame_count = (uint32_t)(count - first);
}

static void handle(int number, siginfo_t *information, void *context) {
  (void)information;
  if (__atomic_exchange_n(&is_written, 1, __ATOMIC_ACQ_REL)) {
    for (;;) pause();
  }
  /* Another trap, in here, ends the process. */
  for (size_t i = 0; i < ENDING_COUNT; i++) sigaction(ending[i], &before[i], NULL);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_UNBLOCK, &all, NULL);
  __atomic_store_n(&page->signal, (uint32_t)number, __ATOMIC_RELEASE);
  write_frames(context);
  shutdown(watcher, SHUT_WR);
  char byte;
  errno = 0;
  while (read(watcher, &byte, 1) > 0 || errno == EINTR) errno = 0;
  /* The instruction runs once more; what came from elsewhere is sent again. */
  raise(number);
}

void wax_process_trap_wait(void) {
  if (!__atomic_load_n(&is_written, __ATOMIC_ACQUIRE)) return;
  for (;;) pause();
}

static bool catch_signals(void) {
  static char stack[64 * 1024];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  if (sigaltstack(&alternate, NULL) != 0) return false;
  /* Loads the library that unwinds, which no handler may. */
  void *warm[2];
  (void)backtrace(warm, 2);
  /* Swift's own report of a crash is for those who ask for it: on a terminal it waits for keys. */
  bool keeps_handlers = getenv("SWIFT_BACKTRACE") != NULL;
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < ENDING_COUNT; i++) {
    sigaction(ending[i], &action, &before[i]);
    if (!keeps_handlers) before[i] = (struct sigaction){.sa_handler = SIG_DFL};
  }
  return true;
}

/* ====== }== */

/* {== Standard error ======
 *
 * Swift's runtime writes what has failed to C's `stderr` and then traps. Here that is a stream
 * which writes to the same descriptor, and keeps the last bytes. */

static void keep(const char *bytes, size_t count) {
  const size_t most = WAX_PROCESS_TRAP_MESSAGE;
  if (count >= most) {
    memcpy(page->message, bytes + count - most, most);
    page->message_length = most;
    return;
  }
  size_t kept = page->message_length;
  if (kept + count > most) {
    size_t gone = kept + count - most;
    memmove(page->message, page->message + gone, kept - gone);
    kept -= gone;
  }
  memcpy(page->message + kept, bytes, count);
  page->message_length = (uint32_t)(kept + count);
}

static ssize_t write_error(void *unused, const char *bytes, size_t count) {
  (void)unused;
  keep(bytes, count);
  size_t done = 0;
  while (done < count) {
    ssize_t written = write(STDERR_FILENO, bytes + done, count - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += (size_t)written;
  }
  /* A stream that has failed once keeps nothing any more. */
  return (ssize_t)count;
}

void wax_process_trap_forget_message(void) {
  if (page) page->message_length = 0;
}

/* ====== }== */

bool wax_process_trap_watch(int descriptor, int channel) {
  wax_process_trap *mapped = map(descriptor);
  if (!mapped) return false;
  FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_error});
  page = mapped;
  watcher = channel;
  if (!stream || !catch_signals()) {
    int number = errno;
    if (stream) fclose(stream);
    page = NULL;
    munmap(mapped, sizeof *mapped);
    errno = number;
    return false;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setvbuf(stream, NULL, _IONBF, 0);
  stderr = stream;
  return true;
}

void wax_process_read_unbuffered(void) { setvbuf(stdin, NULL, _IONBF, 0); }

void wax_process_write_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
