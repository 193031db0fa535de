/* SPDX-License-Identifier: MIT */

/* The handler of SIGILL: leads a thread that runs into a byte of ours to where it wants to go, and
 * gives every other signal to whoever had it before.
 *
 * A program may install a handler of its own after us, and keep ours as the one to call next, or to
 * put back. So there are several of ours, each with what was there before it: whenever another
 * handler is found in place of ours, the next of them takes over. What the program has kept leads
 * to what was before, as it would without us. */

#define _GNU_SOURCE

#include "code.h"

#if WAX_RUNTIME_CPU_SUPPORTED

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* {== The table ====== */

/* The codes by the addresses of their jumps: where the hash of one leads to, or behind that in the
 * same run. At least half of it is empty. Writers add, and nothing is ever taken away, so that the
 * handler may read at any time: a code is whole before the release that shows it. */
#define PLACES ((size_t)2 * WAX_RUNTIME_SLOT_CAPACITY)
static _Atomic(wax_runtime_code *) codes[PLACES];

_Static_assert((PLACES & (PLACES - 1)) == 0, "a hash is cut off at the table's size");

static _Atomic(wax_runtime_code *) *place_of(uintptr_t jump) {
  size_t at = (size_t)(((uint64_t)jump * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (PLACES - 1);
  for (;; at = (at + 1) & (PLACES - 1)) {
    const wax_runtime_code *found = atomic_load_explicit(&codes[at], memory_order_acquire);
    if (!found || (uintptr_t)found->window.at == jump) return &codes[at];
  }
}

void wax_runtime_code_add(wax_runtime_code *code) {
  atomic_store_explicit(place_of((uintptr_t)code->window.at), code, memory_order_release);
}

wax_runtime_code *wax_runtime_code_at(uintptr_t jump) {
  return atomic_load_explicit(place_of(jump), memory_order_acquire);
}

/* ====== }== */

/* {== Traps of ours ====== */

static wax_runtime_code_trap_counts trap_counts;

wax_runtime_code_trap_counts wax_runtime_code_traps_handled(void) {
  return (wax_runtime_code_trap_counts){
      .first = __atomic_load_n(&trap_counts.first, __ATOMIC_RELAXED),
      .inner = __atomic_load_n(&trap_counts.inner, __ATOMIC_RELAXED),
  };
}

/* Where a thread goes on that has trapped here; NULL: it is no place of ours. Acquire: what leads
 * on from an island was written before the target. */
static const uint8_t *destination(uintptr_t pc) {
  wax_runtime_code *code = wax_runtime_code_at(pc);
  if (code) {
    __atomic_fetch_add(&trap_counts.first, 1, __ATOMIC_RELAXED);
    return atomic_load_explicit(&code->target, memory_order_acquire);
  }
  for (uintptr_t away = 1; away < WAX_RUNTIME_JUMP_SIZE; away++) {
    code = wax_runtime_code_at(pc - away);
    for (size_t i = 1; code && i < code->window.count; i++) {
      if (code->window.starts[i] != away) continue;
      __atomic_fetch_add(&trap_counts.inner, 1, __ATOMIC_RELAXED);
      return code->copy + code->copy_starts[i];
    }
  }
  return NULL;
}

/* Codes of signals that the kernel sends for an instruction are positive. */
static bool lead_on(const siginfo_t *information, ucontext_t *context) {
  greg_t *pc = &context->uc_mcontext.gregs[REG_RIP];
  const uint8_t *to = information->si_code > 0 ? destination((uintptr_t)*pc) : NULL;
  if (to) *pc = (greg_t)(uintptr_t)to;
  return to != NULL;
}

/* ====== }== */

/* {== All others ====== */

/* A kernel that finds the default action ends the program where it is. */
static void take_default(int number, const siginfo_t *information) {
  struct sigaction standard = {.sa_handler = SIG_DFL};
  sigaction(number, &standard, NULL);
  if (information->si_code > 0) return; /* the instruction runs once more */
  siginfo_t again = *information;
  syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), number, &again);
}

/* As the kernel would: with what its flags and its mask say. */
static void call_handler(const struct sigaction *action, int number, siginfo_t *information,
                         void *context) {
  sigset_t blocked = action->sa_mask, before;
  if (!(action->sa_flags & SA_NODEFER)) sigaddset(&blocked, number);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  if (action->sa_flags & SA_SIGINFO)
    action->sa_sigaction(number, information, context);
  else
    action->sa_handler(number);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* One of our handlers, and what was there before it. */
typedef struct handler {
  void (*function)(int, siginfo_t *, void *);
  _Atomic(const struct sigaction *) before; /* release: it is whole, and never changes */
  _Atomic bool is_used_up;                  /* the one before was for one signal only */
} handler;

static void handle(handler *own, int number, siginfo_t *information, void *context) {
  if (lead_on(information, context)) return;
  const struct sigaction *before = atomic_load_explicit(&own->before, memory_order_acquire);
  bool is_default = !before || (!(before->sa_flags & SA_SIGINFO) && before->sa_handler == SIG_DFL),
       is_ignored = before && !(before->sa_flags & SA_SIGINFO) && before->sa_handler == SIG_IGN;
  /* Nobody can ignore what an instruction does. */
  if (is_ignored && information->si_code <= 0) return;
  bool is_once = before && (before->sa_flags & (int)SA_RESETHAND);
  if (is_default || is_ignored ||
      (is_once && atomic_exchange_explicit(&own->is_used_up, true, memory_order_relaxed)))
    return take_default(number, information);
  call_handler(before, number, information, context);
}

/* ====== }== */

/* {== Taking over ====== */

#define EACH_HANDLER(DO)                                                                           \
  DO(0)                                                                                            \
  DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)

static handler handlers[16];
#define COUNT (sizeof handlers / sizeof handlers[0])

#define DEFINE(i)                                                                                  \
  static void handle_##i(int number, siginfo_t *information, void *context) {                      \
    handle(&handlers[i], number, information, context);                                            \
  }
