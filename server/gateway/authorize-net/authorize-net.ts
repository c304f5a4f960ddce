import type { FastifyBaseLogger } from "fastify";
import { circuitBreaker } from "../circuit-breaker.ts";
import type { Gateway } from "../gateway.ts";
import { account } from "./account.ts";
import { charges, returns } from "./charges.ts";
import { connect, type Delivery } from "./conversation/connection.ts";
import { conversation } from "./conversation/conversation.ts";
import { authenticateTestRequest } from "./conversation/requests.ts";
import { paymentProfiles } from "./payment-methods.ts";
import { reports } from "./reports.ts";
import { readWebhook } from "./webhooks.ts";

const DEFAULT_TIMEOUTS = { connectMs: 10_000, totalMs: 20_000 };

/** Secrets and card tokens go to `apiUrl` alone: never into a log, an error or an outcome. */
export function authorizeNet(options: {
  environment: "demo" | "sandbox" | "production";
  apiUrl: string;
  scriptUrl: string;
  apiLoginId: string;
  transactionKey: string;
  clientKey: string;
  signatureKey: string;
  cardOnFile?: boolean;
  timeouts?: { connectMs: number; totalMs: number };
  log: FastifyBaseLogger;
}): Gateway {
  const { environment, apiUrl, scriptUrl, apiLoginId, transactionKey, clientKey, signatureKey, log } = options;
  const cardOnFile = options.cardOnFile ?? true;
  const merchant = { name: apiLoginId, transactionKey };
  const send = circuitBreaker<object, Delivery>(connect(apiUrl, options.timeouts ?? DEFAULT_TIMEOUTS), {
    whenOpen: { kind: "not-sent", reason: "the gateway did not answer a moment ago" },
    probe: authenticateTestRequest(merchant),
    isProbe: (request) => "authenticateTestRequest" in request,
    onChange(isOpen) {
      if (isOpen) log.warn("The gateway does not answer. Payments are refused until a test request is answered.");
      else log.info("The gateway answers again.");
    },
  });
  const talk = conversation(merchant, send);

  return {
    environment,
    browser: { scriptUrl, apiLoginId, clientKey, origins: originsOf(apiUrl, scriptUrl) },
    ...charges(talk, { environment, cardOnFile, log }),
    ...returns(talk, log),
    ...paymentProfiles(talk, log),
    ...reports(talk),
    ...account(talk),
    readWebhook: (rawBody, headers) => readWebhook(rawBody, headers, signatureKey),
  };
}

/** The production script talks to a second host for the same API. */
function originsOf(apiUrl: string, scriptUrl: string): string[] {
  const origins = [new URL(scriptUrl).origin, new URL(apiUrl).origin];
  if (new URL(apiUrl).hostname === "api.authorize.net") origins.push("https://api2.authorize.net");
  return [...new Set(origins)];
}
