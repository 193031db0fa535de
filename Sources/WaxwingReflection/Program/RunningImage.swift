// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import Synchronization

/// An ELF image that is loaded into this process.
package struct RunningImage: Hashable, Sendable {
  /// The file; for the program itself the link that leads to it even when it has been replaced.
  let path: String
  /// The offset between addresses in the file and addresses in memory.
  package let base: UInt
  /// Whether the image is part of the system or of Swift itself, which have no patch points of the program's.
  package let isSystem: Bool

  /// The program first, then its libraries in the order of loading.
  package static func all() -> [RunningImage] {
    var images: [(path: String, base: UInt)] = []
    unsafe withUnsafeMutablePointer(to: &images) { images in
      unsafe wax_process_for_each_image(
        { context, path, base in
          guard
            let images = unsafe context?.assumingMemoryBound(to: [(path: String, base: UInt)].self),
            let file = unsafe path
          else {
            return
          }
          let path =
            unsafe images.pointee.isEmpty ? RunningImage.programPath : String(cString: file)
          unsafe images.pointee.append((path, UInt(base)))
        }, unsafe images)
    }
    // Not in the callback, which has the loader's lock: files are read.
    return images.map { RunningImage(path: $0.path, base: $0.base) }
  }

  /// The file by its name, also of the program itself; it may have been replaced since.
  package var file: String { path == Self.programPath ? ProgramName.file ?? path : path }

  /// How many images were ever loaded.
  static var countAdded: UInt64 { wax_process_images_added() }

  /// Whether the image is there for good, from now on: its symbols may be referred to.
  var isKept: Bool { unsafe path == Self.programPath || wax_process_image_keep(path) }

  /// The places in the image's code that may refer to one of these addresses, by address.
  func references(to addresses: [UInt]) -> [UInt: [UInt]] {
    let targets = addresses.sorted()
    let none = wax_process_reference(place: 0, target: 0)
    var found = [wax_process_reference](repeating: none, count: targets.count * 4)
    var count = 0
    repeat {
      if count > found.count { found = [wax_process_reference](repeating: none, count: count) }
      count = unsafe wax_process_references(base, targets, targets.count, &found, found.count)
    } while count > found.count
    return Dictionary(grouping: found.prefix(count), by: { UInt($0.target) })
      .mapValues { $0.map { UInt($0.place) } }
  }

  /// Which of some addresses are words of the image's data.
  func inData(_ addresses: [UInt]) -> Set<UInt> {
    let targets = addresses.sorted()
    var found = [Bool](repeating: false, count: targets.count)
    unsafe wax_process_words_in_data(base, targets, targets.count, &found)
    return Set(zip(targets, found).filter(\.1).map(\.0))
  }

  private static let programPath = "/proc/self/exe"

  /// - Parameters:
  ///   - path: The file; empty for what the kernel adds.
  ///   - base: What is added to the addresses in the file.
  init(path: String, base: UInt) {
    self.path = path
    self.base = base
    isSystem =
      Self.isSystemPath(path) && (Self.isOfToolchain(path) || !Self.hasEntries(path, at: base))
  }

  /// The images whose paths are the system's, as far as they were examined. A file may be replaced,
  /// which does not change the image.
  private static let known = Mutex<[Place: Bool]>([:])

  private struct Place: Hashable {
    let path: String
    let base: UInt
  }

  private static func hasEntries(_ path: String, at base: UInt) -> Bool {
    let place = Place(path: path, base: base)
    if let known = known.withLock({ $0[place] }) { return known }
    let found = wax_process_image_is_swift(base) && hasEntries(path)
    known.withLock { $0[place] = found }
    return found
  }

  /// Whether a file has functions with replacement entries.
  private static func hasEntries(_ path: String) -> Bool {
    guard let image = try? ElfImage(symbolsOf: path) else { return false }
    return ElfSymbolTable.allCases.contains { table in
      let found = try? unsafe image.symbols(in: table) { name in
        unsafe name.count > 4 && name.starts(with: "$s".utf8)
          && name.suffix(2).elementsEqual("TX".utf8)
      }
      return found?.isEmpty == false
    }
  }

  /// Whether a file is part of the system or of Swift itself: its path tells that, and it has no replacement
  /// entries of its own.
  package static func isSystem(_ path: String) -> Bool {
    isSystemPath(path) && (isOfToolchain(path) || !hasEntries(path))
  }

  private static func name(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }

  /// The libraries of Swift's that have replacement entries, or take long to be looked through.
  private static let toolchain: Set<Substring> = [
    "libFoundation.so", "libFoundationEssentials.so", "libFoundationInternationalization.so",
    "libFoundationNetworking.so", "libFoundationXML.so", "libTesting.so", "libXCTest.so",
    "lib_FoundationICU.so", "libdispatch.so", "libswiftCore.so", "libswift_Concurrency.so",
    "libswift_RegexParser.so", "libswift_StringProcessing.so",
  ]

  private static func isOfToolchain(_ path: String) -> Bool { toolchain.contains(name(path)) }

  private static func isSystemPath(_ path: String) -> Bool {
    let name = name(path)
    return path.hasPrefix("/lib/") || path.hasPrefix("/usr/lib/") || path.hasPrefix("/lib64/")
      || path.hasPrefix("linux-vdso") || name.hasPrefix("libswift")
      || name.hasPrefix("lib_Foundation")
      || name.hasPrefix("libFoundation") || name.hasPrefix("libdispatch")
      || name.hasPrefix("libBlocksRuntime") || name.hasPrefix("libTesting")
      || name.hasPrefix("lib_Testing") || name.hasPrefix("libXCTest") || path.isEmpty
  }
}
