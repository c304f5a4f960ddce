/** The part of libheif that we use: its package has no types for this entry. */
declare module "libheif-js/wasm-bundle.js" {
  interface Image {
    readonly handle: unknown;
    get_width(): number;
    get_height(): number;
    is_primary(): boolean;
    has_alpha_channel(): boolean;
  }

  interface Decoded {
    readonly channels: readonly [
      { readonly width: number; readonly height: number; readonly stride: number; readonly data: Uint8Array },
    ];
  }

  const libheif: {
    readonly HeifDecoder: new () => { decode(file: Uint8Array): Image[] };
    readonly heif_colorspace_RGB: unknown;
    readonly heif_chroma_interleaved_RGB: unknown;
    readonly heif_chroma_interleaved_RGBA: unknown;
    /** Turned as the file says. Its pixels stay in the library's memory. Without channels, it is an error. */
    heif_js_decode_image2(
      handle: unknown,
      colorspace: unknown,
      chroma: unknown,
    ): Decoded | { readonly message: string };
  };
  export default libheif;
}
