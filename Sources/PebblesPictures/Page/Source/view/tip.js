// A tip on the pebble below the pointer, or with the focus in the graph. Esc hides it, and the
// pointer may move onto it. The panel contains the same facts about the selected pebble.

class Tip {
  constructor(inspector, timeline) {
    Object.assign(this, { inspector, timeline, box: byID('tip'), pebble: -1 });
    document.addEventListener('pointerover', event => this.follow(event));
    document.addEventListener('pointermove', event =>
      event.target.tagName === 'CANVAS' && this.follow(event));
    document.addEventListener('focusin', ({ target }) => {
      const node = target.closest('a.node');
      if (node) this.show(Number(node.dataset.pebble), node.getBoundingClientRect());
      else this.hide();
    });
    document.addEventListener('scroll', () => this.hide(), { capture: true, passive: true });
  }

  follow({ target, clientX, pointerType }) {
    if (pointerType === 'touch' || this.box.contains(target)) return;
    const node = target.closest?.('a.node');
    const row = target.closest?.('.bar, .wait, .dot, .tail, .label') && target.closest('.row');
    if (node) return this.show(Number(node.dataset.pebble), node.getBoundingClientRect());
    const lane = target.closest?.('.lanes canvas');
    if (lane) return this.followLane(lane, clientX);
    const pebble = row ? Number(row.dataset.row) : -1;
    if (!row || !(pebble < this.inspector.run.count)) return this.hide();
    const box = row.getBoundingClientRect();
    this.show(pebble, new DOMRect(clientX, box.top, 0, box.height));
  }

  followLane(lane, x) {
    const box = lane.getBoundingClientRect(), { inspector, timeline } = this;
    const own = inspector.outline.laneAt(Number(lane.closest('.row').dataset.row));
    const pebble = own ? timeline.lane.pebbleAt(own, x - box.left) : -1;
    if (pebble < 0) this.hide();
    else this.show(pebble, new DOMRect(x, box.top, 0, box.height));
  }

  show(pebble, { left, top, bottom }) {
    const { box, inspector } = this, { run } = inspector;
    if (pebble === this.pebble) return;
    this.pebble = pebble;
    box.replaceChildren(element('b', {}, `${run.mark(pebble)} ${shortened(run.names[pebble], 80)}`),
      ...[endingSentence(run, pebble), timesText(run, pebble)].map(text => element('p', {}, text)));
    box.hidden = false;
    const { offsetWidth, offsetHeight } = box, isBelow = bottom + offsetHeight < innerHeight;
    box.style.left = `${Math.max(4, Math.min(left, innerWidth - offsetWidth - 4))}px`;
    box.style.top = `${isBelow ? bottom : Math.max(0, top - offsetHeight)}px`;
  }

  /// Hides the tip. Returns whether it was visible.
  hide() {
    const wasShown = !this.box.hidden;
    this.pebble = -1;
    this.box.hidden = true;
    return wasShown;
  }
}

/// Returns the times of a pebble, with its wait and the number of its attempts; empty if it did not
/// run.
function timesText(run, pebble) {
  if (!run.hasRun(pebble)) return '';
  const { attempts } = run.record(pebble), waited = run.waited(pebble);
  const parts = [`${brief(run.started[pebble])} to ${brief(run.finished[pebble])}`];
  if (waited > 0) parts.push(`${brief(waited)} of waiting before`);
  if (attempts?.length > 1) parts.push(`${attempts.length} attempts`);
  return parts.join(', ');
}
