import sharp from "sharp";
import { expect } from "vitest";
import { changeAnnouncement, createAnnouncement } from "#contract/admin/announcements.ts";
import { listAudit } from "#contract/admin/audit.ts";
import {
  discardDrafts,
  draftCopy,
  draftLesson,
  draftModule,
  draftOffer,
  draftPlan,
  draftSettings,
  getContent,
  moveContent,
  publishContent,
} from "#contract/admin/content.ts";
import { uploadFigure } from "#contract/admin/pictures.ts";
import { getCatalogue, getIntroPlayback, getPlayback, listPlans } from "#contract/catalogue.ts";
import type { CopyOf } from "#contract/copy.ts";
import { getLessonBody } from "#contract/lesson-pages.ts";
import { getOffer } from "#contract/offer.ts";
import { saveProgress } from "#contract/progress.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import * as drafts from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { sendPicture } from "#test/uploads/uploads.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();

const content = async () => (await admin.call(getContent)).body;
const publish = (only?: { kind: string; id: string }[]) => admin.call(publishContent, { body: only ? { only } : {} });
const catalogue = async () => (await academy.visitor().call(getCatalogue)).body;
const lessonOnPages = async (id: string) =>
  (await catalogue()).flatMap(({ lessons }) => lessons).find((one) => one.id === id);
const planOnPages = async (id: string) => (await academy.visitor().call(listPlans)).body.find((plan) => plan.id === id);

const published = <Kind extends "modules" | "lessons" | "plans">(kind: Kind, id: string) =>
  drafts.published(admin, kind, id);

async function uploadedPicture(background: string) {
  const area = { create: { width: 1600, height: 800, channels: 3, background } } as const;
  return sendPicture(admin, uploadFigure.path, "figure", await sharp(area).jpeg().toBuffer());
}

test("a lesson is drafted unseen, and published without a restart", async () => {
  const before = await published("lessons", "lesson-1-1");
  const draft = { ...before, title: "The gap, again", description: "=1+1 <b>shown as text</b>" };
  const drafted = await drafts.draft(admin, "lessons", "lesson-1-1", draft);
  expect(drafted.body.drafts).toBe(1);
  expect(drafted.body.lessons.find(({ id }) => id === "lesson-1-1")).toMatchObject({ published: before, draft });
  expect((await lessonOnPages("lesson-1-1"))?.title).toBe(before.title);

  expect((await publish()).body.message).toBe("Published: 1");
  expect(await lessonOnPages("lesson-1-1")).toMatchObject({ title: draft.title, description: draft.description });
  expect((await content()).drafts).toBe(0);
  expect((await admin.call(listAudit, { query: { subject: "lesson-1-1" } })).body.rows).toMatchObject([
    { action: "publish lesson", subjectKind: "lesson", before: { title: before.title }, after: { title: draft.title } },
    { action: "draft lesson", actorName: "Ruth Okafor" },
  ]);
});

test("a new module and its lessons appear in their order, once they are published and released", async () => {
  const module = { ...(await published("modules", "module-3")), title: "Selling abroad", released: true };
  await admin.call(draftModule, { params: { id: "new" }, body: module });
  await admin.call(moveContent, { body: { kind: "module", id: "module-6", before: "module-2" } });
  const lesson = {
    ...(await published("lessons", "lesson-1-2")),
    ...{ moduleId: "module-6", title: "Customs", videoId: "youtube:dQw4w9WgXcQ", freePreview: true },
    captions: "WEBVTT\n\n00:01.000 --> 00:02.000\nA parcel speaks.\n",
  };
  const body = (await admin.call(draftLesson, { params: { id: "new" }, body: lesson })).body;
  expect(body.lessons.find(({ draft }) => draft?.title === "Customs")?.id).toBe("lesson-6-1");
  expect((await publish([{ kind: "lesson", id: "lesson-6-1" }])).status).toBe(409);
  expect((await publish()).status).toBe(200);

  const modules = await catalogue();
  const inOrder = [1, 6, 2, 3, 4, 5].map((number, at) => [`module-${number}`, at + 1]);
  expect(modules.map(({ id, position }) => [id, position])).toEqual(inOrder);
  expect(modules[1]?.lessons).toMatchObject([{ id: "lesson-6-1", title: "Customs", comingSoon: false }]);
  const captions = await academy.visitor().send("GET", "/api/lessons/lesson-6-1/captions");
  expect(await captions.text()).toContain("A parcel speaks.");

  await drafts.draft(admin, "lessons", "lesson-6-1", { released: false });
  await publish();
  expect(await lessonOnPages("lesson-6-1")).toBeUndefined();
  expect((await academy.visitor().send("GET", "/api/lessons/lesson-6-1/playback")).status).toBe(404);
  await drafts.draft(admin, "modules", "module-6", { released: false });
  await publish();
  expect((await catalogue()).map(({ id }) => id)).not.toContain("module-6");
});

