import { expect, test } from "vitest";
import type { Certificate } from "#contract/certificates.ts";
import { textsOfPdf } from "#test/pdf-text.ts";
import { writeCertificatePdf } from "./certificate-pdf.ts";

test("the widest code is on one line", async () => {
  const code = "W".repeat(16);
  const certificate: Certificate = {
    code,
    state: "valid",
    name: "Ada Lovelace",
    pastNames: [],
    academyName: "Academy",
    timeZone: "UTC",
    issuedAt: "2026-11-30T00:00:00.000Z",
    withdrawnAt: null,
    modules: [{ position: 1, title: "Bread", lessons: 5 }],
    lessons: 5,
    checks: 1,
    secondsWatched: 3600,
    catalogueVersion: 1,
    url: `https://academy.test/verify/${code}`,
    pdfUrl: "/pdf",
    pictureUrl: "/picture",
  };
  const pdf = await writeCertificatePdf(certificate, { tag: { ground: "#ffd000", ink: "#000000" }, logo: null });
  expect(textsOfPdf(pdf).split("\n")).toContain("WWWW-WWWW-WWWW-WWWW");
});
