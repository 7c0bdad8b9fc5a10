// A list in which only the visible rows have elements.

const usualRowHeight = 24, mostPrintedRows = 2000;

/// The visible rows of a list. Row `r` is shown by element `r % pool`, so that scrolling by a few
/// rows rewrites a few elements. Rows that may be taller than usual are measured when they become
/// visible.
class Rows {
  /// Creates the rows. `make` creates an element. `show` fills an element with the row at a place,
  /// and returns whether the row may be taller than usual.
  constructor(box, space, { make, show }) {
    Object.assign(this, { box, space, make, show, pool: [], shown: [] });
    this.count = this.first = this.end = 0;
    this.heights = new Heights(0, usualRowHeight);
    this.isPrinting = false;
    this.drawSoon = onceAFrame(() => this.draw());
    box.addEventListener('scroll', this.drawSoon, { passive: true });
  }

  reset(count) {
    this.count = count;
    this.heights = new Heights(count, usualRowHeight);
    this.box.setAttribute('aria-rowcount', count);
    this.redraw();
  }

  redraw() {
    this.shown.fill(-1);
    this.draw();
  }

  draw() {
    const { box, heights } = this, top = box.scrollTop;
    this.space.style.height = `${heights.total}px`;
    this.first = this.isPrinting ? 0 : Math.max(0, heights.rowAt(top) - 4);
    this.end = this.isPrinting ? mostPrintedRows : heights.rowAt(top + box.clientHeight) + 5;
    this.end = Math.min(this.count, this.end);
    this.grow(this.end - this.first);
    const used = new Set(), tall = [];
    for (let row = this.first; row < this.end; row++) {
      const slot = row % this.pool.length, shown = this.pool[slot];
      used.add(slot);
      shown.style.transform = `translateY(${heights.offset(row)}px)`;
      if (this.shown[slot] === row) continue;
      this.shown[slot] = row;
      shown.hidden = false;
      shown.setAttribute('aria-rowindex', row + 1);
      if (this.show(shown, row) || heights.extra.has(row)) tall.push([row, shown]);
    }
    this.pool.forEach((shown, slot) => {
      if (used.has(slot)) return;
      shown.hidden = true;
      this.shown[slot] = -1;
    });
    this.fit(tall);
    this.afterDrawing?.();
  }

  grow(count) {
    if (count <= this.pool.length) return;
    while (this.pool.length < count) {
      const made = this.make(this.pool.length);
      this.pool.push(made);
      this.space.append(made);
    }
    // With a larger pool, the rows have other elements.
    this.shown = new Array(count).fill(-1);
  }

  /// Measures rows and takes over their heights. All heights are read before any position is
  /// written, so that the page is laid out once.
  fit(tall) {
    const measured = tall.map(([row, shown]) => [row, shown.offsetHeight]);
    const isWrong = measured.filter(([row, height]) => this.heights.of(row) !== height);
    if (!isWrong.length) return;
    for (const [row, height] of isWrong) this.heights.set(row, height);
    this.space.style.height = `${this.heights.total}px`;
    for (let row = this.first; row < this.end; row++) {
      this.elementOf(row).style.transform = `translateY(${this.heights.offset(row)}px)`;
    }
  }

  elementOf(row) {
    const shown = this.pool[row % this.pool.length];
    return this.shown[row % this.pool.length] === row ? shown : null;
  }

  reveal(row) {
    const { box } = this, top = this.heights.offset(row), height = this.heights.of(row);
    if (top < box.scrollTop + height) box.scrollTop = top - height;
    else if (top + 2 * height > box.scrollTop + box.clientHeight) {
      box.scrollTop = top + 2 * height - box.clientHeight;
    }
    this.draw();
  }

  /// Shows all rows, up to a maximum, while the page is printed, because paper does not scroll.
  print(isPrinting) {
    this.isPrinting = isPrinting;
    this.redraw();
  }
}
