import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getPlayback, type SearchHit } from "#contract/catalogue.ts";
import { waitForPages } from "#server/catalogue/page-facts.ts";
import { openPool } from "#server/db/db.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
let pool: pg.Pool;
let basic: Visitor;
let premium: Visitor;

beforeAll(async () => {
  academy = await openAcademyInProcess();
  pool = openPool(academy.database.connection, () => {}, 1);
  basic = await academy.visitor().signInAsDemo("basic@academy.test");
  premium = await academy.visitor().signInAsDemo("premium@academy.test");
});
afterAll(async () => {
  await pool.end();
  await academy[Symbol.asyncDispose]();
});

async function search(visitor: Visitor, words: string): Promise<SearchHit[]> {
  const response = await visitor.send("GET", `/api/catalogue/search?q=${encodeURIComponent(words)}`);
  expect(response.status).toBe(200);
  return (await response.json()) as SearchHit[];
}

const plain = (text: SearchHit["title"]) => text.map((part) => part.text).join("");
const marked = (text: SearchHit["title"]) => text.flatMap((part) => (part.isMatch ? part.text : []));

test("search finds beginnings and stems of words in titles, descriptions and captions", async () => {
  const byTitle = await search(basic, "seller acc");
  expect(plain(byTitle[0]?.title ?? [])).toBe("Opening Your Seller Account");
  expect(marked(byTitle[0]?.title ?? [])).toEqual(["Seller", "Account"]);

  const [said] = await search(basic, "board game clearance");
  expect(said).toMatchObject({ lessonId: "lesson-1-1", moduleTitle: "Amazon FBA Fundamentals", isUnlocked: true });
  expect(said?.at).toBe(6.25);
  expect(plain(said?.snippet ?? [])).toBe("This board game is on clearance for $9.");
  expect(marked(said?.snippet ?? [])).toEqual(["board", "game", "clearance"]);

  const lessonsOf = async (words: string) => (await search(basic, words)).map(({ lessonId }) => lessonId).sort();
  expect(await lessonsOf("shippi fee")).toEqual(["lesson-1-1", "lesson-1-3"]);
  expect(await lessonsOf("packing")).toContain("lesson-3-3");
  expect(await lessonsOf("store scanning mastery")).toEqual(["lesson-2-1", "lesson-2-2", "lesson-2-3", "lesson-2-4"]);
  expect(await lessonsOf("board zebra")).toEqual([]);
});

test("search finds a locked lesson and shows its tier, but not its captions", async () => {
  const [locked] = await search(academy.visitor(), "mismatched address");
  expect(locked).toMatchObject({ lessonId: "lesson-1-2", isUnlocked: false, requiredTier: "basic", at: null });
  const description = (await search(basic, "mismatched address"))[0];
  expect(description?.isUnlocked).toBe(true);

  const transcripts = await pool.query(
    "select text from lesson_cues where lesson_id not in ('lesson-1-1', 'lesson-2-1')",
  );
  const secrets = transcripts.rows.map(({ text }: { text: string }) => text);
  expect(secrets.length).toBeGreaterThan(50);
  const words = ["the", "a", "fee", "label", "price", "box", "store"];
  const hits = (await Promise.all(words.map((word) => search(academy.visitor(), word)))).flat();
  const told = hits.map(({ snippet }) => plain(snippet));
  expect(told).toContain("Retail arbitrage lives in the gap between two prices.");
  expect(told.filter((text) => secrets.includes(text))).toEqual([]);

  const [coming] = await search(basic, "buying list");
  expect(coming).toMatchObject({
    lessonId: "lesson-4-1",
    isUnlocked: false,
    requiredTier: "premium",
    comingSoon: true,
  });
  expect((await search(premium, "winning products")).some(({ lessonId }) => lessonId === "lesson-4-1")).toBe(true);
});

test("any search text is taken as words [F09]", async () => {
  for (const typed of ["", "  ", "'", "a' | 'b", "!!!", ":*", "<-> & |", "%_\\", "\u0000", "x".repeat(100), "💼"]) {
    expect(Array.isArray(await search(basic, typed)), typed).toBe(true);
  }
  const long = await basic.send("GET", `/api/catalogue/search?q=${"x".repeat(101)}`);
  expect(long.status).toBe(400);
});

test("whoever may watch a lesson gets its captions", async () => {
  const captions = await academy.visitor().send("GET", "/api/lessons/lesson-1-1/captions");
  expect(captions.headers.get("content-type")).toContain("text/vtt");
  expect(await captions.text()).toContain("00:00:06.250 --> 00:00:09.686\nThis board game is on clearance for $9.\n");
  expect((await academy.visitor().send("GET", "/api/lessons/lesson-1-2/captions")).status).toBe(401);
  expect((await premium.send("GET", "/api/lessons/lesson-4-1/captions")).status).toBe(404);
});

test("each kind of video has its playback, and only pages with lessons may load players", async () => {
  /** Without the hashes of its inline scripts, which differ from page to page. */
  const policyOf = async (path: string) =>
    (await academy.visitor().send("GET", path)).headers
      .get("content-security-policy")
      ?.replaceAll(/ 'sha256-[^']+'/g, "");
  const strict = await policyOf("/contact");
  expect(await policyOf("/dashboard")).toBe(strict);

  await pool.query("update lessons set video_id = $1 where id = 'lesson-1-4'", ["youtube:dQw4w9WgXcQ"]);
  await pool.query("update lessons set video_id = $1 where id = 'lesson-1-5'", ["hls:https://media.example/a.m3u8"]);
  await waitForPages();
  const playback = async (lessonId: string) => (await basic.call(getPlayback, { params: { lessonId } })).body;
  expect(await playback("lesson-1-3")).toMatchObject({ kind: "file", url: "/api/lessons/lesson-1-3/video" });
  expect(await playback("lesson-1-4")).toMatchObject({
    kind: "youtube",
    url: "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
    posterUrl: null,
    captionsUrl: "/api/lessons/lesson-1-4/captions",
  });
  expect(await playback("lesson-1-5")).toMatchObject({
    kind: "hls",
    url: "https://media.example/a.m3u8",
    expiresAt: null,
  });
  expect((await basic.send("GET", "/api/lessons/lesson-1-4/video")).status).toBe(404);

  for (const path of ["/", "/dashboard", "/demo-dashboard", "/course-access"]) {
    const policy = await policyOf(path);
    expect(policy).toContain("frame-src https://www.youtube-nocookie.com;");
    expect(policy).toContain("script-src 'self' https://www.youtube.com;");
    expect(policy).toContain("media-src 'self' blob: https://media.example;");
  }
  for (const path of ["/contact", "/profile"]) expect(await policyOf(path)).toBe(strict);
  expect(await policyOf("/checkout")).not.toContain("youtube");
});

test("a video of a service without keys is refused, and the log names what is missing", async () => {
  await pool.query("update lessons set video_id = $1 where id = 'lesson-2-2'", [
    "bunny:eb1c4f77-0cda-46be-b47d-1118ad7c2ffe",
  ]);
  const answer = await basic.call(getPlayback, { params: { lessonId: "lesson-2-2" } });
  expect(answer.status).toBe(503);
  expect(answer.body.message).toBe("This video is not set up yet. Please contact support.");
  expect(JSON.stringify(answer.body)).not.toContain("eb1c4f77");
  await expect
    .poll(() => academy.log.find((line) => line.includes("a video cannot be played")))
    .toContain("BUNNY_LIBRARY_ID and BUNNY_SECURITY_KEY are missing");
});
