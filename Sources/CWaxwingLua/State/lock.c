/* SPDX-License-Identifier: MIT
 *
 * Waiting for a state's lock.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "wax_lua_lock.h"

/* Returns the error, or 0; `errno` stays that of the code that is being called. */
static int futex(wax_lua_lock *lock, int operation, uint32_t value,
                 const struct timespec *deadline) {
  int number = errno;
  long result = syscall(SYS_futex, &lock->word, operation | FUTEX_PRIVATE_FLAG, value, deadline,
                        NULL, FUTEX_BITSET_MATCH_ANY);
  int error = result == -1 ? errno : 0;
  errno = number;
  return error;
}

/* Who has waited takes it as awaited: others may be waiting still. */
bool wax_lua_lock_wait(wax_lua_lock *lock, const struct timespec *deadline) {
  while (atomic_exchange_explicit(&lock->word, WAX_LUA_LOCK_AWAITED, memory_order_acquire) !=
         WAX_LUA_LOCK_FREE) {
    if (futex(lock, FUTEX_WAIT_BITSET, WAX_LUA_LOCK_AWAITED, deadline) == ETIMEDOUT) return false;
  }
  return true;
}

void wax_lua_lock_wake(wax_lua_lock *lock) { futex(lock, FUTEX_WAKE, 1, NULL); }
