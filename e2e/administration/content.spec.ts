import { getContent } from "#contract/admin/content.ts";
import { listPayments } from "#contract/purchases/receipts.ts";
import { changeSettings, draft } from "#test/drafts.ts";
import { samples } from "#test/uploads/uploads.ts";
import {
  expect,
  expectAccessible,
  expectAccessibleInBothSchemes,
  expectFocusVisible,
  holdBack,
  signInAs,
  test,
  testAlone,
} from "../academy.ts";
import { choose, expectToast, goToArea, publishAll } from "./page.ts";

testAlone(
  "lessons, plans, reviews and settings are drafted and published, and no change meanwhile is lost",
  async ({ page, ownAcademy: academy }) => {
    await signInAs(page, "admin@academy.test", "/admin/content");
    await page.getByRole("link", { name: /^Paying for Inventory/ }).click();
    const heading = page.getByRole("heading", { name: /^Paying for Inventory/ });
    await expect(heading).toBeFocused();
    await expect(heading).toBeInViewport();
    await page.getByLabel("Title").fill("");
    await page.keyboard.insertText("P".repeat(500));
    await expect(page.getByText("You’ve reached the limit of 120 characters.")).toBeVisible();
    await page.getByLabel("Title").fill("");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Required")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Title").fill("Paying Later");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expectToast(page, "Draft saved");
    await page.getByRole("link", { name: "Review drafts" }).press("Enter");
    await expect(page.getByRole("deletion")).toHaveText("Paying for Inventory With Other People's Money");
    await page.goBack();

    await page.getByRole("button", { name: "Move Paying Later up" }).press("Enter");
    await expectToast(page, "Order changed in the draft");
    await publishAll(page);
    await expect(page.getByText("No unpublished changes.")).toBeVisible();
    const seen = await (await academy.visitor().send("GET", "/api/catalogue")).text();
    expect(seen.indexOf("Paying Later")).toBeGreaterThan(0);
    expect(seen.indexOf("Paying Later")).toBeLessThan(seen.indexOf("Building Business Credit"));

    // A plan that another administrator changes meanwhile.
    const other = await academy.visitor().signInAsDemo("admin@academy.test");
    await goToArea(page, "Course", "Content");
    await page.getByRole("link", { name: /^Monthly Access/ }).click();
    await page.getByLabel("Name", { exact: true }).fill("Month by Month");
    await draft(other, "plans", "basic_monthly", { price: 59 });
    const save = page.getByRole("button", { name: "Save draft" });
    await save.click();
    const meanwhile = page.getByRole("region", { name: "Changed meanwhile" });
    await expect(meanwhile).toBeFocused();
    await expect(meanwhile).toBeInViewport();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Month by Month");
    await page.getByRole("button", { name: "Discard changes" }).click();
    await expect(page.getByLabel("Price in US dollars", { exact: true })).toHaveValue("59");

    const letSave = await holdBack(page, "**/api/admin/content/plans/*");
    const words = page.getByLabel("Button label");
    await words.fill("Begin");
    await words.press("Enter");
    await expect(save).toHaveAttribute("aria-busy", "true");
    await expect(words).toBeDisabled();
    letSave();
    await expect(page.getByText("No unsaved changes")).toBeVisible();
    await expect(words).toBeFocused();
    await words.fill("Begin now");
    await expect(page.getByText("Not saved yet. Your changes are kept in this browser.")).toBeVisible();

    // Reviews are added, moved and removed by keyboard.
    await goToArea(page, "Site");
    await page.getByRole("link", { name: /^Reviews/ }).click();
    const up = page.getByRole("button", { name: "Move Gordon T. up" });
    await up.press("Enter");
    await expect(up).toBeFocused();
    await expect(page.getByText("Gordon T. is number 1 of 3 now.")).toBeVisible();
    await page.getByRole("button", { name: "Remove Aleksandra W." }).press("Enter");
    await expect(page.locator("summary").filter({ hasText: "Priya N." })).toBeFocused();
    await page.getByRole("button", { name: "Add a review" }).press("Enter");
    await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
    await page.keyboard.type("Amal K.");
    await page.getByRole("button", { name: "Save draft" }).press("Enter");
    await expect(page.getByRole("textbox", { name: "About the reviewer" })).toBeFocused();
    await expect(page.getByRole("textbox", { name: "About the reviewer" })).toHaveAccessibleDescription(/Required/);
    await page.getByRole("button", { name: "Move Amal K. up" }).press("Enter");
    await expect(page.getByText("Required", { exact: true })).toHaveCount(0);
    await page.getByRole("button", { name: "Move Amal K. down" }).press("Enter");
    await page.getByRole("textbox", { name: "About the reviewer" }).fill("Baker");
    await page.getByRole("textbox", { name: "Quote" }).fill("My first loaf rose.");
    await page.getByLabel("Heading", { exact: true }).fill("From the oven");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save draft" }).press("Enter");
    await expectToast(page, "Draft saved");
    const phone = page.getByTitle("The page", { exact: true });
    await phone.scrollIntoViewIfNeeded();
    await expect(phone).toHaveAttribute("sandbox", "allow-same-origin");
    await expect(phone.contentFrame().locator("#testimonials h2")).toHaveText("From the oven");
    await expect(phone.contentFrame().locator("#testimonials h2")).toBeInViewport();

    const [preview] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: /^Preview/ }).click(),
    ]);
    await expect(preview.getByText("This is a preview of your draft.")).toBeVisible();
    await expect(preview.locator("#testimonials figcaption")).toHaveText([/Gordon T\./, /Priya N\./, /Amal K\./]);
    await expect(preview.locator("#testimonials h2")).toHaveText("From the oven");
    await expectAccessible(preview);

    // Settings show on pages and receipts.
    await goToArea(page, "Settings");
    const tab = (name: string) => page.getByRole("tab", { name });
    await page.getByRole("tabpanel").getByLabel("Name", { exact: true }).fill("Salt & Sugar");
    await tab("Support").click();
    await expect(
      page.getByText("Leave empty to use support@academy.test, which the server is configured with."),
    ).toBeVisible();
    await page.getByLabel("Support address").fill("oven");
    // A tab opens when one of its fields is refused.
    await tab("Look").click();
    await expect(page).toHaveURL(/\?tab=look$/);
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Invalid email")).toBeVisible();
    await expect(tab("Support Has an error")).toHaveAttribute("aria-selected", "true");
    await expect(page.getByLabel("Support address")).toBeFocused();
    await page.getByLabel("Support address").fill("oven@bakery.example");
    await page.getByLabel("Business hours").fill("Tue-Sat: 7-3\n");
    await tab("Emails and receipts").click();
    await page.getByLabel("Seller’s address").fill("1 Mill Lane\nYork");
    await page.getByLabel("Tax line").fill("VAT included");
    await page.goto("/admin/settings#look");
    await page.getByLabel("Brand color", { exact: true }).fill("#1a2b5c");
    const inTheDark = page.getByRole("figure", { name: "Dark mode" });
    await expect(page.getByText(/^In dark mode, the brand color is shown as #/)).toBeVisible();
    await expect(inTheDark.getByText("Enroll now")).not.toHaveCSS("background-color", "rgb(26, 43, 92)");
    await expect(page.getByRole("figure", { name: "Light mode" }).getByText("Enroll now")).toHaveCSS(
      "background-color",
      "rgb(26, 43, 92)",
    );
    await expectAccessibleInBothSchemes(page);
    // Another administrator changes the settings meanwhile.
    await changeSettings(other, { taxLine: "Theirs" });
    await page.getByRole("button", { name: "Save draft" }).click();
    await meanwhile.getByRole("button", { name: "Keep mine" }).click();
    await page.getByRole("button", { name: "Save draft" }).click();
    await expectToast(page, "Draft saved");
    await expect(page.getByRole("link", { name: "Academy, home" })).toBeVisible();
    await publishAll(page);
    // The open document shows them too.
    await expect(page.getByRole("link", { name: "Salt & Sugar, home" })).toBeVisible();
    await expect(page).toHaveTitle("Drafts | Salt & Sugar");
    const tag = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--tag"));
    expect(await tag()).toContain("#1a2b5c");
    await expect(page.getByText("No unpublished changes.")).toBeVisible();

    const buyer = await academy.buyer("premium");
    const [payment] = (await buyer.call(listPayments)).body;
    await signInAs(page, buyer, `/receipts/${payment?.receiptId}`);
    for (const part of ["1 Mill Lane", "York", "VAT included"]) {
      await expect(page.getByRole("article").getByText(part, { exact: true })).toBeVisible();
    }
    await expect(page).toHaveTitle(/Salt & Sugar$/);
  },
);

