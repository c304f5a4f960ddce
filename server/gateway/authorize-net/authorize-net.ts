import type { FastifyBaseLogger } from "fastify";
import { circuitBreaker } from "../circuit-breaker.ts";
import type { Gateway } from "../gateway.ts";
import { account } from "./account.ts";
import { charges, returns } from "./charges.ts";
import { connect, type Delivery } from "./conversation/connection.ts";
import { conversation } from "./conversation/conversation.ts";
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
  const send = circuitBreaker<object, Delivery>(connect(apiUrl, options.timeouts ?? DEFAULT_TIMEOUTS), {
    kind: "not-sent",
    reason: "the gateway could not be reached a moment ago",
  });
  const talk = conversation({ name: apiLoginId, transactionKey }, send);

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
