/// Leave to go on in the background, which a run holds while it lasts.
///
/// Systems such as iOS suspend an app soon after it leaves the screen, unless it has asked for time
/// to finish what it is doing. A run asks when it begins, and gives the grant back when it ends.
/// When the time is up before that, the run is cancelled.
///
/// Conform to it for a system that grants such time; on iOS, tvOS, visionOS and Mac Catalyst there
/// is `UIApplicationBackgroundGrant`. A conforming type only passes requests on. That each token is
/// ended exactly once, whatever comes first, is seen to by the run.
public protocol BackgroundGrant: Sendable {
  /// What the system hands out for a grant and takes back at its end.
  associatedtype Token: Sendable

  /// Asks for a grant.
  ///
  /// - Parameters:
  ///   - name: What the grant is for, for people to read: the name of the pond.
  ///   - expired: To be called when the time is up, from any thread, at once or at any time later,
  ///     also before this function returns. When it returns, the grant has been given back unless
  ///     this function has yet to return it. Calls after the first are ignored, and so are those
  ///     after the end.
  /// - Returns: The grant, or `nil` if the system refuses one. The run then goes on without; it can
  ///   still do so as long as the app stays in the foreground.
  func begin(named name: String, expired: @escaping @Sendable () -> Void) async -> Token?

  /// Gives a grant back. Called exactly once for each token that `begin` returned, from any thread.
  ///
  /// It is not `async`, because it is also called out of `expired`, and a system that calls that
  /// may suspend or end the program as soon as it has returned.
  ///
  /// - Parameter token: What `begin` returned.
  func end(_ token: Token)
}
