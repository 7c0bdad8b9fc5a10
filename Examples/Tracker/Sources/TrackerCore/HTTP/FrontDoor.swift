import Hummingbird
import Pebbles
import PebblesServer

/// Tells the requests of those who run the service, which are answered at any time, from those of
/// visitors, which the site answers while its doors are open.
struct FrontDoor: HTTPResponder {
  private let operation: RouterResponder<BasicRequestContext>
  private let site: Site

  init(_ run: Run, _ retries: Retries, _ site: Site) {
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.add(middleware: TracingMiddleware())
    addHealthRoutes(to: router, run: run) { site.isOpen }
    addBootRoutes(to: router, run: retries.run ?? run)
    addRetryRoute(to: router, retries, run)
    operation = router.buildResponder()
    self.site = site
  }

  func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
    // Of many requests that were sent together on one connection, each would be answered before
    // anybody else had a turn.
    await Task.yield()
    let path = request.uri.path
    let isOperation = path.hasPrefix("/health/") || path.hasPrefix("/boot")
    let response =
      isOperation
      ? try await operation.respond(to: request, context: context)
      : try await site.respond(to: request, context)
    // Neither has a refusal: what follows the head would be taken for the next answer.
    return request.method == .head ? response.createHeadResponse() : response
  }
}
