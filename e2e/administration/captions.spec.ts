import { publishLesson } from "#test/drafts.ts";
import { expect, expectAccessible, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { playLesson, secondOf } from "../video.ts";
import { saveDraft } from "./page.ts";

const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const srt = (cues: readonly string[]) =>
  cues.map((text, at) => `${at + 1}\n00:00:${10 + at * 3},000 --> 00:00:${12 + at * 3},000\n${text}\n`).join("\n");

testAlone(
  "captions are edited beside the video, published after a question, and kept in the chosen language",
  async ({ page, ownAcademy }) => {
    const otherCaptions = [
      { language: "es", captions: srt(["Dos precios", "Una tienda"]) },
      { language: "ar", captions: srt(["سعران"]) },
    ];
    await publishLesson(ownAcademy, "lesson-1-1", { otherCaptions });

    await signInAs(page, await ownAcademy.buyer("basic"), "/dashboard?lesson=lesson-1-1");
    await playLesson(page);
    const video = page.locator("video");
    const shown = () =>
      video.evaluate(({ textTracks }: HTMLVideoElement) =>
        [...textTracks].filter(({ mode }) => mode === "showing").map(({ language }) => language),
      );
    await expect(page.getByRole("switch", { name: /captions/i })).toHaveAttribute("aria-checked", "false");
    expect(await shown()).toEqual([]);
    const language = page.getByLabel("Language of captions");
    await expect(language.getByRole("option")).toHaveText(["English", "Español", "العربية"]);
    await language.selectOption("Español");
    await expect.poll(shown).toEqual(["es"]);
    await expect(page.getByRole("switch", { name: /captions/i })).toHaveAttribute("aria-checked", "true");
    await page.getByRole("button", { name: "Transcript" }).click();
    const transcript = page.getByRole("region", { name: "Transcript" });
    await expect(transcript.getByRole("listitem")).toHaveText([/Dos precios/, /Una tienda/]);
    await transcript.getByLabel("Language of the transcript").selectOption("العربية");
    await expect(transcript.getByRole("listitem")).toHaveText([/سعران/]);
    await expect.poll(shown).toEqual(["ar"]);
    await expectAccessibleInBothSchemes(page);

    await page.reload();
    await playLesson(page);
    await expect.poll(shown).toEqual(["ar"]);
    await video.evaluate(({ textTracks: [english] }: HTMLVideoElement) => {
      if (english) english.mode = "showing";
    });
    await expect.poll(shown).toEqual(["ar"]);
    await page.getByRole("switch", { name: /captions/i }).click();
    await expect.poll(shown).toEqual([]);
    await expect(transcript.getByRole("listitem")).toHaveText([/سعران/]);

    const complaints = watchConsole(page);
    await signInAs(page, "admin@academy.test", "/admin/content?edit=lesson.lesson-1-3");
    const section = page.getByRole("region", { name: "Captions" });
    await section.getByLabel("Language").selectOption("Spanish");
    const upload = async (name: string, text: string) => {
      const chooser = page.waitForEvent("filechooser");
      await section.getByRole("button", { name: "Upload captions" }).click();
      await (await chooser).setFiles(file(name, text));
    };
    await upload("broken.srt", srt(["Uno", "Dos"]).replace("00:00:15,000", "00:00:1,000"));
    await expect(section.getByRole("alert")).toContainText("Line 6: “00:00:1,000” isn’t a time.");
    await upload("es.srt", srt(["Uno", "Dos y tres <b>cuatro</b>"]));
    await expect(section.getByRole("alert")).toHaveCount(0);
    const row = section.getByRole("listitem").filter({ hasText: "Spanish" });
    await expect(row).toContainText("2 captions");
    await expectAccessible(page);

    await row.getByRole("button", { name: "Edit the captions in Spanish" }).click();
    const editor = page.getByRole("dialog", { name: "Captions in Spanish" });
    const lines = editor.getByRole("list", { name: "Captions" }).getByRole("button");
    await expect(lines).toHaveText([/00:00:10\.000.*Uno/, /Dos y tres cuatro/]);
    const edited = editor.locator("video");
    await expect.poll(() => edited.evaluate((one: HTMLVideoElement) => one.readyState)).toBeGreaterThan(0);
    await edited.evaluate((one: HTMLVideoElement) => one.pause());
    await lines.first().press("ArrowDown");
    await expect(lines.nth(1)).toBeFocused();
    await expect.poll(secondOf(edited)).toBe(13);
    const text = editor.getByLabel("Text", { exact: true });
    await text.click();
    await text.press("End");
    for (let at = 0; at < " cuatro".length; at++) await text.press("ArrowLeft");
    await editor.getByRole("button", { name: "Split" }).click();
    await expect(lines).toHaveText([/Uno/, /Dos y tres/, /cuatro/]);
    await expect(editor.getByLabel("Start", { exact: true })).toHaveValue(/^00:00:14\./);
    await edited.evaluate((one: HTMLVideoElement) => {
      one.currentTime = 14.5;
    });
    await text.press("Alt+i");
    await expect(editor.getByLabel("Start", { exact: true })).toHaveValue("00:00:14.500");
    await editor.getByLabel("End", { exact: true }).fill("14.2");
    await expect(editor.getByRole("alert")).toHaveText("This caption ends before it starts.");
    await expect(lines.nth(2)).toContainText("Error");
    await expectAccessibleInBothSchemes(page);
    await editor.getByRole("button", { name: "Undo" }).click();
    await expect(editor.getByRole("alert")).toHaveCount(0);
    await lines.nth(1).click();
    await editor.getByRole("button", { name: "Delete" }).click();
    await expect(lines).toHaveText([/Uno/, /cuatro/]);
    await editor.getByRole("button", { name: "Done" }).click();
    await expect(row.getByRole("button", { name: "Edit the captions in Spanish" })).toBeFocused();
    await section.getByRole("button", { name: "Actions for the captions in English" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await expect(section.getByRole("listitem")).toHaveCount(1);
    await saveDraft(page);

    await section.getByRole("button", { name: "Actions for the captions in Spanish" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await saveDraft(page);
    await page.getByRole("link", { name: "Review drafts" }).click();
    complaints.expectEmpty();
    await page.getByRole("button", { name: "Publish Every Fee, in Order" }).click();
    const described = page.getByRole("dialog", { name: "What changed for students?" });
    await expect(described).toContainText("The captions were changed.");
    await described.getByLabel("Students don’t need to know").check();
    await described.getByRole("button", { name: "Publish" }).click();
    const question = page.getByRole("dialog", { name: "Publish without captions?" });
    await expect(question).toContainText("Every Fee, in Order: It has no captions.");
    await question.getByRole("button", { name: "Cancel" }).click();
  },
);
