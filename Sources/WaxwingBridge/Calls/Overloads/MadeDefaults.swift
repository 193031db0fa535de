// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The arguments of a call with the default values of those that Lua leaves out, where Lua code has to make
/// them. They are made before anything else of the call happens.
struct MadeDefaults {
  private(set) var arguments: BoundArguments
  /// Have the values, until the call has taken them.
  private let coroutines: [LuaCoroutine]

  /// - Parameters:
  ///   - bound: The arguments, if they are given by name.
  ///   - passed: Stands at the first argument.
  /// - Returns: nil if there is nothing to make.
  init?(
    _ function: FunctionCall, _ bound: BoundArguments?, _ passed: LuaReader, in patch: PatchContext
  ) throws(LuaRaise) {
    guard function.hasWrittenDefaults, function.refusal == nil else { return nil }
    let plan = function.plan
    if bound == nil, plan.isVariadic { return nil }
    guard
      let given = bound
        ?? BoundArguments(inOrder: passed, parameterCount: plan.arguments.count)
    else { return nil }
    var readers = given.readers
    var made: [(index: Int, coroutine: LuaCoroutine)] = []
    do throws(LuaRaise) {
      for index in readers.indices where Self.isLeftOut(readers[index], plan.arguments[index]) {
        guard let value = plan.defaults.written(at: index) else { continue }
        made.append((index, try Self.make(value, function, index, in: patch)))
      }
    } catch {
      for value in made { value.coroutine.release() }
      throw error
    }
    if made.isEmpty { return nil }
    for (index, coroutine) in made { readers[index] = coroutine.reader }
    arguments = BoundArguments(readers)
    coroutines = made.map(\.coroutine)
  }

  /// Gives back what has the values.
  func release() {
    for coroutine in coroutines { coroutine.release() }
  }

  private static func isLeftOut(_ reader: LuaReader, _ argument: CallPlan.Argument) -> Bool {
    reader.isAtEnd || reader.peeked.isNil && !argument.isOptional
  }

  /// Runs the Lua code that makes a value. The coroutine's reader stands at it.
  private static func make(
    _ value: WrittenDefault, _ function: FunctionCall, _ index: Int, in patch: PatchContext
  ) throws(LuaRaise) -> LuaCoroutine {
    let plan = function.plan
    func failed(_ reason: String) -> LuaRaise {
      .message(
        "\(plan.arguments[index].name) of \(plan.function.displayedName): its default value "
          + "`\(value.text)` cannot be made: \(reason); pass it")
    }
    let owner: Int32?
    if let known = function.defaultOwners[index] {
      owner = known
    } else {
      owner = try self.owner(of: value, plan, index, in: patch, failed)
      function.defaultOwners[index] = owner
    }
    guard let coroutine = LuaCoroutine(patch.state) else { throw .message("not enough memory") }
    do throws(LuaFailure) {
      let maker = try maker(value, coroutine, in: patch)
      if let owner { coroutine.writer.reference(owner) }
      if try coroutine.call(maker) == 1 { return coroutine }
    } catch {
      coroutine.release()
      throw failed(error.message)
    }
    coroutine.release()
    throw failed("it is no value")
  }

  /// The compiled Lua code.
  private static func maker(
    _ value: WrittenDefault, _ coroutine: LuaCoroutine, in patch: PatchContext
  ) throws(LuaFailure) -> Int32 {
    if let known = patch.defaultMakers[value.lua] { return known }
    // Parentheses: one value, whatever a call returns.
    var source = "local t = ... return (\(value.lua))"
    let made = try source.withUTF8 { bytes in
      Result { () throws(LuaFailure) in
        try coroutine.load(
          UnsafeRawBufferPointer(bytes), chunkName: "=default value", environment: nil)
      }
    }.get()
    patch.defaultMakers[value.lua] = made
    return made
  }

  /// The type object of the type that the value is a member of; nil: it is a literal.
  private static func owner(
    of value: WrittenDefault, _ plan: CallPlan, _ index: Int, in patch: PatchContext,
    _ failed: (String) -> LuaRaise
  ) throws(LuaRaise) -> Int32? {
    let argument = plan.arguments[index].codec.writtenType
    let wrapped = (argument as? any OptionalType.Type)?.wrappedType ?? argument
    let own = TypeMetadata.instanceType(of: wrapped) ?? wrapped
    let type: (any Any.Type)?
    switch value.base {
    case .none: return nil
    case .parameter: type = own
    case .named(let name): type = named(name, own, plan, in: patch)
    }
    guard let type else { throw failed("its type is not known") }
    guard let object = patch.staticTypeObject(of: type) else {
      throw failed("\(TypeName.short(type)) has no type object")
    }
    return object
  }

  /// The type that a name means in the function's declaration: one in the type that has the function, the
  /// parameter's own, one of the module, any other.
  private static func named(
    _ name: String, _ own: any Any.Type, _ plan: CallPlan, in patch: PatchContext
  ) -> (any Any.Type)? {
    let declaration = plan.function.declaration
    if let context = declaration.typeName {
      if name == "Self" { return patch.type(written: context) }
      if let type = patch.type(written: "\(context).\(name)") { return type }
    }
    let known = TypeName.short(own)
    if known == name || known.hasSuffix("." + name) { return own }
    return patch.type(written: "\(declaration.module).\(name)") ?? patch.type(written: name)
  }
}
