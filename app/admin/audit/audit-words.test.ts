import { expect, test } from "vitest";
import { detailsOf } from "./audit-details.ts";
import { actionWords } from "./audit-words.ts";

test("an action of the audit log reads as part of a sentence, with the amount of a refund", () => {
  const words = (action: string, after: unknown = null) =>
    actionWords({ action, before: null, after })
      .filter((part) => part !== undefined)
      .join("Ana");
  expect(words("hold account")).toBe("put Ana on hold");
  expect(words("refund purchase", { amount: "49.00" })).toBe("refunded $49.00 of Ana");
  expect(words("withdraw claims", { claims: ["500+ students"] })).toBe("removed 1 claim from the pages");
  expect(words("mark message", { state: "open" })).toBe("marked the message from Ana as open");
  expect(words("reply to message")).toBe("replied to the message from Ana");
  expect(words("destroy draft")).toBe("destroyed draft: Ana");
  expect(words("publish module")).toBe("published the module Ana");
  expect(words("discard draft of settings")).toBe("discarded the draft of the settings");
  expect(words("export sign-ups")).toBe("exported a list: sign-ups");
});

test("an action on what has no name to show reads as a sentence without its id", () => {
  const unnamed = ["delete message", "delete resource", "schedule group session", "undo many", "repair disputed"];
  for (const action of unnamed) {
    expect(actionWords({ action, before: null, after: null })).toEqual([expect.any(String), undefined]);
  }
  const message = { action: "delete message", before: { receivedAt: "2026-11-21T12:00:00.000Z" }, after: null };
  expect(actionWords(message)).toEqual(["deleted a message received on November 21, 2026", undefined]);
});

test("the details of an action have the form's labels, dollars and no ids", () => {
  const entry = {
    id: "1",
    actor: "a",
    actorName: "Ana",
    token: null,
    subject: "s",
    subjectName: "Year",
    reason: null,
    createdAt: "",
  };
  expect(
    detailsOf({
      ...entry,
      action: "publish plan",
      subjectKind: "plan",
      before: { price: 397 },
      after: { price: 429.5 },
    }),
  ).toEqual([{ field: "Price in US dollars", before: "$397.00", after: "$429.50" }]);
  const after = { refundId: "r1", amount: "49.00", kind: "void" };
  expect(detailsOf({ ...entry, action: "refund purchase", subjectKind: "purchase", before: null, after })).toEqual([
    { field: "amount", before: null, after: "$49.00" },
    { field: "kind", before: null, after: "void" },
  ]);
});
