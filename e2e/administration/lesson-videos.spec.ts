import { fileURLToPath } from "node:url";
import { expect, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";

testAlone.use({ environment: { VIDEO_ORIGINS: "https://videos.example.test" } });

testAlone("a lesson's length and whether its video plays are found once it is saved", async ({ page }) => {
  const complaints = watchConsole(page);
  await signInAs(page, "admin@academy.test", "/admin/content?edit=lesson.lesson-1-3");
  const video = page.getByLabel("Video", { exact: true });
  const seconds = page.getByLabel("Seconds");
  const before = await seconds.inputValue();
  await video.fill("vimeo:76979871");
  await expect(page.getByText("It is checked once it is saved.")).toBeVisible();
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("It plays here: “Sandbox video 76979871”. Length 1:02.")).toBeVisible();
  await expect(page.getByAltText("Before it plays")).toHaveJSProperty("naturalWidth", 1280);
  await expect(seconds).toHaveValue(before);
  await expectAccessibleInBothSchemes(page);
  await page.getByRole("button", { name: "Use 62 seconds" }).click();
  await expect(seconds).toHaveValue("62");
  await video.fill("youtube:dQw4w9WgXcQ");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("YouTube does not tell lengths; enter it.")).toBeVisible();
  await expect(page.getByAltText("Before it plays")).toHaveJSProperty("naturalWidth", 480);
  await video.fill("youtube:VideoIsGone");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("It does not play. The service has no such video, or has it no more.")).toBeVisible();
  await expect(seconds).toHaveValue("62");

  await video.fill("file:https://files.example.test/box.mp4");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText(/^The server asks nothing of files.example.test, .* enter the length.$/)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Use \d+ seconds/ })).toHaveCount(0);

  const sample = fileURLToPath(new URL("../../content/samples/lesson-1-1.mp4", import.meta.url));
  await page.route("https://videos.example.test/box.mp4", (route) => route.fulfill({ path: sample }));
  await video.fill("file:https://videos.example.test/box.mp4");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  const element = page.getByRole("region", { name: "Preview", exact: true }).locator("video");
  await expect(element).toHaveAttribute("src", "https://videos.example.test/box.mp4");
  await element.evaluate((one: HTMLVideoElement) => one.play());
  await expect.poll(() => element.evaluate((one: HTMLVideoElement) => one.currentTime)).toBeGreaterThan(0.5);
  complaints.expectEmpty();
});
