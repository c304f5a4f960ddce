import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import { catalogue } from "#content/catalogue.ts";
import { getCourseAccess } from "#contract/access.ts";
import { previewVideo } from "#contract/admin/videos.ts";
import { getCatalogue, getIntroPlayback, getPlayback, type SearchHit } from "#contract/catalogue.ts";
import { listProgress, saveProgress, sendWatchNotes } from "#contract/progress.ts";
import { waitForPages } from "#server/catalogue/page-facts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator, test } = await academyOfFile();

const basic = await academy.visitor().signInAsDemo("basic@academy.test");
const premium = await academy.visitor().signInAsDemo("premium@academy.test");

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

  const transcripts = await academy.pool.query(
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

test("each kind of video has its playback, and only pages with lessons may load players", async () => {
  /** Without the hashes of its inline scripts, which differ from page to page. */
  const policyOf = async (path: string) =>
    (await academy.visitor().send("GET", path)).headers
      .get("content-security-policy")
      ?.replaceAll(/ 'sha256-[^']+'/g, "");
  const strict = await policyOf("/contact");
  expect(await policyOf("/dashboard")).toBe(strict);

  await academy.pool.query("update lessons set video_id = $1 where id = 'lesson-1-4'", ["youtube:dQw4w9WgXcQ"]);
  await academy.pool.query("update lessons set video_id = $1 where id = 'lesson-1-5'", [
    "hls:https://media.example/a.m3u8",
  ]);
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
  await academy.pool.query("update lessons set video_id = $1 where id = 'lesson-2-2'", [
    "bunny:eb1c4f77-0cda-46be-b47d-1118ad7c2ffe",
  ]);
  const answer = await basic.call(getPlayback, { params: { lessonId: "lesson-2-2" } });
  expect(answer.status).toBe(503);
  expect(answer.body.message).toBe("This video isn't set up yet. Please contact support.");
  expect(JSON.stringify(answer.body)).not.toContain("eb1c4f77");
  await expect
    .poll(() => academy.log.find((line) => line.includes("a video cannot be played")))
    .toContain("BUNNY_LIBRARY_ID and BUNNY_SECURITY_KEY are missing");
});

const preview = (videoId: string) => administrator.call(previewVideo, { query: { videoId } });

test("administrators preview any video, and an invalid id gets a sentence", async () => {
  expect((await preview("youtube:dQw4w9WgXcQ")).body).toMatchObject({
    kind: "youtube",
    url: "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
  });
  expect((await preview("file:https://files.example.test/a.mp4")).body).toMatchObject({ kind: "file" });
  const invalid = await preview("youtube:short");
  expect(invalid.status).toBe(400);
  expect(invalid.body).toMatchObject({ message: expect.stringContaining("can't be played") });
  const withoutKeys = await preview("bunny:eb1c4f77-0cda-46be-b47d-1118ad7c2ffe");
  expect(withoutKeys.status).toBe(503);
  expect(withoutKeys.body).toMatchObject({ message: expect.stringContaining("BUNNY_LIBRARY_ID") });
});

test("samples play with their poster and captions for administrators alone", async () => {
  const { url, posterUrl, captionsUrl } = (await preview("sample:lesson-1-2")).body;
  for (const [address, type] of [
    [url, "video/mp4"],
    [posterUrl ?? "", "image/jpeg"],
    [captionsUrl ?? "", "text/vtt"],
  ] as const) {
    const answer = await administrator.send("GET", address);
    expect(answer.status, address).toBe(200);
    expect(answer.headers.get("content-type"), address).toContain(type);
    expect((await premium.send("GET", address)).status, address).toBe(403);
    expect((await academy.visitor().send("GET", address)).status, address).toBe(401);
  }
  expect((await administrator.send("GET", "/api/admin/samples/..%2Fsamples%2Flesson-1-2/video")).status).toBe(404);
});

describe("every role and lesson", () => {
  // Who may do what with which lesson, over every endpoint that names one. Modules 4 and 5 get videos for it, and locked
  // lessons get ids that stand nowhere else, so that a single trace of one is found.

  const roles = ["visitor", "new", "basic", "premium", "vip", "held", "suspended"] as const;
  type Role = (typeof roles)[number];

  /** Module by module the lowest role that opens it, and what there is to play. */
  const lessons = {
    "lesson-1-1": { opens: "everyone", video: "sample:lesson-1-1" },
    "lesson-1-2": { opens: "basic", video: "sample:lesson-1-2" },
    "lesson-2-3": { opens: "basic", video: "youtube:LkTwoThree0" },
    "lesson-3-1": { opens: "basic", video: "sample:lesson-3-1" },
    "lesson-4-1": { opens: "premium", video: "youtube:LkFourOne00" },
    "lesson-5-1": { opens: "vip", video: "youtube:LkFiveOne00" },
    "lesson-5-2": { opens: "vip", video: null },
  } as const;
  type LessonId = keyof typeof lessons;

  /** Introductions of modules, none of which is free. */
  const intros = {
    "module-1": { opens: "basic", video: "sample:lesson-1-1" },
    "module-4": { opens: "premium", video: "youtube:InModFour00" },
    "module-5": { opens: "vip", video: "youtube:InModFive00" },
  } as const;
  type IntroId = keyof typeof intros;
  const introIds = Object.keys(intros) as IntroId[];
  const lessonIds = Object.keys(lessons) as LessonId[];
  const tiers = ["basic", "premium", "vip"];

  function opens(role: Role, lessonId: LessonId): boolean {
    const lowest = lessons[lessonId].opens;
    return lowest === "everyone" || tiers.indexOf(role) >= tiers.indexOf(lowest);
  }

  /** The answer to anybody who wants to watch. */
  function expectedStatus(role: Role, lessonId: LessonId): number {
    if (!opens(role, lessonId)) return role === "visitor" ? 401 : 403;
    return lessons[lessonId].video ? 200 : 404;
  }

  const people = new Map<Role, Visitor>();

  test.beforeAll(async () => {
    for (const role of roles) {
      const visitor = academy.visitor();
      people.set(role, role === "visitor" ? visitor : await visitor.signInAsDemo(`${role}@academy.test`));
    }
    for (const [id, { video }] of Object.entries(lessons)) {
      if (!video?.startsWith("youtube:")) continue;
      await academy.pool.query("update lessons set video_id = $2, duration_seconds = 40 where id = $1", [id, video]);
    }
    for (const [id, { video }] of Object.entries(intros)) {
      await academy.pool.query("update modules set intro_video = $2 where id = $1", [id, video]);
    }
  });

  async function forEach(check: (role: Role, visitor: Visitor, lessonId: LessonId) => Promise<void>): Promise<void> {
    for (const [role, visitor] of people) for (const lessonId of lessonIds) await check(role, visitor, lessonId);
  }

  test("a lesson plays for the tiers of its module, a free one for everybody [Z01]", async () => {
    await forEach(async (role, visitor, lessonId) => {
      const { status, body } = await visitor.call(getPlayback, { params: { lessonId } });
      expect(status, `${role} ${lessonId}`).toBe(expectedStatus(role, lessonId));
      if (status === 200) expect(body).toMatchObject({ lessonId, url: expect.any(String) });
    });
  });

  test("a module's introduction plays for the tiers of the module [Z01]", async () => {
    for (const [role, visitor] of people) {
      const modules = (await visitor.call(getCatalogue)).body;
      for (const moduleId of introIds) {
        const { opens, video } = intros[moduleId];
        const isOpen = tiers.indexOf(role) >= tiers.indexOf(opens);
        const status = isOpen ? 200 : role === "visitor" ? 401 : 403;
        const what = `${role} ${moduleId}`;
        const answer = await visitor.call(getIntroPlayback, { params: { moduleId } });
        expect(answer.status, what).toBe(status);
        if (role === "held" || role === "suspended") expect(answer.body.code, what).toBe("account-blocked");
        expect(modules.find(({ id }) => id === moduleId)?.introVideo, what).toBe(isOpen ? video : null);
        for (const part of ["video", "captions", "poster"]) {
          const file = await visitor.send("GET", `/api/modules/${moduleId}/intro/${part}`, undefined, {
            range: "bytes=0-0",
          });
          await file.arrayBuffer();
          const isOurs = video.startsWith("sample:");
          expect(file.status, `${what} ${part}`).toBe(!isOpen ? status : isOurs ? 206 : 404);
        }
      }
    }
  });

  test("each request for a file of a lesson is served to those for whom it plays [Z01 Z10 Z18]", async () => {
    await forEach(async (role, visitor, lessonId) => {
      const isSample = lessons[lessonId].video?.startsWith("sample:");
      for (const part of ["video", "captions", "poster"]) {
        const answer = await visitor.send("GET", `/api/lessons/${lessonId}/${part}`, undefined, { range: "bytes=0-0" });
        await answer.arrayBuffer();
        const expected = expectedStatus(role, lessonId);
        // Captions may be ours whichever service has the video.
        const ok = isSample ? [200, 206] : part === "captions" ? [200, 404] : [404];
        expect(expected === 200 ? ok : [expected], `${role} ${lessonId} ${part}`).toContain(answer.status);
      }
    });
  });

  test("progress is accepted from signed-in students for whom the lesson plays [Z06]", async () => {
    await forEach(async (role, visitor, lessonId) => {
      const expected = role === "visitor" ? 401 : expectedStatus(role, lessonId);
      const note = { watched: [], position: 1 };
      const one = await visitor.call(saveProgress, { params: { lessonId }, body: note });
      expect(one.status, `${role} ${lessonId}`).toBe(expected);
      if (expected === 404) expect(one.body.code).toBe("not-yet-available");
      const marked = await visitor.call(saveProgress, { params: { lessonId }, body: { isCompleted: true } });
      expect(marked.status, `${role} ${lessonId}`).toBe(expected);
      const batch = await visitor.call(sendWatchNotes, { body: { notes: [{ lessonId, ...note }] } });
      expect(batch.status, `${role} ${lessonId}`).toBe(expected);
    });
    for (const [role, visitor] of people) {
      if (role === "visitor") continue;
      const noted = (await visitor.call(listProgress)).body.map(({ lessonId }) => lessonId);
      for (const lessonId of lessonIds) {
        // What was watched before an account was blocked stays on record.
        if (role === "held" || role === "suspended") continue;
        expect(noted.includes(lessonId), `${role} ${lessonId}`).toBe(expectedStatus(role, lessonId) === 200);
      }
    }
  });

  test("unknown and malformed lesson ids get the same answer for everyone [Z13]", async () => {
    for (const [role, visitor] of people) {
      for (const [lessonId, status] of [
        ["lesson-9-9", 404],
        ["..%2f..%2fetc", 400],
        [`lesson-${"9".repeat(60)}`, 400],
      ] as const) {
        expect((await visitor.call(getPlayback, { params: { lessonId } })).status, `${role} ${lessonId}`).toBe(status);
        const { status: saved } = await visitor.call(saveProgress, { params: { lessonId }, body: { position: 1 } });
        expect(saved, `${role} ${lessonId}`).toBe(role === "visitor" ? 401 : status);
      }
    }
  });

  test("the catalogue unlocks for each role the lessons that play for it", async () => {
    for (const [role, visitor] of people) {
      const found = new Map(
        (await visitor.call(getCatalogue)).body.flatMap(({ lessons }) => lessons.map((one) => [one.id, one])),
      );
      for (const lessonId of lessonIds) {
        const lesson = found.get(lessonId);
        expect(lesson?.isUnlocked, `${role} ${lessonId}`).toBe(opens(role, lessonId));
        const { video } = lessons[lessonId];
        if (video) expect(lesson?.videoId, `${role} ${lessonId}`).toBe(opens(role, lessonId) ? video : null);
        expect(lesson?.comingSoon, lessonId).toBe(video === null);
        if (!opens(role, lessonId)) expect(lesson?.thumbnail, `${role} ${lessonId}`).toBeNull();
      }
    }
  });

  test("an account on hold has no course, and is told why [Z14]", async () => {
    for (const role of ["held", "suspended"] as const) {
      const access = await people.get(role)?.call(getCourseAccess);
      expect(access?.body).toMatchObject({ hasAccess: false, suspensionReason: expect.any(String) });
      const refused = await people.get(role)?.call(getPlayback, { params: { lessonId: "lesson-1-2" } });
      expect(refused?.body.code).toBe("account-blocked");
    }
  });

  test("no answer and no page contains the video id of a locked lesson [Z12]", async () => {
    const addresses = [
      ...["/api/catalogue", "/api/user/progress", "/api/course-access", "/api/auth/user", "/api/user/purchases"],
      ...["/api/resources", "/api/openapi.json", "/api/course-pricing", "/api/catalogue/search?q=lesson"],
      ...["/api/catalogue/search?q=credit", "/api/catalogue/search?q=store", "/api/catalogue/search?q=find"],
      ...lessonIds.flatMap((id) => [`/api/lessons/${id}/playback`, `/api/lessons/${id}/poster`]),
      ...introIds.flatMap((id) => [`/api/modules/${id}/intro/playback`, `/api/modules/${id}/intro/poster`]),
    ];
    const pages = ["/", "/dashboard", "/course-access", "/demo-dashboard", "/sitemap", "/profile", "/admin"];
    // Without those for whom nothing is locked, or the same as for `held`. Pages differ by whether somebody is signed in.
    for (const role of ["visitor", "new", "basic", "premium", "held"] as const) {
      const visitor = people.get(role) ?? academy.visitor();
      const hasPages = role === "visitor" || role === "new";
      for (const address of [...addresses, ...(hasPages ? pages : [])]) {
        const text = await (await visitor.send("GET", address)).text();
        for (const lessonId of lessonIds) {
          const id = lessons[lessonId].video?.split("youtube:")[1];
          if (id && !opens(role, lessonId)) expect(text.includes(id), `${role} ${address} ${lessonId}`).toBe(false);
        }
        for (const moduleId of ["module-4", "module-5"] as const) {
          const id = intros[moduleId].video.slice("youtube:".length);
          const isOpen = tiers.indexOf(role) >= tiers.indexOf(intros[moduleId].opens);
          if (!isOpen) expect(text.includes(id), `${role} ${address} ${moduleId}`).toBe(false);
        }
      }
    }
  });

  test("no built page or script contains the video id of a lesson that is locked to visitors [Z12]", () => {
    const ids = catalogue.flatMap((module) =>
      module.lessons.filter(({ freePreview }) => !freePreview).map(({ videoId }) => videoId),
    );
    const secrets = ids.filter((id) => id !== "placeholder-video");
    expect(secrets.length).toBeGreaterThan(0);
    const dist = fileURLToPath(new URL("../../dist/client/", import.meta.url));
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(html|js|json|map)$/.test(name),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) {
      const text = readFileSync(dist + name, "utf8");
      expect(
        secrets.filter((id) => text.includes(id)),
        name,
      ).toEqual([]);
    }
  });

  test("the catalogue holds the modules and lessons of the specification", async () => {
    const modules = (await academy.visitor().call(getCatalogue)).body;
    expect(modules.map((module) => [module.title, module.lessons.length, module.comingSoon])).toEqual([
      ["Amazon FBA Fundamentals", 5, false],
      ["Store Scanning Mastery", 4, false],
      ["Product Preparation & Fulfillment", 3, false],
      ["How to Find Winning Products", 1, true],
      ["Capital Raising and Credit Building Masterclass", 2, true],
    ]);
  });

  test("ranges of a video file are served, and no other path", async () => {
    const { url, captionsUrl, posterUrl } = (await basic.call(getPlayback, { params: { lessonId: "lesson-1-2" } }))
      .body;
    const range = await basic.send("GET", url, undefined, { range: "bytes=0-99" });
    expect(range.status).toBe(206);
    expect(range.headers.get("content-type")).toBe("video/mp4");
    expect((await range.arrayBuffer()).byteLength).toBe(100);
    const captions = await basic.send("GET", captionsUrl ?? "");
    expect(captions.headers.get("content-type")).toContain("text/vtt");
    expect(await captions.text()).toMatch(/^WEBVTT/);
    expect((await basic.send("GET", posterUrl ?? "")).headers.get("content-type")).toBe("image/jpeg");
    expect((await academy.visitor().send("GET", "/api/lessons/lesson-1-1/video")).status).toBe(200);
    for (const path of ["lesson-1-1/..%2f..%2fetc%2fpasswd", "..%2f..%2fetc/video", "lesson-1-1/script"]) {
      expect((await basic.send("GET", `/api/lessons/${path}`)).status, path).toBeGreaterThanOrEqual(400);
    }
  });
});
