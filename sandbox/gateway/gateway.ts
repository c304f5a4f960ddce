import { timingSafeEqual } from "node:crypto";
import type { Clock } from "#server/base/clock.ts";
import { inTransaction, type Store } from "../store.ts";
import { type CardData, cardOf } from "./cards.ts";
import { findCustomer } from "./customers/profiles.ts";
import {
  createCustomerPaymentProfile,
  createProfileFromTransaction,
  deleteCustomerPaymentProfile,
  deleteCustomerProfile,
  getCustomerPaymentProfile,
  getCustomerProfile,
} from "./customers/requests.ts";
import { findTransaction } from "./ledger.ts";
import { takeOutcome } from "./outcomes.ts";
import { type Call, reply } from "./replies.ts";
import { isRequestName, schemaErrorOf } from "./schema.ts";
import { mintToken } from "./tokens.ts";
import { charge } from "./transactions/charges.ts";
import {
  batchTransactions,
  reportMode,
  settledBatches,
  transactionDetails,
  unsettledTransactions,
} from "./transactions/reports.ts";
import { refund, voidTransaction } from "./transactions/reversals.ts";
import { settleDue } from "./transactions/settlement.ts";
import type { TransactionRequest } from "./transactions/transaction-response.ts";

/** The sandbox's only merchant, with public credentials. */
export const merchant = {
  apiLoginId: "academySandbox",
  transactionKey: "sandbox-key-0001",
  clientKey: "5Fc8Kd2mXw7Pq4Rt9Vy3Bn6Hj1Ls0Ga5Fc8Kd2mXw7Pq4Rt9Vy3Bn6Hj1Ls0GaZ9",
  signatureKey: "0001".repeat(32),
} as const;

/** How a reply is delivered. By then the charge is in the ledger. */
export type Delivery =
  | { readonly kind: "reply"; readonly body: string; readonly afterMs: number }
  | { readonly kind: "malformed"; readonly body: string }
  | { readonly kind: "http-500" }
  | { readonly kind: "silence" }
  | { readonly kind: "reset" };

/** Answers the requests that the academy and its pages send. */
export function answerRequest(store: Store, clock: Clock, text: string): Delivery {
  const call = callOf(text);
  if (!call) return delivered(reply(null, "E00003"));
  const { name, request } = call;
  const answer = answers[name];
  const transacts = name === "createTransactionRequest";
  if (!isRequestName(name) || !(answer || transacts)) return delivered(reply(null, "E00004"));
  const refId = request.refId === undefined ? null : String(request.refId);
  const fault = schemaErrorOf(name, request);
  if (fault) return delivered(reply(null, "E00003", {}, fault));
  const authenticationError = authenticationErrorOf(name, request.merchantAuthentication);
  if (authenticationError) return delivered(reply(refId, authenticationError));
  const now = clock.now();
  settleDue(store, now);
  return answer ? delivered(answer({ store, now, refId, request })) : transact({ store, now, refId, request });
}

const answers: Readonly<Record<string, ((call: Call) => object) | undefined>> = {
  securePaymentContainerRequest: tokenize,
  getTransactionDetailsRequest: report(transactionDetails),
  getUnsettledTransactionListRequest: report(unsettledTransactions),
  getTransactionListRequest: report(batchTransactions),
  getSettledBatchListRequest: report(settledBatches),
  createCustomerPaymentProfileRequest: createCustomerPaymentProfile,
  createCustomerProfileFromTransactionRequest: createProfileFromTransaction,
  getCustomerProfileRequest: getCustomerProfile,
  getCustomerPaymentProfileRequest: getCustomerPaymentProfile,
  deleteCustomerProfileRequest: deleteCustomerProfile,
  deleteCustomerPaymentProfileRequest: deleteCustomerPaymentProfile,
  getMerchantDetailsRequest: ({ refId }) => reply(refId, "I00001", merchantDetails),
  authenticateTestRequest: ({ refId }) => reply(refId, "I00001"),
};

function report(answer: (call: Call) => object): (call: Call) => object {
  return (call) => (reportMode(call.store) === "unavailable" ? reply(call.refId, "E00053") : answer(call));
}