test("a lesson's text and pictures show once they are published, to whom the lesson is open [Z28]", async () => {
  const { src, width, height } = await uploadedPicture("#d00");
  expect([width, height]).toEqual([1200, 600]);

  const text = `# Flour\n\n1. *Weigh* it\n\n![A bag](${src})\n\n<img src=x onerror=alert(1)>`;
  const save = (changes: object) => drafts.draft(admin, "lessons", "lesson-1-3", changes);
  const refused = async (changes: object) => (await save(changes)).body.errors;
  expect(await refused({ body: "x".repeat(50_001) })).toEqual({ body: ["Use 50,000 characters or fewer"] });
  expect(await refused({ body: "[a](javascript:b)" })).toEqual({ body: [expect.stringContaining("Links begin with")] });
  expect(await refused({ body: `![a](/look/${"0".repeat(32)}-1x1.png)` })).toEqual({
    body: ["A picture was deleted. Upload it again"],
  });
  expect(await refused({ kind: "text", videoId: "", duration: 59 })).toEqual({
    duration: ["Enter a reading time of at least 60 seconds"],
    body: ["Required"],
  });

  await save({ body: text });
  // As if an earlier copy of the database was restored.
  const { rows } = await academy.pool.query("delete from pictures returning *");
  const refusal = { message: expect.stringContaining("was deleted. Upload it again.") };
  expect(await publish()).toMatchObject({ status: 409, body: refusal });
  const { id, png, created_at } = rows[0] as { id: string; png: Buffer; created_at: Date };
  await academy.pool.query("insert into pictures (id, png, created_at) values ($1, $2, $3)", [id, png, created_at]);
  const bodyOf = (person: Visitor) => person.call(getLessonBody, { params: { lessonId: "lesson-1-3" } });
  const student = await academy.visitor().signInAsDemo("basic@academy.test");
  expect((await bodyOf(student)).body).toEqual({ html: null });
  await publish();
  expect((await bodyOf(student)).body.html).toBe(
    `<h3>Flour</h3>\n<ol>\n<li><em>Weigh</em> it</li>\n</ol>\n<p><img src="${src}" alt="A bag" width="1200" height="600"></p>\n` +
      "<p>&lt;img src=x onerror=alert(1)&gt;</p>\n",
  );
  expect((await academy.visitor().send("GET", src)).status).toBe(200);

  await save({ kind: "text", videoId: "", duration: 90, body: "Read *this*.", captions: null });
  await publish();
  expect(await lessonOnPages("lesson-1-3")).toMatchObject({ kind: "text", comingSoon: false, hasBody: true });
  expect((await bodyOf(student)).body.html).toBe("<p>Read <em>this</em>.</p>\n");
  expect((await student.call(getPlayback, { params: { lessonId: "lesson-1-3" } })).status).toBe(404);
  const done = await student.call(saveProgress, { params: { lessonId: "lesson-1-3" }, body: { isCompleted: true } });
  expect(done.body).toMatchObject({ isCompleted: true });
});

