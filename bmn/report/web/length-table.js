"use strict";
/* The length table of the seeds played here: sums by length, so parts are added in any order. */
class LengthTable {
  constructor() {
    this.rows = new Map(); // by length; capped deals apart
  }

  /** Add the rows of a range of seeds that begins `offset` seeds after the first. */
  add(rows, offset) {
    for (const row of rows) {
      const key = row.finished ? row.tricks : Infinity;
      const kept = this.rows.get(key);
      const first = row.first + offset;
      if (!kept) {
        const share = new Rules.Fingerprint(row.high, row.low);
        this.rows.set(key, { ...row, first, share });
        continue;
      }
      for (const sum of ["deals", "cardPlays", "captures", "leaderWins"]) kept[sum] += row[sum];
      kept.share.add(row.high, row.low);
      kept.first = Math.min(kept.first, first);
    }
  }

  /** Rows by length, with the capped deals last. */
  get sorted() {
    return [...this.rows.entries()].sort(([a], [b]) => (a === b ? 0 : a - b)).map(([, row]) => row);
  }

  get fingerprint() {
    const sum = new Rules.Fingerprint();
    for (const { share } of this.rows.values()) sum.add(share.high, share.low);
    return sum.toString();
  }

  /** The longest finished game: { tricks, first }, or undefined. */
  get longest() {
    return this.sorted.filter((row) => row.finished).pop();
  }

  total(column) {
    return [...this.rows.values()].reduce((sum, row) => sum + row[column], 0);
  }

  /** Compare with a table of the workflow, given by columns; returns the rows that differ. */
  differences(table) {
    const text = (row) =>
      [row.finished, row.tricks, row.deals, row.cardPlays, row.captures, row.leaderWins]
        .concat(row.first, String(row.share))
        .join();
    const theirs = table.tricks.map((tricks, i) => ({
      tricks,
      finished: table.finished[i],
      deals: table.deals[i],
      cardPlays: table.card_plays[i],
      captures: table.captures[i],
      leaderWins: table.leader_wins[i],
      first: table.first[i],
      share: table.fingerprint[i],
    }));
    const known = new Set(theirs.map(text)), found = this.sorted.map(text);
    return found.filter((row) => !known.has(row)).length + Math.max(0, known.size - found.length);
  }
}
