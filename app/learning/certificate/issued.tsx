import { useState } from "react";
import { focusOnArrival } from "#app/profile/focus.ts";
import type { OwnCertificate } from "#contract/certificates.ts";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { copyLink } from "#ui/copy-link.ts";
import { formatDay } from "#ui/format/dates.ts";
import { NameForm } from "./name-form.tsx";

interface IssuedProps {
  certificate: NonNullable<OwnCertificate["certificate"]>;
  isWithdrawn: boolean;
  /** Whether it was issued on this page. */
  isNew: boolean;
}

/** The certificate, with what its owner can do with it. */
export function Issued({ certificate, isWithdrawn, isNew }: IssuedProps) {
  const { name, issuedAt, corrections, url, pdfUrl } = certificate;
  const [isCorrecting, setIsCorrecting] = useState<boolean | null>(null);
  if (isWithdrawn) {
    return (
      <p className="max-w-[62ch]">
        Your certificate was withdrawn.{" "}
        <a href={url} className="underline underline-offset-4">
          See its page
        </a>
      </p>
    );
  }
  return (
    <>
      <p className="max-w-[62ch]">
        Issued to <bdi className="font-bold wrap-anywhere">{name}</bdi> on {formatDay(issuedAt)}. Anyone with its link
        can check that it’s valid.
      </p>
      {isCorrecting ? (
        <NameForm printed={certificate} onDone={() => setIsCorrecting(false)} />
      ) : (
        <div className="flex flex-wrap gap-3">
          <a
            ref={isNew && isCorrecting === null ? focusOnArrival : undefined}
            href={pdfUrl}
            download
            className={buttonStyle({ variant: "tag" })}
          >
            Download PDF
          </a>
          <a href={url} className={buttonStyle({ variant: "outline" })}>
            See its page
          </a>
          <Button variant="outline" onClick={() => share(url)}>
            Share
          </Button>
          {corrections > 0 && (
            <Button
              ref={isCorrecting === false ? focusOnArrival : undefined}
              variant="quiet"
              onClick={() => setIsCorrecting(true)}
            >
              Correct name
            </Button>
          )}
        </div>
      )}
      {corrections === 0 && (
        <p
          ref={isCorrecting === false ? focusOnArrival : undefined}
          tabIndex={-1}
          className="max-w-[62ch] text-fine text-ink-soft"
        >
          You’ve corrected your name twice. Contact us to change it again.
        </p>
      )}
    </>
  );
}

/** By the device's own dialog, else by copying the link. */
async function share(url: string): Promise<void> {
  try {
    if (navigator.share) return await navigator.share({ url });
  } catch (error) {
    if ((error as DOMException).name === "AbortError") return;
  }
  await copyLink(url);
}
