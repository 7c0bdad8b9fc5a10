import PebblesTestSupport
import Testing

/// The page in a real browser, one test at a time: they share it.
@Suite(
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.howToInstall)), .serialized,
  .watched)
enum BrowserTests {}
