/* SPDX-License-Identifier: MIT */

/* Where writing code may be forbidden, and whose code is written after a fork. */

#define _GNU_SOURCE

#include "rounds.h"

#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* {== Environments ====== */

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif

static bool filter_calls(struct sock_filter *filter, size_t count) {
  struct sock_fprog program = {(unsigned short)count, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/* What systemd's MemoryDenyWriteExecute forbids: memory that is writable and executable, and making
 * any executable. */
static bool forbid_by_filter(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 4, 5),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, PROT_EXEC | PROT_WRITE),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROT_EXEC | PROT_WRITE, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return filter_calls(filter, sizeof filter / sizeof filter[0]);
}

static bool can_make_executable(void) {
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
}

static const char *enter(code_probe_environment environment) {
  switch (environment) {
    case CODE_PROBE_MDWE:
      /* An old kernel cannot, and has nothing to be tried there. */
      if (prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) != 0) return NULL;
      return can_make_executable() ? "PR_SET_MDWE forbids nothing" : NULL;
    case CODE_PROBE_SECCOMP:
      if (!forbid_by_filter()) return "no filter";
      return can_make_executable() ? "the filter forbids nothing" : NULL;
    case CODE_PROBE_NOT_DUMPABLE:
      if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0))
        return "no other user";
      return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? NULL : "dumpable";
    case CODE_PROBE_PLAIN: break;
  }
  return NULL;
}

typedef struct environment_run {
  code_probe_environment environment;
  bool by_mapping;
} environment_run;

static const char *run_in(void *context) {
  const environment_run *run = context;
  const char *problem = enter(run->environment);
  wax_runtime_code_write_by_mapping(run->by_mapping);
  for (size_t i = 0; i < code_probe_case_count() && !problem; i++) problem = code_probe_go_round(i);
  return problem;
}

const char *code_probe_in(code_probe_environment environment, bool by_mapping) {
  environment_run run = {environment, by_mapping};
  return probe_in_child(run_in, &run);
}

/* ====== }== */

/* {== Forks ====== */

static bool is_changed(size_t index, const uint8_t before[16]) {
  return memcmp((const void *)(uintptr_t)code_probe_case_at(index).function, before, 16) != 0;
}

static uint8_t frame_before[16], leaf_before[16];

/* The child removes what its parent has installed, and installs another. Nothing is overridden in
 * it: calls go through. */
static const char *change_own(void *context) {
  probe_override *inherited = context, own;
  size_t frame = probe_case_named("frame"), leaf = probe_case_named("leaf");
  if (!is_changed(frame, frame_before)) return "the child has other code than its parent";
  if (code_probe_call(frame, 1) != 101) return "the child does not run the original";
  if (probe_remove(inherited) != WAX_RUNTIME_RESTORE_DONE) return "the child cannot remove";
  if (is_changed(frame, frame_before)) return "the child's function is as its parent's";
  if (probe_install(leaf, &own) != WAX_RUNTIME_CLAIM_OK) return "the child cannot install";
  if (!is_changed(leaf, leaf_before)) return "the child's jump is not there";
  return code_probe_call(leaf, 1) == 101 ? NULL : "the child does not run the other original";
}

static const char *fork_once(void *unused) {
  (void)unused;
  probe_override override;
  size_t frame = probe_case_named("frame"), leaf = probe_case_named("leaf");
  memcpy(frame_before, (const void *)(uintptr_t)code_probe_case_at(frame).function, 16);
  memcpy(leaf_before, (const void *)(uintptr_t)code_probe_case_at(leaf).function, 16);
  if (probe_install(frame, &override) != WAX_RUNTIME_CLAIM_OK) return "the parent cannot install";
  if (code_probe_call(frame, 1) != ADDED + 101) return "nothing is overridden";
  const char *problem = probe_in_child(change_own, &override);
  if (problem) return problem;
  if (code_probe_call(frame, 1) != ADDED + 101) return "the child has removed it in its parent";
  if (is_changed(leaf, leaf_before)) return "the child has written into its parent";
  if (probe_remove(&override) != WAX_RUNTIME_RESTORE_DONE) return "the parent cannot remove";
  if (is_changed(frame, frame_before)) return "the parent's function is still changed";
  return code_probe_call(frame, 1) == 101 ? NULL : "the parent's function is still overridden";
}

