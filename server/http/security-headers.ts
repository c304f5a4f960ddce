import type { VideoOrigins } from "#server/video/video.ts";
import type { PageHeaders, PageSite } from "./pages/pages.ts";

const pixelOrigins = {
  script: ["https://connect.facebook.net"],
  connect: ["https://www.facebook.com"],
  img: ["https://www.facebook.com"],
};

type Allowed = Partial<VideoOrigins & { readonly img: readonly string[] }>;

/**
 * Only the checkout may talk to the gateway, only lessons load video players, and the pixel runs on pages without a
 * card form.
 */
export function securityHeaders(site: Omit<PageSite, "supportEmail">, gatewayOrigins: readonly string[]): PageHeaders {
  const policy = (inlineScripts: readonly string[], ...allowed: Allowed[]) => {
    const origins = (kind: keyof Allowed) => allowed.flatMap((one) => one[kind] ?? []);
    const frames = origins("frame");
    return [
      "default-src 'self'",
      ["script-src 'self'", ...inlineScripts, ...origins("script")].join(" "),
      // The player's controls have style elements in their shadow roots, which count as inline.
      "style-src 'self' 'unsafe-inline'",
      ["img-src 'self' data:", ...origins("img")].join(" "),
      ["media-src 'self' blob:", ...origins("media")].join(" "),
      "font-src 'self'",
      ["connect-src 'self'", ...origins("connect")].join(" "),
      `frame-src ${frames.length > 0 ? frames.join(" ") : "'none'"}`,
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join("; ");
  };
  const pixel = site.metaPixelId ? pixelOrigins : {};
  return {
    all: {
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
      ...(site.publicUrl.startsWith("https:") && {
        "strict-transport-security": "max-age=31536000; includeSubDomains",
      }),
    },
    page: (inlineScripts) => ({ "content-security-policy": policy(inlineScripts, pixel) }),
    checkout: (inlineScripts) => ({
      "content-security-policy": policy(inlineScripts, { script: gatewayOrigins, connect: gatewayOrigins }),
    }),
    lessons: (inlineScripts, videoOrigins) => ({
      "content-security-policy": policy(inlineScripts, videoOrigins, pixel),
    }),
  };
}
