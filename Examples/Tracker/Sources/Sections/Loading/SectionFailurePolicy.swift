import Pebbles

/// The effect of a failed section on the others.
public struct SectionFailurePolicy: Sendable {
  let failurePolicy: FailurePolicy

  /// The other sections are loaded all the same.
  public static let ignore = SectionFailurePolicy(failurePolicy: .ignore)

  /// The load ends: sections under way are cancelled. Loaded content is kept.
  public static let cancelAll = SectionFailurePolicy(failurePolicy: .cancelAll)

  /// Returns a policy that asks a closure.
  ///
  /// - Parameter goesOn: Returns whether to continue with the other sections, given the identifier
  ///   of the failed one and its error. It must be quick and must not block.
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
