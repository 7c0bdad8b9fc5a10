/// The error of a port that another program listens on.
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

/// The error of a host that cannot be listened on, at any port.
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

/// The error of a shutdown with requests that were not answered in the time for draining.
package struct VisitorsLeft: Error, CustomStringConvertible {
  let count: Int

  package init(count: Int) { self.count = count }

  package var description: String {
    count == 1
      ? "a request had not been answered when the time was over"
      : "\(count) requests had not been answered when the time was over"
  }
}
