// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection

/// `Box<Int>`: a generic type and what its parameters stand for.
package enum BoundTypeName {
  /// The type with generic arguments that a name means; nil if the name is no such type, or if a
  /// part of it means nothing.
  package static func type(_ name: String, in resolver: NameResolver) -> (any Any.Type)? {
    node(name, in: resolver).flatMap { resolver.program.runtimeType($0) }
  }

  private static func node(_ name: String, in resolver: NameResolver) -> TypeNode? {
    guard let open = name.firstIndex(of: "<"), name.last == ">" else { return nil }
    let base = name[..<open].trimmed
    guard let type = try? resolver.type(named: base) else { return nil }
    var arguments: [TypeNode] = []
    for part in parts(name[name.index(after: open)...].dropLast()) {
      guard let argument = node(part, in: resolver) ?? plain(part, resolver) else { return nil }
      arguments.append(argument)
    }
    return .nominal(type.nominal.bound(to: arguments))
  }

  private static func plain(_ name: String, _ resolver: NameResolver) -> TypeNode? {
    (try? resolver.type(named: name))?.node
  }

  /// The texts between the outermost commas.
  private static func parts(_ text: Substring) -> [String] {
    var (depth, parts) = (0, [""])
    for letter in text {
      switch letter {
      case "<": depth += 1
      case ">": depth -= 1
      default: break
      }
      if letter == ",", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(letter)
      }
    }
    return parts.map { Substring($0).trimmed }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}
