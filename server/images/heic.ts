import type { Pixels } from "./run-decoder.ts";

/** @throws Error when it is damaged; what `check` throws */
export async function decodeHeic(original: Buffer, check: (width: number, height: number) => void): Promise<Pixels> {
  const { default: libheif } = await import("libheif-js/wasm-bundle.js");
  const images = new libheif.HeifDecoder().decode(original);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (!image) throw new Error("no picture");
  check(image.get_width(), image.get_height());
  const isTransparent = image.has_alpha_channel();
  const chroma = isTransparent ? libheif.heif_chroma_interleaved_RGBA : libheif.heif_chroma_interleaved_RGB;
  const decoded = libheif.heif_js_decode_image2(image.handle, libheif.heif_colorspace_RGB, chroma);
  if (!("channels" in decoded)) throw new Error(decoded.message);
  const [{ data, stride, width, height }] = decoded.channels;
  const channels = isTransparent ? 4 : 3;
  const line = width * channels;
  // In place: a copy would need as much memory again.
  for (let y = 1; y < height; y++) data.copyWithin(y * line, y * stride, y * stride + line);
  return { data: Buffer.from(data.buffer, data.byteOffset, height * line), info: { width, height, channels } };
}
