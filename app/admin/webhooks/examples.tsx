import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import { callsAt, receiver } from "./example-code.ts";

export function Examples() {
  return (
    <details className="min-w-0">
      <summary className="w-fit cursor-pointer py-2 font-bold text-xl leading-tight">For developers</summary>
      <div className="mt-4 grid min-w-0 gap-8">
        <Code
          title="Call the academy with a token"
          code={callsAt(window.location.origin)}
          hint={
            <>
              You can send up to 60 requests a minute. Never put a token in a URL.{" "}
              <a href="/api/openapi.json" className="underline underline-offset-4">
                See all API calls (OpenAPI).
              </a>
            </>
          }
        />
        <Code
          title="Receive webhooks"
          code={receiver}
          hint="Save this as receiver.mjs with your webhook’s secret, and start it with Node. It checks that a webhook comes from your academy. Libraries for other languages follow the same Standard Webhooks specification."
        />
      </div>
    </details>
  );
}

function Code({ title, code, hint }: { title: string; code: string; hint: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <h2 className="font-bold">{title}</h2>
        <CopyButton size="small" text={code} aria-label={`Copy: ${title}`}>
          Copy
        </CopyButton>
      </div>
      <p className="max-w-[64ch] text-ink-soft text-sm">{hint}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard */}
      <pre tabIndex={0} className="overflow-auto rounded-sm border border-line bg-canvas p-3 text-fine">
        {code}
      </pre>
    </div>
  );
}
