import HTTPTypes
import Hummingbird
import Pebbles

/// Adds the address to which the button *Retry* of Home posts: what the boot has lost is
/// tried again, and the browser is sent to `/boot`, which shows how that goes.
///
/// - Parameters:
///   - router: Where to.
///   - retries: Who tries again.
///   - run: The run of the boot.
func addRetryRoute<Context: RequestContext>(
  to router: some RouterMethods<Context>, _ retries: Retries, _ run: Run
) {
  router.post("/boot/retry") { request, _ -> Response in
    guard request.isOfThisSite else {
      throw HTTPError(.forbidden, message: "another site's page cannot ask for that")
    }
    switch await retries.retry(run) {
    case .underWay: return .redirect(to: "/boot", type: .normal)
    case .refreshing, .needless: return .redirect(to: "/", type: .normal)
    case .refused(let reason): throw HTTPError(.conflict, message: reason)
    }
  }
}

extension Request {
  /// Whether a page of this site asks, or none: browsers say that of every request (W3C, *Fetch
  /// Metadata Request Headers*), or, where the site is not encrypted, from where it comes.
  fileprivate var isOfThisSite: Bool {
    if let name = HTTPField.Name("Sec-Fetch-Site"), let site = headers[name] {
      return site == "same-origin" || site == "none"
    }
    guard let origin = headers[.origin] else { return true }
    // What stands before this site may encrypt, so how they speak is not compared.
    return head.authority.map { origin.hasSuffix("://\($0)") } ?? false
  }
}
