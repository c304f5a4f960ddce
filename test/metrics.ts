import { until } from "./until.ts";

/** The metrics of an academy, with those of the database, which a scrape leaves out while the database is busy. */
export function scrape({ url }: { readonly url: string }): Promise<string> {
  return until(async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return metrics.includes("\nacademy_jobs_due ") && metrics;
  });
}
