import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { merchant } from "#sandbox/gateway/gateway.ts";

/** One request to the gateway, by the name of its only member. */
interface GatewayRequest {
  readonly name: string;
  readonly refId: string;
  /** The transaction that details are asked of. */
  readonly transId: string;
  /** A charge of a card that is stored: a renewal, or what a new card pays. */
  readonly isStoredCharge: boolean;
}

/**
 * Stands between an academy and a sandbox that runs apart, and answers in the gateway's place what `answer` has a reply
 * for. `env` is for the academies that reach the gateway through it.
 */
export async function openGatewayProxy(sandboxUrl: string) {
  const requests: GatewayRequest[] = [];
  let answer: (request: GatewayRequest) => object | null | Promise<object | null> = () => null;
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    const [[name, content] = ["", {}]] = Object.entries(JSON.parse(body) as Record<string, Record<string, unknown>>);
    const transaction = content.transactionRequest as Record<string, object> | undefined;
    const isStoredCharge = transaction?.profile !== undefined && "customerProfileId" in transaction.profile;
    const { refId = "", transId = "" } = content;
    const request = { name, refId: String(refId), transId: String(transId), isStoredCharge };
    requests.push(request);
    const reply = await answer(request);
    if (reply) {
      outgoing.end(`\uFEFF${JSON.stringify({ ...reply, refId: request.refId })}`);
      return;
    }
    const passed = await fetch(`${sandboxUrl}/sandbox/gateway/xml/v1/request.api`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    outgoing.writeHead(passed.status).end(Buffer.from(await passed.arrayBuffer()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      SANDBOX_URL: sandboxUrl,
      AUTHORIZE_NET_ENVIRONMENT: "sandbox",
      AUTHORIZE_NET_API_LOGIN_ID: merchant.apiLoginId,
      AUTHORIZE_NET_TRANSACTION_KEY: merchant.transactionKey,
      AUTHORIZE_NET_CLIENT_KEY: merchant.clientKey,
      AUTHORIZE_NET_SIGNATURE_KEY: merchant.signatureKey,
      AUTHORIZE_NET_API_URL: `http://127.0.0.1:${port}/request.api`,
      AUTHORIZE_NET_SCRIPT_URL: `${sandboxUrl}/sandbox/gateway/v1/Accept.js`,
    },
    /** Every request so far, the oldest first. */
    requests: requests as readonly GatewayRequest[],
    /** From now on; null passes everything on. */
    answering(reply: typeof answer | null): void {
      answer = reply ?? (() => null);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A charge that the gateway refuses under response code 3 for this reason. */
export function refusedFor(reason: string): object {
  return {
    transactionResponse: {
      responseCode: "3",
      authCode: "",
      avsResultCode: "P",
      transId: "0",
      accountNumber: "XXXX1111",
      accountType: "Visa",
      errors: [{ errorCode: reason, errorText: "This transaction has been declined" }],
    },
    messages: { resultCode: "Error", message: [{ code: "E00027", text: "The transaction was unsuccessful." }] },
  };
}

/** A request that the gateway refuses as a whole. */
export function refusedWith(code: string): object {
  return { messages: { resultCode: "Error", message: [{ code, text: "Refused." }] } };
}
