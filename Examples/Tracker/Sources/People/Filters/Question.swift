/// Whom somebody looks for: a leaf for each panel, and the order of the answer.
public struct Question: Sendable, Hashable {
  /// What the name is like.
  public var name: NameFilter

  /// Which blood types.
  public var bloodTypes: BloodTypeFilter

  /// Which shoe sizes.
  public var shoeSizes: ShoeSizeFilter

  /// In which order people are listed.
  public var order: ListOrder

  /// - Parameters:
  ///   - name: What the name is like; anything if not given.
  ///   - bloodTypes: Which blood types; all if not given.
  ///   - shoeSizes: Which shoe sizes; all if not given.
  ///   - order: In which order people are listed; by name if not given.
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
