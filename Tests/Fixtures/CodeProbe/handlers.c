/* SPDX-License-Identifier: MIT */

/* Handlers of SIGILL that a program has before Waxwing takes the signal, or installs later. */

#define _GNU_SOURCE

#include "rounds.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

extern const char probe_crash_place[] __attribute__((visibility("hidden")));
void probe_crash(void) __attribute__((visibility("hidden")));
__asm__(".text\n.globl probe_crash\n.hidden probe_crash\nprobe_crash:\n"
        ".globl probe_crash_place\n.hidden probe_crash_place\nprobe_crash_place: ud2\nretq\n");

/* {== Handlers ====== */

static volatile int calls;
static volatile sig_atomic_t is_right;
static struct sigaction kept;

static bool is_blocked(int number) {
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, NULL, &now);
  return sigismember(&now, number) == 1;
}

/* Looks at what the kernel says of the crash, and goes on behind it. */
static void skip(int number, siginfo_t *information, void *context) {
  greg_t *pc = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
  calls++;
  is_right = number == SIGILL && (uintptr_t)*pc == (uintptr_t)probe_crash_place &&
             information->si_addr == (const void *)probe_crash_place && is_blocked(SIGILL) &&
             is_blocked(SIGUSR2);
  *pc += 2;
}

/* Of the kind that knows only its number. */
static jmp_buf back;
static void leave(int number) {
  calls++;
  is_right = number == SIGILL;
  siglongjmp(back, 1);
}

/* Calls what was before it. */
static void hand_on(int number, siginfo_t *information, void *context) {
  calls++;
  if (kept.sa_flags & SA_SIGINFO) kept.sa_sigaction(number, information, context);
}

/* Puts back what was before it: the instruction runs once more. */
static void put_back(int number, siginfo_t *information, void *context) {
  (void)information, (void)context;
  calls++;
  sigaction(number, &kept, NULL);
}

static void handle_by(void (*function)(int, siginfo_t *, void *), int flags) {
  struct sigaction action = {.sa_sigaction = function, .sa_flags = SA_SIGINFO | flags};
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGILL, &action, &kept);
}

/* ====== }== */

static const char *go_round(void) { return code_probe_go_round(probe_case_named("pushes")); }

static const char *crash_and_skip(int wanted, const char *when) {
  /* Threads of Dispatch block nearly all signals. */
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGUSR2);
  pthread_sigmask(SIG_UNBLOCK, &own, NULL);
  calls = 0;
  is_right = 0;
  probe_crash();
  if (calls != wanted) return probe_fail("%s: %d calls, not %d", when, calls, wanted);
  if (!is_right) return probe_fail("%s: the handler was told something else", when);
  return is_blocked(SIGILL) || is_blocked(SIGUSR2) ? probe_fail("%s: left blocked", when) : NULL;
}

static const char *before(void *unused) {
  (void)unused;
  handle_by(skip, 0);
  const char *problem = go_round();
  if (!problem) problem = crash_and_skip(1, "a handler before");
  if (!problem) problem = go_round();
  return problem ? problem : crash_and_skip(1, "once more");
}

static const char *leaves(void *unused) {
  (void)unused;
  signal(SIGILL, leave);
  const char *problem = go_round();
  for (int i = 1; i < 3 && !problem; i++) {
    if (sigsetjmp(back, 1) == 0) probe_crash();
    if (calls != i || !is_right) problem = "a handler that leaves by a jump";
    if (!problem) problem = go_round();
  }
  return problem;
}

const char *code_probe_handler_before(void) {
  const char *problem = probe_in_child(before, NULL);
  return problem ? problem : probe_in_child(leaves, NULL);
}

/* A later handler that hands on to ours, which hands on to the first. */
static const char *after(void *unused) {
  (void)unused;
  handle_by(skip, 0);
  const char *problem = go_round();
  handle_by(hand_on, 0);
  for (int i = 0; i < 40 && !problem; i++) {
    problem = crash_and_skip(2, "a handler after");
    if (!problem) problem = go_round();
    if (!problem) problem = crash_and_skip(2, "a handler after, behind ours");
  }
  return problem;
}

/* One that puts back ours, and leaves the crash to it. */
static const char *puts_back(void *unused) {
  (void)unused;
  handle_by(skip, 0);
  const char *problem = go_round();
  handle_by(put_back, 0);
  if (!problem) problem = go_round();
  if (!problem) problem = crash_and_skip(2, "a handler that puts back");
  if (!problem) problem = crash_and_skip(1, "what it has put back");
  return problem ? problem : go_round();
}

/* Many of them, one after the other. */
static const char *many(void *unused) {
  (void)unused;
  const char *problem = NULL;
  for (int i = 0; i < 50 && !problem; i++) {
    handle_by(i % 2 ? skip : hand_on, i % 3 ? 0 : SA_RESTART);
    problem = go_round();
  }
  return problem ? problem : crash_and_skip(1, "the last handler");
}

const char *code_probe_handler_after(void) {
  const char *problem = probe_in_child(after, NULL);
  if (!problem) problem = probe_in_child(puts_back, NULL);
  return problem ? problem : probe_in_child(many, NULL);
}

static const char *go_round_by_default(void) {
  signal(SIGILL, SIG_DFL);
  return go_round();
}

static const char *crash(void *unused) {
  (void)unused;
  const char *problem = go_round_by_default();
  if (!problem) probe_crash();
  return problem;
}

static const char *crash_twice(void *unused) {
  (void)unused;
  handle_by(skip, (int)SA_RESETHAND);
  const char *problem = go_round();
  if (!problem) problem = crash_and_skip(1, "a handler for once");
  if (!problem) probe_crash();
  return problem;
}

static const char *crash_ignored(void *unused) {
  (void)unused;
  signal(SIGILL, SIG_IGN);
  const char *problem = go_round();
  if (!problem) probe_crash();
  return problem;
}

static const char *end_by_signal(void *unused) {
  (void)unused;
  const char *problem = go_round_by_default();
  if (!problem) kill(getpid(), SIGILL);
  return problem;
}

/* A signal that somebody sends is ignored where it was. */
static const char *ignore_signal(void *unused) {
  (void)unused;
  signal(SIGILL, SIG_IGN);
  const char *problem = go_round();
  if (!problem) kill(getpid(), SIGILL);
  return problem ? problem : go_round();
}

const char *code_probe_handler_once(void) {
  int number = probe_signal_of_child(crash_twice, NULL);
  return number == SIGILL ? NULL : probe_fail("the second crash ends with %d", number);
}

const char *code_probe_crash(void) {
  int number = probe_signal_of_child(crash, NULL);
  if (number != SIGILL) return probe_fail("a crash ends with %d", number);
  number = probe_signal_of_child(crash_ignored, NULL);
  if (number != SIGILL) return probe_fail("a crash that is ignored ends with %d", number);
  number = probe_signal_of_child(end_by_signal, NULL);
  if (number != SIGILL) return probe_fail("a signal from elsewhere ends with %d", number);
  return probe_in_child(ignore_signal, NULL);
}
