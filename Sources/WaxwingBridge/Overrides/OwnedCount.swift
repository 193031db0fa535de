// SPDX-License-Identifier: MIT

/// A number at an address that stays.
package final class OwnedCount {
  package let pointer = UnsafeMutablePointer<Int64>.allocate(capacity: 1)

  init() {
    pointer.initialize(to: 0)
  }

  deinit {
    pointer.deallocate()
  }

  package var value: Int64 {
    get { pointer.pointee }
    set { pointer.pointee = newValue }
  }
}
