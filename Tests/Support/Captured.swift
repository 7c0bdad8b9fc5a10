/// Something that a closure captures or a body returns, to see when it goes away.
package final class Captured: Sendable {
  package let isThere = true

  package init() {}
}
