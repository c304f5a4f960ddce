/**
 * The drawings on the slides of the sample lessons. Each returns SVG for an area of 620 x 520.
 * `scripts/make/samples.ts` defines the text classes: "h" condensed heading, "t" text, "m" monospaced figures.
 */
const ink = "#14130F";
const white = "#FBFAF6";
const yellow = "#FFD60A";
const kraft = "#C79A62";
const red = "#E5372B";

type Row = readonly [label: string, value: string];
type Point = readonly [x: number, y: number];
type Style = { font?: "h" | "t" | "m"; fill?: string; anchor?: "start" | "middle" | "end" };

function text(x: number, y: number, size: number, words: string, style: Style = {}): string {
  const { font = "t", fill = ink, anchor = "start" } = style;
  const safe = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text class="${font}" x="${x}" y="${y}" font-size="${size}" fill="${fill}" text-anchor="${anchor}">${safe}</text>`;
}

function rect(x: number, y: number, w: number, h: number, fill = white, extra = ""): string {
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}" stroke="${ink}" stroke-width="4" ${extra}/>`;
}

function path(d: string, stroke = ink, width = 4, extra = ""): string {
  return `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linejoin="round" ${extra}/>`;
}

function arrow(x1: number, y1: number, x2: number, y2: number, color = ink): string {
  const turn = Math.atan2(y2 - y1, x2 - x1);
  const wing = (side: number) => `${x2 - 18 * Math.cos(turn + side)} ${y2 - 18 * Math.sin(turn + side)}`;
  return path(`M${x1} ${y1} L${x2} ${y2} M${wing(0.5)} L${x2} ${y2} L${wing(-0.5)}`, color, 5);
}

function mark(x: number, y: number, good: boolean): string {
  return good ? path(`M${x} ${y} l10 12 l20 -28`, ink, 7) : path(`M${x + 2} ${y - 12} l24 24 m0 -24 l-24 24`, red, 7);
}

/** Bars with widths derived from the seed, so that the same code always looks the same. */
export function barcode(x: number, y: number, w: number, h: number, seed: string, color = ink): string {
  const widths = [...seed.repeat(Math.ceil(28 / seed.length))].map((c, i) => 1 + ((c.charCodeAt(0) * 7 + i * 5) % 4));
  const unit = w / widths.reduce((sum, width) => sum + width, 0);
  let at = x;
  let bars = "";
  for (const [i, width] of widths.entries()) {
    if (i % 2 === 0)
      bars += `<rect x="${at.toFixed(1)}" y="${y}" width="${(width * unit).toFixed(1)}" height="${h}" fill="${color}"/>`;
    at += width * unit;
  }
  return bars;
}

/** A price tag with a punched hole. */
export function tag(x: number, y: number, w: number, price: string, label: string, fill = yellow): string {
  const h = w * 0.5;
  const c = h * 0.3;
  return (
    `<path d="M${x + c} ${y} H${x + w} V${y + h} H${x + c} L${x} ${y + h - c} V${y + c} Z" fill="${fill}" stroke="${ink}" stroke-width="4" stroke-linejoin="round"/>` +
    `<circle cx="${x + c * 0.95}" cy="${y + h / 2}" r="${h * 0.09}" fill="${white}" stroke="${ink}" stroke-width="4"/>` +
    text(x + w * 0.58, y + h * 0.36, Math.max(h * 0.17, 17), label, { anchor: "middle" }) +
    text(x + w * 0.58, y + h * 0.8, h * 0.46, price, { font: "h", anchor: "middle" })
  );
}

/** A carton from the front, with its top visible. */
function carton(x: number, y: number, w: number, h: number, label = "", fill = kraft): string {
  const lid = h * 0.28;
  return (
    `<path d="M${x} ${y + lid} L${x + w * 0.12} ${y} H${x + w * 0.88} L${x + w} ${y + lid} Z" fill="${fill}" stroke="${ink}" stroke-width="4" stroke-linejoin="round"/>` +
    rect(x, y + lid, w, h - lid, fill) +
    path(`M${x + w / 2} ${y} V${y + lid + h * 0.16}`, ink, 4, 'stroke-dasharray="7 5"') +
    text(x + w / 2, y + h * 0.78, Math.min(30, w * 0.2), label, { font: "h", anchor: "middle" })
  );
}

