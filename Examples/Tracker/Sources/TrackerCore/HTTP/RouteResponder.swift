import Hummingbird

/// A responder that uses a router's routes. If the path of a request has routes, but none for the
/// request's method, the responder answers with the status 405 and a list of the allowed methods.
struct RouteResponder<Context: RequestContext>: HTTPResponder {
  private let routes: RouterResponder<Context>

  /// The responder that lists the methods allowed for a path. It answers a GET request to the path
  /// of any route, even if there is no GET route for that path.
  private let methods: RouterResponder<Context>

  init(_ router: Router<Context>) {
    routes = router.buildResponder()
    let addresses = Dictionary(grouping: router.routes) { $0.path.description }
    let other = Router(context: Context.self)
    for routes in addresses.values {
      guard let path = routes.first?.path else { continue }
      var allowed = routes.map(\.method)
      if allowed.contains(.get) { allowed.append(.head) }
      let list = Set(allowed.map(\.rawValue)).sorted().joined(separator: ", ")
      other.get(path) { _, _ in
        Response(status: .methodNotAllowed, headers: [.allow: list])
      }
    }
    methods = other.buildResponder()
  }

  func respond(to request: Request, context: Context) async throws -> Response {
    let response = try await routes.respond(to: request, context: context)
    guard response.status == .notFound else { return response }
    let known = try await methods.respond(to: request.asking(.get), context: context)
    guard let list = known.headers[.allow] else { return response }
    let allowed = list.split(separator: ", ").map(String.init)
    // The method is allowed, so a resource below the address is missing.
    guard !allowed.contains(request.method.rawValue) else { return response }
    let message =
      "\(request.uri.path.prefix(200)) takes \(allowed.joined(separator: " and ")), "
      + "not \(request.method.rawValue.prefix(20))"
    throw HTTPError(.methodNotAllowed, headers: [.allow: list], message: message)
  }
}

extension Request {
  /// Returns the request with another method.
  func asking(_ method: HTTPRequest.Method) -> Request {
    var head = head
    head.method = method
    return Request(head: head, body: body)
  }
}
