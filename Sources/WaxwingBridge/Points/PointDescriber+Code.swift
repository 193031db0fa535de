// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
package import WaxwingReflection

/// Describes functions that have no replacement entry, and are overridden by rewriting their code.
extension PointDescriber {
  /// Those of the running program, by selector. Nobody has looked whether they can be overridden.
  package static func codePoints(of program: RunningProgram) -> [RunningPoint] {
    let functions = program.functionsWithoutEntry.filter {
      MemberKind($0.declaration.kind) != nil
        && !CodeOfFunction.isStored($0.declaration, in: program)
    }
    let points = RunningPoints(functions, of: program)
    return points.indices.map { points[$0] }.sorted {
      $0.description.selector < $1.description.selector
    }
  }

  /// The descriptions of some of them with what has been found out by looking whether they can be overridden. It reads all
  /// code of the program once.
  package static func checked(
    _ points: ArraySlice<RunningPoint>, in program: RunningProgram
  ) -> [PointDescription] {
    program.describe(points.map(\.function))
    return points.map { point in
      var checked = point.description
      checked.isRewritten = true
      do throws(PlanError) {
        let function = try CodeOfFunction.entered(point.function, in: program)
        if case .type(let name) = checked.owner,
          isUnknown(name, in: program)
        {
          let owner = checked.ownerTitle
          throw PlanError(
            function, "patches have no name for \(owner), which is another module's")
        }
        switch OverrideCheck.verdict(on: function, in: program) {
        case .refused(let reason): checked.refusal = reason
        case .accepted(let opaque, let note):
          (checked.opaque, checked.note) = (opaque, note)
          checked.missed = function.enteredCode?.missed
          checked.note = checked.missed ?? checked.note
        }
      } catch {
        checked.refusal = error.reason
      }
      return checked
    }
  }

  /// Whether patches cannot name a type, as protocols of the standard library that a package extends.
  private static func isUnknown(_ type: String, in program: RunningProgram) -> Bool {
    ((try? NameResolver(program).knownType(type)) ?? nil) == nil
  }

  /// Those that a file names. Nobody has looked whether they can be overridden.
  package static func codePoints(in image: ElfImage) throws(ElfError) -> [PointDescription] {
    let functions = try PatchPoint.withoutEntry(in: image).filter {
      MemberKind($0.declaration.kind) != nil
    }
    let names = PointNames(functions)
    let values = StaticValueOwners(of: parts, in: image)
    return functions.enumerated().map { place, function in
      description(of: function, at: place, names, values, address: function.implementation)
    }
    .sorted { $0.selector < $1.selector }
  }
}
