import { readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import { socialImage } from "#content/site.ts";
import { brandingPath, paletteOf, socialImageAddress, stylesOf } from "#contract/branding.ts";
import { nothingHere } from "#server/base/refusal.ts";
import { currentCopy } from "#server/settings/copy.ts";
import { findPicture } from "#server/settings/pictures.ts";
import { type Asking, currentSettings, ownSocialImage } from "#server/settings/settings.ts";
import { drawSocialImage, type SocialImage, socialImageKey } from "#server/settings/social-image.ts";
import { type MemoryFile, memoryFile, sendFile } from "./pages/memory-file.ts";

const forGood = "public, max-age=31536000, immutable";
const hex = "([0-9a-f]{6})";

/** Serves what an academy's branding consists of. Each address names its content, so that it can be cached for ever. */
export function brandingRoutes(scope: FastifyInstance, asking: Asking): void {
  const { db } = asking;
  const options = { schema: { hide: true } };

  scope.get<Named>(`${brandingPath}/colors-:brand${hex}-:accent${hex}.css`, options, async ({ params }, reply) => {
    const colors = { brand: `#${params.brand}`, accent: `#${params.accent}` };
    return keepForGood(reply).type("text/css; charset=utf-8").send(stylesOf(colors));
  });

  for (const [name, draw] of Object.entries({ icon: tagIcon, square: squareIcon })) {
    scope.get<Named>(`${brandingPath}/${name}-:brand${hex}.svg`, options, async ({ params }, reply) =>
      keepForGood(reply)
        .type("image/svg+xml")
        .send(draw(`#${params.brand}`)),
    );
  }

  for (const format of ["png", "webp"] as const) {
    scope.get<Named>(
      `${brandingPath}/:picture([0-9a-f]{32}-\\d{1,4}x\\d{1,4}).${format}`,
      options,
      async ({ params }, reply) => {
        const picture = await findPicture(db, params.picture ?? "", format);
        if (!picture) throw nothingHere();
        return keepForGood(reply).type(`image/${format}`).send(picture);
      },
    );
  }

  socialImageRoutes(scope, asking);
}

/** Draws one image at a time. Addresses of earlier images redirect to the current one. */
function socialImageRoutes(scope: FastifyInstance, { db, site }: Asking): void {
  const options = { schema: { hide: true } };
  let builtIn: Promise<MemoryFile> | undefined;
  let drawn: { readonly key: string; readonly png: Promise<Buffer> } | undefined;

  async function draw(image: SocialImage): Promise<Buffer> {
    const logo = image.logo && (await findPicture(db, image.logo));
    return drawSocialImage(image, logo || null, new URL(site.publicUrl).host);
  }

  scope.get(socialImage.path, options, async (request, reply) => {
    const own = ownSocialImage(await currentSettings(db), await currentCopy(db));
    if (own) return reply.header("cache-control", "no-cache").redirect(socialImageAddress(socialImageKey(own)));
    builtIn ??= readFile(builtInFile).then((png) => memoryFile("social.png", png, { identity: () => png }));
    return sendFile(request, reply, await builtIn);
  });

  scope.get<Named>(`${brandingPath}/social-:key([0-9a-f]{16}).png`, options, async ({ params }, reply) => {
    const own = ownSocialImage(await currentSettings(db), await currentCopy(db));
    const key = own && socialImageKey(own);
    if (!own || key !== params.key) {
      return reply.header("cache-control", "no-cache").redirect(key ? socialImageAddress(key) : socialImage.path);
    }
    if (drawn?.key !== key) {
      const png = draw(own);
      drawn = { key, png };
      png.catch(() => {
        drawn = undefined;
      });
    }
    return keepForGood(reply)
      .type("image/png")
      .send(await drawn.png);
  });
}

const builtInFile = new URL(`../../content${socialImage.path}`, import.meta.url);

interface Named {
  readonly Params: {
    readonly brand?: string;
    readonly accent?: string;
    readonly picture?: string;
    readonly key?: string;
  };
}

/** Lets other sites embed it, as webmail does. */
function keepForGood(reply: FastifyReply): FastifyReply {
  return reply.headers({
    "cache-control": forGood,
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
  });
}

/** As app/public/favicon.svg. */
function tagIcon(brand: string): string {
  const { ink } = paletteOf({ brand, accent: brand }).light.tag;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <path d="M10 4h20v24H10L1 16Z" fill="${brand}" stroke="${ink}" stroke-width="2" stroke-linejoin="round" />
  <circle cx="10" cy="16" r="2.4" fill="${ink}" />
  <path d="M17 10v12M21 10v12M26 10v12" stroke="${ink}" stroke-width="2.2" />
</svg>
`;
}

function squareIcon(brand: string): string {
  const { ink } = paletteOf({ brand, accent: brand }).light.tag;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect x="2" y="2" width="28" height="28" rx="7" fill="${brand}" stroke="${ink}" stroke-width="2" />
</svg>
`;
}
