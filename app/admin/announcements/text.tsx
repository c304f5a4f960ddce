import { type Announcement, announcementPreviewPath } from "#contract/admin/announcements.ts";
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

/** The text and the button of an announcement that cannot be edited. */
export function AnnouncementText({ announcement: { text, button } }: { announcement: Announcement }) {
  return (
    <>
      <p className="mt-6 max-w-[64ch] whitespace-pre-line wrap-anywhere">{text}</p>
      {button && (
        <p className="mt-3 text-ink-soft text-sm wrap-anywhere">
          Button: {button.label}, {button.url}
        </p>
      )}
    </>
  );
}
