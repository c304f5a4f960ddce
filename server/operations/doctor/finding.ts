import { explainAndAdvise } from "#server/base/failures.ts";
import { sentenceFor } from "#server/process/sentence-for.ts";

export interface Finding {
  readonly name: string;
  readonly problem: boolean;
  /** The academy works, but its operator should act. */
  readonly warning?: boolean;
  readonly detail: string;
}

/** What a check returns is the detail; what it throws is a problem. */
export async function inspect(name: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { name, problem: false, detail: await check() };
  } catch (error) {
    return problemOf(name, error);
  }
}

export function problemOf(name: string, error: unknown): Finding {
  const detail = sentenceFor(error) ?? (error instanceof Error ? error.message : String(error));
  return { name, problem: true, detail: detail.replaceAll("\n", " ") };
}

/** For what a library reports, as sentences with advice. */
export function advise(kind: Parameters<typeof explainAndAdvise>[1]) {
  return (error: unknown): never => {
    throw new Error(explainAndAdvise(error, kind));
  };
}
