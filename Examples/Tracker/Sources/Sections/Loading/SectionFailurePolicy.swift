import Pebbles

/// What a section that could not be loaded means for the others.
public struct SectionFailurePolicy: Sendable {
  let failurePolicy: FailurePolicy

  /// Nothing: the others are loaded all the same.
  public static let ignore = SectionFailurePolicy(failurePolicy: .ignore)

  /// The load is over: what is under way is cancelled. What had come stays.
  public static let cancelAll = SectionFailurePolicy(failurePolicy: .cancelAll)

  /// A closure decides.
  ///
  /// - Parameter goesOn: Given the identifier of the section and what it failed with, whether to go
  ///   on with the others. It must be quick and must not block.
  /// - Returns: The policy.
  public static func custom(
    _ goesOn: @escaping @Sendable (_ section: String, _ error: any Error) -> Bool
  ) -> SectionFailurePolicy {
    SectionFailurePolicy(
      failurePolicy: .custom { failure in
        let error = (failure.error as? any ReasonedFailure)?.reason ?? failure.error
        return goesOn(failure.pebble, error) ? .goOn : .cancelAll
      })
  }
}
