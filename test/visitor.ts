import { randomBytes, randomUUID } from "node:crypto";
import type { z } from "zod";
import { getCourseAccess } from "#contract/access.ts";
import { listPlans } from "#contract/catalogue.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import type { Problem } from "#contract/problem.ts";
import {
  acceptPayment,
  getPaymentConfig,
  listUserPurchases,
  type PaymentConfig,
} from "#contract/purchases/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { changeCard, getOwnSubscription } from "#contract/purchases/subscriptions.ts";
import type { Tier } from "#contract/tiers.ts";
import { checkAnswer } from "./api-document.ts";

export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Without a member, that of a card which every charge accepts. */
interface Card {
  readonly number?: string;
  readonly zip?: string;
  readonly cvv?: string;
}

const password = "plywood-lantern-42";

/** Signs a person in by rows, and returns the session's cookie. */
export type DirectSignIn = (email: string) => Promise<{ readonly name: string; readonly value: string }>;

/** A browser without rendering: keeps cookies, sends Origin, and follows redirects only in `navigate`. */
export class Visitor {
  readonly origin: string;
  readonly cookies = new Map<string, { value: string; path: string }>();
  email = "";
  private paymentConfig: PaymentConfig | undefined;
  private readonly signInDirectly: DirectSignIn | null;

  /** @param signInDirectly null: signs in through the pages of the issuer */
  constructor(origin: string, signInDirectly: DirectSignIn | null = null) {
    this.origin = origin;
    this.signInDirectly = signInDirectly;
  }

  /**
   * Sends a request like a page of the academy. `headers` override its headers; null removes one. Validates replies
   * of the API by the API document.
   */
  async send(
    method: string,
    path: string,
    body?: string | FormData | Uint8Array<ArrayBuffer>,
    headers: Record<string, string | null> = {},
  ): Promise<Response> {
    const url = new URL(path, this.origin);
    const cookie = [...this.cookies]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join("; ");
    const sent = new Headers();
    const all = {
      ...(cookie && { cookie }),
      ...(method !== "GET" && { origin: this.origin }),
      ...(typeof body === "string" && { "content-type": "application/json" }),
      ...headers,
    };
    for (const [name, value] of Object.entries(all)) if (value !== null) sent.set(name, value);
    const response = await fetch(url, { method, headers: sent, redirect: "manual", body: body ?? null });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    await checkAnswer(this.origin, method, url.pathname, response);
    return response;
  }

  /** All its cookies, for a request that it does not send itself. */
  get cookieHeader(): string {
    return [...this.cookies].map(([name, { value }]) => `${name}=${value}`).join("; ");
  }

