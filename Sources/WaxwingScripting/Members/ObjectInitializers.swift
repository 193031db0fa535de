// SPDX-License-Identifier: MIT

internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingReflection

/// The initializers that make instances of a type: its own, and the convenience initializers that it
/// inherits, which are those of a superclass all of whose designated initializers the type has too.
struct ObjectInitializers {
  private(set) var found: [RunningFunction]
  /// The type's initializers that have symbols, but that the type does not have.
  let missing: [RunningFunction]

  /// - Parameter ancestry: The type and its superclasses, nearest first.
  init(ofTypeWithAncestry ancestry: [RunningType], in program: RunningProgram) {
    let own = ancestry.first.map { Self.allocating(program.members(of: $0)) } ?? []
    let missing = own.filter { MissingInitializers.contains($0, in: program) }
    self.missing = missing
    found = own.filter { !missing.contains($0) }
    found += ancestry.first.map { Self.initializing($0, found, in: program) } ?? []
    for ancestor in ancestry.dropFirst() {
      let members = program.members(of: ancestor).filter {
        !MissingInitializers.contains($0, in: program)
      }
      let designated = Set(
        members.filter { $0.declaration.kind == .initializer }.map(Self.name))
      let own = Set(found.map(Self.name))
      guard designated.isSubset(of: own) else { break }
      found += Self.allocating(members).filter {
        !designated.contains(Self.name($0)) && !own.contains(Self.name($0))
      }
    }
  }

  /// The name with the types of the parameters.
  private static func name(_ function: RunningFunction) -> String {
    MemberSpelling.typed(function.declaration)
  }

  /// Optimised programs often have no function that makes an instance, as it is inlined into its callers, but the one
  /// that initializes it, which has a replacement entry.
  private static func initializing(
    _ type: RunningType, _ found: [RunningFunction], in program: RunningProgram
  ) -> [RunningFunction] {
    let known = Set(found.map(name))
    return program.members(of: type).filter {
      $0.declaration.kind == .initializer && $0.isPatchPoint && !known.contains(name($0))
        && !MissingInitializers.contains($0, in: program)
    }
  }

  private static func allocating(_ members: [RunningFunction]) -> [RunningFunction] {
    members.filter { $0.declaration.kind == .allocatingInitializer }
  }
}
