/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "heap_probe.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>
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

struct task {
  void (*body)(void *);
  void *context;
};
static _Thread_local struct task task;

static void run_task(void) { task.body(task.context); }

void heap_probe_on_fibre(size_t bytes, void (*body)(void *), void *context) {
  ucontext_t fibre, here;
  void *stack = malloc(bytes);
  if (!stack || getcontext(&fibre) != 0) abort();
  task = (struct task){body, context};
  fibre.uc_stack.ss_sp = stack;
  fibre.uc_stack.ss_size = bytes;
  fibre.uc_link = &here;
  makecontext(&fibre, run_task, 0);
  swapcontext(&here, &fibre);
  free(stack);
}

static void *run_on_thread(void *started) {
  const struct task *run = started;
  run->body(run->context);
  return NULL;
}

void heap_probe_on_thread(size_t bytes, void (*body)(void *), void *context) {
  const size_t guard = 64 << 10;
  struct task started = {body, context};
  char *memory =
      mmap(NULL, guard + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_attr_t attributes;
  pthread_t thread;
  if (memory == MAP_FAILED || mprotect(memory, guard, PROT_NONE) != 0) abort();
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, memory + guard, bytes);
  if (pthread_create(&thread, &attributes, run_on_thread, &started) != 0) abort();
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  munmap(memory, guard + bytes);
}

static void run_in_handler(int number) {
  (void)number;
  run_task();
}

void heap_probe_in_handler(void (*body)(void *), void *context) {
  size_t bytes = 1 << 20;
  stack_t stack = {.ss_sp = malloc(bytes), .ss_size = bytes}, old_stack;
  struct sigaction action = {.sa_handler = run_in_handler, .sa_flags = SA_ONSTACK}, old;
  if (!stack.ss_sp) abort();
  task = (struct task){body, context};
  sigaltstack(&stack, &old_stack);
  sigset_t wanted, blocked;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR1);
  sigaction(SIGUSR1, &action, &old);
  pthread_sigmask(SIG_UNBLOCK, &wanted, &blocked);
  raise(SIGUSR1);
  pthread_sigmask(SIG_SETMASK, &blocked, NULL);
  sigaction(SIGUSR1, &old, NULL);
  sigaltstack(&old_stack, NULL);
  free(stack.ss_sp);
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
