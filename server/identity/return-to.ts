const MAX_LENGTH = 2048;

const here = "http://here.invalid";

/** Always returns a path of this origin, whatever browsers make of the input. */
export function safeReturnTo(text: unknown, fallback: string): string {
  if (typeof text !== "string" || text.length > MAX_LENGTH || !isPath(text)) return fallback;
  // Resolves dot segments first: `/..//elsewhere.example` would become a URL of another host.
  const url = URL.parse(text, here);
  if (!url || url.origin !== here) return fallback;
  const path = `${url.pathname}${url.search}${url.hash}`;
  return isPath(path) ? path : fallback;
}

function isPath(text: string): boolean {
  const [path = ""] = text.split(/[?#]/);
  return text.startsWith("/") && isPlain(text) && isPlain(decoded(path));
}

function isPlain(text: string): boolean {
  return !/^\/[/\\]/.test(text) && !/\p{Cc}/u.test(text) && !text.includes("\\");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Not UTF-8: returns what isPlain never accepts.
    return "//";
  }
}
