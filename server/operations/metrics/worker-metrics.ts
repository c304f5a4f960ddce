import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import { AggregatorRegistry, collectDefaultMetrics, Registry } from "prom-client";
import { SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";

type Figures = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** A worker that is scraped asks the primary, which collects the metrics of all workers and returns their sums. */
interface Message {
  readonly metrics?:
    | { readonly wanted: "sum" | "figures"; readonly id: number }
    | { readonly figures: Figures; readonly id: number }
    | { readonly sum: string; readonly id: number };
}

/** How long a worker may take; then its last metrics count. */
const reportTimeout = SECOND;

/** The metrics of this process; in a worker the sums over all workers and the primary. */
export function metricsToScrape(own: Registry): () => Promise<string> {
  const { worker } = cluster;
  if (!worker) return () => own.metrics();
  // At most one entry for each scrape of the last two seconds, of about 300 bytes.
  const waiting = new Map<number, (sum: string) => void>();
  let asked = 0;
  worker.on("message", ({ metrics }: Message) => {
    if (!metrics) return;
    const { id } = metrics;
    if ("sum" in metrics) waiting.get(id)?.(metrics.sum);
    else if ("wanted" in metrics) {
      void own.getMetricsAsJSON().then((figures) => tell(worker, { metrics: { id, figures } }));
    }
  });
  return async () => {
    const id = ++asked;
    const sum = new Promise<string>((resolve) => waiting.set(id, resolve));
    tell(worker, { metrics: { wanted: "sum", id } });
    const found = await Promise.race([sum, delay(2 * reportTimeout, null, { ref: false })]);
    waiting.delete(id);
    // A partial sum would look like counters that were reset.
    if (found === null) throw new Refusal("unavailable", "The workers did not tell their figures in time.");
    return found;
  };
}

/** For the primary. Counts of workers that died stay in the sums, so that these never fall. */
export function aggregateWorkerMetrics(): void {
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  // At most one entry for each worker and scrape of the last second, of about 300 bytes.
  const waiting = new Map<number, (figures: Figures) => void>();
  // At most one entry for each worker, of about 300 kB.
  const last = new Map<number, Figures>();
  let ofTheDead: Promise<Figures> = Promise.resolve([]);
  let asked = 0;

  async function ask(worker: Worker): Promise<void> {
    const id = ++asked;
    const told = new Promise<Figures>((resolve) => waiting.set(id, resolve));
    tell(worker, { metrics: { wanted: "figures", id } });
    const figures = await Promise.race([told, delay(reportTimeout, null, { ref: false })]);
    waiting.delete(id);
    if (figures && !worker.isDead()) last.set(worker.id, figures);
  }

  async function sum(): Promise<string> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(workers.map(ask));
    const ofPrimary = await own.getMetricsAsJSON();
    return sumOf([await ofTheDead, ofPrimary, ...last.values()]).metrics();
  }

  cluster.on("message", (worker, { metrics }: Message) => {
    if (!metrics) return;
    const { id } = metrics;
    if ("figures" in metrics) waiting.get(id)?.(metrics.figures);
    else if ("wanted" in metrics) void sum().then((text) => tell(worker, { metrics: { id, sum: text } }));
  });
  cluster.on("exit", ({ id }) => {
    const told = last.get(id) ?? [];
    last.delete(id);
    const counted = told.filter(({ type }) => isCounted(type));
    // One worker after the other, as several may die at once.
    ofTheDead = ofTheDead.then((before) => sumOf([before, counted]).getMetricsAsJSON());
  });
}

function isCounted(type: unknown): boolean {
  return type === "counter" || type === "histogram";
}

function tell(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message);
}

/** Maximum, not average, which would hide a worker that lags. */
function sumOf(all: readonly Figures[]): Registry {
  const sharpened = all.map((figures) =>
    figures.map((one) => (one.aggregator === "average" ? { ...one, aggregator: "max" as const } : one)),
  );
  return AggregatorRegistry.aggregate(sharpened);
}
