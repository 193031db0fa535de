/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE

#include "rounds.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *probe_fail(const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0) text = NULL;
  va_end(arguments);
  return text ? text : "no memory";
}

size_t probe_case_named(const char *name) {
  for (size_t i = 0; i < code_probe_case_count(); i++) {
    if (strcmp(code_probe_case_at(i).name, name) == 0) return i;
  }
  abort();
}

static bool add(void *context, wax_runtime_frame *frame) {
  wax_runtime_layer *const *layer = context;
  wax_runtime_call_next(*layer, frame);
  frame->integer_result[0] += ADDED;
  return true;
}

static wax_runtime_session_switch *always_on(void) {
  static wax_runtime_session_switch *made;
  if (made) return made;
  made = wax_runtime_session_switch_create();
  wax_runtime_session_switch_set(made, true);
  return made;
}

wax_runtime_claim probe_install(size_t index, probe_override *result) {
  wax_runtime_claim outcome = wax_runtime_slot_claim(code_probe_point(index), &result->slot);
  if (outcome != WAX_RUNTIME_CLAIM_OK) return outcome;
  /* Kept for good, as is the layer: a call that has seen it may go on any time. */
  wax_runtime_layer **context = malloc(sizeof(wax_runtime_layer *));
  result->layer = *context =
      wax_runtime_layer_create(result->slot, always_on(), (wax_runtime_rank){0, 0}, add, context);
  return wax_runtime_layer_install(result->layer);
}

wax_runtime_restore probe_remove(probe_override *override) {
  wax_runtime_layer_remove(override->layer);
  return wax_runtime_slot_restore(override->slot);
}

/* {== One round ====== */

static bool is_original(size_t index, long argument) {
  return code_probe_call(index, argument) == argument + 100;
}

/* A function that calls itself is overridden as often. */
static bool is_overridden(size_t index, long argument) {
  long result = code_probe_call(index, argument);
  return result >= ADDED && result % ADDED == argument + 100;
}

const char *code_probe_go_round(size_t index) {
  code_probe_case at = code_probe_case_at(index);
  uint8_t before[32];
  memcpy(before, (const void *)(uintptr_t)at.function, sizeof before);
  probe_override override;
  wax_runtime_claim claim = wax_runtime_code_look(code_probe_point(index));
  if (claim != at.claim) return probe_fail("%s: a look says %d, not %d", at.name, claim, at.claim);
  claim = probe_install(index, &override);
  if (claim != at.claim) return probe_fail("%s: claim %d, not %d", at.name, claim, at.claim);
  if (claim != WAX_RUNTIME_CLAIM_OK) {
    bool is_same = memcmp(before, (const void *)(uintptr_t)at.function, sizeof before) == 0;
    return is_same ? NULL : probe_fail("%s: refused and written", at.name);
  }
  if (!is_overridden(index, 5)) return probe_fail("%s: not overridden", at.name);
  if (wax_runtime_code_look(code_probe_point(index)) != WAX_RUNTIME_CLAIM_OK)
    return probe_fail("%s: its own jump is foreign", at.name);
  if (wax_runtime_slot_is_at_baseline(override.slot))
    return probe_fail("%s: installed, and at its baseline", at.name);
  wax_runtime_without_patches_begin();
  bool passes = is_original(index, 5);
  wax_runtime_without_patches_end();
  if (!passes) return probe_fail("%s: the original by the stub", at.name);
  if (probe_remove(&override) != WAX_RUNTIME_RESTORE_DONE)
    return probe_fail("%s: not removed", at.name);
  if (!is_original(index, 5)) return probe_fail("%s: the original", at.name);
  if (memcmp(before, (const void *)(uintptr_t)at.function, sizeof before) != 0)
    return probe_fail("%s: its bytes are not as before", at.name);
  return wax_runtime_slot_is_at_baseline(override.slot)
             ? NULL
             : probe_fail("%s: not at its baseline", at.name);
}

/* ====== }== */

/* {== A storm ====== */

static atomic_bool stops;
static atomic_ulong wrong;
static _Atomic(const char *) wrong_case;

static bool can_be_overridden(size_t index) {
  return code_probe_case_at(index).claim == WAX_RUNTIME_CLAIM_OK;
}

