import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCaptions, formatCueTime, parseCaptions, readCaptions } from "#contract/captions.ts";

test("cues are read with their times and words, and nothing else is", () => {
  const file = [
    "WEBVTT - made by hand",
    "STYLE\n::cue { color: red }",
    "NOTE 00:01.000 is not a cue",
    "intro\n00:01.500 --> 00:03.000 align:start\n<v Jo>Tom &amp; <b>Ann</b>\nscan a shelf",
    "1:00:00.000 --> 1:00:01.000\nan hour needs two digits",
    "01:00:02.250 --> 01:00:03.000\nlater",
    "00:09.000 --> 00:08.000\nbackwards",
    "00:10.000 --> 00:11.000\n",
  ].join("\r\n\r\n");
  expect(parseCaptions(file)).toEqual([
    { startsAt: 1500, endsAt: 3000, text: "Tom & Ann\nscan a shelf" },
    { startsAt: 3_602_250, endsAt: 3_603_000, text: "later" },
  ]);
});

test("a long line of unclosed tags is parsed in linear time", () => {
  // In n² steps this would take minutes.
  const words = "<".repeat(1_000_000);
  expect(parseCaptions(`WEBVTT\n\n00:00.000 --> 00:01.000\n${words}`)).toEqual([
    { startsAt: 0, endsAt: 1000, text: words },
  ]);
});

test("formatted cues are parsed to the same cues", () => {
  const cues = [
    { startsAt: 0, endsAt: 999, text: "1 < 2 & 3 > 2" },
    { startsAt: 3_599_001, endsAt: 7_200_000, text: "two\nlines" },
  ];
  expect(parseCaptions(formatCaptions(cues))).toEqual(cues);
});

test("every sentence of a shipped sample is there", () => {
  const file = readFileSync(new URL("../../content/samples/lesson-1-1.vtt", import.meta.url), "utf8");
  const cues = parseCaptions(file);
  expect(cues).toHaveLength(file.match(/-->/g)?.length ?? 0);
  expect(cues[1]).toEqual({ startsAt: 6250, endsAt: 9686, text: "This board game is on clearance for $9." });
});

test("subtitles with commas, gaps in their numbers, tags, emoji and any line breaks are read [Z57]", () => {
  const file = [
    "7",
    "00:00:01,000 --> 00:00:02,500 X1:0",
    "{\\an8}<font color=red><i>Fees</i></font> 🧾",
    "",
    "",
    "3",
    "00:00:02,500 --> 00:00:04,000",
    "<script>alert(1)</script>",
    "مرحباً",
  ];
  for (const ending of ["\n", "\r\n", "\r"]) {
    expect(readCaptions(`\uFEFF${file.join(ending)}`)).toEqual({
      cues: [
        { startsAt: 1000, endsAt: 2500, text: "Fees 🧾" },
        { startsAt: 2500, endsAt: 4000, text: "alert(1)\nمرحباً" },
      ],
      faults: [],
    });
  }
});

const cue = "00:01.000 --> 00:02.000\nOne\n";
test.each([
  ["an empty file", "", 1],
  ["a page", "<!doctype html>\n<title>Captions</title>", 1],
  ["a missing header", cue, 1],
  ["a header that runs into a caption", `WEBVTT\n${cue}`, 1],
  ["a file without captions", "WEBVTT\n\nNOTE nothing", 1],
  ["words between captions", `WEBVTT\n\n${cue}\nwords\nand more\n\n${cue}`, 6],
  ["a comma", "WEBVTT\n\n00:00:01,000 --> 00:00:02,000\nOne", 3],
  ["a minute of 61 seconds", "WEBVTT\n\n00:01.000 --> 00:61.000\nOne", 3],
  ["captions out of order", `WEBVTT\n\n00:05.000 --> 00:06.000\nFive\n\n${cue}`, 6],
  ["a missing empty line", `WEBVTT\n\n${cue}00:03.000 --> 00:04.000\nThree`, 5],
])("%s is refused with its line", (_, file, line) => {
  const { faults } = readCaptions(file);
  expect(faults.map((fault) => fault.line)).toEqual([line]);
});

const breakages: readonly ((times: readonly [string, string]) => string)[] = [
  ([start, end]) => `${start} -> ${end}`,
  ([start, end]) => `${start.replace(/\d{2}/, "x1")} --> ${end}`,
  ([start]) => `${start} --> soon`,
  ([start, end]) => `${end} --> ${start}`,
  ([start, end]) => `${start} --> ${end.replace(/\d{3}$/, "1")}`,
  ([start]) => `${start} --> ${start}`,
  ([start]) => `${start} -->`,
];

test("each of 200 broken files names the line at fault alone", () => {
  const count = fc.integer({ min: 1, max: 20 });
  const part = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const ending = fc.constantFrom("\n", "\r\n", "\r");
  const words = fc.array(fc.constantFrom("Fees", "مرحباً", "🧾", "a < b", "&amp;", "<b>x</b>"), { minLength: 1 });
  fc.assert(
    fc.property(count, part, part, ending, words, fc.boolean(), (cues, where, how, ending, words, isWebVtt) => {
      const lines = isWebVtt ? ["WEBVTT - test", ""] : [];
      let broken = 0;
      for (let at = 0; at < cues; at++) {
        const [start = "", end = ""] = [at * 4000, at * 4000 + 3000].map((time) =>
          isWebVtt ? formatCueTime(time) : formatCueTime(time).replace(".", ","),
        );
        const isBroken = at === Math.floor(where * cues);
        lines.push(String(at * 2 + 1));
        if (isBroken) broken = lines.length + 1;
        const breakage = breakages[Math.floor(how * breakages.length)];
        lines.push(isBroken && breakage ? breakage([start, end]) : `${start} --> ${end}`, ...words, "");
      }
      const { faults } = readCaptions(lines.join(ending));
      expect(faults.map(({ line }) => line)).toEqual([broken]);
    }),
    { numRuns: 200 },
  );
});
