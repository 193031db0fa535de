// SPDX-License-Identifier: MIT

package import WaxwingDeclarations
package import WaxwingReflection

/// Finds the descriptors of types that are known by name.
package enum TypeDescriptors {
  /// - Parameter nominal: Without generic arguments.
  /// - Returns: nil if it is not in this process.
  package static func descriptor(
    of nominal: NominalType, in program: RunningProgram
  ) -> ContextDescriptor? {
    if let address = nominal.descriptorAddress { return ContextDescriptor(address) }
    let own = program.types[nominal.qualifiedName]?.first { $0.nominal == nominal }
    if let own { return ContextDescriptor(own.descriptor) }
    if let type = program.runtimeType(.nominal(nominal)) {
      return ContextDescriptor(TypeMetadata.descriptor(of: type))
    }
    return ContextDescriptor(
      program.address(ofSymbol: "$s\(TypeNode.nominal(nominal).inSymbols)Mn"))
  }
}
