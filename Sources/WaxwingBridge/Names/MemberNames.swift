// SPDX-License-Identifier: MIT

internal import WaxwingReflection

extension Selector {
  /// The base names that the text may have: `deposit` of `deposit(_:memo:)`; of `deposit_memo`,
  /// which may be a base name with a label, both.
  var baseNames: [String] {
    if let parenthesis = text.firstIndex(of: "("), parenthesis != text.startIndex {
      return [String(text[..<parenthesis])]
    }
    var names = [text]
    for index in text.indices where text[index] == "_" && index != text.startIndex {
      names.append(String(text[..<index]))
    }
    return names
  }
}

/// Why a member that a script names is not found.
enum MissingMember {
  /// A name that is nearly right is what was meant; only without one there is more to say.
  /// - Parameters:
  ///   - names: What there is.
  ///   - types: The type and those that it inherits from.
  static func error(
    _ title: String, _ member: String, _ what: String, among names: some Sequence<String>,
    in types: [RunningType], _ program: RunningProgram
  ) -> NameError {
    let near = NearestNames.nearest(to: member, in: Set(names))
    let error = NameError.unknown("\(title) has no \(what) `\(member)`", near: near)
    return near.isEmpty ? NameError(error.description + remedy(types, program)) : error
  }

  /// What may be done if the source has it.
  private static func remedy(_ types: [RunningType], _ program: RunningProgram) -> String {
    guard let type = types.first else { return "" }
    if !program.hasAllSymbols(of: type) {
      return program.isSystem(type)
        ? "; if its source has one, the library does not export it: it is inlined wherever it is "
          + "used, generic or internal"
        : "; its image has no symbol table, so that only what it exports can be found: do not strip "
          + "it"
    }
    return "; if its source has one, it was inlined, stripped or never emitted: to keep it, build "
      + "with `-Xfrontend -enable-implicit-dynamic` (patch points are never inlined), or declare it "
      + "`public` or `@inline(never)`, and do not strip the program"
  }
}
