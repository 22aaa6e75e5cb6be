"use strict";
/*
 * A search worker: plays ranges of seeds with the rules above it in this file, and answers each
 * range with its length table. One row per length, columns as typed arrays; the last row is that
 * of the capped deals if there are any.
 */
const COLUMNS = ["deals", "cardPlays", "captures", "leaderWins"];
let tables = null; // sums by number of tricks, kept between ranges

function makeTables(cap) {
  const size = cap + 2; // tricks 0 to cap, then capped deals
  const sums = COLUMNS.map(() => new Float64Array(size));
  return { cap, sums, high: new Int32Array(size), low: new Int32Array(size), first: new Float64Array(size) };
}

onmessage = ({ data: { id, seed, count, cap, deck } }) => {
  if (tables === null || tables.cap !== cap) tables = makeTables(cap);
  const [deals, cardPlays, captures, leaderWins] = tables.sums;
  const dealer = new Rules.Dealer(deck), player = new Rules.Player(dealer.cards.length);
  const share = new Rules.Fingerprint();
  const lengths = [];
  let [high, low] = seed;
  for (let i = 0; i < count; i++) {
    dealer.deal(high, low);
    player.playDeck(dealer.cards, cap);
    const row = player.ending === 2 ? cap + 1 : player.tricks;
    if (deals[row] === 0) {
      lengths.push(row);
      tables.first[row] = i;
    }
    deals[row]++;
    cardPlays[row] += player.cardPlays;
    if (player.ending === 1) captures[row]++;
    if (player.ending !== 2 && player.winner === 0) leaderWins[row]++;
    share.high = tables.high[row];
    share.low = tables.low[row];
    share.addGame(high, low, player.tricks, player.cardPlays, player.winner);
    tables.high[row] = share.high;
    tables.low[row] = share.low;
    low = (low + 1) | 0;
    if (low === 0) high = (high + 1) | 0;
  }
  lengths.sort((a, b) => a - b);
  const rows = lengths.map((row) => ({
    tricks: Math.min(row, cap),
    finished: row <= cap,
    deals: deals[row],
    cardPlays: cardPlays[row],
    captures: captures[row],
    leaderWins: leaderWins[row],
    high: tables.high[row],
    low: tables.low[row],
    first: tables.first[row], // seeds after the first of the range
  }));
  for (const row of lengths) {
    for (const sums of tables.sums) sums[row] = 0;
    tables.high[row] = tables.low[row] = 0;
  }
  postMessage({ id, rows });
};
