// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

extension LuaClosure {
  /// The hooks with which the collection handles cycles through closures; nil if the layout of
  /// closures is not the known one.
  static func cycleHooks(of functions: LuaFunctions) -> wax_proxy_cycle_hooks? {
    let fields = TypeMetadata.fields(of: LuaClosure.self)
    guard let reference = fields.first(where: { $0.name == "reference" }),
      let owner = fields.first(where: { $0.name == "functions" })
    else { return nil }
    return wax_proxy_cycle_hooks(
      shape: { type, isInstance in
        type.flatMap { ReferenceShapes.shape(of: $0, isInstance: isInstance) }
      },
      closure_type: TypeMetadata.pointer(to: LuaClosure.self),
      reference_offset: reference.offset, owner_offset: owner.offset,
      owner: UnsafeRawPointer(Unmanaged.passUnretained(functions).toOpaque()))
  }
}
