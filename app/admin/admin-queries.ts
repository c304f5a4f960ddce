import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "#app/api/api.ts";
import { type AuditFilter, type AuditListQuery, countAudit, listAudit } from "#contract/admin/audit.ts";
import { type ContactFilter, type ContactListQuery, countContacts, listContacts } from "#contract/admin/contacts.ts";
import {
  countPurchases,
  listAllPurchases,
  type PurchaseFilter,
  type PurchaseListQuery,
} from "#contract/admin/purchases.ts";
import { countUsers, listUsers, type UserFilter, type UserListQuery } from "#contract/admin/users.ts";

// Lists keep their rows until the next ones arrive.

export const usersQuery = (query: z.input<typeof UserListQuery>) =>
  queryOptions({
    queryKey: ["admin", "users", query],
    queryFn: ({ signal }) => api(listUsers, { query, signal }),
    placeholderData: keepPreviousData,
  });

export const usersCountQuery = (query: z.input<typeof UserFilter>) =>
  queryOptions({
    queryKey: ["admin", "users-count", query],
    queryFn: ({ signal }) => api(countUsers, { query, signal }),
  });

export const purchasesQuery = (query: z.input<typeof PurchaseListQuery>) =>
  queryOptions({
    queryKey: ["admin", "purchases", query],
    queryFn: ({ signal }) => api(listAllPurchases, { query, signal }),
    placeholderData: keepPreviousData,
  });

export const purchasesCountQuery = (query: z.input<typeof PurchaseFilter>) =>
  queryOptions({
    queryKey: ["admin", "purchases-count", query],
    queryFn: ({ signal }) => api(countPurchases, { query, signal }),
  });

export const contactsQuery = (query: z.input<typeof ContactListQuery>) =>
  queryOptions({
    queryKey: ["admin", "contacts", query],
    queryFn: ({ signal }) => api(listContacts, { query, signal }),
    placeholderData: keepPreviousData,
  });

export const contactsCountQuery = (query: z.input<typeof ContactFilter>) =>
  queryOptions({
    queryKey: ["admin", "contacts-count", query],
    queryFn: ({ signal }) => api(countContacts, { query, signal }),
  });

export const auditQuery = (query: z.input<typeof AuditListQuery>) =>
  queryOptions({
    queryKey: ["admin", "audit", query],
    queryFn: ({ signal }) => api(listAudit, { query, signal }),
    placeholderData: keepPreviousData,
  });

export const auditCountQuery = (query: z.input<typeof AuditFilter>) =>
  queryOptions({
    queryKey: ["admin", "audit-count", query],
    queryFn: ({ signal }) => api(countAudit, { query, signal }),
  });
