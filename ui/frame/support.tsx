import { Fragment } from "react";
import { placeholderSupportEmail } from "#content/site.ts";

/** Where support is written to. The server says so in each document, which the build could not know. */
const supportEmail = (!import.meta.env.SSR && document.documentElement.dataset.support) || placeholderSupportEmail;

/** The support address as a link that writes to it. */
export function SupportLink({ className }: { className?: string }) {
  return (
    <a
      href={`mailto:${supportEmail}`}
      className={className ?? "break-words font-semibold underline underline-offset-4"}
    >
      {supportEmail}
    </a>
  );
}

/** A text of the content files with its `{email}` marks as links. */
export function WithSupportLinks({ text }: { text: string }) {
  return text.split("{email}").map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text keep their places
    <Fragment key={at}>
      {at > 0 && <SupportLink />}
      {part}
    </Fragment>
  ));
}
