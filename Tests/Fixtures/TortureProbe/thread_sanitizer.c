/* SPDX-License-Identifier: MIT */

/* What the thread sanitizer does not see. Synchronization.Mutex locks with an atomic instruction,
 * which it knows, but where threads meet in functions of the library that were not compiled for it
 * (_MutexHandle of stdlib/public/Synchronization/Mutex/LinuxImpl.swift, Swift 6.3), so that what
 * one thread does after another under a mutex looks like a race. These stand in front of the
 * library's and say what the mutex does. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdint.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#define SWIFTCC __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFTCC void lock_function(uint32_t thread, SELF void *mutex);
typedef SWIFTCC void unlock_function(SELF void *mutex);

void __tsan_acquire(void *);
void __tsan_release(void *);

SWIFTCC void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFTCC void unlock_slow(SELF void *mutex) __asm__(UNLOCK_SLOW);

SWIFTCC void lock_slow(uint32_t thread, SELF void *mutex) {
  static _Atomic(lock_function *) original;
  if (!original) original = (lock_function *)dlsym(RTLD_NEXT, LOCK_SLOW);
  original(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFTCC void unlock_slow(SELF void *mutex) {
  static _Atomic(unlock_function *) original;
  if (!original) original = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK_SLOW);
  __tsan_release(mutex);
  original(mutex);
}

#endif
#endif
