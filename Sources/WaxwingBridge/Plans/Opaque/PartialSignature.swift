// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection

/// A function's signature as far as its types are known.
struct PartialSignature {
  typealias Part = FunctionShape.Part

  /// A part whose type is not known, by its name: parts of one type travel alike.
  struct Unknown {
    let typeName: String
    let reason: PlanError
  }

  let source: FunctionShape.Source
  let mutation: Mutation
  private(set) var parameters: [Result<[Part], UnknownPart>] = []
  private(set) var unknownReceiver: Unknown?
  private(set) var unknownResult: Unknown?
  private(set) var receiver: CallLayout.Value = .direct(.pointer)
  /// Whether the function is a member of a struct or enum that is called on an instance, or makes
  /// one.
  private(set) var hasValueReceiver = false
  private(set) var isReference = false
  private(set) var context: TypeNode?
  private var result = ResultShape([])
  private var thrown: CallLayout.Value?

  struct UnknownPart: Error {
    let unknown: Unknown
  }

  init(_ source: FunctionShape.Source, _ mutation: Mutation) {
    self.source = source
    self.mutation = mutation
  }

  var isKnown: Bool { unknowns.isEmpty && unknownReceiver == nil && unknownResult == nil }

  /// The unknown parameters, by index.
  var unknowns: [Int: Unknown] {
    var found: [Int: Unknown] = [:]
    for (index, parameter) in parameters.enumerated() {
      if case .failure(let part) = parameter { found[index] = part.unknown }
    }
    return found
  }

  /// The reason of the first unknown part; nil if all parts are known.
  var reason: PlanError? {
    unknowns.min { $0.key < $1.key }?.value.reason ?? unknownReceiver?.reason
      ?? unknownResult?.reason
  }

  mutating func add(parameter: FunctionParameter, _ index: Int) throws(PlanError) {
    do throws(PlanError) {
      parameters.append(.success(try FunctionShape.parts(parameter, index, source)))
    } catch {
      parameters.append(
        .failure(UnknownPart(unknown: try unknown(parameter.type, error))))
    }
  }

  mutating func setReceiver(_ context: TypeNode?, isReference: Bool) throws(PlanError) {
    self.context = context
    self.isReference = isReference
    let declaration = source.function.declaration
    hasValueReceiver =
      context != nil && !isReference && !declaration.isStatic && !declaration.isInitializer
    guard hasValueReceiver, let context else { return }
    do throws(PlanError) {
      receiver = try FunctionShape.receiverValue(context, source)
    } catch {
      unknownReceiver = try unknown(context, error)
    }
  }

  mutating func setResult() throws(PlanError) {
    thrown = try FunctionShape.thrownValue(source)
    do throws(PlanError) {
      result = ResultShape(try FunctionShape.resultParts(source))
    } catch {
      unknownResult = try unknown(source.function.declaration.result, error)
    }
  }

  /// The unknown part of an override's signature. For a call it throws instead: only an override
  /// finds the registers filled.
  private func unknown(_ node: TypeNode, _ error: PlanError) throws(PlanError) -> Unknown {
    guard source.isOverride else { throw error }
    let module = source.function.declaration.module
    return Unknown(typeName: node.shortDescription(in: module), reason: error)
  }

  /// The layouts of the known parts.
  var layouts: FunctionShape.Layouts {
    FunctionShape.Layouts(
      source: source, context: context, receiver: receiver,
      parameters: parameters.map { (try? $0.get()) ?? [] }, result: result, thrown: thrown)
  }
}
