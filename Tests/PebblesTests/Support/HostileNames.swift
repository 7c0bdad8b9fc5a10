/// Names with characters that have a special meaning in one of the formats of drawings.
enum HostileNames {
  static let all: [String] = [
    "say \"no\"", #"back\slash"#, #"ends in \"#, #"\N \G \L \l \r \n \E \T"#, "two\nlines", "\r\n",
    "tab\tstop", "<b>bold</b>", "<", "<<b>>",
    "&lt;", "&", "&#x41;", "&unknown;", "🚀", "👨‍👩‍👧", "日本語",
    "node", "graph", "subgraph", "digraph", "edge", "strict", "end", "p0", "{a|b}", "a -> b",
    "// a",
    "/* a", "# a", "%% a", "a;b", "[x]", "##[x]", "]", "\"]; evil [label=\"", "`code`", "**bold**",
    "nul\0", "bell\u{7}", "escape\u{1B}[31m", "\u{202E}thgir", "\u{2066}isolate\u{2069}",
    "\u{2028}", "\u{FEFF}bom", "\u{FFFE}", "\u{FFFF}", "\u{E000}", "e\u{301}", " ", "  spaces  ",
    String(repeating: "long ", count: 2_000),
    String(repeating: "🚀", count: 10_000),
    String(repeating: "\"", count: 10_000),
    String(repeating: "\\", count: 10_001),
    "stacked" + String(repeating: "\u{301}", count: 10_000),
  ]
}
