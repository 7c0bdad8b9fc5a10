/// An immutable array that is read through a bare pointer.
///
/// Runners on several cores read the same arrays for every pebble. Reading an `Array` from a shared
/// object may retain the array's buffer. Cores that update the same reference count spend more time
/// on these updates than on all their other work. A pointer has no reference count, so code that
/// keeps the pointer must also keep this object alive.
package final class FlatArray<Element: Sendable>: @unchecked Sendable {
  // Safe to share: only `init` writes.
  package let elements: UnsafeMutablePointer<Element>
  package let count: Int

  package init(_ array: [Element]) {
    count = array.count
    elements = .allocate(capacity: array.count)
    _ = UnsafeMutableBufferPointer(start: elements, count: array.count).initialize(from: array)
  }

  /// Creates an array of `count` elements. The closure `initialize` must initialize all of them.
  init(count: Int, initializedWith initialize: (UnsafeMutablePointer<Element>) -> Void) {
    self.count = count
    elements = .allocate(capacity: count)
    initialize(elements)
  }

  deinit {
    elements.deinitialize(count: count)
    elements.deallocate()
  }

  @inline(__always)
  package subscript(position: Int) -> Element {
    assert(position < count)
    return elements[position]
  }
}
