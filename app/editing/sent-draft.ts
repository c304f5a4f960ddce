import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { ApiError } from "#app/api/api.ts";
import { randomId } from "#ui/random-id.ts";
import { useKeptDraft } from "./kept-draft.ts";

/** What this browser keeps of a draft. */
export interface SentDraft<Value> {
  value: Value;
  /** Of what is created, so that sending it again creates nothing more. */
  id?: string;
  /** Whether the student has sent it, so that it is sent again until the server confirms it. */
  isSent: boolean;
  /** What it answers, in the version that the student saw. */
  version?: string | undefined;
}

interface SentDraftOptions<Value, Reply> {
  name: string;
  saved: Value;
  /** Of what it answers. Once that has changed, the draft is not sent again: the student has not seen what it answers. */
  version?: string;
  /** Must be safe to repeat. */
  send: (value: Value, id: string) => Promise<Reply>;
  onSent: (reply: Reply) => void;
  /** Returns the sentence to show, if any. */
  onRefused: (error: unknown) => string | null;
  /** Whether to go on after "too many requests": where the limit is one of a minute. */
  waitsForLimit?: boolean;
}

const maxWaitMilliseconds = 30_000;

/**
 * A draft that this browser keeps until the server has confirmed it: without a connection it stays on the screen, and is
 * sent again by itself, also after a reload.
 */
export function useSentDraft<Value, Reply>(options: SentDraftOptions<Value, Reply>) {
  const { name, saved, version, send, onSent, onRefused, waitsForLimit = false } = options;
  const draft = useKeptDraft<SentDraft<Value>>(name, { value: saved, isSent: false });
  const [fault, setFault] = useState<string | null>(null);
  const sending = useMutation({
    // Waits while the browser is offline.
    networkMode: "online",
    retry: (_, error) => mayRetry(error, waitsForLimit),
    retryDelay: (failures) => Math.min(maxWaitMilliseconds, 1000 * 2 ** failures),
    mutationFn: ({ value, id = "" }: SentDraft<Value>) => send(value, id),
    onSuccess: (reply) => {
      draft.discard();
      onSent(reply);
    },
    onError: (error, { value }) => {
      draft.change({ value, isSent: false });
      setFault(onRefused(error));
    },
  });
  const isSent = draft.value.isSent && draft.value.version === version;
  const sendAgain = useEffectEvent(() => isSent && sending.mutate(draft.value));
  useEffect(() => void sendAgain(), []);

  return {
    value: draft.value.value,
    /** Whether it differs from what is saved. */
    isChanged: draft.isChanged,
    isSent,
    fault,
    refuse: setFault,
    isSending: sending.isPending,
    /** Whether it could not be sent yet. */
    isWaiting: sending.isPaused || (sending.isPending && sending.failureCount > 0),
    change: (value: Value) => {
      setFault(null);
      draft.change({ value, isSent: false });
    },
    discard: () => {
      setFault(null);
      draft.discard();
    },
    send: (value: Value) => {
      setFault(null);
      const sent = { value, id: randomId(), isSent: true, version };
      draft.change(sent);
      sending.mutate(sent);
    },
  };
}

function mayRetry(error: unknown, waitsForLimit: boolean): boolean {
  if (!(error instanceof ApiError)) return true;
  return [0, 408].includes(error.status) || error.status >= 500 || (error.status === 429 && waitsForLimit);
}
