/* SPDX-License-Identifier: MIT */

/* The part in C of the self-check of the Swift ABI: see wax_abi_self_check.h. */

#define _GNU_SOURCE

#include "wax_abi_self_check.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "wax_abi_code.h"
#include "wax_process_images.h"

/* {== Memory ====== */

/* The kernel looks whether there is memory. Where it may not be asked we look ourselves. */
bool wax_abi_memory_read(const void *from, void *into, size_t size) {
  struct iovec target = {into, size};
  struct iovec source = {(void *)(uintptr_t)from, size};
  ssize_t count = process_vm_readv(getpid(), &target, 1, &source, 1, 0);
  if (count < 0 && (errno == EPERM || errno == ENOSYS)) {
    memcpy(into, from, size);
    return true;
  }
  return count == (ssize_t)size;
}

/* Not `dladdr`, which looks for a symbol among all. */
bool wax_abi_in_one_image(const void *one, const void *other) {
  uintptr_t first, second;
  return wax_process_image_base((uintptr_t)one, &first) &&
         wax_process_image_base((uintptr_t)other, &second) && first == second;
}

/* ====== }== */

/* {== Symbols ====== */

static const char *const symbols[] = {
    "swift_allocBox",
    "swift_conformsToProtocol",
    "swift_deallocBox",
    "swift_deallocPartialClassInstance",
    "swift_dynamicCastClass",
    "swift_enumerateAllMetadataSections",
    "swift_getErrorValue",
    "swift_getExtendedExistentialTypeMetadata",
    "swift_getExtendedExistentialTypeMetadata_unique",
    "swift_getOpaqueTypeMetadata",
    "swift_getTupleTypeMetadata",
    "swift_getTypeByMangledNameInContext",
    "swift_isDeallocating",
    "swift_once",
    "swift_projectBox",
    "swift_reflectionMirror_recursiveChildMetadata",
    "swift_reflectionMirror_recursiveChildOffset",
    "swift_reflectionMirror_recursiveCount",
    "swift_registerProtocolConformances",
    "swift_retain",
    "swift_retainCount",
    "swift_task_alloc",
    "swift_task_dealloc",
    "swift_task_getCurrentExecutor",
    "swift_task_switch",
    "swift_tryRetain",
    "swift_unownedRelease",
    "swift_unownedRetain",
    "swift_unownedRetainCount",
    "swift_weakAssign",
    "swift_weakInit",
    "swift_weakLoadStrong",
    "swift_weakRetainCount",
};

const char *wax_abi_function_name(size_t index) {
  return index < sizeof symbols / sizeof *symbols ? symbols[index] : NULL;
}

bool wax_abi_has_function(const char *symbol) {
  const void *own = (const void *)&wax_abi_has_function;
  return dlsym(RTLD_DEFAULT, symbol) != NULL ||
         wax_abi_in_one_image(own, wax_abi_retain_function());
}

/* ====== }== */

/* {== Functions ====== */

__attribute__((swiftcall)) static int64_t complement(int64_t number) { return ~number; }

const void *wax_abi_replacement(void) { return (const void *)&complement; }

typedef struct thread_call {
  void (*function)(void *);
  void *argument;
} thread_call;

static void *run(void *call) {
  const thread_call *made = call;
  made->function(made->argument);
  return NULL;
}

bool wax_abi_run_on_thread(void (*function)(void *), void *argument) {
  thread_call call = {function, argument};
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, &call) != 0) return false;
  return pthread_join(thread, NULL) == 0;
}

/* ====== }== */

/* {== Async functions ====== */

#if defined(__x86_64__)

#define SWIFTASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))

typedef SWIFTASYNC void resume_function(CONTEXT void *context, uint64_t first, uint64_t second);

/* func wax_abi_probe(_ record: UInt, _ argument: UInt) async -> UInt: the argument's complement.
 * Hidden: its async function pointer says how far away it is, which in a shared library nothing but
 * the linker can. */
SWIFTASYNC void wax_abi_probe(CONTEXT void *context, uint64_t record, uint64_t argument)
    __attribute__((visibility("hidden")));

SWIFTASYNC void wax_abi_probe(CONTEXT void *context, uint64_t record, uint64_t argument) {
  const void *words[2] = {NULL, NULL};
  const void *word;
  wax_abi_async_record *found = (wax_abi_async_record *)(uintptr_t)record;
  found->was_called = true;
  found->argument = argument;
  if (!wax_abi_memory_read(context, words, sizeof words)) return;
  found->parent = words[0];
  found->resume = words[1];
  found->has_parent = wax_abi_memory_read(words[0], &word, sizeof word);
  found->resumes = wax_abi_in_one_image(words[1], words[1]);
  if (!found->has_parent || !found->resumes) return; /* to who runs the task: it ends here */
  resume_function *resume = (resume_function *)(uintptr_t)words[1];
  __attribute__((musttail)) return resume(context, ~argument, 0);
}

#endif

/* ====== }== */
