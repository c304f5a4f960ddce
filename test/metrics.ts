import { until } from "./until.ts";

/** The metrics of an academy, with those of the database, which a scrape leaves out while the database is busy. */
export function scrape({ url }: { readonly url: string }): Promise<string> {
  return until(async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return metrics.includes("\nacademy_jobs_due ") && metrics;
  });
}

/** The value of a metric, such as `academy_refused_total{limit="all"}`. */
export async function figureOf({ url }: { readonly url: string }, name: string): Promise<number> {
  const line = new RegExp(`^${name.replace(/[{}]/g, "\\$&")} (\\S+)$`, "m");
  // A connection of this one's may be among those that are closed: then it asks again.
  const scrape = () => fetch(`${url}/metrics`).then((response) => response.text());
  const [, value] = await until(async () => line.exec(await scrape().catch(() => "")));
  return Number(value?.replace("Inf", "Infinity"));
}
