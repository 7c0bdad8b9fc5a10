/// An error thrown when another program already listens on the port.
package struct PortTaken: Error, CustomStringConvertible {
  let host: String
  let port: Int

  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  package var description: String {
    "\(host):\(port) is taken; end the program that listens there, or give another port with --port"
  }
}

/// An error thrown when the server cannot listen on the host, regardless of the port.
package struct UnusableHost: Error, CustomStringConvertible {
  let host: String
  let problem: String

  package init(host: String, problem: String) {
    self.host = host
    self.problem = problem
  }

  package var description: String {
    "the host \(host.prefix(100).debugDescription) \(problem); give another with --host, such as "
      + "127.0.0.1"
  }
}

/// An error thrown when some requests are not answered within the draining time limit.
package struct VisitorsLeft: Error, CustomStringConvertible {
  let count: Int

  package init(count: Int) { self.count = count }

  package var description: String {
    count == 1
      ? "a request had not been answered when the time was over"
      : "\(count) requests had not been answered when the time was over"
  }
}
