import { bigint, boolean, check, index, integer, json, primaryKey, snakeCase, text } from "drizzle-orm/pg-core";
import { type UploadedVideo, videoStates } from "#contract/admin/studio.ts";
import { id, instant, isOneOf } from "#server/db/columns.ts";
import { users } from "#server/identity/tables.ts";

/** One file of fragmented MP4 in the store, played by ranges of bytes. */
export interface Rendition {
  /** Pixels. A video from a phone that was held upright is higher than wide. */
  readonly width: number;
  readonly height: number;
  /** The key in the store. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** Bits per second at most, as the playlist says. */
  readonly bandwidth: number;
  /** RFC 6381, such as `avc1.64001f,mp4a.40.2`. */
  readonly codecs: string;
  /** Bytes of the header, which come first. */
  readonly headerBytes: number;
  /** Each segment's seconds and bytes, in order and without gaps. */
  readonly segments: readonly (readonly [seconds: number, bytes: number])[];
}

/** Videos that administrators upload. */
export const videos = snakeCase.table(
  "videos",
  {
    id: id(),
    fileName: text().notNull(),
    uploadedBy: text().references(() => users.id, { onDelete: "set null" }),
    /** Bytes, as told before the upload. */
    size: bigint({ mode: "number" }).notNull(),
    /** Bytes that are recorded in `video_pieces`. */
    received: bigint({ mode: "number" }).notNull().default(0),
    /** Of the whole file, by the server; null until it is whole. */
    sha256: text(),
    /** Of the file on the uploader's computer, by their browser; null until it was told. */
    toldSha256: text(),
    state: text().$type<UploadedVideo["state"]>().notNull().default("uploading"),
    /** Why it failed, as a sentence. */
    reason: text(),
    /** The last lines of ffmpeg. */
    log: text().array().notNull().default([]),
    /** Per cent of the check, then of the conversion. */
    progress: integer().notNull().default(0),
    /** When the conversion last advanced. */
    progressAt: instant(),
    /** Tries of the conversion that began, except those that a stopping node gave back. */
    attempts: integer().notNull().default(0),
    /** Rises with each start of the conversion. What an earlier one records is ignored. */
    run: integer().notNull().default(0),
    /** In the store; null until the file is whole, and after it was removed. */
    sourceKey: text().unique(),
    posterKey: text().unique(),
    lengthSeconds: integer(),
    renditions: json().$type<readonly Rendition[]>().notNull().default([]),
    /** Who receives a piece, until when, and the number that a piece must still match when it is recorded. */
    lockedBy: text(),
    lockedUntil: instant(),
    lockNumber: integer().notNull().default(0),
    /** Somebody else waits for the lease. */
    lockWanted: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    /** When the last piece came, or somebody tried again. */
    uploadedAt: instant(),
    readyAt: instant(),
    /** When the purge first found that nothing uses it; null while something does. */
    unusedSince: instant(),
  },
  (table) => [
    check("videos_state", isOneOf(table.state, videoStates)),
    index("videos_uploaded_by").on(table.uploadedBy),
  ],
);

/** The file until it is whole: each piece is a file of the store. */
export const videoPieces = snakeCase.table(
  "video_pieces",
  {
    videoId: text()
      .notNull()
      .references(() => videos.id, { onDelete: "cascade" }),
    /** The place of its first byte in the whole file. */
    start: bigint({ mode: "number" }).notNull(),
    size: integer().notNull(),
    key: text().notNull().unique(),
  },
  (table) => [primaryKey({ columns: [table.videoId, table.start] })],
);
