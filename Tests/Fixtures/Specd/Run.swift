// SPDX-License-Identifier: MIT

import Glibc
import Shop
import Waxwing

/// Not on the main actor: it waits for the patch's tasks, which run on the actor that the patch was
/// applied on.
@concurrent func run(_ path: String, onlyLoads: Bool) async -> Bool {
  WaxwingEngine.setLogHandler { event in
    let line = Array("\(event)\n".utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
  do {
    let session = try WaxwingEngine.start(path)
    let report = onlyLoads ? "ok loading" : await Spec().run()
    try WaxwingEngine.end(session)
    print(report)
    let left = try WaxwingEngine.liveObjects()
    for kind in left { print("not ok: \(kind) left after the end") }
    return left.isEmpty && report.split(separator: "\n").allSatisfy { $0.hasPrefix("ok ") }
  } catch {
    print("not ok: \(error)")
    return false
  }
}
