extension Task where Failure == Never {
  /// Creates a task on an executor, or an ordinary task if there is none.
  ///
  /// Passing `nil` as `executorPreference` would not be the same. In Swift 6.3, such a task has an
  /// explicit preference for no executor, and looks the preference up at every `await`. Inlined,
  /// because otherwise each task would begin by calling an extra closure around the operation.
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

extension TaskExecutor {
  /// Calls `body` on this executor and waits for it, without blocking the caller's thread.
  ///
  /// `body` runs in a child task, which is cancelled with the caller. Calling it in
  /// `withTaskExecutorPreference` is not enough, because that does not move the task immediately.
  /// The task moves only when it enters an ordinary `nonisolated` function. A
  /// `nonisolated(nonsending)` function, which stays where its caller is, would begin on the
  /// caller's thread and block that thread. The type of `body` does not show the difference,
  /// because one kind of function converts to the other, and the compiler (6.3) removes a hop in
  /// between that seems unnecessary. A task, however, always *starts* on its preferred executor.
  ///
  /// A body that is isolated to an actor still runs on that actor, and blocks the actor if it
  /// blocks.
  ///
  /// If the task is cancelled before the executor starts it, `body` is not called, unless
  /// `isAlwaysCalled` is `true`. The task may have waited for a long time, and the caller no longer
  /// wants the result.
  ///
  /// - Parameters:
  ///   - isAlwaysCalled: Whether `body` is called even if the task is cancelled before that.
  ///   - body: The function to call.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or `CancellationError` if it was not called.
  package func call<Output: Sendable>(
    always isAlwaysCalled: Bool = false,
    _ body: @escaping @Sendable () async throws -> Output
  ) async throws -> Output {
    try await withThrowingTaskGroup(of: Output.self) { group in
      group.addTask(executorPreference: self) {
        if !isAlwaysCalled { try Task.checkCancellation() }
        return try await body()
      }
      guard let output = try await group.next() else {
        preconditionFailure("a task of a group was lost")
      }
      return output
    }
  }

  /// Calls `body`. All runs started in it are performed entirely on this executor, regardless of
  /// the traits of their pebbles, and nothing in them depends on real time.
  package func callWithRuns(_ body: () async -> Void) async {
    await RunOptions.$currentExecutor.withValue(self, operation: body)
  }
}