/** A till receipt: amounts right-aligned, the total under a rule. */
export function receipt(title: string, rows: readonly Row[], total: Row): string {
  const step = 300 / rows.length;
  const teeth = Array.from({ length: 13 }, (_, i) => `L${540 - 20 - i * 38} ${i % 2 ? 512 : 494}`).join(" ");
  return (
    `<path d="M64 8 H540 V494 ${teeth} Z" fill="${white}" stroke="${ink}" stroke-width="4" stroke-linejoin="round"/>` +
    text(302, 60, 28, title, { font: "h", anchor: "middle" }) +
    path("M92 82 H512", ink, 3, 'stroke-dasharray="6 6"') +
    rows
      .map(
        ([label, value], i) =>
          text(92, 132 + i * step, 27, label) + text(512, 132 + i * step, 27, value, { font: "m", anchor: "end" }),
      )
      .join("") +
    `<rect x="80" y="392" width="444" height="76" fill="${yellow}"/>` +
    path("M80 392 H524") +
    text(96, 444, 36, total[0], { font: "h" }) +
    text(508, 444, 36, total[1], { font: "m", anchor: "end" })
  );
}

/** A page of the buyer's notebook with a tick or a cross before each line. */
export function notebook(title: string, lines: readonly (readonly [line: string, good: boolean])[]): string {
  const step = 390 / lines.length;
  const rings = Array.from({ length: 9 }, (_, i) => `<circle cx="${70 + i * 60}" cy="30" r="9" fill="${ink}"/>`).join(
    "",
  );
  return (
    rect(20, 30, 580, 480) +
    rings +
    text(60, 102, 34, title, { font: "h" }) +
    lines
      .map(([line, good], i) => {
        const y = 112 + step * (i + 0.68);
        return `${path(`M50 ${112 + step * (i + 1) - 8} H570`, "#C9C4B6", 2)}${mark(60, y - 8, good)}${text(112, y, 28, line)}`;
      })
      .join("")
  );
}

/** Numbered steps from top to bottom. */
export function steps(items: readonly Row[]): string {
  const h = 500 / items.length - 18;
  return items
    .map(([name, detail], i) => {
      const y = 10 + i * (h + 18);
      return (
        rect(20, y, 580, h) +
        `<rect x="22" y="${y + 2}" width="84" height="${h - 4}" fill="${ink}"/>` +
        text(64, y + h / 2 + 18, 50, String(i + 1), { font: "h", fill: yellow, anchor: "middle" }) +
        text(130, y + h / 2 - 4, 34, name, { font: "h" }) +
        text(130, y + h / 2 + 30, 23, detail)
      );
    })
    .join("");
}

/** Two cards side by side with a sign between them. */
export function versus(left: readonly string[], right: readonly string[], sign: string): string {
  const height = 180 + 42 * Math.max(left.length, right.length);
  const top = 30;
  const card = (x: number, fill: string, [title = "", figure = "", ...rest]: readonly string[]) =>
    rect(x, top, 270, height, fill) +
    text(x + 135, top + 62, 31, title, { font: "h", anchor: "middle" }) +
    path(`M${x + 24} ${top + 86} H${x + 246}`, ink, 3) +
    text(x + 135, top + 168, 54, figure, { font: "h", anchor: "middle" }) +
    rest.map((line, i) => text(x + 135, top + 232 + i * 42, 24, line, { anchor: "middle" })).join("");
  return (
    card(14, white, left) +
    card(336, yellow, right) +
    `<circle cx="310" cy="${top + 152}" r="40" fill="${red}" stroke="${ink}" stroke-width="4"/>` +
    text(310, top + 168, 46, sign, { font: "h", fill: white, anchor: "middle" })
  );
}

/** Boxes on two shelves with tags. One tag may be highlighted, and an arrow may show the order. */
export function shelf(tags: readonly string[], accent: number, ordered = false): string {
  const fills = [kraft, white, "#E4DFD2", yellow, white, kraft];
  const heights = [120, 150, 104, 138, 112, 146];
  return (
    tags
      .map((price, i) => {
        const x = 34 + (i % 3) * 190;
        const floor = i < 3 ? 186 : 426;
        const h = heights[i % 6] ?? 120;
        const hit = i === accent;
        return (
          rect(x + 14, floor - h, 140, h, fills[i % 6]) +
          barcode(x + 48, floor - 40, 72, 24, price) +
          rect(x + 22, floor + 18, 124, 46, hit ? red : white) +
          text(x + 84, floor + 52, 29, price, { font: "h", fill: hit ? white : ink, anchor: "middle" })
        );
      })
      .join("") +
    [186, 426].map((y) => `<rect x="10" y="${y}" width="600" height="12" fill="${ink}"/>`).join("") +
    (ordered ? arrow(30, 18, 590, 18, red) + arrow(30, 266, 590, 266, red) : "")
  );
}

