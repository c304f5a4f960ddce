import { fileURLToPath } from "node:url";
import { expect, expectAccessible, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { secondOf } from "../video.ts";
import { expectToast, goToArea } from "./page.ts";

testAlone.use({ environment: { VIDEO_ORIGINS: "https://videos.example.test" } });

testAlone(
  "a pasted address becomes a lesson's video, and one that fails is published only on purpose",
  async ({ page }) => {
    const complaints = watchConsole(page);
    await signInAs(page, "admin@academy.test", "/admin/content?edit=lesson.lesson-1-3");
    const video = page.getByLabel("Video", { exact: true });
    const length = page.getByLabel("Length");
    const before = await length.inputValue();
    const captions = page.getByRole("button", { name: "Edit the captions in English" });
    await expect(captions).toBeVisible();
    await video.fill("https://vimeo.com/76979871?share=copy");
    await expect(page.getByText("We’ll check the new video when you save it.")).toBeVisible();
    await expect(length).toHaveValue("");
    await expect(captions).toHaveCount(0);
    await page.getByLabel("Keep the captions of the earlier video").check();
    await expect(captions).toBeVisible();
    await length.fill(before);
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("This video plays: “Sandbox video 76979871”. Length 1:02.")).toBeVisible();
    await expect(video).toHaveValue("https://vimeo.com/76979871");
    await expect(page.getByAltText("Before it plays")).toHaveJSProperty("naturalWidth", 1280);
    await expect(length).toHaveValue(before);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Use 1:02" }).click();
    await expect(length).toHaveValue("1:02");
    await page.getByLabel("No video yet").check();
    await expect(video).toHaveValue("");
    await expect(length).toHaveCount(0);
    await video.fill("file:https://files.example.test/box.mp4");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(
      page.getByText(/^We couldn’t look up the length, because files.example.test .* Enter it.$/),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: /^Use / })).toHaveCount(0);

    const sample = fileURLToPath(new URL("../../content/samples/lesson-1-1.mp4", import.meta.url));
    await page.route("https://videos.example.test/box.mp4", (route) => route.fulfill({ path: sample }));
    await video.fill("file:https://videos.example.test/box.mp4");
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    const element = page.getByRole("region", { name: "Preview", exact: true }).locator("video");
    await expect(element).toHaveAttribute("src", "https://videos.example.test/box.mp4");
    await element.evaluate((one: HTMLVideoElement) => one.play());
    await expect.poll(secondOf(element)).toBeGreaterThan(0);
    complaints.expectEmpty();

    await video.fill("https://youtu.be/VideoIsGone");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText(/^This video can’t be played/)).toBeVisible();
    await page.getByRole("link", { name: "Review drafts" }).click();
    await page.getByRole("button", { name: "Publish Every Fee, in Order" }).click();
    const described = page.getByRole("dialog", { name: "What changed for students?" });
    await expect(described).toContainText("The video was replaced.");
    await described.getByLabel("From (optional)").fill("0:10");
    await described.getByLabel("Note").fill("The fees of this year");
    await described.getByRole("button", { name: "Publish" }).click();
    await expect(described).toContainText("Required");
    await described.getByLabel("To (optional)").fill("0:20");
    await expectAccessible(page);
    await described.getByRole("button", { name: "Publish" }).click();
    const doubts = page.getByRole("dialog", { name: "Publish with these videos?" });
    await expect(doubts).toContainText("Every Fee, in Order: We couldn't find this video");
    await doubts.getByRole("button", { name: "Publish anyway" }).click();
    await expectToast(page, "Published");
    await goToArea(page, "Course", "Content");
    await expect(page.getByText("Video can’t be played")).toBeVisible();
    await goToArea(page, "Course", "Lesson updates");
    const change = page.getByRole("row").filter({ hasText: "The fees of this year" });
    await expect(change).toContainText("Replaced");
    await expectAccessible(page);
  },
);
