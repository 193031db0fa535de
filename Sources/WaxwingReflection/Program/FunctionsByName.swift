// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations

/// The patch points of one type or module, by base name. They are demangled when they are asked for.
package final class FunctionsByName: Sendable {
  private struct Member {
    let points: ImagePoints
    let place: Int

    var function: RunningFunction? { points.function(place) }
  }

  private let members: [Member]
  private let byName: [String: [Int]]
  /// The functions whose symbols have no outline: all operators are among them.
  private let unusual: [Int]
  private let known = Mutex<[RunningFunction]?>(nil)

  /// - Parameters:
  ///   - prefixes: What the symbols of the type's or module's own may begin with.
  ///   - isMember: Whether they are members of a type. Else they are a module's own.
  ///   - isLocal: Whether that type is declared in a function: the prefixes are those of what is around it, whose
  ///     own members have outlines.
  ///   - belongs: Tells of what has no outline.
  init(
    _ images: [ImagePoints], prefixes: [String], isMember: Bool, isLocal: Bool = false,
    where belongs: (FunctionDeclaration) -> Bool
  ) {
    var members: [Member] = []
    var byName: [String: [Int]] = [:]
    var unusual: [Int] = []
    for points in images {
      for prefix in prefixes {
        for place in points.places(prefix: prefix) {
          let name: String
          if let outline = unsafe SymbolOutline(points.symbols[place].symbol.bytes) {
            guard !isLocal, outline.isMember == isMember, outline.ownerLength == prefix.utf8.count,
              !EngineModules.contains(outline.module),
              points.symbols[place].implementation != nil
            else { continue }
            name = outline.baseName
          } else {
            guard let function = points.function(place), belongs(function.declaration) else {
              continue
            }
            name = function.declaration.baseName
            unusual.append(members.count)
          }
          byName[name, default: []].append(members.count)
          members.append(Member(points: points, place: place))
        }
      }
    }
    (self.members, self.byName, self.unusual) = (members, byName, unusual)
  }

  package var isEmpty: Bool { members.isEmpty }

  /// All functions by qualified name, then by symbol.
  package var all: [RunningFunction] {
    if let known = known.withLock({ $0 }) { return known }
    let all = Self.sorted(members.compactMap(\.function))
    known.withLock { $0 = all }
    return all
  }

  /// The functions that a script may mean by a text, which begins with their base names or is a
  /// symbol.
  package func functions(meantBy text: String) -> [RunningFunction] {
    if text.hasPrefix("$s") {
      return members.filter {
        unsafe $0.points.symbols[$0.place].symbol.bytes.elementsEqual(text.utf8)
      }.compactMap(\.function)
    }
    let ends = text.indices.dropFirst() + [text.endIndex]
    return ends.flatMap { end in
      Self.sorted((byName[String(text[..<end])] ?? []).compactMap { members[$0].function })
    }
  }

  /// The operators among them.
  package var operators: [RunningFunction] {
    Self.sorted(
      unusual.compactMap { members[$0].function }.filter {
        $0.declaration.kind == .operatorFunction
      })
  }

  static func sorted(_ functions: [RunningFunction]) -> [RunningFunction] {
    if functions.count < 2 { return functions }
    return functions.map { (name: $0.declaration.qualifiedName, function: $0) }
      .sorted { ($0.name, $0.function.symbol) < ($1.name, $1.function.symbol) }.map(\.function)
  }
}