static void *work(void *argument) {
  size_t index = (size_t)argument % code_probe_case_count();
  while (!atomic_load_explicit(&stops, memory_order_relaxed)) {
    index = (index + 1) % code_probe_case_count();
    if (!can_be_overridden(index)) continue;
    for (long i = 0; i < 500; i++) {
      long argument_of_call = i % 4, result = code_probe_call(index, argument_of_call);
      if (result % ADDED == argument_of_call + 100) continue;
      atomic_fetch_add(&wrong, 1);
      atomic_store(&wrong_case, code_probe_case_at(index).name);
    }
  }
  return NULL;
}

static void ignore(int number) { (void)number; }

#define MOST_WORKERS 16

static const char *run_rounds(size_t rounds, size_t workers, const pthread_t *threads,
                              bool signals) {
  const char *problem = NULL;
  for (size_t i = 0; i < rounds && !problem; i++) {
    size_t index = i % code_probe_case_count();
    if (!can_be_overridden(index)) continue;
    probe_override override;
    wax_runtime_claim claim = probe_install(index, &override);
    if (claim != WAX_RUNTIME_CLAIM_OK) return probe_fail("claim %d in round %zu", claim, i);
    if (!is_overridden(index, 3)) problem = probe_fail("not overridden in round %zu", i);
    if (signals) pthread_kill(threads[i % workers], SIGUSR1);
    if (probe_remove(&override) != WAX_RUNTIME_RESTORE_DONE)
      return probe_fail("not removed in round %zu", i);
    if (!is_original(index, 3)) problem = probe_fail("not removed in round %zu", i);
    if (signals) pthread_kill(threads[(i + 1) % workers], SIGUSR1);
  }
  return problem;
}

const char *code_probe_storm(size_t rounds, size_t workers, bool signals) {
  pthread_t threads[MOST_WORKERS];
  if (workers > MOST_WORKERS) workers = MOST_WORKERS;
  signal(SIGUSR1, ignore);
  for (size_t i = 0; i < workers; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  const char *problem = run_rounds(rounds, workers, threads, signals);
  atomic_store(&stops, true);
  for (size_t i = 0; i < workers; i++) pthread_join(threads[i], NULL);
  atomic_store(&stops, false);
  if (!problem && atomic_load(&wrong))
    problem = probe_fail("%lu wrong results, of %s", atomic_load(&wrong), atomic_load(&wrong_case));
  return problem;
}

/* ====== }== */

uint64_t code_probe_time(size_t count) {
  struct timespec from, to;
  size_t index = probe_case_named("frame");
  probe_override override;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (size_t i = 0; i < count; i++) {
    if (probe_install(index, &override) != WAX_RUNTIME_CLAIM_OK) return 0;
    if (probe_remove(&override) != WAX_RUNTIME_RESTORE_DONE) return 0;
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  uint64_t all =
      (uint64_t)(to.tv_sec - from.tv_sec) * 1000000000 + (uint64_t)(to.tv_nsec - from.tv_nsec);
  return count ? all / count : 0;
}

/* {== Children ====== */

static pid_t start_child(const char *(*body)(void *), void *context, int *answers) {
  int ends[2];
  if (pipe(ends) != 0) abort();
  pid_t child = fork();
  if (child != 0) {
    close(ends[1]);
    *answers = ends[0];
    return child;
  }
  const char *problem = body(context);
  if (problem && write(ends[1], problem, strlen(problem)) < 0) _exit(2);
  _exit(problem ? 1 : 0);
}

const char *probe_in_child(const char *(*body)(void *), void *context) {
  int answers, status;
  pid_t child = start_child(body, context, &answers);
  char text[512];
  ssize_t size = read(answers, text, sizeof text);
  close(answers);
  waitpid(child, &status, 0);
  if (size > 0) return probe_fail("%.*s", (int)size, text);
  return status == 0 ? NULL : probe_fail("the child ended with status %d", status);
}

int probe_signal_of_child(const char *(*body)(void *), void *context) {
  int answers, status;
  pid_t child = start_child(body, context, &answers);
  close(answers);
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* ====== }== */
