import { Suspense, useId, useMemo, useRef, useState } from "react";
import { saveBody } from "#app/api/api.ts";
import type { FormOf } from "#app/editing/use-form-of.ts";
import type { LessonContent } from "#contract/admin/content.ts";
import { type CaptionFault, formatCaptions, readCaptions } from "#contract/captions.ts";
import { defaultLanguage, languageName } from "#contract/languages.ts";
import { videoIdOf } from "#contract/video-id.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field, Select } from "#ui/controls/field.tsx";
import { late } from "#ui/feedback/late.tsx";
import { formatCount } from "#ui/format/numbers.ts";
import { useAddress } from "../../address.ts";
import { RowActions } from "../../row-actions.tsx";
import { lessonLabels } from "../labels.ts";
import { countWarned, faultOf } from "./cue-edits.ts";
import { type Captions, captionFields, captionsOf, languagesExcept } from "./languages.ts";
import { readFile } from "./read-file.ts";

const [CaptionEditor, fetchCaptionEditor] = late("the editor of captions", () => import("./caption-editor.tsx"));

const hint =
  "Students can turn them on, search them, and read them as a transcript. Without them, students get those that come with the video.";

/** The captions of a lesson in all languages, and the editor of the one that the address names. */
export function CaptionFields({ form }: { form: FormOf<LessonContent> }) {
  const { read, write } = useAddress();
  const title = useId();
  const captions = captionsOf(form.value);
  const edited = captions.find(({ language }) => language === read("captions"));
  const set = (next: readonly Captions[]) => {
    form.forget("captions");
    form.forget("otherCaptions");
    form.change(captionFields(next));
  };
  const put = (language: string, text: string) => {
    const isNew = !captions.some((one) => one.language === language);
    const next = captions.map((one) => (one.language === language ? { ...one, captions: text } : one));
    set(isNew ? [...next, { language, captions: text }] : next);
  };
  const videoId = form.value.videoId.trim();
  // The server lets this document play the video that its address names.
  const edit = (language: string) => write({ captions: language, preview: videoIdOf(videoId) ?? videoId });

  return (
    <section aria-labelledby={title} className="grid gap-3">
      <div className="grid gap-1.5">
        <h3 id={title} className="font-bold text-sm">
          {lessonLabels.captions}
        </h3>
        <p className="text-fine text-ink-soft">{hint}</p>
      </div>
      {captions.length > 0 && (
        <ul className="grid divide-y divide-line rounded-md border border-line">
          {captions.map((one, at) => (
            <CaptionRow
              key={one.language}
              captions={one}
              isDefault={at === 0 && captions.length > 1}
              error={at === 0 ? form.faults.captions : form.faults[`otherCaptions.${at - 1}.captions`]}
              onEdit={() => edit(one.language)}
              onReplace={(text) => put(one.language, text)}
              onDefault={at > 0 && (() => set([one, ...captions.filter((other) => other !== one)]))}
              onRemove={() => set(captions.filter((other) => other !== one))}
            />
          ))}
        </ul>
      )}
      {form.faults.otherCaptions && (
        <p role="alert" className="font-semibold text-danger text-fine">
          {form.faults.otherCaptions}
        </p>
      )}
      <AddCaptions
        taken={captions.map(({ language }) => language)}
        onAdd={put}
        onWrite={(language) => {
          put(language, formatCaptions([]));
          edit(language);
        }}
      />
      {edited && (
        <Suspense>
          <CaptionEditor
            key={edited.language}
            language={edited.language}
            videoId={form.value.videoId}
            captions={edited.captions}
            onChange={(text) => put(edited.language, text)}
            onClose={() => write({ captions: null, preview: null })}
          />
        </Suspense>
      )}
    </section>
  );
}

interface CaptionRowProps {
  captions: Captions;
  isDefault: boolean;
  error: string | undefined;
  onEdit: () => void;
  onReplace: (text: string) => void;
  onDefault: false | (() => void);
  onRemove: () => void;
}