/** A phone with the scanning app's result. */
export function phone(product: string, rows: readonly Row[], verdict: string, good: boolean): string {
  return (
    rect(130, 6, 360, 508, ink, 'rx="40"') +
    `<rect x="148" y="34" width="324" height="452" rx="18" fill="${white}"/>` +
    barcode(180, 56, 260, 56, product) +
    path("M164 84 H456", red, 5) +
    text(310, 156, 27, product, { font: "h", anchor: "middle" }) +
    rows
      .map(
        ([label, value], i) =>
          path(`M172 ${178 + i * 54} H448`, "#C9C4B6", 2) +
          text(176, 215 + i * 54, 25, label) +
          text(446, 215 + i * 54, 25, value, { font: "m", anchor: "end" }),
      )
      .join("") +
    `<rect x="166" y="404" width="288" height="66" rx="8" fill="${good ? yellow : red}"/>` +
    text(310, 448, 32, verdict, { font: "h", fill: good ? ink : white, anchor: "middle" })
  );
}

/** A line chart with notes at given points. */
export function chart(
  title: string,
  line: readonly Point[],
  notes: readonly (readonly [x: number, y: number, words: string])[],
  other: readonly Point[] = [],
): string {
  const draw = (points: readonly Point[], color: string) =>
    points.length ? path(`M${points.map(([x, y]) => `${x} ${y}`).join(" L")}`, color, 6) : "";
  return (
    rect(10, 10, 600, 500) +
    text(40, 62, 31, title, { font: "h" }) +
    [160, 240, 320, 400].map((y) => path(`M60 ${y} H570`, "#DDD8CA", 2)).join("") +
    path("M60 90 V460 H580") +
    draw(other, "#8A8576") +
    draw(line, red) +
    notes.map(([x, y, words]) => text(x, y, 24, words, { font: "t", anchor: "middle" })).join("")
  );
}

/** Columns with values above and names below. The last ones may be highlighted. */
export function columns(
  title: string,
  bars: readonly (readonly [name: string, value: string, height: number])[],
  accented: number,
): string {
  const w = 540 / bars.length;
  return (
    rect(10, 10, 600, 500) +
    text(40, 62, 31, title, { font: "h" }) +
    bars
      .map(([name, value, height], i) => {
        const x = 40 + i * w;
        return (
          rect(x + 8, 440 - height, w - 16, height, i >= bars.length - accented ? red : yellow) +
          text(x + w / 2, 428 - height, 29, value, { font: "h", anchor: "middle" }) +
          text(x + w / 2, 482, 23, name, { anchor: "middle" })
        );
      })
      .join("") +
    path("M30 440 H590")
  );
}

/** Four stops around a loop. */
export function loop(stops: readonly [string, string, string, string]): string {
  const at: readonly Point[] = [
    [50, 40],
    [350, 40],
    [350, 330],
    [50, 330],
  ];
  return (
    at
      .map(
        ([x, y], i) =>
          rect(x, y, 220, 130, i === 3 ? yellow : white) +
          text(x + 110, y + 78, 36, stops[i] ?? "", { font: "h", anchor: "middle" }),
      )
      .join("") +
    arrow(278, 105, 342, 105) +
    arrow(460, 178, 460, 322) +
    arrow(342, 395, 278, 395) +
    arrow(160, 322, 160, 178)
  );
}