test("an owner writes a text with a picture and a check beside their lesson, with errors at their fields", async ({
  page,
  academy,
}) => {
  await signInAs(page, "admin@academy.test", "/admin/content?edit=lesson.lesson-1-2");
  const text = page.getByLabel("Text", { exact: true }).first();
  const before = await text.inputValue();
  const tools = page.getByRole("group", { name: "Format the text" });
  await text.fill("Flour\nWater");
  await text.selectText();
  await tools.getByRole("button", { name: "List" }).click();
  await expect(text).toBeFocused();
  await text.press("ArrowRight");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    tools.getByRole("button", { name: "Picture" }).click(),
  ]);
  const scale = { name: "scale.png", mimeType: "image/png", buffer: await page.screenshot() };
  await chooser.setFiles(scale);
  await expect(text).toHaveValue(/^- Flour\n- Water!\[Describe the picture\]\(\/look\/\S+\.png\)$/);
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Replace “Describe the picture” with a description of each picture")).toBeVisible();
  await text.evaluate((area: HTMLTextAreaElement) => {
    const from = area.value.indexOf("Describe the picture");
    area.setSelectionRange(from, from + "Describe the picture".length);
  });
  await page.keyboard.type("A scale");
  // The next one stands below it, not in its description.
  await page.getByLabel("Picture", { exact: true }).setInputFiles({ ...scale, name: "oven.png" });
  await expect(text).toHaveValue(/Water!\[A scale\]\(\S+\)\n\n!\[Describe the picture\]\(\S+\)$/);
  await page.keyboard.type("An oven");
  await expect(page.getByRole("region", { name: "Preview of the text" }).getByAltText("A scale")).toBeVisible();

  const save = page.getByRole("button", { name: "Save draft" });
  const question = (number: number) => page.getByRole("group", { name: `question ${number}` });
  await page.getByRole("button", { name: "Add a question" }).click();
  await expect(question(1).getByLabel("Question")).toBeFocused();
  await page.keyboard.type("What raises the dough?");
  await question(1).getByLabel("Option 1", { exact: true }).fill("Yeast");
  await question(1).getByLabel("Option 2", { exact: true }).fill("Yeast");
  await question(1).getByLabel("Explanation").fill("It makes gas.");
  await save.click();
  await expect(question(1).getByRole("alert")).toHaveText(["The same as option 1", "Mark the right option"]);
  await expect(question(1).getByLabel("Option 2", { exact: true })).toBeFocused();
  await question(1).getByLabel("Option 2", { exact: true }).fill("Salt");
  await question(1).getByRole("radio", { name: "Option 1 is right" }).check();
  await expect(question(1).getByRole("alert")).toHaveCount(0);

  await page.getByRole("button", { name: "Add a question" }).click();
  await question(2).getByLabel("Question").fill("How much water?");
  await question(2).getByLabel("Answer", { exact: true }).selectOption("A number");
  await question(2).getByLabel("Explanation").fill("Two thirds of the flour.");
  await save.click();
  await expect(question(2).getByRole("alert")).toHaveText("Required");
  await question(2).getByRole("button", { name: "Add a variant" }).click();
  await question(2).getByLabel("Text", { exact: true }).fill("For 3 loaves");
  await question(2).getByLabel("Right answer").fill("975");
  await question(2).getByLabel("Unit (optional)").fill("g");
  await question(2).getByLabel("Watch again at").fill("0:12");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Move How much water? up" }).click();
  await save.click();
  await expectToast(page, "Draft saved");
  await expect(page.getByRole("link", { name: /^Opening Your Seller Account.*Draft.*Check/ })).toBeVisible();
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const drafted = async () => (await admin.call(getContent)).body.lessons.find(({ id }) => id === "lesson-1-2")?.draft;
  const check = (await drafted())?.check;
  const tried = page.getByRole("region", { name: "Try the check" });
  await tried.getByRole("button", { name: "Try this check" }).press("Enter");
  const second = tried.getByRole("form", { name: "Question 2" });
  await second.getByRole("radio", { name: "Salt" }).check();
  await second.getByRole("button", { name: "Check answer" }).press("Enter");
  await expect(second.getByRole("status")).toHaveText("Not quite.It makes gas.");
  await second.getByRole("radio", { name: "Yeast" }).check();
  await second.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(second.getByText("That’s right.")).toBeVisible();
  await expectAccessible(page);
  expect(check?.questions).toMatchObject([
    {
      kind: "number",
      text: "How much water?",
      unit: "g",
      variants: [{ text: "For 3 loaves", answer: 975 }],
      at: 12,
    },
    {
      kind: "one",
      options: [
        { text: "Yeast", isRight: true },
        { text: "Salt", isRight: false },
      ],
    },
  ]);
  await page.getByRole("button", { name: "Remove How much water?" }).click();
  await page.getByRole("button", { name: "Remove What raises the dough?" }).click();
  await text.fill(before);
  await save.click();
  await expect.poll(drafted).toBeNull();
});

