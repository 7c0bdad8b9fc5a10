/// A binary heap, which provides its least element in constant time.
///
/// The algorithm is by J. W. J. Williams (*Algorithm 232: Heapsort*, 1964). The heap is inlinable,
/// because other targets use it to simulate ponds of a hundred thousand pebbles.
@usableFromInline
package struct BinaryHeap<Element: Comparable> {
  /// The elements in heap order: the children of the element at `n` are at `2n + 1` and `2n + 2`,
  /// and no child is less than its parent.
  @usableFromInline var elements: [Element] = []

  @inlinable package init() {}

  @inlinable package var isEmpty: Bool { elements.isEmpty }
  @inlinable package var count: Int { elements.count }

  /// The least element; `nil` if the heap is empty.
  @inlinable package var min: Element? { elements.first }

  /// Adds an element.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package mutating func insert(_ element: Element) {
    var place = elements.count
    elements.append(element)
    while place > 0 {
      let parent = (place - 1) / 2
      guard element < elements[parent] else { break }
      elements[place] = elements[parent]
      place = parent
    }
    elements[place] = element
  }

  /// Removes and returns the least element. Returns `nil` if the heap is empty.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package mutating func popMin() -> Element? {
    guard let least = elements.first, let last = elements.popLast() else { return nil }
    guard !elements.isEmpty else { return least }
    var place = 0
    while let child = leastChild(of: place), elements[child] < last {
      elements[place] = elements[child]
      place = child
    }
    elements[place] = last
    return least
  }

  /// Removes all elements that satisfy a predicate.
  ///
  /// - Complexity: O(*n* log *n*).
  @inlinable
  package mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    elements.removeAll(where: isUnwanted)
    // A sorted list is a heap.
    elements.sort()
  }

  @inlinable func leastChild(of place: Int) -> Int? {
    let left = 2 * place + 1
    let right = left + 1
    guard left < elements.count else { return nil }
    return right < elements.count && elements[right] < elements[left] ? right : left
  }
}

extension BinaryHeap: Sendable where Element: Sendable {}