const char *code_probe_fork(bool by_mapping) {
  wax_runtime_code_write_by_mapping(by_mapping);
  const char *problem = probe_in_child(fork_once, NULL);
  wax_runtime_code_write_by_mapping(false);
  return problem;
}

/* ====== }== */

/* {== Refusals ====== */

static bool write_own_code(void *to, uint8_t byte) {
  FILE *memory = fopen("/proc/self/mem", "r+b");
  bool done =
      memory && fseek(memory, (long)(intptr_t)to, SEEK_SET) == 0 && fputc(byte, memory) >= 0;
  if (memory) done &= fclose(memory) == 0;
  return done;
}

wax_runtime_claim code_probe_claim_changed(uint8_t byte) {
  wax_runtime_point point = code_probe_point(probe_case_named("address"));
  uint8_t *code = (uint8_t *)point.entry, before = code[3];
  if (!write_own_code(code + 3, byte)) return WAX_RUNTIME_CLAIM_OK;
  wax_runtime_slot *slot;
  wax_runtime_claim claim = wax_runtime_slot_claim(point, &slot);
  return write_own_code(code + 3, before) ? claim : WAX_RUNTIME_CLAIM_OK;
}

const char *code_probe_foreign(void) {
  probe_override override, other;
  size_t index = probe_case_named("stack");
  uint8_t *code = (uint8_t *)code_probe_point(index).entry;
  if (probe_install(index, &override) != WAX_RUNTIME_CLAIM_OK) return "not installed";
  uint8_t before = code[2];
  if (!write_own_code(code + 2, before ^ 1)) return "no memory";
  wax_runtime_claim claim = probe_install(index, &other);
  wax_runtime_restore restored = probe_remove(&override);
  uint8_t after = code[2];
  if (!write_own_code(code + 2, before)) return "no memory";
  if (claim != WAX_RUNTIME_CLAIM_FOREIGN) return probe_fail("claim %d", claim);
  if (restored != WAX_RUNTIME_RESTORE_TAMPERED) return probe_fail("restore %d", restored);
  if (after != (before ^ 1)) return "the foreign byte was written";
  if (wax_runtime_slot_restore(override.slot) != WAX_RUNTIME_RESTORE_DONE) return "not restored";
  return code_probe_call(index, 1) == 101 ? NULL : "the original does not run";
}

static pthread_barrier_t meeting;
static int blocking_thread;

static void *block(void *unused) {
  (void)unused;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  blocking_thread = (int)syscall(SYS_gettid);
  pthread_setname_np(pthread_self(), "blocks");
  pthread_barrier_wait(&meeting);
  pthread_barrier_wait(&meeting);
  return NULL;
}

wax_runtime_claim code_probe_install_blocked(bool *is_named) {
  pthread_t blocking;
  pthread_barrier_init(&meeting, NULL, 2);
  pthread_create(&blocking, NULL, block, NULL);
  pthread_barrier_wait(&meeting);
  probe_override override;
  size_t index = probe_case_named("vector");
  wax_runtime_claim claim = probe_install(index, &override);
  wax_runtime_claim_details details = wax_runtime_claim_details_of_thread();
  *is_named = details.thread == blocking_thread && strcmp(details.thread_name, "blocks") == 0;
  pthread_barrier_wait(&meeting);
  pthread_join(blocking, NULL);
  /* And once it has ended it goes on. */
  if (code_probe_go_round(index)) return WAX_RUNTIME_CLAIM_OK;
  return claim;
}

/* ====== }== */

/* {== Threads of the kernel's ====== */

