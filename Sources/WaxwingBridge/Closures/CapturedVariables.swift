// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingInterception
package import WaxwingLua
package import WaxwingReflection
internal import WaxwingValues

/// The variables that a closure has captured, in the order of its context.
///
/// The context's description in the program has their types. Their names are in debugging information, which has types
/// besides: those without a size, which no context has, and that of a single reference, which is the context itself.
package struct CapturedVariables: Sendable {
  /// The variables that take room in the context, in its order.
  private let stored: [CapturedVariable]
  /// Those that take none, which have names.
  private let empty: [CapturedVariable]
  /// The reason why none can be read; nil: they can.
  package let refusal: String?

  fileprivate init(stored: [CapturedVariable], empty: [CapturedVariable] = []) {
    (self.stored, self.empty, refusal) = (stored, empty, nil)
  }

  fileprivate init(refusal: String) {
    (stored, empty, self.refusal) = ([], [], refusal)
  }

  // MARK: In a call

  private struct Key: Hashable {
    let closure: UInt
    let metadata: UInt
  }

  /// The layouts of contexts by closure and metadata, for ever: contexts of generic code are not among them.
  private static let known = Mutex<[Key: CapturedVariables]>([:])

  /// The variables of the closure that a call is of. Nil: it is of no closure.
  package static func of(
    _ active: ActiveCall, in program: RunningProgram
  ) -> (variables: CapturedVariables, context: UInt)? {
    let function = active.running.function
    guard let use = function.closure else { return nil }
    let context = use.hasContext ? UInt(active.frame.pointee.selfRegister) : 0
    let metadata =
      use.type.isNonescaping
      ? nil : UnsafePointer<UInt>(bitPattern: context).map(\.pointee)
    let key = Key(closure: function.address, metadata: metadata ?? 0)
    if let found = known.withLock({ $0[key] }) { return (found, context) }
    let (made, isGeneric) = CapturedLayout(function, use, program).variables(
      UnsafeRawPointer(bitPattern: context))
    if !isGeneric { known.withLock { $0[key] = made } }
    return (made, context)
  }

  /// The number of variables that have a number.
  package var count: Int { stored.count }

  /// Their names; a number for one without.
  package var names: [String?] { stored.map(\.name) }

  /// Writes the value of the variable with a name or a number for Lua.
  /// - Returns: The reason why there is none; nil: it is written.
  package func push(
    _ key: String, number: Int?, _ context: UInt, _ writer: LuaWriter
  ) -> String? {
    if let refusal { return refusal }
    let all = stored + empty
    let variable: CapturedVariable?
    if let number {
      variable = stored.indices.contains(number - 1) ? stored[number - 1] : nil
    } else {
      variable = all.first { $0.name == key }
    }
    guard let variable else { return missing(key, isName: number == nil) }
    return variable.push(UnsafeRawPointer(bitPattern: context), writer).map {
      "`\(key)` cannot be read: \($0)"
    }
  }

  private func missing(_ key: String, isName: Bool) -> String {
    let all = stored + empty
    guard !all.isEmpty else { return "the closure has captured nothing" }
    let named = all.compactMap(\.name)
    if isName, named.isEmpty {
      return
        "nothing tells the names of what the closure has captured: use numbers from 1 to \(count), or build the "
        + "program with debugging information"
    }
    let near = Suggestions.nearest(to: key, in: named)
    let question = near.first.map { "; did you mean `\($0)`?" } ?? ""
    return "the closure has captured no `\(key)`\(question) It has captured \(text)"
      .replacing("` It", with: "`. It")
  }

  /// `pricing: PricingService, limit: Int`
  package var text: String {
    if let refusal { return refusal }
    let all = stored + empty
    return all.isEmpty ? "nothing" : all.map(\.text).joined(separator: ", ")
  }
}

/// Finds out what a closure's context has.
private struct CapturedLayout {
  private typealias Described = DescribedClosure.Variable

  private let function: RunningFunction
  private let use: ClosureUse
  private let program: RunningProgram
  /// As debugging information has them; nil: it has none.
  private let described: [Described]?

  init(_ function: RunningFunction, _ use: ClosureUse, _ program: RunningProgram) {
    (self.function, self.use, self.program) = (function, use, program)
    described = use.described?.captured(by: function.declaration)
  }

  /// - Returns: The variables, and whether they depend on generic parameters of the context's.
  func variables(_ context: UnsafeRawPointer?) -> (CapturedVariables, isGeneric: Bool) {
    if use.type.isNonescaping {
      return (
        CapturedVariables(
          refusal:
            "the closure does not escape: what it has captured is on its maker's stack, and nothing describes it"
        ), false
      )
    }
    guard let context else { return (CapturedVariables(stored: [], empty: empties), false) }
    if use.mayBeOnStack, !isObject(context) {
      return (
        CapturedVariables(
          refusal:
            "nothing tells whether the closure escapes, and what it has captured may be on its maker's stack"
        ), false
      )
    }
    let metadata = context.load(as: UnsafeRawPointer.self)
    guard metadata.load(as: Int.self) == CapturedContext.kind else {
      return (CapturedVariables(stored: [reference], empty: empties), false)
    }
    let description = CapturedContext(metadata)
    guard description.isDescribed else {
      return (
        CapturedVariables(
          refusal: "the program is compiled without descriptions of what closures capture "
            + "(-disable-reflection-metadata)"), false
      )
    }
    return (
      CapturedVariables(stored: stored(description, context), empty: empties),
      !description.bindings.isEmpty
    )
  }