  /** Calls an endpoint of the contract. Returns problems instead of throwing. */
  async call<Reply extends z.ZodType>(
    endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, Reply>,
    input: {
      params?: Record<string, string>;
      query?: Record<string, string>;
      body?: unknown;
      headers?: Record<string, string | null>;
    } = {},
  ): Promise<Answer<z.output<Reply> & Partial<Pick<Problem, "code" | "message" | "errors">>>> {
    const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => input.params?.[name] ?? "");
    const path = input.query ? `${filled}?${new URLSearchParams(input.query)}` : filled;
    const body = input.body === undefined ? undefined : JSON.stringify(input.body);
    const response = await this.send(endpoint.method, path, body, input.headers ?? {});
    const isJson = response.headers.get("content-type")?.includes("json");
    const answer = isJson ? await response.json() : Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body: answer as never };
  }

  /** The id of the signed-in person. */
  async id(): Promise<string> {
    return (await this.call(getCurrentUser)).body.id;
  }

  /** The same browser at another node, as behind a load balancer. */
  at({ url }: { readonly url: string }): Visitor {
    const there = new Visitor(url, this.signInDirectly);
    there.email = this.email;
    for (const [name, cookie] of this.cookies) there.cookies.set(name, cookie);
    return there;
  }

  /** The same at a node with an address of its own, where names of cookies end with its port. */
  copyAt({ url }: { readonly url: string }): Visitor {
    const there = new Visitor(url, this.signInDirectly);
    const { port } = new URL(url);
    for (const [name, cookie] of this.cookies) there.cookies.set(name.replace(/\d+$/, port), cookie);
    return there;
  }

  /** Navigates, and follows redirects to the last page. */
  async navigate(path: string, form?: Record<string, string>): Promise<{ url: URL; status: number; html: string }> {
    let url = new URL(path, this.origin);
    let response = form
      ? await this.send("POST", url.href, new URLSearchParams(form).toString(), {
          "content-type": "application/x-www-form-urlencoded",
        })
      : await this.send("GET", url.href);
    while (response.headers.has("location")) {
      url = new URL(response.headers.get("location") ?? "/", url);
      response = await this.send("GET", url.href);
    }
    return { url, status: response.status, html: await response.text() };
  }

  /** Signs in as a new student with an unconfirmed address, and without an account at the issuer. */
  signUp(email = newAddress()): Promise<this> {
    return this.signInDirectly ? this.byRows(email) : this.signUpAtIssuer(email);
  }

  /** Creates an account on the pages of the built-in issuer, and is then signed in. */
  async signUpAtIssuer(email = newAddress()): Promise<this> {
    const landed = await this.createAccount({ email });
    if (landed.url.pathname !== "/dashboard") throw new Error(`sign-up ended at ${landed.url}: ${landed.html}`);
    this.email = email;
    return this;
  }

  /** Fills in the form for a new account, to which a path to the sign-in leads, and goes where that leads. */
  async createAccount(person: { email: string; firstName?: string; lastName?: string }, path = "/api/login") {
    const signIn = await this.navigate(path);
    const form = await this.navigate(/href="([^"]+)">Create account</.exec(signIn.html)?.[1] ?? "");
    return this.navigate(actionOf(form.html), { firstName: "Jo", lastName: "Vendor", password, ...person });
  }

  /** Signs in as one of the demo accounts. */
  signInAsDemo(email: string): Promise<this> {
    return this.signInDirectly ? this.byRows(email) : this.signInAtIssuer(email, "academy-demo");
  }

  /** Signs in again as the same person, such as after the session has expired. */
  signInAgain(): Promise<this> {
    return this.signInDirectly ? this.byRows(this.email) : this.signInAtIssuer(this.email);
  }

  /** Signs in on the pages of the built-in issuer, by default with the password of `signUpAtIssuer`. */
  async signInAtIssuer(email = this.email, secret = password): Promise<this> {
    this.cookies.clear();
    const landed = await this.typePassword(secret, { email });
    if (!["/dashboard", "/admin", "/coach"].includes(landed.url.pathname))
      throw new Error(`sign-in ended at ${landed.url}: ${landed.html}`);
    this.email = email;
    return this;
  }

  /** Types a password on the sign-in page, which has to ask for one, and goes where that leads. */
  async typePassword(secret = password, { email = this.email, path = "/api/login" } = {}) {
    const page = await this.navigate(path);
    if (!page.html.includes("Password")) throw new Error(`${page.url} asks for no password: ${page.html}`);
    return this.navigate(actionOf(page.html), { email, password: secret });
  }

  private async byRows(email: string): Promise<this> {
    const { name, value } = (await this.signInDirectly?.(email)) ?? { name: "", value: "" };
    this.cookies.clear();
    this.cookies.set(name, { value, path: "/" });
    this.email = email;
    return this;
  }

  /** Exchanges a card for a single-use token, like the gateway's script in browsers. */
  async tokenizeCard(card: Card = {}): Promise<{
    opaqueDataDescriptor: string;
    opaqueDataValue: string;
  }> {
    // Read only once, like on the checkout page.
    this.paymentConfig ??= (await this.call(getPaymentConfig)).body as PaymentConfig;
    const { apiLoginId, clientKey, scriptUrl } = this.paymentConfig;
    const response = await fetch(new URL("../xml/v1/request.api", scriptUrl), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        securePaymentContainerRequest: {
          merchantAuthentication: { name: apiLoginId, clientKey },
          data: {
            type: "TOKEN",
            id: randomUUID(),
            token: {
              cardNumber: card.number ?? "4111111111111111",
              expirationDate: "129999",
              cardCode: card.cvv ?? "900",
              zip: card.zip ?? "90210",
            },
          },
        },
      }),
    });
    const { opaqueData } = JSON.parse((await response.text()).replace(/^\uFEFF/, ""));
    return { opaqueDataDescriptor: opaqueData.dataDescriptor, opaqueDataValue: opaqueData.dataValue };
  }

  /** The body of a purchase with a fresh card token. */
  async paymentFor(tier: Tier, card?: Card) {
    const plan = (await this.call(listPlans)).body.find((candidate) => candidate.tier === tier);
    if (!plan) throw new Error(`${tier} is not on sale`);
    return {
      amount: plan.price,
      tier,
      priceId: plan.id,
      ...(await this.tokenizeCard(card)),
      customerEmail: this.email || "visitor@example.test",
      customerName: "Jo Vendor",
    };
  }

  /** The same with a quote, for an upgrade's price. */
  async quotedPaymentFor(tier: Tier, card?: Card, code?: string) {
    const payment = await this.paymentFor(tier, card);
    const { status, body } = await this.call(createQuote, { body: { tier, priceId: payment.priceId, code } });
    if (status !== 200) throw new Error(`no quote for ${tier}: ${status} ${body.message}`);
    return { ...payment, amount: body.total, quoteId: body.quoteId };
  }

  /** Buys a plan at its list price. */
  async buy(tier: Tier, card?: Card) {
    return this.call(acceptPayment, { body: await this.paymentFor(tier, card) });
  }

  /** Buys a plan for the total of a new quote: an upgrade, or with a coupon's code. */
  async buyQuoted(tier: Tier, card?: Card, code?: string) {
    return this.call(acceptPayment, { body: await this.quotedPaymentFor(tier, card, code) });
  }

  /** The body of a change to this card. */
  async newCard(card: Card = {}) {
    return { ...(await this.tokenizeCard(card)), customerName: "Jo Vendor", zip: card.zip ?? "90210" };
  }

  async changeCard(card?: Card) {
    return this.call(changeCard, { body: await this.newCard(card) });
  }

  async access() {
    return (await this.call(getCourseAccess)).body;
  }

  /** The purchases, the newest first. */
  async purchases() {
    return (await this.call(listUserPurchases)).body;
  }

  /** The newest purchase. */
  async purchase() {
    return (await this.purchases())[0];
  }

  async subscription() {
    return (await this.call(getOwnSubscription)).body.subscription;
  }

  private keep(line: string): void {
    const [pair = "", ...attributes] = line.split("; ");
    const name = pair.slice(0, pair.indexOf("="));
    const value = pair.slice(pair.indexOf("=") + 1);
    const attribute = (wanted: string) =>
      attributes.find((text) => text.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const expires = attribute("expires");
    if (value === "" || attribute("max-age") === "0" || (expires && Date.parse(expires) < Date.now())) {
      this.cookies.delete(name);
    } else this.cookies.set(name, { value, path: attribute("path") ?? "/" });
  }
}

function newAddress(): string {
  return `student-${randomBytes(6).toString("hex")}@example.test`;
}

/** The action of a page's first form. */
export function actionOf(html: string): string {
  return (/<form[^>]*action="([^"]+)"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&");
}

/** The fields of a page's forms that nobody types. */
export function hiddenFieldsOf(html: string): Record<string, string> {
  const inputs = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries(Array.from(inputs, ([, name = "", value = ""]) => [name, value]));
}
