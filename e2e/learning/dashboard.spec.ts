import type { Locator, Page } from "@playwright/test";
import { listProgress } from "#contract/progress.ts";
import { become, expect, expectAccessible, holdBack, sendWithoutReplies, signInAs, test } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { coverOf, playLesson, secondOf } from "../video.ts";

const studentPages = ["Dashboard", "Course Access", "Coaching", "Resources", "Profile"];

/** The URLs of the page's links. */
function addressesOn(page: Page): Promise<string[]> {
  return page.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
}

test("a visitor signs in on the way to the dashboard, which has each plan's modules, panels or paywall", async ({
  page,
}) => {
  const complaints = watchConsole(page);
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Continue as basic@academy.test" }).click();
  await page.waitForURL("**/dashboard");
  for (const [account, tier, locked] of [
    ["basic", "Modules 1-3", ["/?plan=premium", "/?plan=vip"]],
    ["vip", "Full access to all content", []],
  ] as const) {
    if (account !== "basic") await signInAs(page, `${account}@academy.test`);
    await expect(coverOf(page)).toBeVisible();
    const upgrades = page.getByRole("region", { name: "Not in your plan yet" }).getByRole("link");
    await expect(upgrades).toHaveCount(locked.length);
    for (const [at, address] of locked.entries()) {
      await expect(upgrades.nth(at)).toBeVisible();
      await expect(upgrades.nth(at)).toHaveAttribute("href", address);
    }
    await page.getByRole("tab", { name: "Progress" }).click();
    await expect(page.getByText(tier).first()).toBeVisible();
    if (locked.length === 0) continue;
    await page.getByRole("tab", { name: "Course Content" }).click();
    await page.getByRole("link", { name: "See Annual Access" }).click();
    await page.waitForURL("**/?plan=premium");
    await expect(page.getByRole("article", { name: "Annual Access" }).getByText("Your choice")).toBeInViewport();
  }
  await page.getByRole("tab", { name: "Resources" }).click();
  await expect(page.getByText("No resources available").first()).toBeVisible();
  complaints.expectEmpty();

  for (const path of ["/dashboard", "/course-access"]) {
    if (path !== "/dashboard") await page.goto(path);
    const bar = page.getByRole("banner");
    await expect(bar.getByRole("navigation", { name: "Main" }).getByRole("link")).toHaveText(studentPages);
    await page.evaluate(() => document.fonts.ready);
    for (const width of [320, 390, 640, 1024, 1280]) {
      await page.setViewportSize({ width, height: 664 });
      const height = await bar.evaluate((banner) => banner.getBoundingClientRect().height);
      expect(height, `${path} at ${width}`).toBeLessThan(80);
    }
  }

  // The paywall of who has no plan.
  await signInAs(page, "new@academy.test");
  await expect(page.getByRole("heading", { name: "Payment Required" })).toBeVisible();
  await expect
    .poll(() => addressesOn(page))
    .toEqual(
      expect.arrayContaining([
        "/checkout?tier=basic&priceId=basic_monthly&name=Monthly%20Access&price=49",
        "/checkout?tier=premium&priceId=premium_annual&name=Annual%20Access&price=397",
        "/checkout?tier=vip&priceId=vip_lifetime&name=Lifetime%20Access&price=1497",
      ]),
    );
  await expect(page.getByRole("link", { name: "Get Started Now" })).toHaveAttribute(
    "href",
    "/checkout?tier=premium&priceId=premium_annual&name=Annual%20Access&price=397",
  );
  await expect(page.getByRole("link", { name: "Back to Home" })).toHaveAttribute("href", "/");
  await expectAccessible(page);
  complaints.expectEmpty();
  await sendWithoutReplies(page);
  await page.route("**/api/course-access", (route) => route.fulfill({ status: 503 }));
  await page.reload();
  await expect(page.getByRole("heading", { name: "Error" })).toBeVisible();
  await expect(page.getByText("Unable to verify course access. Please try again.")).toBeVisible();
  await page.unroute("**/api/course-access");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { name: "Payment Required" })).toBeVisible();
});

