// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import CWaxwingProcess

/// The images that have told Swift's runtime of their types and conformances. Each does so in one of its own
/// constructors: until that has run, the runtime finds none of its types by name.
enum RegisteredImages {
  /// The number of registered images. Types that the runtime does not find stay unknown until there
  /// are more.
  static var count: Int { addresses.count }

  /// Whether the image with this base is among them.
  static func contains(base: UInt) -> Bool {
    addresses.contains { address in
      var found: UInt = 0
      return unsafe wax_process_image_base(address, &found) && found == base
    }
  }

  /// One address in each registered image.
  private static var addresses: [UInt] {
    var addresses: [UInt] = []
    unsafe withUnsafeMutablePointer(to: &addresses) { addresses in
      unsafe wax_abi_for_each_registered_image(
        { context, address in
          unsafe context?.assumingMemoryBound(to: [UInt].self).pointee.append(
            UInt(bitPattern: address))
        }, unsafe addresses)
    }
    return addresses
  }
}

extension RunningProgram {
  /// Whether Swift's runtime knows the types of the program's own image. If it does not, the program is in its
  /// constructors still. A program that has neither types nor patch points of its own counts as known.
  package var hasRegisteredTypes: Bool { !own.programHasSwift || images[0].isRegistered }

  /// Why the types of a patch point cannot be found yet; nil: they can.
  package func unregistered(_ function: RunningFunction) -> String? {
    guard let image = image(at: function.entry ?? function.address), !image.isRegistered else {
      return nil
    }
    return
      "Swift's runtime does not know the types of \(image.image.file) yet, as its constructors have not run; "
      + "apply the patch again when it has been loaded"
  }
}
