// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations
package import WaxwingReflection

/// Functions of the running program, each described when it is asked for: a list of a few of them does not pay for
/// the others.
package struct RunningPoints: Sendable {
  private let functions: [RunningFunction]
  private let names: PointNames<RunningFunction>
  private let values: StaticValueOwners

  /// All patch points of a program, by selector, as far as they are read: not those of libraries that the program may
  /// yet load, nor initializers that classes do not have. Nobody has looked whether they can be overridden.
  package init(of program: RunningProgram) {
    self.init(
      program.patchPoints.filter { !MissingInitializers.contains($0, in: program) }, of: program)
  }

  init(_ functions: [RunningFunction], of program: RunningProgram) {
    self.functions = functions
    names = PointNames(functions)
    values = program.staticValueOwners(of: PointDescriber.parts)
  }

  package var indices: Range<Int> { functions.indices }

  /// A function with its description.
  package subscript(place: Int) -> PointDescriber.RunningPoint {
    let function = functions[place]
    Self.described.add(1, ordering: .relaxed)
    return PointDescriber.RunningPoint(
      function: function,
      description: PointDescriber.description(
        of: function, at: place, names, values, address: UInt64(function.address)))
  }

  /// The selector that the description of a function has.
  package func selector(of place: Int) -> String {
    let function = functions[place]
    let type = PointDescriber.owner(of: function.declaration)
    return names.selector(
      place, owner: type.map(names.typeName) ?? function.declaration.module)
  }

  private static let described = Atomic(0)

  /// How many descriptions were made in this process so far.
  package static var descriptions: Int { described.load(ordering: .relaxed) }
}
