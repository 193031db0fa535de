// SPDX-License-Identifier: MIT

internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// The designated initializers of a class of the program's or a library's, as subclasses call them.
struct DesignatedInitializers {
  /// The initializers that a subclass may call.
  let usable: [RunningFunction]
  /// The initializers of which only the compiler's stub exists.
  let missing: [RunningFunction]
  /// Whether there are others that a subclass may not call.
  private let hasHidden: Bool

  /// - Parameter ancestry: The class and its superclasses, nearest first.
  init(ofClassWithAncestry ancestry: [RunningType], in program: RunningProgram) {
    var (usable, missing): ([RunningFunction], [RunningFunction]) = ([], [])
    var unusable: [RunningFunction] = []
    for type in ancestry {
      let all = program.members(of: type).filter { $0.declaration.kind == .initializer }
      let isSystem = program.isSystem(type)
      for function in all {
        if MissingInitializers.contains(function, in: program) {
          missing.append(function)
        } else if function.isRemoved
          || MissingInitializers.refusal(of: function, in: program) != nil
          || isSystem && Self.isInternal(function.declaration)
        {
          unusable.append(function)
        } else {
          usable.append(function)
        }
      }
      // A class without any may have inherited those of its superclass, if there is nothing in it that
      // these would leave as it is, and nothing that they do not know of.
      guard all.isEmpty, !isSystem, Self.addsNothing(type) else { break }
    }
    (self.usable, self.missing, hasHidden) = (usable, missing, !unusable.isEmpty)
  }

  /// Whether a class of the program's has no stored properties of its own.
  ///
  ///     descriptor -> { header: 8 words of 32 bits, members: UInt32, fields: UInt32, … }
  private static func addsNothing(_ type: RunningType) -> Bool {
    guard let descriptor = UnsafeRawPointer(bitPattern: type.descriptor) else { return false }
    return descriptor.load(fromByteOffset: 36, as: UInt32.self) == 0
  }

  /// Libraries keep what only they may call by underscores: it has to have a symbol where their own
  /// inlined code calls it.
  private static func isInternal(_ declaration: FunctionDeclaration) -> Bool {
    declaration.labels.contains { $0?.hasPrefix("_") == true }
  }

  // MARK: Superclasses

  /// Why there can be no subclass in Lua of a class; nil: there can.
  /// - Parameter ancestry: The class and its superclasses, nearest first.
  static func refusal(
    ofSubclassOf type: any Any.Type, ancestry: [RunningType], in program: RunningProgram
  ) -> String? {
    let name = TypeName.short(type)
    guard let own = ancestry.first, own.descriptor == TypeMetadata.descriptor(of: type) else {
      return "no symbol names \(name), so that its initializers are not known"
    }
    if program.isSystem(own), own.path.split(separator: ".").contains(where: { $0.hasPrefix("_") })
    {
      return
        "\(name) is internal to its library: its objects have parts that only the library makes"
    }
    let found = DesignatedInitializers(ofClassWithAncestry: ancestry, in: program)
    guard found.usable.isEmpty else { return nil }
    let why =
      found.hasHidden || !found.missing.isEmpty
      ? "those that it has are internal, removed by the optimiser, or stubs for what it does not inherit"
      : "it is made by functions of its own, or its initializers are private"
    return
      "\(name) has no designated initializer that a subclass could call: \(why); make a class of another "
      + "superclass, or override methods of \(name)"
  }
}
