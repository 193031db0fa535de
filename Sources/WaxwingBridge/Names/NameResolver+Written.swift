// SPDX-License-Identifier: MIT

package import WaxwingReflection

/// Names as they stand in lists and on command lines.
extension NameResolver {
  /// The patch point that a whole name means: `Bank.Account.withdraw(_:memo:)`, `Account.title.get`,
  /// `Bank.fee(_:)`; `Account.withdraw` where that is unambiguous.
  package func patchPoint(written text: String) throws(NameError) -> RunningFunction {
    let (name, kind) = Self.accessor(text)
    let head = name.prefix { $0 != "(" }
    guard let dot = head.lastIndex(of: "."), dot != name.startIndex else {
      throw NameError("`\(text)` names no type or module: write `Type.function`")
    }
    let owner = String(name[..<dot])
    let member = String(name[name.index(after: dot)...])
    do throws(NameError) {
      let type = try self.type(named: owner)
      if let found = try? patchPoint(member, kind, in: .type(type, isStatic: true)) { return found }
      return try patchPoint(member, kind, in: .type(type, isStatic: false))
    } catch {
      guard let module = try? module(named: owner) else { throw error }
      // A module may have the name of a type.
      return try patchPoint(member, kind, in: .module(module))
    }
  }

  /// `title.get` is the getter of `title`.
  private static func accessor(_ text: String) -> (name: String, kind: MemberKind) {
    for (ending, kind) in [(".get", MemberKind.getter), (".set", .setter)]
    where text.hasSuffix(ending) {
      return (String(text.dropLast(ending.count)), kind)
    }
    return (text, .method)
  }

  /// The whole name of a type or, if there is none of this name, module.
  package func typeOrModule(named name: String) throws(NameError) -> String {
    do throws(NameError) {
      return try type(named: name).name
    } catch {
      if let module = try? module(named: name) { return module }
      throw error
    }
  }
}
