#if canImport(UIKit) && !os(watchOS)
import UIKit

/// Background time of an app, from `UIApplication.beginBackgroundTask(withName:)`.
///
/// App extensions have no application to ask; there, write a ``BackgroundGrant`` around what the
/// extension's host offers.
@available(iOSApplicationExtension, unavailable)
@available(tvOSApplicationExtension, unavailable)
@available(visionOSApplicationExtension, unavailable)
public struct UIApplicationBackgroundGrant: BackgroundGrant {
  /// A grant by the application of this process.
  public init() {}

  /// Begins a background task.
  ///
  /// - Parameters:
  ///   - name: The name of the background task, as the debugger shows it.
  ///   - expired: Called on the main thread shortly before the time is over.
  /// - Returns: The identifier of the background task, or `nil` if the application may not run in
  ///   the background.
  public func begin(
    named name: String, expired: @escaping @Sendable () -> Void
  ) async -> UIBackgroundTaskIdentifier? {
    await MainActor.run {
      let token = UIApplication.shared.beginBackgroundTask(
        withName: name, expirationHandler: expired)
      return token == .invalid ? nil : token
    }
  }

  /// Ends the background task: at once on the main thread, elsewhere as soon as that is free.
  ///
  /// - Parameter token: The identifier of the background task.
  public func end(_ token: UIBackgroundTaskIdentifier) {
    // The system ends apps that have not ended an expired task by the time its handler returns,
    // and calls that handler on the main thread; so no hop there.
    if Thread.isMainThread {
      MainActor.assumeIsolated { UIApplication.shared.endBackgroundTask(token) }
    } else {
      Task { @MainActor in UIApplication.shared.endBackgroundTask(token) }
    }
  }
}
#endif
