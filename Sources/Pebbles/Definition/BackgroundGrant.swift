/// A system's permission for a run to continue in the background.
///
/// Systems such as iOS suspend an app soon after it leaves the screen, unless the app has asked for
/// time to finish its work. A run requests a grant at its start, and ends the grant when the run
/// ends. If the granted time runs out before the run ends, the run is cancelled.
///
/// Conform to this protocol to support a system that grants such time; on iOS, tvOS, visionOS and
/// Mac Catalyst, use `UIApplicationBackgroundGrant`. A conforming type only forwards requests to
/// the system. The run ensures that each grant is ended exactly once, no matter whether the run
/// ends or the time runs out first.
public protocol BackgroundGrant: Sendable {
  /// The token that the system hands out for a grant, and takes back when the grant ends.
  associatedtype Token: Sendable

  /// Asks the system for a grant.
  ///
  /// - Parameters:
  ///   - name: The name of the pond, shown to people as the purpose of the grant.
  ///   - expired: A function to call when the time runs out. It can be called from any thread and
  ///     at any time, even before `begin` returns. If the run has received the token that `begin`
  ///     returns, the grant has ended by the time `expired` returns. Further calls, and calls after
  ///     the grant has ended, have no effect.
  /// - Returns: The token of the grant; `nil` if the system refuses the request. Without a grant,
  ///   the run continues as long as the app stays in the foreground.
  func begin(named name: String, expired: @escaping @Sendable () -> Void) async -> Token?

  /// Ends a grant. A run calls this method exactly once for each token that `begin` returned, from
  /// any thread.
  ///
  /// This method is not `async`, because `expired` also calls it. The system may suspend or end the
  /// program as soon as `expired` has returned.
  ///
  /// - Parameter token: The token that `begin` returned.
  func end(_ token: Token)
}
