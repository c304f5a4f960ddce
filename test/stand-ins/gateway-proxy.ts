import { once } from "node:events";
import { createServer } from "node:http";
import { merchant } from "#sandbox/gateway/gateway.ts";
import { listening } from "../listening.ts";

/** A request to the gateway. Its only property is its kind. */
interface GatewayRequest {
  readonly name: string;
  readonly refId: string;
  /** The transaction whose details are requested. */
  readonly transId: string;
  /** A charge of a stored card: a renewal, or a payment by a new card. */
  readonly isStoredCharge: boolean;
}

/**
 * A proxy between academies and a separate sandbox. Replies itself to requests for which `answer` returns a reply.
 * Academies that use it need its `env`.
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
    }).catch(() => null);
    if (!passed) {
      // The sandbox broke the connection off.
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(passed.status).end(Buffer.from(await passed.arrayBuffer()));
  });
  const port = await listening(server);
  return {
    env: gatewayEnv(sandboxUrl, `http://127.0.0.1:${port}/request.api`),
    /** Every request so far, the oldest first. */
    requests: requests as readonly GatewayRequest[],
    /** Sets `answer`. Null forwards everything. */
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

/** The environment of an academy that asks the gateway of this sandbox at another address. */
export const gatewayEnv = (sandboxUrl: string, apiUrl: string) => ({
  SANDBOX_URL: sandboxUrl,
  AUTHORIZE_NET_ENVIRONMENT: "sandbox",
  AUTHORIZE_NET_API_LOGIN_ID: merchant.apiLoginId,
  AUTHORIZE_NET_TRANSACTION_KEY: merchant.transactionKey,
  AUTHORIZE_NET_CLIENT_KEY: merchant.clientKey,
  AUTHORIZE_NET_SIGNATURE_KEY: merchant.signatureKey,
  AUTHORIZE_NET_API_URL: apiUrl,
  AUTHORIZE_NET_SCRIPT_URL: `${sandboxUrl}/sandbox/gateway/v1/Accept.js`,
});

/** The reply to a charge with response code 3 and this reason. */
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

/** The reply to an invalid request. */
export function refusedWith(code: string): object {
  return { messages: { resultCode: "Error", message: [{ code, text: "Refused." }] } };
}
