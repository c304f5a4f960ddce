import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";

const saved = { amount: "" };
const place = { cursors: ["row-50"] };

afterEach(() => vi.unstubAllGlobals());

/** The page after a sign-in, where `sending` was on its way. */
async function openPage(left: { sending?: [string, string][] }) {
  const pathname = "/admin/purchases";
  const values = [
    ["draft: refund purchase-a", { amount: "5.00" }],
    ["entry: place in purchases", place],
  ];
  const before = { pathname, leftAt: Date.now(), values, ...left };
  const local = storageOf({ sent: "typed", typedSince: "newer" });
  vi.stubGlobal("window", { location: { pathname } });
  vi.stubGlobal("sessionStorage", storageOf({ "resumed-after-sign-in": JSON.stringify(before) }));
  vi.stubGlobal("localStorage", local);
  vi.resetModules();
  const { forgetLeft, useResumable } = await import("./resumable.ts");
  const { useFormOf } = await import("./use-form-of.ts");
  return {
    local,
    forgetLeft,
    amountIn: (about: string) =>
      rendered(() => useFormOf(z.object({ amount: z.string() }), { about, saved, send: async () => {} }).value.amount),
    place: () => rendered(() => useResumable<object | null>("entry: place in purchases", null)[0]),
  };
}

function storageOf(entries: Record<string, string>) {
  const map = new Map(Object.entries(entries));
  return { getItem: (key: string) => map.get(key) ?? null, removeItem: (key: string) => void map.delete(key) };
}

/** What a hook returns in the first rendering. */
function rendered<Value>(hook: () => Value): Value | undefined {
  let value: Value | undefined;
  const Hook = () => {
    value = hook();
    return null;
  };
  renderToStaticMarkup(createElement(Hook));
  return value;
}

test("after a sign-in, what was typed returns only to the form of its target", async () => {
  const { amountIn } = await openPage({});
  expect(amountIn("refund purchase-b")).toBe("");
  expect(amountIn("refund purchase-a")).toBe("5.00");
});

test("a finished action forgets what was typed for it, and keeps the place in a list and newer drafts", async () => {
  const {
    forgetLeft,
    amountIn,
    place: restored,
    local,
  } = await openPage({
    sending: [
      ["sent", "typed"],
      ["typedSince", "typed"],
    ],
  });
  forgetLeft();
  expect(amountIn("refund purchase-a")).toBe("");
  expect(restored()).toEqual(place);
  expect(local.getItem("sent")).toBeNull();
  expect(local.getItem("typedSince")).toBe("newer");
});

test("an action that a page without a list of drafts began is finished", async () => {
  const { forgetLeft, amountIn } = await openPage({});
  forgetLeft();
  expect(amountIn("refund purchase-a")).toBe("");
});
