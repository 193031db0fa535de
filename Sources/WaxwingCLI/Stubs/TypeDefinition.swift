// SPDX-License-Identifier: MIT

internal import WaxwingBridge
import WaxwingControl
import WaxwingDeclarations
import WaxwingReflection

/// The definitions of one type: the class of its values, the class of the value that `class`
/// returns for it, and those of its `get`, `set`, `static` and so on.
struct TypeDefinition {
  private let type: NominalType
  private let outline: ProgramOutline
  private let names: LuaTypeNames
  private let comments: ModuleComments
  private var tables: [DefinitionTable.Place: DefinitionTable] = [:]

  init(
    _ type: NominalType, _ outline: ProgramOutline, _ names: LuaTypeNames,
    _ comments: ModuleComments
  ) {
    self.type = type
    self.outline = outline
    self.names = names
    self.comments = comments
    for function in outline.functions[.type(type)] ?? [] { add(function) }
    if let fields = outline.fields[type] {
      if fields.isEnum { add(cases: fields) } else { add(stored: fields) }
    }
    if tables.keys.contains(where: { $0.staticWord != nil }) { add(.static) { _ in } }
    for nested in outline.nested[type] ?? [] {
      add(.type) { $0.fields[nested.name.plainText] = names.typeClassName(nested) }
    }
  }

  var lines: [String] {
    let values = names.className(type)
    let places = DefinitionTable.Place.allCases.filter {
      [.value, .type].contains($0) || tables[$0] != nil
    }
    var blocks: [[String]] = []
    for place in places {
      var table = tables[place] ?? DefinitionTable()
      if place == .type { table.addPlaces(places, values, \.word) }
      if place == .static { table.addPlaces(places, values, \.staticWord) }
      if place == .value { table.comment = comments.of(type) }
      blocks.append(
        table.lines(
          local: place.local, class: place.className(values),
          parents: parents(place, values)))
    }
    return (caseNames?.lines(of: values) ?? []) + blocks.joined(separator: [""])
  }

  private func parents(_ place: DefinitionTable.Place, _ values: String) -> [String] {
    switch place {
    case .value:
      let superclass = outline.fields[type]?.superclass?.nominal
      return [superclass.map(names.className)].compactMap(\.self)
    case .type: return [values, "waxwing.Type"]
    case .static: return [values + ".Type"]
    case .getter, .setter, .willSet, .didSet: return [values]
    case .staticGetter, .staticSetter, .staticWillSet, .staticDidSet: return [values + ".Type"]
    }
  }

  private mutating func add(
    _ place: DefinitionTable.Place, _ change: (inout DefinitionTable) -> Void
  ) {
    change(&tables[place, default: DefinitionTable()])
  }

  // MARK: Functions

  private mutating func add(_ function: ProgramOutline.Function) {
    let form = SignatureForm(names: names)
    let declaration = function.declaration
    let signature = form.signature(of: function)
    if let closure = function.point, closure.kind == .closure {
      // It is assigned to a name of the type, or of its static members, and gets no `self`.
      return add(closure.isStatic ? .static : .type) {
        $0.add(closure.member, signature, takesSelf: false, Self.notes(closure))
      }
    }
    let comment = comments.of(function)
    if let point = function.point {
      let place = DefinitionTable.Place(point.kind, isStatic: point.isStatic)
      let isMethod = point.kind == .function && !point.isStatic
      add(isMethod && declaration.baseName != "init" ? .value : place) {
        $0.add(point.member, signature, takesSelf: true, comment + Self.notes(point))
      }
      let original = form.original(of: function)
      add(point.isStatic ? .static : .value) {
        $0.add("ORIG" + point.member, original, takesSelf: true, [])
      }
    }
    addCall(function, form, signature, comment)
  }

  /// Adds a way to call a function, beside the way to override it.
  private mutating func addCall(
    _ function: ProgramOutline.Function, _ form: SignatureForm,
    _ signature: LuaDefinition.Signature, _ comment: [String]
  ) {
    let declaration = function.declaration
    let isStatic = declaration.isStatic
    switch declaration.kind {
    case .operatorFunction: addOperator(declaration, signature)
    case .function:
      add(isStatic ? .type : .value) {
        $0.add(declaration.baseName, signature, takesSelf: !isStatic, comment)
      }
    case .allocatingInitializer, .initializer:
      var made = signature
      made.results = [form.instance(of: declaration, names.className(type))]
      add(.type) { $0.addCall(made) }
    case .getter:
      let text = signature.results.first ?? "nil"
      add(isStatic ? .type : .value) { table in
        table.fields[declaration.baseName] = text
        table.fieldComments[declaration.baseName] = comment.first
      }
    case .subscriptGetter where !isStatic:
      add(.value) { table in
        table.add("subscript", signature, takesSelf: true, comment)
        if signature.parameters.count == 1, signature.results.count == 1 {
          table.index(signature.parameters[0].type, signature.results[0])
        }
      }
    default: break
    }
  }

