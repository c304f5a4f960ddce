import { OperatorError } from "./operator-error.ts";

/** Patterns of a library's codes, names and messages, what they mean, and the advice if it is not that of the kind. */
type Table = readonly (readonly [RegExp, string, string?])[];

const network: Table = [
  [/ENOTFOUND/, "Its host name is not in the DNS"],
  [/EAI_AGAIN|EDNS/, "The DNS does not answer"],
  [/ECONNREFUSED/, "Nothing accepts connections at its address"],
  [/CERT_HAS_EXPIRED|certificate has expired/, "Its certificate has expired", "Renew it"],
  [
    /ALTNAME_INVALID|does not match certificate/,
    "Its certificate is for another host name",
    "Use the host name that the certificate is for",
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_|\bcertificate\b/,
    "Its certificate is not trusted",
    "If your own authority signed it, add its file to NODE_EXTRA_CA_CERTS, and use a host name that the certificate is for",
  ],
  [
    /wrong version number|EPROTO\b|ERR_SSL|\bSSL routines\b/,
    "It does not speak TLS at this port",
    "Correct the port, or the beginning of the address",
  ],
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|OAUTH_TIMEOUT|UND_ERR_\w*TIMEOUT|TimeoutError|timed? ?out|no answer in time|is silent/i,
    "It does not answer",
  ],
  [
    /ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|socket hang up|terminated unexpectedly|connection was closed|closed the connection/,
    "It closes the connection",
  ],
  [/bad port/, "No server may use this port"],
];

const files: Table = [
  [/^(EACCES|EPERM)$/, "The academy's account can't write there", "Give it write permission"],
  [/^EROFS$/, "The file system is read-only"],
  [/^(ENOSPC|EDQUOT)$/, "No space is left"],
  [/^(ENOTDIR|EEXIST)$/, "A part of the path is a file"],
  [/^ENOENT$/, "The path does not exist"],
  [/^(EMFILE|ENFILE)$/, "Too many files are open", "Raise the limit of open files"],
];

const database: Table = [
  // Codes that PostgreSQL itself sends to none of our connections.
  [
    /^(08P01|0A000)$/,
    "Its address leads to a connection pooler, and the academy needs a direct connection",
    "Set DATABASE_URL to the address of PostgreSQL itself",
  ],
  [/^28P01$|password must be a string/, "PostgreSQL refuses the user name or the password"],
  [/pg_hba\.conf/, "PostgreSQL does not allow connections from this machine", "Add a line for it to pg_hba.conf"],
  [/^28\w{3}$/, "PostgreSQL refuses the user"],
  [/^3D000$/, "The database does not exist", "Create it, or correct its name in DATABASE_URL"],
  [/not support SSL/, "PostgreSQL does not use TLS", "Turn on its ssl, or remove sslmode from DATABASE_URL"],
  [/^53300$/, "PostgreSQL has no free connection", "Raise its max_connections, or stop what uses them"],
  [/^53100$/, "The disk of the database is full"],
  [/^57P0[123]$/, "PostgreSQL is starting or stopping", "Try again in a minute"],
  [/^25006$/, "The database can only be read", "Use the address of the primary server"],
  [/^42P01$/, "The database has no academy", "Start the academy on it first, or check DATABASE_URL"],
  [/^42501$/, "The user lacks a permission in the database"],
  [/^connect ENOENT/, "No PostgreSQL listens at this socket", "Start the academy, or check DATABASE_URL"],
];

const store: Table = [
  [/^NoSuchBucket$/, "The bucket does not exist", "Create it, or correct S3_BUCKET"],
  [/^InvalidAccessKeyId$/, "It does not know the access key", "Check S3_ACCESS_KEY_ID"],
  [/^SignatureDoesNotMatch$/, "It refuses the secret key", "Check S3_SECRET_ACCESS_KEY"],
  [/^(AccessDenied|AllAccessDisabled)$/, "It denies access", "Let the key list, read, write and delete in the bucket"],
  [
    /^(AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraintException)$/,
    "The bucket is in another region",
    "Check S3_REGION",
  ],
  [/^RequestTimeTooSkewed$/, "Its clock and this machine's differ", "Set both by NTP"],
  [
    /^UnknownError$|XML parse error|Deserialization/,
    "It answers, but not as an object store",
    "S3_ENDPOINT is the address of the store's API, not of its web pages",
  ],
];

