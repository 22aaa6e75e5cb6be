"use strict";
/*
 * A whole game laid out in time, so that any moment of it can be shown at once.
 *
 * The game is played to its end, or until the exact position (both hands in order *and* who
 * leads) comes back, which alone proves that it never ends. The start of every trick is kept; a
 * moment inside a trick is replayed from there.
 */
class Timeline {
  /**
   * @param hands two arrays of card values, top card first; the first hand leads
   * @param cap tricks after which an undecided game is given up
   */
  constructor(hands, cap = Rules.DEFAULT_CAP) {
    this.deal = hands;
    this.cards = hands[0].length + hands[1].length;
    this.starts = []; // of each trick: the hands as text, who leads, card plays before it
    this.sizes = [[hands[0].length], [hands[1].length]]; // of both hands after each card play
    this.ending = "capped";
    this.cycle = null; // { start, period } in tricks
    const seen = new Map();
    const game = new Rules.Position(hands);
    while (game.resolved < cap) {
      if (game.pile.length === 0) {
        const state = Rules.dealText(game.hands) + game.seat;
        const before = seen.get(state);
        if (before !== undefined && before < game.resolved) {
          this.cycle = { start: before, period: game.resolved - before };
          this.ending = "cycle";
          break;
        }
        seen.set(state, game.resolved);
        this.starts.push({ state, plays: game.cardPlays });
      }
      if (!game.play()) {
        this.ending = game.ending;
        break;
      }
      this.sizes[0].push(game.hands[0].length);
      this.sizes[1].push(game.hands[1].length);
    }
    this.plays = game.cardPlays; // the last moment: 0 to plays
    this.winner = game.winner;
    this.tricks = game.resolved + (this.finished ? 1 : 0);
  }

  get finished() {
    return this.ending === "dry" || this.ending === "capture";
  }

  /** Counts in the convention of the published record tables (R. P. Mann). */
  get mann() {
    const unanswered = this.ending === "capture" ? 1 : 0;
    return { tricks: this.tricks - unanswered, cards: this.plays - unanswered };
  }

  /** Card plays in one period of the cycle. */
  get periodPlays() {
    return this.plays - this.starts[this.cycle.start].plays;
  }

  /** The trick (from 0) in which the moment after `plays` cards lies. */
  trickAt(plays) {
    let low = 0, high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle].plays <= plays) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The position after `plays` cards; after the last one, with the ending found out. */
  at(plays) {
    let trick = this.trickAt(plays);
    // The moment a pile is taken is shown with the move that took it, so replay from before.
    if (trick > 0 && this.starts[trick].plays === plays) trick--;
    const { state, plays: before } = this.starts[trick];
    const [first, second] = state.slice(0, -1).split("/");
    const values = (hand) => Array.from(hand, (card) => Rules.SYMBOLS.indexOf(card));
    const game = new Rules.Position([values(first), values(second)]);
    game.seat = Number(state.slice(-1));
    game.resolved = trick;
    game.cardPlays = before;
    while (game.cardPlays < plays) game.play();
    if (plays === this.plays && this.finished) game.play();
    return game;
  }
}
