// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
package import WaxwingReflection

/// Describes closures, which are overridden by the names that they have here.
extension PointDescriber {
  /// A closure of the running program, with its description.
  package struct RunningClosure: Sendable {
    fileprivate let closure: ProgramClosure
    /// How many images have it.
    private let images: Int
    package let description: PointDescription

    fileprivate init(_ closure: ProgramClosure, images: Int, _ description: PointDescription) {
      self.closure = closure
      self.images = images
      self.description = description
    }

    private static let rewritten = "it is not async: it is overridden by rewriting its code"

    /// The description with what has been found out by looking whether it can be overridden.
    package func checked(in program: RunningProgram) -> PointDescription {
      var checked = description
      checked.describe(closure, program.describedClosure(closure))
      checked.isRewritten = !closure.isAsync
      if images > 1 {
        checked.refusal = ClosureNames.copied(images)
        return checked
      }
      do throws(NameError) {
        let use = try ClosureConvention.use(of: closure, in: program)
        let function = RunningFunction(closure, use)
        for entry in function.entries where checked.refusal == nil {
          switch OverrideCheck.verdict(on: entry, in: program) {
          case .refused(let reason): checked.refusal = reason
          case .accepted(let opaque, let note):
            (checked.opaque, checked.note) = (opaque, note)
            if function.enteredCode != nil { checked.note = note ?? Self.rewritten }
          }
        }
      } catch {
        let name = closure.declaration.qualifiedName + ": "
        let reason = error.description
        checked.refusal = reason.hasPrefix(name) ? String(reason.dropFirst(name.count)) : reason
      }
      return checked
    }
  }

  /// Reads what debugging information tells of closures, which looking at each of them alone would read again and again.
  package static func prepare(_ closures: [RunningClosure], in program: RunningProgram) {
    guard closures.count > mostSingly else { return }
    _ = program.describedClosures(closures.map(\.closure))
  }

  private static let mostSingly = 8

  /// The closures of the running program and its own libraries, by function. Nobody has looked whether they can be
  /// overridden.
  package static func closures(of program: RunningProgram) -> [RunningClosure] {
    let closures = ClosureNames.sorted(program.closures)
    let descriptions = descriptions(of: closures, isRunning: true) { name in
      program.types[name]?.count ?? 0
    }
    let images = Dictionary(grouping: closures, by: \.symbol).mapValues(\.count)
    return zip(closures, descriptions).map {
      RunningClosure($0, images: images[$0.symbol] ?? 1, $1)
    }
  }

  /// The closures that a file names, by function. Nobody has looked whether they can be overridden.
  package static func closures(in image: ElfImage) throws(ElfError) -> [PointDescription] {
    let types = try TypeDescriptorCatalog(image: image).descriptors.keys.map(\.qualifiedName)
    let counts = Dictionary(grouping: types) { $0 }.mapValues(\.count)
    let closures = ClosureNames.sorted(try ProgramClosure.all(in: image))
    let described = DebugInformation.closures(of: image)
    let points = descriptions(of: closures, isRunning: false) { counts[$0] ?? 0 }
    return zip(closures, points).map { closure, point in
      var point = point
      point.describe(closure, described[closure.symbol])
      return point
    }
  }

  /// - Parameters:
  ///   - isRunning: Whether types of all modules are known.
  ///   - typeCount: How many types have a name.
  private static func descriptions(
    of closures: [ProgramClosure], isRunning: Bool, _ typeCount: (String) -> Int
  ) -> [PointDescription] {
    let names = ClosureNames.Spellings(closures)
    return closures.map { description(of: $0, names, typeCount, isRunning: isRunning) }
  }

  private static func description(
    of closure: ProgramClosure, _ names: ClosureNames.Spellings, _ typeCount: (String) -> Int,
    isRunning: Bool
  ) -> PointDescription {
    let declaration = closure.declaration
    let scope = ClosureNames.Scope(declaration)
    let module = declaration.function.module
    // The optimiser drops types that nothing asks for, and `class` finds no protocols. No name leads to the members of
    // those; the types of other modules are not in a file.
    let type = scope.type.flatMap { type in
      let isKnown = typeCount(type.qualifiedName) > 0 || !isRunning && type.module != module
      return isKnown && type.kind != .protocol ? type : nil
    }
    let isOfLostType = type == nil && scope.type != nil
    let (member, isDoubled) =
      isOfLostType ? (closure.symbol, false) : names.name(of: closure)
    let owner = type.map { type -> String in
      let name = type.qualifiedName
      return type.isHidden && typeCount(name) > 1 ? "$s" + TypeNode.nominal(type).mangled : name
    }
    return PointDescription(
      symbol: closure.symbol,
      selector: isOfLostType
        ? closure.symbol : WrittenPoint.text(owner ?? module, isStatic: isDoubled, member, .method),
      plainSelector: declaration.qualifiedName, declaration: declaration.typeText, module: module,
      owner: owner.map(PointDescription.Owner.type) ?? .module(module),
      ownerTitle: type?.qualifiedName ?? module, kind: .method,
      isStatic: scope.isStatic && type != nil,
      isAsync: closure.isAsync, isThrowing: declaration.isThrowing, member: member,
      parameters: PointParameters.names(of: declaration), takesSelf: type != nil,
      address: nil, mayHideParts: false, isClosure: true)
  }
}

extension PointDescription {
  fileprivate mutating func describe(_ closure: ProgramClosure, _ described: DescribedClosure?) {
    place = described?.place
    captures = described?.capturedText(by: closure.declaration)
  }
}
