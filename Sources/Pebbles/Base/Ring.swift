/// A queue that stores its elements in a circular buffer. The elements are moved only when the
/// buffer grows.
struct Ring<Element> {
  private var places: [Element?] = []
  private var front = 0
  private(set) var count = 0

  var first: Element? { count == 0 ? nil : places[front] }

  /// Accesses the element at a position, counted from the front. The element must exist.
  subscript(position: Int) -> Element {
    get {
      guard position < count, let element = places[place(position)] else {
        preconditionFailure("there is no element at \(position)")
      }
      return element
    }
    set { places[place(position)] = newValue }
  }

  /// Adds an element at the end.
  ///
  /// - Complexity: O(1) amortized.
  mutating func append(_ element: Element) {
    if count == places.count {
      places = Array(places[front...]) + places[..<front] + repeatElement(nil, count: max(8, count))
      front = 0
    }
    places[place(count)] = element
    count += 1
  }

  mutating func removeFirst() {
    precondition(count > 0, "there is no element")
    places[front] = nil
    front = place(1)
    count -= 1
  }

  private func place(_ position: Int) -> Int {
    let place = front + position
    return place < places.count ? place : place - places.count
  }
}

extension Ring: Sendable where Element: Sendable {}
