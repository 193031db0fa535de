// SPDX-License-Identifier: MIT

/// What a control server allows its clients, and how long.
package struct ControlServerLimits: Sendable {
  /// Clients connected at once. One more makes the idlest of the user with the most give way.
  package var clients = 128

  /// Of those, the places that only clients with the roles `operate` and `own` get.
  var reserved = 32

  /// Clients of one user that does not own the process; one more makes their own idlest give way.
  var clientsPerUser = 32

  /// Requests of one user that wait, those of clients that have left included.
  package var requestsPerUser = 128

  /// From a frame's first byte to its last.
  package var frameSeconds = 10.0

  /// Between connecting, or an answer, and the first byte of a request.
  package var idleSeconds = 10.0

  /// For a client to take its answer.
  package var writeSeconds = 10.0

  /// So long one request that may take long has to be going on for another one to be refused rather than
  /// to wait for it.
  package var busySeconds = 5.0

  /// For requests in progress to end when the server stops.
  package var stopSeconds = 5.0

  /// The limits of a daemon.
  package init() {}
}
