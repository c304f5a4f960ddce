import { Fragment } from "react";
import { placeholderSupportEmail } from "#content/site.ts";
import { academy, named } from "#ui/academy.ts";
import { NumberRanges } from "#ui/number-ranges.tsx";

/** Where support is written to: where no setting says so, the server does in each document, which the build cannot know. */
function supportEmail(): string {
  const { supportEmail } = academy();
  return (
    supportEmail ?? ((!import.meta.env.SSR && document.documentElement.dataset.support) || placeholderSupportEmail)
  );
}

/** The support address as a link that writes to it. */
export function SupportLink({ className }: { className?: string }) {
  const address = supportEmail();
  return (
    <a href={`mailto:${address}`} className={className ?? "break-words font-semibold underline underline-offset-4"}>
      {address}
    </a>
  );
}

/** A text of the content files with its `{email}` marks as links and its `{academy}` marks as the name. */
export function WithSupportLinks({ text }: { text: string }) {
  return named(text)
    .split("{email}")
    .map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text keep their places
      <Fragment key={at}>
        {at > 0 && <SupportLink />}
        <NumberRanges text={part} />
      </Fragment>
    ));
}
