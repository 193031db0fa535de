// SPDX-License-Identifier: MIT

/// What can make more of its kind.
public protocol Breeding {
  func clone() -> Self
  func maybeClone(_ flag: Bool) -> Self?
  func litter(_ count: Int) -> [Self]
  static func wild() -> Self
}

open class Breed {
  public let legs: Int
  public required init(legs: Int) { self.legs = legs }
  open func copy() -> Self { type(of: self).init(legs: legs) }
  open func copyIfGrown(_ flag: Bool) -> Self? { flag ? copy() : nil }
  open var shadow: Self { self }
  open class func make(_ legs: Int) -> Self { self.init(legs: legs) }
}

public final class Shire: Breed {
  public var name = "a shire with a name that is kept on the heap"
}

/// Takes it for what it says that it is.
@inline(never) public func copiedShire(_ shire: Shire) -> String { shire.copy().name }
@inline(never) public func grownShire(_ shire: Shire) -> String? { shire.copyIfGrown(true)?.name }
@inline(never) public func shadowOfShire(_ shire: Shire) -> String { shire.shadow.name }
@inline(never) public func madeShire() -> String { Shire.make(4).name }

@inline(never) public func clones(_ value: Any) -> [String]? {
  guard let breed = value as? any Breeding else { return nil }
  func all(_ breed: some Breeding) -> [String] {
    [String(describing: type(of: breed.clone() as Any))]
      + [breed.maybeClone(true), breed.maybeClone(false)].map {
        $0.map { String(describing: type(of: $0 as Any)) } ?? "nil"
      } + breed.litter(2).map { String(describing: type(of: $0 as Any)) }
  }
  return all(breed)
}

@inline(never) public func wildOne(_ type: Any.Type) -> AnyObject? {
  (type as? any Breeding.Type).map { $0.wild() as AnyObject }
}

/// Tells the names of what the protocol requires.
public struct Yeast: Breeding {
  public func clone() -> Yeast { self }
  public func maybeClone(_ flag: Bool) -> Yeast? { flag ? self : nil }
  public func litter(_ count: Int) -> [Yeast] { Array(repeating: self, count: count) }
  public static func wild() -> Yeast { Yeast() }
}
