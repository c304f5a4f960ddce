import type { Config } from "#server/config.ts";
import type { PageHeaders } from "./pages.ts";

/**
 * The headers that tell browsers what our pages may do. The card form talks to the gateway and loads its script; no
 * other page may, and the card page loads nothing else.
 */
export function securityHeaders(config: Config, gatewayOrigins: readonly string[]): PageHeaders {
  const policy = (gateway: readonly string[]) =>
    [
      "default-src 'self'",
      ["script-src 'self'", ...gateway].join(" "),
      // The player's controls carry their styles inside their shadow roots, which the policy counts as inline.
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "media-src 'self' blob:",
      "font-src 'self'",
      ["connect-src 'self'", ...gateway].join(" "),
      "frame-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join("; ");
  return {
    all: {
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
      ...(config.publicUrl.startsWith("https:") && {
        "strict-transport-security": "max-age=31536000; includeSubDomains",
      }),
    },
    page: { "content-security-policy": policy([]) },
    checkout: { "content-security-policy": policy(gatewayOrigins) },
  };
}
