import type { PaymentConfig } from "#contract/purchases/purchases.ts";
import type { CardData } from "./card-form.ts";

/** The gateway's token for a card, valid for one charge within 15 minutes. */
export interface OpaqueCard {
  dataDescriptor: string;
  dataValue: string;
}

interface ScriptMessage {
  code: string;
  text: string;
}

interface ScriptAnswer {
  opaqueData?: OpaqueCard;
  messages: { resultCode: "Ok" | "Error"; message: ScriptMessage[] };
}

interface SecureData {
  authData: { apiLoginID: string; clientKey: string };
  cardData: CardData;
}

declare global {
  interface Window {
    Accept?: { dispatchData?: (data: SecureData, handler: (answer: ScriptAnswer) => void) => void };
    /** Set by the script after its handshake with the gateway, which is later than its load event. */
    isReady?: boolean;
  }
}

const pollMilliseconds = 100;

/** Whether a card can be tokenized now. */
export function isCardScriptReady(): boolean {
  return Boolean(window.isReady && window.Accept?.dispatchData);
}

/**
 * Loads the gateway's script, which only works from its own URL. Resolves once it is ready, however late. A second call
 * with the same URL adds no second script, unless the first one failed.
 * @throws when it fails to load
 */
export function loadCardScript(url: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = scriptFrom(url);
    const timer = setInterval(poll, pollMilliseconds);
    const settle = (end: () => void) => {
      clearInterval(timer);
      script.removeEventListener("error", fail);
      end();
    };
    function fail(): void {
      script.remove();
      settle(() => reject(new Error("The payment script did not load")));
    }
    function poll(): void {
      if (signal.aborted) settle(() => reject(signal.reason));
      else if (isCardScriptReady()) settle(resolve);
    }
    script.addEventListener("error", fail);
    poll();
  });
}

function scriptFrom(url: string): HTMLScriptElement {
  const present = [...document.scripts].find((script) => script.getAttribute("src") === url);
  if (present) return present;
  const script = document.createElement("script");
  script.src = url;
  document.head.append(script);
  return script;
}

/** The script did not tokenize the card. The message is for the buyer. */
export class CardRefused extends Error {
  override name = "CardRefused";
}

const answerMilliseconds = 30_000;
const noAnswer = "We can't reach the payment service. You haven't been charged. Please reload the page and try again.";

let isUnderWay = false;

/**
 * Turns a card into a token, one card at a time. After a card without a reply, it refuses all further ones: the script
 * keeps only one reply per page, so a late one could be taken for the next card's.
 * @throws CardRefused
 */
export async function tokenizeCard(config: PaymentConfig, cardData: CardData): Promise<OpaqueCard> {
  if (isUnderWay) throw new CardRefused(noAnswer);
  isUnderWay = true;
  const answered = new Promise<ScriptAnswer>((resolve) => {
    const authData = { apiLoginID: config.apiLoginId, clientKey: config.clientKey };
    window.Accept?.dispatchData?.({ authData, cardData }, resolve);
  }).finally(() => {
    isUnderWay = false;
  });
  const patience = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new CardRefused(noAnswer)), answerMilliseconds);
  });
  const answer = await Promise.race([answered, patience]);
  if (answer.messages.resultCode === "Error" || !answer.opaqueData) {
    throw new CardRefused(cardMessage(answer.messages.message));
  }
  return answer.opaqueData;
}

/** The sentence for messages of the script or the gateway. @internal */
export function cardMessage(messages: readonly ScriptMessage[]): string {
  const codes = new Set(messages.map(({ code }) => code));
  // The script's own code for E00007 is E_WC_21.
  if (codes.has("E00007") || codes.has("E_WC_21")) {
    return "Authentication failed. Please check that you are using valid test card numbers and credentials are properly configured.";
  }
  if (codes.has("E00027")) return "Transaction unsuccessful. Please verify your card information and try again.";
  return messages.map(({ code, text }) => `${code}: ${text}`).join(", ") || "Payment processing failed";
}