test("a lesson's files are added, renamed, ordered and deleted below its form, also on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signInAs(page, "admin@academy.test", "/admin/content?edit=lesson.lesson-5-2");
  const files = page.getByRole("region", { name: "Files", exact: true });
  await expect(files.getByText("This lesson has no files yet.")).toBeVisible();
  await files.getByRole("button", { name: "Add files" }).click();
  const form = files.getByRole("form", { name: "Upload resources" });
  const add = async (title: string) => {
    const file = { name: `${title}.pdf`, mimeType: "application/pdf", buffer: samples.pdf };
    await form.getByLabel("Files", { exact: true }).setInputFiles(file);
    await form.getByLabel("Title").fill(title);
    await form.getByLabel("Required plan").selectOption("basic");
    await form.getByRole("button", { name: "Upload" }).click();
    await expect(files.getByRole("heading", { name: title })).toBeVisible();
  };
  await add("Oven list");
  await add("Flour list");
  const titles = files.getByRole("heading", { level: 3 });
  await expect(titles).toHaveText(["Oven list", "Flour list"]);
  const up = files.getByRole("button", { name: "Move Flour list up" });
  await up.press("Enter");
  await expect(titles).toHaveText(["Flour list", "Oven list"]);
  await expect(up).toBeFocused();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  const dialog = page.getByRole("dialog");
  const row = (title: string) =>
    files.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) });
  await choose(row("Oven list"), "Edit");
  await dialog.getByLabel("Title").fill("List of ovens");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(titles).toHaveText(["Flour list", "List of ovens"]);
  for (const title of ["Flour list", "List of ovens"]) {
    await choose(row(title), "Delete");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect(files.getByRole("heading", { name: title })).toHaveCount(0);
  }
});

