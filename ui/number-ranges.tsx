/** Keeps ranges such as "1-5" and "24-48" on one line, because browsers break after hyphens. */
export function NumberRanges({ text }: { text: string }) {
  return splitRanges(text).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no id
      <span key={at} className={rangeStyle}>
        {part}
      </span>
    ),
  );
}

export const rangeStyle = "whitespace-nowrap";

/** Text and ranges in turns. */
export function splitRanges(text: string): string[] {
  return text.split(/(?<!\S)(\d+-\d+[).,:;]*)(?!\S)/);
}
