import { useQuery } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { FormattedText } from "#app/learning/formatted-text.tsx";
import { type Announcement, announcementPreviewPath } from "#contract/admin/announcements.ts";
import { previewText } from "#contract/admin/content.ts";
import { buttonStyle } from "#ui/controls/button.tsx";

export function PreviewLink({ id, size }: { id: string; size?: "small" }) {
  return (
    <a
      href={announcementPreviewPath.replace("{id}", id)}
      target="_blank"
      rel="noreferrer"
      className={buttonStyle({ variant: "outline", ...(size && { size }) })}
    >
      Preview <span className="sr-only">in a new tab</span>
    </a>
  );
}

/** The text, as the student reads it, and the button of an announcement that cannot be edited. */
export function AnnouncementText({ announcement: { text, button } }: { announcement: Announcement }) {
  const { data, isError } = useQuery({
    // Not below "admin": each change refetches those queries.
    queryKey: ["preview-text", text],
    queryFn: ({ signal }) => api(previewText, { body: { text }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      {data && <FormattedText html={data.html} className="mt-6 max-w-[64ch]" />}
      {isError && <p className="mt-6 max-w-[64ch] whitespace-pre-line wrap-anywhere">{text}</p>}
      {button && (
        <p className="mt-3 text-ink-soft text-sm wrap-anywhere">
          Button: {button.label}, {button.url}
        </p>
      )}
    </>
  );
}
