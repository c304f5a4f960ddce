import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { paymentConfigQuery } from "#app/card/payment-config-query.ts";
import type { PaymentConfig } from "#contract/purchases/purchases.ts";
import { toast } from "#ui/toast/toast.ts";
import { loadCardScript } from "./card-script.ts";

export type CardScript =
  | { state: "loading" }
  | { state: "ready"; config: PaymentConfig }
  /** The public identifiers are missing or failed to load. */
  | { state: "unconfigured" }
  /** `retry` loads it again. One that is only late works when it comes. */
  | { state: "failed"; retry: () => void };

const lateMilliseconds = 10_000;

export const loadFailure = "Failed to load payment system. Please refresh and try again.";

/** Loads the gateway's script from the configured URL. When cards cannot be taken, one toast explains why. */
export function useCardScript(): CardScript {
  const { data: config, isError } = useQuery(paymentConfigQuery);
  const [loaded, setLoaded] = useState<"loading" | "ready" | "failed">("loading");
  const [tries, setTries] = useState(1);
  const isUnconfigured = isError || (config !== undefined && !isComplete(config));
  const scriptUrl = isUnconfigured ? undefined : config?.scriptUrl;

  useEffect(() => {
    if (!isUnconfigured) return;
    toast({ title: "Configuration Error", description: configurationFailure, destructive: true });
  }, [isUnconfigured]);

  useEffect(() => {
    if (!scriptUrl) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const fail = () => {
      if (signal.aborted) return;
      setLoaded("failed");
      toast({ title: "Error", description: loadFailure, destructive: true });
    };
    if (tries > 1) setLoaded("loading");
    const late = setTimeout(fail, lateMilliseconds);
    loadCardScript(scriptUrl, signal)
      .then(() => setLoaded("ready"), fail)
      .finally(() => clearTimeout(late));
    return () => {
      leaving.abort();
      clearTimeout(late);
    };
  }, [scriptUrl, tries]);

  if (isUnconfigured) return { state: "unconfigured" };
  if (!config || loaded === "loading") return { state: "loading" };
  if (loaded === "ready") return { state: "ready", config };
  return { state: "failed", retry: () => setTries(tries + 1) };
}

export const configurationFailure = "Card payments aren't set up right now. Please contact support.";

function isComplete({ scriptUrl, apiLoginId, clientKey }: PaymentConfig): boolean {
  return Boolean(scriptUrl && apiLoginId && clientKey);
}