function CaptionRow({ captions: { language, captions }, isDefault, error, ...on }: CaptionRowProps) {
  const file = useCaptionFile(on.onReplace);
  const name = languageName(language);
  const { cues, faults, warnings } = useMemo(() => judge(captions), [captions]);
  return (
    <li className="grid gap-2 p-3">
      <div className="flex items-center gap-x-4">
        <p className="flex min-w-0 grow flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
          <strong>{name}</strong>
          {isDefault && <Badge tone="plain">Default</Badge>}
          <span className="text-ink-soft">
            {counted(cues, "caption")}
            {warnings > 0 && `, ${counted(warnings, "warning")}`}
            {faults > 0 && <span className="font-semibold text-danger">, {counted(faults, "error")}</span>}
          </span>
        </p>
        <Button
          variant="outline"
          size="small"
          aria-label={`Edit the captions in ${name}`}
          onPointerEnter={fetchCaptionEditor}
          onClick={on.onEdit}
        >
          Edit
        </Button>
        <RowActions
          of={`the captions in ${name}`}
          actions={[
            { label: "Upload another file", onPress: file.choose },
            { label: "Download", onPress: () => download(language, captions) },
            on.onDefault && { label: "Make default", onPress: on.onDefault },
            { label: "Remove", isDangerous: true, onPress: on.onRemove },
          ]}
        />
      </div>
      {file.control}
      {error && (
        <p role="alert" className="font-semibold text-danger text-fine">
          {error}
        </p>
      )}
    </li>
  );
}

function judge(captions: string) {
  const { cues } = readCaptions(captions);
  const faults = cues.filter((_, at) => faultOf(cues, at)).length;
  return { cues: cues.length, faults, warnings: countWarned(cues) };
}

interface AddCaptionsProps {
  taken: readonly string[];
  onAdd: (language: string, text: string) => void;
  onWrite: (language: string) => void;
}

function AddCaptions({ taken, onAdd, onWrite }: AddCaptionsProps) {
  const languages = languagesExcept(taken);
  const [chosen, setChosen] = useState<string | null>(null);
  const isFree = (tag: string | null) => languages.some(([one]) => one === tag);
  const language = [chosen, defaultLanguage].find(isFree) ?? languages[0]?.[0] ?? defaultLanguage;
  const file = useCaptionFile((text) => onAdd(language, text));
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Language" className="min-w-48 flex-1">
          <Select value={language} onChange={({ target }) => setChosen(target.value)}>
            {languages.map(([tag, name]) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Button variant="outline" onClick={file.choose}>
          Upload captions
        </Button>
        <Button variant="quiet" onPointerEnter={fetchCaptionEditor} onClick={() => onWrite(language)}>
          Write captions
        </Button>
      </div>
      <p className="text-fine text-ink-soft">A WebVTT or SRT file, up to 5 MB.</p>
      {file.control}
    </div>
  );
}

const maxShown = 10;

/** Chooses a file of captions, and shows why it cannot be used. */
function useCaptionFile(onRead: (text: string) => void) {
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<{ name: string; faults: readonly CaptionFault[] } | null>(null);

  async function take(file: File): Promise<void> {
    const { cues, faults } = await readFile(file);
    setRefused(faults ? { name: file.name, faults } : null);
    if (cues) onRead(formatCaptions(cues));
  }

  const control = (
    <>
      <input
        ref={input}
        type="file"
        accept=".vtt,.srt"
        hidden
        aria-label="File of captions"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // Lets the same file be chosen again: browsers report only changes.
          target.value = "";
          if (file) void take(file);
        }}
      />
      {refused && (
        <div role="alert" className="grid gap-1 text-danger text-sm">
          <p className="font-semibold wrap-anywhere">We can’t use {refused.name}. Correct it and upload it again.</p>
          <ul className="grid gap-1">
            {refused.faults.slice(0, maxShown).map(({ line, message }) => (
              <li key={`${line} ${message}`}>
                Line {formatCount(line)}: {message}
              </li>
            ))}
            {refused.faults.length > maxShown && <li>And {formatCount(refused.faults.length - maxShown)} more.</li>}
          </ul>
        </div>
      )}
    </>
  );
  return { control, choose: () => input.current?.click() };
}

const counted = (count: number, what: string) => `${formatCount(count)} ${what}${count === 1 ? "" : "s"}`;

function download(language: string, captions: string): void {
  const headers = { "content-type": "text/vtt", "content-disposition": `filename="captions-${language}.vtt"` };
  void saveBody(new Response(captions, { headers }));
}