test("the introduction of a module plays once it is published, and another id than a video's is refused", async () => {
  expect((await published("modules", "module-2")).introVideo).toBeNull();
  const save = (introVideo: string | null) => drafts.draft(admin, "modules", "module-2", { introVideo });
  for (const id of ["placeholder-video", "javascript:alert(1)", "youtube:../../x", ""]) {
    expect((await save(id)).body.errors, id).toEqual({ introVideo: [expect.stringContaining("We can’t play this")] });
  }
  const basic = await academy.visitor().signInAsDemo("basic@academy.test");
  const playback = () => basic.call(getIntroPlayback, { params: { moduleId: "module-2" } });
  expect((await save("vimeo:76979871")).status).toBe(200);
  expect((await playback()).status).toBe(404);
  await publish();
  expect((await playback()).body).toEqual({
    kind: "vimeo",
    videoId: "vimeo:76979871",
    url: "https://player.vimeo.com/video/76979871",
    captionsUrl: null,
    captions: [],
    // Null until the video was asked for its picture.
    posterUrl: expect.toBeOneOf([null, expect.stringContaining("/intro/poster")]),
  });
  const pageOf = (path: string) => academy.visitor().send("GET", path);
  expect((await pageOf("/course-access")).headers.get("content-security-policy")).toContain("https://player.vimeo.com");
  expect((await admin.call(listAudit, { query: { subject: "module-2" } })).body.rows[0]).toMatchObject({
    before: { introVideo: null },
    after: { introVideo: "vimeo:76979871" },
  });
  await save(null);
  await publish();
  expect((await playback()).status).toBe(404);
  expect((await pageOf("/course-access")).headers.get("content-security-policy")).not.toContain("vimeo");
});

