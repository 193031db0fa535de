// SPDX-License-Identifier: MIT

import CWaxwingPreload
import Glibc
import Waxwing

/// Does what the program's own `main` would do with one line. Called in place of that `main`, which comes next.
///
/// Public, so that optimised builds export it too: `waxwing exec` knows the engine by this symbol.
@_cdecl("waxwing_preload_begin")
public func begin(_ mustListen: Bool, _ allowsUnsigned: Bool, _ instance: UnsafePointer<CChar>?) {
  var policy = Policy()
  if allowsUnsigned { policy.unsignedPatches = .allowed }
  do {
    try WaxwingEngine.listen(instance: instance.map { String(cString: $0) }, policy: policy)
  } catch {
    // Who has typed `waxwing exec` wants to know. A service that preloads this library has to run.
    let outcome = mustListen ? "the program was not started" : "the program runs without patches"
    let text = "waxwing: error: \(error)\nwaxwing: \(outcome)\n"
    _ = text.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
    if mustListen { exit(1) }
  }
}
