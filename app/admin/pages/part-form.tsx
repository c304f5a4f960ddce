import { useQueryClient } from "@tanstack/react-query";
import { ApiError, api } from "#app/api/api.ts";
import { type AcademyContent, draftCopy, previewUrl } from "#contract/admin/content.ts";
import type { Copy } from "#contract/copy.ts";
import { fieldsOf } from "#contract/entries.ts";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { contentQuery } from "../admin-queries.ts";
import { ChangeList } from "../audit/change-list.tsx";
import { Editor } from "../content/editor.tsx";
import { latest } from "../content/items.ts";
import { PartFields } from "./part-fields.tsx";
import { partTitles } from "./parts.ts";

interface PartFormProps {
  part: AcademyContent["copy"][number];
  content: AcademyContent;
}

/** What is written, and the version that it was made from. */
type Versioned = Copy & { version: string };

export function PartForm({ part: versions, content }: PartFormProps) {
  const queryClient = useQueryClient();
  const saved: Versioned = { ...latest(versions), version: versions.version };
  const { part } = saved;

  async function save({ version, ...copy }: Versioned): Promise<AcademyContent> {
    try {
      return await api(draftCopy, { query: { version }, body: trimmed(copy as Copy) });
    } catch (error) {
      // What somebody else has saved meanwhile is then shown beside this.
      if (error instanceof ApiError && error.status === 409) {
        void queryClient.invalidateQueries({ queryKey: contentQuery.queryKey });
      }
      throw error;
    }
  }

  return (
    <Editor title={partTitles[part]} name={`copy-${part}`} saved={saved} save={save}>
      {(editing) => (
        <>
          <p className="flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
            <a
              href={previewUrl(part)}
              target="_blank"
              rel="noreferrer"
              className={buttonStyle({ variant: "outline", size: "small" })}
            >
              Preview<span className="sr-only"> of {partTitles[part]}, in a new tab</span>
            </a>
            <span className="text-ink-soft">The page with all drafts as they are saved.</span>
          </p>
          {editing.value.version !== saved.version && (
            <Changed mine={editing.value} theirs={saved} onKeep={() => editing.change({ version: saved.version })} />
          )}
          <HowToWrite />
          <PartFields
            copy={{ ...editing, change: editing.change as never, nameOf: (field) => field }}
            content={content}
          />
        </>
      )}
    </Editor>
  );
}

/** Lines that are being typed may still be empty. */
function trimmed(copy: Copy): Copy {
  return "inShort" in copy ? { ...copy, inShort: copy.inShort.filter((line) => line.trim()) } : copy;
}

/** What somebody else saved since this was begun; who reads it decides whose words stay. */
function Changed({ mine, theirs, onKeep }: { mine: Versioned; theirs: Versioned; onKeep: () => void }) {
  const { version: _, ...written } = mine;
  const { version: __, ...found } = theirs;
  return (
    <section
      aria-label="Changed meanwhile"
      className="grid gap-3 rounded-sm border-2 border-danger bg-danger-soft p-4 text-sm"
    >
      <p className="font-semibold">
        Somebody has saved other words here since you began. Yours are kept in this browser; discard them, or keep them
        and save again.
      </p>
      <details>
        <summary>From your words to theirs</summary>
        <ChangeList before={fieldsOf(written)} after={fieldsOf(found)} />
      </details>
      <Button variant="outline" size="small" onClick={onKeep} className="justify-self-start">
        Keep mine
      </Button>
    </section>
  );
}

function HowToWrite() {
  return (
    <details className="rounded-sm bg-sunken px-4 py-2 text-sm">
      <summary className="min-h-8 content-center font-semibold">How to write</summary>
      <ul className="mt-1 mb-2 grid list-disc gap-1 pl-5 text-ink-soft">
        <li>
          <code>{"{academy}"}</code> becomes the academy’s name, <code>{"{refundDays}"}</code> its refund window, such
          as 7 days. Both are settings.
        </li>
        <li>
          In legal texts and answers an empty line begins a paragraph, <code>-</code> and a space an item of a list,{" "}
          <code>##</code> and a space a heading. <code>[words](https://…)</code> is a link, <code>{"{email}"}</code> the
          support address, and in the terms <code>{"{coaching:vip}"}</code> what Lifetime Access promises of 1-on-1
          coaching.
        </li>
      </ul>
    </details>
  );
}
