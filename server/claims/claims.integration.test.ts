import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import {
  type Claim,
  exemptClaim,
  listClaims,
  recordClaim,
  removeClaimRecord,
  restoreClaims,
  withdrawClaims,
} from "#contract/admin/claims.ts";
import { draftOffer, getContent, publishContent } from "#contract/admin/content.ts";
import { listPlans } from "#contract/catalogue.ts";
import { getOffer } from "#contract/offer.ts";
import { getClaims } from "#contract/page-facts.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { publish } from "#test/drafts.ts";
import { academyOfFile, forFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { listSampleEmails } from "#test/sample-emails.ts";
import { until } from "#test/until.ts";

// The tests follow one another: one academy on two nodes, from its first day until a timed offer of it is over.

const { academy: first, administrator: admin, test } = await academyOfFile();
const second = await forFile(openAcademyInProcess({}, first.database));

const claims = async () => (await admin.call(listClaims)).body.claims;
const claim = async (id: string): Promise<Claim> => {
  const found = (await claims()).find((one) => one.id === id);
  if (!found) throw new Error(`there is no claim ${id}`);
  return found;
};

const pages = ["/", "/contact", "/sitemap", "/signup", "/privacy-policy", "/terms-of-service", "/demo-dashboard"];
const shells = [
  ...["/dashboard", "/course-access", "/checkout", "/authorize-checkout", "/payment-test", "/payment-method"],
  ...["/profile", "/membership", "/coaching", "/coach", "/nowhere"],
];
const answers = [
  ...["/api/course-pricing", "/api/offer", "/api/claims", "/api/catalogue", "/api/openapi.json"],
  ...["/sitemap.xml", "/robots.txt", "/site.webmanifest", "/social.png"],
];

/** Reads a script or style sheet, and what it names. Both nodes send the same, because a name has the content's hash. */
const assetTexts = new Map<string, string>();

async function readAsset(node: RunningAcademy, path: string): Promise<void> {
  if (assetTexts.has(path)) return;
  const response = await fetch(node.url + path);
  const body = await response.text();
  assetTexts.set(path, response.ok ? body : "");
  if (!response.ok) return;
  for (const [name] of body.matchAll(/[\w-][\w.-]*\.js(?=["'`])/g)) await readAsset(node, `/assets/${name}`);
}

/** All that a visitor, or somebody with a session's cookie, is sent by a node, by what was asked for, besides assets. */
async function servedBy(node: RunningAcademy): Promise<Map<string, string>> {
  const served = new Map<string, string>();
  const cookie = `academy-${new URL(node.url).port}=x`;
  for (const path of [...pages, ...shells, ...answers]) {
    for (const headers of [{}, { cookie }]) {
      const response = await fetch(node.url + path, { headers });
      served.set(`${path} ${"cookie" in headers ? "with a session" : ""}`, await response.text());
    }
  }
  for (const text of served.values()) {
    for (const [asset] of text.matchAll(/\/assets\/[\w.-]+\.(?:js|css)/g)) await readAsset(node, asset);
  }
  return served;
}

/** Pieces of each claim that stand nowhere else, in what is sent while it stands. */
const pieces: Readonly<Record<string, readonly string[]>> = {
  students: ["500+", "students enrolled"],
  rating: ["4.9/5", "average student rating"],
  "program-days": ["30-day", "program, at your own pace"],
  instructor: ["Dana", "Whitlock", "seasonal aisle of a big-box store", "A bargain is only a low price"],
  "testimonial-1": ["Priya N.", "most of it goes back on the shelf"],
  "testimonial-2": ["Gordon T.", "saved my first box"],
  "testimonial-3": ["Aleksandra W.", "no yelling about sports cars"],
  "live-coaching-since": ["Available 9/25", "held since September 2025"],
  "one-on-one-since": ["Available 10/25", "since October 2025"],
  "tool-price": ["29.95"],
  "community-members": ["2.1k", "2,100+"],
  "offer-discount": ["50% off"],
  countdown: ["price is on the tag for", "23:59:47", 'startSeconds":86387', "[0,86387]"],
  "was-price:basic_monthly": ["$98", '"originalPrice":98', "[0,98]"],
  "was-price:premium_annual": ["$794", '"originalPrice":794', "[0,794]"],
  "was-price:vip_lifetime": ["$2994", '"originalPrice":2994', "[0,2994]"],
  "badge:premium": ["Save 30%"],
  "most-popular:premium_annual": ["Most Popular"],
};

function standing(served: ReadonlyMap<string, string>, ids: readonly string[]): string[] {
  return [...served].flatMap(([what, text]) =>
    ids.flatMap((id) =>
      (pieces[id] ?? [id]).filter((piece) => text.includes(piece)).map((piece) => `${what}: ${piece}`),
    ),
  );
}

test("every claim is listed, and our data prove one of them", async () => {
  const all = await claims();
  expect(all.map(({ id }) => id).sort()).toEqual(Object.keys(pieces).sort());
  for (const { id, state, withdrawnAt, finding } of all) {
    expect(withdrawnAt).toBeNull();
    expect(finding).toMatch(/\.$/);
    if (id === "badge:premium") expect(state).toBe("true");
    else if (!id.startsWith("most-popular")) expect(state, id).toBe("unproved");
  }
});

test("a record proves the words of its day until it is deleted, and the audit log keeps both", async () => {
  const proof = { note: "Sums on file", link: "https://records.example/1", date: "2026-11-20" };
  const evidence = { claimId: "badge:premium", ...proof };
  expect((await admin.call(recordClaim, { body: { ...evidence, claimId: "rating" } })).status).toBe(200);
  const { state, records } = await claim("rating");
  expect(state).toBe("proved");
  expect(records).toMatchObject([{ note: "Sums on file", recordedBy: "admin@academy.test", isCurrent: true }]);

  const read = await claim("badge:premium");
  const offer = (await admin.call(getContent)).body.offer.published;
  await admin.call(draftOffer, { body: { ...offer, badges: { premium: "Best value" } } });
  await publish(admin);
  expect((await claim("badge:premium")).state).toBe("unproved");
  expect(await admin.call(recordClaim, { query: { version: read.version }, body: evidence })).toMatchObject({
    status: 409,
    body: { message: "The claim's text changed after you opened it. Review it and try again." },
  });
  const { version } = await claim("badge:premium");
  expect((await admin.call(recordClaim, { query: { version }, body: evidence })).status).toBe(200);
  expect((await claim("badge:premium")).state).toBe("proved");
  await admin.call(draftOffer, { body: offer });
  await publish(admin);
  expect(await claim("badge:premium")).toMatchObject({ state: "true", records: [{ isCurrent: false }] });

  const [id = ""] = records.map((record) => record.id);
  expect((await admin.call(removeClaimRecord, { params: { id } })).status).toBe(200);
  expect((await admin.call(removeClaimRecord, { params: { id } })).status).toBe(404);
  expect((await claim("rating")).state).toBe("unproved");
  const log = (await admin.call(listAudit)).body.rows;
  expect(log.filter(({ subject }) => subject === "rating").map(({ action }) => action)).toEqual([
    "delete proof of claim",
    "add proof of claim",
  ]);
});

test("a claim that is not about people, prices or results needs no proof while its words stay", async () => {
  const { version } = await claim("program-days");
  const body = { claimId: "program-days" };
  expect((await admin.call(exemptClaim, { query: { version: "of other words" }, body })).status).toBe(409);
  expect((await admin.call(exemptClaim, { query: { version }, body })).status).toBe(200);
  const { state, records } = await claim("program-days");
  expect(state).toBe("exempt");
  expect(records).toMatchObject([{ isExemption: true, recordedBy: "admin@academy.test", isCurrent: true }]);
  const aboutPeople = ["students", "rating", "community-members", "instructor", "testimonial-1"];
  for (const claimId of [...aboutPeople, "tool-price", "was-price:basic_monthly"]) {
    const { version, canBeExempt } = await claim(claimId);
    expect(canBeExempt).toBe(false);
    expect((await admin.call(exemptClaim, { query: { version }, body: { claimId } })).status).toBe(409);
  }
  const [id = ""] = records.map((record) => record.id);
  expect((await admin.call(removeClaimRecord, { params: { id } })).status).toBe(200);
  expect((await claim("program-days")).state).toBe("unproved");
  const log = (await admin.call(listAudit)).body.rows.filter(({ subjectKind }) => subjectKind === "claim");
  expect(log.slice(0, 2)).toMatchObject([
    { action: "unmark claim", subjectName: "“30-day program, at your own pace”" },
    { action: "mark claim", subjectName: "“30-day program, at your own pace”" },
  ]);
});

test("a mark of a claim that needs proof by now no longer counts, and can be removed", async () => {
  const { text } = await claim("tool-price");
  await first.pool.query(
    `insert into claim_records (id, claim_id, claim_text, note, date, is_exemption, recorded_by, recorded_at)
    values ('earliermark', 'tool-price', $1, 'Marked', '2026-11-20', true, 'somebody', now())`,
    [text],
  );
  expect(await claim("tool-price")).toMatchObject({ state: "unproved", records: [{ isCurrent: false }] });
  expect((await admin.call(removeClaimRecord, { params: { id: "earliermark" } })).status).toBe(200);
});

test("invalid evidence is refused with its field", async () => {
  const good = { claimId: "rating", note: "Reviews on file", link: "", date: "2026-11-20" };
  const wrong = [
    { note: "" },
    { note: "x".repeat(2001) },
    { link: "javascript:alert(1)" },
    { link: "not an address" },
    { date: "2026-02-30" },
    { date: "yesterday" },
    { claimId: "'; drop table plans; --" },
  ];
  for (const change of wrong) {
    const answer = await admin.call(recordClaim, { body: { ...good, ...change } });
    expect(answer, JSON.stringify(change)).toMatchObject({ status: 400, body: { code: "invalid-input" } });
    expect(Object.keys(answer.body.errors ?? {})).toEqual(Object.keys(change));
  }
  expect((await admin.call(recordClaim, { body: { ...good, claimId: "none" } })).status).toBe(404);
  expect((await claim("rating")).records).toEqual([]);
});

test("withdrawing removes unproved claims from what both nodes send, and the undo restores every byte", async () => {
  const nodes = [first, second];
  const before = await Promise.all(nodes.map(servedBy));
  const [sentBefore = new Map<string, string>()] = before;
  expect(sentBefore.size).toBeGreaterThan(30);
  for (const id of Object.keys(pieces)) expect(standing(sentBefore, [id]), id).not.toEqual([]);
  const unproved = (await claims()).filter(({ state }) => state === "unproved").map(({ id }) => id);
  const pressed = await admin.call(withdrawClaims, { body: {} });
  expect([...pressed.body.moved].sort()).toEqual([...unproved].sort());
  expect(pressed.body.unproved).toBe(0);

  // The other node first: nothing was asked of it since.
  for (const node of [second, first]) {
    const served = await servedBy(node);
    expect(standing(served, unproved)).toEqual([]);
    const landing = served.get("/ ") ?? "";
    expect(landing).toContain("Save 30%");
    expect(landing).not.toMatch(/#instructor|#testimonials|id="instructor"|id="testimonials"/);
    const [, json = ""] = /<script type="application\/ld\+json">([^<]*)</.exec(landing) ?? [];
    expect(JSON.parse(json)["@graph"]).toHaveLength(4);
    const plans = (await node.visitor().call(listPlans)).body;
    expect(plans.map(({ originalPrice }) => originalPrice)).toEqual([null, null, null]);
    const offer = (await node.visitor().call(getOffer)).body;
    expect(offer).toMatchObject({ enabled: true, headline: null, countdown: null });
  }
  expect(assetTexts.size).toBeGreaterThan(10);
  expect(standing(assetTexts, unproved)).toEqual([]);
  const student = await first.buyer("premium");
  const mails = await until(async () => {
    // Either node sends what waits, each to a mailbox of its own.
    const own = [...(await first.mails()), ...(await second.mails())].filter(({ to }) => to.includes(student.email));
    return own.length > 0 && own;
  });
  const sent = new Map(mails.map(({ subject, text, html }) => [subject, `${subject} ${text} ${html}`]));
  expect(standing(sent, unproved)).toEqual([]);
  // Of all kinds; the coach of a session is a person and no claim.
  const samples = listSampleEmails(first.url).map(({ subject, text, html }) => [subject, `${subject} ${text} ${html}`]);
  const others = unproved.filter((id) => id !== "instructor");
  expect(standing(new Map(samples as [string, string][]), others)).toEqual([]);

  const [entry] = (await admin.call(listAudit)).body.rows;
  expect(entry).toMatchObject({ action: "withdraw claims", after: { claims: expect.anything() } });
  expect(JSON.stringify(entry?.after)).toContain("500+ students enrolled");
  for (const id of unproved) expect(JSON.stringify(entry?.after)).not.toContain(`"${id}"`);

  expect((await admin.call(withdrawClaims, { body: {} })).body.moved).toEqual([]);
  const undone = await admin.call(restoreClaims, { body: { only: pressed.body.moved } });
  expect([...undone.body.moved].sort()).toEqual([...unproved].sort());
  const after = await Promise.all(nodes.map(servedBy));
  expect(after).toEqual(before);
});

test("single claims are withdrawn and restored without the others", async () => {
  await admin.call(withdrawClaims, { body: { only: ["testimonial-2", "was-price:basic_monthly"] } });
  const page = await (await fetch(`${second.url}/`)).text();
  expect(page).toContain("Priya N.");
  expect(page).not.toContain("Gordon T.");
  expect(page).toContain("$794");
  expect(page).not.toContain("$98<");
  expect(await (await fetch(`${second.url}/sitemap`)).text()).toContain("Two reviews");
  expect((await second.visitor().call(getClaims)).body.withdrawn).toEqual(["testimonial-2", "was-price:basic_monthly"]);
  expect((await admin.call(withdrawClaims, { body: { only: ["testimonial-2", "none"] } })).status).toBe(404);
  await admin.call(restoreClaims, { body: { only: ["testimonial-2", "was-price:basic_monthly"] } });
  expect((await second.visitor().call(getClaims)).body.withdrawn).toEqual([]);
});

test("a timed offer ends: the struck-out price is shown, quoted and charged, and nothing else is", async () => {
  const buyer = await first.visitor().signUp();
  const late = await first.visitor().signUp();
  const offer = (await admin.call(getContent)).body.offer.published;
  const endsAt = new Date((await first.now()) + 2 * 86_400_000).toISOString();
  if (!offer) throw new Error("there is no offer");
  await admin.call(draftOffer, { body: { ...offer, countdown: { kind: "until", endsAt } } });
  await publish(admin);
  expect(await claim("countdown")).toMatchObject({ state: "true" });

  const cheap = await late.paymentFor("premium");
  expect(cheap.amount).toBe(397);
  const early = await buyer.buy("premium");
  expect(early.body).toMatchObject({ success: true });

  await leaveOnlyJobs(first, "end-offer");
  await first.advance("3d");
  const shown = (await first.visitor().call(listPlans)).body;
  expect(shown.map(({ price, originalPrice }) => [price, originalPrice])).toEqual([
    [98, null],
    [794, null],
    [2994, null],
  ]);
  expect((await first.visitor().call(getOffer)).body.enabled).toBe(false);
  const page = await (await fetch(`${first.url}/`)).text();
  expect(page).toContain("$794");
  expect(page).not.toMatch(/\$397|Original price|50% off every plan|"397\.00"/);
  expect(page).toContain('"price":"794.00"');

  const refused = await late.call(acceptPayment, { body: cheap });
  expect(refused).toMatchObject({ status: 409, body: { code: "amount-mismatch" } });
  expect(await late.purchases()).toEqual([]);
  const paid = await late.buy("premium");
  expect(paid.body).toMatchObject({ success: true });
  expect(await late.purchases()).toMatchObject([{ amount: "794.00", status: "completed" }]);

  await admin.signInAgain();
  // What administrators edit says so too, and the raised prices count as prices that were charged.
  const content = (await admin.call(getContent)).body;
  expect(content.offer.published?.enabled).toBe(false);
  expect(content.plans.map(({ published }) => published?.price)).toEqual([98, 794, 2994]);
  expect((await claims()).some(({ id }) => id === "countdown")).toBe(false);
  const again = { ...offer, countdown: { kind: "until" as const, endsAt } };
  await admin.call(draftOffer, { body: again });
  expect((await admin.call(publishContent, { body: {} })).status).toBe(409);
});
