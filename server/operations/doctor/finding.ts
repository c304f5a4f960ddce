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

const certificateAdvice =
  "use a host name that the certificate is for, and if your own authority signed it, name that one's file in NODE_EXTRA_CA_CERTS";

export function advise(what: string) {
  return (error: unknown): never => {
    const { message, code } = error as Error & { code?: string };
    // When several addresses were tried, the error has no message.
    const problem = (message || code)?.replace(/\.$/, "");
    // OpenSSL's messages, which Node passes on as they are.
    const isDistrusted = /\bcertificate\b/i.test(problem ?? "");
    throw new Error(`${problem}: ${isDistrusted ? certificateAdvice : what}.`);
  };
}
