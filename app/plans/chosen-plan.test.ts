import { expect, onTestFinished, test, vi } from "vitest";
import { sayAcademy } from "#ui/academy.ts";
import { builtInFacts } from "../../scripts/pages/built-in-facts.ts";
import { forgetPlan, planInQuery, savePlan } from "./chosen-plan.ts";

sayAcademy(builtInFacts().academy);

test("a plan is read from a URL, but its name comes from the tier", () => {
  expect(planInQuery(new URLSearchParams("tier=vip&priceId=vip_lifetime&price=1497&name=You+have+won"))).toEqual({
    tier: "vip",
    priceId: "vip_lifetime",
    price: "1497",
    name: "Lifetime Access",
    code: null,
  });
  expect(planInQuery(new URLSearchParams("tier=vip&price=1497&code=+spring15+"))?.code).toBe("spring15");
});

test("a URL without a known tier or a numeric price names no plan", () => {
  expect(planInQuery(new URLSearchParams("tier=gold&priceId=x&price=1"))).toBeNull();
  expect(planInQuery(new URLSearchParams("tier=vip&priceId=vip_lifetime&price=nothing"))).toBeNull();
  expect(planInQuery(new URLSearchParams("tier=vip&priceId=vip_lifetime"))).toBeNull();
});

test("a browser keeps one plan, without remains of the previous one", () => {
  const kept = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  vi.stubGlobal("window", { localStorage });
  onTestFinished(() => void vi.unstubAllGlobals());
  const lifetime = {
    tier: "vip",
    priceId: "vip_lifetime",
    price: "1497",
    name: "Lifetime Access",
    code: "SPRING",
  } as const;
  expect(savePlan(lifetime)).toBe(true);
  expect(kept.get("planCode")).toBe("SPRING");
  const monthly = { tier: "basic", priceId: null, price: "49", name: "Monthly Access", code: null } as const;
  savePlan(monthly);
  expect(Object.fromEntries(kept)).toEqual({ planTier: "basic", planPrice: "49", planName: "Monthly Access" });
  forgetPlan();
  expect([...kept]).toEqual([]);
});
