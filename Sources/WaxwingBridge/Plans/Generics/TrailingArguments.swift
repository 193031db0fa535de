// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// The words that a generic function is passed after its arguments, so that it knows the types of
/// its parameters.
///
/// First the metadata of the struct or enum whose method it is, if the receiver is passed by
/// address; then the metadata of each parameter, then a witness table for each requirement, both in
/// the signature's order and without what can be had from the receiver, or from an argument that is
/// an instance of a class or the metatype of one (`PolymorphicConvention` in the compiler's
/// lib/IRGen/GenProto.cpp). A struct or enum that is passed in registers, as is one of which a
/// static method or an initializer is called, tells nothing. Measured with Swift 6.3.1:
///
///     f<T: P & Hashable, U: Equatable>(_: T, _: U)    T, U, T: P, T: Hashable, U: Equatable
///     f<T>(_: Stack<T>, _: T)                         nothing
///     Box<T>.map<U: P>(_: U)                          Box<T>, U, U: P
///     Box<T>.make(_: T), static                       T
///     Large<T>.map(_: T), of five words               Large<T>
///     Stack<T>.mapped<U>(_: U)                        U
///     extension Stack where T: P                      T: P
///     extension P, of any kind                        Self, Self: P
struct TrailingArguments {
  enum Argument: Equatable {
    /// Metadata of the type that the function is a member of.
    case receiverType
    case parameter(TypeNode)
    case witnessTable(FunctionGenerics.Conformance)
  }

  /// Where a parameter's metadata is found when the function is called.
  struct Origin {
    enum Root {
      /// One of the trailing arguments.
      case trailing(Int)
      /// The receiver: an object, or a class.
      case receiver(isMetatype: Bool)
      /// One of the arguments, which is an object or a class.
      case argument(Int, isMetatype: Bool)
    }

    let root: Root
    /// The path to the type: which generic argument of which type's metadata, step by step.
    var path: [(context: GenericContext, index: Int)]
  }

  /// The types that a receiver tells.
  enum Receiver {
    case nothing
    /// A value that is passed by address.
    case address(NominalType)
    /// An object of this class, or of a class that a parameter stands for.
    case object(TypeNode)
    case metatype(TypeNode)
  }

  private let generics: FunctionGenerics
  private let program: RunningProgram
  private(set) var arguments: [Argument] = []
  /// The origin of each canonical parameter.
  private(set) var origins: [TypeNode: Origin] = [:]
  private var known: Set<FunctionGenerics.Conformance> = []
  /// The associated types that have been found in metadata. Nothing needs them, and yet the
  /// compiler passes the metadata in which it has found them.
  private var members: Set<TypeNode> = []

  init(
    _ generics: FunctionGenerics, receiver: Receiver, parameters: [FunctionParameter],
    in program: RunningProgram
  ) {
    self.generics = generics
    self.program = program
    addReceiver(receiver)
    for (index, parameter) in parameters.enumerated() where parameter.ownership != .inout {
      addArgument(index, parameter.type)
    }
    for parameter in generics.canonicalParameters where origins[parameter] == nil {
      origins[parameter] = Origin(root: .trailing(arguments.count), path: [])
      arguments.append(.parameter(parameter))
    }
    for conformance in generics.conformances where !known.contains(conformance.byNames) {
      arguments.append(.witnessTable(conformance))
    }
  }

  private mutating func addReceiver(_ receiver: Receiver) {
    switch receiver {
    case .nothing: break
    case .address(let nominal):
      let before = foundCount
      search(nominal, Origin(root: .trailing(0), path: []))
      if foundCount > before { arguments.append(.receiverType) }
    case .object(let node):
      searchClass(node, Origin(root: .receiver(isMetatype: false), path: []))
    case .metatype(let node):
      searchClass(node, Origin(root: .receiver(isMetatype: true), path: []))
    }
  }

  private var foundCount: Int { origins.count + known.count + members.count }

  private mutating func addArgument(_ index: Int, _ node: TypeNode) {
    switch node {
    case .nominal(let nominal) where nominal.kind == .class:
      search(nominal, Origin(root: .argument(index, isMetatype: false), path: []))
    case .metatype(let instance, _):
      if let nominal = instance.nominal, nominal.kind != .class { return }  // thin
      searchClass(instance, Origin(root: .argument(index, isMetatype: true), path: []))
    case .genericParameter:
      searchClass(node, Origin(root: .argument(index, isMetatype: false), path: []))
    default: break
    }
  }

  /// Takes what the metadata of a class tells that may inherit from the one in the signature.
  private mutating func searchClass(_ node: TypeNode, _ origin: Origin) {
    let node = reduced(node)
    if let nominal = node.nominal ?? generics.superclasses[node]?.nominal {
      search(nominal, origin)
    }
  }

  /// Takes what the metadata of a type tells.
  private mutating func search(_ nominal: NominalType, _ origin: Origin) {
    guard let descriptor = TypeDescriptors.descriptor(of: nominal.unbound, in: program),
      let context = GenericContext(descriptor)
    else { return }
    let levels = nominal.argumentLevels
    for (depth, level) in levels.enumerated() {
      for (index, node) in level.enumerated() {
        guard let slot = context.argumentIndex(depth: depth, index: index) else { continue }
        var inner = origin
        inner.path.append((context, slot))
        take(node, inner)
      }
    }
    // A member that is required to be another type is not looked up as that.
    let known = levels.map { $0.map(reduced) }
    for case .conformance(let subject, let bound) in context.requirements {
      guard let node = Self.substituted(subject, known) else { continue }
      learn(node, bound)
    }
  }

  private mutating func take(_ node: TypeNode, _ origin: Origin) {
    let node = reduced(node)
    switch node {
    case .genericParameter, .dependentMember:
      if let nominal = generics.superclasses[node]?.nominal { search(nominal, origin) }
      if case .dependentMember = node {
        members.insert(node)
      } else if origins[node] == nil {
        origins[node] = origin
      }
    case .nominal(let nominal): search(nominal, origin)
    default: break
    }
  }

  /// The type that another type is required to be.
  private func reduced(_ node: TypeNode) -> TypeNode {
    var node = generics.spelledOut(node, program)
    // A parameter may be the same as one that is fixed itself.
    for _ in generics.fixed {
      guard let same = generics.fixed[node] else { break }
      node = generics.spelledOut(same, program)
    }
    return node
  }

  /// A witness table has those of the protocols that its own inherits from.
  private mutating func learn(_ subject: TypeNode, _ bound: ProtocolDescriptor) {
    guard GenericOrder.isSubject(subject) else { return }
    known.insert(FunctionGenerics.Conformance(subject: subject, protocolDescriptor: bound).byNames)
    for base in bound.inherited { learn(subject, base) }
  }

  private static func substituted(_ subject: TypeNode, _ levels: [[TypeNode]]) -> TypeNode? {
    switch subject {
    case .genericParameter(let depth, let index):
      return levels.indices.contains(depth) && levels[depth].indices.contains(index)
        ? levels[depth][index] : nil
    case .dependentMember(let base, let name, let declaring):
      return substituted(base, levels).map {
        .dependentMember(base: $0, name: name, protocol: declaring)
      }
    default: return nil
    }
  }
}