/** Charges, refunds and voids, each of which takes the next staged outcome. */
function transact({ store, now, refId, request: { transactionRequest } }: Call): Delivery {
  const request = transactionRequest as TransactionRequest;
  const process = processOf(request.transactionType);
  if (!process) return delivered(reply(refId, "E00013", {}, `The sandbox does not take ${request.transactionType}.`));
  const outcome = takeOutcome(store, customerEmailOf(store, request));
  if (outcome === "error-500") return { kind: "http-500" };
  if (outcome === "timeout-before") return { kind: "silence" };
  const body = process(store, now, refId, request, outcome);
  if (outcome === "timeout-after") return { kind: "silence" };
  if (outcome === "reset-after") return { kind: "reset" };
  if (outcome === "malformed-after") return { kind: "malformed", body: JSON.stringify(body).slice(0, 40) };
  return delivered(body, outcome?.startsWith("slow:") ? Number(outcome.slice(5)) : 0);
}

/** The email of a request's customer: from the request, its stored card, or the charge that it refunds. */
function customerEmailOf(store: Store, { customer, profile, refTransId }: TransactionRequest): string | null {
  if (customer?.email) return customer.email;
  const original = refTransId === undefined ? null : findTransaction(store, String(refTransId));
  if (original?.customerEmail) return original.customerEmail;
  const customerProfileId = profile?.customerProfileId ?? original?.customerProfileId;
  return customerProfileId ? (findCustomer(store, String(customerProfileId))?.email ?? null) : null;
}

function processOf(transactionType: string): typeof charge | null {
  switch (transactionType) {
    case "authCaptureTransaction":
      return charge;
    case "refundTransaction":
      return refund;
    case "voidTransaction":
      return (store, _now, refId, request, outcome) => voidTransaction(store, refId, request, outcome);
    default:
      return null;
  }
}

interface SecureData {
  type: string;
  token?: CardData & { zip?: string | number };
}

function tokenize({ store, now, refId, request }: Call): object {
  const { type, token } = request.data as SecureData;
  if (type !== "TOKEN" || !token) return reply(refId, "E00013");
  return inTransaction(store, () => {
    const card = cardOf(store, now, token, token.zip === undefined ? null : String(token.zip));
    if (typeof card === "string") return reply(refId, "E00013");
    const opaqueData = { dataDescriptor: "COMMON.ACCEPT.INAPP.PAYMENT", dataValue: mintToken(store, card, now) };
    return reply(refId, "I00001", { opaqueData });
  });
}

function callOf(text: string): { name: string; request: Record<string, unknown> } | null {
  try {
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (typeof content !== "object" || content === null || Array.isArray(content)) return null;
    const [root, ...others] = Object.entries(content);
    if (!root || others.length > 0 || typeof root[1] !== "object" || root[1] === null) return null;
    return { name: root[0], request: root[1] as Record<string, unknown> };
  } catch {
    return null;
  }
}

/** The browser's client key allows tokenizing only; the server's transaction key allows everything else. */
function authenticationErrorOf(requestName: string, authentication: unknown): "E00007" | "E00059" | null {
  const { name, transactionKey, clientKey } = authentication as Record<string, unknown>;
  const inBrowser = requestName === "securePaymentContainerRequest";
  if (transactionKey === undefined && clientKey === undefined) return "E00007";
  if (inBrowser !== (clientKey !== undefined)) return "E00059";
  const keyFits = inBrowser ? equal(clientKey, merchant.clientKey) : equal(transactionKey, merchant.transactionKey);
  return keyFits && name === merchant.apiLoginId ? null : "E00007";
}

function equal(given: unknown, kept: string): boolean {
  const text = Buffer.from(String(given));
  return text.length === kept.length && timingSafeEqual(text, Buffer.from(kept));
}

function delivered(body: object, afterMs = 0): Delivery {
  return { kind: "reply", body: JSON.stringify(body), afterMs };
}

const merchantDetails = {
  isTestMode: false,
  processors: [{ name: "First Data Nashville", id: 2, cardTypes: ["A", "C", "D", "J", "M", "V"] }],
  merchantName: "Sandbox merchant",
  gatewayId: "100001",
  marketTypes: ["eCommerce"],
  productCodes: ["CNP"],
  paymentMethods: ["AmericanExpress", "Discover", "JCB", "MasterCard", "Visa"],
  currencies: ["USD"],
  publicClientKey: merchant.clientKey,
};
