/// Permission to run in the background, which a run holds until it ends.
///
/// Systems such as iOS suspend an app soon after it leaves the screen, unless the app has asked for
/// time to finish its work. A run asks for this time when it begins, and gives the grant back when
/// it ends. If the time is up before the run ends, the run is cancelled.
///
/// Conform to this protocol for a system that grants such time; on iOS, tvOS, visionOS and Mac
/// Catalyst there is `UIApplicationBackgroundGrant`. A conforming type only passes requests on to
/// the system. The run ensures that each token is ended exactly once, no matter what happens first.
public protocol BackgroundGrant: Sendable {
  /// The token that the system hands out for a grant and takes back at its end.
  associatedtype Token: Sendable

  /// Asks the system for a grant.
  ///
  /// - Parameters:
  ///   - name: The name of the pond, so that people can tell what the grant is for.
  ///   - expired: A function to call when the time is up. It can be called from any thread and at
  ///     any time, even before `begin` returns. When `expired` returns, the grant has been given
  ///     back, unless `begin` has yet to return it. Only the first call has an effect, and only
  ///     before the end of the grant.
  /// - Returns: The grant; `nil` if the system refuses one. The run then continues without a grant,
  ///   which is possible as long as the app stays in the foreground.
  func begin(named name: String, expired: @escaping @Sendable () -> Void) async -> Token?

  /// Gives a grant back. A run calls this method exactly once for each token that `begin` returned,
  /// from any thread.
  ///
  /// This method is not `async`, because it is also called by `expired`, and a system that calls
  /// `expired` may suspend or end the program as soon as `expired` has returned.
  ///
  /// - Parameter token: The token that `begin` returned.
  func end(_ token: Token)
}
