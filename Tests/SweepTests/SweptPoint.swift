// SPDX-License-Identifier: MIT

import Foundation
import WaxwingTestSupport

/// A patch point, as `waxwing points --patch --json` lists it.
struct SweptPoint: Decodable {
  let selector, declaration, form, owner, kind: String
  /// Why it cannot be overridden.
  let refused: String?
  /// Why some of its values are opaque.
  let opaque: String?
  /// A patch whose override only calls the original; nil if it cannot be overridden.
  let patch: String?

  /// One name for each point: accessors that have no place in a patch share their selectors.
  var name: String {
    guard kind == "other", let brace = declaration.lastIndex(of: "{") else { return selector }
    return "\(selector) \(declaration[brace...])"
  }

  /// An override in the form that the list says, of a point that it says cannot be overridden; nil
  /// for accessors that no patch can name.
  var refusedPatch: String? {
    guard kind != "other" else { return nil }
    let local = form.prefix { !".:[".contains($0) }
    let head = form.hasSuffix("]") ? "\(form) = function()" : "function \(form)"
    return "local \(local) = \(owner)\n\(head) end\n"
  }

  /// The points of an executable file that was built together with the tests.
  static func points(of path: String) throws -> [SweptPoint] {
    let result = try Command(
      try BuiltProduct("waxwing").path, ["points", path, "--patch", "--json"]
    ).run(timeout: .seconds(60))
    guard result.isSuccess else { throw TestSupportError(result.standardError) }
    let document = try JSONDecoder().decode(Document.self, from: Data(result.standardOutput.utf8))
    guard document.checked else {
      throw TestSupportError("which points can be overridden was not checked")
    }
    return document.points
  }

  private struct Document: Decodable {
    let checked: Bool
    let points: [SweptPoint]
  }
}

extension [SweptPoint] {
  /// One patch of the patches of all points. A patch has one manifest.
  var patch: String {
    compactMap(\.patch).map { patch in
      let lines = patch.split(separator: "\n").filter {
        !$0.hasPrefix("patch {") && !$0.drop { $0 == " " }.hasPrefix("--")
      }
      return "do\n\(lines.joined(separator: "\n"))\nend"
    }.joined(separator: "\n")
  }
}
