// SPDX-License-Identifier: MIT

/// Where functions stand: a type, or the module.
struct Home {
  enum Kind: CaseIterable {
    case module, `class`, classStatic, `struct`, structMutating, structStatic, `enum`
  }

  let kind: Kind
  /// The type's name.
  let name: String
  /// What draws an instance.
  let draw: String?

  /// What a patch says where the machine code may not tell whether a method is mutating.
  var word = ""

  /// Lua code that finds it.
  var owner: String {
    kind == .module ? "module \"EchoFixture\"" : "class \"EchoFixture.\(name)\""
  }

  var isStatic: Bool { kind == .classStatic || kind == .structStatic }
  var isMutating: Bool { kind == .structMutating }

  /// Whether the machine code of all methods has to tell that they are mutating, or not.
  var hasToTell: Bool { word.isEmpty && (isMutating || kind == .enum) }

  /// The words before `func`.
  var modifiers: String {
    switch kind {
    case .module, .class, .struct, .enum: ""
    case .classStatic: "class "
    case .structStatic: "static "
    case .structMutating: "mutating "
    }
  }

  /// What a method is called on.
  var receiver: String {
    switch kind {
    case .module: ""
    case .classStatic, .structStatic: name + "."
    case .class, .struct, .structMutating, .enum: "home."
    }
  }
}
