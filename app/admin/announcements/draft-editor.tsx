import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Faults, useForm } from "#app/api/use-form.ts";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import { type Announcement, type Audience, announcementPreviewPath } from "#contract/admin/announcements.ts";
import { tierLabels, tiers } from "#contract/tiers.ts";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { Field, Input, Select, Textarea } from "#ui/controls/field.tsx";
import { ActionDialog } from "../action-dialog.tsx";
import { contentQuery } from "../admin-queries.ts";
import { latest, lessonsOf } from "../content/items.ts";
import { audienceQuery, useDelete, useSave, useSend, useTest } from "./announcement-queries.ts";
import { audienceStateWords, countWords } from "./announcement-words.ts";
import { AudiencePanel } from "./audience-panel.tsx";
import { inWords, type Typed, textOf, typedOf, useTyped } from "./typed.ts";

interface DraftEditorProps {
  /** Null for a new announcement. */
  saved: Announcement | null;
  /** The preselected audience of a new announcement, if there is one. */
  to: Audience | null;
  onSaved: (saved: Announcement) => void;
  onGone: () => void;
}

/** Edits a draft. Unsaved input stays in this browser, and only the saved version is tested and sent. */
export function DraftEditor({ saved, to, onSaved, onGone }: DraftEditorProps) {
  const asSaved = typedOf(saved, to);
  const { value, isChanged, change, discard } = useTyped(saved?.id ?? to ?? "new", asSaved);
  const save = useSave(
    saved?.id ?? null,
    (kept) => {
      discard();
      onSaved(kept);
    },
    (faults) => form.show(faults),
  );
  const form = useForm({ check: () => faultsOf(value), send: () => save.mutateAsync(textOf(value)) });
  const set = (part: Partial<Typed>) => change({ ...value, ...part });
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="grid gap-6">
        <form {...form.frame} className="grid gap-5">
          {/* Disabled while saving, because success discards the input, including what is typed meanwhile. */}
          <fieldset disabled={form.isSending} className="grid min-w-0 gap-5">
            <Field name="audience" label="To" error={form.faults.audience}>
              <Select value={value.audience} onChange={({ target }) => set({ audience: target.value as Audience })}>
                <AudienceOptions selected={[to, saved?.audience]} />
              </Select>
            </Field>
            <Field name="subject" label="Subject" error={form.faults.subject}>
              <Input
                maxLength={120}
                autoComplete="off"
                value={value.subject}
                onChange={({ target }) => set({ subject: target.value })}
              />
            </Field>
            <Field
              name="text"
              label="Text"
              hint="Plain text, each line a paragraph. It begins with “Hello” and the first name, and ends with a link that unsubscribes."
              error={form.faults.text}
            >
              <Textarea
                rows={12}
                maxLength={5000}
                value={value.text}
                onChange={({ target }) => set({ text: target.value })}
              />
            </Field>
            <div className="grid gap-5 sm:grid-cols-2">
              <Field
                name="button.label"
                label="Button"
                hint="Under the text; empty: none"
                error={form.faults["button.label"]}
              >
                <Input
                  maxLength={60}
                  autoComplete="off"
                  value={value.label}
                  onChange={({ target }) => set({ label: target.value })}
                />
              </Field>
              <Field name="button.url" label="Leads to" hint="A whole address" error={form.faults["button.url"]}>
                <Input
                  maxLength={500}
                  inputMode="url"
                  autoComplete="off"
                  value={value.url}
                  onChange={({ target }) => set({ url: target.value })}
                />
              </Field>
            </div>
            <ChangedMeanwhile
              written={value}
              saved={asSaved}
              onKeep={() => set({ version: asSaved.version })}
              onDiscard={discard}
              describe={inWords}
            />
          </fieldset>
          <div className="flex flex-wrap gap-3">
            <Button type="submit" pending={form.isSending} disabled={!isChanged}>
              Save draft
            </Button>
            {isChanged && (
              <Button variant="quiet" disabled={form.isSending} onClick={discard}>
                Discard changes
              </Button>
            )}
          </div>
        </form>
        {saved && <DraftActions saved={saved} isChanged={isChanged} onGone={onGone} />}
      </div>
      <AudiencePanel key={value.audience} audience={value.audience} />
    </div>
  );
}

