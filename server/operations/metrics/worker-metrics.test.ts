import cluster, { type Worker } from "node:cluster";
import { Counter, Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { until } from "#test/until.ts";
import { aggregateWorkerMetrics } from "./worker-metrics.ts";

/** A worker that has counted five, as its primary sees it. */
function workerOf(id: number, onSum: (sum: string) => void = () => {}) {
  const register = new Registry();
  new Counter({ name: "counted_total", help: "What it counted", registers: [register] }).inc(5);
  const worker = {
    id,
    isConnected: () => true,
    isDead: () => false,
    async send({ metrics }: { metrics: { id: number; sum?: string } }) {
      if (metrics.sum !== undefined) return onSum(metrics.sum);
      const figures = await register.getMetricsAsJSON();
      cluster.emit("message", worker as unknown as Worker, { metrics: { id: metrics.id, figures } });
    },
  };
  return worker as unknown as Worker;
}

test("counts of workers that die at the same time stay in the sums", async () => {
  let sum: string | undefined;
  const asking = workerOf(1, (told) => {
    sum = told;
  });
  const dying = [workerOf(2), workerOf(3)];
  const before = cluster.workers;
  onTestFinished(() => {
    Object.assign(cluster, { workers: before });
    cluster.removeAllListeners("message").removeAllListeners("exit");
  });
  aggregateWorkerMetrics();
  const counted = async (workers: readonly Worker[]) => {
    Object.assign(cluster, { workers: Object.fromEntries(workers.map((worker) => [worker.id, worker])) });
    sum = undefined;
    cluster.emit("message", asking, { metrics: { wanted: "sum", id: 1 } });
    const told = await until(async () => sum);
    return Number(/^counted_total (\d+)$/m.exec(told)?.[1]);
  };
  expect(await counted([asking, ...dying])).toBe(15);
  for (const worker of dying) cluster.emit("exit", worker, 1, "");
  expect(await counted([asking])).toBe(15);
});
