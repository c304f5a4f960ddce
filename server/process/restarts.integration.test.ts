import { expect, test } from "vitest";
import { restartInTurn } from "#test/restarts.ts";
import { openBalancer } from "#test/stand-ins/balancer.ts";

test("two nodes behind a proxy restart in turn without one request that fails [I11]", async () => {
  let ports: readonly number[] = [];
  await using balancer = await openBalancer(() => ports);
  const { answered, failures } = await restartInTurn(`http://localhost:${balancer.port}`, async (nodes) => {
    ports = nodes;
    return { [Symbol.asyncDispose]: async () => {} };
  });
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(100);
});