/** From the packing table to the porch. */
export function journey(): string {
  const stop = (x: number, y: number, n: string, name: string) =>
    text(x, y, 26, n, { font: "m", fill: red, anchor: "middle" }) +
    text(x, y + 38, 30, name, { font: "h", anchor: "middle" });
  return (
    rect(10, 10, 600, 500) +
    carton(60, 60, 130, 110, "YOU") +
    arrow(210, 120, 400, 120) +
    path("M420 170 V80 L500 46 L580 80 V170 Z M455 170 V120 H545 V170 M455 137 H545 M455 153 H545", ink, 5) +
    stop(125, 202, "1", "Your table") +
    stop(500, 202, "2", "Receiving") +
    arrow(556, 254, 556, 304) +
    [0, 1]
      .map(
        (i) =>
          rect(430, 316 + i * 56, 140, 10, ink) +
          rect(444 + i * 20, 282 + i * 56, 34, 34, kraft) +
          rect(496, 290 + i * 56, 44, 26, yellow),
      )
      .join("") +
    arrow(408, 346, 220, 346) +
    path("M60 390 V320 L125 270 L190 320 V390 Z M108 390 V340 H142 V390", ink, 5) +
    rect(150, 364, 30, 26, kraft) +
    stop(500, 424, "3", "The shelf") +
    stop(125, 424, "4", "A porch")
  );
}

/** What happens to a returned unit. */
export function returns(): string {
  const node = (x: number, y: number, w: number, words: string, fill = white) =>
    rect(x, y, w, 78, fill) + text(x + w / 2, y + 50, 30, words, { font: "h", anchor: "middle" });
  return (
    node(170, 10, 280, "Customer returns it") +
    arrow(310, 92, 310, 140) +
    `<path d="M310 148 L450 228 L310 308 L170 228 Z" fill="${yellow}" stroke="${ink}" stroke-width="4"/>` +
    text(310, 238, 30, "Still new?", { font: "h", anchor: "middle" }) +
    path("M170 228 H130 V330 M450 228 H490 V330", ink, 5) +
    text(112, 212, 27, "yes", { font: "m", anchor: "middle" }) +
    text(500, 212, 27, "no", { font: "m", anchor: "middle" }) +
    node(10, 334, 250, "Back on the shelf") +
    node(360, 334, 250, "Out of stock count") +
    arrow(490, 416, 490, 446) +
    text(612, 484, 26, "You: take back or dispose", { anchor: "end" })
  );
}

/** A store's floor plan, with the places where markdowns are. */
export function storeMap(): string {
  const aisles = [0, 1, 2, 3].map((i) => rect(120 + i * 112, 170, 56, 210, "#E4DFD2")).join("");
  const caps = [0, 1, 2, 3].map((i) => rect(116 + i * 112, 128, 64, 38, red)).join("");
  return (
    rect(20, 10, 580, 500) +
    rect(60, 36, 500, 46, kraft) +
    text(310, 69, 27, "BACK WALL", { font: "h", anchor: "middle" }) +
    aisles +
    caps +
    text(310, 422, 26, "Red: end caps away from the door", { anchor: "middle" }) +
    path("M260 510 H360", white, 10) +
    text(310, 490, 27, "DOOR", { font: "h", anchor: "middle" }) +
    path("M92 470 V106 H528", red, 5, 'stroke-dasharray="10 9"') +
    arrow(528, 106, 560, 106, red)
  );
}

/** A markdown sticker with its three facts named. */
export function clearanceSticker(): string {
  return (
    rect(90, 90, 300, 240, yellow, 'rx="14"') +
    text(240, 140, 32, "CLEARANCE", { font: "h", anchor: "middle" }) +
    text(240, 184, 25, "WAS 39.99", { font: "m", anchor: "middle" }) +
    text(240, 258, 76, "11.98", { font: "h", anchor: "middle" }) +
    text(124, 310, 22, "11/03", { font: "m" }) +
    text(356, 310, 22, "70", { font: "m", anchor: "end" }) +
    arrow(490, 176, 402, 176, red) +
    text(500, 172, 25, "first") +
    text(500, 200, 25, "price") +
    arrow(146, 408, 146, 326, red) +
    text(146, 440, 25, "day of the", { anchor: "middle" }) +
    text(146, 468, 25, "markdown", { anchor: "middle" }) +
    arrow(346, 408, 346, 326, red) +
    text(346, 440, 25, "percent off:", { anchor: "middle" }) +
    text(346, 468, 25, "the step", { anchor: "middle" })
  );
}