test("concurrent moves of lessons take effect completely, and text edits meanwhile move nothing", async () => {
  const ofModule2 = async () =>
    (await content()).lessons.map(({ id }) => id).filter((id) => id.startsWith("lesson-2-"));
  const up = { kind: "lesson", id: "lesson-2-2", before: "lesson-2-1" };
  const answers = await Promise.all(Array.from({ length: 4 }, () => admin.call(moveContent, { body: up })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const moved = ["lesson-2-2", "lesson-2-1", "lesson-2-3", "lesson-2-4"];
  expect(await ofModule2()).toEqual(moved);
  expect((await content()).drafts).toBe(1);
  await drafts.draft(admin, "lessons", "lesson-2-1", { title: "Written before the move" });
  expect(await ofModule2()).toEqual(moved);
  for (const [id, before] of [
    ["lesson-2-1", "lesson-1-1"],
    ["lesson-2-1", "lesson-2-1"],
    ["lesson-9-9", "lesson-2-1"],
  ]) {
    expect((await admin.call(moveContent, { body: { ...up, id, before } })).status).toBe(404);
  }
  await publish();
  expect((await catalogue())[1]?.lessons.map(({ id }) => id)).toEqual(moved);
  await admin.call(moveContent, { body: { ...up, id: "lesson-2-1", before: "lesson-2-2" } });
  await admin.call(moveContent, { body: up });
  expect((await content()).drafts).toBe(0);
});

test("drafts that are written at once are all there, each under an id of its own", async () => {
  const body = { ...(await published("modules", "module-3")), released: false };
  const titles = Array.from({ length: 6 }, (_, number) => `Written at once ${number}`);
  const drafted = await Promise.all(
    titles.map((title) => admin.call(draftModule, { params: { id: "new" }, body: { ...body, title } })),
  );
  expect(drafted.map(({ status }) => status)).toEqual(titles.map(() => 200));
  const drafts = (await content()).modules.flatMap(({ draft }) => (draft ? [draft.title] : []));
  expect(drafts.toSorted()).toEqual(titles);
  await admin.call(discardDrafts, { body: {} });
});

test("an edit from an outdated version of the course, a plan, the offer, the settings or a text is refused", async () => {
  const module = await published("modules", "module-3");
  const lesson = await published("lessons", "lesson-3-1");
  const plan = await published("plans", "vip_lifetime");
  const { offer, settings, copy } = await content();
  const footer = copy.find(({ id }) => id === "footer")?.published as CopyOf<"footer">;
  const versions = async () => {
    const { modules, lessons, plans, offer, settings, copy } = await content();
    const ids = ["module-3", "lesson-3-1", "vip_lifetime", offer.id, settings.id, "footer"];
    const all = [...modules, ...lessons, ...plans, offer, settings, ...copy];
    return ids.map((id) => ({ version: all.find((one) => one.id === id)?.version ?? "" }));
  };
  /** Writes this text everywhere, or what is published. */
  const write = async ([m = {}, l = {}, p = {}, o = {}, s = {}, f = {}]: { version?: string }[], text?: string) => {
    const as = <Name extends string>(name: Name) => (text === undefined ? {} : { [name]: text });
    const answers = [
      await admin.call(draftModule, { params: { id: "module-3" }, query: m, body: { ...module, ...as("title") } }),
      await admin.call(draftLesson, { params: { id: "lesson-3-1" }, query: l, body: { ...lesson, ...as("title") } }),
      await admin.call(draftPlan, { params: { id: "vip_lifetime" }, query: p, body: { ...plan, ...as("name") } }),
      await admin.call(draftOffer, { query: o, body: { ...offer.published, ...as("headline") } }),
      await admin.call(draftSettings, { query: s, body: { ...settings.published, ...as("taxLine") } }),
      await admin.call(draftCopy, { query: f, body: { ...footer, ...as("tagline") } }),
    ];
    return [...new Set(answers.map(({ status }) => status))];
  };
  const before = await versions();
  await admin.call(moveContent, { body: { kind: "lesson", id: "lesson-3-2", before: "lesson-3-1" } });
  expect(await write(before, "First")).toEqual([200]);
  expect(await write(before, "Second")).toEqual([409]);
  const drafted = await versions();
  await publish();
  expect(await versions()).toEqual(drafted);
  await admin.call(moveContent, { body: { kind: "lesson", id: "lesson-3-1", before: "lesson-3-2" } });
  expect(await write(drafted)).toEqual([200]);
  await publish();
});

test("a plan's price and words change for visitors, and the old price buys nothing any more", async () => {
  const student = await academy.visitor().signUp();
  const old = await student.paymentFor("premium");
  const change = { price: 429.5, buttonLabel: "Take the year", originalPrice: 600 };
  await drafts.draft(admin, "plans", "premium_annual", change);
  expect((await planOnPages("premium_annual"))?.price).toBe(397);
  await publish();
  expect(await planOnPages("premium_annual")).toMatchObject(change);
  expect((await student.call(acceptPayment, { body: old })).body.code).toBe("amount-mismatch");
  expect((await student.buy("premium")).status).toBe(200);
  await drafts.draft(admin, "plans", "premium_annual", { originalPrice: null });
  await publish();
  expect((await planOnPages("premium_annual"))?.originalPrice).toBe(859);
});

test("the offer is the owner's to change, and the struck-out prices follow it", async () => {
  const { offer } = await content();
  expect((await academy.visitor().call(getOffer)).body).toEqual(offer.published);
  const draft = {
    ...offer.published,
    headline: "Spring price",
    originalPriceFactor: 1.5,
    countdown: { kind: "until", endsAt: "2031-01-01T00:00:00.000Z" },
  };
  await admin.call(draftOffer, { body: draft });
  expect((await academy.visitor().call(getOffer)).body.headline).not.toBe("Spring price");
  await publish([{ kind: "offer", id: "offer" }]);
  expect((await academy.visitor().call(getOffer)).body).toEqual(draft);
  expect((await planOnPages("basic_monthly"))?.originalPrice).toBe(73.5);
});

test("a draft equal to the published content is deleted, and dropped drafts change no page", async () => {
  const rename = (changes: { name?: string }) => drafts.draft(admin, "plans", "vip_lifetime", changes);
  await rename({ name: "Forever" });
  expect((await rename({})).body.drafts).toBe(0);
  await rename({ name: "Forever" });
  await admin.call(draftModule, { params: { id: "new" }, body: await published("modules", "module-1") });
  expect((await admin.call(discardDrafts, { body: {} })).body.message).toBe("Drafts discarded: 2");
  expect((await planOnPages("vip_lifetime"))?.name).toBe("Lifetime Access");
  expect((await content()).modules.some(({ id }) => id === "module-7")).toBe(false);
});

test("captions as long as a lesson's fit, and what cannot be shown is refused with its field", async () => {
  const lesson = await published("lessons", "lesson-3-1");
  const cues = Array.from({ length: 1500 }, (_, at) => {
    const time = (second: number) =>
      `00:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}.000`;
    return `${time(at)} --> ${time(at + 1)}\n${"A sentence of some length for every second of it. ".repeat(2)}`;
  });
  const captions = `WEBVTT\n\n${cues.join("\n\n")}\n`;
  const save = (changes: object) => drafts.draft(admin, "lessons", "lesson-3-1", changes);
  expect((await save({ captions })).status).toBe(200);
  await admin.call(discardDrafts, { body: {} });
  for (const [change, field] of [
    [{ videoId: "javascript:alert(1)" }, "videoId"],
    [{ captions: "no captions at all" }, "captions"],
    [{ moduleId: "module-2" }, "moduleId"],
    [{ title: " " }, "title"],
    [{ duration: -1 }, "duration"],
    [{ surprise: true }, "input"],
  ] as const) {
    const answer = await save(change);
    expect(answer.status, field).toBe(400);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
  }
  const plan = await published("plans", "vip_lifetime");
  for (const change of [{ price: 0 }, { price: 1.001 }, { price: "1497" }, { features: [] }, { tier: "basic" }]) {
    const answer = await drafts.draft(admin, "plans", "vip_lifetime", change as object);
    expect(answer.status, JSON.stringify(change)).toBe(400);
  }
  expect((await admin.call(draftLesson, { params: { id: "lesson-9-9" }, body: lesson })).status).toBe(404);
  expect((await admin.call(draftPlan, { params: { id: "new_plan" }, body: plan })).status).toBe(404);
  expect((await content()).drafts).toBe(0);
});

test("a picture stays while a lesson, a page, an announcement or a draft shows it, others for a month", async () => {
  const colors = ["#a00", "#0a0", "#00a", "#aa0", "#0aa"];
  const pictures: string[] = [];
  for (const color of colors) pictures.push((await uploadedPicture(color)).src);
  const [ofLesson, ofPage, ofAnnouncement, ofDraft] = pictures.map((src) => `![A loaf](${src})`);
  const save = (id: string, body = "") => drafts.draft(admin, "lessons", id, { body });

  await save("lesson-1-2", ofLesson);
  await drafts.changeCopy(admin, "questions", ({ questions }) => ({
    questions: questions.map((one) => ({ ...one, answer: ofPage ?? "" })),
  }));
  expect((await publish()).status).toBe(200);
  await save("lesson-1-3", ofDraft);
  const announcement = { subject: "Bread", text: "Soon.", button: null, audience: "everybody" } as const;
  const { id } = (await admin.call(createAnnouncement, { body: announcement })).body;
  const changed = { ...announcement, text: ofAnnouncement ?? "" };
  expect((await admin.call(changeAnnouncement, { params: { id }, query: {}, body: changed })).status).toBe(200);

  const statuses = () => Promise.all(pictures.map(async (src) => (await academy.visitor().send("GET", src)).status));
  expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
  await academy.advance("31d");
  await academy.advance("61m");
  expect(await statuses()).toEqual([200, 200, 200, 200, 404]);
});
