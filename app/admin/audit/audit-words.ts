import type { AuditEntry } from "#contract/admin/audit.ts";
import { formatDollars } from "#contract/money.ts";
import { formatCountOf } from "#ui/format/numbers.ts";

/** {} is the subject. */
const sentences: Readonly<Record<string, string>> = {
  "hold account": "put {} on hold",
  "suspend account": "suspended {}",
  "reactivate account": "reactivated {}",
  "delete account": "deleted the account of {}",
  "change tier": "changed the plan of {}",
  "change role": "changed the role of {}",
  "cancel subscription": "cancelled the membership of {}",
  "sign out everywhere": "signed {} out everywhere",
  "see as student": "started to see the academy as {}",
  "stop seeing as student": "stopped seeing the academy as {}",
  "write to user": "wrote to {}",
  "add note": "added a note about {}",
  "delete note": "deleted a note about {}",
  "withdraw certificate": "withdrew the certificate of {}",
  "restore certificate": "restored the certificate of {}",
  "send announcement": "sent the announcement {}",
  "create coupon": "created the coupon {}",
  "create single-use codes": "created single-use codes such as {}",
  "change coupon": "changed the coupon {}",
  "end coupon": "ended the coupon {}",
  "resume coupon": "resumed the coupon {}",
  "mark message": "marked the message from {}",
  "undo mark of message": "undid a mark of the message from {}",
  "reply to message": "replied to the message from {}",
  "delete message": "deleted the message from {}",
  "move resource": "changed the position of {}",
  "back claim": "added proof of {}",
  "drop record of claim": "deleted proof of {}",
  "mark claim": "marked {} as not about people, prices or results",
  "unmark claim": "removed the “needs no proof” mark from {}",
};

/** What was done, in the past tense, before and after its subject. The second part is undefined when the sentence has no subject. */
export function actionWords({
  action,
  after,
}: Pick<AuditEntry, "action" | "after">): readonly [string, string | undefined] {
  const [before = "", behind] = sentenceOf(action, after).split("{}");
  return [before, behind];
}

function sentenceOf(action: string, after: unknown): string {
  const { amount, claims } = (after ?? {}) as { amount?: unknown; claims?: readonly unknown[] };
  if (action === "refund purchase" && Number(amount) > 0) return `refunded ${formatDollars(Number(amount))} of {}`;
  if (action === "withdraw claims" && claims) return `took ${formatCountOf(claims.length, "claim")} off the pages`;
  if (action === "restore claims" && claims) return `put ${formatCountOf(claims.length, "claim")} back on the pages`;
  return sentences[action] ?? `${inPastTense(action)}: {}`;
}

const irregular: Readonly<Record<string, string>> = {
  drop: "dropped",
  give: "gave",
  hide: "hid",
  hold: "held",
  let: "let",
  pay: "paid",
  reset: "reset",
  send: "sent",
  stop: "stopped",
  take: "took",
  undo: "undid",
  withdraw: "withdrew",
  write: "wrote",
};

/** Changes the first word, which is a verb. */
function inPastTense(action: string): string {
  return action.replace(/^[a-z]+/, (verb) => {
    const regular = verb.endsWith("e") ? `${verb}d` : `${verb.replace(/([^aeiou])y$/, "$1i")}ed`;
    return irregular[verb] ?? regular;
  });
}