test("a lesson is chosen without a new document, its completion is saved once, and watching in any case", async ({
  page,
  academy,
}) => {
  const student = await academy.buyer("basic");
  await signInAs(page, student, "/dashboard?lesson=lesson-1-1");
  const documents: string[] = [];
  page.on("request", (request) => request.isNavigationRequest() && documents.push(request.url()));
  const title = page.locator("#lesson-title");
  const first = (await title.textContent()) ?? "";
  await page.getByRole("link", { name: "Next lesson" }).click();
  await page.waitForURL("**/dashboard?lesson=lesson-1-2");
  await expect(title).not.toHaveText(first);
  await page.getByRole("tab", { name: "Progress" }).click();
  await page.waitForURL("**/dashboard?lesson=lesson-1-2&tab=progress");
  await page.goBack();
  await expect(page).toHaveURL(/lesson=lesson-1-1$/);
  await expect(title).toHaveText(first);
  expect(documents).toEqual([]);

  // Of two clicks the last one wins.
  const held = Promise.withResolvers<void>();
  let requests = 0;
  await page.route("**/api/user/progress", async (route) => {
    if (route.request().method() === "POST") requests += 1;
    if (requests === 1) await held.promise;
    await route.continue();
  });
  const savedAs = (isCompleted: boolean) =>
    page.waitForResponse((reply) => reply.request().postData()?.includes(`"isCompleted":${isCompleted}`) ?? false);
  const both = Promise.all([true, false].map(savedAs));
  const mark = page.getByRole("button", { name: "Mark as Completed" });
  const undo = page.getByRole("button", { name: "Mark as not completed" });
  const isCompleted = async () =>
    (await student.call(listProgress)).body.find(({ lessonId }) => lessonId === "lesson-1-1")?.isCompleted;
  await mark.press("Enter");
  await undo.press("Enter");
  await expect(mark).toBeVisible();
  expect(requests).toBe(1);
  held.resolve();
  await both;
  await expect(mark).toBeVisible();
  expect(await isCompleted()).toBe(false);

  const saved = savedAs(true);
  await mark.dblclick();
  await expect(undo).toBeVisible();
  await saved;
  expect(await isCompleted()).toBe(true);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Modules" })).toBeVisible();
  await expect(page.getByText("Completed", { exact: true }).first()).toBeVisible();

  // Watching is saved also when the page closes.
  await page.goto("/dashboard?lesson=lesson-2-4");
  const video = await playLesson(page);
  await video.evaluate((element: HTMLVideoElement) => {
    element.muted = true;
    return element.play();
  });
  await expect.poll(secondOf(video)).toBeGreaterThan(1);
  const closed = page.waitForEvent("close");
  await page.close({ runBeforeUnload: true });
  await closed;
  const record = async () => (await student.call(listProgress)).body.find((one) => one.lessonId === "lesson-2-4");
  await expect.poll(async () => (await record())?.position ?? 0).toBeGreaterThan(1);
});

