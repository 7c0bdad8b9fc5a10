/// An object that a closure captures or a body returns, so that a test can see when it is released.
package final class Captured: Sendable {
  package let isThere = true

  package init() {}
}