EACH_HANDLER(DEFINE)

#define NAME(i) {.function = handle_##i},
static handler handlers[COUNT] = {EACH_HANDLER(NAME)};

static size_t used; /* of the handlers; for writers */

#define FLAGS (SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART)

static handler *ours(const struct sigaction *action) {
  for (size_t i = 0; i < used; i++) {
    if (action->sa_sigaction == handlers[i].function) return &handlers[i];
  }
  return NULL;
}

static bool is_same(const struct sigaction *one, const struct sigaction *other) {
  return one->sa_sigaction == other->sa_sigaction && one->sa_flags == other->sa_flags &&
         memcmp(&one->sa_mask, &other->sa_mask, sizeof one->sa_mask) == 0;
}

static bool keep(handler *own, const struct sigaction *before) {
  struct sigaction *kept = malloc(sizeof *kept);
  if (!kept) return false;
  *kept = *before;
  atomic_store_explicit(&own->before, kept, memory_order_release);
  atomic_store_explicit(&own->is_used_up, false, memory_order_relaxed);
  return true;
}

/* The handler that comes before this action: the last one if it has done so already, as the program
 * has put back what it knew, or if there are no more. */
static handler *next(const struct sigaction *found) {
  if (used > 0) {
    handler *last = &handlers[used - 1];
    const struct sigaction *before = atomic_load_explicit(&last->before, memory_order_relaxed);
    bool is_used_up = atomic_load_explicit(&last->is_used_up, memory_order_relaxed);
    if (!is_used_up && is_same(before, found)) return last;
  }
  handler *own = &handlers[used < COUNT ? used : COUNT - 1];
  if (!keep(own, found)) return NULL;
  if (used < COUNT) used++;
  return own;
}

/* The program may have installed a handler since we looked. */
static bool put(handler *own, const struct sigaction *found) {
  struct sigaction action = {.sa_sigaction = own->function, .sa_flags = FLAGS}, before;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGILL, &action, &before) != 0) return false;
  return ours(&before) || is_same(&before, found) || keep(own, &before);
}

bool wax_runtime_code_catch_traps(void) {
  struct sigaction found;
  if (sigaction(SIGILL, NULL, &found) != 0) return false;
  handler *own = ours(&found);
  if (own && (found.sa_flags & (int)FLAGS) == (int)FLAGS) return true;
  if (!own) own = next(&found);
  return own && put(own, &found);
}

/* ====== }== */

#else

wax_runtime_code_trap_counts wax_runtime_code_traps_handled(void) {
  return (wax_runtime_code_trap_counts){0};
}

#endif
