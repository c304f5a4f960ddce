import { useState } from "react";
import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { href } from "#contract/addresses.ts";
import {
  deleteLessonChange,
  editLessonChange,
  type LessonChange,
  listLessonChanges,
} from "#contract/admin/lesson-changes.ts";
import { ChangeText, kindWords, partWords } from "#contract/lesson-changes.ts";
import { Badge } from "#ui/badge.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import type { Column } from "#ui/table.tsx";
import { useActForm } from "../act-form.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { FormDialog } from "../form-dialog.tsx";
import { ListTable, useAdminList } from "../list.tsx";
import { Panel } from "../panel.tsx";
import { RowActions } from "../row-actions.tsx";
import { RowTitle } from "../row-title.tsx";
import { PartFields } from "./part-fields.tsx";

interface Asked {
  what: "edit" | "delete";
  change: LessonChange;
}

/** What students read about changes. Publishing adds to it. */
export function Changes() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const list = useAdminList<LessonChange, object>({
    endpoint: listLessonChanges,
    label: "Changes",
    what: "changes",
    columns: columnsFor(setAsked),
  });
  const close = () => setAsked(null);
  return (
    <Panel
      title="Changes"
      aside={
        <a href={href.changes()} className="min-h-9 content-center text-sm underline underline-offset-4">
          See the public page
        </a>
      }
    >
      <ListTable
        isBrief
        list={list}
        empty="No changes yet. When you publish another video or other captions, we’ll ask what changed."
      />
      {asked?.what === "edit" && <EditDialog change={asked.change} onClose={close} />}
      {asked?.what === "delete" && <DeleteDialog change={asked.change} onClose={close} />}
    </Panel>
  );
}

function columnsFor(onAsk: (asked: Asked) => void): readonly Column<LessonChange>[] {
  return [
    {
      key: "title",
      label: "Lesson",
      wide: true,
      cell: ({ lessonId, title, note, isPublic }) => (
        <RowTitle to={`/admin/content?edit=lesson.${lessonId}`} title={title}>
          {note || "No note"}
          {!isPublic && <span className="block">Not visible to students</span>}
        </RowTitle>
      ),
    },
    { key: "kind", label: "Kind", cell: ({ kind }) => <Badge>{kindWords[kind]}</Badge> },
    { key: "part", label: "Part", isDetail: true, cell: (change) => partWords(change) ?? "Whole lesson" },
    { key: "at", label: "Date", cell: ({ at }) => formatShortDay(at) },
    {
      key: "actions",
      label: "",
      cell: (change) => (
        <RowActions
          of={`the change of ${change.title}`}
          actions={[
            { label: "Edit note", onPress: () => onAsk({ what: "edit", change }) },
            { label: "Delete", isDangerous: true, onPress: () => onAsk({ what: "delete", change }) },
          ]}
        />
      ),
    },
  ];
}

interface DialogProps {
  change: LessonChange;
  onClose: () => void;
}

function EditDialog({ change: { id, title, kind, from, to, note }, onClose }: DialogProps) {
  const form = useActForm(ChangeText, {
    kept: `change ${id}`,
    saved: { from, to, note },
    send: (body) => api(editLessonChange, { params: { id }, body }),
    words: { done: "Change saved", failed: "Failed to save the change" },
    onDone: onClose,
  });
  const isNoteRequired = kind === "corrected" || kind === "replaced";
  return (
    <FormDialog
      title={`Edit the change of “${title}”`}
      description="The date stays as it is."
      confirm="Save"
      form={form}
      isIncomplete={isNoteRequired && form.value.note.trim() === ""}
      onClose={onClose}
    >
      <PartFields form={form} />
      <FormField
        form={form}
        name="note"
        label={isNoteRequired ? "Note" : "Note (optional)"}
        rows={3}
        required={isNoteRequired}
      />
    </FormDialog>
  );
}

function DeleteDialog({ change: { id, title }, onClose }: DialogProps) {
  return (
    <ConfirmDialog
      title={`Delete the change of “${title}”?`}
      description="Students will no longer see the note. The lesson stays as it is."
      confirm="Delete"
      isDangerous
      act={() => api(deleteLessonChange, { params: { id }, body: {} })}
      words={{ done: "Change deleted", failed: "Failed to delete the change" }}
      goneId={id}
      onClose={onClose}
    />
  );
}