function faultsOf(typed: Typed): Faults {
  const { button } = textOf(typed);
  const needed = { subject: typed.subject, text: typed.text, ...(button && { "button.label": button.label }) };
  const missing = Object.entries(needed).filter(([, value]) => !value.trim());
  const faults: Faults = Object.fromEntries(missing.map(([name]) => [name, "Required"]));
  if (button && !/^https?:/.test(button.url)) faults["button.url"] = "A whole address, such as https://example.com";
  return faults;
}

function AudienceOptions({ selected }: { selected: readonly (Audience | null | undefined)[] }) {
  const { data } = useQuery(contentQuery);
  const selection = selected.find((audience) => audience?.startsWith("selection:"));
  return (
    <>
      {selection && <option value={selection}>Selected people</option>}
      <option value="everybody">Everybody</option>
      <optgroup label="Plan">
        {tiers.map((tier) => (
          <option key={tier} value={`tier:${tier}`}>
            {tierLabels[tier]}
          </option>
        ))}
        <option value="tier:none">Without a plan</option>
      </optgroup>
      <optgroup label="State">
        {Object.entries(audienceStateWords).map(([state, words]) => (
          <option key={state} value={`state:${state}`}>
            {words}
          </option>
        ))}
      </optgroup>
      {data?.modules.map((module) => (
        <optgroup key={module.id} label={`Stopped at a lesson of “${latest(module).title}”`}>
          {lessonsOf(data, module.id).map((lesson) => (
            <option key={lesson.id} value={`stopped-at:${lesson.id}`}>
              {latest(lesson).title}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  );
}

interface DraftActionsProps {
  saved: Announcement;
  isChanged: boolean;
  onGone: () => void;
}

function DraftActions({ saved, isChanged, onGone }: DraftActionsProps) {
  const [asked, setAsked] = useState<"send" | "delete" | null>(null);
  const test = useTest(saved.id);
  const { data } = useQuery(audienceQuery(saved.audience, undefined));
  const total = data?.total ?? 0;
  return (
    <div className="grid gap-3 border-line border-t pt-6">
      {isChanged && <p className="text-ink-soft text-sm">Save the draft before it is looked at, tried or sent.</p>}
      <div className="flex flex-wrap gap-3">
        {!isChanged && (
          <a
            href={announcementPreviewPath.replace("{id}", saved.id)}
            target="_blank"
            rel="noreferrer"
            className={buttonStyle({ variant: "outline" })}
          >
            Preview <span className="sr-only">in a new tab</span>
          </a>
        )}
        <Button variant="outline" disabled={isChanged} pending={test.isPending} onClick={() => test.mutate()}>
          Send a test to me
        </Button>
        <Button variant="tag" disabled={isChanged || total === 0} onClick={() => setAsked("send")}>
          Send to {countWords(total, "person", "people")}
        </Button>
        <Button variant="quiet" onClick={() => setAsked("delete")}>
          Delete draft
        </Button>
      </div>
      {asked === "send" && <SendDialog saved={saved} total={total} onClose={() => setAsked(null)} />}
      {asked === "delete" && <DeleteDialog saved={saved} onGone={onGone} onClose={() => setAsked(null)} />}
    </div>
  );
}

function SendDialog({ saved, total, onClose }: { saved: Announcement; total: number; onClose: () => void }) {
  const send = useSend(saved, onClose);
  const form = useForm({ send: () => send.mutateAsync(total) });
  const minutes = Math.max(1, Math.ceil(total / 300));
  return (
    <ActionDialog
      title={`Send “${saved.subject}” to ${countWords(total, "person", "people")}?`}
      description={`The list is fixed now. The first mail goes out in a minute, all of them take about ${countWords(minutes, "minute", "minutes")}. Until then it can be stopped; what is sent cannot be taken back.`}
      confirm="Send"
      form={form}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ saved, onGone, onClose }: { saved: Announcement; onGone: () => void; onClose: () => void }) {
  const remove = useDelete(saved, onGone);
  const form = useForm({ send: () => remove.mutateAsync() });
  return (
    <ActionDialog
      title={`Delete “${saved.subject}”?`}
      description="The draft is gone then. Nothing of it was sent."
      confirm="Delete draft"
      isDangerous
      form={form}
      onClose={onClose}
    />
  );
}
