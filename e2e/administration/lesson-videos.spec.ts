import { expect, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";

testAlone("a lesson's length and whether its video plays are found once it is saved", async ({ page }) => {
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
});
