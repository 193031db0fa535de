/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE

#include "wax_process_stack.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* What the engine's own code needs that does not run Lua: it looks types up, writes to the log, and
   calls the program's handler of events. */
#define ENGINE_ROOM (64 * 1024)
/* Left for what Swift does without calling Lua, and for raising the error. */
#define MAX_RESERVE (512 * 1024)
/* What Lua code needs that goes as deep as Lua lets it: 200 metamethods in one another, which
   nobody but Lua counts, are some 90 KB; and then Swift code. */
#define MIN_ROOM (192 * 1024)
/* Where nothing tells how long the first thread's is. */
#define MAX_MAIN_STACK (8 << 20)
#define MAX_ROOM (MAX_RESERVE / 2)

_Thread_local wax_process_stack_bounds wax_process_stack;

/* {== The thread's own ====== */

extern void *__libc_stack_end;

/* Without /proc the C library does not know the first thread's stack. */
static bool find_main_stack(uintptr_t *base, size_t *size) {
  struct rlimit limit;
  if (gettid() != getpid() || getrlimit(RLIMIT_STACK, &limit) != 0) return false;
  *size = limit.rlim_cur < MAX_MAIN_STACK ? limit.rlim_cur : MAX_MAIN_STACK;
  /* What lies behind it, arguments and environment, is not run on. */
  *base = (uintptr_t)__libc_stack_end - *size;
  return true;
}

static bool find_stack(uintptr_t *base, size_t *size) {
  pthread_attr_t attributes;
  void *lowest = NULL;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return find_main_stack(base, size);
  bool is_found = pthread_attr_getstack(&attributes, &lowest, size) == 0;
  pthread_attr_destroy(&attributes);
  *base = (uintptr_t)lowest;
  return is_found;
}

static wax_process_stack_bounds bounds_of(uintptr_t base, size_t size) {
  size_t reserve = size / 4 < MAX_RESERVE ? size / 4 : MAX_RESERVE;
  wax_process_stack_bounds bounds = {.base = base, .top = base + size};
  bounds.engine = base + ENGINE_ROOM;
  bounds.least = base + MIN_ROOM;
  bounds.floor = base + reserve;
  bounds.entry = bounds.floor + (size / 4 < MAX_ROOM ? size / 4 : MAX_ROOM);
  if (bounds.entry < bounds.least) bounds.entry = bounds.least;
  return bounds;
}

void wax_process_find_stack(void) {
  uintptr_t base = 0;
  size_t size = 0;
  wax_process_stack = (wax_process_stack_bounds){.floor = 1, .top = UINTPTR_MAX};
  if (find_stack(&base, &size)) wax_process_stack = bounds_of(base, size);
}

static wax_process_stack_room room_from(uintptr_t least) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (here < wax_process_stack.base || here >= wax_process_stack.top)
    return WAX_PROCESS_STACK_FOREIGN;
  return here < least ? WAX_PROCESS_STACK_SHORT : WAX_PROCESS_STACK_HAS_ROOM;
}

wax_process_stack_room wax_process_stack_room_here(void) {
  if (wax_process_stack.floor == 0) wax_process_find_stack();
  return wax_process_stack.lent ? wax_process_stack.lent : room_from(wax_process_stack.entry);
}

/* ====== }== */

/* {== Others ====== */

#define LENT_SIZE (512 * 1024)
#define GUARD_SIZE (64 * 1024)

/* Those that nobody uses. Threads take and give them with one instruction, also in a handler of
 * signals. */
#define MAX_SPARE 8
static _Atomic(char *) spare[MAX_SPARE];

/* The lowest address behind the guard; NULL: there is no memory. */
static char *take_stack(void) {
  for (int i = 0; i < MAX_SPARE; i++) {
    char *taken = atomic_exchange_explicit(&spare[i], NULL, memory_order_acquire);
    if (taken) return taken;
  }
  char *made = mmap(NULL, GUARD_SIZE + LENT_SIZE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (made == MAP_FAILED) return NULL;
  mprotect(made, GUARD_SIZE, PROT_NONE);
  return made + GUARD_SIZE;
}

static void give_stack(char *stack) {
  for (int i = 0; i < MAX_SPARE; i++) {
    char *none = NULL;
    if (atomic_compare_exchange_strong_explicit(&spare[i], &none, stack, memory_order_release,
                                                memory_order_relaxed))
      return;
  }
  munmap(stack - GUARD_SIZE, GUARD_SIZE + LENT_SIZE);
}

#if defined(__x86_64__)
/* Calls `body` with the stack pointer at `top`. */
__attribute__((naked, noinline)) static void call_on(void *top, wax_process_body *body,
                                                     void *context) {
  __asm__("pushq %rbp\n\t"
          ".cfi_def_cfa_offset 16\n\t"
          ".cfi_offset %rbp, -16\n\t"
          "movq %rsp, %rbp\n\t"
          ".cfi_def_cfa_register %rbp\n\t"
          "movq %rdi, %rsp\n\t"
          "movq %rdx, %rdi\n\t"
          "callq *%rsi\n\t"
          "movq %rbp, %rsp\n\t"
          "popq %rbp\n\t"
          ".cfi_def_cfa %rsp, 8\n\t"
          "retq");
}
#else
static void call_on(void *top, wax_process_body *body, void *context) {
  (void)top;
  body(context);
}
#endif

__attribute__((noinline)) static void lend(wax_process_body *body, void *context, bool runs_lua) {
  int number = errno;
  char *stack = take_stack();
  errno = number;
  if (!stack) return body(context);
  wax_process_stack_bounds own = wax_process_stack;
  wax_process_stack_room reason = own.lent ? own.lent : room_from(UINTPTR_MAX);
  wax_process_stack = bounds_of((uintptr_t)stack, LENT_SIZE);
  if (!runs_lua) {
    wax_process_stack.lent = reason;
    wax_process_stack.least = wax_process_stack.entry = UINTPTR_MAX;
  }
  call_on(stack + LENT_SIZE, body, context);
  wax_process_stack = own;
  give_stack(stack);
}

void wax_process_with_stack(wax_process_body *body, void *context, bool runs_lua) {
  if (wax_process_stack.floor == 0) wax_process_find_stack();
  bool is_enough = runs_lua ? !wax_process_stack.lent &&
                                  room_from(wax_process_stack.least) == WAX_PROCESS_STACK_HAS_ROOM
                            : wax_process_stack_is_enough();
  if (is_enough)
    body(context);
  else
    lend(body, context, runs_lua);
}

/* ====== }== */
