/**
 * A note at the bottom of pages that show drafts. Its styles are inline, so that visitors' pages contain nothing of it.
 */
export function PreviewBand() {
  return (
    <p role="status" style={look}>
      This is a preview of your draft. Visitors don't see it yet.
    </p>
  );
}

const look = {
  position: "sticky",
  bottom: 0,
  zIndex: 50,
  padding: "1rem",
  background: "var(--tag)",
  color: "var(--tag-ink)",
  fontWeight: 700,
  textAlign: "center",
} as const;