const mail: Table = [
  [/^EAUTH$/, "It refuses the user name or the password"],
  [/^EPROTOCOL$|[Gg]reeting/, "It does not greet as a mail server"],
  [
    /wrong version number/,
    "It does not speak TLS at this port",
    "Use smtp:// with this port, or the port for smtps:// (mostly 465)",
  ],
  [/^ETLS$/, "It does not offer encryption"],
];

const provider: Table = [
  [
    /OAUTH_RESPONSE_IS_NOT_CONFORM/,
    "The provider has no OpenID configuration",
    "OIDC_ISSUER is what precedes /.well-known/openid-configuration in an address that a browser can open",
  ],
  [
    /OAUTH_(RESPONSE_IS_NOT_JSON|PARSE_ERROR|INVALID_RESPONSE)/,
    "The OpenID configuration of the provider cannot be read",
  ],
  [
    /OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED/,
    "The provider calls itself by another name",
    "Set OIDC_ISSUER to the issuer in its OpenID configuration, to the letter",
  ],
  [/OAUTH_HTTP_REQUEST_FORBIDDEN/, "The provider has no https address"],
];

const gateway: Table = [
  [/ a moment ago$|^connection failed$/, "It cannot be reached"],
  [/^HTTP \d+$/, "It answers with an error"],
  [/^the reply /, "Its answer cannot be read"],
];

const listening: Table = [
  [/^EACCES$/, "This account may not use the port", "Use a PORT from 1024 on"],
  [/^EADDRNOTAVAIL$/, "HOST is no address of this machine"],
];

/** What failed. "any" is for work that uses several. */
const kinds = {
  database: { table: database, advice: "Check DATABASE_URL" },
  "file store": { table: store, advice: "Check S3_ENDPOINT, S3_BUCKET and the keys" },
  "mail server": { table: mail, advice: "Check SMTP_URL" },
  scanner: { table: [], advice: "Check CLAMAV_URL" },
  "sign-in": { table: provider, advice: "Check OIDC_ISSUER" },
  gateway: { table: gateway, advice: null },
  listening: { table: listening, advice: null },
  "public address": { table: [], advice: "Check PUBLIC_URL, and that this machine reaches the proxy" },
  files: { table: files, advice: null },
  any: { table: [...database, ...store, ...files], advice: null },
} as const satisfies Record<string, { readonly table: Table; readonly advice: string | null }>;

type Failing = keyof typeof kinds;

/** What a library's error means, with its own words in brackets: "It does not answer (connect ETIMEDOUT 10.0.0.1:25)". */
export function explain(error: unknown, kind: Failing): string {
  return understand(error, kind).what;
}

/** As `explain`, in sentences that tell an operator what to do. */
export function explainAndAdvise(error: unknown, kind: Failing): string {
  const { what, advice } = understand(error, kind);
  return [what, advice].flatMap((sentence) => (sentence ? `${sentence}.` : [])).join(" ");
}

function understand(error: unknown, kind: Failing): { what: string; advice: string | null } {
  if (error instanceof OperatorError) return { what: error.message.replace(/\.$/, ""), advice: null };
  const { codes, message } = read(error);
  const { table, advice } = kinds[kind];
  const known = [...table, ...network].find(([pattern]) => [...codes, message].some((text) => pattern.test(text)));
  const raw = oneLine(message) || codes.at(-1) || "unknown";
  if (!known) return { what: raw, advice };
  const [, what, ownAdvice = advice] = known;
  return { what: `${what} (${raw})`, advice: ownAdvice };
}

/** Names and codes of the error and its causes, and the message of the innermost one that has any. */
function read(error: unknown): { codes: string[]; message: string } {
  if (!(error instanceof Error)) return { codes: [], message: String(error) };
  const { name, message, cause, code, errors } = error as Error & { code?: unknown; errors?: readonly unknown[] };
  // When several addresses were tried, the error has no message.
  const inside = errors?.[0] ?? cause;
  const inner = inside instanceof Error ? read(inside) : { codes: [], message: "" };
  return { codes: [name, ...(code ? [String(code)] : []), ...inner.codes], message: inner.message || message };
}

/** Without the line breaks, the places in OpenSSL's sources, and hints for programmers. */
function oneLine(message: string): string {
  const [, reason] = /SSL routines:[^:]*:([^:]+):/.exec(message) ?? [];
  return (reason ?? message.split("\n", 1)[0] ?? "").trim().replace(/\.$/, "").slice(0, 300);
}
