import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { merchant } from "#sandbox/gateway/gateway.ts";
import { openSandbox } from "#sandbox/sandbox.ts";
import { freePort } from "../free-port.ts";
import { askGateway, transact } from "./merchant-api.ts";

/** A sandbox on a free port, for tests. */
export async function runSandbox(options: { dataDir?: string; academyUrl?: string } = {}) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "sandbox-"));
  const sandbox = await openSandbox({ dataDir, url, academyUrl: options.academyUrl ?? null });
  const app = Fastify({ forceCloseConnections: true });
  await app.register(sandbox.routes, { prefix: "/sandbox" });
  // A page of the academy's origin, for browser code.
  app.get("/checkout", (_request, reply) => reply.type("text/html").send("<!doctype html><title>Checkout</title>"));
  await app.listen({ port, host: "localhost" });

  const api = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/sandbox/api/${path}`, {
      method,
      ...(body ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, content: JSON.parse((await response.text()) || "null") };
  };
  const gateway = async (request: object | string) => {
    const response = await fetch(sandbox.gateway.apiUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof request === "string" ? request : JSON.stringify(request),
    });
    // Not text(), which would remove the byte order mark.
    const text = Buffer.from(await response.arrayBuffer()).toString("utf8");
    return { status: response.status, text, reply: () => JSON.parse(text.replace(/^\uFEFF/, "")) };
  };

  const tokenize = async (card: { cardNumber?: string; cardCode?: string; zip?: string } = {}): Promise<string> => {
    const token = { cardNumber: "4111111111111111", expirationDate: "122099", ...card };
    const { reply } = await gateway({
      securePaymentContainerRequest: {
        merchantAuthentication: { name: merchant.apiLoginId, clientKey: merchant.clientKey },
        data: { type: "TOKEN", id: crypto.randomUUID(), token },
      },
    });
    return reply().opaqueData.dataValue;
  };
  const pay = async (card: Parameters<typeof tokenize>[0] = {}) => ({
    opaqueData: { dataDescriptor: "COMMON.ACCEPT.INAPP.PAYMENT", dataValue: await tokenize(card) },
  });

  return {
    url,
    dataDir,
    sandbox,
    api,
    gateway,
    call: askGateway.bind(null, url),
    transact: transact.bind(null, url),
    ledger: async () => (await api("GET", "gateway/transactions")).content,
    tokenize,
    /** The element `payment` of a charge, with a new card token. */
    pay,
    /** A charge of $49.00. */
    charge: async (more: object = {}) =>
      transact(url, { transactionType: "authCaptureTransaction", amount: "49.00", payment: await pay(), ...more }),
    async close() {
      await app.close();
      await sandbox.close();
    },
  };
}
