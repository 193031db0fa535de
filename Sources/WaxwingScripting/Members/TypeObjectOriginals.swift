// SPDX-License-Identifier: MIT

internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Finds the meaning of `ORIGname` in the type object of a type or module: the originals of the
/// script's overrides of that name there, and of static members in the superclasses.
struct TypeObjectOriginals {
  private let scope: NameResolver.Scope
  private let runtime: ScriptRuntime

  init(_ scope: NameResolver.Scope, _ runtime: ScriptRuntime) {
    self.scope = scope
    self.runtime = runtime
  }

  /// The points of this name that the script has overridden, nearest class first, and how their
  /// originals are called; if there are none, the function itself.
  ///
  /// Accessors count, whatever the type object is for: `self` of a static getter is the type object of methods.
  func find(
    _ name: String, _ kind: MemberKind
  ) throws(LuaRaise) -> (points: [PointOverrides], functions: [any LuaCallable]) {
    let points = overridden(name)
    let meant = points.isEmpty ? try function(name, kind) : nil
    do throws(PlanError) {
      if let meant { return ([], [try runtime.call(meant, .current)]) }
      return (
        points,
        try points.map { (point) throws(PlanError) in
          try runtime.call(point.function, .original(point))
        }
      )
    } catch {
      throw .message(error.description)
    }
  }

  private func overridden(_ name: String) -> [PointOverrides] {
    owners.flatMap { owner in
      let own = runtime.overrides.overriddenPoints.filter { owner.has($0.function) }
      let matches = Selector(text: name).matches(among: own.map(\.function))
      return own.filter { matches.contains($0.function) }
    }
  }

  /// A module, or a type and, for static members, its superclasses.
  private var owners: [Owner] {
    switch scope {
    case .module(let name): return [.module(name)]
    case .type(let type, isStatic: false): return [.type(type.nominal, isStatic: false)]
    case .type(let type, isStatic: true):
      let program = runtime.resolver.program
      let superclasses =
        program.runtimeType(type.node).map { TypeMetadata.ancestry(of: $0, in: program) } ?? []
      return ([type] + superclasses.filter { $0 != type }).map {
        .type($0.nominal, isStatic: true)
      }
    }
  }

  private enum Owner {
    case module(String)
    case type(NominalType, isStatic: Bool)

    func has(_ function: RunningFunction) -> Bool {
      let declaration = function.declaration
      switch self {
      case .module(let name): return declaration.typeName == nil && declaration.module == name
      case .type(let nominal, let isStatic):
        return declaration.isStatic == isStatic
          && declaration.context.memberOf?.unbound == nominal
      }
    }
  }

  private func function(_ name: String, _ kind: MemberKind) throws(LuaRaise) -> RunningFunction {
    var failure: NameError?
    for kind in [kind, .method, .getter, .setter] {
      do throws(NameError) {
        return try runtime.resolver.patchPoint(name, kind, in: scope)
      } catch {
        if failure == nil { failure = error }
      }
    }
    throw .message(failure?.description ?? "")
  }
}
