// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// Finds names of things that are no functions.
extension NameResolver {
  /// The error for a name of something that is no function, and so cannot be overridden; nil if the
  /// name is unknown.
  func noFunction(_ name: String, _ scope: Scope) -> NameError? {
    let base = String(name.prefix { $0 != "(" })
    if base == "super" {
      return NameError(
        "`super` is what the superclass has: write `self.super:name(…)` in an override, and override "
          + "the function itself in its own class")
    }
    if base.hasPrefix("ORIG"), base.utf8.count > 4 {
      return NameError(
        "`\(base)` calls the original of `\(base.dropFirst(4))`; an override is a function of that "
          + "name: `\(base.dropFirst(4))`")
    }
    switch scope {
    case .type(let type, _): return noFunction(base, of: type)
    case .module(let module): return noFunction(base, inModule: module)
    }
  }

  private func noFunction(_ name: String, of type: RunningType) -> NameError? {
    if Self.fieldNames(of: type).contains(name) {
      guard type.nominal.kind != .enum else {
        return NameError(
          "`\(type.name).\(name)` is an enum case, which is made without calling a function; override "
            + "the code that makes it or takes it")
      }
      return stored("\(type.name).\(name)", "a stored property")
    }
    if program.storageNames(of: type).contains(name) {
      return stored("\(type.name).\(name)", "a stored static property")
    }
    if let nested = nestedType(name, in: type) { return isType(nested) }
    return nil
  }

  private func noFunction(_ name: String, inModule module: String) -> NameError? {
    if program.storageNames(inModule: module).contains(name) {
      return stored("\(module).\(name)", "a stored global variable")
    }
    return (try? type(name, inModule: module)).flatMap(\.self).map(isType)
  }

  /// Why a stored property of a class cannot be overridden; nil: it has none of the name.
  func stored(_ name: String, in type: RunningType) -> NameError? {
    Self.fieldNames(of: type).contains(name)
      ? stored("\(type.name).\(name)", "a stored property") : nil
  }

  private func stored(_ name: String, _ what: String) -> NameError {
    NameError(
      "`\(name)` is \(MissingEntry.reason(ofStored: what)); \(MissingEntry.storedRemedy)")
  }

  private func isType(_ type: RunningType) -> NameError {
    NameError("`\(type.name)` is a type, not a function: write `class \"\(type.name)\"`")
  }

  /// The names of stored properties and cases in the type or module.
  func storedNames(_ scope: Scope) -> Set<String> {
    switch scope {
    case .type(let type, _): Self.fieldNames(of: type).union(program.storageNames(of: type))
    case .module(let name): program.storageNames(inModule: name)
    }
  }

  /// Stored properties, or cases.
  private static func fieldNames(of type: RunningType) -> Set<String> {
    guard type.nominal.kind != .protocol else { return [] }
    return Set(FieldRecords.of(descriptor: type.descriptor).compactMap(\.name))
  }
}