/** Sixty scans as dots, four of them bought. */
export function scannedAndBought(): string {
  const bought = [13, 22, 41, 55];
  const dots = Array.from({ length: 60 }, (_, i) => {
    const hit = bought.includes(i);
    return rect(
      50 + (i % 10) * 54,
      60 + Math.floor(i / 10) * 54,
      38,
      38,
      hit ? yellow : white,
      hit ? "" : 'opacity="0.55"',
    );
  }).join("");
  return (
    dots + text(50, 452, 50, "60 scanned", { font: "h" }) + text(572, 452, 50, "4 bought", { font: "h", anchor: "end" })
  );
}

/** A budget of $200 split in two. */
export function budget(): string {
  return (
    rect(20, 60, 464, 200, yellow) +
    rect(484, 60, 116, 200, kraft) +
    text(252, 160, 84, "$160", { font: "h", anchor: "middle" }) +
    text(252, 216, 28, "stock", { anchor: "middle" }) +
    text(542, 150, 48, "$40", { font: "h", anchor: "middle" }) +
    text(542, 206, 26, "supplies", { anchor: "middle" }) +
    [0, 1, 2, 3].map((i) => carton(28 + i * 112, 320, 96, 90)).join("") +
    rect(500, 330, 84, 80, white, 'rx="40"') +
    `<circle cx="542" cy="370" r="18" fill="none" stroke="${ink}" stroke-width="4"/>` +
    text(542, 446, 23, "tape, bags", { anchor: "middle" }) +
    text(542, 474, 23, "labels", { anchor: "middle" }) +
    text(240, 460, 25, "things you can sell", { anchor: "middle" })
  );
}

/** Eight small buys, none above the limit. */
export function eightBuys(): string {
  const paid = ["$18", "$20", "$12", "$19", "$20", "$16", "$20", "$15"];
  return paid
    .map((price, i) => {
      const x = 14 + (i % 4) * 150;
      const y = 30 + Math.floor(i / 4) * 240;
      return carton(x + 10, y, 120, 116) + tag(x + 6, y + 132, 130, price, "paid");
    })
    .join("");
}

/** One percent bar: the referral fee on a $20 sale. */
export function referralShare(): string {
  return (
    tag(150, 10, 320, "$20.00", "selling price") +
    rect(20, 230, 493, 110, white) +
    rect(513, 230, 87, 110, red) +
    text(266, 300, 48, "$17.00 stays", { font: "h", anchor: "middle" }) +
    text(556, 296, 34, "15%", { font: "h", fill: white, anchor: "middle" }) +
    arrow(556, 420, 556, 352, red) +
    text(600, 464, 46, "$3.00 referral", { font: "h", anchor: "end" })
  );
}

/** A big light box against a small heavy one. */
export function sizeAgainstWeight(): string {
  return (
    carton(20, 40, 320, 270, "") +
    carton(420, 190, 130, 120, "") +
    text(180, 360, 38, "Big, light toy", { font: "h", anchor: "middle" }) +
    text(180, 396, 25, "18 x 14 x 8 in, 2 lb", { anchor: "middle" }) +
    text(485, 360, 38, "Small tool", { font: "h", anchor: "middle" }) +
    text(485, 396, 25, "6 x 4 x 2 in, 2 lb", { anchor: "middle" }) +
    tag(110, 418, 180, "more", "to send") +
    tag(404, 418, 180, "less", "to send", white)
  );
}

/** A store sticker being peeled off a carton. */
export function peel(): string {
  return (
    rect(60, 60, 380, 360, white) +
    text(100, 130, 44, "PUZZLE", { font: "h" }) +
    text(100, 168, 25, "1000 pieces") +
    `<path d="M220 220 H400 V340 L330 340 L220 270 Z" fill="${yellow}" stroke="${ink}" stroke-width="4" stroke-linejoin="round"/>` +
    `<path d="M220 270 L330 340 L250 372 Z" fill="${white}" stroke="${ink}" stroke-width="4" stroke-linejoin="round"/>` +
    text(350, 286, 36, "7.49", { font: "h", anchor: "middle" }) +
    arrow(250, 380, 190, 470, red) +
    ["1  Warm it", "2  Peel low", "3  Wipe off"]
      .map((line, i) => text(462, 180 + i * 80, 27, line, { font: "h" }))
      .join("")
  );
}

