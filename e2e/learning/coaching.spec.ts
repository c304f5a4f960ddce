import { href } from "#contract/addresses.ts";
import {
  addCoach,
  changeCoach,
  changeLive,
  getCoachingAdministration,
  listAllBookings,
  moveForStudent,
  scheduleLive,
} from "#contract/admin/coaching.ts";
import { getCoachBooking, getCoachDesk, setCoachSettings, writeSummary } from "#contract/coaching/coach.ts";
import { getCoaching } from "#contract/coaching/coaching.ts";
import { expect, expectAccessible, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { choose, goToArea } from "../administration/page.ts";
import { watchConsole } from "../console.ts";

testAlone.use({ timezoneId: "America/New_York" });

testAlone(
  "by keyboard a student books, moves and joins, and a coach marks and writes, both losing nothing",
  async ({ page, ownAcademy }) => {
    // The first page that a student opens stores the browser's time zone.
    const newcomer = await ownAcademy.buyer("basic");
    await signInAs(page, newcomer, "/membership");
    await expect.poll(async () => (await newcomer.call(getCoaching)).body.timeZone).toBe("America/New_York");
    await signInAs(page, "vip@academy.test", "/coaching");
    await page.getByRole("link", { name: "Move, cancel or add to calendar" }).press("Enter");
    await page.getByRole("button", { name: "Cancel session" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel session" }).press("Enter");
    const status = page.getByRole("main").getByRole("status");
    await expect(status.filter({ hasText: "You cancelled it." })).toBeFocused();

    await page.getByRole("link", { name: "All of your coaching" }).press("Enter");
    const days = page.getByRole("group", { name: "Day" }).getByRole("radio");
    const times = page.getByRole("group", { name: /^Times on \w+day, \w+ \d+$/ }).getByRole("radio");
    await expect(days.first()).toBeChecked();
    await expect(days.nth(1)).toHaveAccessibleName(/^\w{3} ?, \w{3} \d+ ?, \d+ times?$/);
    await expect(times.first()).toHaveAccessibleName(/^\d+:\d\d [AP]M ?, \d+:\d\d [AP]M for Dana$/);
    await times.first().press("Space");
    await expect(page.getByText(/^30 minutes with Dana/)).toBeVisible();
    await days.first().press("ArrowRight");
    await expect(days.nth(1)).toBeFocused();
    await expect(times.first()).not.toBeChecked();
    await expect(page.getByRole("button", { name: "Book this session" })).toBeDisabled();
    await times.first().press("ArrowDown");
    await expect(times.nth(1)).toBeChecked();
    await expect(page.getByText(/^30 minutes with Dana/)).toBeVisible();
    await page.getByLabel("What are you stuck on?").fill("Fees");
    const lesson = page.getByLabel("Which lesson is it about?");
    const title = await lesson.locator("optgroup option").nth(2).textContent();
    await lesson.selectOption({ label: title ?? "" });
    await expectAccessible(page);
    await page.getByRole("button", { name: "Book this session" }).press("Enter");
    await expect(status.filter({ hasText: "Booked for" })).toBeVisible();
    await expect(page.locator("#main")).toBeFocused();
    await expect(page.getByText(`About the lesson “${title}”.`)).toBeVisible();
    await expectAccessible(page);

    await page.getByRole("button", { name: "Move session" }).press("Enter");
    await days.nth(3).press("Space");
    await times.last().press("Space");
    await page.getByRole("button", { name: "Move the session" }).press("Enter");
    await expect(page.getByText(/You can move it once more/)).toBeVisible();
    await expect(status.filter({ hasText: "Booked for" })).toBeFocused();

    const student = await ownAcademy.visitor().signInAsDemo("vip@academy.test");
    const { id = "", startsAt = "", endsAt = "" } = (await student.call(getCoaching)).body.upcoming ?? {};
    const minutesTo = async (at: string) => Math.round((Date.parse(at) - (await ownAcademy.now())) / 60_000);
    await ownAcademy.advance(`${(await minutesTo(startsAt)) - 5}m`);
    await page.route("https://meet.example.com/**", (route) => route.fulfill({ body: "the room" }));
    await signInAs(page, "vip@academy.test", "/coaching");
    await page.getByRole("button", { name: "Join now: your session with Dana" }).press("Enter");
    await page.waitForURL(/^https:\/\/meet\.example\.com\/academy-[0-9a-z]+$/);

    // The coach marks the session and writes, and what is typed overwrites nothing saved meanwhile.
    const console = watchConsole(page);
    await signInAs(page, "vip@academy.test", "/coach");
    await expect(page.getByRole("heading", { name: "For coaches" })).toBeVisible();
    await page.goto("/coach/none");
    await expect(page.getByRole("heading", { name: "For coaches" })).toBeVisible();
    console.expectEmpty();

    await ownAcademy.advance(`${(await minutesTo(endsAt)) + 10}m`);
    const coach = await ownAcademy.visitor().signInAsDemo("coach@academy.test");
    const { settings } = (await coach.call(getCoachDesk)).body;
    await page.clock.install();
    await signInAs(page, "coach@academy.test", "/coach");
    await expect(page.getByRole("heading", { name: "How did these go?" })).toBeVisible();
    await expectAccessibleInBothSchemes(page);

    const name = page.getByLabel("Name shown to students");
    await name.fill("Dana from the shop");
    const added = { date: "2098-01-01", fromTime: null, toTime: null };
    await coach.call(setCoachSettings, { body: { ...settings, days: [...settings.days, added] } });
    const fetched = page.waitForResponse("**/api/coach");
    await page.clock.fastForward(61_000);
    await fetched;
    await expect(name).toHaveValue("Dana from the shop");
    await name.press("Enter");
    const changed = page.getByText("Someone changed this after you opened it.", { exact: false }).first();
    await expect(changed).toBeVisible();
    const meanwhile = page.getByRole("region", { name: "Changed meanwhile" });
    await expect(meanwhile).toBeFocused();
    await page.reload();
    await expect(name).toHaveValue("Dana from the shop");
    await meanwhile.getByText("Compare your changes with theirs").press("Enter");
    await expect(meanwhile.getByRole("definition").filter({ hasText: "off" })).toBeVisible();
    await meanwhile.getByRole("button", { name: "Keep mine" }).press("Enter");
    await name.press("Enter");
    await expect(page.getByText("Saved", { exact: true }).first()).toBeVisible();
    await expect(name).toBeFocused();
    expect((await coach.call(getCoachDesk)).body.settings.displayName).toBe("Dana from the shop");

    await page.getByRole("main").getByRole("listitem").getByRole("link").first().press("Enter");
    await page.getByText("Lesson by lesson").press("Enter");
    await expect(page.getByText(/^(Completed|\d+ % watched)$/).first()).toBeVisible();
    await page.getByRole("button", { name: "The student didn't attend" }).press("Enter");
    await expect(page.getByRole("main").getByText("Missed by student", { exact: true })).toBeVisible();
    const summary = page.getByLabel("Summary");
    await summary.fill("Next: count what you have.");
    await coach.call(writeSummary, { params: { id }, body: { summary: "From the phone" } });
    const save = page.getByRole("button", { name: "Save summary" });
    await save.press("Enter");
    await expect(changed).toBeVisible();
    await meanwhile.getByText("Compare your changes with theirs").press("Enter");
    await expect(meanwhile.getByRole("insertion")).toHaveText("From the phone");
    await expectAccessible(page);
    await meanwhile.getByRole("button", { name: "Keep mine" }).press("Enter");
    await expect(save).toBeFocused();
    await save.press("Enter");
    await expect(page.getByText("Summary saved", { exact: true }).first()).toBeVisible();
    await expect(page.getByText("Not saved yet. Your changes are kept in this browser.")).toHaveCount(0);
    expect((await coach.call(getCoachBooking, { params: { id } })).body.summary).toBe("Next: count what you have.");
    expect(await page.content()).not.toContain("vip@academy.test");

    await signInAs(page, "vip@academy.test", "/coaching");
    const past = page.getByRole("region", { name: "Past sessions" });
    await past.locator(`a[href="${href.coachingSession(id)}"]`).press("Enter");
    await page.getByRole("button", { name: "This is not what happened" }).press("Enter");
    await page.getByRole("textbox", { name: "What happened" }).fill("We talked for half an hour.");
    await page.getByRole("button", { name: "Send message" }).press("Enter");
    await expect(page.getByText(/You wrote to us about it on/)).toBeVisible();
    await expect(page.getByRole("button", { name: "This is not what happened" })).toHaveCount(0);
  },
);

testAlone(
  "a student takes a seat and watches a recording, and a sign-in keeps typed text for its author",
  async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 700 });
    await signInAs(page, "premium@academy.test", "/coaching");
    await page.getByRole("button", { name: "Give up my seat" }).press("Enter");
    await expect(page.getByRole("button", { name: "Take a seat" })).toBeFocused();
    await page.getByRole("button", { name: "Take a seat" }).press("Enter");
    await expect(page.getByRole("article").getByText("You have a seat", { exact: true })).toBeVisible();
    await expect(page.getByRole("main")).toContainText("1-on-1 coaching");
    await page.getByRole("button", { name: /^Watch the recording of/ }).press("Enter");
    const video = page.getByRole("main").locator("video");
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState)).toBeGreaterThan(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await expectAccessibleInBothSchemes(page);

    const question = page.getByLabel("A question for the session (optional)").first();
    const signInFor = async (account: string) => {
      await question.fill("How many boxes?");
      await page.context().clearCookies();
      await page
        .getByRole("button", { name: /^(Save question|Take a seat)$/ })
        .first()
        .click();
      // The bar has this link too.
      await page.getByRole("link", { name: "Sign in" }).last().click();
      await page.getByRole("button", { name: `Continue as ${account}` }).click();
    };
    await signInFor("premium@academy.test");
    await expect(question).toHaveValue("How many boxes?");
    await expect(page).toHaveURL(/\/coaching$/);
    await signInFor("vip@academy.test");
    await expect(page.getByRole("heading", { name: "Coaching", level: 1 })).toBeVisible();
    await expect(question).toHaveValue("");
  },
);

