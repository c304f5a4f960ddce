import { expect, test } from "vitest";
import { findMailRecords, isReserved, missingRecords } from "./mail-records.ts";

/** A DNS of these texts; `ENODATA` where only names below exist. */
const dnsOf = (texts: Record<string, string[] | string>) => async (name: string) => {
  const found = texts[name] ?? "ENOTFOUND";
  if (typeof found === "string") throw Object.assign(new Error(found), { code: found });
  return found.map((text) => [text.slice(0, 9), text.slice(9)]);
};

test("mail records are found, also split ones and those of the parent domain", async () => {
  const dns = dnsOf({
    "mail.bakery.shop": ["google-site-verification=1", "v=spf1 include:spf.mailer.shop ~all"],
    "_domainkey.mail.bakery.shop": "ENODATA",
    "_dmarc.bakery.shop": ["v=DMARC1; p=quarantine"],
  });
  const records = await findMailRecords("mail.bakery.shop", dns);
  expect(records).toEqual({ spf: true, dkim: true, dmarc: true });
  expect(missingRecords("mail.bakery.shop", records)).toEqual([]);
});

test("each missing record has its advice", async () => {
  const records = await findMailRecords("bakery.shop", dnsOf({ "bakery.shop": "ENODATA" }));
  expect(records).toEqual({ spf: false, dkim: false, dmarc: false });
  expect(missingRecords("bakery.shop", records).map((sentence) => sentence.split(":")[0])).toEqual([
    "SPF",
    "DKIM",
    "DMARC",
  ]);
});

test.each(["ECONNREFUSED", "ETIMEOUT", "ECANCELLED", "ENOTFOUND"])(
  "without a network nothing is known, nothing is advised, and nothing fails (%s)",
  async (code) => {
    const silent = async () => Promise.reject(Object.assign(new Error(code), { code }));
    const records = await findMailRecords("bakery.shop", silent);
    expect(records).toEqual({ spf: null, dkim: null, dmarc: null });
    expect(missingRecords("bakery.shop", records)).toEqual([]);
  },
);

test("reserved domains are not looked up", () => {
  expect(["academy.test", "mail.example.com", "localhost"].every(isReserved)).toBe(true);
  expect(["bakery.shop", "example.shop", "contest.com"].some(isReserved)).toBe(false);
});
