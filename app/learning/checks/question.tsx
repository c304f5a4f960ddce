import { cx } from "class-variance-authority";
import { type FormEvent, useEffect, useId, useRef } from "react";
import type { AnsweredQuestion } from "#contract/checks.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input } from "#ui/controls/field.tsx";
import { Icon } from "#ui/icon.tsx";
import { type AnswerOptions, type Typed, useAnswer } from "./use-answer.ts";

interface QuestionProps extends AnswerOptions {
  /** Null for the only one. */
  number: number | null;
  /** Plays the lesson from this second. Null without a player. */
  onWatch: ((at: number) => void) | null;
}

type Result = NonNullable<AnsweredQuestion["result"]>;

export function Question({ question, number, onWatch, ...rest }: QuestionProps) {
  const id = useId();
  const frame = useRef<HTMLFormElement>(null);
  const answer = useAnswer({ ...rest, question });
  const { kind, text, unit, options = [], result } = question;
  const isDone = result !== null && (result.isRight || result.wasShown);
  const isOff = isDone || answer.isSending;
  const wasDone = useRef(isDone);
  useEffect(() => {
    // The focused button disappears with the last try.
    if (isDone && !wasDone.current && document.activeElement === document.body) {
      frame.current?.focus({ preventScroll: true });
    }
    wasDone.current = isDone;
  }, [isDone]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isOff) return;
    const missing = answer.answer.length === 0 && (options.length > 0 ? "Choose an answer." : "Enter an answer.");
    if (missing) answer.refuse(missing);
    else answer.send(answer.answer);
  }

  const error = answer.fault && (
    <p id={`${id}-error`} role="alert" className="font-semibold text-danger text-fine">
      {answer.fault}
    </p>
  );
  return (
    <form
      ref={frame}
      tabIndex={-1}
      aria-label={number === null ? "Question" : `Question ${number}`}
      noValidate
      onSubmit={submit}
      className="rounded-sm border-[1.5px] border-line-strong p-4 sm:p-5"
    >
      <fieldset aria-describedby={answer.fault ? `${id}-error` : undefined} className="grid min-w-0 gap-4">
        <legend dir="auto" className="mb-3 w-full whitespace-pre-line font-bold leading-snug wrap-anywhere">
          {number !== null && <span aria-hidden="true">{number}. </span>}
          {text}
        </legend>
        {options.length > 0 ? (
          <div className="grid gap-2">
            {kind === "several" && !isDone && <p className="text-fine text-ink-soft">Choose all that apply.</p>}
            {options.map((option) => (
              <Option
                key={option.id}
                name={id}
                option={option}
                isSeveral={kind === "several"}
                isChosen={[answer.answer].flat().includes(option.id)}
                isRight={[result?.right ?? []].flat().includes(option.id)}
                isOff={isOff}
                onChoose={() => answer.change(kind === "several" ? toggled(answer.answer, option.id) : option.id)}
              />
            ))}
          </div>
        ) : (
          <Field label={unit ? `Your answer, in ${unit}` : "Your answer"} className="max-w-md">
            <Input
              value={answer.answer}
              onChange={({ target }) => answer.change(target.value)}
              inputMode={kind === "number" ? "decimal" : "text"}
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              dir="auto"
              readOnly={isOff}
            />
          </Field>
        )}
        {error}
        <div role="status" className="grid gap-3 empty:hidden">
          {answer.isWaiting ? (
            <p className="text-fine text-ink-soft">Not saved yet. We’ll keep trying.</p>
          ) : (
            result &&
            (isDone || !answer.isChanged) && <Outcome result={result} unit={unit} isChoice={options.length > 0} />
          )}
        </div>
        <div className="flex flex-wrap items-center gap-3 empty:hidden">
          {!isDone && (
            <Button type="submit" variant="tag" pending={answer.isSending}>
              {result ? "Try again" : "Check answer"}
            </Button>
          )}
          {result && result.at !== null && onWatch && <WatchAgain at={result.at} onWatch={onWatch} />}
          {result && !isDone && (
            <Button variant="quiet" pending={answer.isShowing} onClick={answer.show}>
              Show me
            </Button>
          )}
        </div>
        {result && !isDone && (
          <p className="text-fine text-ink-soft">
            If we show you the answer, the check counts for your certificate only after you take it again from the
            Progress tab.
          </p>
        )}
      </fieldset>
    </form>
  );
}

function toggled(answer: Typed, id: string): string[] {
  const chosen = Array.isArray(answer) ? answer : [];
  return chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
}

function WatchAgain({ at, onWatch }: { at: number; onWatch: (at: number) => void }) {
  return (
    <Button variant="outline" onClick={() => onWatch(at)}>
      <Icon name="play" className="size-4 fill-current" />
      Watch again at {formatSecond(at)}
    </Button>
  );
}

interface OptionProps {
  name: string;
  option: { id: string; text: string };
  isSeveral: boolean;
  isChosen: boolean;
  /** Known once the question is done. */
  isRight: boolean;
  isOff: boolean;
  onChoose: () => void;
}

function Option({ name, option, isSeveral, isChosen, isRight, isOff, onChoose }: OptionProps) {
  return (
    <label
      className={cx(
        "flex min-h-11 items-start gap-3 rounded-sm border-[1.5px] px-3.5 py-2.5 leading-normal",
        isRight ? "border-success bg-success-soft" : "border-line-strong",
        !isOff && "hover:border-ink",
      )}
    >
      <input
        type={isSeveral ? "checkbox" : "radio"}
        name={name}
        checked={isChosen}
        // Not `disabled`, which would take the focus away while the answer is sent.
        aria-disabled={isOff || undefined}
        onChange={() => !isOff && onChoose()}
        className="mt-0.5 size-5 shrink-0 accent-action"
      />
      <span className="flex min-w-0 grow flex-wrap gap-x-3 gap-y-1">
        <span dir="auto" className="min-w-0 flex-[1_1_10rem] wrap-anywhere">
          {option.text}
        </span>
        {isRight && (
          <span className="inline-flex shrink-0 items-center gap-1.5 font-bold text-sm text-success">
            <Icon name="check" className="size-3.5" />
            Right
          </span>
        )}
      </span>
    </label>
  );
}

function Outcome({ result, unit, isChoice }: { result: Result; unit: string | undefined; isChoice: boolean }) {
  const { isRight, wasShown, right, explanation } = result;
  return (
    <div
      className={cx("grid gap-1 rounded-sm border border-transparent p-3.5", isRight ? "bg-success-soft" : "bg-sunken")}
    >
      <p className={cx("font-bold", isRight && "text-success")}>
        {isRight ? "That’s right." : wasShown ? "Here’s the answer." : "Not quite."}
      </p>
      {wasShown && !isChoice && right !== null && (
        <p dir="auto" className="wrap-anywhere">
          {String(right)} {unit}
        </p>
      )}
      <p dir="auto" className="max-w-[62ch] whitespace-pre-line wrap-anywhere">
        {explanation}
      </p>
    </div>
  );
}