  /// Adds an operator if Lua has it, too, and its left operand is a value of the type.
  private mutating func addOperator(
    _ declaration: FunctionDeclaration, _ signature: LuaDefinition.Signature
  ) {
    let parameters = declaration.parameters
    guard let word = LuaOperatorNames.word(declaration.baseName, operands: parameters.count),
      parameters[0].type.nominal?.unbound == type, signature.results.count == 1,
      parameters.allSatisfy({ $0.ownership != .inout })
    else { return }
    let operand = parameters.count == 2 ? signature.parameters[1].type : nil
    add(.value) { $0.addOperator(word, operand, signature.results[0]) }
  }

  static func notes(_ point: ListedPoint) -> [String] {
    let refusal = point.refusal.map { ["Cannot be overridden: \($0)."] } ?? []
    let place = point.place.map { ["At \($0)."] } ?? []
    let captures = point.captures.map { ["`captured` has \($0)."] } ?? []
    return refusal + place + captures + (point.opaque.map { ["Opaque: \($0)."] } ?? [])
  }

  // MARK: Cases and stored properties

  private mutating func add(cases fields: FieldCatalog.Fields) {
    let values = names.className(type)
    let given = names.text(.nominal(type))
    for record in fields.records {
      guard record.hasPayload else {
        add(.type) { $0.fields[record.name] = given }
        continue
      }
      let payload = record.type ?? .any
      let elements: [(label: String?, type: TypeNode)] =
        if case .tuple(let elements) = payload {
          elements.map { ($0.label, $0.type) }
        } else {
          [(nil, payload)]
        }
      let parameters = elements.enumerated().map { index, element in
        LuaDefinition.Parameter(
          name: element.label.flatMap { LuaName.adapted($0) } ?? "value\(index + 1)",
          type: names.text(element.type, isGiven: true))
      }
      add(.type) {
        $0.add(record.name, .init(parameters: parameters, results: [values]), takesSelf: false, [])
      }
      for element in elements {
        guard let label = element.label else { continue }
        let text = names.optionalText(element.type)
        add(.value) { $0.fields[label] = $0.fields[label] ?? text }
      }
    }
    let text = caseNames == nil ? "string" : "\(values).Type.case"
    add(.value) { table in
      table.fields["case"] = text
      if fields.records.contains(where: \.hasPayload) { table.index("integer", "any") }
    }
  }

  private var caseNames: CaseNames? { outline.fields[type].flatMap(CaseNames.init) }

  private mutating func add(stored fields: FieldCatalog.Fields) {
    for record in fields.records where !record.name.isEmpty && !record.name.hasPrefix("$") {
      let text = record.type.map { names.text($0) } ?? "any"
      add(.value) { $0.fields[record.name] = $0.fields[record.name] ?? text }
    }
  }
}

/// Makes signatures of functions.
struct SignatureForm {
  let names: LuaTypeNames

  /// The signature of a function for calls and overrides.
  func signature(of function: ProgramOutline.Function) -> LuaDefinition.Signature {
    let declaration = function.declaration
    let parameters = zip(declaration.parameters, function.parameters).enumerated()
      .map { index, pair in
        LuaDefinition.Parameter(
          name: pair.1, type: names.text(pair.0.type, isGiven: true),
          isOptional: function.optional.contains(index))
      }
    let changed = declaration.parameters.filter { $0.ownership == .inout }
    return LuaDefinition.Signature(
      parameters: parameters,
      results: results(declaration) + changed.map { names.text($0.type) },
      isAsync: function.isAsync)
  }

  /// The original takes all arguments.
  func original(of function: ProgramOutline.Function) -> LuaDefinition.Signature {
    var signature = signature(of: function)
    for index in signature.parameters.indices { signature.parameters[index].isOptional = false }
    return signature
  }

  /// The result of calling a type, which is optional if the initializer is failable.
  func instance(of declaration: FunctionDeclaration, _ name: String) -> String {
    declaration.result.optionalPayload == nil ? name : name + "?"
  }

  private func results(_ declaration: FunctionDeclaration) -> [String] {
    switch declaration.kind {
    case .initializer, .allocatingInitializer: []
    default: names.results(declaration.result)
    }
  }
}
