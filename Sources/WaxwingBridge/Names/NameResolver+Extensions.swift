// SPDX-License-Identifier: MIT

package import WaxwingDeclarations
package import WaxwingReflection
internal import WaxwingValues

extension NameResolver {
  /// What extensions of the protocols that a type conforms to give it under this name.
  /// - Parameter type: nil for one that is not known: then those of all protocols.
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
