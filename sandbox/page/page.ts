import { existsSync, readFileSync } from "node:fs";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type { SandboxClock } from "../clock.ts";
import { listMails, type Mail } from "../mailbox.ts";
import type { Store } from "../store.ts";
import { page, parts } from "./parts.ts";

const fonts: Readonly<Record<string, string>> = {
  "archivo.woff2": "@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2",
  "martian-mono.woff2": "@fontsource-variable/martian-mono/files/martian-mono-latin-wght-normal.woff2",
};

/** The sandbox's page, at the prefix itself. It uses the public API of the sandbox. */
export function pageRoutes(store: Store, clock: SandboxClock, academyUrl: string | null): FastifyPluginAsync {
  const view = (mailId: string | undefined) => ({ store, now: clock.now(), openMail: findMail(store, mailId) });

  return async (app) => {
    app.addHook("onRequest", async (_request, reply) => {
      reply.header("x-content-type-options", "nosniff");
      reply.header("referrer-policy", "no-referrer");
      reply.header("cache-control", "no-cache");
    });

    app.get<{ Querystring: { mail?: string } }>("/", async (request, reply) => {
      reply.header("content-security-policy", policy);
      return reply.type("text/html; charset=utf-8").send(page(view(request.query.mail), academyUrl));
    });

    app.get<{ Querystring: { mail?: string } }>("/parts", async (request) => parts(view(request.query.mail)));

    app.get<{ Params: { id: string } }>("/mails/:id/html", async (request, reply) => {
      const mail = findMail(store, request.params.id);
      if (!mail) return reply.code(404).send({ message: "We couldn't find this email." });
      // Mails may have any style but run no scripts. Their links open new tabs.
      reply.header(
        "content-security-policy",
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; frame-ancestors 'self'",
      );
      return reply.type("text/html; charset=utf-8").send(`<base target="_blank">${mail.html}`);
    });

    addAssets(app);
  };
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

function addAssets(app: FastifyInstance): void {
  const style = ownStyle();
  const script = readFileSync(new URL("./page.js", import.meta.url), "utf8");
  const icon = readFileSync(new URL("./icon.svg", import.meta.url), "utf8");
  app.get("/style.css", async (_request, reply) => reply.type("text/css; charset=utf-8").send(style));
  app.get("/page.js", async (_request, reply) => reply.type("text/javascript; charset=utf-8").send(script));
  app.get("/icon.svg", async (_request, reply) => reply.type("image/svg+xml").send(icon));
  for (const [name, source] of Object.entries(fonts)) {
    const file = new URL(`../../node_modules/${source}`, import.meta.url);
    if (!existsSync(file)) continue;
    const font = readFileSync(file);
    app.get(`/fonts/${name}`, async (_request, reply) => reply.type("font/woff2").send(font));
  }
}

/** The product's tokens without their imports, which need a bundler, and the page's own rules. */
function ownStyle(): string {
  const sheets = [
    new URL("../../ui/styles/tokens.css", import.meta.url),
    new URL("./page.css", import.meta.url),
    new URL("./ledger.css", import.meta.url),
    new URL("./mailbox.css", import.meta.url),
  ];
  const rules = sheets.map((sheet) => readFileSync(sheet, "utf8")).join("\n");
  return rules.replace(/^@import.*$/gm, "");
}

function findMail(store: Store, id: string | undefined): Mail | null {
  return listMails(store).find((mail) => String(mail.id) === id) ?? null;
}
