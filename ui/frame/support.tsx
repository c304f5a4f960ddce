import { Fragment } from "react";
import { placeholderSupportEmail } from "#content/site.ts";
import { academy, named } from "#ui/academy.ts";
import { NumberRanges } from "#ui/number-ranges.tsx";

/** The support address: from the settings, else from the document, where the server puts what the build cannot know. */
function supportEmail(): string {
  const { supportEmail } = academy();
  return (
    supportEmail ?? ((!import.meta.env.SSR && document.documentElement.dataset.support) || placeholderSupportEmail)
  );
}

/** The support address, and a link that writes to it. */
export function support() {
  const address = supportEmail();
  // Some letters of an address mean something else in a link.
  return { address, link: `mailto:${address.split("@").map(encodeURIComponent).join("@")}` };
}

/** A mail link to the support address. */
export function SupportLink({ className }: { className?: string }) {
  const { address, link } = support();
  return (
    <a href={link} className={className ?? "break-words font-semibold underline underline-offset-4"}>
      {address}
    </a>
  );
}

/** Replaces `{email}` by links and `{academy}` by the name in a text. */
export function WithSupportLinks({ text }: { text: string }) {
  return named(text)
    .split("{email}")
    .map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text never move
      <Fragment key={at}>
        {at > 0 && <SupportLink />}
        <NumberRanges text={part} />
      </Fragment>
    ));
}
