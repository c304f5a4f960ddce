/** Draws bands in three colours that derive from the id, so that videos can be told apart. */
export async function drawPicture(id: string, width: number, height: number): Promise<Buffer> {
  // Loads the library with the first picture.
  const { default: sharp } = await import("sharp");
  const seed = [...id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 997, 7);
  const colours = [0, 1, 2].map((band) => [40 + ((seed * (band + 1)) % 120), 50 + ((seed * 7) % 90), 60 + band * 40]);
  const row = Buffer.alloc(width * 3);
  for (let x = 0; x < width; x += 1) row.set(colours[Math.floor((x * 3) / width)] ?? [], x * 3);
  const data = Buffer.alloc(row.length * height, row);
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 70 })
    .toBuffer();
}
