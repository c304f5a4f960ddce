import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { deleteResource, listResources, updateResource } from "#contract/resources.ts";
import { samples, upload } from "#test/uploads/uploads.ts";
import { expect, expectAccessible, signInAs, test } from "../academy.ts";
import { choose } from "../administration/page.ts";
import { watchConsole } from "../console.ts";

const pdf = { name: "Route plan.pdf", mimeType: "application/pdf", buffer: samples.pdf };
const xlsx = { name: "Prices.xlsx", mimeType: "application/octet-stream", buffer: samples.xlsx };

const form = (page: Page) => page.getByRole("form", { name: "Upload resources" });
const existing = (page: Page) => page.getByRole("region", { name: "Existing resources" });
const row = (page: Page, title: string) =>
  existing(page)
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) });

test("an administrator uploads, finds, edits and deletes a resource while a student downloads it", async ({
  page,
  browser,
  academy,
}) => {
  await page.goto("/admin-upload");
  await page.getByRole("button", { name: "Continue as vip@academy.test" }).click();
  await page.waitForURL("**/admin-upload");
  await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();

  const complaints = watchConsole(page);
  await signInAs(page, "admin@academy.test", "/admin-upload");
  await expect(page.getByRole("link", { name: "Back to Admin Dashboard" })).toHaveAttribute("href", "/admin");
  await expect(row(page, "Buy sheet")).toBeVisible();

  await form(page).getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("Missing Information", { exact: true })).toBeVisible();
  await expect(page.getByText("Please fill in all required fields.").first()).toBeVisible();

  await form(page)
    .getByLabel("Files")
    .setInputFiles([pdf, { ...pdf, name: "notes.txt" }]);
  await expect(form(page).getByText("notes.txt isn’t an accepted file type.")).toBeVisible();
  await expect(form(page).getByLabel("Chosen files").getByRole("listitem")).toHaveText([/Route plan\.pdf/]);
  await form(page).getByLabel("Module").selectOption({ label: "2. Store Scanning Mastery" });
  await form(page).getByLabel("Lesson").selectOption({ label: "Scan Your First Shelf" });
  await form(page).getByLabel("Title").fill("Route plan");
  await form(page).getByLabel("Required plan").selectOption({ label: "Annual Access ($397 annual)" });
  await form(page).getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("Resource uploaded successfully!").first()).toBeVisible();
  await expect(row(page, "Route plan")).toContainText("2. Store Scanning Mastery: Scan Your First Shelf");
  await expect(form(page).getByLabel("Title")).toHaveValue("");

  const context = await browser.newContext({ baseURL: academy.url });
  const student = await context.newPage();
  await signInAs(student, "premium@academy.test", "/dashboard?tab=resources");
  const [download] = await Promise.all([
    student.waitForEvent("download"),
    student.getByRole("button", { name: "Download Route plan" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Route plan.pdf");
  expect((await readFile(await download.path())).equals(samples.pdf)).toBe(true);
  await expect(student.getByText("Download Started", { exact: true })).toBeVisible();

  await page.reload();
  await expect(row(page, "Route plan")).toContainText("1 download");
  await existing(page).getByLabel("Search by title").fill("route");
  await expect(existing(page).getByRole("heading", { level: 3 })).toHaveText(["Route plan"]);
  await existing(page).getByRole("combobox", { name: "Plan" }).selectOption({ label: "Lifetime Access" });
  await expect(existing(page).getByText("No resources match")).toBeVisible();
  await existing(page).getByRole("combobox", { name: "Plan" }).selectOption({ label: "All plans" });
  await existing(page).getByLabel("Module").selectOption({ label: "2. Store Scanning Mastery" });

  await choose(row(page, "Route plan"), "Edit");
  const dialog = page.getByRole("dialog", { name: "Edit resource" });
  await expectAccessible(page);
  for (const field of ["Module", "Required plan"]) {
    const before = await dialog.getByLabel(field).inputValue();
    await dialog.getByLabel(field).selectOption("");
    await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
    await dialog.getByLabel(field).selectOption(before);
  }
  await dialog.getByLabel("Title").fill(" ");
  await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  await dialog.getByLabel("Title").fill("Route planner");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Resource updated successfully!").first()).toBeVisible();
  await expect(row(page, "Route planner")).toBeVisible();

  await choose(row(page, "Route planner"), "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(row(page, "Route planner")).toBeVisible();
  await choose(row(page, "Route planner"), "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Resource deleted successfully").first()).toBeVisible();
  await expect(row(page, "Route planner")).toHaveCount(0);

  // Dropped files show their progress, and a cancelled upload stores nothing.
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    const head = "%PDF-1.4\n";
    transfer.items.add(new File([head, new Uint8Array(8_000_000), "%%EOF\n"], "Large.pdf"));
    return transfer;
  });
  await form(page).getByText("Drop files here").dispatchEvent("drop", { dataTransfer: dropped });
  await expect(form(page).getByText("Large.pdf")).toBeVisible();
  await form(page).getByLabel("Module").selectOption("module-1");
  await form(page).getByLabel("Title").fill("Never stored");
  await form(page).getByLabel("Required plan").selectOption("basic");
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 };
  await network.send("Network.emulateNetworkConditions", slow);
  await form(page).getByRole("button", { name: "Upload" }).click();
  await expect(form(page).getByRole("progressbar", { name: "Large.pdf: sent" })).toBeVisible();
  await expect(form(page).getByLabel("Title")).toBeDisabled();
  await form(page).getByRole("button", { name: "Cancel upload" }).click();
  await expect(page.getByText("Upload cancelled", { exact: true })).toBeVisible();
  await expect(form(page).getByLabel("Title")).toHaveValue("Never stored");
  await network.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
  // Without the filters that the URL has kept.
  await page.goto("/admin-upload");
  await expect(row(page, "Buy sheet")).toBeVisible();
  await expect(row(page, "Never stored")).toHaveCount(0);
  complaints.expectEmpty();

  // The student's list is outdated.
  await student.getByRole("button", { name: "Download Route plan" }).click();
  await expect(student.getByText("Download Failed", { exact: true })).toBeVisible();
  await expect(
    student.getByText("Could not download the resource. We couldn't find this resource.", { exact: true }),
  ).toBeVisible();
  await expect(student.getByRole("button", { name: "Download Route plan" })).toHaveCount(0);
  await context.close();
});

