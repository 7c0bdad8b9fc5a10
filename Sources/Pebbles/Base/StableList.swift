/// A list that only grows, and whose elements never move.
///
/// A definition is added to while runs of it are under way, and those read what was there when they
/// started. An array would have to be copied for that, a million bodies at a time; here the list
/// itself is shared, and a `StableSlice` of it says how far its owner may read. Elements stand in
/// segments of 16, 32, 64 … places, so that growing copies nothing either.
///
/// Safe to share: an element is written once, under the lock of the definition, before any slice
/// that reaches it is made, and appending touches nothing that slices read.
package final class StableList<Element: Sendable & ~Copyable>: @unchecked Sendable {
  fileprivate typealias Segment = UnsafeMutablePointer<Element>

  private static var mostSegments: Int { 32 }
  private static var firstBit: Int { 4 }

  private let segments: UnsafeMutablePointer<Segment>
  private(set) var count = 0

  init() {
    segments = .allocate(capacity: Self.mostSegments)
  }

  deinit {
    var start = 0
    for segment in 0..<Self.mostSegments where start < count {
      let capacity = 1 << (segment + Self.firstBit)
      segments[segment].deinitialize(count: min(capacity, count - start))
      segments[segment].deallocate()
      start += capacity
    }
    segments.deallocate()
  }

  /// Adds an element. The caller sees to it that no other thread does so at the same time.
  ///
  /// - Complexity: O(1).
  func append(_ element: consuming Element) {
    let place = Self.place(of: count)
    let segment = place.bit - Self.firstBit
    if place.offset == 0 { segments[segment] = .allocate(capacity: 1 << place.bit) }
    (segments[segment] + place.offset).initialize(to: element)
    count += 1
  }

  /// Where an element stands, for as long as the list lives.
  @inline(__always)
  func address(of position: Int) -> UnsafePointer<Element> {
    let place = Self.place(of: position)
    return UnsafePointer(segments[place.bit - Self.firstBit] + place.offset)
  }

  /// Segment *s* holds the positions whose sum with 16 has its highest bit at 4 + *s*.
  @inline(__always)
  private static func place(of position: Int) -> (bit: Int, offset: Int) {
    let shifted = position + 1 << firstBit
    let bit = Int.bitWidth - 1 - shifted.leadingZeroBitCount
    return (bit, shifted ^ 1 << bit)
  }
}

/// The elements of a `StableList` up to a certain one. They never change.
package struct StableSlice<Element: Sendable>: RandomAccessCollection, Sendable {
  private let list: StableList<Element>
  package let endIndex: Int

  /// All elements that are there now. The caller sees to it that none is added meanwhile.
  init(_ list: StableList<Element>) {
    self.list = list
    endIndex = list.count
  }

  package var startIndex: Int { 0 }

  package subscript(position: Int) -> Element {
    precondition(position >= 0 && position < endIndex, "there is no element at \(position)")
    return list.address(of: position).pointee
  }
}
