"use strict";
/*
 * The battery, played by the browser: fingerprints of sets of games, beside those of the engine
 * and the reference. Pure; the page shows what comes out.
 */
const Battery = (() => {
  /**
   * Play a row and return the fingerprint of its games, as 16 hex digits.
   * @param row { cap, deck, seed, deals } for the deals of a range of seeds, or { cap, stated }
   * @param demands what each card value demands; another table breaks the rules
   */
  function fingerprint(row, demands = Rules.DEMANDS) {
    const sum = new Rules.Fingerprint();
    if (row.stated) {
      row.stated.forEach((text, place) => {
        const hands = Rules.parseDeal(text).map((hand) => hand.map((card) => demands[card]));
        const player = new Rules.Player(hands[0].length + hands[1].length);
        player.playHands(...hands, row.cap);
        sum.addGame(0, place, player.tricks, player.cardPlays, player.winner);
      });
      return sum.toString();
    }
    const dealer = new Rules.Dealer(row.deck, demands);
    const player = new Rules.Player(dealer.cards.length);
    let [high, low] = Rules.parseSeed(row.seed);
    for (let i = 0; i < row.deals; i++) {
      dealer.deal(high, low);
      player.playDeck(dealer.cards, row.cap);
      sum.addGame(high, low, player.tricks, player.cardPlays, player.winner);
      low = (low + 1) | 0;
      if (low === 0) high = (high + 1) | 0;
    }
    return sum.toString();
  }

  return { fingerprint };
})();
