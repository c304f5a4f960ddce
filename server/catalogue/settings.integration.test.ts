import { expect } from "vitest";
import type { AcademySettings } from "#contract/academy.ts";
import { listAudit } from "#contract/admin/audit.ts";
import { getConfigured, getContent } from "#contract/admin/content.ts";
import { previewRefund } from "#contract/admin/purchases.ts";
import { sendContactMessage } from "#contract/contact.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { changeSettings, publish } from "#test/drafts.ts";
import { academyOfFile, forFile } from "#test/fixtures.ts";
import { until } from "#test/until.ts";

// The tests follow one another: one academy on two nodes, which an administrator gives a name and a seller.

const { academy: first, administrator: admin, test } = await academyOfFile({ SUPPORT_EMAIL: "help@academy.test" });
const second = await forFile(openAcademyInProcess({ SUPPORT_EMAIL: "help@academy.test" }, first.database));

const publicPages = ["/", "/contact", "/sitemap", "/signup", "/privacy-policy", "/terms-of-service", "/demo-dashboard"];
const otherPages = [
  "/dashboard",
  "/checkout",
  "/admin",
  "/nowhere",
  "/issuer/reset-password/ask",
  "/issuer/create-account",
  "/site.webmanifest",
  "/api/openapi.json",
];

async function textOf(node: RunningAcademy, path: string): Promise<string> {
  return (await fetch(node.url + path)).text();
}

const bakery = {
  name: "Salt & Sugar <Bakery>",
  supportEmail: "oven@bakery.example",
  senderName: 'The "Bakers"',
  phone: "+44 20 7946 0000",
  officeHours: "Tue-Sat",
  businessHours: ["Tue-Sat: 7-3 GMT"],
  sellerName: "Sugar Ltd.",
  sellerAddress: "1 Mill Lane\nYork YO1 1AA",
  refundDays: 14,
  taxLine: "VAT GB 123 4567 89, 20% VAT included",
  communities: [{ label: "The crumb", detail: "A forum of bakers.", url: "https://crumb.example/join" }],
  externalSites: [],
  chat: { title: "Knead with us", sentence: "Ask.", action: "Join", url: "https://chat.example/oven", channels: [] },
};

test("settings are what is built in and what the server is configured with, until some are published", async () => {
  expect((await admin.call(getConfigured)).body).toEqual({ supportEmail: "help@academy.test", senderName: null });
  const { published } = (await admin.call(getContent)).body.settings;
  expect(published).toMatchObject({ name: "Academy", supportEmail: null, sellerAddress: null });
  expect(await textOf(first, "/contact")).toContain("mailto:help@academy.test");
});

test.each<[Partial<AcademySettings>, string, string]>([
  [{ name: " " }, "name", "Required"],
  [{ name: "x".repeat(61) }, "name", "Use 60 characters or fewer"],
  [{ supportEmail: "oven" }, "supportEmail", "Invalid email"],
  [{ phone: "call me" }, "phone", "Enter a phone number"],
  [{ taxLine: "" }, "taxLine", "Required"],
  [{ refundDays: 0 }, "refundDays", "Enter 1 or more"],
  [{ timeZone: "Mars/Olympus" }, "timeZone", "Choose a time zone"],
  [
    { communities: [{ label: "Oven", detail: "Hot", url: "javascript:alert(1)" }] },
    "communities.0.url",
    "Enter an address such as https://example.com",
  ],
])("settings that nobody could use are refused with their field (%o)", async (changes, field, sentence) => {
  const { status, body } = await changeSettings(admin, changes);
  expect(status).toBe(400);
  expect(body.errors).toEqual({ [field]: [sentence] });
});

let boughtBefore: string;

/** Days from the payment until the policy ends. */
async function refundDaysOf(purchaseId: string): Promise<number> {
  const { body } = await admin.call(previewRefund, { params: { purchaseId } });
  return (Date.parse(body.policyUntil ?? "") - Date.parse(body.charges[0]?.paidAt ?? "")) / 86_400_000;
}

