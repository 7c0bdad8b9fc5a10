#if canImport(UIKit) && !os(watchOS)
import UIKit

/// Background time from `UIApplication`, for as long as a run lasts.
///
/// UIKit calls the expiry handler on the main thread, and expects the grant back before the handler
/// returns: an app that keeps it longer is killed. So on expiry the run is cancelled and the grant
/// given back at once; what the bodies do to wind up, they do in the short time that is left.
@available(iOSApplicationExtension, unavailable)
@available(tvOSApplicationExtension, unavailable)
@available(visionOSApplicationExtension, unavailable)
public struct UIApplicationBackgroundGrant: BackgroundGrant {
  /// Makes a grant from the shared application.
  public init() {}

  /// Asks UIKit for background time.
  ///
  /// - Parameters:
  ///   - name: Shown by the debugger when the time is up.
  ///   - expired: Called on the main thread when the time is up.
  /// - Returns: The identifier of the background task, or `nil` if the app may not run in the
  ///   background.
  @MainActor
  public func begin(
    named name: String, expired: @escaping @Sendable () -> Void
  ) async -> UIBackgroundTaskIdentifier? {
    let token = UIApplication.shared.beginBackgroundTask(
      withName: name, expirationHandler: expired)
    return token == .invalid ? nil : token
  }

  /// Gives background time back: at once on the main thread, else as soon as that is free.
  ///
  /// - Parameter token: What `begin` returned.
  public func end(_ token: UIBackgroundTaskIdentifier) {
    if Thread.isMainThread {
      MainActor.assumeIsolated { UIApplication.shared.endBackgroundTask(token) }
    } else {
      Task { @MainActor in UIApplication.shared.endBackgroundTask(token) }
    }
  }
}
#endif
