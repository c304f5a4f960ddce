/**
 * The progress of each file of a request, from 0 to 100, after `sent` bytes of the form: files are sent in order. The
 * form's other parts are a few hundred bytes, and count as the last file's.
 */
export function progressOfFiles(sizes: readonly number[], sent: number): number[] {
  let before = 0;
  return sizes.map((size) => {
    const ofThis = Math.min(Math.max(sent - before, 0), size);
    before += size;
    return size === 0 ? 100 : Math.floor((ofThis / size) * 100);
  });
}
