// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingDeclarations

/// The definitions of a module: its free functions, its global variables, and its types as fields.
struct ModuleDefinition {
  private let name: String
  private var module = DefinitionTable()
  /// The tables of `get`, `set` and the other accessors.
  private var accessors: [DefinitionTable.Place: DefinitionTable] = [:]

  /// The class of the value that `module` returns.
  static func className(_ name: String) -> String { "waxwing.module.\(name)" }

  init(_ name: String, _ outline: ProgramOutline, _ names: LuaTypeNames, _ comments: ModuleComments)
  {
    self.name = name
    let form = SignatureForm(names: names)
    for function in outline.functions[.module(name)] ?? [] { add(function, form, comments) }
    for type in outline.types where type.context == .module(name) {
      module.fields[type.name.plainText] = names.typeClassName(type)
    }
    for place in accessors.keys {
      guard let word = place.word else { continue }
      module.fields[word] = place.className(Self.className(name))
    }
  }

  var lines: [String] {
    let name = Self.className(name)
    let places = DefinitionTable.Place.allCases.filter { accessors[$0] != nil }
    let blocks = places.map { place in
      accessors[place]?.lines(local: place.local, class: place.className(name), parents: []) ?? []
    }
    let own = module.lines(local: "Module", class: name, parents: ["waxwing.Module"])
    return Array((blocks + [own]).joined(separator: [""]))
  }

  private mutating func add(
    _ function: ProgramOutline.Function, _ form: SignatureForm, _ comments: ModuleComments
  ) {
    let signature = form.signature(of: function)
    if let closure = function.point, closure.kind == .closure {
      return module.add(
        closure.member, signature, takesSelf: false, TypeDefinition.notes(closure))
    }
    let comment = comments.of(function)
    if let point = function.point {
      let notes = comment + TypeDefinition.notes(point)
      if point.kind == .function {
        module.add(point.member, signature, takesSelf: false, notes)
      } else {
        let place = DefinitionTable.Place(point.kind, isStatic: false)
        accessors[place, default: DefinitionTable()]
          .add(point.member, signature, takesSelf: false, notes)
      }
      let original = form.original(of: function)
      module.add("ORIG" + point.member, original, takesSelf: false, [])
    }
    switch function.declaration.kind {
    case .function:
      module.add(function.declaration.baseName, signature, takesSelf: false, comment)
    case .getter:
      module.fields[function.declaration.baseName] = signature.results.first ?? "nil"
      module.fieldComments[function.declaration.baseName] = comment.first
    default: break
    }
  }
}
