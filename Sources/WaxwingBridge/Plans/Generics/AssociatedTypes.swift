// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// The types that a conformance made by a patch gives to a protocol's associated types. The runtime
/// can be asked for them only once the conformance is live.
package struct AssociatedTypes {
  let conforming: any Any.Type
  /// The associated types that are known, by name.
  private(set) var types: [String: any Any.Type]
  /// Finds associated types of other conformances that patches have made, live or not.
  let others: (any Any.Type, String) -> (any Any.Type)?

  init(
    of conforming: any Any.Type, _ types: [String: any Any.Type],
    others: @escaping (any Any.Type, String) -> (any Any.Type)?
  ) {
    self.conforming = conforming
    self.types = types
    self.others = others
  }

  mutating func set(_ name: String, _ type: any Any.Type) { types[name] = type }

  /// A type with `Self` and its associated types in it.
  func type(_ node: TypeNode, in program: RunningProgram) -> (any Any.Type)? {
    var members: [any Any.Type] = []
    let replaced = replaced(node, &members, in: program)
    return binding(members).resolve(replaced, in: program)
  }

  private func binding(_ members: [any Any.Type]) -> GenericBinding {
    GenericBinding(types: members.isEmpty ? [[conforming]] : [[conforming], members])
  }

  /// Replaces members whose types are known by parameters of a further level.
  private func replaced(
    _ node: TypeNode, _ members: inout [any Any.Type], in program: RunningProgram
  ) -> TypeNode {
    var found = members
    let result = node.replacingMembers { member in
      guard case .dependentMember(let base, let name, let declaring) = member else { return member }
      let replacedBase = replaced(base, &found, in: program)
      let owner = binding(found).resolve(replacedBase, in: program)
      guard let owner, let type = known(name, of: owner) else {
        return .dependentMember(base: replacedBase, name: name, protocol: declaring)
      }
      found.append(type)
      return .genericParameter(depth: 1, index: found.count - 1)
    }
    members = found
    return result
  }

  private func known(_ name: String, of owner: any Any.Type) -> (any Any.Type)? {
    (owner == conforming ? types[name] : nil) ?? others(owner, name)
  }
}
