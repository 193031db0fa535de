// SPDX-License-Identifier: MIT

// Generic functions: what their arguments tell of their parameters.

public class GenericShape {
  public init() {}
}
public class GenericSquare: GenericShape {}
public class GenericCircle: GenericShape {}
public class GenericCrate<Content>: GenericShape {}
public final class GenericBarrel: GenericCrate<String> {}

public func genericOne<T>(_ a: T) -> T { a }
public func genericSame<T>(_ a: T, _ b: T) -> T { a }
public func genericMaybe<T>(_ a: T?, _ b: T?) -> Bool { a == nil && b == nil }
public func genericList<T>(_ a: [T]) -> Int { a.count }
public func genericLists<T>(_ a: [[T]]) -> Int { a.count }
public func genericAmong<T>(_ a: T, _ b: [T]) -> Int { b.count }
public func genericLookUp<K: Hashable, V>(_ a: [K: V], _ b: K) -> V? { a[b] }
public func genericPair<T, U>(_ a: (T, U)) -> T { a.0 }
public func genericSum<S: Sequence, T>(_ a: S, _ b: T) -> T where S.Element == T { b }
public func genericMapped<T, U>(_ a: T, _ b: (T) -> U) -> U { b(a) }
public func genericHashed<T, U: Hashable>(_ a: T, _ b: (T) -> U) -> U { b(a) }
public func genericHeld<T: AnyObject>(_ a: T, _ b: (T) -> T) -> T { b(a) }
public func genericFilled<T>(_ a: GenericCrate<T>, _ b: T) -> T { b }
public func genericChanged<T>(_ a: inout T, _ b: T) { a = b }
