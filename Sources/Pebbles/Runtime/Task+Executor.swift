extension Task where Failure == Never {
  /// Creates a task on an executor, or an ordinary task if there is none.
  ///
  /// Passing `nil` as `executorPreference` would differ: in Swift 6.3, such a task has the
  /// preference of having none, and looks for it at every `await`. Inlined, because otherwise each
  /// task would begin with the call of another closure around the operation.
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
  /// Calls `body` on this executor and waits for it, without occupying the executor meanwhile.
  ///
  /// `body` runs in a child task, which is cancelled with the caller. Calling it in
  /// `withTaskExecutorPreference` is not enough: that does not move the task immediately; only the
  /// entry of an ordinary `nonisolated` function does. A `nonisolated(nonsending)` function, which
  /// stays where its caller is, would begin on the caller's thread and block that. The type does
  /// not show the difference, because one kind converts to the other, and the compiler (6.3)
  /// removes a seemingly needless hop in between. A task, however, always *starts* on its preferred
  /// executor.
  ///
  /// A body that is isolated to an actor still runs on that actor, and blocks it if it blocks.
  ///
  /// If the task is cancelled before the executor starts it, `body` is not called: the task may
  /// have waited for long, and the caller no longer wants it.
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
