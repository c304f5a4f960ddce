import { expect, test } from "vitest";
import { listBefore } from "./came-from.ts";

test("a user's page leads back to its list, whatever else the history entry keeps", () => {
  const place = { "place in sessions": { of: "{}", cursors: ["row"] } };
  const before = { list: "?tier=vip", kept: { "place in users": null } };
  expect(listBefore({ ...before, ...place })).toEqual({ to: "/admin?tier=vip", state: before.kept });
  expect(listBefore({ ...before, list: "" }).to).toBe("/admin");
  expect(listBefore(place as object).to).toBe(listBefore(null).to);
});