test("a draft shows nowhere; once published, every page of every node shows it and nothing older", async () => {
  boughtBefore = (await first.purchase("premium")).purchaseId;
  expect((await changeSettings(admin, bakery)).status).toBe(200);
  for (const path of publicPages) expect((await textOf(first, path)).includes("Bakery"), path).toBe(false);
  await publish(admin);

  const name = "Salt &amp; Sugar &lt;Bakery&gt;";
  for (const node of [first, second]) {
    const leftOver: string[] = [];
    // The first node only has to learn of the publication.
    for (const path of node === second ? [...publicPages, ...otherPages] : ["/", "/dashboard"]) {
      const text = await textOf(node, path);
      if (!/Salt (&|&amp;) Sugar/.test(text)) leftOver.push(`${path} without the name`);
      const [old] = /.{20}(\bAcademy\b|help@academy\.test).{20}/.exec(text) ?? [];
      if (old) leftOver.push(`${path}: ${old}`);
      const [, said] = /<script type="application\/json" id="academy">(.*?)<\/script>/s.exec(text) ?? [];
      if (said && (JSON.parse(said) as AcademySettings).name !== bakery.name) leftOver.push(`${path}: ${said}`);
    }
    expect(leftOver).toEqual([]);
    const landing = await textOf(node, "/");
    expect(landing.includes(`<title>${name} | `)).toBe(true);
    const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(landing) ?? [];
    const graph = (JSON.parse(data) as { "@graph": object[] })["@graph"];
    expect(graph[0]).toMatchObject({ name: bakery.name, email: bakery.supportEmail, telephone: bakery.phone });
    expect(landing).toContain("Refund within 14 days of a first purchase.");
    expect(landing).not.toContain("7 days");
    // The built-in picture of links has the name of before written on it.
    expect(landing).toMatch(/<meta property="og:image" content="[^"]+\/look\/social-[0-9a-f]{16}\.png">/);
    const contact = await textOf(node, "/contact");
    for (const part of [
      "within 14 days of your first",
      "tel:+442079460000",
      "mailto:oven@bakery.example",
      "Tue-Sat",
      "7-3 GMT",
    ]) {
      expect(contact.includes(part), part).toBe(true);
    }
    for (const path of ["/contact", "/sitemap"]) {
      const page = await textOf(node, path);
      expect(page, path).toContain('href="https://crumb.example/join"');
      expect(page, path).not.toMatch(/academy\.test\/students|Seller Central/);
    }
    expect(JSON.parse(await textOf(node, "/api/communities"))).toMatchObject({ chat: bakery.chat, externalSites: [] });
    // How many meet in a chat was claimed of the one before.
    expect(JSON.parse(await textOf(node, "/api/claims")).community).toBeNull();
    expect(await textOf(node, "/.well-known/security.txt")).toContain("mailto:oven@bakery.example");
  }
});

test("mails carry the name, the seller, the address and the tax line", async () => {
  const { student } = await first.purchase("premium");
  const message = { name: "N", email: student.email, message: "Is there bread?", elapsed: 60_000 };
  await student.call(sendContactMessage, { body: message });
  // Either node sends what waits, to the mailbox of its own sandbox.
  const mailsTo = async (to: string, subject: string) =>
    [...(await first.mails()), ...(await second.mails())].filter(
      (mail) => mail.to === to && mail.subject.includes(subject),
    );
  const bought = await until(async () => (await mailsTo(student.email, "Annual Access is ready"))[0]);
  for (const part of [
    bakery.name,
    "Sugar Ltd.\n1 Mill Lane\nYork YO1 1AA",
    bakery.taxLine,
    "within 14 days",
    "oven@bakery.example",
  ]) {
    expect(bought.text).toContain(part);
  }
  expect(bought.html).toContain("Salt &amp; Sugar &lt;Bakery&gt;");
  expect(bought.html).toContain("Sugar Ltd.<br>1 Mill Lane<br>York YO1 1AA");
  expect(bought.from).toContain("help@academy.test");
  await until(async () => (await mailsTo("oven@bakery.example", "contact form"))[0]);

  const account = "premium@academy.test";
  await fetch(`${first.url}/issuer/reset-password/ask`, {
    method: "POST",
    headers: { origin: first.url },
    body: new URLSearchParams({ email: account }),
  });
  const reset = await until(async () => (await mailsTo(account, "Choose a new password"))[0]);
  expect(reset.html).toContain("Salt &amp; Sugar &lt;Bakery&gt;");
  for (const { text, html } of [bought, reset]) expect(text + html).not.toMatch(/\bacademy\b(?!\.test)/i);
});

test("a purchase is refunded as long as was promised when it was made", async () => {
  expect(await refundDaysOf(boughtBefore)).toBeCloseTo(7, 3);
  expect(await refundDaysOf((await first.purchase("premium")).purchaseId)).toBeCloseTo(14, 3);
});

test("what is emptied is what the server is configured with again, and the audit log has every change", async () => {
  await changeSettings(admin, { supportEmail: null, senderName: null, phone: null, businessHours: [] });
  await publish(admin);
  const contact = await textOf(second, "/contact");
  expect(contact.includes("mailto:help@academy.test")).toBe(true);
  for (const gone of ["tel:", "Business hours"]) expect(contact.includes(gone), gone).toBe(false);
  const log = (await admin.call(listAudit, { query: { subject: "settings" } })).body.rows;
  expect(log.map(({ action, subjectKind }) => [action, subjectKind])).toEqual([
    ["publish settings", "settings"],
    ["draft settings", "settings"],
    ["publish settings", "settings"],
    ["draft settings", "settings"],
  ]);
  expect(log[0]).toMatchObject({ before: { phone: bakery.phone }, after: { phone: null } });
});
