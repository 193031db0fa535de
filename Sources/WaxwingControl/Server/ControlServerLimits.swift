// SPDX-License-Identifier: MIT

/// The limits and times that a control server allows its clients.
package struct ControlServerLimits: Sendable {
  /// Clients connected at once. One more makes the idlest of the user with the most give way.
  package var clients = 128

  /// The number of places, out of `clients`, that only clients with the roles `operate` and `own`
  /// get.
  var reserved = 32

  /// Clients of one user that does not own the process; one more makes their own idlest give way.
  var clientsPerUser = 32

  /// Requests of one user that wait, those of clients that have left included.
  package var requestsPerUser = 128

  /// The seconds from a frame's first byte to its last.
  package var frameSeconds = 10.0

  /// The seconds between connecting, or an answer, and the first byte of a request.
  package var idleSeconds = 10.0

  /// The seconds in which a client has to read its answer.
  package var writeSeconds = 10.0

  /// The seconds for which a long request must have been in progress for the next one to be refused
  /// instead of waiting.
  package var busySeconds = 5.0

  /// The seconds for which a server that stops waits for requests in progress.
  package var stopSeconds = 5.0

  /// The limits of a daemon.
  package init() {}
}
