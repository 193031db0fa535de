// SPDX-License-Identifier: MIT

package import WaxwingDeclarations
package import WaxwingReflection
internal import WaxwingValues

extension NameResolver {
  /// The members of this name that extensions of a type's protocols give it.
  /// - Parameter type: nil for an unknown type, which gets the members of all protocols.
  package func extensionMembers(
    _ name: String, of type: (any Any.Type)?, where isWanted: (FunctionDeclaration) -> Bool
  ) -> [RunningFunction] {
    let selector = Selector(text: name)
    let functions = selector.baseNames.flatMap(program.protocolMembers(named:)).filter { members in
      type.map { TypeMetadata.type($0, conformsTo: members.protocol) } ?? true
    }.flatMap(\.functions)
    return selector.matches(among: functions.filter { isWanted($0.declaration) })
  }
}