test("what is typed about a resource is kept, overwrites nothing saved meanwhile, and survives refusals", async ({
  page,
  academy,
}) => {
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const title = `Labels ${randomUUID()}`;
  const [resource] = await upload(admin, [{ name: "a.zip", content: samples.zip }], { title, moduleId: "module-2" });
  const params = { id: resource?.id ?? "" };
  const saved = async () => (await admin.call(listResources)).body.find(({ id }) => id === params.id);
  await signInAs(page, "admin@academy.test", "/admin/upload");
  const edit = page.getByRole("button", { name: title, exact: true });
  const dialog = page.getByRole("dialog", { name: "Edit resource" });
  const description = dialog.getByLabel("Description");
  await edit.click();
  await description.fill("For the printer.");
  await page.goto("/admin");
  await page.getByRole("link", { name: "Manage Resources" }).click();
  await edit.click();
  await expect(description).toHaveValue("For the printer.");
  await expect(dialog.getByText("Not saved yet. Your changes are kept in this browser.")).toBeVisible();
  await page.keyboard.press("Escape");
  await edit.click();
  await expect(description).toHaveValue("For the printer.");

  const body = { moduleId: "module-2", lessonId: null, title, description: "For the box.", requiredTier: "basic" };
  await admin.call(updateResource, { params, body });
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await expect(page.getByText("Update Failed", { exact: true })).toBeVisible();
  expect(await saved()).toMatchObject({ description: "For the box." });
  const meanwhile = dialog.getByRole("region", { name: "Changed meanwhile" });
  await meanwhile.getByText("Compare your changes with theirs").press("Enter");
  await expect(meanwhile.getByRole("insertion")).toHaveText(["For the box."]);
  await meanwhile.getByRole("button", { name: "Keep mine" }).press("Enter");
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await expect(page.getByText("Resource updated successfully!").first()).toBeVisible();
  expect(await saved()).toMatchObject({ description: "For the printer." });

  await edit.click();
  await description.fill("Never mind.");
  await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
  await edit.click();
  await expect(description).toHaveValue("For the printer.");
  await description.fill("For both.");
  await admin.call(deleteResource, { params });
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await expect(dialog.getByText("It was deleted while you were writing")).toBeVisible();
  await expect(description).toHaveValue("For both.");
  await dialog.getByRole("button", { name: "Cancel" }).press("Enter");

  // A refusal has the server's text.
  const another = `Two files ${randomUUID()}`;
  await form(page)
    .getByLabel("Files")
    .setInputFiles([xlsx, { ...pdf, buffer: Buffer.from("<html>no pdf</html>") }]);
  await form(page).getByLabel("Module").selectOption("module-1");
  await form(page).getByLabel("Title").fill(another);
  await form(page).getByLabel("Required plan").selectOption("basic");
  await form(page).getByRole("button", { name: "Upload" }).press("Enter");
  await expect(page.getByText("Upload Failed", { exact: true })).toBeVisible();
  await expect(page.getByText("“Route plan.pdf” is not a PDF file, whatever its name says.").first()).toBeVisible();
  await expect(form(page).getByLabel("Title")).toHaveValue(another);
  await form(page).getByRole("button", { name: "Remove Route plan.pdf" }).click();
  await form(page).getByRole("button", { name: "Upload" }).press("Enter");
  await expect(row(page, another)).toBeVisible();

  await form(page).getByLabel("Title").fill("To be chosen");
  await page.reload();
  await expect(form(page).getByLabel("Title")).toHaveValue("To be chosen");

  await page.route("**/api/resources/*", (route) => route.fulfill({ status: 503 }));
  await choose(row(page, "Buy sheet"), "Edit");
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await expect(page.getByText("Update Failed", { exact: true })).toBeVisible();
  await expect(page.getByText("Failed to update resource", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
  await choose(row(page, "Buy sheet"), "Delete");
  const deletion = page.getByRole("dialog");
  await deletion.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Delete Failed", { exact: true })).toBeVisible();
  await expect(page.getByText("Could not delete resource.", { exact: true })).toBeVisible();
  await deletion.getByRole("button", { name: "Cancel" }).press("Enter");
  await page.route("**/api/resources", (route) => route.fulfill({ json: [] }));
  await page.route("**/api/upload-resource", (route) => route.fulfill({ status: 503 }));
  await form(page).getByLabel("Files").setInputFiles([pdf]);
  await form(page).getByLabel("Module").selectOption("module-1");
  await form(page).getByLabel("Title").fill("Of which no answer came");
  await form(page).getByLabel("Required plan").selectOption("basic");
  await form(page).getByRole("button", { name: "Upload" }).press("Enter");
  await expect(page.getByText("Upload Failed", { exact: true })).toBeVisible();
  await expect(page.getByText("No resources uploaded yet")).toBeVisible();
});

test("visitors learn where downloads come from, students what unlocks them, and a failed list says so", async ({
  page,
  academy,
}) => {
  const complaints = watchConsole(page);
  await page.goto("/demo-dashboard?tab=resources");
  await expect(page.getByText("Every plan includes sheets, checklists and logs to download.")).toBeVisible();
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const title = `<b>Bold</b> & co ${randomUUID()}`;
  await upload(admin, [{ name: "a.zip", content: samples.zip }], { title, moduleId: "module-2" });
  await signInAs(page, "basic@academy.test", "/dashboard?tab=resources");
  await expect(page.getByText(title)).toBeVisible();
  await expect(page.getByRole("list", { name: "Resources of From One Find to a Buying List" })).toContainText(
    "Opens with Annual Access",
  );
  await page.getByRole("button", { name: "Download Buying list, locked" }).click();
  await expect(page.getByText("Access Denied", { exact: true })).toBeVisible();
  await expect(page.getByText("This resource requires premium tier access.").first()).toBeVisible();

  await page.goto("/dashboard?lesson=lesson-3-1");
  const ofLesson = page.getByRole("list", { name: "Resources of this lesson" });
  await expect(ofLesson.getByRole("listitem")).toHaveText([/Prep checklist/]);
  await expectAccessible(page);
  complaints.expectEmpty();

  await page.route("**/api/resources", (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto("/dashboard?tab=resources");
  await expect(page.getByText("Failed to fetch resources")).toBeVisible();
  await page.unroute("**/api/resources");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Buy sheet", { exact: true })).toBeVisible();
});
