import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "#app/api/api.ts";
import { type AuditFilter, type AuditListQuery, countAudit, listAudit } from "#contract/admin/audit.ts";
import { getChecklist } from "#contract/admin/checklist.ts";
import {
  type ContactFilter,
  type ContactListQuery,
  countContacts,
  getContactDetail,
  listContacts,
} from "#contract/admin/contacts.ts";
import { getConfigured, getContent } from "#contract/admin/content.ts";
import { getCorrespondence } from "#contract/admin/people.ts";
import {
  countPurchases,
  getPurchaseDetail,
  listAllPurchases,
  type PurchaseFilter,
  type PurchaseListQuery,
  previewRefund,
} from "#contract/admin/purchases.ts";
import { getLearning, getMoney, getStats, type MoneyQuery } from "#contract/admin/statistics.ts";
import { countUsers, getUserDetail, listUsers, type UserFilter, type UserListQuery } from "#contract/admin/users.ts";

// Each change invalidates all keys below "admin". Lists keep their rows until the next ones arrive.

export const statsQuery = queryOptions({
  queryKey: ["admin", "stats"],
  queryFn: ({ signal }) => api(getStats, { signal }),
});

export const checklistQuery = queryOptions({
  queryKey: ["admin", "checklist"],
  queryFn: ({ signal }) => api(getChecklist, { signal }),
});

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

export const userQuery = (userId: string) =>
  queryOptions({
    queryKey: ["admin", "user", userId],
    queryFn: ({ signal }) => api(getUserDetail, { params: { userId }, signal }),
  });

export const correspondenceQuery = (userId: string) =>
  queryOptions({
    queryKey: ["admin", "correspondence", userId],
    queryFn: ({ signal }) => api(getCorrespondence, { params: { userId }, signal }),
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

export const purchaseQuery = (purchaseId: string) =>
  queryOptions({
    queryKey: ["admin", "purchase", purchaseId],
    queryFn: ({ signal }) => api(getPurchaseDetail, { params: { purchaseId }, signal }),
  });

interface AskedRefund {
  amount: number | undefined;
  chargeId: string | undefined;
  endAccess: boolean;
  keepAccessUntil: string | undefined;
}

export const refundPreviewQuery = (purchaseId: string, { endAccess, ...asked }: AskedRefund) =>
  queryOptions({
    queryKey: ["admin", "refund-preview", purchaseId, endAccess, asked],
    queryFn: ({ signal }) => {
      const query = { ...asked, ...(endAccess && { endAccess: "true" as const }) };
      return api(previewRefund, { params: { purchaseId }, query, signal });
    },
    placeholderData: keepPreviousData,
    // Never cached: whether a charge has settled changes on its own.
    staleTime: 0,
    gcTime: 0,
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

export const contactQuery = (contactId: string) =>
  queryOptions({
    queryKey: ["admin", "contact", contactId],
    queryFn: ({ signal }) => api(getContactDetail, { params: { contactId }, signal }),
  });

export const moneyQuery = (query: z.input<typeof MoneyQuery>) =>
  queryOptions({
    queryKey: ["admin", "money", query],
    queryFn: ({ signal }) => api(getMoney, { query, signal }),
    placeholderData: keepPreviousData,
  });

export const learningQuery = queryOptions({
  queryKey: ["admin", "learning"],
  queryFn: ({ signal }) => api(getLearning, { signal }),
});

export const contentQuery = queryOptions({
  queryKey: ["admin", "content"],
  queryFn: ({ signal }) => api(getContent, { signal }),
});

/** The values that apply where a setting is empty. */
export const configuredQuery = queryOptions({
  queryKey: ["admin", "configured"],
  queryFn: ({ signal }) => api(getConfigured, { signal }),
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