test("the buttons of a long form hide no field that has the focus, and one opens and closes all folds", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await signInAs(page, "admin@academy.test", "/admin/pages?edit=contact");
  const form = page.getByRole("form", { name: "Contact page" });
  const save = form.getByRole("button", { name: "Save draft" });
  await expect(save).toBeInViewport({ ratio: 1 });
  // Above the bar that says so.
  await page.context().setOffline(true);
  await expect(page.getByText("You're offline.")).toBeVisible();
  const fields = form.getByRole("textbox");
  await fields.first().focus();
  await expectFocusVisible(page, page.locator(".action-bar"), 12);
  await expect(save).toBeInViewport({ ratio: 1 });
  await page.context().setOffline(false);

  await page.goto("/admin/pages?edit=questions");
  const answers = page.getByRole("textbox", { name: "Answer", exact: true });
  await page.getByRole("button", { name: "Open all in Questions" }).press("Enter");
  await expect(answers.last()).toBeVisible();
  const close = page.getByRole("button", { name: "Close all in Questions" });
  await expect(close).toBeFocused();
  // One that is closed by itself is opened with the others again.
  const [first] = await page.locator("summary").filter({ hasText: /^1\. / }).all();
  await first?.press("Enter");
  await page.getByRole("button", { name: "Open all in Questions" }).press("Enter");
  await expect(answers.first()).toBeVisible();
  await close.press("Enter");
  await expect(answers.last()).toBeHidden();
});
