import { create as attachment } from "content-disposition";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { href } from "#contract/addresses.ts";
import { paletteOf } from "#contract/branding.ts";
import {
  correctCertificateName,
  getCertificate,
  getCertificatePdf,
  getCertificatePicture,
  getOwnCertificate,
  issueCertificate,
  modulesInWords,
} from "#contract/certificates.ts";
import { MINUTE } from "#server/base/clock.ts";
import { Refusal, statusOf } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { countUse } from "#server/db/rate-limits.ts";
import { clientOf } from "#server/http/client.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { findPicture } from "#server/settings/pictures.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { drawSocialImage } from "#server/settings/social-image.ts";
import { certificateOf, correctName, describeOwn, issue, unknownCode, validCertificateOf } from "./certificates.ts";
import { readCode } from "./codes.ts";
import { sendCertificatePage, sendCodeForm } from "./page.ts";

/** Allowed also while the account is on hold or suspended, but for a new certificate. */
export function ownCertificateRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getOwnCertificate, ({ request }) => describeOwn(ctx, studentOf(request)));
  serve(scope, issueCertificate, ({ request, body }) => issue(ctx, studentOf(request), body.name));
  serve(scope, correctCertificateName, ({ request, body }) => correctName(ctx, studentOf(request), body.name));
}

const lookUps = { max: 30, window: MINUTE, message: "You’ve looked up many certificates. Please wait a minute." };

/** For everybody who has a code. */
export function certificateRoutes(scope: FastifyInstance, ctx: Context, stylesheet: string): void {
  const count = (request: FastifyRequest, what = "certificate") =>
    countUse(ctx.db, `${what} ${clientOf(request).key}`, lookUps, ctx.clock.now());

  serve(scope, getCertificate, async ({ request, params }) => {
    await count(request);
    return certificateOf(ctx, params.code);
  });

  serve(scope, getCertificatePdf, async ({ request, params, reply }) => {
    await count(request, "certificate-file");
    const certificate = await validCertificateOf(ctx, params.code);
    const name = attachment(`certificate-${certificate.code}.pdf`);
    reply.type("application/pdf").headers({ "content-disposition": name, "x-robots-tag": "noindex" });
    // Loaded with the first certificate, as receipts are.
    const { writeCertificatePdf } = await import("./certificate-pdf.ts");
    const { colors, logo } = await describeAcademy(ctx);
    return writeCertificatePdf(certificate, { tag: paletteOf(colors).light.tag, logo: await pictureOf(logo) });
  });

  serve(scope, getCertificatePicture, async ({ request, params, reply }) => {
    await count(request, "certificate-file");
    const { name, academyName, modules } = await validCertificateOf(ctx, params.code);
    const { colors, logo } = await describeAcademy(ctx);
    // Other sites may show it.
    reply.type("image/png").headers({ "cross-origin-resource-policy": "cross-origin", "x-robots-tag": "noindex" });
    const done = `Completed ${modulesInWords(modules)} of ${academyName}`;
    const image = { heading: "Certificate", name, colors, logo: logo?.id ?? null };
    return drawSocialImage(image, await pictureOf(logo), done);
  });

  async function pictureOf(logo: { readonly id: string } | null): Promise<Buffer | null> {
    return logo && findPicture(ctx.db, logo.id);
  }

  scope.get<{ Querystring: { code?: string | string[] } }>(
    href.verify(),
    { schema: { hide: true } },
    async (request, reply) => {
      const typed = String(request.query.code ?? "");
      const code = readCode(typed);
      if (code) return reply.redirect(href.verify(code), 303);
      const page = typed.trim()
        ? { status: 404, title: "No such certificate", lead: unknownCode, wrong: typed }
        : { status: 200, title: "Verify a certificate", lead: "Enter the code that is on the certificate." };
      return sendCodeForm(ctx, reply, page, stylesheet);
    },
  );

  scope.get<{ Params: { code: string } }>("/verify/:code", { schema: { hide: true } }, async (request, reply) => {
    try {
      await count(request);
      return await sendCertificatePage(ctx, reply, await certificateOf(ctx, request.params.code), stylesheet);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, retryAfterSeconds } = error;
      if (retryAfterSeconds) reply.header("retry-after", retryAfterSeconds);
      const wrong = code === "not-found" ? request.params.code : undefined;
      const page = { status: statusOf[code], title: titles[code] ?? "Please wait", lead: message, wrong };
      return sendCodeForm(ctx, reply, page, stylesheet);
    }
  });
}

const titles: Partial<Record<Refusal["code"], string>> = {
  "not-found": "No such certificate",
  gone: "Deleted certificate",
};
