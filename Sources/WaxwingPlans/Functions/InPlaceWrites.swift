// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingMetadata
package import WaxwingReflection

/// Setters that writes in place do not reach.
///
/// `x.items.append(1)`, `x.count += 1` and `change(&x.count)` go through the `modify` coroutine of a
/// property. That of a property with `get` and `set` calls the setter. Of a property with a wrapper, or
/// of an `@Observable` class, it writes to what stores the value, and no replacement entry leads to it.
/// `synthesizeModifyCoroutineBody` in the compiler's lib/Sema/TypeCheckStorage.cpp, Swift 6.3.
package enum InPlaceWrites {
  /// What there is to say of such a setter.
  package static let note =
    "writes in place (`+=`, `append`, `inout`) do not reach this setter: the property's `modify` writes "
    + "to its storage, and has no replacement entry"

  /// Whether writes in place pass the setter by. Reads the code of the property's coroutine.
  package static func bypass(_ setter: RunningFunction, in program: RunningProgram) -> Bool {
    guard setter.isPatchPoint, setter.witness == nil,
      let modify = modifySymbol(of: setter.symbol, setter.declaration.kind)
    else { return false }
    let address = setter.address
    guard let start = program.address(ofSymbol: modify, near: address) else {
      return isStoredElsewhere(setter, in: program)
    }
    let starts = [start] + program.addresses(prefix: modify + ".resume.", near: address)
    return !starts.contains { start in
      let end = min(program.nextSymbol(after: start) ?? start, start + mostCode)
      return CodeReferences.lead(from: start..<end, to: address)
    }
  }

  private static let mostCode: UInt = 4096

  /// Of `…vs` it is `…vM`, of a static one `…vMZ`.
  private static func modifySymbol(of setter: String, _ kind: DeclarationKind) -> String? {
    guard kind == .setter || kind == .subscriptSetter else { return nil }
    if setter.hasSuffix("sZ") { return setter.dropLast(2) + "MZ" }
    return setter.hasSuffix("s") ? setter.dropLast() + "M" : nil
  }

  /// The optimiser leaves no coroutine where it has put its code into others. Then the fields tell: the
  /// value of `name` is in `_name`, which is a wrapper, or a part of an object that is observed.
  private static func isStoredElsewhere(
    _ setter: RunningFunction, in program: RunningProgram
  ) -> Bool {
    guard !setter.declaration.isStatic, let node = setter.declaration.contextType,
      let type = program.runtimeType(node)
    else { return false }
    let fields = TypeMetadata.fields(of: type)
    guard let field = fields.first(where: { $0.name == "_" + setter.declaration.baseName })
    else { return false }
    if fields.contains(where: { $0.name == observationRegistrar }) { return true }
    return TypeMetadata.fields(of: field.type).contains { $0.name == wrappedValue }
      || TypeMetadata.descriptor(of: field.type).flatMap(program.type(withDescriptor:)).map {
        program.members(of: $0).contains { $0.declaration.baseName == wrappedValue }
      } ?? false
  }

  private static let observationRegistrar = "_$observationRegistrar"
  private static let wrappedValue = "wrappedValue"

  // MARK: Files

  /// The symbols of the setters among an image's patch points that writes in place pass by.
  package static func bypassed(among points: [PatchPoint], in image: ElfImage) -> Set<String> {
    let setters = points.filter { modifySymbol(of: $0.symbol, $0.declaration.kind) != nil }
    guard !setters.isEmpty, let code = ElfCode(image) else { return [] }
    let (addresses, sorted) = code.symbols()
    let fields = StoredNames(image, points)
    return code.withMemory { memory in
      let found = setters.filter { point in
        guard let modify = modifySymbol(of: point.symbol, point.declaration.kind),
          let setter = point.implementation
        else { return false }
        guard let start = addresses[modify] else { return fields.isStoredElsewhere(point) }
        let resumes = (0..<4).compactMap { addresses["\(modify).resume.\($0)"] }
        return !([start] + resumes).contains { start in
          let end = min(next(after: start, in: sorted), start + UInt64(mostCode))
          let range = memory.place(of: start)..<memory.place(of: max(end, start))
          guard memory.range.contains(range.lowerBound), range.upperBound <= memory.range.upperBound
          else { return true }
          return CodeReferences.lead(from: range, to: memory.place(of: setter))
        }
      }
      return Set(found.map(\.symbol))
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

    func isStoredElsewhere(_ point: PatchPoint) -> Bool {
      guard !point.declaration.isStatic,
        let records = point.declaration.context.memberOf.flatMap({ fields[$0.unbound] })?.records,
        let stored = records.first(where: { $0.name == "_" + point.declaration.baseName })
      else { return false }
      if records.contains(where: { $0.name == observationRegistrar }) { return true }
      guard let wrapper = stored.type?.nominal?.unbound else { return false }
      return wrappers.contains(wrapper)
        || fields[wrapper]?.records.contains { $0.name == wrappedValue } == true
    }
  }
}
