import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { type LessonContent, publishContent } from "#contract/admin/content.ts";
import { getPlayback, searchCatalogue } from "#contract/catalogue.ts";
import { draft as draftOf, published } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { academy, administrator, test } = await academyOfFile();
const basic = await academy.visitor().signInAsDemo("basic@academy.test");

const id = "lesson-1-2";
const draft = (changes: Partial<LessonContent>) => draftOf(administrator, "lessons", id, changes);
const publish = (body: object = {}) => administrator.call(publishContent, { body });

const vtt = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`;
const spanish = "1\n00:00:01,000 --> 00:00:02,000\n<i>Zanahorias</i> &amp; <script>más</script>\n";

test("a lesson has captions in several languages, which search finds and playback lists [Z57, Z58]", async () => {
  const otherCaptions = [
    { language: "es", captions: spanish },
    { language: "ar", captions: vtt("مرحباً 🥕") },
  ];
  const drafted = (await draft({ captionsLanguage: "en-GB", otherCaptions })).body;
  expect(drafted.lessons.find((lesson) => lesson.id === id)?.draft?.otherCaptions[0]?.captions).toBe(
    vtt("Zanahorias &amp; más"),
  );
  expect((await publish()).status).toBe(200);

  const address = `/api/lessons/${id}/captions`;
  const { captionsUrl, captions } = (await basic.call(getPlayback, { params: { lessonId: id } })).body;
  expect(captionsUrl).toBe(address);
  expect(captions).toEqual([
    { language: "en-GB", url: address },
    { language: "es", url: `${address}?language=es` },
    { language: "ar", url: `${address}?language=ar` },
  ]);
  const read = async (url: string) => (await basic.send("GET", url)).text();
  expect(await read(address)).toContain("\n00:00:00.750 --> ");
  expect(await read(`${address}?language=ar`)).toBe(vtt("مرحباً 🥕"));
  expect((await basic.send("GET", `${address}?language=fr`)).status).toBe(404);
  expect((await academy.visitor().send("GET", `${address}?language=es`)).status).toBe(401);

  const query = { q: "zanahorias" };
  expect((await basic.call(searchCatalogue, { query })).body).toMatchObject([{ lessonId: id, at: 1 }]);
  const [locked] = (await academy.visitor().call(searchCatalogue, { query })).body;
  expect(locked).toMatchObject({ lessonId: id, isUnlocked: false, at: null });
  expect(JSON.stringify(locked?.snippet)).not.toContain("anahorias");
  const { rows } = (await administrator.call(listAudit, { query: { subject: id } })).body;
  const logged = JSON.stringify(rows.map(({ after }) => after));
  expect(logged).toMatch(/"es: \d+ characters"/);
  expect(logged).not.toContain("anahorias");
});

test("captions saved as they are published are no draft, and captions removed leave the next language", async () => {
  const { captions, captionsLanguage } = await published(administrator, "lessons", id);
  expect((await draft({})).body.drafts).toBe(0);
  const { lessons } = (await draft({ captions: null })).body;
  expect(lessons.find((lesson) => lesson.id === id)?.draft).toMatchObject({
    captions: vtt("Zanahorias &amp; más"),
    captionsLanguage: "es",
    otherCaptions: [{ language: "ar" }],
  });
  expect((await draft({ captions, captionsLanguage })).body.drafts).toBe(0);
});

test("captions that cannot be read are refused with their lines, and languages with their field", async () => {
  const errorsOf = async (changes: Partial<LessonContent>) => (await draft(changes)).body.errors;
  expect(await errorsOf({ captions: `${vtt("One")}\nwords\n` })).toEqual({
    captions: [expect.stringMatching(/^Line 6: This isn’t a caption\./)],
  });
  expect(
    await errorsOf({ otherCaptions: [{ language: "es", captions: "1\n00:00:03,000 --> 00:00:02,000\nNo" }] }),
  ).toEqual({ "otherCaptions.0.captions": ["Line 2: This caption ends before it starts."] });
  const otherCaptions = ["es", "es"].map((language) => ({ language, captions: vtt("One") }));
  expect(await errorsOf({ otherCaptions })).toEqual({ otherCaptions: ["Add each language once"] });
  for (const captionsLanguage of ["", "EN", "klingon", "en_US", "qqq", "<b>"]) {
    expect(Object.keys((await errorsOf({ captionsLanguage })) ?? {}), captionsLanguage).toEqual(["captionsLanguage"]);
  }
});

test("publishing a video without captions has to be confirmed once", async () => {
  await draft({ captions: null, otherCaptions: [] });
  const changes = { [id]: null };
  const refused = await publish({ changes });
  expect(refused).toMatchObject({ status: 409, body: { code: "no-captions", errors: { [id]: [expect.any(String)] } } });
  expect((await publish({ changes, despite: [id] })).status).toBe(200);
  await draft({ title: "Another title" });
  expect((await publish()).status).toBe(200);
});
