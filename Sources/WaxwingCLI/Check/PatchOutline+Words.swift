// SPDX-License-Identifier: MIT

import WaxwingBridge

extension PatchOutline.Target {
  var kind: MemberKind {
    switch accessor {
    case nil: .method
    case .get: .getter
    case .set: .setter
    case .willSet: .willSet
    case .didSet: .didSet
    }
  }

  /// The word that messages use for the kind of the target.
  var kindName: String {
    switch accessor {
    case nil: "function"
    case .get: "getter"
    case .set: "setter"
    case .willSet: "willSet"
    case .didSet: "didSet"
    }
  }

  /// The target as written in Lua, such as `Account.static.get`.
  var words: String {
    let local = owner.name.split(separator: ".").last.map(String.init) ?? owner.name
    return local + (isStatic ? ".static" : "") + (accessor.map { ".\($0.rawValue)" } ?? "")
  }
}
