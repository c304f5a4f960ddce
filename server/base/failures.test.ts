import { expect, test } from "vitest";
import { type explain, explainAndAdvise } from "./failures.ts";
import { OperatorError } from "./operator-error.ts";

/** An error as its library makes it. */
function failure(message: string, code?: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), code && { code });
}

const tls =
  "80ECC5F53E7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl3_record.c:350:\n";
const named = (name: string, message: string) => Object.assign(failure(message), { name });

test.each<[Parameters<typeof explain>[1], unknown, string]>([
  [
    "database",
    failure("unsupported startup parameter: lock_timeout", "08P01"),
    "Its address leads to a connection pooler, and the academy needs a direct connection (unsupported startup parameter: lock_timeout). Set DATABASE_URL to the address of PostgreSQL itself.",
  ],
  [
    "database",
    failure("a query failed", undefined, failure('password authentication failed for user "x"', "28P01")),
    'PostgreSQL refuses the user name or the password (password authentication failed for user "x"). Check DATABASE_URL.',
  ],
  [
    "database",
    failure('no pg_hba.conf entry for host "10.0.0.1", user "x", database "y", no encryption', "28000"),
    'PostgreSQL does not allow connections from this machine (no pg_hba.conf entry for host "10.0.0.1", user "x", database "y", no encryption). Add a line for it to pg_hba.conf.',
  ],
  [
    "database",
    Object.assign(new AggregateError([failure("connect ECONNREFUSED ::1:5432", "ECONNREFUSED")]), {
      code: "ECONNREFUSED",
    }),
    "Nothing accepts connections at its address (connect ECONNREFUSED ::1:5432). Check DATABASE_URL.",
  ],
  [
    "file store",
    failure(
      "The file store cannot be reached.",
      undefined,
      failure(
        "@aws-sdk XML parse error: mismatched tags <hr> and </body>.\n  Deserialization error: to see the raw response, …",
      ),
    ),
    "It answers, but not as an object store (@aws-sdk XML parse error: mismatched tags <hr> and </body>). S3_ENDPOINT is the address of the store's API, not of its web pages.",
  ],
  [
    "file store",
    named("NoSuchBucket", "The specified bucket does not exist"),
    "The bucket does not exist (The specified bucket does not exist). Create it, or correct S3_BUCKET.",
  ],
  [
    "mail server",
    failure(tls, "ESOCKET"),
    "It does not speak TLS at this port (wrong version number). Use smtp:// with this port, or the port for smtps:// (mostly 465).",
  ],
  [
    "mail server",
    failure("getaddrinfo ENOTFOUND mail.example", "EDNS"),
    "Its host name is not in the DNS (getaddrinfo ENOTFOUND mail.example). Check SMTP_URL.",
  ],
  [
    "sign-in",
    failure("OAUTH_RESPONSE_IS_NOT_CONFORM"),
    "The provider has no OpenID configuration (OAUTH_RESPONSE_IS_NOT_CONFORM). OIDC_ISSUER is what precedes /.well-known/openid-configuration in an address that a browser can open.",
  ],
  [
    "sign-in",
    failure("fetch failed", undefined, failure("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT")),
    "Its certificate is not trusted (self-signed certificate). If your own authority signed it, add its file to NODE_EXTRA_CA_CERTS, and use a host name that the certificate is for.",
  ],
  ["gateway", "timed out while connecting", "It does not answer (timed out while connecting)."],
  [
    "gateway",
    "the gateway did not answer a moment ago",
    "It cannot be reached (the gateway did not answer a moment ago).",
  ],
  ["gateway", "connection failed", "It cannot be reached (connection failed)."],
  ["gateway", "HTTP 503", "It answers with an error (HTTP 503)."],
  [
    "listening",
    failure("listen EACCES: permission denied 0.0.0.0:80", "EACCES"),
    "This account may not use the port (listen EACCES: permission denied 0.0.0.0:80). Use a PORT from 1024 on.",
  ],
  [
    "files",
    failure("EROFS: read-only file system, mkdir '/data'", "EROFS"),
    "The file system is read-only (EROFS: read-only file system, mkdir '/data').",
  ],
  ["scanner", failure("it answered: nothing"), "it answered: nothing. Check CLAMAV_URL."],
  ["any", new OperatorError("Set DATABASE_URL."), "Set DATABASE_URL."],
])("a failure of the %s is a sentence with what its library said, and advice", (kind, error, said) => {
  expect(explainAndAdvise(error, kind)).toBe(said);
});
