"use strict";
/*
 * The strip chart: how many cards each seat holds, over a whole game, and where we are in it.
 * Seat 1 grows from the bottom, seat 2 from the top; what is between them lies on the pile.
 */
class Strip {
  constructor(canvas) {
    this.canvas = canvas;
    this.timeline = null;
    this.now = 0;
    new ResizeObserver(() => this.draw()).observe(canvas);
    Page.onTheme(() => this.draw());
  }

  show(timeline) {
    this.timeline = timeline;
    this.draw();
  }

  mark(plays) {
    this.now = plays;
    this.draw();
  }

  /** Draw the game once into a picture, then the picture and the mark on every move. */
  draw() {
    const { canvas, timeline } = this;
    const scale = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * scale);
    const height = Math.round(canvas.clientHeight * scale);
    if (!timeline || width === 0) return;
    const key = [width, height, Page.dark()].join();
    if (this.drawn !== timeline || this.key !== key) {
      canvas.width = width;
      canvas.height = height;
      this.picture = this.paint(width, height, scale);
      this.drawn = timeline;
      this.key = key;
    }
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, width, height);
    context.drawImage(this.picture, 0, 0);
    const x = (this.now / Math.max(1, timeline.plays)) * (width - 2 * scale);
    context.fillStyle = Page.colour("ink");
    context.fillRect(x, 0, 2 * scale, height);
  }

  paint(width, height, scale) {
    const { timeline } = this;
    const picture = document.createElement("canvas");
    picture.width = width;
    picture.height = height;
    const context = picture.getContext("2d");
    context.fillStyle = Page.colour("sunken");
    context.fillRect(0, 0, width, height);
    const columns = Math.min(width, timeline.plays + 1);
    const wide = width / columns;
    for (const seat of [0, 1]) {
      const sizes = timeline.sizes[seat];
      const tall = (size) => (size / timeline.cards) * height;
      context.fillStyle = Page.colour(`seat${seat + 1}-soft`);
      const tops = Array.from({ length: columns }, (_, i) =>
        tall(sizes[Math.round((i * timeline.plays) / Math.max(1, columns - 1))]),
      );
      tops.forEach((top, i) => {
        context.fillRect(i * wide, seat === 0 ? height - top : 0, wide + 0.5, top);
      });
      context.strokeStyle = Page.colour(`seat${seat + 1}`);
      context.lineWidth = scale;
      context.beginPath();
      tops.forEach((top, i) => {
        const y = seat === 0 ? height - top : top;
        context.lineTo(i * wide, y);
        context.lineTo((i + 1) * wide, y);
      });
      context.stroke();
    }
    if (timeline.cycle) {
      const start = timeline.starts[timeline.cycle.start].plays;
      const x = (start / timeline.plays) * width;
      context.fillStyle = Page.colour("ink");
      for (let y = 0; y < height; y += 8 * scale) context.fillRect(x, y, scale, 4 * scale);
      context.font = `${12 * scale}px Inter, sans-serif`;
      context.fillText("the cycle begins", x + 6 * scale, height - 8 * scale);
    }
    return picture;
  }
}
