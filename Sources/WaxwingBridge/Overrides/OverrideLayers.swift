// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import WaxwingDeclarations
package import WaxwingLua
internal import WaxwingReflection
package import WaxwingValues

/// Function values and patched calls, for the layers below.
package struct OverrideLayers: HigherLayers {
  /// Lets codecs of functions be made. As often as one likes.
  package static func install() { InstalledLayers.install(OverrideLayers()) }

  package func functionCodec(
    for type: any Any.Type, as abstraction: Abstraction, isAutoclosure: Bool
  ) throws(UnsupportedType) -> ValueCodec {
    let plan = try ClosurePlan(type, as: abstraction)
    func make<Function>(_ type: Function.Type) -> ValueCodec {
      if isAutoclosure { return AutoclosureCodec(of: type, plan) }
      return plan.isCFunction ? CFunctionCodec(of: type, plan) : FunctionCodec(of: type, plan)
    }
    return _openExistential(type, do: make)
  }

  package func abstraction(
    of field: TypeMetadata.Field
  ) throws(UnsupportedType) -> Abstraction {
    try StoredFunctions.abstraction(of: field)
  }

  package func abstraction(
    of element: EnumForm.Element, of enumCase: EnumCase, in type: any Any.Type
  ) throws(UnsupportedType) -> Abstraction {
    try StoredFunctions.abstraction(of: element, of: enumCase, in: type)
  }

  package func closureType(
    _ closure: UnsafeMutableRawPointer
  ) -> (type: any Any.Type, isEscaping: Bool) {
    let plan = Unmanaged<SwiftClosure>.fromOpaque(closure).takeUnretainedValue().plan
    return (plan.type, plan.isEscaping)
  }

  package func type(
    written text: String, _ buffer: UnsafeMutablePointer<wax_lua_buffer>
  ) -> (any Any.Type)? { PatchContext.context(of: buffer)?.type(written: text) }

  package func staticValues(
    of type: any Any.Type, _ buffer: UnsafeMutablePointer<wax_lua_buffer>
  ) -> Set<String> {
    PatchContext.context(of: buffer).map { StaticValues(of: type, in: $0.program).names } ?? []
  }

  package func readStaticValue(
    _ name: String, of type: any Any.Type, _ buffer: UnsafeMutablePointer<wax_lua_buffer>,
    into target: UnsafeMutableRawPointer?
  ) -> Bool {
    guard let patch = PatchContext.context(of: buffer) else { return false }
    let values = StaticValues(of: type, in: patch.program)
    guard let target else { return values.read(name, into: nil) }
    // The thread that makes the value at its first use may be waiting for the state.
    return patch.state.suspended { values.read(name, into: target) }
  }

  package var innermostCall: UInt64 { ActiveCall.innermost?.pointee.serial ?? 0 }
  package func isRunning(_ serial: UInt64) -> Bool { ActiveCall.isRunning(serial) }

  package func state(of buffer: UnsafeMutablePointer<wax_lua_buffer>) -> LuaState? {
    PatchContext.context(of: buffer)?.state
  }
}
