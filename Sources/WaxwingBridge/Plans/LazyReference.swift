// SPDX-License-Identifier: MIT

package import Synchronization

/// An object that is made when it is first asked for, and kept. Unlike in `AtomicLazyReference`,
/// the runtime need not look up a type at each use.
package struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the object, at +1; 0 until the object is made.
  @usableFromInline let word = Atomic<UInt>(0)

  @inlinable
  init() {}

  deinit {
    Self.reference(word.load(ordering: .acquiring))?.release()
  }

  /// The object; nil if it has not been made.
  @inlinable var made: Object? {
    Self.reference(word.load(ordering: .acquiring))?.takeUnretainedValue()
  }

  /// - Parameter make: Where two threads make it at once, one of the two is dropped.
  @inlinable
  func object(_ make: () -> Object) -> Object {
    if let made { return made }
    let new = Unmanaged.passRetained(make())
    let (isFirst, first) = word.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isFirst, let first = Self.reference(first) else { return new.takeUnretainedValue() }
    new.release()
    return first.takeUnretainedValue()
  }

  @inlinable
  static func reference(_ word: UInt) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: word).map { Unmanaged.fromOpaque($0) }
  }
}
