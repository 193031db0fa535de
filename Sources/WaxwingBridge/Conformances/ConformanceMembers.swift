// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
package import WaxwingReflection
internal import WaxwingValues

/// A class that is given a conformance: one of the program's, or one that the script has made.
package struct ConformingType {
  /// The qualified name of the type, such as `Bank.Account`.
  package let name: String
  package let metadata: any Any.Type

  package init(name: String, metadata: any Any.Type) {
    self.name = name
    self.metadata = metadata
  }
}

/// The members that a script gives for the requirements of protocols, and the defaults for those
/// that it does not give.
package struct ConformanceMembers {
  /// A function that a script gives for a requirement.
  package struct Given {
    let isStatic: Bool
    let kind: MemberKind
    let name: String

    package init(isStatic: Bool, kind: MemberKind, name: String) {
      self.isStatic = isStatic
      self.kind = kind
      self.name = name
    }

    /// `static method make(_:)`, `getter title`
    var text: String { "\(isStatic ? "static " : "")\(kind.rawValue) \(name)" }

    func mayMean(_ declaration: FunctionDeclaration) -> Bool {
      declaration.isStatic == isStatic && kind.includes(declaration.kind)
    }
  }

  /// A requirement for which a Lua function is needed.
  package struct Needed {
    /// The place of the requirement among those of all conformances that are declared together.
    package let place: Int
    package let answer: Answer
  }

  /// Which Lua function answers for a requirement.
  package enum Answer {
    /// A function that the script gives, by its place among them.
    case given(Int)
    /// A function that calls a member of the class by its name.
    case forward(Forward, name: String)
  }

  /// How Lua calls a member by its name.
  package enum Forward: String {
    case method, getter, setter, initializer, hash
    case staticMethod = "static_method"
    case staticGetter = "static_getter"
    case staticSetter = "static_setter"

    /// Creates the way in which Lua calls a requirement by its name; nil if it cannot.
    fileprivate init?(_ declaration: FunctionDeclaration) {
      switch (declaration.kind, declaration.isStatic) {
      case (.function, false): self = .method
      case (.function, true): self = .staticMethod
      case (.getter, false): self = .getter
      case (.getter, true): self = .staticGetter
      case (.setter, false): self = .setter
      case (.setter, true): self = .staticSetter
      case (.allocatingInitializer, _): self = .initializer
      default: return nil
      }
    }
  }

  private let given: [Given]
  private let type: ConformingType
  private let program: RunningProgram
  /// Functions that are no requirements are left alone.
  private let isLenient: Bool

  package init(
    _ given: [Given], of type: ConformingType, in program: RunningProgram, isLenient: Bool = false
  ) {
    self.isLenient = isLenient
    self.given = given
    self.type = type
    self.program = program
  }

  /// The functions that some conformances need, in the order of their requirements.
  package func match(_ conformances: [MadeConformance]) throws(ConformanceError) -> [Needed] {
    let places = conformances.flatMap { made in made.witnesses.map { (made, $0) } }
    var answers: [Int: Int] = [:]
    for (index, each) in given.enumerated() {
      guard let place = try place(of: each, places.map(\.1), conformances) else { continue }
      if answers.updateValue(index, forKey: place) != nil {
        throw ConformanceError("two functions are given for `\(Self.text(places[place].1))`")
      }
    }
    var needed: [Needed] = []
    for (place, (made, witness)) in places.enumerated() where !witness.requirement.isCoroutine {
      if let index = answers[place] {
        needed.append(Needed(place: place, answer: .given(index)))
      } else if witness.defaultImplementation == nil {
        needed.append(try substitute(for: witness, place, made))
      }
    }
    return needed
  }

  private func place(
    of given: Given, _ witnesses: [WitnessFunction], _ conformances: [MadeConformance]
  ) throws(ConformanceError) -> Int? {
    let candidates = witnesses.indices.filter { given.mayMean(witnesses[$0].declaration) }
    let names = candidates.map { Requirement(witnesses[$0], $0) }
    let found = NameResolver.meant(by: given.name, among: names)
    if found.count == 1 { return found[0].place }
    let owner = conformances.last?.protocolName ?? ""
    if found.isEmpty {
      if isLenient { return nil }
      let all = witnesses.filter { !$0.requirement.isCoroutine }
      let selectors = all.map(\.declaration.selector)
      let near = Suggestions.nearest(
        to: given.name, in: Set(selectors + all.map(\.declaration.baseName)))
      let rest =
        near.isEmpty
        ? "; it requires " + Set(all.map(Self.spelled)).sorted().joined(separator: ", ")
        : "; did you mean `\(near[0])`?"
      throw ConformanceError("\(owner) does not require `\(given.text)`\(rest)")
    }
    throw ConformanceError(
      "`\(given.name)` matches several requirements of \(owner); write one of:"
        + found.map { "\n    \(MemberSpelling.shortest(of: $0, among: names))" }.sorted().joined())
  }

  /// A requirement that a name may mean.
  private struct Requirement: NamedFunction {
    let symbol: String
    let isAsync: Bool
    let declaration: FunctionDeclaration
    let place: Int

    init(_ witness: WitnessFunction, _ place: Int) {
      symbol = witness.function.symbol
      isAsync = witness.function.isAsync
      declaration = witness.declaration
      self.place = place
    }
  }
}

