extension Task where Failure == Never {
  /// Makes a task on an executor, or an ordinary one if there is none.
  ///
  /// Not simply with `executorPreference: nil`: such a task, in Swift 6.3, has the preference of
  /// having none, and looks for it at every `await`.
  @discardableResult
  @inline(__always)
  init(
    name: String? = nil, on executor: (any TaskExecutor)?,
    _ operation: sending @escaping () async -> Success
  ) {
    if let executor {
      self.init(name: name, executorPreference: executor, operation: operation)
    } else {
      self.init(name: name, operation: operation)
    }
  }
}
