// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The originals of a script's overrides, by the names of members.
extension InstanceMembers {
  /// `self:ORIGname`: the original of this script's override of that name. Where several classes of
  /// an instance's ancestry have one, it is that of the override which is running.
  func original(_ member: String) throws(LuaRaise) -> UnsafeMutablePointer<wax_lua_callback> {
    try OriginalCall.register(in: runtime) { [unowned self] () throws(LuaRaise) in
      try originals(member)
    }
  }

  /// The points of this name that the script has overridden, nearest class first, and how their
  /// originals are called; if there are none, the function itself.
  private func originals(
    _ member: String
  ) throws(LuaRaise) -> (points: [PointOverrides], functions: [any LuaCallable]) {
    let points = overridden(member)
    if points.isEmpty { return ([], [try current(member)]) }
    let functions = try points.map { (point) throws(LuaRaise) in
      try call(point.function, .original(point))
    }
    return (points, functions)
  }

  /// The points of this name that the script has overridden, nearest class first.
  func overridden(_ member: String) -> [PointOverrides] {
    // Of an opaque value there is no type to look in. The running override says which one is meant, and
    // the call of its original, whether the value is what it has got.
    if isOpaque { return overridden(member) { _ in true } }
    return ancestry.flatMap { type in
      overridden(member) { $0.unbound == type.nominal }
    } + overridden(member) { isExtended($0) }
  }

  private func overridden(
    _ member: String, _ isOwner: (NominalType) -> Bool
  ) -> [PointOverrides] {
    let own = runtime.overrides.overriddenPoints.filter { point in
      !point.function.declaration.isStatic
        && point.function.declaration.context.memberOf.map(isOwner) ?? false
    }
    let matches = Selector(text: member).matches(among: own.map(\.function))
    return own.filter { matches.contains($0.function) }
  }

  /// Whether the owner is a protocol that the type conforms to.
  private func isExtended(_ owner: NominalType) -> Bool {
    guard owner.kind == .protocol else { return false }
    return ProtocolDescriptor.find(.nominal(owner.unbound), in: runtime.resolver.program)?
      .conformance(of: type) != nil
  }

  /// The function that a name means now, with its overrides. Without an override, a name leads
  /// directly to the function.
  private func current(_ member: String) throws(LuaRaise) -> any LuaCallable {
    for kind in [MemberKind.method, .getter, .setter] {
      if let function = try function(member, kind) { return try call(function, .current) }
    }
    throw unknown(member)
  }
}
