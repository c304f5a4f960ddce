import type { ReplyCodes } from "../gateway.ts";

/** `declined` and `card-data` judge the card. After `unknown` anything may be; `not-paid` was let go again. */
export type ReasonClass =
  | "approved"
  | "held"
  | "partial"
  | "declined"
  | "card-data"
  | "duplicate"
  | "not-paid"
  | "credentials"
  | "configuration"
  | "unknown";

type Codes = Partial<Readonly<Record<ReasonClass, readonly number[]>>>;

/** Reasons of a transaction. */
const reasons: Codes = {
  approved: [1, 310, 311],
  held: [193, 252, 253],
  partial: [295],
  declined: [
    2, 3, 4, 27, 41, 44, 45, 65, 127, 128, 141, 145, 165, 191, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210,
    211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 250, 251, 254,
  ],
  "card-data": [6, 7, 8, 17, 28, 37, 78, 153, 315, 316, 317],
  duplicate: [11, 318],
  "not-paid": [36, 52, 152],
  credentials: [13],
  configuration: [5, 15, 16, 33, 35, 38, 47, 49, 50, 51, 54, 55, 66, 185, 289, 296, 308, 319, 327, 328, 357],
  unknown: [19, 20, 21, 22, 23, 24, 25, 26, 57, 58, 59, 60, 61, 62, 63, 120, 121, 122, 180, 181, 261],
};

/** Codes of the API: 7 stands for E00007. */
const apiCodes: Codes = {
  "card-data": [40, 114, 115, 116],
  credentials: [5, 6, 7, 8, 9, 10, 11, 59],
  configuration: [
    2, 3, 4, 12, 13, 14, 15, 16, 17, 18, 25, 29, 34, 35, 37, 38, 39, 41, 42, 44, 45, 51, 96, 98, 99, 100, 102, 103, 117,
    121, 141, 142,
  ],
  unknown: [1, 27, 53, 104],
};

const classes: ReadonlyMap<string, ReasonClass> = new Map([
  ...classesOf(reasons, String),
  ...classesOf(apiCodes, (code) => `E${String(code).padStart(5, "0")}`),
]);

function classesOf(codes: Codes, write: (code: number) => string): [string, ReasonClass][] {
  const all = Object.entries(codes) as [ReasonClass, readonly number[]][];
  return all.flatMap(([name, ofClass]) => ofClass.map((code): [string, ReasonClass] => [write(code), name]));
}

export function classOf(code: string): ReasonClass | null {
  return classes.get(code) ?? null;
}

/** The card networks forbid to try these again, or the card can never pass. */
const hard: ReadonlySet<string> = new Set([3, 4, 6, 7, 8, 37, 41, 200, 250, 251, 254, 315, 316, 317].map(String));

export function isHard({ reason }: Pick<ReplyCodes, "reason">): boolean {
  return reason !== null && hard.has(reason);
}
