import { ApiError, askForSignIn, errorOf, viewer } from "#app/api/api.ts";
import { uploadResource } from "#contract/resources.ts";

export interface SendUpload {
  readonly form: FormData;
  /** Called with the number of bytes sent so far. */
  readonly onProgress: (sent: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends an upload. Resolves to the server's message. Uses XMLHttpRequest, because `fetch` does not report progress.
 * @throws ApiError, or an AbortError after the signal
 */
export async function sendUpload(upload: SendUpload): Promise<string | null> {
  try {
    return await sendOnce(upload);
  } catch (error) {
    const { method, path: address } = uploadResource;
    if (error instanceof ApiError && (await askForSignIn({ method, address }, error))) return sendOnce(upload);
    throw error;
  }
}

function sendOnce({ form, onProgress, signal }: SendUpload): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(uploadResource.method, uploadResource.path);
    request.setRequestHeader("accept", "application/json");
    for (const [name, value] of Object.entries(viewer)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => {
      const { status, statusText, responseText } = request;
      if (status >= 200 && status < 300) resolve(messageIn(responseText));
      else reject(errorOf(status, statusText, responseText));
    };
    request.onerror = () => reject(new ApiError(0, "0: The connection was lost."));
    request.onabort = () => reject(new DOMException("The upload was cancelled.", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}

function messageIn(text: string): string | null {
  const { message } = JSON.parse(text) as { message?: unknown };
  return typeof message === "string" ? message : null;
}
