// SPDX-License-Identifier: MIT

// The nodes of scripts/fleet-simulation: the agents' own code, each with its own connections to etcd, before
// daemons that are modelled. Orders come on standard input: `cut COUNT`, `heal`.

import Glibc
import WaxwingFleet

let words = CommandLine.arguments
guard words.count == 5, let count = Int(words[3]), count > 0 else {
  print("usage: FleetSimulation ETCD-URLS FLEET NODES SIGNERS")
  exit(2)
}
var limit = rlimit()
getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
limit.rlim_cur = limit.rlim_max
setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)

let keys = try FleetKeys(fleet: words[2])
let endpoints = words[1].split(separator: ",").map(String.init)
let verifier = DocumentVerifier(signers: words[4], revoked: words[4] + ".revoked")
let journal = Journal()
var backends: [CutBackend] = []
var agents: [Agent] = []

for index in 0..<count {
  let node = "node-\(index)"
  // Each begins at another member.
  let turn = index % endpoints.count
  let backend = CutBackend(
    try EtcdBackend(EtcdOptions(endpoints: Array(endpoints[turn...] + endpoints[..<turn]))))
  var options = AgentOptions(node: node, program: "bankd")
  options.labels = index == 0 ? ["canary": "true"] : [:]
  let agent = Agent(
    options, backend, keys, verifier,
    ModelDaemon(node: node, pid: Int32(index + 1), journal: journal), log: { _ in })
  try agent.start()
  backends.append(backend)
  agents.append(agent)
  // Hosts do not start in one instant.
  usleep(5000)
}
journal.note("all", "started")

while let line = readLine() {
  let order = line.split(separator: " ")
  switch order.first {
  case "cut":
    for backend in backends.prefix(order.last.flatMap { Int($0) } ?? 0) { backend.isCut = true }
  case "heal": for backend in backends { backend.isCut = false }
  default: break
  }
  journal.note("all", line)
}
for agent in agents { agent.stop() }
