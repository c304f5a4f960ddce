import { expect, test } from "vitest";
import type { SignUps } from "#contract/admin/figures.ts";
import { conversionOf } from "./conversion.ts";

const day = (signUps: number, paid: number) => ({ start: "2026-11-01", signUps, paid });
const over = (by: SignUps["by"], periods: SignUps["periods"]) =>
  ({ by, from: "", to: "", total: { signUps: 0, paid: 0 }, periods }) as SignUps;

test("a day's conversion covers seven days, and more until there are ten sign-ups", () => {
  const busy = Array.from({ length: 8 }, (_, at) => day(10, at === 0 ? 10 : 5));
  expect(conversionOf(over("day", busy), []).at(-1)).toBe(50);
  const quiet = [day(8, 4), ...Array.from({ length: 7 }, () => day(0, 0)), day(2, 0)];
  expect(conversionOf(over("day", quiet), []).at(-1)).toBe(40);
});

test("the first points use the periods before, and months with enough sign-ups stand alone", () => {
  expect(conversionOf(over("day", [day(1, 1)]), [day(9, 0)])).toEqual([10]);
  expect(conversionOf(over("month", [day(20, 5), day(20, 15)]), [])).toEqual([25, 75]);
  expect(conversionOf(over("day", [day(0, 0)]), [])).toEqual([0]);
});
