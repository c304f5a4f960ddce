import { expect, test } from "vitest";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { restartInTurn } from "#test/restarts.ts";
import { openLoadBalancer } from "#test/stand-ins/load-balancer.ts";

test("two nodes behind a proxy restart in turn without a failed request [I11]", async () => {
  await using balancer = await openLoadBalancer();
  const url = `http://localhost:${balancer.port}`;
  // In this process they start faster. `nginx.long.test.ts` has two processes.
  const openFront = async (nodes: readonly number[]) => balancer.serve(nodes);
  const { answered, failures } = await restartInTurn(url, openFront, openAcademyInProcess);
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(100);
});
