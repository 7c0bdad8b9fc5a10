extension RunCore {
  /// Shuts the run down when the first of the given signals arrives.
  ///
  /// - Returns: A watch that is active until it is cancelled or released.
  /// - Throws: `SignalWatchError` if the signals cannot be watched.
  func shutDown(on signals: [Signal]) throws(SignalWatchError) -> SignalWatch {
    try SignalWatch(signals) { [self] signal in
      // Cancelling calls user code, which must not hold up other signals.
      Task { shutDown(.signal(signal)) }
    }
  }
}
