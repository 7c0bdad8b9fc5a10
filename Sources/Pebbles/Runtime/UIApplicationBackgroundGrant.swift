#if canImport(UIKit) && !os(watchOS)
import UIKit

/// Background time that `UIApplication` grants for the duration of a run.
///
/// UIKit calls the expiration handler on the main thread, and terminates an app that has not ended
/// its background task by the time the handler returns. Therefore, when the time expires, the run
/// is cancelled and the background task is ended immediately. Bodies have only a short time left to
/// finish.
@available(iOSApplicationExtension, unavailable)
@available(tvOSApplicationExtension, unavailable)
@available(visionOSApplicationExtension, unavailable)
public struct UIApplicationBackgroundGrant: BackgroundGrant {
  /// Creates a grant that uses the shared application.
  public init() {}

  /// Asks UIKit for background time.
  ///
  /// - Parameters:
  ///   - name: The name that the debugger shows when the time is up.
  ///   - expired: A function that is called on the main thread when the time is up.
  /// - Returns: The identifier of the background task; `nil` if the app is not allowed to run in
  ///   the background.
  @MainActor
  public func begin(
    named name: String, expired: @escaping @Sendable () -> Void
  ) async -> UIBackgroundTaskIdentifier? {
    let token = UIApplication.shared.beginBackgroundTask(
      withName: name, expirationHandler: expired)
    return token == .invalid ? nil : token
  }

  /// Ends the background task immediately if called on the main thread; otherwise, as soon as the
  /// main thread is free.
  ///
  /// - Parameter token: The identifier that `begin` returned.
  public func end(_ token: UIBackgroundTaskIdentifier) {
    if Thread.isMainThread {
      MainActor.assumeIsolated { UIApplication.shared.endBackgroundTask(token) }
    } else {
      Task { @MainActor in UIApplication.shared.endBackgroundTask(token) }
    }
  }
}
#endif
