import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Tier } from "./tiers.ts";
import { MadeFrom, Version } from "./version.ts";

/** The allowed file types, by the last extension of the name. The content must match. */
export const resourceFormats = ["pdf", "xlsx", "xls", "docx", "doc", "zip", "rar"] as const;
export type ResourceFormat = (typeof resourceFormats)[number];

export const Resource = z
  .object({
    id: z.string(),
    moduleId: z.string(),
    lessonId: z.string().nullable().describe("Null: it belongs to the module as a whole"),
    title: z.string(),
    description: z.string().nullable(),
    fileUrl: z.string().nullable().describe("Where it is downloaded; null for anybody who may not"),
    fileName: z.string(),
    fileType: z.enum(["pdf", "excel", "doc", "other"]),
    fileSize: z.int().describe("Bytes"),
    requiredTier: Tier,
    downloadCount: z.int(),
    isActive: z.boolean().describe("False: only administrators see it"),
    isAvailable: z.boolean().describe("False while its file cannot be found in the store"),
    isUnlocked: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    version: Version.describe("Changes with the fields that `updateResource` takes"),
  })
  .meta({ id: "Resource" });
export type Resource = z.infer<typeof Resource>;

/** The editable fields of a resource. Without a lesson it belongs to the whole module. */
export const ResourceDetails = z.strictObject({
  moduleId: z.string().min(1, "Required"),
  lessonId: z
    .string()
    .nullable()
    .transform((id) => id || null),
  title: z.string().trim().min(1, "Required").max(200, "Use 200 characters or fewer"),
  description: z
    .string()
    .trim()
    .max(2000, "Use 2000 characters or fewer")
    .nullable()
    .transform((text) => text || null),
  requiredTier: Tier,
});
export type ResourceDetails = z.infer<typeof ResourceDetails>;

export const listResources = endpoint({
  method: "GET",
  path: "/api/resources",
  summary: "The resources of a module, of a lesson or of the whole course; locked ones are named without an address",
  query: z.strictObject({ moduleId: z.string().optional(), lessonId: z.string().optional() }),
  reply: z.array(Resource),
});

const bytes = z.int().describe("Bytes");

export const getUploadLimits = endpoint({
  method: "GET",
  path: "/api/upload-resource",
  summary: "How much one upload may hold",
  permission: "content:write",
  reply: z.object({ files: z.int(), fileSize: bytes, totalSize: bytes }).meta({ id: "UploadLimits" }),
});

export const uploadResource = endpoint({
  method: "POST",
  path: "/api/upload-resource",
  summary: "Stores every file of a form as a resource, or none of them",
  permission: "content:write",
  form: z.object({
    files: z
      .array(z.any().meta({ type: "string", format: "binary" }))
      .min(1)
      .describe("Of an accepted kind"),
    moduleId: z.string(),
    lessonId: z.string().optional().describe("Empty: the module as a whole"),
    title: z.string(),
    description: z.string().optional(),
    requiredTier: Tier,
  }),
  reply: z.object({ message: z.string(), resources: z.array(Resource) }),
});

const ResourceParams = z.object({ id: z.string() });

export const updateResource = endpoint({
  method: "PUT",
  path: "/api/resources/{id}",
  summary: "Changes what is said of a resource; its file stays. 409 when it was changed since it was read",
  permission: "content:write",
  params: ResourceParams,
  query: MadeFrom,
  body: ResourceDetails,
  reply: Resource,
});

export const moveResource = endpoint({
  method: "POST",
  path: "/api/resources/{id}/move",
  summary: "Puts a resource right before another one of the same lesson, or of the same module as a whole",
  permission: "content:write",
  withoutFreshSignIn: "It changes no file, and can be undone",
  params: ResourceParams,
  body: z.strictObject({ before: z.string() }),
  reply: z.object({ message: z.string() }),
});

export const deleteResource = endpoint({
  method: "DELETE",
  path: "/api/resources/{id}",
  summary: "Removes a resource and its file",
  permission: "content:write",
  params: ResourceParams,
  reply: z.object({ message: z.string() }),
});

export const downloadResource = endpoint({
  method: "GET",
  path: "/api/download/{resourceId}",
  summary: "The file of a resource, for those whose tier opens it; ranges of it too",
  whileSeeing: "refused",
  params: z.object({ resourceId: z.string() }),
  reply: z.any().meta({ format: "binary" }),
});
