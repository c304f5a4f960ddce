import type { AuditEntry } from "#contract/admin/audit.ts";
import { formatDollars } from "#contract/money.ts";
import { formatDay } from "#ui/format/dates.ts";
import { formatCountOf } from "#ui/format/numbers.ts";

/** {} is the subject. Sentences about what has no name, or has been deleted, are without it: it would be an id. */
const sentences: Readonly<Record<string, string>> = {
  "hold account": "put {} on hold",
  "suspend account": "suspended {}",
  "reactivate account": "reactivated {}",
  "delete account": "deleted the account of {}",
  "change tier": "changed the plan of {}",
  "change role": "changed the role of {}",
  "take back plan": "removed the plan given to {}",
  "cancel subscription": "cancelled the membership of {}",
  "refund purchase": "refunded {}",
  "record dispute": "recorded a dispute about {}",
  "resume renewals": "resumed renewals",
  "sign out everywhere": "signed {} out everywhere",
  "see as student": "started to see the academy as {}",
  "stop seeing as student": "stopped seeing the academy as {}",
  "write to user": "wrote to {}",
  "add note": "added a note about {}",
  "delete note": "deleted a note about {}",
  invite: "invited someone to the academy",
  "take back invitation": "cancelled an invitation to the academy",
  "invite to team": "invited someone to the team",
  "take back team invitation": "cancelled an invitation to the team",
  "accept role": "accepted a role in the team",
  "require second factor": "required a second factor for the team",
  "stop requiring second factor": "stopped requiring a second factor for the team",
  "confirm restored team": "confirmed the team after a restore",
  "grant many": "started a bulk action that gives a plan",
  "hold many": "started a bulk action that puts accounts on hold",
  "suspend many": "started a bulk action that suspends accounts",
  "reactivate many": "started a bulk action that reactivates accounts",
  "pause many": "paused a bulk action",
  "resume many": "resumed a bulk action",
  "stop many": "stopped a bulk action",
  "undo many": "undid a bulk action",
  "give imported plan": "gave {} a plan from an imported list",
  "export import errors": "downloaded the rows that an import left out",
  "start import": "started an import of students",
  "stop import": "stopped an import of students",
  "delete import": "deleted an import of students",
  "send invitations": "started to email the invitations of an import",
  "stop invitations": "stopped emailing the invitations of an import",
  "create webhook": "created a webhook",
  "change webhook": "changed a webhook",
  "delete webhook": "deleted a webhook",
  "rotate webhook secret": "created a new secret for a webhook",
  "add coach": "made {} a coach",
  "change coach": "changed the coaching settings of {}",
  "book session": "booked a session for {}",
  "move session": "moved a session of {}",
  "cancel session": "cancelled a session of {}",
  "return session": "gave a session back to {}",
  "schedule group session": "scheduled a group session",
  "change group session": "changed a group session",
  "cancel group session": "cancelled a group session",
  "add recording": "added the recording of a group session",
  "hide question": "hid the question {}",
  "show question": "showed the question {} again",
  "hide answer": "hid an answer to {}",
  "show answer": "showed an answer to {} again",
  "close question": "closed the question {}",
  "reopen question": "reopened the question {}",
  "mark question as duplicate": "marked the question {} as a duplicate",
  "dismiss reports of question": "dismissed the reports about the question {}",
  "withdraw certificate": "withdrew the certificate of {}",
  "restore certificate": "restored the certificate of {}",
  "create announcement": "created the announcement {}",
  "change announcement": "changed the announcement {}",
  "delete announcement": "deleted an announcement",
  "change sequences": "changed the automatic email sequences",
  "send announcement": "sent the announcement {}",
  "schedule announcement": "scheduled the announcement {}",
  "cancel announcement": "cancelled the announcement {}",
  "pause announcement": "paused the announcement {}",
  "resume announcement": "resumed the announcement {}",
  "stop announcement": "stopped the announcement {}",
  "create coupon": "created the coupon {}",
  "create single-use codes": "created single-use codes such as {}",
  "change coupon": "changed the coupon {}",
  "end coupon": "ended the coupon {}",
  "resume coupon": "resumed the coupon {}",
  "mark message": "marked the message from {}",
  "undo mark of message": "undid a mark of the message from {}",
  "reply to message": "replied to the message from {}",
  "delete message": "deleted a message",
  "upload resource": "uploaded the file {}",
  "change resource": "changed the file {}",
  "delete resource": "deleted a file",
  "edit change of lesson": "edited a change of {}",
  "delete change of lesson": "deleted a change of {}",
  "check lesson": "checked {}",
  "undo check of lesson": "undid the check of {}",
  "move resource": "changed the position of {}",
  "add proof of claim": "added proof of {}",
  "delete proof of claim": "deleted proof of {}",
  "upload video": "started to upload a video",
  "cancel upload": "cancelled an upload",
  "retry conversion": "retried the conversion of a video",
  "delete video": "deleted an uploaded video",
  "mark claim": "marked {} as not about people, prices or results",
  "unmark claim": "removed the “needs no proof” mark from {}",
  "review copy": "marked a legal text as reviewed",
  "end offer: plan": "ended the offer for the plan {}",
  "end offer: offer": "ended the offer",
};

const contentVerbs: Readonly<Record<string, string>> = {
  draft: "saved a draft of",
  publish: "published",
  "discard draft of": "discarded the draft of",
};

const contentKinds: Readonly<Record<string, string>> = {
  module: "the module {}",
  lesson: "the lesson {}",
  order: "the order of modules or lessons",
  plan: "the plan {}",
  offer: "the offer",
  settings: "the settings",
  copy: "the text of a page",
  email: "the wording of the email {}",
};

/** What was done, in the past tense, before and after its subject. The second part is undefined when the sentence has no subject. */
export function actionWords(
  entry: Pick<AuditEntry, "action" | "before" | "after">,
): readonly [string, string | undefined] {
  const [before = "", behind] = sentenceOf(entry).split("{}");
  return [before, behind];
}

function sentenceOf({ action, before, after }: Pick<AuditEntry, "action" | "before" | "after">): string {
  const { amount, claims, state, name } = (after ?? {}) as {
    amount?: unknown;
    claims?: readonly unknown[];
    state?: string;
    name?: string;
  };
  const { receivedAt, name: oldName } = (before ?? {}) as { receivedAt?: string; name?: string };
  if (action === "delete message" && receivedAt) return `deleted a message received on ${formatDay(receivedAt)}`;
  if (action === "refund purchase" && Number(amount) > 0) return `refunded ${formatDollars(Number(amount))} of {}`;
  if (action === "withdraw claims" && claims) return `removed ${formatCountOf(claims.length, "claim")} from the pages`;
  if (action === "restore claims" && claims) return `restored ${formatCountOf(claims.length, "claim")} on the pages`;
  if (action === "mark message" && state) return `marked the message from {} as ${state}`;
  if (action === "create token" && name) return `created the token “${name}”`;
  if (action === "revoke token" && oldName) return `revoked the token “${oldName}”`;
  if (action.startsWith("repair ")) return "resolved a payment problem";
  if (action.startsWith("export ")) return action.replace("export ", "exported a list: ");
  const [, verb = "", kind = ""] = /^(.+) (\w+)$/.exec(action) ?? [];
  const [done, content] = [contentVerbs[verb], contentKinds[kind]];
  if (done && content) return `${done} ${content}`;
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
