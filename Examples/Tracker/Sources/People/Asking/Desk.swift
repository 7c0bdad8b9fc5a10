import Pebbles
import Synchronization

/// One visitor's search: a panel for each filter, and the pond that combines the panels' answers.
///
/// ```
/// name ───────┐
/// bloodTypes ─┼─→ intersect ──→ order
/// shoeSizes ──┘
/// ```
final class Desk: Sendable {
  let name: Panel<NameFilter>
  let bloodTypes: Panel<BloodTypeFilter>
  let shoeSizes: Panel<ShoeSizeFilter>
  private let order: Order
  private let pond: Pond
  private let listed: Pebble<[UInt32]>

  /// Creates a desk.
  ///
  /// - Parameters:
  ///   - people: The people to search.
  ///   - around: Code to run around each part of a search.
  init(_ people: People, around: @escaping Around) {
    let name = Panel(people, NameFilter.anything)
    let bloodTypes = Panel(people, BloodTypeFilter.all)
    let shoeSizes = Panel(people, ShoeSizeFilter.all)
    let order = Order(people)
    let pond = Pond("people", around: around)

    let named = pond.pebble("name") { try name.answer() }
    let typed = pond.pebble("bloodTypes") { try bloodTypes.answer() }
    let sized = pond.pebble("shoeSizes") { try shoeSizes.answer() }
    let both = pond.pebble("intersect", needs: named, typed, sized) { named, typed, sized in
      Self.intersection(of: [named, typed, sized])
    }
    listed = pond.pebble("order", needs: both) { try order.list($0) }

    self.name = name
    self.bloodTypes = bloodTypes
    self.shoeSizes = shoeSizes
    self.order = order
    self.pond = pond
  }

  /// Starts a search. Panels whose filters have not changed reuse their answers.
  func search(_ question: Question) throws -> Run {
    name.show(question.name)
    bloodTypes.show(question.bloodTypes)
    shoeSizes.show(question.shoeSizes)
    order.show(question.order)
    return try pond.start()
  }

  /// Returns the people found by a search that has ended.
  ///
  /// - Throws: The error that prevented the search from finishing.
  func listing(in report: Report) throws -> Listing {
    if let failure = report.failures.first, case .failed(let error) = failure.outcome {
      throw error
    }
    return Listing(numbers: try report.value(of: listed))
  }

  /// Returns the intersection of sets, where `nil` stands for everybody.
  private static func intersection(of sets: [PersonSet?]) -> PersonSet? {
    var sets = sets.compactMap { $0 }
    guard var common = sets.popLast() else { return nil }
    for set in sets { common.formIntersection(set) }
    return common
  }
}

/// A sorter of the people that a search has found.
private final class Order: Sendable {
  private let people: People
  private let shown = Mutex(ListOrder.name)

  init(_ people: People) { self.people = people }

  func show(_ order: ListOrder) { shown.withLock { $0 = order } }

  func list(_ found: PersonSet?) throws -> [UInt32] {
    let order = people.numbers(in: shown.withLock { $0 })
    return try found?.numbers(inOrder: order) ?? order
  }
}
