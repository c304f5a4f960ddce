import { expect, test } from "vitest";
import { restartInTurn } from "#test/restarts.ts";
import { openLoadBalancer } from "#test/stand-ins/load-balancer.ts";

test("two nodes behind a proxy restart in turn without a failed request [I11]", async () => {
  await using balancer = await openLoadBalancer();
  const url = `http://localhost:${balancer.port}`;
  const { answered, failures } = await restartInTurn(url, async (nodes) => balancer.serve(nodes));
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(100);
});
