// SPDX-License-Identifier: MIT

/// A number at an address that stays.
final class OwnedCount {
  let pointer = UnsafeMutablePointer<Int64>.allocate(capacity: 1)

  init() {
    pointer.initialize(to: 0)
  }

  deinit {
    pointer.deallocate()
  }

  var value: Int64 {
    get { pointer.pointee }
    set { pointer.pointee = newValue }
  }
}
