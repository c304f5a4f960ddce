import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { catalogueQuery } from "#app/access/catalogue-query.ts";
import { api } from "#app/api/api.ts";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import { FormField } from "#app/editing/form-field.tsx";
import { SaveBar } from "#app/editing/save-bar.tsx";
import { type Written, within } from "#app/editing/written.ts";
import {
  type Announcement,
  AnnouncementText,
  type Audience,
  audienceOf,
  changeAnnouncement,
  createAnnouncement,
  deleteAnnouncement,
  filterIn,
  sendAnnouncement,
} from "#contract/admin/announcements.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Select } from "#ui/controls/field.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { formatCountOf } from "#ui/format/numbers.ts";
import { useActForm } from "../act-form.ts";
import { peopleWords } from "../batches/batch-words.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { useLessonTitles, userFields } from "../users/user-filter.ts";
import { useRecipientCount, useShown, useTest } from "./announcement-queries.ts";
import { audienceWords } from "./announcement-words.ts";
import { AudiencePanel } from "./audience-panel.tsx";
import { blank, draftName, inWords, textOf } from "./draft.ts";
import { ScheduleDialog } from "./scheduled.tsx";
import { PreviewLink } from "./text.tsx";

interface DraftEditorProps {
  /** Null for a new announcement. */
  saved: Announcement | null;
  /** The preselected audience of a new announcement, if there is one. */
  to: Audience | null;
  /** Whether it was created right now, so that its button to save replaces the one that was pressed. */
  isCreated: boolean;
  onSaved: (saved: Announcement) => void;
  onGone: () => void;
}

/** Edits a draft. Unsaved input stays in this browser, and only the saved version is tested and sent. */
export function DraftEditor({ saved, to, isCreated, onSaved, onGone }: DraftEditorProps) {
  const show = useShown();
  const form = useActForm(AnnouncementText, {
    kept: draftName(saved?.id ?? to ?? "new"),
    saved: saved ? { ...textOf(saved), version: saved.version } : { ...blank, audience: to ?? "everybody" },
    send: (body, version) =>
      saved
        ? api(changeAnnouncement, { params: { id: saved.id }, query: { version }, body })
        : api(createAnnouncement, { body }),
    asks: { "button.url": "Enter a link or clear the button label." },
    words: { done: "Draft saved", failed: "Failed to save the draft" },
    onDone(kept) {
      show(kept);
      onSaved(kept);
    },
  });
  const { audience, toTeam } = form.value;
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="grid gap-6">
        <form {...form.frame} className="grid gap-5">
          {/* Disabled while saving, because success discards the input, including what is typed meanwhile. */}
          <fieldset disabled={form.isSending} className="grid min-w-0 gap-5">
            <Field
              name="audience"
              label="To"
              hint="To write to other people, filter the list of users and choose “Send an announcement” there."
              error={form.faults.audience}
            >
              <Select value={audience} onChange={({ target }) => form.change({ audience: target.value as Audience })}>
                <AudienceOptions saved={saved} selected={[to, saved?.audience, audience]} />
              </Select>
            </Field>
            <FormField form={form} name="toTeam" label="Also send to the team" />
            <FormField form={form} name="subject" label="Subject" autoComplete="off" />
            <FormField
              form={form}
              name="text"
              label="Text"
              hint="You can use Markdown, such as **bold**. An empty line starts a new paragraph. The email starts with “Hello” and the first name, and ends with a link to unsubscribe."
              rows={12}
            />
            <ButtonFields form={form} />
            <ChangedMeanwhile form={form} describe={inWords} />
          </fieldset>
          <SaveBar
            form={form}
            save="Save draft"
            otherwise={saved ? "No unsaved changes" : "Nothing entered yet"}
            hasFocus={isCreated}
          />
        </form>
        {saved && <DraftActions saved={saved} isChanged={form.isChanged} onGone={onGone} />}
      </div>
      <AudiencePanel key={`${audience} ${toTeam}`} audience={audience} toTeam={toTeam} />
    </div>
  );
}

/** The button under the text. Without a label and an address there is none. */
function ButtonFields({ form }: { form: Written<AnnouncementText> }) {
  const value = form.value.button ?? { label: "", url: "" };
  const button: Written<typeof value> = {
    ...within(form, "button"),
    value,
    change(changes) {
      const { label, url } = { ...value, ...changes };
      form.change({ button: label || url ? { label, url } : null });
    },
  };
  const shared = { form: button, autoComplete: "off", required: form.value.button !== null };
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <FormField {...shared} name="label" label="Button label" hint="Shown under the text. Leave empty for none." />
      <FormField {...shared} name="url" label="Button link" hint="A full address, such as https://example.com" />
    </div>
  );
}

