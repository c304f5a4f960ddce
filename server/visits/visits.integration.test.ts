import { expect } from "vitest";
import { getFunnel } from "#contract/admin/figures.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { until } from "#test/until.ts";

const { academy, test } = await academyOfFile();

const browser = {
  "user-agent": "Mozilla/5.0 (X11; Linux x64; rv:150.0) Gecko/20100101 Firefox/150.0",
  "sec-fetch-dest": "document",
};

async function counted(): Promise<Record<string, number>> {
  const { rows } = await academy.pool.query<{ step: string; visits: number }>(
    "select step, sum(visits)::int as visits from visit_counts group by 1",
  );
  return Object.fromEntries(rows.map(({ step, visits }) => [step, visits]));
}

async function signInOnTheWay(email: string): Promise<void> {
  const path = loginUrl("/checkout?tier=vip");
  const landed = await academy.visitor().typePassword("academy-demo", { email, path });
  expect(landed.url.pathname).toBe("/checkout");
}

test("visits are counted by day without a person, and only without a session", async () => {
  const visitor = academy.visitor();
  const open = async (path: string, headers: Record<string, string> = browser) => {
    const response = await visitor.send("GET", path, undefined, headers);
    await response.arrayBuffer();
    expect(response.headers.getSetCookie(), "counting sets no cookie").toEqual([]);
    return response;
  };
  const { headers } = await open("/");
  const again = await open("/", { ...browser, "if-none-match": headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
  await open("/signup?tier=vip");
  await open("/contact");
  await open("/", { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  await open("/", { ...browser, "sec-purpose": "prefetch" });
  await visitor.signInAsDemo("admin@academy.test");
  await visitor.send("GET", "/", undefined, browser);
  await visitor.send("GET", "/checkout?tier=vip", undefined, browser);
  await signInOnTheWay("admin@academy.test");
  await signInOnTheWay("basic@academy.test");

  await until(async () => (await counted())["sign-in"]);
  expect(await counted()).toEqual({ landing: 2, plan: 1, "sign-in": 1 });
  const { total, countedFrom } = (await visitor.call(getFunnel)).body;
  expect(total).toMatchObject({ landing: 2, plan: 1 });
  expect(countedFrom).toBe(new Date(await academy.now()).toISOString().slice(0, 10));
});

test("a node writes its counts when it stops, adding to the others", async () => {
  const before = await counted();
  await academy.visitor().send("GET", "/", undefined, browser);
  await academy.visitor().send("GET", "/checkout?tier=basic", undefined, browser);
  await academy.stop();
  expect(await counted()).toEqual({
    ...before,
    landing: (before.landing ?? 0) + 1,
    plan: (before.plan ?? 0) + 1,
  });
  await academy.start();
});
