/// Permission to go on running while the app is in the background.
///
/// A run that is given one asks for it when it starts and returns it when it ends. When the system
/// takes the permission away before that, the run is cancelled, and the report says so. A refusal
/// is no failure: the run goes on for as long as the app may run anyway.
///
/// On iOS and tvOS, `UIApplicationBackgroundGrant` is the one to use. Another is a few lines:
///
/// ```swift
/// struct ActivityGrant: BackgroundGrant {
///   func begin(named name: String, expired: @escaping @Sendable () -> Void) -> Activity? {
///     Activity.start(name, onExpiry: expired)
///   }
///
///   func end(_ activity: Activity) { activity.stop() }
/// }
/// ```
///
/// Whatever happens, each token that ``begin(named:expired:)`` returns is handed to ``end(_:)``
/// exactly once: when the run has ended, when the permission has expired, or, if either happened
/// while the permission was still being asked for, as soon as it is there.
public protocol BackgroundGrant: Sendable {
  /// What the permission is returned with.
  associatedtype Token: Sendable

  /// Asks for the permission. Called at most once per run.
  ///
  /// It should return soon, because the run may wait for it.
  ///
  /// - Parameters:
  ///   - name: What the permission is for, for people who read the system's logs: the name of the
  ///     pond.
  ///   - expired: To be called when the permission is about to be taken away. May be called from
  ///     any thread, before this function has returned, repeatedly, and after the end; only the
  ///     first call while the permission is held or asked for has an effect: it cancels the run
  ///     and then, if the permission is held, ends that before it returns.
  /// - Returns: What to end the permission with, or `nil` if it is refused.
  func begin(named name: String, expired: @escaping @Sendable () -> Void) async -> Token?

  /// Returns the permission. Called exactly once for each token, from any thread, and from within
  /// `expired` when that is why: it should return soon.
  ///
  /// - Parameter token: What ``begin(named:expired:)`` has returned.
  func end(_ token: Token)
}