/** The filters of the list of users that are offered here. Any other one comes from that list. */
const offered = {
  tier: ["basic", "premium", "vip", "none"],
  status: ["active", "on_hold"],
  show: ["renewal-declined", "ends-soon", "former"],
} as const;

interface AudienceOptionsProps {
  saved: Announcement | null;
  selected: readonly (Audience | null | undefined)[];
}

function AudienceOptions({ saved, selected }: AudienceOptionsProps) {
  const { data = [] } = useQuery(catalogueQuery);
  const titles = useLessonTitles();
  const fields = userFields();
  const groups = [
    ...(["tier", "status", "show"] as const).map((name) => {
      const options: Readonly<Record<string, string>> = fields[name].options;
      const entries = offered[name].map((value) => [audienceOf({ [name]: value }), options[value]] as const);
      return { label: fields[name].label, entries };
    }),
    ...data.map(({ title, lessons }) => ({
      label: `Stopped at a lesson of “${title}”`,
      entries: lessons.map(
        (lesson) => [audienceOf({ progress: "stopped-at", lesson: lesson.id }), lesson.title] as const,
      ),
    })),
  ];
  const known = new Set(["everybody", ...groups.flatMap(({ entries }) => entries.map(([audience]) => audience))]);
  const others = new Set(selected.filter((audience) => audience && !known.has(audience)) as Audience[]);
  return (
    <>
      {[...others].map((audience) => (
        <option key={audience} value={audience}>
          {audienceWords(
            audience,
            audience === saved?.audience ? saved.lessonTitle : titles?.[filterIn(audience)?.lesson ?? ""],
          )}
        </option>
      ))}
      <option value="everybody">Everybody</option>
      {groups.map(({ label, entries }) => (
        <optgroup key={label} label={label}>
          {entries.map(([audience, words]) => (
            <option key={audience} value={audience}>
              {words}
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
  const [asked, setAsked] = useState<"send" | "schedule" | "delete" | null>(null);
  const test = useTest(saved.id);
  const total = useRecipientCount(saved);
  return (
    <div className="grid gap-3 border-line border-t pt-6">
      {isChanged && <p className="text-ink-soft text-sm">Save the draft before you preview, test or send it.</p>}
      <div className="flex flex-wrap gap-3">
        {!isChanged && <PreviewLink id={saved.id} />}
        <Button variant="outline" disabled={isChanged} pending={test.isPending} onClick={() => test.mutate()}>
          Send a test to me
        </Button>
        <Button variant="tag" disabled={isChanged || !total} onClick={() => setAsked("send")}>
          Send to {total === null ? "…" : peopleWords(total)}
        </Button>
        <div className="flex items-center gap-1">
          <Button variant="outline" disabled={isChanged || !total} onClick={() => setAsked("schedule")}>
            Schedule
          </Button>
          <Menu label="More actions for this draft">
            <MenuItem isDangerous onSelect={() => setAsked("delete")}>
              Delete draft
            </MenuItem>
          </Menu>
        </div>
      </div>
      {asked === "send" && total !== null && <SendDialog saved={saved} total={total} onClose={() => setAsked(null)} />}
      {asked === "schedule" && <ScheduleDialog announcement={saved} onClose={() => setAsked(null)} />}
      {asked === "delete" && <DeleteDialog saved={saved} onGone={onGone} onClose={() => setAsked(null)} />}
    </div>
  );
}

function SendDialog({ saved, total, onClose }: { saved: Announcement; total: number; onClose: () => void }) {
  const show = useShown();
  const minutes = Math.max(1, Math.ceil(total / 300));
  const { id, version } = saved;
  return (
    <ConfirmDialog
      title={`Send “${saved.subject}” to ${peopleWords(total)}?`}
      description={`The first email goes out in a minute, and sending takes about ${formatCountOf(minutes, "minute")}. You can stop it at any time, but you can’t take back emails that have been sent.`}
      confirm="Send"
      act={() => api(sendAnnouncement, { params: { id }, query: { version }, body: { recipients: total } })}
      words={{ done: "It goes out in a minute", failed: "Failed to send it" }}
      onDone={(sending) => {
        show(sending);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ saved, onGone, onClose }: { saved: Announcement; onGone: () => void; onClose: () => void }) {
  const { id, version } = saved;
  return (
    <ConfirmDialog
      title={`Delete “${saved.subject}”?`}
      description="It hasn’t been sent. You can’t undo this."
      confirm="Delete draft"
      isDangerous
      act={() => api(deleteAnnouncement, { params: { id }, query: { version }, body: {} })}
      words={{ done: "Draft deleted", failed: "Failed to delete the draft" }}
      goneId={id}
      onDone={onGone}
      onClose={onClose}
    />
  );
}