/** A clear bag with the printed warning, its opening measured. */
export function polyBag(): string {
  return (
    path("M120 60 H440 V470 H120 Z", ink, 5, 'stroke-dasharray="2 0"') +
    path("M120 92 H440", ink, 3, 'stroke-dasharray="10 8"') +
    `<rect x="170" y="230" width="220" height="200" rx="60" fill="${kraft}" stroke="${ink}" stroke-width="4"/>` +
    rect(160, 120, 240, 84, yellow) +
    text(280, 154, 26, "WARNING", { font: "h", anchor: "middle" }) +
    text(280, 186, 21, "Suffocation hazard", { anchor: "middle" }) +
    arrow(290, 36, 440, 36, red) +
    arrow(270, 36, 120, 36, red) +
    text(456, 46, 25, "5 in or more") +
    text(456, 160, 25, "needs this") +
    text(456, 320, 25, "1.5 mil") +
    text(456, 350, 25, "or thicker")
  );
}

/** A unit falling from three feet. */
export function dropTest(): string {
  return (
    rect(40, 150, 210, 14, ink) +
    path("M70 164 V460 M220 164 V460", ink, 6) +
    path("M20 460 H600", ink, 8) +
    path("M330 120 q24 20 0 40 m20 -40 q24 20 0 40", ink, 4) +
    `<g transform="rotate(-14 360 220)">${carton(310, 190, 120, 104, "", white)}</g>` +
    path("M360 320 V440", red, 5, 'stroke-dasharray="10 9"') +
    arrow(520, 310, 520, 166) +
    arrow(520, 310, 520, 446) +
    text(536, 320, 40, "3 ft", { font: "h" }) +
    text(145, 128, 26, "packing table", { anchor: "middle" }) +
    text(310, 504, 26, "five drops: flat, and on its edges", { anchor: "middle" })
  );
}

function fnsku(x: number, y: number, scale: number): string {
  return (
    `<g transform="translate(${x} ${y}) scale(${scale})">` +
    rect(0, 0, 300, 170) +
    barcode(34, 20, 232, 74, "X002KT9QLD") +
    text(150, 122, 22, "X002KT9QLD", { font: "m", anchor: "middle" }) +
    text(18, 152, 17, "Board game, 2-6 players") +
    text(282, 152, 17, "New", { anchor: "end" }) +
    "</g>"
  );
}

/** The four parts of the label, named. */
export function labelAnatomy(): string {
  return (
    fnsku(60, 130, 1.66) +
    arrow(310, 60, 310, 150, red) +
    text(310, 44, 28, "the bars", { font: "h", anchor: "middle" }) +
    arrow(472, 470, 424, 346, red) +
    text(560, 504, 28, "the FNSKU, starts with X", { font: "h", anchor: "end" }) +
    arrow(150, 470, 150, 400, red) +
    text(60, 504, 28, "product", { font: "h" })
  );
}

/** The label flat over the maker's barcode. */
export function labelPosition(): string {
  return (
    rect(60, 30, 380, 460, kraft) +
    text(100, 110, 58, "BOARD GAME", { font: "h" }) +
    text(100, 150, 26, "2-6 players") +
    path("M100 190 H400", ink, 3) +
    rect(206, 336, 200, 120, white, 'stroke-dasharray="8 6"') +
    fnsku(190, 318, 0.78) +
    arrow(496, 380, 432, 380, red) +
    text(506, 372, 26, "flat,") +
    text(506, 402, 26, "over the") +
    text(506, 432, 26, "old code")
  );
}

/** The white space that a scanner needs at both ends of the bars. */
export function quietZone(): string {
  return (
    rect(30, 110, 560, 290) +
    `<rect x="32" y="112" width="66" height="286" fill="${yellow}"/><rect x="522" y="112" width="66" height="286" fill="${yellow}"/>` +
    barcode(98, 146, 424, 160, "X002KT9QLD") +
    text(310, 360, 34, "X002KT9QLD", { font: "m", anchor: "middle" }) +
    path("M16 226 H604", red, 6) +
    arrow(65, 470, 65, 408) +
    arrow(555, 470, 555, 408) +
    text(65, 506, 30, "1/4 in", { font: "h", anchor: "middle" }) +
    text(555, 506, 30, "1/4 in", { font: "h", anchor: "middle" }) +
    text(310, 80, 30, "quiet zone, left and right", { font: "h", anchor: "middle" })
  );
}

