import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { headerLine } from "../line.ts";
import { Done, plainText, recordId } from "./admin.ts";

const name = headerLine(40);
const params = z.object({ id: recordId });

/** The lists whose filters can be saved, and the query parameters that hold them. */
export const FilteredList = z.enum(["users", "purchases", "messages"]);
export type FilteredList = z.infer<typeof FilteredList>;

export const SavedFilter = z
  .object({
    id: z.string(),
    list: FilteredList,
    name: z.string(),
    query: z.record(z.string(), z.string()).describe("What the address of the list holds: its filter and its order"),
  })
  .meta({ id: "SavedFilter" });
export type SavedFilter = z.infer<typeof SavedFilter>;

const path = "/api/admin/saved-filters";

export const listSavedFilters = endpoint({
  method: "GET",
  path,
  summary: "The filters that the administrator keeps, by name; nobody else sees them",
  permission: "people:read",
  reply: z.array(SavedFilter),
});

export const saveFilter = endpoint({
  method: "POST",
  path,
  summary: "Keeps a filter of a list under a name; at most 30 of a list",
  permission: "people:read",
  body: z.strictObject({
    list: FilteredList,
    name,
    query: z
      .record(z.string().regex(/^[a-zA-Z]{1,20}$/), plainText(200))
      .refine((query) => Object.keys(query).length <= 10, "At most 10 parts"),
  }),
  reply: SavedFilter,
});

export const renameFilter = endpoint({
  method: "PUT",
  path: `${path}/{id}`,
  summary: "Gives a kept filter another name",
  permission: "people:read",
  params,
  body: z.strictObject({ name }),
  reply: SavedFilter,
});

export const deleteFilter = endpoint({
  method: "DELETE",
  path: `${path}/{id}`,
  summary: "Keeps a filter no more",
  permission: "people:read",
  params,
  body: z.strictObject({}).nullish(),
  reply: Done,
});
