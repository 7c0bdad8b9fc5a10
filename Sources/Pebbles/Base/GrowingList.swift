/// An append-only list of plain values. The list has a single owner and is stored behind a bare
/// pointer.
///
/// Use the list for structures that are built in many small steps, such as a network that is built
/// from its edges. An array would spend half of the time checking whether its buffer is shared.
struct GrowingList<Element: BitwiseCopyable>: ~Copyable {
  private var start: UnsafeMutablePointer<Element>
  private var next: UnsafeMutablePointer<Element>
  private var end: UnsafeMutablePointer<Element>

  init(capacity: Int) {
    start = .allocate(capacity: max(16, capacity))
    next = start
    end = start + max(16, capacity)
  }

  deinit { start.deallocate() }

  var count: Int { next - start }

  /// A buffer of all elements, which is valid until the list grows or is destroyed.
  var all: UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: start, count: count)
  }

  /// Adds an element.
  ///
  /// - Complexity: O(1) amortized.
  @inline(__always)
  mutating func append(_ element: Element) {
    if next == end { grow() }
    next.initialize(to: element)
    next += 1
  }

  @inline(never)
  private mutating func grow() {
    let count = count
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * count)
    larger.moveInitialize(from: start, count: count)
    start.deallocate()
    (start, next, end) = (larger, larger + count, larger + 2 * count)
  }
}
