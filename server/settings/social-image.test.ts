import { expect, test } from "vitest";
import { builtInColors } from "#contract/branding.ts";
import { loadSharp } from "#server/images/decode.ts";
import { drawSocialImage } from "./social-image.ts";

// The box of a missing character has a width of its own, also that of a mark, which stands above its letter.
test("the picture of a shared link has the letters of scripts beyond Europe", async () => {
  expect(await widthOfName("กิ")).toBe(await widthOfName("ก"));
});

/** Pixels of the brand colour in the middle of the picture, which is what a name of one or two letters leaves of it. */
async function widthOfName(name: string): Promise<number> {
  const sharp = await loadSharp();
  const image = sharp(await drawSocialImage({ name, colors: builtInColors, logo: null }, null, "academy.example.com"));
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const isGround = (x: number, y: number) => {
    const at = (y * info.width + x) * info.channels;
    return data.readUIntBE(at, 3) === Number.parseInt(builtInColors.brand.slice(1), 16);
  };
  const isInBlock = (x: number) => Array.from({ length: info.height - 108 }, (_, y) => y).some((y) => isGround(x, y));
  return Array.from({ length: info.width }, (_, x) => x).filter(isInBlock).length;
}