static const char *go_beside_kernel_thread(void *unused) {
  (void)unused;
  struct io_uring_params parameters = {.flags = IORING_SETUP_SQPOLL, .sq_thread_idle = 60000};
  /* Where it is forbidden there is nothing to be tried. */
  long ring = syscall(SYS_io_uring_setup, 4, &parameters);
  const char *problem = code_probe_go_round(probe_case_named("frame"));
  if (ring >= 0) close((int)ring);
  return problem;
}

const char *code_probe_beside_kernel_thread(void) {
  return probe_in_child(go_beside_kernel_thread, NULL);
}

/* ====== }== */

/* {== Writes that fail ====== */

/* From here on a byte cannot be written, and no page be mapped anew. */
static bool forbid_byte(const uint8_t *byte) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pwrite64, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[3])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(uintptr_t)byte, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return filter_calls(filter, sizeof filter / sizeof filter[0]);
}

typedef struct failing {
  size_t index;
  size_t byte;
} failing;

static const uint8_t *byte_of(const failing *of) {
  return (const uint8_t *)(uintptr_t)code_probe_case_at(of->index).function + of->byte;
}

/* Installing that fails: all is as before. */
static const char *fail_to_install(void *context) {
  const failing *of = context;
  probe_override override;
  if (code_probe_go_round(of->index)) return "a round before";
  if (!forbid_byte(byte_of(of))) return "no filter";
  wax_runtime_claim claim = probe_install(of->index, &override);
  if (claim != WAX_RUNTIME_CLAIM_CODE_READ_ONLY) return probe_fail("claim %d", claim);
  if (wax_runtime_claim_details_of_thread().error_number != EPERM) return "another error number";
  if (code_probe_call(of->index, 1) != 101) return "the function does not run as before";
  if (!wax_runtime_slot_is_at_baseline(override.slot)) return "some of the jump is there";
  return NULL;
}

/* Removing that fails: the original runs, and the trap is told from a foreign byte. */
static const char *fail_to_remove(void *context) {
  const failing *of = context;
  probe_override override;
  if (probe_install(of->index, &override) != WAX_RUNTIME_CLAIM_OK) return "not installed";
  if (code_probe_call(of->index, 1) != ADDED + 101) return "not overridden";
  if (!forbid_byte(byte_of(of))) return "no filter";
  wax_runtime_restore restored = probe_remove(&override);
  if (code_probe_call(of->index, 1) != 101) return "the original does not run";
  if (restored == WAX_RUNTIME_RESTORE_DONE) return "the byte was written";
  if (restored != WAX_RUNTIME_RESTORE_FAILED) return "taken for a foreign byte";
  if (wax_runtime_slot_is_at_baseline(override.slot)) return "at its baseline";
  /* And it can be tried again. */
  if (probe_remove(&override) != WAX_RUNTIME_RESTORE_FAILED) return "restored the second time";
  return code_probe_call(of->index, 1) == 101 ? NULL : "the original does not run any more";
}

const char *code_probe_failing_writes(void) {
  const char *names[] = {"pushes", "call_early"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    for (size_t byte = 0; byte < 5; byte++) {
      failing of = {probe_case_named(names[i]), byte};
      const char *problem = probe_in_child(fail_to_install, &of);
      if (!problem) problem = probe_in_child(fail_to_remove, &of);
      if (problem) return probe_fail("%s, byte %zu: %s", names[i], byte, problem);
    }
  }
  return NULL;
}

static const char *go_without_barrier(void *unused) {
  (void)unused;
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  if (!filter_calls(filter, sizeof filter / sizeof filter[0])) return "no filter";
  probe_override override;
  size_t index = probe_case_named("frame");
  wax_runtime_claim claim = probe_install(index, &override);
  if (claim != WAX_RUNTIME_CLAIM_CODE_NO_BARRIER) return probe_fail("claim %d", claim);
  return code_probe_call(index, 1) == 101 ? NULL : "the function does not run as before";
}

const char *code_probe_without_barrier(void) { return probe_in_child(go_without_barrier, NULL); }

/* ====== }== */
