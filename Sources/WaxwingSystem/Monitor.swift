// SPDX-License-Identifier: MIT

import Glibc

/// A value under a lock, with threads that wait for it to change.
///
/// Made of pthreads because `Synchronization.Mutex` has no condition to wait for.
/// Unchecked: the mutex guards the state.
/// Safe: nobody but this class sees its pointers, which are valid as long as it is.
@safe
package final class Monitor<State: Sendable>: @unchecked Sendable {
  // Read and written by any thread, only while `mutex` is held.
  private var state: State
  // Set up in `init`, torn down in `deinit`, when nobody can hold or wait for them any more.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Takes the first value.
  package init(_ state: State) {
    self.state = state
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Changes the state and wakes all who wait for it.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Calls `body` at every change until it returns a value; nil once the deadline is over.
  package func wait<Result>(until deadline: Deadline = .never, _ body: (inout State) -> Result?)
    -> Result?
  {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    var end = deadline.timespec
    while true {
      if let result = body(&state) { return result }
      if deadline == .never {
        unsafe pthread_cond_wait(condition, mutex)
      } else if unsafe pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT {
        return body(&state)
      }
    }
  }
}