test("the demo dashboard plays its lesson, saves nothing, takes early clicks and has only usable controls", async ({
  page,
}) => {
  const complaints = watchConsole(page);
  const requests: string[] = [];
  const saves: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("request", (request) => request.method() !== "GET" && saves.push(request.url()));
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.goto("/demo-dashboard?lesson=lesson-2-1");
  await expect(page.locator("[data-module=module-2]")).toHaveAttribute("open");
  const title = page.locator("#lesson-title");
  await expect(page.getByRole("button", { name: `Play: ${await title.textContent()}` })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(requests.filter((url) => /\/(player-[^/]+\.js|video)$/.test(url))).toEqual([]);
  const video = page.locator("video");
  const play = page.getByRole("button", { name: /^Play: / });
  await expect(video).toHaveCount(0);
  await play.focus();
  await page.keyboard.press("Enter");
  await expect(play).toHaveCount(0);
  await expect.poll(secondOf(video)).toBeGreaterThan(0);
  expect(await page.evaluate(() => document.activeElement?.matches(":has(video)"))).toBe(true);
  const player = page.getByRole("region", { name: /^Lesson:/ });
  const controls = [
    player.getByRole("button", { name: "enter picture in picture mode" }),
    player.getByRole("slider", { name: "volume" }),
    player.getByRole("button", { name: "enter fullscreen mode" }),
  ];
  for (const control of controls) await expect(control).toBeVisible();
  await video.evaluate((element: HTMLVideoElement) => element.pause());
  const captions = page.getByRole("switch", { name: /captions/i });
  const shown = () =>
    video.evaluate(({ textTracks: [track] }: HTMLVideoElement) => ({
      mode: track?.mode,
      hasCues: (track?.cues?.length ?? 0) > 0,
    }));
  await expect(captions).toHaveAttribute("aria-checked", "false");
  expect((await shown()).mode).not.toBe("showing");
  await captions.focus();
  await page.keyboard.press("Enter");
  await expect(captions).toHaveAttribute("aria-checked", "true");
  await expect.poll(shown).toEqual({ mode: "showing", hasCues: true });
  for (const address of ["/?plan=premium", "/?plan=vip"]) {
    await expect(page.locator(`a[href="${address}"]`).first()).toBeVisible();
  }
  await expectAccessible(page);
  expect(saves).toEqual([]);
  complaints.expectEmpty();

  // A click before hydration opens the tab or acts on the lesson in the URL.
  const openHeld = async () => {
    const letRun = await holdBack(page, "**/assets/*.js");
    await page.goto("/demo-dashboard?lesson=lesson-2-1", { waitUntil: "commit" });
    return letRun;
  };
  let letRun = await openHeld();
  await page.getByRole("tab", { name: "Progress" }).click();
  letRun();
  await expect(page.getByRole("heading", { name: "Your progress", exact: true })).toBeVisible();
  await expect(page).toHaveURL("/demo-dashboard?lesson=lesson-2-1&tab=progress");

  letRun = await openHeld();
  const first = "The Gap Between Two Prices";
  await expect(title).toHaveText(first);
  await page.getByRole("button", { name: `Play: ${first}` }).click();
  letRun();
  await expect(title).not.toHaveText(first);
  const chosen = (await title.textContent()) ?? "";
  await expect.poll(secondOf(video)).toBeGreaterThan(0);
  await expect(page.getByRole("region", { name: `Lesson: ${chosen}` })).toBeVisible();

  letRun = await openHeld();
  await page.getByRole("button", { name: "Mark as Completed" }).click();
  letRun();
  await expect(page.getByRole("button", { name: "Mark as not completed" })).toBeVisible();
  await expect(title).toHaveText(chosen);
  await expect(page.locator('[data-module="module-1"]').getByText("Completed", { exact: true })).toHaveCount(0);

  // The player has no control that the browser does not support.
  const unsupported = {
    pictureInPicture: () => Reflect.deleteProperty(HTMLVideoElement.prototype, "requestPictureInPicture"),
    pictureInPictureOfPage: () => Object.defineProperty(document, "pictureInPictureEnabled", { value: false }),
    volume: () => Object.defineProperty(HTMLMediaElement.prototype, "volume", { get: () => 1, set: () => {} }),
    fullScreen: () => {
      Object.defineProperty(document, "fullscreenEnabled", { value: false });
      Reflect.deleteProperty(HTMLVideoElement.prototype, "webkitSupportsFullscreen");
    },
  };
  for (const lack of Object.values(unsupported)) await page.addInitScript(lack);
  await page.goto("/demo-dashboard");
  await play.click();
  await expect(player.getByRole("button", { name: "mute" })).toBeVisible();
  for (const control of controls) await expect(control).toBeHidden();
});

test("forced colors show the player's controls, large text leaves the picture, and paper has no controls", async ({
  page,
  context,
  academy,
}) => {
  await become(context, await academy.buyer("basic"));
  await page.emulateMedia({ forcedColors: "active" });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/dashboard?lesson=lesson-1-2");
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  await playLesson(page);
  const bar = page.locator(".player-bar");
  const heightOf = async (part: Locator) => (await part.boundingBox())?.height ?? 0;
  await expect(bar).toBeVisible();
  expect(await heightOf(bar)).toBeLessThan((await heightOf(page.locator("video"))) / 2);
  const [icon, ink] = await page.locator("media-play-button").evaluate((button) => {
    const svg = button.shadowRoot?.querySelector("svg");
    return [svg && getComputedStyle(svg).fill, getComputedStyle(document.body).color];
  });
  expect(icon).toBe(ink);

  await page.emulateMedia({ forcedColors: "none", media: "print" });
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["Opening Your Seller Account"]);
  await expect(page.getByRole("tab")).toHaveCount(0);
  await expect(bar).toBeHidden();
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeHidden();
  // Nobody has scrolled to the lesson's text.
  await expect(page.getByText("Have these on the table")).toBeVisible();
});
