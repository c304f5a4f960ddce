import { type FormEvent, type ReactNode, useState } from "react";
import { faultsIn, isOutdated, messageOf } from "#app/api/api.ts";
import { Meanwhile } from "#app/editing/changed-meanwhile.tsx";
import { useSentDraft } from "#app/editing/sent-draft.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { maxPostLength, maxTitleLength, minTitleLength, type QuestionThread } from "#contract/questions.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input, Textarea } from "#ui/controls/field.tsx";

export interface Words {
  /** Null in an answer. */
  title: string | null;
  text: string;
  /** The second of the lesson that a new question is about. */
  at: number | null;
  /** The post that is edited. */
  version?: string | undefined;
}

interface PostFormProps {
  /** The form's accessible name. */
  label: string;
  /** Of the draft in this browser. */
  name: string;
  saved: Words;
  /** Must be safe to repeat. */
  send: (words: Words, id: string) => Promise<QuestionThread>;
  /** What was changed is gone, or has changed elsewhere. */
  onOutdated?: () => void;
  onSaved: (thread: QuestionThread) => void;
  /** The button that opens the form; without it, the form is open. */
  opener?: string;
  /** Shows a button that closes the form. */
  onCancel?: () => void;
  submit: string;
  textLabel: string;
  /** Returns the player's position, for questions that can name a second. */
  now?: (() => number) | null;
  /** Shown below the title. */
  besideTitle?: (title: string) => ReactNode;
}

/** Writes or changes a question or an answer. */
export function PostForm({ label, name, saved, send, onSaved, onCancel, submit, textLabel, ...more }: PostFormProps) {
  const { now = null, besideTitle, opener, onOutdated } = more;
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  const [faults, setFaults] = useState<Partial<Record<string, string>>>({});
  const draft = useSentDraft({
    name,
    saved: { ...saved, at: saved.at ?? openedAt },
    send,
    onSent: (thread) => {
      close();
      onSaved(thread);
    },
    onRefused: (error) => {
      if (isOutdated(error)) onOutdated?.();
      const found = faultsIn(error);
      const other = messageOf(error, "This wasn’t saved. Please try again.");
      setFaults(found.title || found.text ? found : { form: other });
      return null;
    },
  });
  // A draft of an earlier visit opens the form.
  const [isOpen, setIsOpen] = useState(!opener || draft.isChanged);
  // The button that opened it is gone, here or where it is changed.
  const [wasOpened, setWasOpened] = useState(!opener);
  const first = wasOpened ? focusOnce : null;
  const { title, text, at, version } = draft.value;
  const isOvertaken = draft.isChanged && version !== saved.version;

  function open(): void {
    // Who has not begun to watch means no moment.
    setOpenedAt((now && Math.floor(now())) || null);
    setIsOpen(true);
    setWasOpened(true);
  }

  function close(): void {
    setFaults({});
    setIsOpen(!opener);
    onCancel?.();
  }

  function change(words: Partial<Words>): void {
    setFaults({});
    draft.change({ ...draft.value, ...words });
  }

  function save(event: FormEvent): void {
    event.preventDefault();
    if (draft.isSending || isOvertaken) return;
    const isShort = title !== null && title.trim().length < minTitleLength;
    if (isShort) setFaults({ title: `Use at least ${minTitleLength} characters` });
    else if (title === null && text.trim() === "") setFaults({ text: "Enter an answer" });
    else draft.send(draft.value);
  }

  if (!isOpen) {
    return (
      <Button variant="outline" className="justify-self-start" onClick={open}>
        {opener}
      </Button>
    );
  }
  return (
    <form onSubmit={save} aria-label={label} noValidate className="grid gap-4">
      {title !== null && (
        <>
          <Field label="Your question" error={faults.title}>
            <Input
              ref={first}
              value={title}
              onChange={({ target }) => change({ title: target.value })}
              maxLength={maxTitleLength}
              readOnly={draft.isSending}
              autoComplete="off"
              dir="auto"
            />
          </Field>
          {besideTitle?.(title)}
        </>
      )}
      <Field label={textLabel} hint="You can use Markdown for lists, links, and **bold** text." error={faults.text}>
        <Textarea
          ref={title === null ? first : null}
          value={text}
          onChange={({ target }) => change({ text: target.value })}
          maxLength={maxPostLength}
          readOnly={draft.isSending}
          rows={4}
          dir="auto"
        />
      </Field>
      {now && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
          {at === null ? (
            <Button variant="outline" size="small" onClick={() => change({ at: Math.floor(now()) })}>
              Add the moment in the video
            </Button>
          ) : (
            <>
              <p>About {formatSecond(at)} in the video</p>
              <Button variant="quiet" size="small" onClick={() => change({ at: null })}>
                Remove the moment
              </Button>
            </>
          )}
        </div>
      )}
      {isOvertaken && (
        <Meanwhile
          label="Changed elsewhere"
          why="You’ve changed this in another tab or on another device since you began. What you wrote here isn’t saved yet."
          onKeep={() => change({ version: saved.version })}
          discard="Use the other version"
          onDiscard={draft.discard}
        >
          <blockquote dir="auto" className="whitespace-pre-line wrap-anywhere">
            {[saved.title, saved.text].filter(Boolean).join("\n\n")}
          </blockquote>
        </Meanwhile>
      )}
      {faults.form && !isOvertaken && (
        <p role="alert" className="font-semibold text-danger text-fine">
          {faults.form}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="tag" pending={draft.isSending}>
          {submit}
        </Button>
        {(onCancel || opener) && !draft.isSending && (
          <Button
            variant="quiet"
            onClick={() => {
              draft.discard();
              close();
            }}
          >
            Cancel
          </Button>
        )}
        <p role="status" className="text-fine text-ink-soft">
          {draft.isWaiting && "Not saved yet. We’ll keep trying."}
        </p>
      </div>
    </form>
  );
}

// Shared with the profile, it would add to the scripts of the checkout.
function focusOnce(element: HTMLElement | null): void {
  element?.focus();
}
