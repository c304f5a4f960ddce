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

/** Reasons of a transaction are numbers; the codes of the API stand as they are. */
const codesByClass: Readonly<Record<ReasonClass, readonly (number | string)[]>> = {
  approved: [1, 310, 311],
  held: [193, 252, 253],
  partial: [295],
  declined: [
    2,
    3,
    4,
    27,
    41,
    44,
    45,
    65,
    127,
    128,
    141,
    145,
    165,
    191,
    ...Array.from({ length: 25 }, (_, index) => 200 + index),
    250,
    251,
    254,
  ],
  "card-data": [6, 7, 8, 17, 28, 37, 78, 153, 315, 316, 317, "E00040", "E00114", "E00115", "E00116"],
  duplicate: [11, 318],
  "not-paid": [36, 52, 152],
  credentials: [13, "E00005", "E00006", "E00007", "E00008", "E00009", "E00010", "E00011", "E00059"],
  configuration: [
    5,
    15,
    16,
    33,
    35,
    38,
    47,
    49,
    50,
    51,
    54,
    55,
    66,
    185,
    289,
    296,
    308,
    319,
    327,
    328,
    357,
    ...[2, 3, 4, 12, 13, 14, 15, 16, 17, 18, 25, 29, 34, 35, 37, 38, 39, 41, 42, 44, 45, 51, 96, 98, 99].map(apiCode),
    ...[100, 102, 103, 117, 121, 141, 142].map(apiCode),
  ],
  unknown: [
    19,
    20,
    21,
    22,
    23,
    24,
    25,
    26,
    57,
    58,
    59,
    60,
    61,
    62,
    63,
    120,
    121,
    122,
    180,
    181,
    261,
    "E00001",
    "E00027",
    "E00053",
    "E00104",
  ],
};

const classes: ReadonlyMap<string, ReasonClass> = new Map(
  Object.entries(codesByClass).flatMap(([name, codes]) => codes.map((code) => [String(code), name as ReasonClass])),
);

export function classOf(code: string): ReasonClass | null {
  return classes.get(code) ?? null;
}

/** The card networks forbid to try these again, or the card can never pass. */
const hard: ReadonlySet<string> = new Set([3, 4, 6, 7, 8, 37, 41, 200, 250, 251, 254, 315, 316, 317].map(String));

export function isHard({ reason }: Pick<ReplyCodes, "reason">): boolean {
  return reason !== null && hard.has(reason);
}

function apiCode(number: number): string {
  return `E${String(number).padStart(5, "0")}`;
}
