// SPDX-License-Identifier: MIT

internal import CWaxwingProcess

/// An ELF image that is loaded into this process.
package struct RunningImage: Hashable, Sendable {
  /// The file; for the program itself the link that leads to it even when it has been replaced.
  package let path: String
  /// What is added to the addresses in the file.
  package let base: UInt
  /// Whether the image is part of the system or of Swift itself, which have no patch points.
  let isSystem: Bool

  /// The program first, then its libraries in the order of loading.
  package static func all() -> [RunningImage] {
    var images: [RunningImage] = []
    unsafe withUnsafeMutablePointer(to: &images) { images in
      unsafe wax_process_for_each_image(
        { context, path, base in
          guard let images = unsafe context?.assumingMemoryBound(to: [RunningImage].self),
            let file = unsafe path
          else {
            return
          }
          let path =
            unsafe images.pointee.isEmpty ? RunningImage.programPath : String(cString: file)
          unsafe images.pointee.append(RunningImage(path: path, base: UInt(base)))
        }, unsafe images)
    }
    return images
  }

  /// The file by its name, also of the program itself; it may have been replaced since.
  package var file: String { path == Self.programPath ? ProgramName.file ?? path : path }

  /// How many images were ever loaded.
  static var countAdded: UInt64 { wax_process_images_added() }

  /// Whether the image is there for good, from now on: its symbols may be referred to.
  var isKept: Bool { unsafe path == Self.programPath || wax_process_image_keep(path) }

  private static let programPath = "/proc/self/exe"

  /// - Parameters:
  ///   - path: The file; empty for what the kernel adds.
  ///   - base: What is added to the addresses in the file.
  init(path: String, base: UInt) {
    self.path = path
    self.base = base
    isSystem = Self.isSystem(path)
  }

  /// Whether a file is part of the system or of Swift itself, as its path tells.
  package static func isSystem(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return path.hasPrefix("/lib/") || path.hasPrefix("/usr/lib/") || path.hasPrefix("/lib64/")
      || path.hasPrefix("linux-vdso") || name.hasPrefix("libswift")
      || name.hasPrefix("lib_Foundation")
      || name.hasPrefix("libFoundation") || name.hasPrefix("libdispatch")
      || name.hasPrefix("libBlocksRuntime") || name.hasPrefix("libTesting")
      || name.hasPrefix("lib_Testing") || name.hasPrefix("libXCTest") || path.isEmpty
  }
}