// MARK: - What the script does not give

extension ConformanceMembers {
  /// A member that the class has, or that it gets from another extension of a protocol.
  private func substitute(
    for witness: WitnessFunction, _ place: Int, _ made: MadeConformance
  ) throws(ConformanceError) -> Needed {
    let declaration = witness.declaration
    // The compiler makes it for every type that has `hash(into:)`.
    if witness.function.symbol == "$sSH9hashValueSivg" {
      return Needed(place: place, answer: .forward(.hash, name: "hashValue"))
    }
    if let forward = Forward(declaration), hasMember(witness) || hasExtension(witness, made) {
      let name = declaration.kind.isAccessor ? declaration.baseName : declaration.selector
      return Needed(place: place, answer: .forward(forward, name: name))
    }
    throw ConformanceError(
      "\(made.protocolName) requires `\(Self.text(witness))`, which \(type.name) does not have: "
        + "give \(Self.example(declaration))")
  }

  private func hasMember(_ witness: WitnessFunction) -> Bool {
    let wanted = witness.declaration
    if hasStoredProperty(wanted) { return true }
    return ClassLine.descriptors(of: type.metadata).contains { descriptor in
      guard let owner = program.type(withDescriptor: descriptor) else { return false }
      return program.members(of: owner).contains { Self.isAlike($0.declaration, wanted) }
    }
  }

  private func hasStoredProperty(_ wanted: FunctionDeclaration) -> Bool {
    guard !wanted.isStatic, [.getter, .setter].contains(wanted.kind) else { return false }
    return TypeMetadata.fields(of: type.metadata).contains {
      $0.name == wanted.baseName && (wanted.kind == .getter || $0.isVariable)
    }
  }

  /// Whether an extension of the protocol, or of one that it inherits from, has the member under
  /// conditions.
  private func hasExtension(_ witness: WitnessFunction, _ made: MadeConformance) -> Bool {
    return program.protocolMembers(named: witness.declaration.baseName).contains { members in
      guard let address = UnsafeRawPointer(bitPattern: members.protocol.descriptor) else {
        return false
      }
      let descriptor = ProtocolDescriptor(address)
      return (descriptor == made.descriptor || made.descriptor.inherits(descriptor))
        && members.functions.contains { Self.isAlike($0.declaration, witness.declaration) }
    }
  }

  private static func isAlike(_ one: FunctionDeclaration, _ wanted: FunctionDeclaration) -> Bool {
    let kinds: Bool =
      switch (one.kind, wanted.kind) {
      case (.initializer, .allocatingInitializer): true
      default: one.kind == wanted.kind
      }
    return kinds && one.selector == wanted.selector && one.isStatic == wanted.isStatic
  }

  // MARK: Messages

  /// `greet(_: Swift.String) -> Swift.String`, `title: Swift.String { get }`
  static func text(_ witness: WitnessFunction) -> String {
    SelfName.spelled(in: qualified(witness))
  }

  /// The qualified name with `A` for `Self`, as symbols have it.
  private static func qualified(_ witness: WitnessFunction) -> String {
    let declaration = witness.declaration
    let prefix = declaration.isStatic ? "static " : ""
    switch declaration.kind {
    case .getter: return "\(prefix)\(declaration.baseName): \(declaration.spelledResult) { get }"
    case .setter: return "\(prefix)\(declaration.baseName): \(declaration.spelledResult) { set }"
    default: break
    }
    var text = prefix + MemberSpelling.typed(declaration)
    if witness.function.isAsync { text += " async" }
    if declaration.isThrowing { text += " throws" }
    let result = declaration.spelledResult
    if declaration.kind != .allocatingInitializer, result != "()" { text += " -> \(result)" }
    switch declaration.kind {
    case .subscriptGetter: text += " { get }"
    case .subscriptSetter: text += " { set }"
    default: break
    }
    return text
  }

  private static func spelled(_ witness: WitnessFunction) -> String { "`\(text(witness))`" }

  /// An example of how to write the member.
  private static func example(_ declaration: FunctionDeclaration) -> String {
    let count = declaration.interfaceType?.function?.parameters.count ?? 0
    let isProperty = [.getter, .setter].contains(declaration.kind)
    var names = ["self"]
    if !isProperty { names += (0..<count).map { parameterName(declaration, $0) } }
    if [.setter, .subscriptSetter].contains(declaration.kind) { names.insert("value", at: 1) }
    let key = MemberExample.key(declaration)
    var text = "\(key) = function(\(names.joined(separator: ", "))) … end"
    switch declaration.kind {
    case .getter, .subscriptGetter: text = "get = { \(text) }"
    case .setter, .subscriptSetter: text = "set = { \(text) }"
    default: break
    }
    return declaration.isStatic ? "static = { \(text) }" : text
  }

  private static func parameterName(_ declaration: FunctionDeclaration, _ index: Int) -> String {
    let label = declaration.labels.indices.contains(index) ? declaration.labels[index] : nil
    return label ?? String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index % 26)))
  }
}

/// How a requirement is written as the key of a Lua table.
private enum MemberExample {
  static func key(_ declaration: FunctionDeclaration) -> String {
    let name = declaration.baseName
    let isWord = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f: true
      default: false
      }
    }
    return isWord ? name : "[\"\(name)\"]"
  }
}
