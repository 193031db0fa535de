// SPDX-License-Identifier: MIT

extension Demangler {
  private static let mostParameters = 128

  /// Counts of parameters per depth up to `l`; without counts it is one parameter.
  mutating func genericSignature(hasCounts: Bool) throws(DemanglingFailure) -> GenericSignature {
    var counts = [1]
    if hasCounts {
      counts = []
      while !skip("l") {
        let count = skip("z") ? 0 : try index() + 1
        guard count <= Self.mostParameters else { throw DemanglingFailure() }
        counts.append(count)
      }
    }
    var requirements: [GenericRequirement] = []
    while let requirement = try popRequirementIfPresent() { requirements.append(requirement) }
    return GenericSignature(parameterCounts: counts, requirements: requirements.reversed())
  }

  /// Reads a generic parameter, after `q` and as the subject of requirements.
  mutating func genericParameter() throws(DemanglingFailure) -> TypeNode {
    if skip("d") {
      let depth = try index() + 1
      return .genericParameter(depth: depth, index: try index())
    }
    if skip("z") { return .genericParameter(depth: 0, index: 0) }
    if skip("s") { return .constrainedExistentialSelf }
    return .genericParameter(depth: 0, index: try index() + 1)
  }

  /// Reads a requirement, after `R`. The letter tells both what is required and how the subject is
  /// spelled.
  mutating func requirement() throws(DemanglingFailure) -> GenericRequirement {
    switch nextCharacter() {
    case "V":
      let subject = try genericParameter()
      return .value(subject, try popType())
    case "v": return .pack(try genericParameter())
    case "c": return try superclassRequirement(try simpleMember())
    case "C": return try superclassRequirement(try compoundMember())
    case "b": return try superclassRequirement(try genericParameter())
    case "B": return try superclassRequirement(try popType())
    case "t": return try sameTypeRequirement(try simpleMember())
    case "T": return try sameTypeRequirement(try compoundMember())
    case "s": return try sameTypeRequirement(try genericParameter())
    case "S": return try sameTypeRequirement(try popType())
    case "m": return .layout(try simpleMember(), try layoutConstraint())
    case "M": return .layout(try compoundMember(), try layoutConstraint())
    case "l": return .layout(try genericParameter(), try layoutConstraint())
    case "L": return .layout(try popType(), try layoutConstraint())
    case "p": return try conformanceRequirement(try simpleMember())
    case "P": return try conformanceRequirement(try compoundMember())
    case "Q": return try conformanceRequirement(try popType())
    case "h":
      let subject = try genericParameter()
      return .sameShape(subject, try popType())
    case "i":
      let bit = try index()
      return .inverse(try genericParameter(), bit: bit)
    case "I":
      let bit = try index()
      return .inverse(try popType(), bit: bit)
    default:
      position -= 1
      return try conformanceRequirement(try genericParameter())
    }
  }

  private mutating func superclassRequirement(
    _ subject: TypeNode
  ) throws(DemanglingFailure) -> GenericRequirement { .superclass(subject, try popType()) }

  private mutating func sameTypeRequirement(
    _ subject: TypeNode
  ) throws(DemanglingFailure) -> GenericRequirement { .sameType(subject, try popType()) }

  private mutating func conformanceRequirement(
    _ subject: TypeNode
  ) throws(DemanglingFailure) -> GenericRequirement { .conformance(subject, try popProtocol()) }

  private mutating func simpleMember() throws(DemanglingFailure) -> TypeNode {
    let base = try genericParameter()
    let member = try memberType(of: base, isCompound: false)
    try remember(.type(member))
    return member
  }

  private mutating func compoundMember() throws(DemanglingFailure) -> TypeNode {
    let base = try genericParameter()
    let member = try memberType(of: base, isCompound: true)
    try remember(.type(member))
    return member
  }

  /// A dependent member type; its names, and its base unless given, are on the stack.
  mutating func memberType(
    of base: TypeNode?, isCompound: Bool
  ) throws(DemanglingFailure) -> TypeNode {
    var path: [(name: String, protocol: TypeNode?)] = []
    if isCompound {
      path = try popList { demangler throws(DemanglingFailure) in
        try demangler.popMemberName()
      }
    } else {
      path = [try popMemberName()]
    }
    var type = if let base { base } else { try popType() }
    for member in path {
      type = .dependentMember(base: type, name: member.name, protocol: member.protocol)
    }
    nest(by: path.count)
    return type
  }

  private mutating func popMemberName() throws(DemanglingFailure)
    -> (name: String, protocol: TypeNode?)
  {
    let declaring = try popTypeIfPresent()
    if let declaring, !declaring.isProtocol { throw DemanglingFailure() }
    return (try popIdentifier(), declaring)
  }

  private mutating func layoutConstraint() throws(DemanglingFailure) -> LayoutConstraint {
    let code = next()
    switch Unicode.Scalar(code) {
    case "U", "R", "N", "C", "D", "T", "B":
      return LayoutConstraint(code: code, size: nil, alignment: nil)
    case "E", "M":
      let size = try index()
      return LayoutConstraint(code: code, size: size, alignment: try index())
    case "e", "m", "S": return LayoutConstraint(code: code, size: try index(), alignment: nil)
    default: throw DemanglingFailure()
    }
  }
}