  /// Whether a context is an object: a context of its own, or the only object that was captured. On a stack its first word
  /// may be anything.
  private func isObject(_ context: UnsafeRawPointer) -> Bool {
    let word = context.load(as: UInt.self)
    guard let metadata = UnsafeRawPointer(bitPattern: word), word % 8 == 0 else { return false }
    if program.hasImage(at: word), program.hasImage(at: word + 24),
      metadata.load(as: Int.self) == CapturedContext.kind
    {
      return true
    }
    guard let sized, sized.count == 1, case (.strong, let node)? = sized[0].held,
      let type = program.runtimeType(node)
    else { return false }
    return metadata == unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  // MARK: What debugging information tells

  /// The variables that a context has.
  private var sized: [Described]? { described?.filter { emptyCodec(of: $0) == nil } }

  private var empties: [CapturedVariable] {
    (described ?? []).compactMap { variable in
      emptyCodec(of: variable).map {
        CapturedVariable(name: variable.name, typeName: $0.typeName, content: .empty($0))
      }
    }
  }

  /// The codec of a variable whose type has no size, such as that of `Int.self`.
  private func emptyCodec(of variable: Described) -> ValueCodec? {
    guard case (.strong, let node)? = variable.held, !variable.isMutable,
      let type = program.runtimeType(node)
    else { return nil }
    if case .metatype(_, .thin) = node { return try? CodecLibrary.codec(for: type) }
    guard ValueWitnesses(of: type).size == 0 else { return nil }
    return try? CodecLibrary.codec(for: type)
  }

  /// The only variable, whose value is the context.
  private var reference: CapturedVariable {
    guard let sized, sized.count == 1 else {
      return CapturedVariable(
        name: nil, typeName: nil,
        content: .unreadable(
          "the closure has captured a single reference, and only debugging information tells its type"
        ))
    }
    let name = sized[0].name
    guard case (.strong, let node)? = sized[0].held, let type = program.runtimeType(node),
      ValueWitnesses(of: type).size == MemoryLayout<UInt>.size
    else {
      return CapturedVariable(
        name: name, typeName: nil, content: .unreadable("the runtime does not know its type"))
    }
    let place = CapturedVariable.Place(offset: nil, isBoxed: false, holding: .strong)
    return variable(name, type, place)
  }

  private func variable(
    _ name: String?, _ type: any Any.Type, _ place: CapturedVariable.Place
  ) -> CapturedVariable {
    let typeName = TypeName.short(type)
    if place.holding == .unmanaged {
      return CapturedVariable(
        name: name, typeName: typeName,
        content: .unreadable("it is `unowned(unsafe)`, and its object may be gone"))
    }
    do throws(UnsupportedType) {
      return CapturedVariable(
        name: name, typeName: typeName,
        content: .value(try CodecLibrary.codec(for: type), place))
    } catch {
      return CapturedVariable(
        name: name, typeName: typeName, content: .unreadable(error.reason))
    }
  }

  // MARK: What the description tells

  /// A capture as the context's description has it.
  private struct Capture {
    /// Nil: it is not known.
    var type: (any Any.Type)?
    var holding = Described.Holding.strong
    var isBoxed = false
    var isFunction = false

    /// Its size and alignment in the context; nil: they are not known.
    var shape: (size: Int, alignment: Int)? {
      let word = MemoryLayout<UInt>.size
      if isBoxed { return (word, word) }
      if isFunction { return (2 * word, word) }
      guard let type else { return nil }
      let witnesses = ValueWitnesses(of: type)
      return (witnesses.size, witnesses.alignmentMask + 1)
    }
  }

  private func stored(
    _ description: CapturedContext, _ context: UnsafeRawPointer
  ) -> [CapturedVariable] {
    let arguments = description.arguments(in: context)
    let captures = description.names.map { capture($0, arguments) }
    let names = names(of: captures)
    var offset: Int? = description.firstOffset
    return captures.enumerated().map { index, capture in
      let name = names?[index].name
      let start = offset.flatMap { offset in
        capture.shape.map { (offset + $0.alignment - 1) & ~($0.alignment - 1) }
      }
      defer { offset = start.flatMap { start in capture.shape.map { start + $0.size } } }
      guard let type = capture.type else {
        let reason =
          capture.isFunction
          ? "it is a function, and nothing tells how it is called"
          : arguments == nil
            ? "its type depends on generic parameters that the context does not have"
            : "the runtime does not know its type"
        return CapturedVariable(name: name, typeName: nil, content: .unreadable(reason))
      }
      guard let start else {
        return CapturedVariable(
          name: name, typeName: TypeName.short(type),
          content: .unreadable("it stands behind a value whose size is not known"))
      }
      let place = CapturedVariable.Place(
        offset: start, isBoxed: capture.isBoxed, holding: capture.holding)
      return variable(name, type, place)
    }
  }

  private func capture(_ name: UnsafeRawPointer, _ arguments: [UnsafeRawPointer?]?) -> Capture {
    var capture = Capture()
    var length = MetadataName(name).length
    if let boxed = CapturedType.boxed(name, length) {
      capture.isBoxed = true
      length = boxed
    }
    (capture.holding, length) = CapturedType.holding(name, length)
    if CapturedType.isFunction(name, length) {
      capture.isFunction = true
      if !capture.isBoxed { capture.type = MetadataName(name).type.flatMap(program.runtimeType) }
    } else if let arguments {
      capture.type = CapturedType.type(name, length, arguments)
    }
    return capture
  }

  /// The names of captures; nil: debugging information has others.
  private func names(of captures: [Capture]) -> [Described]? {
    guard let sized, sized.count == captures.count else { return nil }
    let areSame = zip(sized, captures).allSatisfy { variable, capture in
      guard let held = variable.held, let type = capture.type,
        let own = program.runtimeType(held.type)
      else { return true }
      return own == type && held.holding == capture.holding
    }
    return areSame ? sized : nil
  }
}
