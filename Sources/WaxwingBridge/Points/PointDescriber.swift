// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
package import WaxwingReflection

/// Describes patch points, those of the running program or those of a file.
package enum PointDescriber {
  /// The parts of a type object into which patches write overrides, such as `Account.get`, and the
  /// type object itself.
  package static let parts = ["didSet", "get", "set", "static", "willSet"]

  /// All patch points of the running program with their descriptions: see `RunningPoints`.
  package static func points(of program: RunningProgram) -> [RunningPoint] {
    let points = RunningPoints(of: program)
    return points.indices.map { points[$0] }
  }

  /// A patch point of the running program, with its description.
  package struct RunningPoint: Sendable {
    package let function: RunningFunction
    package let description: PointDescription

    /// The description with what has been found out by looking whether it can be overridden.
    package func checked(in program: RunningProgram) -> PointDescription {
      guard description.refusal == nil else { return description }
      var checked = description
      switch OverrideCheck.verdict(on: function, in: program) {
      case .refused(let reason): checked.refusal = reason
      case .accepted(let opaque, let note):
        checked.opaque = opaque
        checked.note = note ?? InPlaceWrites.note(of: function, in: program)
      }
      return checked
    }
  }

  /// The patch points of the running program that cannot be overridden because they have no code,
  /// and entries whose symbols cannot be read.
  package static func unusable(in program: RunningProgram) -> [PointDescription] {
    let names = PointNames(program.codelessPoints)
    let values = program.staticValueOwners(of: parts)
    return program.codelessPoints.enumerated().map { place, point in
      var found = description(of: point, at: place, names, values, address: nil)
      found.refusal = codeless
      return found
    } + program.unreadable.map(unreadable)
  }

  /// All patch points that a file names. Nobody has looked whether they can be overridden, but for
  /// those without code and the initializers that classes do not have; nor which of their parts are
  /// opaque, but for `self`.
  package static func points(
    of catalog: PatchPointCatalog, in image: ElfImage
  ) -> [PointDescription] {
    let names = PointNames(catalog.points)
    let values = StaticValueOwners(of: parts, in: image)
    let missing = MissingInitializers.among(catalog.points, in: image)
    let notes = InPlaceWrites.notes(of: catalog.points, in: image)
    let opaque = OpaqueOwners(of: catalog, in: image)
    return catalog.points.enumerated().map { place, point in
      var found = description(of: point, at: place, names, values, address: point.implementation)
      if point.implementation == nil { found.refusal = codeless }
      if point.isReplacement { found.refusal = DynamicReplacement.refusal }
      found.note = notes[point.symbol]
      found.opaque = opaque.note(on: point.declaration)
      if missing.contains(point.symbol) {
        found.isMissing = true
        found.refusal = MissingInitializers.reason
      }
      return found
    } + catalog.unreadable.map(unreadable)
  }

  private static let codeless = "its image has an entry for it, but does not name its code"

  /// - Parameter place: The function's among those that `names` knows.
  static func description<Function: NamedFunction>(
    of function: Function, at place: Int, _ names: PointNames<Function>,
    _ values: StaticValueOwners, address: UInt64?
  ) -> PointDescription {
    let declaration = function.declaration
    let type = owner(of: declaration)
    let typeName = type.map(names.typeName)
    let owner = typeName.map(PointDescription.Owner.type) ?? .module(declaration.module)
    return PointDescription(
      symbol: function.symbol, selector: names.selector(place, owner: owner.name),
      plainSelector: declaration.pointName,
      declaration: declaration.description, module: declaration.module, owner: owner,
      ownerTitle: type?.qualifiedName ?? declaration.module,
      kind: MemberKind(declaration.kind), isStatic: type != nil && declaration.isStatic,
      isAsync: function.isAsync, isThrowing: declaration.isThrowing,
      member: names.member(place),
      parameters: PointParameters.names(of: declaration), takesSelf: type != nil,
      address: address,
      mayHideParts: type.map { $0.kind == .enum || values.mayBe(in: $0) } ?? false,
      refusal: names.hasAccessor(ofPropertyOf: place)
        ? declaration.kind.refusal : declaration.kind.refusalWithoutGetter)
  }

  /// The type that a function, or the property of an accessor, is a member of.
  static func owner(of declaration: FunctionDeclaration) -> NominalType? {
    (declaration.context.memberOf ?? declaration.property?.context.memberOf)?.unbound
  }

  private static func unreadable(_ symbol: String) -> PointDescription {
    PointDescription(
      symbol: symbol, selector: symbol, plainSelector: symbol, declaration: symbol, module: "",
      owner: .module(""),
      ownerTitle: "", kind: nil, isStatic: false, isAsync: false, isThrowing: false, member: symbol,
      parameters: [], takesSelf: false, address: nil, mayHideParts: false,
      refusal: "its symbol cannot be read, so that it has no name")
  }
}
