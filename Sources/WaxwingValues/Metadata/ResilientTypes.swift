// SPDX-License-Identifier: MIT

package import WaxwingDeclarations
internal import WaxwingInterception

/// Structs and enums that travel by address because their library may change them: those of modules that are
/// built for library evolution that are public and not `@frozen`.
///
/// Of Swift's own libraries nothing at run time tells; the names are those that `swift-api-digester -dump-sdk` gives
/// for the modules of Swift 6.3.1. Of others their symbols, value witnesses and machine code do: `ResilientTypeReader`.
package enum ResilientTypes {
  /// The types of the standard library that are not frozen, which are few.
  private static let resilient: Set<String> = [
    "CodingUserInfoKey", "CollectionDifference", "DecodingError", "DecodingError.Context",
    "DiscontiguousSlice", "DiscontiguousSlice.Index", "EncodingError", "EncodingError.Context",
    "FloatingPointRoundingRule", "KeyedDecodingContainer", "KeyedEncodingContainer", "Mirror",
    "Mirror.AncestorRepresentation", "Mirror.DisplayStyle", "RangeSet", "RangeSet.Ranges",
    "UTF8Span.CharacterIterator", "Unicode.CanonicalCombiningClass", "Unicode.GeneralCategory",
    "Unicode.NumericType", "Unicode.Scalar.Properties",
  ]

  /// The types of the concurrency library that are not frozen; most of that library's types have
  /// the standard library's name.
  private static let concurrency: Set<String> = [
    "AsyncCompactMapSequence", "AsyncCompactMapSequence.Iterator", "AsyncDropFirstSequence",
    "AsyncDropFirstSequence.Iterator", "AsyncDropWhileSequence", "AsyncDropWhileSequence.Iterator",
    "AsyncFilterSequence", "AsyncFilterSequence.Iterator", "AsyncFlatMapSequence",
    "AsyncFlatMapSequence.Iterator", "AsyncMapSequence", "AsyncMapSequence.Iterator",
    "AsyncPrefixSequence", "AsyncPrefixSequence.Iterator", "AsyncPrefixWhileSequence",
    "AsyncPrefixWhileSequence.Iterator", "AsyncStream", "AsyncStream.Continuation",
    "AsyncStream.Continuation.BufferingPolicy", "AsyncStream.Continuation.Termination",
    "AsyncStream.Continuation.YieldResult", "AsyncStream.Iterator",
    "AsyncThrowingCompactMapSequence", "AsyncThrowingCompactMapSequence.Iterator",
    "AsyncThrowingDropWhileSequence", "AsyncThrowingDropWhileSequence.Iterator",
    "AsyncThrowingFilterSequence", "AsyncThrowingFilterSequence.Iterator",
    "AsyncThrowingFlatMapSequence", "AsyncThrowingFlatMapSequence.Iterator",
    "AsyncThrowingMapSequence", "AsyncThrowingMapSequence.Iterator",
    "AsyncThrowingPrefixWhileSequence", "AsyncThrowingPrefixWhileSequence.Iterator",
    "AsyncThrowingStream", "AsyncThrowingStream.Continuation",
    "AsyncThrowingStream.Continuation.BufferingPolicy",
    "AsyncThrowingStream.Continuation.Termination", "AsyncThrowingStream.Continuation.YieldResult",
    "AsyncThrowingStream.Iterator", "CancellationError", "CheckedContinuation", "ContinuousClock",
    "ContinuousClock.Instant", "ExecutorJob.LocalAllocator", "PlatformExecutorFactory",
    "SuspendingClock", "SuspendingClock.Instant", "TaskGroup.Iterator", "TaskPriority",
    "ThrowingTaskGroup.Iterator", "UnsafeCurrentTask",
  ]

  private static let standard: Set<String> = ["Swift", "_Concurrency"]

  /// The frozen types of modules in which few types are frozen.
  private static let frozen: [String: Set<String>] = [
    "_StringProcessing": [],
    "RegexBuilder": [],
    "Observation": [],
  ]

  /// - Parameter shape: Of its values, if it is frozen.
  /// - Throws: `UnsupportedType` if that cannot be told.
  static func isResilient(
    _ type: any Any.Type, _ shape: TypeShape
  ) throws(UnsupportedType) -> Bool {
    if contains(type) { return true }
    guard let reader = ResilientTypeReader(type) else { return false }
    if let answer = reader.answer(shape) { return answer }
    throw UnsupportedType(
      type,
      because: reader.isModuleResilient
        ? "it is public in a module that is built with `-enable-library-evolution`, and nothing tells "
          + "whether it is `@frozen`, which decides how it is passed; build the module without the option"
        : "it is public and generic, and nothing tells whether its module is built with "
          + "`-enable-library-evolution`, which decides how it is passed; build the module without the "
          + "option, and let a function of it return the type")
  }

  /// Whether a type, which may be generic, is resilient, by its descriptor.
  /// - Returns: nil if that cannot be told.
  package static func isResilient(_ descriptor: ContextDescriptor) -> Bool? {
    if contains(descriptor.nominal) { return true }
    return ResilientTypeReader(descriptor)?.answer ?? false
  }

  static func contains(_ type: any Any.Type) -> Bool {
    let name = withoutArguments(TypeName.full(type))
    guard let dot = name.firstIndex(of: ".") else { return false }
    return contains(String(name[name.index(after: dot)...]), of: String(name[..<dot]))
  }

  package static func contains(_ nominal: NominalType) -> Bool {
    guard let module = nominal.rootModule, standard.contains(module) || frozen[module] != nil
    else { return false }
    let name = withoutArguments(nominal.qualifiedName)
    guard name.hasPrefix(module + ".") else { return false }
    return contains(String(name.dropFirst(module.utf8.count + 1)), of: module)
  }

  private static func contains(_ path: String, of module: String) -> Bool {
    if Self.standard.contains(module) {
      return resilient.contains(path) || concurrency.contains(path)
    }
    return frozen[module].map { !$0.contains(path) } ?? false
  }

  /// The name without generic arguments: `Swift.RangeSet.Ranges` for
  /// `Swift.RangeSet<Swift.Int>.Ranges`.
  private static func withoutArguments(_ name: String) -> String {
    guard name.contains("<") else { return name }
    var depth = 0
    return name.filter { character in
      if character == "<" { depth += 1 }
      defer { if character == ">" { depth -= 1 } }
      return depth == 0
    }
  }
}
