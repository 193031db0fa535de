// SPDX-License-Identifier: MIT

import Glibc
import Waxwing

/// What SIGTERM does. A closure in main.swift would belong to the main actor, and the program would end
/// with a trap each time that the kernel chose another thread for the signal.
func endAsWanted(_ number: Int32) {
  WaxwingEngine.markStopping()
  signal(number, SIG_DFL)
  raise(number)
}
