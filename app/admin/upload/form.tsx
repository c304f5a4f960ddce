import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useFormOf } from "#app/editing/use-form-of.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { resourcesQuery, uploadLimitsQuery } from "#app/resources/resource-queries.ts";
import { sendUpload } from "#app/resources/send-upload.ts";
import { progressOfFiles } from "#app/resources/upload-progress.ts";
import { ResourceDetails } from "#contract/resources.ts";
import { Button } from "#ui/controls/button.tsx";
import { toast } from "#ui/toast/toast.ts";
import { Panel } from "../panel.tsx";
import { DetailFields } from "./details.tsx";
import { UploadFiles } from "./files.tsx";
import type { ModuleChoice } from "./modules.ts";

const noDetails: ResourceDetails = {
  moduleId: "",
  lessonId: null,
  title: "",
  description: null,
  requiredTier: "" as never,
};

export function UploadPanel({ modules }: { modules: readonly ModuleChoice[] }) {
  return (
    <Panel title="Upload resources">
      <UploadForm modules={modules} />
    </Panel>
  );
}

interface UploadFormProps {
  modules: readonly ModuleChoice[];
  /** Where the files belong. Without it, the form asks. */
  place?: { moduleId: string; lessonId: string };
}

/**
 * Uploads new resources. Files and text stay until the server has stored all of them. The text also survives leaving
 * the page.
 */
export function UploadForm({ modules, place }: UploadFormProps) {
  const queryClient = useQueryClient();
  const { data: limits } = useQuery(uploadLimitsQuery);
  const [files, setFiles] = useState<File[]>([]);
  const { sent, send, cancel } = useSending();
  const form = useFormOf(ResourceDetails, {
    kept: place ? `new-resources-${place.lessonId}` : "new-resources",
    saved: { ...noDetails, ...place },
    check(faults) {
      const found = { ...(files.length === 0 && { files: "Required" }), ...faults };
      if (Object.keys(found).length > 0) {
        toast({ title: "Missing Information", description: "Please fill in all required fields.", destructive: true });
      }
      return found;
    },
    async send(details) {
      const message = await send(formOf(files, details));
      setFiles([]);
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
    <form {...form.frame} aria-label="Upload resources" className="grid gap-5">
      <UploadFiles
        files={files}
        limits={limits}
        fault={form.faults.files}
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
          form.forget("files");
        }}
      />
      <fieldset disabled={form.isSending} className="grid min-w-0 gap-5">
        <DetailFields form={form} modules={modules} isPlaceKnown={place !== undefined} />
      </fieldset>
      {files.length > 1 && (
        <p className="text-fine text-ink-soft">
          Each file becomes its own resource, named with the title and the file name.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="tag" pending={form.isSending}>
          Upload
        </Button>
        {form.isSending && (
          <Button variant="outline" onClick={cancel}>
            Cancel upload
          </Button>
        )}
      </div>
    </form>
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

function formOf(files: readonly File[], details: ResourceDetails): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(details)) form.append(name, value ?? "");
  for (const file of files) form.append("files", file, file.name);
  return form;
}
