/// An append-only list whose elements never move in memory.
///
/// Pebbles can be added to a definition while its runs are in progress. Each of these runs reads
/// only the elements that existed when the run started. An array of the elements, perhaps a million
/// bodies, might have to be copied for each run. This list is shared instead. Each reader has a
/// `StableSlice`, which ends with the last element that the reader may access. The elements are
/// stored in segments of 16, 32, 64 … places, so growing the list copies nothing either.
///
/// Safe to share: each element is written once, under the lock of the definition and before any
/// slice contains it. Appending an element touches nothing that slices read.
package final class StableList<Element: Sendable & ~Copyable>: @unchecked Sendable {
  fileprivate typealias Segment = UnsafeMutablePointer<Element>

  private static var mostSegments: Int { 32 }

  private let segments: UnsafeMutablePointer<Segment>
  private(set) var count = 0

  init() {
    segments = .allocate(capacity: Self.mostSegments)
  }

  deinit {
    var start = 0
    for segment in 0..<Self.mostSegments where start < count {
      let capacity = 1 << (segment + StableListPlace.firstBit)
      segments[segment].deinitialize(count: min(capacity, count - start))
      segments[segment].deallocate()
      start += capacity
    }
    segments.deallocate()
  }

  /// Adds an element. The caller ensures that no other thread adds an element at the same time.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  func append(_ element: consuming Element) {
    append(element, at: StableListPlace(of: count))
  }

  /// Adds an element at the next place, which the caller has already computed for another list of
  /// the same length.
  @inline(__always)
  func append(_ element: consuming Element, at place: StableListPlace) {
    let segment = segments + place.segment
    if place.offset == 0 { segment.pointee = .allocate(capacity: place.capacity) }
    (segment.pointee + place.offset).initialize(to: element)
    count += 1
  }

  /// Returns the address of an element. The address is valid as long as the list exists.
  @inline(__always)
  func address(of position: Int) -> UnsafePointer<Element> {
    let place = StableListPlace(of: position)
    return UnsafePointer(segments[place.segment] + place.offset)
  }
}

/// The place of an element in any `StableList`: a segment number, and an offset in the segment.
struct StableListPlace {
  static let firstBit = 4

  private let bit: Int
  let offset: Int

  /// Creates the place of the element at a position. A position is in segment *s* if the highest
  /// set bit of position + 16 is bit 4 + *s*.
  @inline(__always)
  init(of position: Int) {
    let shifted = position + 1 << Self.firstBit
    bit = Int.bitWidth - 1 - shifted.leadingZeroBitCount
    offset = shifted ^ 1 << bit
  }

  @inline(__always)
  var segment: Int { bit - Self.firstBit }

  /// The number of places in the segment.
  @inline(__always)
  var capacity: Int { 1 << bit }
}

/// The elements of a `StableList` before a fixed position. They never change.
package struct StableSlice<Element: Sendable>: RandomAccessCollection, Sendable {
  private let list: StableList<Element>
  package let endIndex: Int

  /// Creates a slice of all current elements. The caller ensures that no element is added at the
  /// same time.
  init(_ list: StableList<Element>) {
    self.list = list
    endIndex = list.count
  }

  package var startIndex: Int { 0 }

  /// Returns the address of an element. Reading the element through the address does not retain it.
  @inline(__always)
  func address(of position: Int) -> UnsafePointer<Element> {
    assert(position < endIndex)
    return list.address(of: position)
  }

  package subscript(position: Int) -> Element {
    precondition(position >= 0 && position < endIndex, "there is no element at \(position)")
    return list.address(of: position).pointee
  }
}
