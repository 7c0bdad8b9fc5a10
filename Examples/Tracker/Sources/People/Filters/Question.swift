/// A search for people, which consists of a filter for each panel and the order of the answer.
public struct Question: Sendable, Hashable {
  /// The filter for names.
  public var name: NameFilter

  /// The filter for blood types.
  public var bloodTypes: BloodTypeFilter

  /// The filter for shoe sizes.
  public var shoeSizes: ShoeSizeFilter

  /// The order in which people are listed.
  public var order: ListOrder

  /// Creates a question.
  ///
  /// - Parameters:
  ///   - name: The filter for names; matches anything by default.
  ///   - bloodTypes: The filter for blood types; matches all by default.
  ///   - shoeSizes: The filter for shoe sizes; matches all by default.
  ///   - order: The order of the answer; by name by default.
  public init(
    name: NameFilter = .anything, bloodTypes: BloodTypeFilter = .all,
    shoeSizes: ShoeSizeFilter = .all, order: ListOrder = .name
  ) {
    self.name = name
    self.bloodTypes = bloodTypes
    self.shoeSizes = shoeSizes
    self.order = order
  }
}
