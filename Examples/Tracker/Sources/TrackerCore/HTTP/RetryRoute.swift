import HTTPTypes
import Hummingbird
import Pebbles

/// Adds the route for the *Retry* button on Home. The route retries the lost parts of the boot, and
/// redirects the browser to `/boot`, which shows the progress. If a refresh is requested instead,
/// or nothing is missing, the browser is redirected to Home.
///
/// - Parameters:
///   - router: The router that gets the route.
///   - retries: The object that retries the lost parts of the boot.
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
  /// Whether the request comes from a page of this site, or from no page. Browsers state this in
  /// every request (W3C, *Fetch Metadata Request Headers*). If the site is not encrypted, they send
  /// the page's origin instead.
  fileprivate var isOfThisSite: Bool {
    if let name = HTTPField.Name("Sec-Fetch-Site"), let site = headers[name] {
      return site == "same-origin" || site == "none"
    }
    guard let origin = headers[.origin] else { return true }
    // The scheme is not compared, because a proxy before this site may encrypt.
    return head.authority.map { origin.hasSuffix("://\($0)") } ?? false
  }
}
