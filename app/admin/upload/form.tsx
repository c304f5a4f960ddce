import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type Faults, useForm } from "#app/api/use-form.ts";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { resourcesQuery, uploadLimitsQuery } from "#app/resources/resource-queries.ts";
import { sendUpload } from "#app/resources/send-upload.ts";
import { progressOfFiles } from "#app/resources/upload-progress.ts";
import { Button } from "#ui/controls/button.tsx";
import { toast } from "#ui/toast/toast.ts";
import { Panel } from "../panel.tsx";
import { DetailFields, type DetailValues, noDetails } from "./details.tsx";
import { UploadFiles } from "./files.tsx";
import type { ModuleChoice } from "./modules.ts";

/**
 * Uploads new resources. Files and text stay until the server has stored all of them. The text also survives leaving
 * the page.
 */
export function UploadForm({ modules }: { modules: readonly ModuleChoice[] }) {
  const queryClient = useQueryClient();
  const { data: limits } = useQuery(uploadLimitsQuery);
  const [files, setFiles] = useState<File[]>([]);
  const { value: values, change, discard } = useKeptDraft<DetailValues>("new-resources", noDetails);
  const { sent, send, cancel } = useSending();
  const { frame, faults, isSending, forget } = useForm({
    check() {
      const missing = faultsOf(files, values);
      if (Object.keys(missing).length > 0) {
        toast({ title: "Missing Information", description: "Please fill in all required fields.", destructive: true });
      }
      return missing;
    },
    async send() {
      const message = await send(formOf(files, values));
      setFiles([]);
      discard();
      toast({ title: message ?? "Resource uploaded successfully!" });
      await queryClient.invalidateQueries({ queryKey: resourcesQuery.queryKey });
    },
    onFailed(error) {
      // The server may have stored the files although its response was lost or not awaited.
      void queryClient.invalidateQueries({ queryKey: resourcesQuery.queryKey });
      if (error instanceof DOMException && error.name === "AbortError") {
        toast({ title: "Upload cancelled", description: "The list shows what is stored." });
      } else {
        toastFailure("Upload Failed", error, "Failed to upload resource", ["error", "details", "message"]);
      }
    },
  });

  return (
    <Panel title="Upload resources">
      <form {...frame} aria-label="Upload resources" className="grid gap-5">
        <UploadFiles
          files={files}
          limits={limits}
          fault={faults.files}
          progress={
            sent === null
              ? null
              : progressOfFiles(
                  files.map(({ size }) => size),
                  sent,
                )
          }
          onChange={(next) => {
            setFiles(next);
            forget("files");
          }}
        />
        <DetailFields modules={modules} values={values} faults={faults} isDisabled={isSending} onChange={change} />
        {files.length > 1 && (
          <p className="text-fine text-ink-soft">Each file becomes a resource of its own: the title and its name.</p>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="tag" pending={isSending}>
            Upload
          </Button>
          {isSending && (
            <Button variant="outline" onClick={cancel}>
              Cancel upload
            </Button>
          )}
        </div>
      </form>
    </Panel>
  );
}

/** One upload at a time. `sent` is in bytes, and null while none runs. Leaving the page aborts the upload. */
function useSending() {
  const [sent, setSent] = useState<number | null>(null);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  async function send(form: FormData): Promise<string | null> {
    const controller = new AbortController();
    current.current = controller;
    setSent(0);
    try {
      return await sendUpload({ form, onProgress: setSent, signal: controller.signal });
    } finally {
      setSent(null);
    }
  }
  return { sent, send, cancel: () => current.current?.abort() };
}

function formOf(files: readonly File[], values: DetailValues): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value);
  for (const file of files) form.append("files", file, file.name);
  return form;
}

function faultsOf(files: readonly File[], values: DetailValues): Faults {
  const required = "Required";
  return {
    ...(files.length === 0 && { files: required }),
    ...(values.moduleId === "" && { moduleId: required }),
    ...(values.title.trim() === "" && { title: required }),
    ...(values.requiredTier === "" && { requiredTier: required }),
  };
}
