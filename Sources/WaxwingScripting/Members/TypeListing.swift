// SPDX-License-Identifier: MIT

internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The facts about a type that `typeof` shows: name, kind, superclass, protocols, members.
struct TypeListing {
  let name: String
  let kind: String
  var superclass: String?
  /// Whether only the three above are told.
  private(set) var isBrief = false
  var protocols: [String] = []
  /// The declarations as in source: cases and stored properties first, then members with symbols,
  /// those of superclasses after its own, then those from the program's protocols, then nested
  /// types.
  var members: [String] = []

  /// Tells the name, kind and superclass alone.
  init(_ type: any Any.Type) {
    name = TypeName.short(type)
    kind = Self.kind(of: type)
    superclass = TypeMetadata.superclass(of: type).map(TypeName.short)
    isBrief = true
  }

  /// - Parameters:
  ///   - known: nil for what no symbol names, such as a tuple.
  ///   - all: Also what protocols of libraries give the type, which is much.
  init(
    _ type: any Any.Type, _ known: RunningType?, in resolver: NameResolver, all: Bool = false
  ) {
    self.init(type)
    isBrief = false
    protocols = Self.protocols(of: type)
    let isOwn = known.map { !resolver.program.isSystem($0) } ?? false
    let stored = TypeMetadata.fields(of: type)
    add(Self.cases(of: type))
    add(Self.storedProperties(stored).filter { isOwn || MemberList.isPublic($0) })
    let storedNames = Set(stored.compactMap(\.name))
    let ancestry = TypeMetadata.ancestry(of: type, in: resolver.program)
    let made = ObjectInitializers(ofTypeWithAncestry: ancestry, in: resolver.program).found
    for ancestor in ancestry {
      add(
        MemberList.of(
          ancestor, in: resolver.program, except: storedNames, initializers: made))
    }
    let program = resolver.program
    for found in all ? program.protocols : program.ownProtocols
    where TypeMetadata.type(type, conformsTo: found) {
      add(MemberList.of(extensionsOf: found, in: program))
    }
    if let known { add(MemberList.types(in: known, resolver)) }
  }

  /// Lists a generic type, of which only declarations are known, or a protocol.
  init(_ known: RunningType, in resolver: NameResolver) {
    name = ModuleNames.displayed(known.name)
    kind = known.nominal.kind.word
    add(MemberList.of(known, in: resolver.program, except: []))
    if known.nominal.kind != .protocol { add(MemberList.types(in: known, resolver)) }
  }

  /// A module: its types, functions and variables.
  init(module: String, in resolver: NameResolver) {
    name = module
    kind = "module"
    for part in ModuleNames.modules(named: module) {
      add(resolver.types(inModule: part).map { "\($0.nominal.kind.word) \($0.path)" }.sorted())
      add(MemberList.of(module: part, in: resolver.program))
    }
    members = members.filter { MemberList.isPublic($0) }
  }

  private mutating func add(_ found: [String]) {
    let known = Set(members)
    members += found.uniqued.filter { !known.contains($0) }
  }

  private static func kind(of type: any Any.Type) -> String {
    switch TypeMetadata.kind(of: type) {
    case .class, .foreignClass: "class"
    case .struct: "struct"
    case .enum, .optional: "enum"
    case .tuple: "tuple"
    case .function: "function"
    case .existential, .extendedExistential: "protocol"
    case .metatype, .existentialMetatype: "metatype"
    default: "type"
    }
  }

  /// The protocols of the standard library to which the type conforms and that say what can be done
  /// with a value.
  private static func protocols(of type: any Any.Type) -> [String] {
    let known: [(String, Bool)] = [
      ("CaseIterable", type is any CaseIterable.Type),
      ("Collection", type is any Collection.Type),
      ("Comparable", type is any Comparable.Type),
      ("CustomStringConvertible", type is any CustomStringConvertible.Type),
      ("Decodable", type is any Decodable.Type), ("Encodable", type is any Encodable.Type),
      ("Equatable", type is any Equatable.Type), ("Error", type is any Error.Type),
      ("Hashable", type is any Hashable.Type), ("Identifiable", type is any Identifiable.Type),
      ("OptionSet", type is any OptionSet.Type),
      ("RawRepresentable", type is any RawRepresentable.Type),
      ("Sequence", type is any Sequence.Type),
    ]
    return known.filter(\.1).map(\.0)
  }

  private static func cases(of type: any Any.Type) -> [String] {
    EnumCase.all(of: type).map { enumCase in
      guard enumCase.hasPayload else { return "case \(enumCase.shownName)" }
      let payload = enumCase.payload.map(TypeName.short) ?? "…"
      return "case \(enumCase.shownName)" + (payload.hasPrefix("(") ? payload : "(\(payload))")
    }
  }

  private static func storedProperties(_ fields: [TypeMetadata.Field]) -> [String] {
    fields.filter { !$0.shownName.hasPrefix("$") }.map { field in
      let word =
        switch field.storage {
        case .strong: ""
        case .weak: "weak "
        case .unowned: "unowned "
        case .unmanaged: "unowned(unsafe) "
        }
      return "\(word)\(field.isVariable ? "var" : "let") \(field.shownName): "
        + TypeName.short(field.type)
    }
  }
}
