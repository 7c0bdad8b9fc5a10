import Pebbles

/// The effect of a failed section on the other sections.
public struct SectionFailurePolicy: Sendable {
  let failurePolicy: FailurePolicy

  /// The policy that continues to load the other sections.
  public static let ignore = SectionFailurePolicy(failurePolicy: .ignore)

  /// The policy that ends the load, unless another pebble of the loader's pond handles the failure.
  /// Sections under way are cancelled, and loaded content is kept.
  public static let cancelAll = SectionFailurePolicy(failurePolicy: .cancelAll)

  /// Returns a policy that calls a closure for each failed section, and for any other failed pebble
  /// of the loader's pond.
  ///
  /// - Parameter goesOn: A closure that returns whether to continue with the other sections, given
  ///   the identifier of the failed section and its error. Calls may overlap. The closure must be
  ///   quick and must not block.
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
