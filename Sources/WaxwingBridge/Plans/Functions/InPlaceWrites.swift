// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
package import WaxwingReflection
internal import WaxwingValues

/// Setters that writes in place do not reach.
///
/// `x.items.append(1)`, `x.count += 1` and `change(&x.count)` go through the `modify` coroutine of a
/// property. That of a property with `get` and `set` calls the setter. Of a property with a wrapper, or
/// of an `@Observable` class, it writes to what stores the value, and no replacement entry leads to it.
/// `synthesizeModifyCoroutineBody` in the compiler's lib/Sema/TypeCheckStorage.cpp, Swift 6.3.
package enum InPlaceWrites {
  /// The note for such a setter.
  static let note =
    "writes in place (`+=`, `append`, `inout`) do not reach this setter: the property's `modify` writes "
    + "to its storage, and has no replacement entry"

  /// The note for a setter whose property is stored in a way that the program does not tell.
  static let possibleNote =
    "writes in place (`+=`, `append`, `inout`) may not reach this setter: the program does not tell what the "
    + "type has stored, and the `modify` of a property with a wrapper, or that is observed, writes to its storage"

  /// Whether writes in place pass a setter by.
  private enum Verdict {
    case no, yes
    /// The program has neither the property's coroutine nor a description of the type's fields.
    case unknown

    var note: String? {
      switch self {
      case .no: nil
      case .yes: InPlaceWrites.note
      case .unknown: possibleNote
      }
    }
  }

  /// A note about a setter that writes in place do not reach, or may not reach. Reads the code of
  /// the property's coroutine.
  package static func note(of setter: RunningFunction, in program: RunningProgram) -> String? {
    verdict(of: setter, in: program).note
  }

  private static func verdict(
    of setter: RunningFunction, in program: RunningProgram
  ) -> Verdict {
    guard setter.isPatchPoint, setter.witness == nil,
      let modify = modifySymbol(of: setter.symbol, setter.declaration.kind)
    else { return .no }
    let address = setter.address
    guard let start = program.address(ofSymbol: modify, near: address) else {
      return isStoredElsewhere(setter, in: program)
    }
    let starts = [start] + program.addresses(prefix: modify + ".resume.", near: address)
    let isReached = starts.contains { start in
      let end = min(program.nextSymbol(after: start) ?? start, start + mostCode)
      return CodeReferences.lead(from: start..<end, to: address)
    }
    return isReached ? .no : .yes
  }

  private static let mostCode: UInt = 4096

  /// The symbol of the `modify` coroutine of a setter: `…vs` becomes `…vM`, and for a static setter
  /// `…vMZ`.
  private static func modifySymbol(of setter: String, _ kind: DeclarationKind) -> String? {
    guard kind == .setter || kind == .subscriptSetter else { return nil }
    if setter.hasSuffix("sZ") { return setter.dropLast(2) + "MZ" }
    return setter.hasSuffix("s") ? setter.dropLast() + "M" : nil
  }

  /// The optimiser leaves no coroutine where it has put its code into others. Then the fields tell: the
  /// value of `name` is in `_name`, which is a wrapper, or a part of an object that is observed.
  private static func isStoredElsewhere(
    _ setter: RunningFunction, in program: RunningProgram
  ) -> Verdict {
    guard let nominal = ownerOfStorage(setter.declaration) else { return .no }
    guard let type = program.runtimeType(.nominal(nominal)) else {
      let known = program.types[nominal.qualifiedName]?.first { $0.nominal == nominal.unbound }
      let records = FieldRecords.of(descriptor: known?.descriptor ?? 0)
      return verdict(names: records.compactMap(\.name), count: records.count, setter.declaration)
    }
    if MissingMetadata(type) != nil { return .unknown }
    let fields = TypeMetadata.fields(of: type)
    guard let field = fields.first(where: { $0.name == "_" + setter.declaration.baseName })
    else { return .no }
    if fields.contains(where: { $0.name == observationRegistrar }) { return .yes }
    let isWrapper =
      TypeMetadata.fields(of: field.type).contains { $0.name == wrappedValue }
      || TypeMetadata.descriptor(of: field.type).flatMap(program.type(withDescriptor:)).map {
        program.members(of: $0).contains { $0.declaration.baseName == wrappedValue }
      } ?? false
    if isWrapper { return .yes }
    return MissingMetadata(field.type) == nil ? .no : .unknown
  }

  /// The type that a property's value may be stored in under another name; nil: none. Extensions store nothing.
  private static func ownerOfStorage(_ setter: FunctionDeclaration) -> NominalType? {
    guard !setter.isStatic, setter.kind == .setter, case .type(let owner) = setter.context,
      owner.kind == .struct || owner.kind == .class
    else { return nil }
    return owner
  }

  /// The verdict for a type of which only the names of its stored properties are known.
  private static func verdict(
    names: [String], count: Int, _ setter: FunctionDeclaration
  ) -> Verdict {
    if count == 0 || names.count < count { return .unknown }
    guard names.contains("_" + setter.baseName) else { return .no }
    return names.contains(observationRegistrar) ? .yes : .unknown
  }

  private static let observationRegistrar = "_$observationRegistrar"
  private static let wrappedValue = "wrappedValue"

  // MARK: Files

  /// The notes for the setters among an image's patch points, by symbol.
  static func notes(of points: [PatchPoint], in image: ElfImage) -> [String: String] {
    let setters = points.filter { modifySymbol(of: $0.symbol, $0.declaration.kind) != nil }
    guard !setters.isEmpty, let code = ElfCode(image) else { return [:] }
    let (addresses, sorted) = code.symbols()
    let fields = StoredNames(image, points)
    return code.withMemory { memory in
      func verdict(_ point: PatchPoint) -> Verdict {
        guard let modify = modifySymbol(of: point.symbol, point.declaration.kind),
          let setter = point.implementation
        else { return .no }
        guard let start = addresses[modify] else { return fields.isStoredElsewhere(point) }
        let resumes = (0..<4).compactMap { addresses["\(modify).resume.\($0)"] }
        let isReached = ([start] + resumes).contains { start in
          let end = min(next(after: start, in: sorted), start + UInt64(mostCode))
          let range = memory.place(of: start)..<memory.place(of: max(end, start))
          guard memory.range.contains(range.lowerBound), range.upperBound <= memory.range.upperBound
          else { return true }
          return CodeReferences.lead(from: range, to: memory.place(of: setter))
        }
        return isReached ? .no : .yes
      }
      let found = setters.compactMap { point in verdict(point).note.map { (point.symbol, $0) } }
      return Dictionary(found) { first, _ in first }
    }
  }

  private static func next(after address: UInt64, in sorted: [UInt64]) -> UInt64 {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] <= address { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count ? sorted[low] : address
  }

  /// The stored properties of a file's types.
  private struct StoredNames {
    private let fields: [NominalType: FieldCatalog.Fields]
    /// The types that have a function `wrappedValue`.
    private let wrappers: Set<NominalType>

    init(_ image: ElfImage, _ points: [PatchPoint]) {
      fields =
        (try? TypeDescriptorCatalog(image: image)).map {
          FieldCatalog(image: image, types: $0).fields
        } ?? [:]
      wrappers = Set(
        points.filter { $0.declaration.baseName == wrappedValue }.compactMap {
          $0.declaration.context.memberOf?.unbound
        })
    }

    func isStoredElsewhere(_ point: PatchPoint) -> Verdict {
      guard let owner = ownerOfStorage(point.declaration) else { return .no }
      guard let records = fields[owner.unbound]?.records else { return .unknown }
      guard let stored = records.first(where: { $0.name == "_" + point.declaration.baseName })
      else {
        return records.contains { $0.name.isEmpty } ? .unknown : .no
      }
      if records.contains(where: { $0.name == observationRegistrar }) { return .yes }
      guard let wrapper = stored.type?.nominal?.unbound else { return .unknown }
      if wrappers.contains(wrapper) { return .yes }
      guard let own = fields[wrapper]?.records else { return .no }
      return own.contains { $0.name == wrappedValue } ? .yes : .no
    }
  }
}
