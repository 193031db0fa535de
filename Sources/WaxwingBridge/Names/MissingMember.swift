// SPDX-License-Identifier: MIT

package import WaxwingReflection

/// Why something that a script names is not found.
///
/// A name that is nearly right is what was meant; only without one there is more to say.
package enum MissingMember {
  /// - Parameters:
  ///   - names: What there is.
  ///   - types: The type and those that it inherits from.
  package static func error(
    _ title: String, _ member: String, _ what: String, among names: some Sequence<String>,
    in types: [RunningType], _ program: RunningProgram
  ) -> NameError {
    error("\(title) has no \(what) `\(member)`", member, among: names) {
      types.first.map { remedy($0, program) } ?? ""
    }
  }

  /// The error for a member that is missing in a module.
  package static func error(
    _ member: String, inModule module: String, isOwn: Bool, among names: some Sequence<String>
  ) -> NameError {
    error(
      "the module \(module) has no type, function or variable `\(member)`", member, among: names
    ) {
      isOwn ? notEmitted : notExported
    }
  }

  /// The error for a name that means nothing that can be overridden.
  /// - Parameter remedy: What to do if no similar name exists.
  static func patchPoint(_ text: String, near: [String], remedy: String) -> NameError {
    near.isEmpty ? NameError(text + remedy) : .unknown(text, near: near)
  }

  private static func error(
    _ text: String, _ name: String, among names: some Sequence<String>, remedy: () -> String
  ) -> NameError {
    let near = Suggestions.nearest(to: name, in: Set(names))
    return near.isEmpty ? NameError(text + remedy()) : .unknown(text, near: near)
  }

  /// The remedy if the source has the member.
  private static func remedy(_ type: RunningType, _ program: RunningProgram) -> String {
    if program.hasAllSymbols(of: type) { return notEmitted }
    if program.isSystem(type) { return notExported }
    return
      "; its image has no symbol table, so that only what it exports can be found: do not strip "
      + "it"
  }

  private static let notExported =
    "; if its source has one, the library does not export it: it is inlined at every use, "
    + "generic or internal"

  private static let notEmitted =
    "; if its source has one, it was inlined, stripped or never emitted: to keep it, build with "
    + "`-enable-testing`, or declare it `@_optimize(none)`, or `public` in a `public` type; "
    + "`-Xfrontend -enable-implicit-dynamic` keeps only what something uses; do not strip the program"
}
