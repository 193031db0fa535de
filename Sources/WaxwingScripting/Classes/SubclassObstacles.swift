// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// The functions of a library's class that work for objects of exactly this class alone, such as `NSArray.count`: they
/// compare the class of `self` with their own, and end the program or call themselves without end for others.
///
/// A subclass in Swift overrides them. One in Lua cannot rely on that: where a Lua method fails, or its patch has ended,
/// the superclass answers.
struct SubclassObstacles {
  /// Why the class has no subclasses in Lua.
  let refusal: String

  /// Nil if there are none, or if the class is the program's: its author has found a way.
  /// - Parameter ancestry: The class and its superclasses, nearest first.
  init?(of superclass: any Any.Type, ancestry: [RunningType], in program: RunningProgram) {
    guard let own = ancestry.first, program.isSystem(own) else { return nil }
    let layout = LuaClass.Layout(superclass)
    var found: [RunningFunction] = []
    for type in sequence(first: superclass, next: TypeMetadata.superclass(of:)) {
      let descriptor = TypeMetadata.descriptor(of: type)
      guard let declared = ancestry.first(where: { $0.descriptor == descriptor }) else { continue }
      found += Self.obstacles(in: type, declared, program).filter { function in
        // A library's own subclass may have overridden it.
        !layout.places(of: function.address).isEmpty
          || LuaClass.Layout(type).places(of: function.address).isEmpty
      }
    }
    if found.isEmpty { return nil }
    let title = TypeName.short(superclass)
    refusal =
      "\(title) cannot have subclasses in Lua: \(Self.listed(found)) of its library works for objects of exactly "
      + "its class alone, and would end the program; make a class of another superclass, or override methods of "
      + title
  }

  private static func listed(_ functions: [RunningFunction]) -> String {
    let names = Set(functions.map(\.displayedName)).sorted()
    switch names.count {
    case 1: return names[0]
    case 2: return "\(names[0]), like \(names[1]),"
    default: return "\(names[0]), like \(names.count - 1) more functions,"
    }
  }

  // MARK: Finding them

  private struct Candidate {
    let function: RunningFunction
    let findings: ClassTestReader.Findings
  }

  private static func obstacles(
    in type: any Any.Type, _ declared: RunningType, _ program: RunningProgram
  ) -> [RunningFunction] {
    // What asks whether an object's class is the topmost one compares its class with that, too.
    guard TypeMetadata.superclass(of: type) != nil else { return [] }
    let fatal = MissingInitializers.fatalFunctions(in: program)
    let names = ["CFHash", "CFEqual"] as [String]
    let backwards: Set<UInt> = Set(
      names.compactMap { (name: String) -> UInt? in
        wax_abi_exported_function(name).map { UInt(bitPattern: $0) }
      })
    let owner = ClassTestReader.Owner(
      metadata: UInt(bitPattern: TypeMetadata.pointer(to: type)), isFatal: fatal.contains,
      handsBack: backwards.contains)
    let asked = program.members(of: declared).filter {
      !$0.isAsync && !$0.isRemoved && $0.witness == nil && isAsked($0.declaration)
        && program.isInSystem($0.address)
    }
    let all = asked.map { (function: RunningFunction) -> Candidate in
      Candidate(
        function: function,
        findings: ClassTestReader.findings(ofCodeAt: function.address, in: owner))
    }
    let isBridged = isBridged(declared, program)
    let found = all.filter { asked in
      let findings = asked.findings
      if asked.function.declaration.kind == .allocatingInitializer { return findings.testsType }
      if isBridged, isHash(asked.function), findings.callsItself { return true }
      return findings.testsObject && (findings.mayEnd || findings.callsItself || isBridged)
    }
    return found.map(\.function)
  }

  /// Whether CoreFoundation takes objects of exactly this class for its own. It gives those of others back to the class:
  /// Foundation registers such classes when it is loaded.
  ///
  ///     descriptor -> { flags: UInt32, parent, name, access function: Int32, … }
  private static func isBridged(_ type: RunningType, _ program: RunningProgram) -> Bool {
    guard let word = UnsafeRawPointer(bitPattern: type.descriptor + 12),
      let registration = program.address(
        ofSymbol: "$s10Foundation19__CFInitializeSwiftyyF", near: type.descriptor)
    else { return false }
    let access = UInt(bitPattern: word + Int(word.load(as: Int32.self)))
    return ClassTestReader.callees(ofCodeAt: registration).contains(access)
  }

  private static func isAsked(_ declaration: FunctionDeclaration) -> Bool {
    if declaration.kind == .allocatingInitializer { return true }
    return !declaration.isStatic && !declaration.isInitializer
      && [MemberKind.method, .getter, .setter].contains { $0.includes(declaration.kind) }
  }

  private static func isHash(_ function: RunningFunction) -> Bool {
    function.declaration.kind == .getter && function.declaration.baseName == "hash"
  }
}
