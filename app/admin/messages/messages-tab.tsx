import { useMutation, useQueryClient } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import type { z } from "zod";
import { api } from "#app/api/api.ts";
import {
  type AdminContact,
  type ContactFilter,
  type ContactState,
  countContacts,
  listContacts,
  type Marked,
  markContact,
  markContacts,
  maxMarked,
} from "#contract/admin/contacts.ts";
import { Button } from "#ui/controls/button.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import { type RowSelection, Tick } from "#ui/table.tsx";
import { useAct } from "../act.ts";
import { useAddress } from "../address.ts";
import { ExportButton } from "../export-button.tsx";
import { ListFilters, ListRows, useAdminList } from "../list.tsx";
import { openerId, useRowFocus } from "../row-focus.ts";
import { useSelection } from "../selection.ts";
import { SelectionBar } from "../selection-bar.tsx";
import { MessageThread } from "./message-thread.tsx";
import { StateBadge } from "./state-badge.tsx";
import { UndoMarks, useMarked } from "./undo-marks.tsx";

/** The contact form's inbox: the list, and the open message beside it, or on a phone instead of it. */
export function MessagesTab() {
  const { read } = useAddress();
  const list = useAdminList<AdminContact, z.input<typeof ContactFilter>>({
    endpoint: listContacts,
    count: countContacts,
    label: "Messages",
    what: "messages",
    fields: {
      search: { search: "Search messages" },
      state: {
        label: "State",
        any: "Any state",
        options: { unanswered: "To answer", new: "New", open: "Open", answered: "Answered" },
      },
    },
  });
  const openId = read("message");
  const shown = useRowFocus(openId);
  const selected = useSelection(list, { nameOf: nameOfMessage, most: maxMarked });
  const marked = useMarked();
  return (
    <div
      ref={marked.frame}
      tabIndex={-1}
      className={cx("grid items-start gap-8 outline-none", openId && "xl:grid-cols-[minmax(20rem,5fr)_7fr]")}
    >
      <UndoMarks marked={marked} />
      <div className={cx("min-w-0", openId && "max-xl:hidden")}>
        <ListFilters list={list}>
          <ExportButton list="contacts" body={{ filter: list.values }} />
        </ListFilters>
        <ListRows list={list}>
          {(messages, isStale) => (
            <MessageList messages={messages} openId={openId} selection={selected.rows} isStale={isStale} />
          )}
        </ListRows>
        <SelectionBar list={list} selected={selected} canSelectAll={false}>
          <MarkButtons
            ids={selected.ids}
            onDone={(reply) => {
              selected.clear();
              marked.keep(reply);
            }}
          />
          <ExportButton list="contacts" body={selected.selection} of="the selection" size="small" />
        </SelectionBar>
      </div>
      {openId && (
        <div ref={shown} tabIndex={-1}>
          <MessageThread key={openId} contactId={openId} onMarked={marked.keep} />
        </div>
      )}
    </div>
  );
}

interface MessageListProps {
  messages: readonly AdminContact[];
  openId: string;
  selection: RowSelection<AdminContact>;
  isStale: boolean;
}

function nameOfMessage({ name, createdAt }: AdminContact): string {
  return `the message of ${name}, ${formatShortDay(createdAt)}`;
}

const marks = [
  ["open", "Mark as open"],
  ["answered", "Mark as answered"],
] as const;

function MarkButtons({ ids, onDone }: { ids: readonly string[]; onDone: (marked: Marked) => void }) {
  const mark = useAct(
    (state: ContactState) => api(markContacts, { body: { contactIds: [...ids], state } }),
    { done: ({ message }) => message, failed: "Failed to mark the messages" },
    onDone,
  );
  return marks.map(([state, words]) => (
    <Button key={state} variant="outline" size="small" pending={mark.isPending} onClick={() => mark.mutate(state)}>
      {words}
    </Button>
  ));
}

function MessageList({ messages, openId, selection, isStale }: MessageListProps) {
  const { write } = useAddress();
  const opening = useOpening();

  function open({ id, state }: AdminContact): void {
    write({ message: id });
    if (state === "new") opening.mutate(id);
  }

  return (
    <ul aria-label="Messages" aria-busy={isStale} className={cx("border-ink border-t-2", isStale && "opacity-60")}>
      {messages.map((message) => (
        <li
          key={message.id}
          className={cx(
            "flex border-line border-b has-[[aria-current]]:bg-sunken",
            selection.isSelected(message) && "bg-sunken",
          )}
        >
          <span className="pt-1">
            <Tick
              label={`Select ${selection.nameOf(message)}`}
              checked={selection.isSelected(message)}
              onChange={(isSelected) => selection.onSelect([message], isSelected)}
            />
          </span>
          <button
            id={openerId(message.id)}
            type="button"
            aria-current={message.id === openId || undefined}
            onClick={() => open(message)}
            className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-1 px-2 py-3 text-left text-sm hover:bg-sunken/50 focus-visible:-outline-offset-2"
          >
            <span className="flex items-baseline justify-between gap-4">
              <span className={cx("min-w-0 truncate", message.state === "new" && "font-bold")}>{message.name}</span>
              <span className="shrink-0 text-fine text-ink-soft">{formatShortDay(message.createdAt)}</span>
            </span>
            <span className="line-clamp-2 text-ink-soft wrap-anywhere">{message.message}</span>
            <span className="mt-1">
              <StateBadge message={message} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Marks a new message as open when an administrator opens it. A failure is not worth disturbing the reader. */
function useOpening() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (contactId: string) => api(markContact, { body: { contactId, state: "open" } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["admin"] }),
  });
}
