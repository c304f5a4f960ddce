import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type FocusEvent, useState } from "react";
import { api } from "#app/api/api.ts";
import { faultsOf } from "#app/editing/faults.ts";
import { Fields } from "#app/editing/fields.tsx";
import type { Versioned } from "#app/editing/use-form-of.ts";
import { useSettled } from "#app/editing/use-settled.ts";
import { draftEmail, previewEmail, publishContent } from "#contract/admin/content.ts";
import { type EmailTexts, EmailTextsLike } from "#contract/email-texts.ts";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { useAct } from "../act.ts";
import { Editor } from "../content/editor.tsx";
import { latest, versioned } from "../content/items.ts";
import { type AutomaticEmail, emailLabels, isOriginal } from "./email-labels.ts";

/** Edits an email's texts beside a preview, which shows the text that has the focus. */
export function EmailForm({ email }: { email: AutomaticEmail }) {
  const { id, name, sent, originals } = email;
  const [shown, show] = useState<string | null>(null);
  const labels = emailLabels(email);
  const schema = EmailTextsLike(originals);
  const follow = ({ target }: FocusEvent) => {
    const field = target.getAttribute("name");
    if (field && field in originals) show(field);
  };
  return (
    <Editor
      title={name}
      schema={schema}
      name={`email-${id}`}
      labels={labels}
      saved={versioned<EmailTexts>(email)}
      buttons={({ isChanged, isSending }) => <Publish email={email} isIdle={isChanged || isSending} />}
      save={(body, version = "") => api(draftEmail, { params: { id }, query: { version }, body })}
    >
      {(form) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the preview follows the focus of the fields
        <div className="grid items-start gap-8 xl:grid-cols-2" onFocus={follow}>
          <div className="grid min-w-0 gap-5">
            <p className="max-w-[64ch] text-ink-soft text-sm">
              Sent {sent.charAt(0).toLowerCase() + sent.slice(1)} We fill in the facts in braces, such as the student’s
              plan. You can’t change the greeting, tables, buttons, links, or the terms of renewals and refunds.
            </p>
            <Outdated email={email} isChanged={form.isChanged} />
            <Fields form={{ ...form, faults: { ...lostIn(schema, form.value), ...form.faults } }} labels={labels} />
            <Button
              variant="outline"
              size="small"
              className="w-fit"
              disabled={isOriginal(email, form.value)}
              onClick={() => form.change(originals)}
            >
              Reset to the original
            </Button>
          </div>
          <Preview
            id={id}
            texts={Object.fromEntries(Object.keys(originals).map((one) => [one, form.value[one] ?? ""]))}
            shown={shown}
          />
        </div>
      )}
    </Editor>
  );
}

/** What is wrong with a text while it is typed, such as a placeholder that got lost. */
function lostIn(schema: ReturnType<typeof EmailTextsLike>, { version: _, ...texts }: Versioned<EmailTexts>) {
  return Object.fromEntries(Object.entries(faultsOf(schema, texts)).filter(([name]) => texts[name] !== ""));
}

/** Publishes this email's saved draft. */
function Publish({ email: { id, draft, version }, isIdle }: { email: AutomaticEmail; isIdle: boolean }) {
  const publish = useAct(() => api(publishContent, { body: { only: [{ kind: "email", id, version }] } }), {
    done: "Published. New emails use this wording.",
    failed: "Failed to publish",
  });
  return (
    <Button variant="tag" idle={isIdle || !draft} pending={publish.isPending} onClick={() => publish.mutate()}>
      Publish
    </Button>
  );
}

/** Published and drafted texts that an update has made unusable. */
function Outdated({ email, isChanged }: { email: AutomaticEmail; isChanged: boolean }) {
  const { id, version, draft, outdated } = email;
  const draftOriginals = useAct(() => api(draftEmail, { params: { id }, query: { version }, body: latest(email) }), {
    done: "Draft saved",
    failed: "Failed to save the draft",
  });
  const texts = Object.values(outdated);
  if (texts.length === 0) return null;
  return (
    <div className="rounded-sm bg-kraft-soft px-4 py-3 text-sm">
      <p>
        An update changed the facts in this email, so we can’t use your wording below. Reword the original, or use it as
        it is. This note disappears when you publish this email.
      </p>
      {texts.map((text) => (
        <p key={text} className="mt-2 wrap-anywhere">
          “{text}”
        </p>
      ))}
      {!draft && !isChanged && (
        <Button
          variant="outline"
          size="small"
          className="mt-3"
          pending={draftOriginals.isPending}
          onClick={() => draftOriginals.mutate()}
        >
          Use the original
        </Button>
      )}
    </div>
  );
}

interface PreviewProps {
  id: string;
  texts: EmailTexts;
  shown: string | null;
}

function Preview({ id, texts, shown }: PreviewProps) {
  const settled = useSettled(JSON.stringify({ texts, shown }));
  const { data, isPending, refetch } = useQuery({
    // Not below "admin": each change refetches those queries.
    queryKey: ["preview-email", id, settled],
    queryFn: ({ signal }) => api(previewEmail, { params: { id }, body: JSON.parse(settled), signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <section aria-label="Preview" className="grid min-w-0 gap-1.5 xl:sticky xl:top-6">
      <p className="font-bold text-sm">Preview</p>
      <p className="text-fine text-ink-soft">Example data. The preview follows the field you’re editing.</p>
      {data ? (
        <>
          <p className="text-sm wrap-anywhere">
            Subject: <strong>{data.subject}</strong>
          </p>
          <iframe
            title="The email"
            sandbox=""
            srcDoc={data.html}
            className="h-[calc(100dvh-10rem)] max-h-200 min-h-100 w-full rounded-md border border-line-strong bg-canvas"
          />
        </>
      ) : isPending ? (
        <PartLoading what="the preview" />
      ) : (
        <PartFailed what="the preview" retry={refetch} />
      )}
    </section>
  );
}
