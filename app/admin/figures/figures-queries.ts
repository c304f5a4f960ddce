import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "#app/api/api.ts";
import { type FiguresQuery, getFunnel, getLifetimeValue, getRetention, getSignUps } from "#contract/admin/figures.ts";

export const signUpsQuery = (query: z.input<typeof FiguresQuery>) =>
  queryOptions({
    queryKey: ["admin", "sign-ups", query],
    queryFn: ({ signal }) => api(getSignUps, { query, signal }),
    placeholderData: keepPreviousData,
  });

export const funnelQuery = (query: z.input<typeof FiguresQuery>) =>
  queryOptions({
    queryKey: ["admin", "funnel", query],
    queryFn: ({ signal }) => api(getFunnel, { query, signal }),
    placeholderData: keepPreviousData,
  });

export const retentionQuery = queryOptions({
  queryKey: ["admin", "retention"],
  queryFn: ({ signal }) => api(getRetention, { signal }),
});

export const lifetimeValueQuery = queryOptions({
  queryKey: ["admin", "value"],
  queryFn: ({ signal }) => api(getLifetimeValue, { signal }),
});
