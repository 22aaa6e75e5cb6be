"use strict";
/*
 * The game and the deal a third time, in the language of the reader's own browser.
 *
 * Written from the rules alone (docs/spec.md), beside the compiled engine and the slow reference,
 * so that this page can replay what they claim. Nothing here knows of the page: the same text
 * runs in the search workers.
 *
 * A card is its value: 0 for a plain card, 1 to 4 for J, Q, K, A. A *demand* is how many cards a
 * card asks for. By the rules a card demands its value; a broken rule is another table of demands.
 *
 * JavaScript numbers hold 53 bits exactly, and the shuffle works modulo 2^64. A 64-bit word is
 * therefore two 32-bit halves, high and low, and `x | 0` or `x >>> 0` cuts a number to 32 bits.
 */
const Rules = (() => {
  const SYMBOLS = "-JQKA";
  const DEMANDS = [0, 1, 2, 3, 4];
  const ACE_DEMANDS_NOTHING = [0, 1, 2, 3, 0];
  const STANDARD = [36, 4, 4, 4, 4]; // cards of each value in the deck of 52
  const DEFAULT_CAP = 100000; // tricks after which a game is given up
  const MAX_CARDS = 2000; // in a deal written on the page
  const ENDINGS = ["dry", "capture", "capped"];

  // ---- the notation ----------------------------------------------------------------------

  /** Read a deal written HAND/HAND into two arrays of card values; throws a plain sentence. */
  function parseDeal(text) {
    const hands = text.trim().split("/");
    if (hands.length !== 2) {
      throw new Error(
        `The deal has ${hands.length - 1} “/”; write two hands with one “/” between, ` +
          "like --A-/J---.",
      );
    }
    hands.forEach((hand, i) => {
      const at = [...hand].findIndex((card) => !SYMBOLS.includes(card));
      if (at >= 0) {
        throw new Error(
          `Hand ${i + 1} has an unknown card “${[...hand][at]}” at position ${at + 1}; ` +
            "cards are - J Q K A.",
        );
      }
    });
    const size = hands[0].length + hands[1].length;
    if (size === 0) throw new Error("Both hands are empty; give at least one hand a card.");
    if (size > MAX_CARDS) {
      throw new Error(`The deal has ${size} cards; at most ${MAX_CARDS} are allowed here.`);
    }
    return hands.map((hand) => Uint8Array.from(hand, (card) => SYMBOLS.indexOf(card)));
  }

  const handText = (hand) => Array.from(hand, (value) => SYMBOLS[value]).join("");
  const dealText = (hands) => hands.map(handText).join("/");

  /** Read a seed, decimal or 0x and hex digits, into its two halves; throws a plain sentence. */
  function parseSeed(text) {
    const digits = text.trim().replace(/[,_\s]/g, "");
    if (!/^(\d+|0x[0-9a-f]+)$/i.test(digits)) {
      throw new Error("A seed is a whole number, like 13750259 or 0xd1cff3.");
    }
    const seed = BigInt(digits);
    if (seed >> 64n) throw new Error("A seed has 64 bits: 0 to 18446744073709551615.");
    return [Number(seed >> 32n) | 0, Number(seed & 0xffffffffn) | 0];
  }

  const hex = (half) => (half >>> 0).toString(16).padStart(8, "0");
  const seedHex = (high, low) => hex(high) + hex(low);
  const seedDecimal = (high, low) => BigInt("0x" + seedHex(high, low)).toString();

  // ---- 64-bit arithmetic in 32-bit halves ------------------------------------------------

  /** The upper 32 bits of the product of two unsigned 32-bit numbers, by 16-bit halves. */
  function multiplyHigh(x, y) {
    const xl = x & 0xffff, xh = x >>> 16, yl = y & 0xffff, yh = y >>> 16;
    const middle = (Math.imul(xh, yl) + (Math.imul(xl, yl) >>> 16)) >>> 0;
    const carry = (Math.imul(xl, yh) + (middle & 0xffff)) >>> 0;
    return (Math.imul(xh, yh) + (middle >>> 16) + (carry >>> 16)) | 0;
  }

  // The word made last by `scale` or `mix`, high half first. In a typed array, since a browser
  // keeps no 32-bit number in a plain variable shared by functions without allocating it.
  const word = new Int32Array(2);

  /** Set the word to x times y mod 2^64. */
  function scale(xh, xl, yh, yl) {
    word[0] = multiplyHigh(xl, yl) + Math.imul(xl, yh) + Math.imul(xh, yl);
    word[1] = Math.imul(xl, yl);
  }

  /** Set the word to mix64(z): the finaliser of splitmix64 (Steele, Lea and Flood, 2014). */
  function mix(zh, zl) {
    scale(zh ^ (zh >>> 30), zl ^ ((zl >>> 30) | (zh << 2)), 0xbf58476d, 0x1ce4e5b9);
    zh = word[0], zl = word[1];
    scale(zh ^ (zh >>> 27), zl ^ ((zl >>> 27) | (zh << 5)), 0x94d049bb, 0x133111eb);
    zh = word[0], zl = word[1];
    word[0] = zh ^ (zh >>> 31);
    word[1] = zl ^ ((zl >>> 31) | (zh << 1));
  }

  const GOLDEN_HIGH = 0x9e3779b9, GOLDEN_LOW = 0x7f4a7c15;

  /** The 1 carried out of the low halves of a sum, where `sum` is `addend` plus anything. */
  function carried(sum, addend) {
    return sum >>> 0 < addend >>> 0 ? 1 : 0;
  }

  // ---- from a seed to a deal ------------------------------------------------------------

  /**
   * Shuffles a deck by seeds: a Fisher-Yates shuffle driven by splitmix64.
   *
   * `deal` leaves the shuffled deck in `cards`, each card as what it demands. Even positions go
   * to the first hand, odd ones to the second, top card first.
   */
  class Dealer {
    constructor(deck = STANDARD, demands = DEMANDS) {
      this.inOrder = Uint8Array.from(deck.flatMap((n, value) => Array(n).fill(demands[value])));
      this.cards = new Uint8Array(this.inOrder.length);
    }

    deal(seedHigh, seedLow) {
      const cards = this.cards;
      cards.set(this.inOrder);
      let stateHigh = seedHigh | 0, stateLow = seedLow | 0;
      for (let i = cards.length - 1; i > 0; i--) {
        stateLow = (stateLow + GOLDEN_LOW) | 0;
        stateHigh = (stateHigh + GOLDEN_HIGH + carried(stateLow, GOLDEN_LOW)) | 0;
        mix(stateHigh, stateLow);
        // j = upper half of the word * (i + 1) >> 32, a number from 0 to i
        const u = word[0], n = i + 1;
        const j = (Math.imul(u >>> 16, n) + (Math.imul(u & 0xffff, n) >>> 16)) >>> 16;
        const card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
      }
    }
  }

  /** The hands of a seed, as two arrays of card values. */
  function dealSeed(seedHigh, seedLow, deck = STANDARD) {
    const dealer = new Dealer(deck);
    dealer.deal(seedHigh, seedLow);
    return [0, 1].map((seat) => dealer.cards.filter((_, i) => i % 2 === seat));
  }

  // ---- a whole game, fast --------------------------------------------------------------

  /**
   * Plays whole games of one number of cards and keeps the outcome of the last one.
   *
   * Both hands lie in rings. A card played is written at once behind *both* hands, one place
   * further for every card of the pile; whoever takes the pile moves the end of their hand over
   * it, and nothing is ever copied. A ring holds a hand and a pile, so twice the deck is enough.
   */
  class Player {
    constructor(size) {
      const ring = 1 << Math.ceil(Math.log2(Math.max(2 * size, 2)));
      this.hands = [new Uint8Array(ring), new Uint8Array(ring)];
      this.tricks = this.cardPlays = this.winner = this.ending = 0;
    }

    /** Play the deal of a shuffled deck; the first hand leads. */
    playDeck(cards, cap) {
      const [first, second] = this.hands;
      const n = cards.length, half = n >> 1;
      for (let i = 0; i < half; i++) {
        first[i] = cards[2 * i];
        second[i] = cards[2 * i + 1];
      }
      if (n & 1) first[half] = cards[n - 1];
      this.run(n - half, half, cap);
    }

    /** Play two stated hands of demands; the first hand leads. */
    playHands(one, other, cap) {
      this.hands[0].set(one);
      this.hands[1].set(other);
      this.run(one.length, other.length, cap);
    }

    run(firstSize, secondSize, cap) {
      const mask = this.hands[0].length - 1;
      // Whoever must play now, and the other: their ring, its top and its end.
      let mine = this.hands[0], myTop = 0, myEnd = firstSize;
      let yours = this.hands[1], yourTop = 0, yourEnd = secondSize;
      let seat = 0, owed = 0, pile = 0, collected = 0, resolved = 0;
      while (myTop !== myEnd) {
        const card = mine[myTop++ & mask];
        mine[(myEnd + pile) & mask] = card;
        yours[(yourEnd + pile) & mask] = card;
        pile++;
        if (card === 0 && owed > 1) {
          owed--; // one paid, and the same player goes on
          continue;
        }
        if (card === 0 && owed === 1) {
          // The obligation is met: the other takes the pile and will lead.
          yourEnd += pile;
          collected += pile;
          pile = 0;
          if (++resolved === cap) return this.end(cap, collected, 0, 2);
        }
        owed = card; // a penalty card replaces what was owed; a plain one asks for nothing
        const hand = mine, top = myTop, end = myEnd;
        mine = yours, myTop = yourTop, myEnd = yourEnd;
        yours = hand, yourTop = top, yourEnd = end;
        seat ^= 1;
      }
      // Whoever must play has no card and loses. If the pile is one card, the lead, then the
      // loser already had none when the trick began: a capture.
      this.end(resolved + 1, collected + pile, seat ^ 1, pile === 1 ? 1 : 0);
    }

    end(tricks, cardPlays, winner, ending) {
      this.tricks = tricks;
      this.cardPlays = cardPlays;
      this.winner = winner;
      this.ending = ending;
    }
  }

  // ---- the fingerprint -----------------------------------------------------------------

  /**
   * The order-independent fingerprint of a set of games: the sum, mod 2^64, of
   * mix64(seed * 0x9E3779B97F4A7C15 + (tricks << 32 | card plays << 1 | winner)).
   */
  class Fingerprint {
    constructor(high = 0, low = 0) {
      this.high = high | 0;
      this.low = low | 0;
    }

    addGame(seedHigh, seedLow, tricks, cardPlays, winner) {
      scale(seedHigh, seedLow, GOLDEN_HIGH, GOLDEN_LOW);
      const counts = (cardPlays << 1) | winner;
      const sum = (word[1] + counts) | 0;
      mix((word[0] + tricks + carried(sum, counts)) | 0, sum);
      this.add(word[0], word[1]);
    }

    add(high, low) {
      this.low = (this.low + low) | 0;
      this.high = (this.high + high + carried(this.low, low)) | 0;
    }

    toString() {
      return seedHex(this.high, this.low);
    }
  }

  // ---- a game move by move -------------------------------------------------------------

  /** A game in progress, one card at a time: `play` is the rules as a person reads them. */
  class Position {
    constructor(hands, demands = DEMANDS) {
      this.demands = demands;
      this.hands = hands.map((hand) => Array.from(hand)); // top card first
      this.pile = []; // in the order played: { card, seat }
      this.seat = 0; // who must play
      this.owed = 0; // how many cards they owe
      this.resolved = 0; // tricks resolved
      this.cardPlays = 0;
      this.last = null; // what the last move was: { seat, card, took }
      this.ending = null; // "dry" or "capture" once the seat that must play has no card
      this.bare = this.hands.map((hand) => hand.length === 0); // empty when the trick began
    }

    /** The number of the trick being played, from 1; after the end, of the last one. */
    get trick() {
      return this.resolved + 1;
    }

    get winner() {
      return this.ending === null ? null : 1 - this.seat;
    }

    /** The last penalty card in the pile, or null. */
    get penalty() {
      const demanding = this.pile.filter(({ card }) => this.demands[card] > 0);
      return demanding.length > 0 ? demanding[demanding.length - 1] : null;
    }

    /** Lay the next card; false if the seat that must play has none and has lost. */
    play() {
      const seat = this.seat, other = 1 - seat, hand = this.hands[seat];
      if (hand.length === 0) {
        this.ending = this.bare[seat] && this.pile.length > 0 ? "capture" : "dry";
        return false;
      }
      const card = hand.shift();
      this.pile.push({ card, seat });
      this.cardPlays++;
      this.last = { seat, card, took: null };
      if (this.demands[card] > 0) {
        this.owed = this.demands[card]; // replaces whatever was owed
        this.seat = other;
      } else if (this.owed > 1) {
        this.owed--;
      } else if (this.owed === 1) {
        this.owed = 0;
        this.hands[other].push(...this.pile.map((laid) => laid.card)); // first played first
        this.last.took = { seat: other, cards: this.pile };
        this.pile = [];
        this.seat = other;
        this.resolved++;
        this.bare = this.hands.map((hand) => hand.length === 0);
      } else {
        this.seat = other;
      }
      return true;
    }
  }

  return {
    SYMBOLS, DEMANDS, ACE_DEMANDS_NOTHING, STANDARD, DEFAULT_CAP, ENDINGS,
    parseDeal, dealText, handText, parseSeed, seedHex, seedDecimal,
    Dealer, dealSeed, Player, Fingerprint, Position,
  };
})();
