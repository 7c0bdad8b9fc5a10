import Hummingbird
import Pebbles
import PebblesServer

/// Tells the requests of those who run the service, which are answered at any time, from those of
/// visitors, which the site answers while its doors are open.
struct FrontDoor: HTTPResponder {
  private let operation: RouterResponder<BasicRequestContext>
  private let site: Site

  init(_ run: Run, _ site: Site) {
    let router = Router()
    router.add(middleware: TracingMiddleware())
    addHealthRoutes(to: router, run: run) { site.isOpen }
    addBootRoutes(to: router, run: run)
    operation = router.buildResponder()
    self.site = site
  }

  func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
    let path = request.uri.path
    return path.hasPrefix("/health/") || path.hasPrefix("/boot")
      ? try await operation.respond(to: request, context: context)
      : try await site.respond(to: request, context)
  }
}