testAlone(
  "an administrator cancels, returns, books and moves sessions, and overwrites no change by another",
  async ({ page, ownAcademy }) => {
    await signInAs(page, "admin@academy.test", "/admin?tab=purchases&search=vip%40academy.test");
    const row = page.getByRole("row").filter({ hasText: "vip@academy.test" });
    await choose(row, "Refund");
    const dialog = page.getByRole("dialog");
    const held = dialog
      .getByRole("term")
      .filter({ hasText: "1-on-1 sessions held" })
      .locator("xpath=following-sibling::*");
    await expect(held).toHaveText(/^[A-Z][a-z]{2} \d+, \d{4} with Dana$/);

    const student = await ownAcademy.visitor().signInAsDemo("vip@academy.test");
    await page.goto(`/admin/users/${await student.id()}`);
    const local = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 11).concat("03:10");
    const panel = page.getByRole("region", { name: "1-on-1 coaching" });
    await expect(panel).toContainText("Included: one session of 30 minutes every 30 days.");
    const confirm = async (open: string, confirmed: string) => {
      const row = panel.getByRole("row", { name: open === "Cancel" ? /Booked/ : /Cancelled/ });
      if (open === "Book a session") await panel.getByRole("button", { name: open }).press("Enter");
      else await choose(row.first(), open);
      if (open === "Book a session") await dialog.getByLabel("Starts, in your time zone").fill(local);
      await dialog.getByLabel("Reason").fill("asked on the phone");
      await dialog.getByRole("button", { name: confirmed, exact: true }).press("Enter");
      await expect(dialog).toHaveCount(0);
    };
    await confirm("Cancel", "Cancel session");
    await confirm("Return", "Return session");
    await expect(panel).toContainText("plus 1 returned until");
    await confirm("Book a session", "Book");
    await expect(panel.getByText("Booked", { exact: true })).toBeVisible();
    await expectAccessible(page);

    // A group session's faults and changes by others are shown.
    await goToArea(page, "Coaching");
    const video = dialog.getByLabel("Video");
    const length = dialog.getByLabel("Length");
    const groupSessions = page.getByRole("region", { name: "Group sessions" }).getByRole("listitem");
    const record = () => choose(groupSessions.filter({ hasText: "Held" }).first(), "recording");
    await record();
    await dialog.getByLabel("Reason").fill("another cut");
    const before = await video.inputValue();
    await video.fill("no video");
    await length.fill("");
    await length.pressSequentially("0:41");
    await expect(length).toHaveValue("0:41");
    const save = dialog.getByRole("button", { name: "Save recording" });
    await save.click();
    await expect(video).toBeFocused();
    await expect(video).toHaveAccessibleDescription(/We can’t play this/);
    await video.fill(before);
    await save.click();
    await expect(dialog).toHaveCount(0);
    await page.reload();
    await record();
    await expect(length).toHaveValue("0:41");
    await dialog.getByRole("button", { name: "Cancel" }).press("Enter");

    await page.getByRole("button", { name: "Schedule a session" }).click();
    await dialog.getByLabel("Title").fill("Shelves");
    await dialog.getByLabel("Description").fill("How to read one.");
    await dialog.getByLabel("Starts, in your time zone").fill("2098-01-01T10:00");
    const minutes = dialog.getByLabel("Minutes");
    await minutes.fill("5");
    await dialog.getByLabel("Reason").fill("asked for");
    await dialog.getByRole("button", { name: "Schedule", exact: true }).press("Enter");
    await expect(minutes).toBeFocused();
    await expect(minutes).toHaveAttribute("aria-invalid", "true");
    await dialog.getByRole("button", { name: "Cancel" }).press("Enter");

    const other = await ownAcademy.visitor().signInAsDemo("admin@academy.test");
    const coachId = (await other.call(getCoachingAdministration)).body.coaches[0]?.id ?? "";
    const startsAt = new Date((await ownAcademy.now()) + 20 * 86_400_000).toISOString();
    const body = {
      ...{ title: "Shelf hour", about: "Bring one product.", requiredTier: "premium", seats: null, minutes: 60 },
      ...{ meetingUrl: null, coachId, startsAt, reason: "asked for" },
    };
    await other.call(scheduleLive, { body });
    const saved = async () =>
      (await other.call(getCoachingAdministration)).body.live.find(({ title }) => title === body.title);
    const params = { id: (await saved())?.id ?? "" };
    await signInAs(page, "admin@academy.test", "/admin/coaching");
    const session = page.getByRole("listitem").filter({ hasText: "Shelf hour" });
    const about = dialog.getByLabel("Description");
    await choose(session, "Change");
    await about.fill("Bring two products.");
    await page.keyboard.press("Escape");
    await page.reload();
    await choose(session, "Change");
    await expect(about).toHaveValue("Bring two products.");

    await other.call(changeLive, { params, body: { ...body, about: "Bring a friend." } });
    await dialog.getByLabel("Reason").fill("more to see");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await expect(page.getByText("Failed to save the session", { exact: true })).toBeVisible();
    expect(await saved()).toMatchObject({ about: "Bring a friend." });
    const meanwhile = dialog.getByRole("region", { name: "Changed meanwhile" });
    await meanwhile.getByText("Compare your changes with theirs").press("Enter");
    await expect(meanwhile.getByRole("insertion")).toHaveText(["Bring a friend."]);
    await expectAccessible(page);
    await meanwhile.getByRole("button", { name: "Keep mine" }).press("Enter");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await expect(dialog).toHaveCount(0);
    expect(await saved()).toMatchObject({ about: "Bring two products." });

    // A session moves, although another administrator moves it meanwhile.
    const reason = "a new coach";
    const mara = { email: "premium@academy.test", displayName: "Mara", timeZone: "UTC", reason };
    expect((await other.call(addCoach, { body: mara })).status).toBe(200);
    const { coaches } = (await other.call(getCoachingAdministration)).body;
    for (const { id, settings } of coaches.filter(({ email }) => email === "coach@academy.test")) {
      await other.call(changeCoach, { params: { id }, body: { isActive: false, settings, reason } });
    }
    await page.reload();
    await choose(page.getByRole("row", { name: /Hana Petrovic.*Booked/ }), "Move");
    const mine = coaches.find(({ settings }) => settings.displayName === "Mara")?.id ?? "";
    await expect(dialog.getByLabel("Coach")).toHaveValue(mine);
    await dialog.getByLabel("Reason").fill(reason);
    const booking = (await other.call(listAllBookings)).body.rows.find(
      ({ studentName, state }) => studentName === "Hana Petrovic" && state === "booked",
    );
    const nextDay = new Date(Date.parse(booking?.startsAt ?? "") + 24 * 3_600_000).toISOString();
    const moved = await other.call(moveForStudent, {
      params: { id: booking?.id ?? "" },
      body: { coachId: mine, startsAt: nextDay, reason },
    });
    expect(moved.status).toBe(200);
    await dialog.getByRole("button", { name: "Move", exact: true }).press("Enter");
    await expect(page.getByText("Failed to move the session", { exact: true })).toBeVisible();
    await expect(dialog.getByText(/ with Mara\. .*Both get an email/)).toBeVisible();
    await dialog.getByRole("button", { name: "Keep mine" }).press("Enter");
    await dialog.getByRole("button", { name: "Move", exact: true }).press("Enter");
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole("row").filter({ hasText: "Mara" })).toContainText("Hana Petrovic");

    await page.getByRole("button", { name: "Book for a student" }).click();
    await dialog.getByLabel("Find the student").fill("Hana");
    await expect(dialog.getByLabel("Student", { exact: true })).toHaveText(/^Hana /);
    await dialog.getByLabel("Find the student").fill("Hana Nobody");
    await expect(dialog.getByText("Nobody matches that name or email.")).toBeVisible();
    await expect(dialog.getByLabel("Student", { exact: true })).toHaveCount(0);
  },
);
