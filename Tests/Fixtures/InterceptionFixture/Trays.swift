// SPDX-License-Identifier: MIT

/// A wrapper that stores what it wraps.
@propertyWrapper public struct Kept<Value> {
  public var wrappedValue: Value
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// Properties whose writes in place do and do not reach the setter.
public final class Tray {
  @Kept public var count = 1
  public var half: Int {
    get { count / 2 }
    set { count = newValue * 2 }
  }
  public init() {}
  public func raise() {
    count += 1
    half += 1
  }
}
