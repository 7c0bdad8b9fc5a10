import Hummingbird

/// Adds `GET /launches?q=&page=`, and the page for people at `GET /search`.
///
/// - Parameters:
///   - router: Gets the routes.
///   - search: Finds the launches.
/// - Throws: What reading the page's files threw.
public func addSearchRoutes<Context: RequestContext>(
  to router: some RouterMethods<Context>, search: LaunchSearch
) throws {
  router.get("launches") { request, _ -> LaunchPage in
    let query = FormQuery(request.uri.query)
    do {
      // A form without a page sends an empty one.
      let cursor = query["page"].flatMap { $0.isEmpty ? nil : $0 }
      return try await search.page(of: query["q"] ?? "", after: cursor)
    } catch let refusal as SearchRefusal {
      throw HTTPError(.badRequest, message: "\(refusal)")
    }
  }
  let page = try SearchPage()
  for file in page.files {
    router.get(RouterPath(file.path)) { _, _ in file.response }
  }
}

extension LaunchPage: ResponseEncodable {}
