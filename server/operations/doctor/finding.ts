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
    const detail = error instanceof Error ? error.message : String(error);
    return { name, problem: true, detail: detail.replaceAll("\n", " ") };
  }
}

export function advise(what: string) {
  return (error: unknown): never => {
    const { message, code } = error as Error & { code?: string };
    // When several addresses were tried, the error has no message.
    throw new Error(`${(message || code)?.replace(/\.$/, "")}: ${what}.`);
  };
}
