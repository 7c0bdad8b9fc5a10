import { Heights } from './heights.mjs';
import { Scale } from './scale.mjs';

const usualHeight = 44, rowsAround = 4;

/// A list of which only the rows in sight exist. Row `r` is shown by element `r % pool`, so that
/// scrolling by a few rows rewrites a few elements. Rows size themselves: each is measured when it
/// comes in sight, and what is read on the screen stays where it is.
export class List {
  /// `make` makes an element, `show` fills it with what stands at a place and says whether that is
  /// there yet, `seen` is told which places are in sight.
  constructor(box, space, { make, show, seen }) {
    Object.assign(this, { box, space, make, show, seen });
    this.pool = [];
    // By slot: the row that is shown, whether it is filled, and where it stands.
    this.slots = [];
    this.reset(0);
    this.drawSoon = onceAFrame(() => this.draw());
    box.addEventListener('scroll', () => this.scrolled(), { passive: true });
    box.addEventListener('scrollend', () => {
      this.isScrolling = false;
      this.settle();
    });
    new ResizeObserver(() => this.resized()).observe(box);
  }

  /// Shows another list from its start.
  reset(count) {
    this.count = count;
    this.heights = new Heights(count, usualHeight);
    this.top = 0;
    this.lastScroll = this.box.scrollTop = 0;
    this.first = this.end = 0;
    this.resetSlots();
    this.draw();
  }

  /// Shows again what is in sight, such as rows that have come.
  refresh(isAll = false) {
    for (const slot of this.slots) if (isAll || !slot.isFilled) slot.row = -1;
    this.draw();
  }

  /// How many rows a page is.
  get pageRows() { return Math.max(1, Math.floor(this.box.clientHeight / usualHeight) - 1); }

  elementOf(row) {
    const slot = this.slots[row % this.slots.length];
    return slot?.row === row ? slot.element : null;
  }

  /// Scrolls so that a row is in sight, with one before and after it.
  reveal(row) {
    // Rows that come in sight may turn out to be of other heights.
    for (let attempt = 0; attempt < 3; attempt++) {
      const { heights } = this, view = this.box.clientHeight;
      const start = heights.offset(row), end = start + heights.of(row);
      const isFar = start < this.top - view || end > this.top + 2 * view;
      if (isFar) this.top = start - view / 2;
      else if (start - usualHeight < this.top) this.top = start - usualHeight;
      else if (end + usualHeight > this.top + view) this.top = end + usualHeight - view;
      else break;
      this.top = this.scale.within(this.top);
      this.settle();
      this.draw();
    }
  }

  // MARK: Scrolling

  get scale() { return new Scale(this.heights.total, this.box.clientHeight); }

  /// A step is as long as it looks; what jumps further has taken the scroll bar.
  scrolled() {
    const scroll = this.box.scrollTop, step = scroll - this.lastScroll;
    if (step === 0) return;
    this.isScrolling = true;
    this.lastScroll = scroll;
    const isJump = Math.abs(step) > 2 * this.box.clientHeight;
    this.top = isJump ? this.scale.top(scroll) : this.scale.within(this.top + step);
    this.drawSoon();
  }

  /// Puts the scroll bar where it belongs, once nothing moves.
  settle() {
    this.resize();
    this.box.scrollTop = this.scale.scroll(this.top);
    this.lastScroll = this.box.scrollTop;
    this.place();
  }

  resize() {
    const height = this.scale.scrollHeight;
    if (height === this.spaceHeight) return;
    this.spaceHeight = height;
    this.space.style.height = `${height}px`;
  }

  /// Rows may have other heights now. The first one in sight stays.
  resized() {
    if (this.width !== this.box.clientWidth) {
      this.width = this.box.clientWidth;
      const anchor = this.heights.rowAt(this.top), inside = this.top - this.heights.offset(anchor);
      this.heights = new Heights(this.count, usualHeight);
      this.top = this.scale.within(this.heights.offset(anchor) + inside);
      this.resetSlots();
    }
    this.settle();
    this.draw();
  }

  // MARK: Drawing

  resetSlots() {
    for (const slot of this.slots) slot.row = -1;
  }

  draw() {
    const { heights, box } = this;
    const read = new Set(this.slots.filter(slot => slot.isFilled).map(slot => slot.row));
    this.resize();
    this.first = Math.max(0, heights.rowAt(this.top) - rowsAround);
    this.end = Math.min(
      this.count, heights.rowAt(this.top + box.clientHeight) + 1 + rowsAround);
    this.grow(this.end - this.first);
    const fresh = [];
    for (let row = this.first; row < this.end; row++) {
      const slot = this.slots[row % this.slots.length];
      if (slot.row === row) continue;
      slot.row = row;
      slot.isFilled = this.show(slot.element, row);
      slot.element.hidden = false;
      fresh.push(slot);
    }
    for (const slot of this.slots) {
      if (slot.row >= this.first && slot.row < this.end) continue;
      slot.row = -1;
      slot.element.hidden = true;
    }
    this.place();
    this.measure(fresh, read);
    this.seen(this.first, this.end);
  }

  grow(count) {
    if (count <= this.slots.length) return;
    while (this.slots.length < count) {
      const element = this.make(this.slots.length);
      this.slots.push({ element, row: -1, isFilled: false, y: NaN });
      this.space.append(element);
    }
    // Rows are at other slots now.
    this.resetSlots();
  }

  /// Puts rows where they stand while the scroll bar is where it is.
  place() {
    const shift = this.lastScroll - this.top;
    for (const slot of this.slots) {
      if (slot.row < 0) continue;
      const y = Math.round(this.heights.offset(slot.row) + shift);
      if (y === slot.y) continue;
      slot.y = y;
      slot.element.style.transform = `translateY(${y}px)`;
    }
  }

  /// Takes over the heights that rows turned out to have; what could be read stays where it is. All
  /// are read before any is written, so that the page is laid out once.
  measure(fresh, read) {
    const measured = fresh.filter(slot => slot.isFilled)
      .map(slot => [slot.row, slot.element.offsetHeight])
      .filter(([row, height]) => this.heights.of(row) !== height);
    if (!measured.length) return;
    const anchor = this.anchor(read), before = this.heights.offset(anchor);
    for (const [row, height] of measured) this.heights.set(row, height);
    this.top = this.scale.within(this.top + this.heights.offset(anchor) - before);
    // The scroll bar is left alone while it moves, and put right when that ends.
    if (!this.isScrolling) return this.settle();
    this.resize();
    this.place();
  }

  /// The first row in sight that could be read before; the first of all, if none could.
  anchor(read) {
    const first = this.heights.rowAt(this.top);
    const last = this.heights.rowAt(this.top + this.box.clientHeight);
    for (let row = first; row <= last; row++) if (read.has(row)) return row;
    return first;
  }
}

/// Calls an action when the page is drawn next, once, however often it is asked for.
function onceAFrame(action) {
  let frame = 0;
  return () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      action();
    });
  };
}
