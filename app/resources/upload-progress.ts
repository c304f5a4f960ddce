/**
 * How far each file of one request is, from 0 to 100, when `sent` bytes of the form have gone: they go one after the
 * other. The form's own words between them are a few hundred bytes and count as the last file's.
 */
export function progressOfFiles(sizes: readonly number[], sent: number): number[] {
  let before = 0;
  return sizes.map((size) => {
    const ofThis = Math.min(Math.max(sent - before, 0), size);
    before += size;
    return size === 0 ? 100 : Math.floor((ofThis / size) * 100);
  });
}
