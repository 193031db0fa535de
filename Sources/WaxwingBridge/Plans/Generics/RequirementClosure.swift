// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// The consequences of a generic signature's requirements: which parameters and associated types
/// are the same, and what they conform to by way of others.
///
/// A parameter's conformance may follow from another one's: with `T == B.Responder` and `B: Builder`, whose
/// `Responder` conforms to `P`, `T: P` is not a requirement of its own, and no witness table is passed for it,
/// though the type of which the function is a member has that requirement.
struct RequirementClosure {
  /// The requirements that are known to hold for one type, under all of its names.
  private struct Group {
    /// The group that has taken it over.
    var heir: Int?
    /// How many names the shortest spelling has.
    var length: Int
    var members: [String: Int] = [:]
    var protocols: Set<ProtocolDescriptor> = []
    var superclasses: Set<TypeNode> = []
    /// Whether the type does not depend on its name, such as `Int` or `[T]`.
    var isConcrete = false
  }

  private let known: ProtocolRequirements
  /// The length of the longest name that is looked at, since associated types of associated types
  /// may go on for ever.
  private let longest: Int
  private var groups: [Group] = []
  private var parameters: [TypeNode: Int] = [:]

  /// - Parameters:
  ///   - conformances: The requirements that something may follow from.
  ///   - known: What has been read of protocols.
  init(
    _ conformances: [FunctionGenerics.Conformance], _ generics: FunctionGenerics,
    _ known: ProtocolRequirements
  ) {
    self.known = known
    let names =
      generics.stated.map(\.subject) + generics.superclasses.keys
      + generics.fixed.flatMap { [$0.key, $0.value] }
    longest = (names.map(\.nameCount).max() ?? 1) + 1
    var same = Array(generics.fixed)
    var rest = conformances
    var superclasses = Array(generics.superclasses)
    // A name means something once what it is a member of conforms to the protocol that has it.
    var isDone = false
    while !isDone {
      let before = rest.count + same.count + superclasses.count
      rest.removeAll { conform($0) }
      superclasses.removeAll { inherit($0.key, $0.value) }
      same.removeAll { equate($0.key, $0.value, nil) }
      isDone = rest.count + same.count + superclasses.count == before
    }
  }

  /// Whether the requirements imply this conformance.
  mutating func implies(_ conformance: FunctionGenerics.Conformance) -> Bool {
    guard let group = group(conformance.subject, nil) else { return false }
    let bound = conformance.protocolDescriptor
    return groups[group].protocols.contains(bound)
      || known.conforms(groups[group].superclasses, bound)
  }

  /// Whether the node is one known type, or a type whose parameters are known.
  mutating func isConcrete(_ node: TypeNode) -> Bool {
    if let group = group(node, nil), groups[group].isConcrete { return true }
    guard case .dependentMember(let base, let name, _) = node else { return false }
    if isConcrete(base) { return true }
    guard let owner = group(base, nil) else { return false }
    return groups[owner].protocols.contains {
      $0.declaring(associatedType: name) != nil && known.conforms(groups[owner].superclasses, $0)
    }
  }
}

// MARK: - Requirements

extension RequirementClosure {
  // All return false if a name in the requirement means nothing yet.

  private mutating func conform(_ conformance: FunctionGenerics.Conformance) -> Bool {
    guard let group = group(conformance.subject, nil) else { return false }
    conform(group, conformance.protocolDescriptor)
    return true
  }

  private mutating func inherit(_ subject: TypeNode, _ superclass: TypeNode) -> Bool {
    guard let group = group(subject, nil) else { return false }
    groups[group].superclasses.insert(superclass)
    return true
  }

  /// - Parameter owner: The type of `Self`, if a protocol has this requirement.
  private mutating func equate(_ left: TypeNode, _ right: TypeNode, _ owner: Int?) -> Bool {
    switch (GenericOrder.isSubject(left), GenericOrder.isSubject(right)) {
    case (true, true):
      guard let left = group(left, owner), let right = group(right, owner) else { return false }
      merge(left, right)
    case (true, false):
      guard let left = group(left, owner) else { return false }
      groups[left].isConcrete = true
    case (false, true):
      guard let right = group(right, owner) else { return false }
      groups[right].isConcrete = true
    case (false, false): break
    }
    return true
  }