/** Three places where a label fails. */
export function labelMistakes(): string {
  const row = (y: number, drawing: string, name: string, why: string) =>
    rect(20, y, 580, 154) +
    drawing +
    text(260, y + 72, 34, name, { font: "h" }) +
    text(260, y + 108, 25, why) +
    mark(556, y + 34, false);
  return (
    row(
      6,
      `${path("M60 40 H150 V130 H60 Z M150 40 L200 24 V114 L150 130", ink, 4)}${barcode(118, 70, 60, 34, "AB3")}`,
      "Around a corner",
      "half of the bars hide",
    ) +
    row(
      178,
      `${path("M60 210 H200 V302 H60 Z M130 210 V302", ink, 4)}${barcode(98, 240, 66, 34, "C9D")}`,
      "On the seam",
      "cut when opened",
    ) +
    row(
      350,
      `${path("M60 382 H200 V474 H60 Z", ink, 4)}${barcode(72, 394, 54, 28, "EF1")}${barcode(136, 434, 54, 28, "QZ7", red)}`,
      "Two codes showing",
      "the wrong one gets scanned",
    )
  );
}

/** A box cut open: heavy goods low, paper in the gaps. */
export function packedBox(): string {
  const paper = (x: number, y: number) =>
    path(`M${x} ${y} q12 -22 24 0 t24 0 t24 0 m-62 20 q12 -18 24 0 t24 0`, "#8A8576", 4);
  return (
    path("M70 110 L20 40 M550 110 L600 40", ink, 6) +
    `<path d="M70 110 V480 H550 V110" fill="${kraft}" stroke="${ink}" stroke-width="8"/>` +
    rect(92, 340, 200, 132, white) +
    rect(300, 340, 228, 132, white) +
    text(192, 418, 36, "9 lb", { font: "h", anchor: "middle" }) +
    text(414, 418, 36, "8 lb", { font: "h", anchor: "middle" }) +
    rect(92, 218, 150, 114, yellow) +
    rect(250, 218, 170, 114, yellow) +
    text(167, 288, 34, "3 lb", { font: "h", anchor: "middle" }) +
    text(335, 288, 34, "2 lb", { font: "h", anchor: "middle" }) +
    paper(440, 250) +
    paper(440, 300) +
    paper(110, 170) +
    paper(240, 170) +
    paper(370, 170) +
    text(310, 70, 28, "paper in every gap", { anchor: "middle" }) +
    arrow(310, 82, 310, 138, red)
  );
}

/** A box on a scale, under its limit. */
export function scale(): string {
  return (
    carton(150, 40, 320, 250, "BOX 1 OF 2") +
    rect(110, 300, 400, 26, ink) +
    `<path d="M150 326 H470 L510 450 H110 Z" fill="${white}" stroke="${ink}" stroke-width="4"/>` +
    rect(210, 350, 200, 76, ink) +
    text(310, 406, 46, "38.4 lb", { font: "m", fill: yellow, anchor: "middle" }) +
    path("M60 504 H560", ink, 6) +
    path("M440 490 V518", red, 8) +
    `<rect x="60" y="498" width="292" height="12" fill="${yellow}" stroke="${ink}" stroke-width="3"/>` +
    text(454, 492, 26, "limit 50 lb", { font: "h", fill: red })
  );
}

/** The top of a box with both labels beside the seam. */
export function boxLabels(): string {
  return (
    rect(20, 40, 580, 400, kraft) +
    `<rect x="20" y="216" width="580" height="48" fill="#E9DCC6" stroke="${ink}" stroke-width="3"/>` +
    text(40, 250, 24, "tape seam: keep it free") +
    rect(60, 64, 250, 136) +
    text(185, 102, 27, "SHIPMENT LABEL", { font: "h", anchor: "middle" }) +
    barcode(90, 118, 190, 60, "FBA17X") +
    rect(60, 284, 250, 136) +
    text(185, 322, 27, "CARRIER LABEL", { font: "h", anchor: "middle" }) +
    barcode(90, 338, 190, 60, "1Z999") +
    mark(340, 140, true) +
    mark(340, 360, true) +
    text(390, 142, 28, "flat", { font: "h" }) +
    text(390, 362, 28, "both readable", { font: "h" }) +
    text(310, 490, 26, "at least 1 1/4 in from every edge", { anchor: "middle" })
  );
}
