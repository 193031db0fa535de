// SPDX-License-Identifier: MIT

import Foundation
import Waxwing

// Before anything starts a thread: threads inherit the mask, so the signals wait for `wait()`.
let signals = TerminationSignals.blocked()

do {
  let options = try Options(arguments: CommandLine.arguments.dropFirst())
  if options.wantsHelp {
    try Console.write(Options.help)
    exit(EXIT_SUCCESS)
  }
  var policy = Policy()
  // An example has no signers, so that everybody can try it. A daemon in service leaves this out.
  policy.unsignedPatches = options.wantsSignatures ? .refused : .allowed
  policy.signers = options.signers
  policy.revoked = options.revoked
  try WaxwingEngine.listen(policy: policy)

  let bank = Bank(fees: FeeSchedule.standard())
  let server = try HTTPServer(
    port: options.port, handler: BankAPI(bank: bank, feed: MarketFeed()))
  server.start()
  try Console.write("bankd listening on http://127.0.0.1:\(server.port) (pid \(getpid()))\n")

  signals.wait()
  server.stop(within: 5)
  try Console.write("bankd stopped\n")
} catch let error as UsageError {
  Console.complain("\(error.message)\nSee 'bankd --help'.")
  exit(EX_USAGE)
} catch {
  Console.complain("\(error)")
  exit(EXIT_FAILURE)
}
