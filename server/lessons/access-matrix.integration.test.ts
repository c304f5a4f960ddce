import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalogue } from "#content/catalogue.ts";
import { getCourseAccess } from "#contract/access.ts";
import { getCatalogue, getIntroPlayback, getPlayback } from "#contract/catalogue.ts";
import { listProgress, saveProgress, sendWatchNotes } from "#contract/progress.ts";
import { openPool } from "#server/db/db.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import type { Visitor } from "#test/visitor.ts";

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

let academy: AcademyInProcess;
const people = new Map<Role, Visitor>();

beforeAll(async () => {
  academy = await openAcademyInProcess();
  for (const role of roles) {
    const visitor = academy.visitor();
    people.set(role, role === "visitor" ? visitor : await visitor.signInAsDemo(`${role}@academy.test`));
  }
  const pool = openPool(academy.database.connection, () => {}, 1);
  for (const [id, { video }] of Object.entries(lessons)) {
    if (!video?.startsWith("youtube:")) continue;
    await pool.query("update lessons set video_id = $2, duration_seconds = 40 where id = $1", [id, video]);
  }
  for (const [id, { video }] of Object.entries(intros)) {
    await pool.query("update modules set intro_video = $2 where id = $1", [id, video]);
  }
  await pool.end();
});
afterAll(() => academy[Symbol.asyncDispose]());

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

test("the files of a lesson are served to those for whom it plays [Z01]", async () => {
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
    ...["/", "/dashboard", "/course-access", "/demo-dashboard", "/sitemap", "/profile", "/admin"],
  ];
  for (const [role, visitor] of people) {
    for (const address of addresses) {
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

test("each request for a video file checks access, and ranges work [Z10 Z18]", async () => {
  const basic = await academy.visitor().signInAsDemo("basic@academy.test");
  const { url, captionsUrl, posterUrl } = (await basic.call(getPlayback, { params: { lessonId: "lesson-1-2" } })).body;
  const range = await basic.send("GET", url, undefined, { range: "bytes=0-99" });
  expect(range.status).toBe(206);
  expect(range.headers.get("content-type")).toBe("video/mp4");
  expect((await range.arrayBuffer()).byteLength).toBe(100);
  expect(await (await basic.send("GET", captionsUrl ?? "")).text()).toMatch(/^WEBVTT/);
  expect((await basic.send("GET", posterUrl ?? "")).headers.get("content-type")).toBe("image/jpeg");
  for (const [viewer, status] of [
    [academy.visitor(), 401],
    [await academy.visitor().signInAsDemo("new@academy.test"), 403],
    [await academy.visitor().signInAsDemo("suspended@academy.test"), 403],
  ] as const) {
    for (const address of [url, captionsUrl ?? "", posterUrl ?? ""]) {
      expect((await viewer.send("GET", address, undefined, { range: "bytes=0-99" })).status).toBe(status);
    }
  }
  expect((await academy.visitor().send("GET", "/api/lessons/lesson-1-1/video")).status).toBe(200);
  for (const path of ["lesson-1-1/..%2f..%2fetc%2fpasswd", "..%2f..%2fetc/video", "lesson-1-1/script"]) {
    expect((await basic.send("GET", `/api/lessons/${path}`)).status, path).toBeGreaterThanOrEqual(400);
  }
});