  private mutating func conform(_ group: Int, _ bound: ProtocolDescriptor) {
    guard groups[group].protocols.insert(bound).inserted else { return }
    let requirements = known.of(bound)
    for case .conformance(let subject, let inner) in requirements {
      if let member = self.group(subject, group) { conform(member, inner) }
    }
    for requirement in requirements {
      switch requirement {
      case .superclass(let subject, let superclass):
        if let member = self.group(subject, group) {
          groups[member].superclasses.insert(superclass)
        }
      case .sameType(let left, let right): _ = equate(left, right, group)
      default: break
      }
    }
  }

  private mutating func merge(_ left: Int, _ right: Int) {
    let (left, right) = (current(left), current(right))
    if left == right { return }
    let taken = groups[right]
    groups[right].heir = left
    groups[left].length = min(groups[left].length, taken.length)
    groups[left].superclasses.formUnion(taken.superclasses)
    groups[left].isConcrete = groups[left].isConcrete || taken.isConcrete
    for (name, member) in taken.members {
      if let own = groups[left].members[name] {
        merge(own, member)
      } else {
        groups[left].members[name] = member
      }
    }
    for bound in taken.protocols { conform(current(left), bound) }
  }
}

// MARK: - Names

extension RequirementClosure {
  private func current(_ group: Int) -> Int {
    var group = group
    while let heir = groups[group].heir { group = heir }
    return group
  }

  private mutating func make(_ length: Int) -> Int {
    groups.append(Group(length: length))
    return groups.count - 1
  }

  /// The group of a name; nil if the name means nothing, or is too long.
  private mutating func group(_ node: TypeNode, _ owner: Int?) -> Int? {
    switch node {
    case .genericParameter:
      if let owner { return current(owner) }
      if let found = parameters[node] { return current(found) }
      let made = make(1)
      parameters[node] = made
      return made
    case .dependentMember(let base, let name, _):
      guard let outer = group(base, owner) else { return nil }
      if let found = groups[outer].members[name] { return current(found) }
      guard groups[outer].length < longest,
        groups[outer].protocols.contains(where: { $0.declaring(associatedType: name) != nil })
      else { return nil }
      let made = make(groups[outer].length + 1)
      groups[outer].members[name] = made
      return made
    default: return nil
    }
  }
}

extension TypeNode {
  fileprivate var nameCount: Int {
    if case .dependentMember(let base, _, _) = self { base.nameCount + 1 } else { 1 }
  }
}

/// The requirements of the protocols and classes in a signature, as far as they were read.
final class ProtocolRequirements {
  private struct Conformance: Hashable {
    let superclass: TypeNode
    let bound: ProtocolDescriptor
  }

  private let program: RunningProgram
  private var requirements: [ProtocolDescriptor: [GenericContext.Requirement]] = [:]
  private var conformances: [Conformance: Bool] = [:]

  init(_ program: RunningProgram) {
    self.program = program
  }

  func of(_ bound: ProtocolDescriptor) -> [GenericContext.Requirement] {
    if let found = requirements[bound] { return found }
    let read = bound.signature
    requirements[bound] = read
    return read
  }

  /// Whether one of the classes conforms. If a class is generic, whatever its parameters stand for.
  func conforms(_ superclasses: Set<TypeNode>, _ bound: ProtocolDescriptor) -> Bool {
    superclasses.contains { superclass in
      let key = Conformance(superclass: superclass, bound: bound)
      if let found = conformances[key] { return found }
      let type =
        superclass.isDependent
        ? superclass.nominal.flatMap { StandIns.type(of: $0, in: program) }
        : program.runtimeType(superclass)
      let found = type.map { bound.conformance(of: $0) != nil } ?? false
      conformances[key] = found
      return found
    }
  }
}
