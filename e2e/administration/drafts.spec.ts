import { draftLesson, draftModule, getContent, moveContent } from "#contract/admin/content.ts";
import { draft, published } from "#test/drafts.ts";
import { inRole } from "#test/in-role.ts";
import { expect, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { draftOf, expectToast } from "./page.ts";

testAlone(
  "each draft shows its author and changes, and is published or discarded alone or with what it needs",
  async ({ page, ownAcademy: academy }) => {
    const admin = await academy.visitor().signInAsDemo("admin@academy.test");
    const other = await inRole(academy, "administrator");
    const content = async () => (await admin.call(getContent)).body;
    const lesson = await published(admin, "lessons", "lesson-1-2");
    const saveTitle = async (title: string) => {
      const changes = { title, freePreview: !lesson.freePreview };
      expect((await draft(other, "lessons", "lesson-1-2", changes)).status).toBe(200);
    };
    await saveTitle("Opening a Stall");
    const module = { ...(await published(admin, "modules", "module-1")), title: "Selling abroad" };
    await admin.call(draftModule, { params: { id: "new" }, body: module });
    const body = { ...lesson, moduleId: (await content()).modules.at(-1)?.id, title: "Customs" };
    await admin.call(draftLesson, { params: { id: "new" }, body });
    await admin.call(moveContent, { body: { kind: "lesson", id: "lesson-2-2", before: "lesson-2-1" } });

    await page.setViewportSize({ width: 320, height: 800 });
    await signInAs(page, "admin@academy.test", "/admin/settings");
    await expect(page.getByText("4 drafts wait to be published")).toBeVisible();
    await page.getByRole("link", { name: "Review drafts" }).press("Enter");
    const line = (title: string | RegExp) => draftOf(page, title);
    await expect(line("Opening a Stall")).toContainText("Jo Vendor");
    await expect(line("Opening a Stall")).toContainText("Free preview: plays without a plan");
    await expect(line("Customs")).toContainText("Needs the new module “Selling abroad”.");
    await expect(line(/^Lessons of/)).toContainText("Order");
    await expectAccessibleInBothSchemes(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

    // Somebody changes a draft that is on the screen.
    await saveTitle("Opening a Shop");
    await page.getByRole("button", { name: "Publish Opening a Stall" }).click();
    const meanwhile = line("Opening a Shop").getByRole("region", { name: "Changed meanwhile" });
    await expect(meanwhile.getByRole("deletion")).toHaveText("Opening a Stall");
    await expect(meanwhile.getByRole("insertion")).toHaveText("Opening a Shop");
    await page.getByRole("button", { name: "Publish Opening a Shop" }).click();
    await expectToast(page, "Published");
    await expect(line("Opening a Shop")).toHaveCount(0);
    expect((await content()).drafts).toBe(3);

    await page.getByRole("button", { name: "Discard Selling abroad" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Its new lesson “Customs” is discarded too.");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Publish both: Customs, Selling abroad" }).click();
    await expect(line("Customs")).toHaveCount(0);
    await page.getByRole("button", { name: /^Discard Lessons of/ }).click();
    await dialog.getByRole("button", { name: "Discard" }).click();
    await expectToast(page, "Draft discarded");
    await expect(page.getByText("No unpublished changes.")).toBeVisible();
    expect((await content()).modules.map(({ published }) => published?.title)).toContain("Selling abroad");
  },
);
