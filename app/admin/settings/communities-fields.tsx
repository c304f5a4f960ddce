import { type ReactNode, useId } from "react";
import type { FieldName } from "#app/editing/editing.ts";
import type { AcademySettings } from "#contract/academy.ts";
import type { Chat, Elsewhere } from "#contract/communities.ts";
import { Button } from "#ui/controls/button.tsx";
import { Checkbox, Field, Input, Textarea } from "#ui/controls/field.tsx";

type ErrorOf = (field: FieldName<AcademySettings>) => string | null;

interface CommunitiesFieldsProps {
  value: AcademySettings;
  change: (changes: Partial<AcademySettings>) => void;
  errorOf: ErrorOf;
}

/** The students' chat, their other communities, and the external sites that the course uses. */
export function CommunitiesFields({ value, change, errorOf }: CommunitiesFieldsProps) {
  const { chat, communities, externalSites } = value;
  return (
    <>
      <Checkbox
        label="The course invites to a chat of the students."
        checked={chat !== null}
        onChange={({ target }) => change({ chat: target.checked ? emptyChat : null })}
      />
      {chat && (
        <ChatFields chat={chat} change={(changes) => change({ chat: { ...chat, ...changes } })} errorOf={errorOf} />
      )}
      <Sites
        field="communities"
        title="Communities"
        hint="On the contact page, in the course and in the site map; at most 6."
        what="community"
        most={6}
        sites={communities}
        onChange={(communities) => change({ communities })}
        errorOf={errorOf}
      />
      <Sites
        field="externalSites"
        title="Sites that the course works with"
        hint="In the site map; at most 12."
        what="site"
        most={12}
        sites={externalSites}
        onChange={(externalSites) => change({ externalSites })}
        errorOf={errorOf}
      />
    </>
  );
}

const emptyChat: Chat = { title: "", sentence: "", action: "", url: "", channels: [] };
const emptySite: Elsewhere = { label: "", detail: "", url: "" };

interface ChatFieldsProps {
  chat: Chat;
  change: (changes: Partial<Chat>) => void;
  errorOf: ErrorOf;
}

function ChatFields({ chat, change, errorOf }: ChatFieldsProps) {
  const text = (field: Exclude<keyof Chat, "channels">, label: string, max: number) => (
    <Line
      label={label}
      name={`chat.${field}`}
      max={max}
      value={chat[field]}
      onChange={(written) => change({ [field]: written })}
      errorOf={errorOf}
    />
  );
  return (
    <>
      <p className="text-fine text-ink-soft">
        Once another chat is published, what the pages claim of the members of this one is taken off.
      </p>
      {text("title", "Title of the invitation", 60)}
      <Field label="Invitation" name="chat.sentence" error={errorOf("chat.sentence")}>
        <Textarea
          rows={3}
          maxLength={400}
          value={chat.sentence}
          onChange={({ target }) => change({ sentence: target.value })}
        />
      </Field>
      {text("action", "Words on the button", 40)}
      {text("url", "Address of the chat", 500)}
      <Entries
        title="Channels"
        hint="What goes on there; at most 6."
        what="channel"
        most={6}
        entries={chat.channels}
        empty={{ name: "", about: "" }}
        onChange={(channels) => change({ channels })}
      >
        {(channel, set, index) => (
          <>
            <Line
              label={`Name of channel ${index + 1}`}
              name={`chat.channels.${index}.name`}
              max={30}
              value={channel.name}
              onChange={(name) => set({ name })}
              errorOf={errorOf}
            />
            <Line
              label={`About channel ${index + 1}`}
              name={`chat.channels.${index}.about`}
              max={120}
              value={channel.about}
              onChange={(about) => set({ about })}
              errorOf={errorOf}
            />
          </>
        )}
      </Entries>
    </>
  );
}

interface SitesProps {
  field: "communities" | "externalSites";
  title: string;
  hint: string;
  what: string;
  most: number;
  sites: readonly Elsewhere[];
  onChange: (sites: Elsewhere[]) => void;
  errorOf: ErrorOf;
}

function Sites({ field, sites, onChange, errorOf, ...list }: SitesProps) {
  const parts = [
    { part: "label", label: "Name of", max: 60 },
    { part: "detail", label: "About", max: 160 },
    { part: "url", label: "Address of", max: 500 },
  ] as const;
  return (
    <Entries {...list} entries={sites} empty={emptySite} onChange={onChange}>
      {(site, set, index) =>
        parts.map(({ part, label, max }) => (
          <Line
            key={part}
            label={`${label} ${list.what} ${index + 1}`}
            name={`${field}.${index}.${part}`}
            max={max}
            value={site[part]}
            onChange={(written) => set({ [part]: written })}
            errorOf={errorOf}
          />
        ))
      }
    </Entries>
  );
}

interface EntriesProps<Entry> {
  title: string;
  hint: string;
  /** What an entry is called. */
  what: string;
  most: number;
  entries: readonly Entry[];
  empty: Entry;
  onChange: (entries: Entry[]) => void;
  children: (entry: Entry, set: (changes: Partial<Entry>) => void, index: number) => ReactNode;
}

/** A list whose entries can be added at its end and removed. */
function Entries<Entry extends object>(props: EntriesProps<Entry>) {
  const { title, hint, what, most, entries, empty, onChange, children } = props;
  const id = useId();
  return (
    <fieldset aria-describedby={id} className="grid min-w-0 gap-3">
      <legend className="float-left w-full font-bold text-sm">{title}</legend>
      <p id={id} className="text-fine text-ink-soft">
        {hint}
      </p>
      {entries.map((entry, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and keep their order
          key={index}
          aria-label={`${what} ${index + 1}`}
          className="grid min-w-0 gap-3 rounded-sm border border-line-strong p-3 sm:p-4"
        >
          {children(entry, (changes) => onChange(entries.with(index, { ...entry, ...changes })), index)}
          <Button
            variant="quiet"
            size="small"
            className="justify-self-start"
            onClick={() => onChange(entries.toSpliced(index, 1))}
          >
            Remove {what} {index + 1}
          </Button>
        </fieldset>
      ))}
      {entries.length < most && (
        <Button
          variant="outline"
          size="small"
          className="justify-self-start"
          onClick={() => onChange([...entries, empty])}
        >
          Add a {what}
        </Button>
      )}
    </fieldset>
  );
}

interface LineProps {
  label: string;
  name: FieldName<AcademySettings>;
  max: number;
  value: string;
  onChange: (written: string) => void;
  errorOf: ErrorOf;
}

function Line({ label, name, max, value, onChange, errorOf }: LineProps) {
  return (
    <Field label={label} name={name} error={errorOf(name)}>
      <Input maxLength={max} value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
}
